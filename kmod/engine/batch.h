/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far a percentile can be trusted: the samples of a run in batches, one after
 * the other, and the percentiles of each. They differ as much as chance, and what
 * changes slowly, has them differ.
 */
#ifndef ICB_BATCH_H
#define ICB_BATCH_H

#include "hist.h"

/* Most that there are; then each two become one, of twice the size. */
#define ICB_BATCHES		64
/* Fewer say nothing. */
#define ICB_BATCHES_LEAST	8
/* Samples of one have this many above its percentile, or it is not told. */
#define ICB_BATCH_ABOVE		3

/**
 * enum icb_batch_percentiles - the percentiles of a batch
 * @ICB_BATCH_P50: the median
 * @ICB_BATCH_P99: the 99th
 * @ICB_BATCH_PERCENTILES: how many there are
 */
enum icb_batch_percentiles {
	ICB_BATCH_P50,
	ICB_BATCH_P99,
	ICB_BATCH_PERCENTILES,
};

/**
 * struct icb_batches - the batches of a distribution
 * @size: samples of each
 * @end: count of samples at which the present one is complete
 * @count: complete ones
 * @percent: interval that is to be reached, as a part of its percentile; 0 for
 *	none
 * @narrow: both were, when the last one was complete
 * @value: percentiles of the complete ones
 * @before: the histogram when the present one began
 */
struct icb_batches {
	u64 size;
	u64 end;
	u32 count;
	u32 percent;
	bool narrow;
	u64 value[ICB_BATCH_PERCENTILES][ICB_BATCHES];
	u64 before[ICB_HIST_BUCKETS];
};

extern const u32 icb_batch_percent[ICB_BATCH_PERCENTILES];

void icb_batches_begin(struct icb_batches *batches, u64 samples, u32 percent);
bool icb_batches_end(struct icb_batches *batches, const struct icb_hist *hist);
bool icb_batches_tell(u64 size, u32 count, u32 percentile);
u32 icb_batches_t(u32 count);

#endif /* ICB_BATCH_H */
