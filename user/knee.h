/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KNEE_H
#define KNEE_H

#include "result.h"

/* What a metric has to keep of its peak. */
#define KNEE_PERCENT	95

/**
 * struct knee - where a metric falls
 * @first: index of the first of the points that were looked at
 * @metric: the metric, of one of them; owned by the result
 * @peak: the greatest value that it has, in its unit
 * @holds: the last value of the key with which it has enough of the peak
 * @found: whether there are values beyond that
 * @falls: the first of those
 */
struct knee {
	unsigned int first;
	const struct metric *metric;
	double peak;
	u64 holds;
	bool found;
	u64 falls;
};

bool knee_find(struct knee *knee, const struct result *result,
	       unsigned int index);

#endif /* KNEE_H */
