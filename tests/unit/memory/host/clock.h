/* SPDX-License-Identifier: GPL-2.0 */
/* Stands in for kmod/host/clock.h: the clock is the time of task.h, in ticks. */
#ifndef ICB_CLOCK_H
#define ICB_CLOCK_H

#include "model/engine.h"

/**
 * struct icb_busy - busy time of the CPUs of this host
 * @ns: busy time of all CPUs since an arbitrary start, ns
 * @cpus: number of CPUs; 0 if the busy time is unknown
 * @run_ns: busy time of the run's CPUs since the same start, ns
 */
struct icb_busy {
	u64 ns;
	unsigned int cpus;
	u64 run_ns;
};

u64 icb_clock_read(void);
u64 icb_clock_ns(u64 ticks);
u64 icb_clock_ticks(u64 ns);
void icb_clock_busy(struct icb_busy *busy, const u32 run[2]);

#endif /* ICB_CLOCK_H */
