/* SPDX-License-Identifier: GPL-2.0 */
/* The timer by which a run is told that it is time for the next operation. */
#ifndef ICB_ALARM_H
#define ICB_ALARM_H

#include <linux/hrtimer.h>

struct icb_run;

/**
 * struct icb_alarm - a timer
 * @timer: its handler runs in softirq context, on the CPU that last set it; on
 *	a real-time kernel in the thread that stands for it there
 * @run: who is told
 */
struct icb_alarm {
	struct hrtimer timer;
	struct icb_run *run;
};

void icb_alarm_init(struct icb_alarm *alarm);
void icb_alarm_set(struct icb_alarm *alarm, struct icb_run *run, u64 ns);
void icb_alarm_cancel(struct icb_alarm *alarm);

#endif /* ICB_ALARM_H */
