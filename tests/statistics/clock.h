/* SPDX-License-Identifier: GPL-2.0 */
/* The engine's time where nothing takes any: a tick is a ns. */
#ifndef ICB_CLOCK_H
#define ICB_CLOCK_H

#include "engine.h"

static inline u64 icb_clock_ticks(u64 ns)
{
	return ns;
}

#endif /* ICB_CLOCK_H */
