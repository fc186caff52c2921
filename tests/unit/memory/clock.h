/* SPDX-License-Identifier: GPL-2.0 */
/* The engine's time source in memory: task.h's time, counted in ticks. */
#ifndef ICB_CLOCK_H
#define ICB_CLOCK_H

#include "engine.h"

u64 icb_clock_read(void);
u64 icb_clock_ns(u64 ticks);
u64 icb_clock_ticks(u64 ns);

#endif /* ICB_CLOCK_H */
