// SPDX-License-Identifier: GPL-2.0
#include "alarm.h"
#include "compat.h"
#include "model/consumer.h"

static enum hrtimer_restart expired(struct hrtimer *timer)
{
	struct icb_alarm *alarm = container_of(timer, struct icb_alarm, timer);

	/* which may set it again, here or on another CPU */
	alarm->consumer->ops->due(alarm->consumer);
	return HRTIMER_NORESTART;
}

/**
 * icb_alarm_init() - make a timer
 * @alarm: which is not set
 */
void icb_alarm_init(struct icb_alarm *alarm)
{
	icb_hrtimer_init(&alarm->timer, expired, HRTIMER_MODE_REL_PINNED_SOFT);
}

/**
 * icb_alarm_set() - have due() called later
 * @alarm: its timer; if it is set already, it goes off at the new time
 * @consumer: whose due() it is
 * @ns: so much later, on this CPU
 *
 * Any context.
 */
void icb_alarm_set(struct icb_alarm *alarm, struct icb_consumer *consumer,
		   u64 ns)
{
	alarm->consumer = consumer;
	hrtimer_start(&alarm->timer, ns_to_ktime(ns),
		      HRTIMER_MODE_REL_PINNED_SOFT);
}

/**
 * icb_alarm_cancel() - let a timer not go off any more
 * @alarm: which nobody sets meanwhile
 *
 * When it returns, its handler does not run. May sleep.
 */
void icb_alarm_cancel(struct icb_alarm *alarm)
{
	hrtimer_cancel(&alarm->timer);
}
