/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bounds between which a percentile lies with a probability of 95 %. They follow from
 * the histogram of all samples, and from the percentiles of the run's batches.
 */
#ifndef ICB_BOUNDS_H
#define ICB_BOUNDS_H

#include "model/hist.h"

/* Percentiles are in hundredths of a per cent. */
#define ICB_BOUNDS_WHOLE	10000

/* Largest number of batches of a run. */
#define ICB_BATCHES		64
/* Smallest number of batches that gives bounds. */
#define ICB_BATCHES_LEAST	8
/* Fewest samples that a batch needs on either side of its percentile. */
#define ICB_BATCH_ABOVE		3

/**
 * enum icb_bounds_state - whether a percentile has bounds
 * @ICB_BOUNDS_FEW: no bounds: there are too few batches, or samples
 * @ICB_BOUNDS_DEPENDENT: no bounds: successive batches are correlated, and joining them
 *	does not help
 * @ICB_BOUNDS_BEYOND: no bounds: they would lie beyond the least or the greatest sample
 * @ICB_BOUNDS_KNOWN: bounds are known
 */
enum icb_bounds_state {
	ICB_BOUNDS_FEW,
	ICB_BOUNDS_DEPENDENT,
	ICB_BOUNDS_BEYOND,
	ICB_BOUNDS_KNOWN,
};

/**
 * struct icb_bounds - the bounds of a percentile
 * @state: enum icb_bounds_state; with ICB_BOUNDS_FEW no other member is valid; with
 *	ICB_BOUNDS_DEPENDENT, @low and @high hold for independent samples
 * @batches: number of batches after joining
 * @joined: number of batches of the run per batch after joining
 * @correlation: correlation of a batch's percentile with that of the batch before it,
 *	thousandths
 * @low: lower bound, ns
 * @high: upper bound, ns
 * @step: true if a gap without samples takes at least half of the range from @low to
 *	@high, so that the percentile is either below or above the gap; in any state
 * @step_low: greatest value below the gap, ns
 * @step_high: least value above the gap, ns
 */
struct icb_bounds {
	u32 state;
	u32 batches;
	u32 joined;
	s32 correlation;
	u64 low;
	u64 high;
	bool step;
	u64 step_low;
	u64 step_high;
};

u32 icb_batches_t(u32 count);
bool icb_bounds_supported(u64 size, u32 count, u32 percentile);
void icb_bounds_find(struct icb_bounds *bounds, const struct icb_hist *hist,
		     const u64 *below, u32 percentile, const u64 *value,
		     u32 count, u64 size);

#endif /* ICB_BOUNDS_H */
