/* SPDX-License-Identifier: GPL-2.0 */
/* A warm-up that lasts until its samples are steady. */
#ifndef ICB_WARMUP_H
#define ICB_WARMUP_H

#include "model/engine.h"

/* Number of samples per median, and number of medians that are compared. */
#define ICB_WARMUP_WINDOW	128
#define ICB_WARMUP_WINDOWS	4

/* Fewest operations of a warm-up that is checked for steady samples. */
#define ICB_WARMUP_LEAST	(ICB_WARMUP_WINDOW * ICB_WARMUP_WINDOWS)

/**
 * struct icb_warmup - the samples of a warm-up
 * @on: true if the warm-up lasts until its samples are steady; false if its parameter
 *	gives its length
 * @steady: true if the last medians do not differ by more than they vary
 * @made: number of operations so far
 * @most: largest number of operations
 * @since: clock at the end of the first operation
 * @until: longest time from @since on, clock ticks
 * @count: number of samples in the present window
 * @windows: number of complete windows
 * @sample: samples of the present window, clock ticks
 * @median: medians of the last windows, clock ticks; the index is the number of the
 *	window modulo ICB_WARMUP_WINDOWS
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
 * icb_warmup_over() - test if a warm-up has lasted long enough
 * @warmup: a warm-up that has had its least number of operations
 * @now: clock
 *
 * Return: true if the samples are steady, or a limit of operations or time is reached.
 */
static inline bool icb_warmup_over(const struct icb_warmup *warmup, u64 now)
{
	return warmup->steady || warmup->made >= warmup->most ||
	       now - warmup->since >= warmup->until;
}

void icb_warmup_begin(struct icb_warmup *warmup, u64 least, u64 ticks);
void icb_warmup_add(struct icb_warmup *warmup, u64 ticks, u64 end);

#endif /* ICB_WARMUP_H */
