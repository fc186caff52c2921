/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a thread does between posting and waiting where it is to compute: it
 * keeps its CPU busy, without touching memory, for a time of its own.
 */
#ifndef ICB_COMPUTE_H
#define ICB_COMPUTE_H

#include "model/engine.h"

struct icb_run;

/**
 * struct icb_compute - how a side computes
 * @on: it does
 * @share: per mille of its time; where this is 0, for @time
 * @time: ticks at a time
 * @most: ticks that it may take at a time, whatever the share
 * @gap: what takes longer than this between two clock reads is not computing:
 *	somebody else had the CPU
 * @ended: clock when it last ended, or the phase began
 * @waited: ticks between computing, in this phase
 * @spent: ticks computed in it
 * @booked: ticks computed in it until the last completion that was taken
 */
struct icb_compute {
	bool on;
	u32 share;
	u64 time;
	u64 most;
	u64 gap;
	u64 ended;
	u64 waited;
	u64 spent;
	u64 booked;
};

void icb_compute_prepare(struct icb_run *run);
void icb_compute_begin(struct icb_compute *compute, u64 now);
void icb_compute(struct icb_run *run);

#endif /* ICB_COMPUTE_H */
