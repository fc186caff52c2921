/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KNEE_H
#define KNEE_H

#include "result.h"

/* Share of its peak that a metric must keep, per cent. */
#define KNEE_PERCENT	95

/**
 * struct knee - the knee of a metric
 * @first: index of the first point of the curve
 * @metric: metric of the point with the greatest value; owned by the result
 * @best: index of the point with the greatest value; of its first run, if repeated
 * @peak: peak of the metric, in its unit: the mean of @peaks points
 * @peaks: number of repeats of @best; without repeats, number of points that cannot be
 *	distinguished from @best, which is one of them
 * @repeated: true if @best was repeated
 * @holds: greatest value of the key at which the metric keeps KNEE_PERCENT of its peak
 * @found: true if there are values of the key beyond @holds
 * @falls: least value of the key beyond @holds
 * @at: interpolated value of the key at which the metric has KNEE_PERCENT of its peak
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
bool knee_is_beyond(const struct result *result, unsigned int index);

#endif /* KNEE_H */
