/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONFIDENCE_H
#define CONFIDENCE_H

#include "metric.h"

/**
 * struct confidence - where a percentile lies, with a probability of 95 %
 * @state: enum icb_bounds_state; values other than @value are of ICB_BOUNDS_KNOWN
 * @percent: the percentile
 * @value: of all samples, divided
 * @low: from here
 * @high: to here
 * @batches: what it is known by, or why it is not
 * @batch_size: samples of each of these
 * @correlation: of each of them with the one before it
 * @step: the percentile is at @step_low and below it, or at @step_high and above it:
 *	there are no samples between them
 * @step_low: greatest value below the gap
 * @step_high: least value above it
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
double confidence_percent(const struct confidence *confidence);
bool confidence_supports(const struct metric *metric, unsigned int percentile);

#endif /* CONFIDENCE_H */
