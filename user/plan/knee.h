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
 * @best: index of the point that has, or had at first, the greatest value of it
 * @peak: its peak, in its unit: the mean of @peaks points
 * @peaks: those that repeat that point; without these it, and those whose value cannot
 *	be told from its value
 * @repeated: it was repeated
 * @holds: the last value of the key with which it has enough of the peak
 * @found: whether there are values beyond that
 * @falls: the first of those
 * @at: where, between @holds and @falls, the metric has just enough of its peak
 */
struct knee {
	unsigned int first;
	const struct metric *metric;
	unsigned int best;
	double peak;
	unsigned int peaks;
	bool repeated;
	u64 holds;
	bool found;
	u64 falls;
	double at;
};

bool knee_find(struct knee *knee, const struct result *result,
	       unsigned int index);
bool knee_refine(struct plan *plan, const struct result *result,
		 unsigned int index);
bool knee_is_over(const struct result *result, unsigned int index);

#endif /* KNEE_H */
