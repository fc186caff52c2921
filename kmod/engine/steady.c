// SPDX-License-Identifier: GPL-2.0
#include "steady.h"

/**
 * icb_steady_begin() - initialize the ends of windows
 * @steady: the ends
 * @window: number of operations of a window; 0 to record nothing
 */
void icb_steady_begin(struct icb_steady *steady, u64 window)
{
	memset(steady, 0, sizeof(*steady));
	steady->window = window;
	steady->next = window ? : U64_MAX;
}

/**
 * icb_steady_add() - record the end of a window, if one is due
 * @steady: the ends
 * @done: number of measured operations that have completed
 * @now: clock when the last of these completed; more operations are still to be posted
 *
 * Any context that owns @steady. No division.
 */
void icb_steady_add(struct icb_steady *steady, u64 done, u64 now)
{
	unsigned int i;

	if (done < steady->next)
		return;
	steady->next = done + steady->window;
	if (++steady->count == ICB_STEADY_LEADING) {
		steady->first_done = done;
		steady->first = now;
	}
	for (i = ICB_STEADY_TRAILING; i; i--) {
		steady->done[i] = steady->done[i - 1];
		steady->at[i] = steady->at[i - 1];
	}
	steady->done[0] = done;
	steady->at[0] = now;
}

/**
 * icb_steady_get() - get the steady part of a stream
 * @steady: the ends of its windows
 * @trailing: windows to leave out at the end, at most ICB_STEADY_TRAILING
 * @part: the part; empty if there are too few windows
 */
void icb_steady_get(const struct icb_steady *steady, unsigned int trailing,
		    struct icb_steady_part *part)
{
	memset(part, 0, sizeof(*part));
	if (steady->count < ICB_STEADY_LEADING + trailing + 1)
		return;
	part->before = steady->first_done;
	part->done = steady->done[trailing] - steady->first_done;
	part->ticks = steady->at[trailing] - steady->first;
}
