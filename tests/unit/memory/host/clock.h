/* SPDX-License-Identifier: GPL-2.0 */
/* The engine's time source in memory: task.h's time, counted in ticks. */
#ifndef ICB_CLOCK_H
#define ICB_CLOCK_H

#include "model/engine.h"

/**
 * struct icb_busy - how long the CPUs of this host have been busy
 * @ns: all of them together
 * @cpus: how many there are; 0 where it is not known
 * @run_ns: those of the run alone
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
