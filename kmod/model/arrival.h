/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When the operations of an open loop are due: a schedule that a seed decides
 * before anything is posted, and that nothing which happens later changes.
 */
#ifndef ICB_ARRIVAL_H
#define ICB_ARRIVAL_H

#include "engine.h"
#include "params.h"
#include "random.h"

/* Longest time between two operations, in mean ones: of 2^32, the rarest. */
#define ICB_ARRIVAL_MOST	23

/**
 * struct icb_arrival - where in its schedule a run is
 * @due: clock when the next operation is due
 * @part: and so many 65536ths of a tick later
 * @mean: time between two operations, in 65536ths of a tick
 * @kind: enum icbench_arrival
 * @random: its random numbers
 * @drawn: how many of these it has taken
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
