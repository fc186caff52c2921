/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between which values a percentile lies, with a probability of 95 %: by the
 * histogram of all samples, and by the percentiles of the run's batches.
 */
#ifndef ICB_BOUNDS_H
#define ICB_BOUNDS_H

#include "model/hist.h"

/* Percentiles are in hundredths of a per cent. */
#define ICB_BOUNDS_WHOLE	10000

/* Most batches that a run has. */
#define ICB_BATCHES		64
/* Fewer say nothing. */
#define ICB_BATCHES_LEAST	8
/* A batch has this many samples to either side of its percentile, or says nothing. */
#define ICB_BATCH_ABOVE		3

/**
 * enum icb_bounds_state - what is known of a percentile
 * @ICB_BOUNDS_FEW: no bounds: there are too few batches, or samples
 * @ICB_BOUNDS_DEPENDENT: no bounds: each batch depends on the one before it, even
 *	where they are joined to as few as can be
 * @ICB_BOUNDS_BEYOND: no bounds: as little as the batches say, they reach beyond the
 *	least or the greatest sample
 * @ICB_BOUNDS_KNOWN: bounds
 */
enum icb_bounds_state {
	ICB_BOUNDS_FEW,
	ICB_BOUNDS_DEPENDENT,
	ICB_BOUNDS_BEYOND,
	ICB_BOUNDS_KNOWN,
};

/**
 * struct icb_bounds - between which values a percentile lies
 * @state: enum icb_bounds_state; of ICB_BOUNDS_FEW nothing else is there; of
 *	ICB_BOUNDS_DEPENDENT values are as if samples were independent
 * @batches: after joining
 * @joined: batches of the run that one of these is made of
 * @correlation: of the percentile of a batch with that of the one before it,
 *	thousandths
 * @low: least value
 * @high: greatest value
 * @step: between @low and @high there is a gap without samples that is half of that
 *	and more: the percentile is either below or above it; of any state
 * @step_low: greatest value below the gap
 * @step_high: least value above the gap
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
