/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STATS_H
#define STATS_H

#include "model/hist.h"

/**
 * enum stats_percentile - the percentiles in results
 */
enum stats_percentile {
	STATS_50,
	STATS_90,
	STATS_99,
	STATS_999,
	STATS_9999,
	STATS_PERCENTILES,
};

/**
 * struct stats - statistics of a distribution
 * @count: number of values
 * @min: least value
 * @mean: arithmetic mean
 * @stddev: standard deviation of these values, with n and not n - 1 as its divisor
 * @max: greatest value
 * @percentile: percentiles by nearest rank, to within 1/128
 */
struct stats {
	u64 count;
	double min;
	double mean;
	double stddev;
	double max;
	double percentile[STATS_PERCENTILES];
};

extern const char *const stats_percentile_name[STATS_PERCENTILES];

int stats_of(struct stats *stats, const struct icb_hist *hist, u32 divisor);

#endif /* STATS_H */
