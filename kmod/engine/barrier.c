// SPDX-License-Identifier: GPL-2.0
#include "barrier.h"

/* Lower a count, unless it is 0: after icb_barrier_abort() it stays 0. */
static void take_one(int *count)
{
	int was;

	do {
		was = READ_ONCE(*count);
	} while (was && cmpxchg(count, was, was - 1) != was);
}

/**
 * icb_barrier_init() - initialize a barrier
 * @barrier: the barrier
 * @runs: number of runs that are measured at the same time
 */
void icb_barrier_init(struct icb_barrier *barrier, int runs)
{
	barrier->cold = runs;
	barrier->left = runs;
}

/**
 * icb_barrier_add_warm() - report that a run has warmed up
 * @barrier: barrier of the run
 *
 * Each run calls this once. Any context.
 */
void icb_barrier_add_warm(struct icb_barrier *barrier)
{
	take_one(&barrier->cold);
}

/**
 * icb_barrier_add_measured() - report that a run has measured
 * @barrier: barrier of the run
 *
 * Each run calls this once. Any context.
 */
void icb_barrier_add_measured(struct icb_barrier *barrier)
{
	take_one(&barrier->left);
}

/**
 * icb_barrier_abort() - end all waits at a barrier
 * @barrier: the barrier
 *
 * Any context.
 */
void icb_barrier_abort(struct icb_barrier *barrier)
{
	WRITE_ONCE(barrier->cold, 0);
	WRITE_ONCE(barrier->left, 0);
}
