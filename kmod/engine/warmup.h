/* SPDX-License-Identifier: GPL-2.0 */
/* How long a run warms up: until its samples are steady. */
#ifndef ICB_WARMUP_H
#define ICB_WARMUP_H

#include "model/engine.h"

/* Samples whose median is taken, and medians that are compared. */
#define ICB_WARMUP_WINDOW	128
#define ICB_WARMUP_WINDOWS	4

/* A warm-up of fewer operations than that is not looked at. */
#define ICB_WARMUP_LEAST	(ICB_WARMUP_WINDOW * ICB_WARMUP_WINDOWS)

/**
 * struct icb_warmup - the samples of a warm-up
 * @on: it lasts until they are steady; else as many operations as were asked for
 * @steady: the last medians do not differ by more than they vary
 * @made: operations so far
 * @most: operations that it lasts at most
 * @since: clock at the end of the first operation
 * @until: clock ticks that it lasts at most, from then on
 * @count: samples of the present window
 * @windows: windows that are complete
 * @sample: the samples of the present window
 * @median: those of the last windows, the window's number modulo their count
 */
struct icb_warmup {
	bool on;
	bool steady;
	u64 made;
	u64 most;
	u64 since;
	u64 until;
	u32 count;
	u32 windows;
	u64 sample[ICB_WARMUP_WINDOW];
	u64 median[ICB_WARMUP_WINDOWS];
};

/**
 * icb_warmup_over() - whether a warm-up has lasted long enough
 * @warmup: which has had as many operations as were asked for
 * @now: clock
 *
 * Return: true if its samples are steady, or it has lasted as long as it may.
 */
static inline bool icb_warmup_over(const struct icb_warmup *warmup, u64 now)
{
	return warmup->steady || warmup->made >= warmup->most ||
	       now - warmup->since >= warmup->until;
}

void icb_warmup_begin(struct icb_warmup *warmup, u64 least, u64 ticks);
void icb_warmup_add(struct icb_warmup *warmup, u64 ticks, u64 end);

#endif /* ICB_WARMUP_H */
