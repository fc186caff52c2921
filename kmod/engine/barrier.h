/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The barrier of runs that are measured at the same time. A run that has warmed up
 * continues until all have warmed up. A run that has measured continues unmeasured until
 * all have measured. So each run is measured while all other runs are active.
 */
#ifndef ICB_BARRIER_H
#define ICB_BARRIER_H

#include "model/engine.h"

/**
 * struct icb_barrier - runs that are measured at the same time
 * @cold: number of runs that have not warmed up yet
 * @left: number of runs that have not measured yet
 *
 * icb_barrier_abort() sets both to 0 if one of the runs will not get there.
 */
struct icb_barrier {
	int cold;
	int left;
};

/**
 * icb_barrier_warm() - test if no run has to warm up any more
 * @barrier: the barrier
 *
 * Any context.
 *
 * Return: true if all runs have warmed up, or the barrier was aborted.
 */
static inline bool icb_barrier_warm(const struct icb_barrier *barrier)
{
	return !READ_ONCE(barrier->cold);
}

/**
 * icb_barrier_measured() - test if no run has to measure any more
 * @barrier: the barrier
 *
 * Any context.
 *
 * Return: true if all runs have measured, or the barrier was aborted.
 */
static inline bool icb_barrier_measured(const struct icb_barrier *barrier)
{
	return !READ_ONCE(barrier->left);
}

void icb_barrier_init(struct icb_barrier *barrier, int runs);
void icb_barrier_add_warm(struct icb_barrier *barrier);
void icb_barrier_add_measured(struct icb_barrier *barrier);
void icb_barrier_abort(struct icb_barrier *barrier);

#endif /* ICB_BARRIER_H */
