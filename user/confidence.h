/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONFIDENCE_H
#define CONFIDENCE_H

#include "metric.h"

/**
 * struct confidence - where a percentile lies, with a probability of 95 %
 * @percent: the percentile
 * @value: of all samples, divided
 * @low: from here
 * @high: to here
 */
struct confidence {
	u32 percent;
	double value;
	double low;
	double high;
};

bool confidence_find(struct confidence *confidence, const struct metric *metric,
		     unsigned int percentile);
double confidence_percent(const struct confidence *confidence);
bool confidence_supports(const struct metric *metric, unsigned int percentile);

#endif /* CONFIDENCE_H */
