/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_ESTIMATE_H
#define COMPARE_ESTIMATE_H

#include <stdbool.h>

struct json_object;

/**
 * enum better - the direction in which a figure is better
 * @BETTER_NEITHER: the figure describes the run; it is compared only if --metric names it
 * @BETTER_LOWER: a time or a cost
 * @BETTER_HIGHER: a rate
 */
enum better {
	BETTER_NEITHER,
	BETTER_LOWER,
	BETTER_HIGHER,
};

/* Figures of a metric: a scalar has a value, a distribution has all others. */
enum statistic {
	STATISTIC_VALUE,
	STATISTIC_MIN,
	STATISTIC_MEAN,
	STATISTIC_P50,
	STATISTIC_P90,
	STATISTIC_P99,
	STATISTIC_P999,
	STATISTIC_P9999,
	STATISTICS,
};

/**
 * struct estimate - a figure of one document and its interval
 * @value: the figure, in the unit of its metric
 * @low: lower end of the 95 % confidence interval; with a clock that counts instructions,
 *	of the range in which the exact figure is
 * @high: upper end
 * @why_not: reason why there is no interval; NULL if there is one
 * @few: true if the count of samples does not support the figure
 */
struct estimate {
	double value;
	double low;
	double high;
	const char *why_not;
	bool few;
};

enum better estimate_better(const char *metric, const char *unit);
const char *estimate_suffix(enum statistic statistic);
bool estimate_of(struct estimate *estimate, struct json_object *metric,
		 enum statistic statistic, bool icount);

#endif /* COMPARE_ESTIMATE_H */
