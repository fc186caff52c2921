/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reliability of percentiles. The samples of a run are divided into successive
 * batches, each with percentiles of its own. Their variation between batches shows the
 * effect of chance and of slow changes.
 */
#ifndef ICB_BATCH_H
#define ICB_BATCH_H

#include "bounds.h"
#include "model/hist.h"

/* Batches between checks of the bounds, in a run that ends when these are narrow. */
#define ICB_BATCHES_LOOK	8
/* Fewest samples of a run that ends when its bounds are narrow. */
#define ICB_BATCHES_LEAST_SAMPLES	65536
/* Least samples of such a run, as a multiple of the samples when its bounds became narrow. */
#define ICB_BATCHES_CONFIRM	2

/**
 * enum icb_batch_percentiles - the percentiles of a batch
 * @ICB_BATCH_P50: the median
 * @ICB_BATCH_P99: the 99th percentile
 * @ICB_BATCH_SOUGHT: another percentile, if the run measures until its bounds are narrow
 * @ICB_BATCH_PERCENTILES: number of percentiles
 */
enum icb_batch_percentiles {
	ICB_BATCH_P50,
	ICB_BATCH_P99,
	ICB_BATCH_SOUGHT,
	ICB_BATCH_PERCENTILES,
};

/**
 * struct icb_batches - the batches of a distribution
 * @size: number of samples of each batch
 * @end: number of all samples at which the present batch is complete
 * @count: number of complete batches
 * @percent: largest distance of the sought bounds from their percentile, per cent of it;
 *	0 if no bounds are sought
 * @narrow: true if the bounds of the whole run are within @percent; set by
 *	icb_batches_over()
 * @since: number of samples at the first of the consecutive checks that found the bounds
 *	narrow; 0 if the last check found them wide
 * @percentile: percentile that each row of @value is for, in 1/ICB_BOUNDS_WHOLE; 0 for
 *	an unused row
 * @value: percentiles of the complete batches
 * @taken: number of samples in the complete batches
 * @last: index of the highest bucket that contains some of these samples
 * @below: numbers as from icb_hist_below(), up to @last, when the present batch began
 */
struct icb_batches {
	u64 size;
	u64 end;
	u32 count;
	u32 percent;
	bool narrow;
	u64 since;
	u32 percentile[ICB_BATCH_PERCENTILES];
	u64 value[ICB_BATCH_PERCENTILES][ICB_BATCHES];
	u64 taken;
	unsigned int last;
	u64 below[ICB_HIST_BUCKETS];
};

void icb_batches_begin(struct icb_batches *batches, u64 samples, u32 percent,
		       u32 sought);
bool icb_batches_end(struct icb_batches *batches, const struct icb_hist *hist);
void icb_batches_over(struct icb_batches *batches, const struct icb_hist *hist);

#endif /* ICB_BATCH_H */
