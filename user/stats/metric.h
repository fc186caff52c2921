/* SPDX-License-Identifier: GPL-2.0 */
#ifndef METRIC_H
#define METRIC_H

#include "engine/batch.h"
#include "engine/means.h"
#include "stats.h"
#include "tail.h"

/**
 * struct metric - a number or a distribution of a result
 * @name: name of the metric
 * @unit: enum icbench_unit
 * @kind: enum icbench_metric_kind
 * @divisor: divisor of @value, and of every value of @hist
 * @value: value of a scalar or a disturbance, not divided
 * @hist: histogram of a distribution, allocated; NULL for other kinds
 * @stats: statistics of a distribution, divided
 * @sample: first samples of a distribution, not divided; allocated, or NULL
 * @kept: number of samples that the module has
 * @samples: number of samples in @sample
 * @tail: causes of disturbance, for all samples and for those above percentiles
 * @tails: number of entries in @tail
 * @batch_size: samples of a batch
 * @batches: number of batches in @batch
 * @batch: percentiles of the batches, not divided
 * @batch_percentile: percentile of ICB_BATCH_SOUGHT, in 1/ICB_BOUNDS_WHOLE; 0 for none
 * @sought: true if the run was to measure until its intervals are narrow
 * @narrow: true if the intervals became narrow
 * @alternates: true if the samples are alternately too short and too long: their mean is
 *	right, their percentiles are not
 * @means: number of batches for the mean, or for the rate
 * @over: numerator of each of these batches; a sum of samples is not divided by @divisor
 * @under: denominator of each of these batches
 * @reach: half of the width of the interval of the mean, or of the rate, where it follows
 *	from the intervals of concurrent runs; in the unit of the value
 * @reach_batches: least number of batches of the intervals of these runs; 0 if @reach is
 *	not known
 * @span: number of concurrent runs from whose intervals those of the percentiles follow;
 *	0 for a metric of one run
 * @span_low: lower ends of these intervals, divided
 * @span_high: upper ends of these intervals, divided; 0 where there is none
 */
struct metric {
	char name[64];
	u32 unit;
	u32 kind;
	u32 divisor;
	u64 value;
	struct icb_hist *hist;
	struct stats stats;
	u64 *sample;
	u64 kept;
	u64 samples;
	struct tail tail[TAIL_MAX];
	unsigned int tails;
	u64 batch_size;
	unsigned int batches;
	u64 batch[ICB_BATCH_PERCENTILES][ICB_BATCHES];
	u32 batch_percentile;
	bool sought;
	bool narrow;
	bool alternates;
	unsigned int means;
	u64 over[ICB_MEANS];
	u64 under[ICB_MEANS];
	double reach;
	unsigned int reach_batches;
	unsigned int span;
	double span_low[ICB_BATCH_PERCENTILES];
	double span_high[ICB_BATCH_PERCENTILES];
};

/**
 * struct metrics - the metrics of a run
 * @metric: array of metrics, allocated
 * @count: number of metrics
 */
struct metrics {
	struct metric *metric;
	unsigned int count;
};

const char *metric_unit(const struct metric *metric);
bool metrics_any(const struct metrics *metrics);
const struct metric *metrics_main(const struct metrics *metrics);
struct metric *metrics_find(const struct metrics *metrics, const char *name);
void metrics_free(struct metrics *metrics);

#endif /* METRIC_H */
