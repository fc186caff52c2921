/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONFIDENCE_H
#define CONFIDENCE_H

#include "metric.h"

/**
 * struct confidence - the 95 % confidence interval of a percentile
 * @state: enum icb_bounds_state; @low and @high are an interval if ICB_BOUNDS_KNOWN
 * @percent: the percentile, percent
 * @value: the percentile of all samples, divided by the metric's divisor
 * @low: lower end of the interval, divided
 * @high: upper end of the interval, divided
 * @batches: number of batches, after joining
 * @batch_size: samples of each batch, after joining
 * @correlation: correlation of each batch with the one before it
 * @step: true if there is a gap without samples in the interval: the percentile is either
 *	@step_low or less, or @step_high or more
 * @step_low: greatest value below the gap, divided
 * @step_high: least value above the gap, divided
 */
struct confidence {
	u32 state;
	double percent;
	double value;
	double low;
	double high;
	unsigned int batches;
	u64 batch_size;
	double correlation;
	bool step;
	double step_low;
	double step_high;
};

bool confidence_find(struct confidence *confidence, const struct metric *metric,
		     unsigned int percentile);
void confidence_merge(struct metric *all, const struct metrics *const *part,
		      unsigned int parts);
double confidence_percent(const struct confidence *confidence);
u64 confidence_needs(unsigned int percentile);
bool confidence_supports(const struct metric *metric, unsigned int percentile);

#endif /* CONFIDENCE_H */
