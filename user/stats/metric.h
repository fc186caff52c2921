/* SPDX-License-Identifier: GPL-2.0 */
#ifndef METRIC_H
#define METRIC_H

#include "engine/batch.h"
#include "engine/means.h"
#include "stats.h"
#include "tail.h"

/**
 * struct metric - one number, or distribution, of a result
 * @name: its name
 * @unit: enum icbench_unit
 * @kind: enum icbench_metric_kind
 * @divisor: what every value of @hist is to be divided by
 * @value: of a scalar or a disturbance
 * @hist: of a distribution, allocated; NULL for other kinds
 * @stats: of a distribution, divided
 * @sample: the first of its samples, not divided; allocated, or NULL
 * @kept: how many the module has
 * @samples: how many of them are here
 * @tail: what has disturbed them, of all and above percentiles
 * @tails: how many of these there are
 * @batch_size: samples of a batch
 * @batches: how many batches there are
 * @batch: their percentiles, not divided
 * @batch_percentile: the percentile of those that are neither of the median nor of the
 *	99th, in 1/ICB_BOUNDS_WHOLE; 0 where there are none
 * @sought: the run was to go on until its intervals were narrow
 * @narrow: they were
 * @alternates: its samples are too short and too long in turn: their mean is right,
 *	and their percentiles are not
 * @means: batches of its mean, or of the rate that it is
 * @over: of each of these, what is divided; of samples, not divided by @divisor
 * @under: of each of these, what it is divided by
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
};

/**
 * struct metrics - the metrics of one run
 * @metric: they, allocated
 * @count: how many
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
