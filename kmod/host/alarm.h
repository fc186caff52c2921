/* SPDX-License-Identifier: GPL-2.0 */
/* The timer that notifies a run when its next operation is due. */
#ifndef ICB_ALARM_H
#define ICB_ALARM_H

#include <linux/hrtimer.h>

struct icb_consumer;

/**
 * struct icb_alarm - a timer
 * @timer: timer whose handler runs in softirq context, on the CPU that last set it; on a
 *	real-time kernel in the thread that runs softirqs there
 * @consumer: consumer whose due() is called
 */
struct icb_alarm {
	struct hrtimer timer;
	struct icb_consumer *consumer;
};

void icb_alarm_init(struct icb_alarm *alarm);
void icb_alarm_set(struct icb_alarm *alarm, struct icb_consumer *consumer,
		   u64 ns);
void icb_alarm_cancel(struct icb_alarm *alarm);

#endif /* ICB_ALARM_H */
