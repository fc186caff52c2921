// SPDX-License-Identifier: GPL-2.0
#include "barrier.h"

/* Whoever gives up waiting sets it to 0, and there it stays. */
static void take_one(int *count)
{
	int was;

	do {
		was = READ_ONCE(*count);
	} while (was && cmpxchg(count, was, was - 1) != was);
}

/**
 * icb_barrier_init() - so many runs are to be measured at the same time
 * @barrier: they
 * @runs: how many
 */
void icb_barrier_init(struct icb_barrier *barrier, int runs)
{
	barrier->cold = runs;
	barrier->left = runs;
}

/**
 * icb_barrier_add_warm() - one of the runs has warmed up
 * @barrier: of these; each run says so once
 *
 * Any context.
 */
void icb_barrier_add_warm(struct icb_barrier *barrier)
{
	take_one(&barrier->cold);
}

/**
 * icb_barrier_add_measured() - one of the runs has measured
 * @barrier: of these; each run says so once
 *
 * Any context.
 */
void icb_barrier_add_measured(struct icb_barrier *barrier)
{
	take_one(&barrier->left);
}

/**
 * icb_barrier_abort() - nobody is to be waited for any more
 * @barrier: which
 *
 * Any context.
 */
void icb_barrier_abort(struct icb_barrier *barrier)
{
	WRITE_ONCE(barrier->cold, 0);
	WRITE_ONCE(barrier->left, 0);
}
