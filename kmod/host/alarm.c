// SPDX-License-Identifier: GPL-2.0
#include "alarm.h"
#include "compat.h"
#include "model/consumer.h"

static enum hrtimer_restart expired(struct hrtimer *timer)
{
	struct icb_alarm *alarm = container_of(timer, struct icb_alarm, timer);

	/* due() may set the timer again, here or on another CPU */
	alarm->consumer->ops->due(alarm->consumer);
	return HRTIMER_NORESTART;
}

/**
 * icb_alarm_init() - initialize a timer
 * @alarm: the timer; not set afterwards
 */
void icb_alarm_init(struct icb_alarm *alarm)
{
	icb_hrtimer_init(&alarm->timer, expired, HRTIMER_MODE_REL_PINNED_SOFT);
}

/**
 * icb_alarm_set() - schedule a call of due()
 * @alarm: the timer; if it is set already, it moves to the new time
 * @consumer: consumer whose due() is called
 * @ns: delay of the call, which is on this CPU, ns
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
 * icb_alarm_cancel() - cancel a timer
 * @alarm: the timer; must not be set concurrently
 *
 * When this returns, the handler does not run. May sleep.
 */
void icb_alarm_cancel(struct icb_alarm *alarm)
{
	hrtimer_cancel(&alarm->timer);
}
