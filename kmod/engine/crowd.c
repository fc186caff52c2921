// SPDX-License-Identifier: GPL-2.0
#include "crowd.h"

/* Whoever gives up waiting sets it to 0, and there it stays. */
static void take_one(int *count)
{
	int was;

	do {
		was = READ_ONCE(*count);
	} while (was && cmpxchg(count, was, was - 1) != was);
}

/**
 * icb_crowd_begin() - so many runs are to be measured at the same time
 * @crowd: they
 * @runs: how many
 */
void icb_crowd_begin(struct icb_crowd *crowd, int runs)
{
	crowd->cold = runs;
	crowd->left = runs;
}

/**
 * icb_crowd_warmed() - one of the runs has warmed up
 * @crowd: of these; each run says so once
 *
 * Any context.
 */
void icb_crowd_warmed(struct icb_crowd *crowd)
{
	take_one(&crowd->cold);
}

/**
 * icb_crowd_measured() - one of the runs has measured
 * @crowd: of these; each run says so once
 *
 * Any context.
 */
void icb_crowd_measured(struct icb_crowd *crowd)
{
	take_one(&crowd->left);
}

/**
 * icb_crowd_end() - nobody is to be waited for any more
 * @crowd: which
 *
 * Any context.
 */
void icb_crowd_end(struct icb_crowd *crowd)
{
	WRITE_ONCE(crowd->cold, 0);
	WRITE_ONCE(crowd->left, 0);
}
