/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far a percentile can be trusted: the samples of a run in batches, one after
 * the other, and the percentiles of each. They differ as much as chance, and what
 * changes slowly, has them differ.
 */
#ifndef ICB_BATCH_H
#define ICB_BATCH_H

#include "bounds.h"
#include "model/hist.h"

/* A run that measures until its bounds are narrow looks at them after so many batches. */
#define ICB_BATCHES_LOOK	8

/**
 * enum icb_batch_percentiles - the percentiles of a batch
 * @ICB_BATCH_P50: the median
 * @ICB_BATCH_P99: the 99th
 * @ICB_BATCH_SOUGHT: another one, where a run is to measure until that one is known
 * @ICB_BATCH_PERCENTILES: how many there are
 */
enum icb_batch_percentiles {
	ICB_BATCH_P50,
	ICB_BATCH_P99,
	ICB_BATCH_SOUGHT,
	ICB_BATCH_PERCENTILES,
};

/**
 * struct icb_batches - the batches of a distribution
 * @size: samples of each
 * @end: count of samples at which the present one is complete
 * @count: complete ones
 * @percent: how far bounds may reach to either side, per cent of their percentile; 0
 *	where nothing is sought
 * @narrow: they reached no further when they were looked at last
 * @percentile: of each value, in 1/ICB_BOUNDS_WHOLE; 0 of one that there is not
 * @value: percentiles of the complete ones
 * @taken: samples of the complete ones
 * @last: the last bucket of these
 * @below: of icb_hist_below(), up to @last, when the present one began
 */
struct icb_batches {
	u64 size;
	u64 end;
	u32 count;
	u32 percent;
	bool narrow;
	u32 percentile[ICB_BATCH_PERCENTILES];
	u64 value[ICB_BATCH_PERCENTILES][ICB_BATCHES];
	u64 taken;
	unsigned int last;
	u64 below[ICB_HIST_BUCKETS];
};

void icb_batches_begin(struct icb_batches *batches, u64 samples, u32 percent,
		       u32 sought);
bool icb_batches_end(struct icb_batches *batches, const struct icb_hist *hist);

#endif /* ICB_BATCH_H */
