/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The schedule of an open loop: the times at which operations are due. The seed
 * determines it before anything is posted, and nothing changes it later.
 */
#ifndef ICB_ARRIVAL_H
#define ICB_ARRIVAL_H

#include "engine.h"
#include "params.h"
#include "random.h"

/* Longest time between two operations, in units of the mean: ln(2^32), rounded up. */
#define ICB_ARRIVAL_MOST	23

/**
 * struct icb_arrival - the position of a run in its schedule
 * @due: clock when the next operation is due, whole ticks
 * @part: fraction of a tick to add to @due, in 65536ths
 * @mean: mean time between two operations, in 65536ths of a tick
 * @kind: enum icbench_arrival
 * @random: stream of random numbers of the schedule
 * @drawn: random numbers that were taken from @random
 */
struct icb_arrival {
	u64 due;
	u32 part;
	u64 mean;
	u32 kind;
	struct icb_random random;
	u64 drawn;
};

void icb_arrival_start(struct icb_arrival *arrival,
		       const struct icb_params *params, u64 now, u64 second);
void icb_arrival_next(struct icb_arrival *arrival);

#endif /* ICB_ARRIVAL_H */
