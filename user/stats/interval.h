/* SPDX-License-Identifier: GPL-2.0 */
#ifndef INTERVAL_H
#define INTERVAL_H

#include "metric.h"

/**
 * enum interval_state - whether the batches of a run give a confidence interval
 * @INTERVAL_NONE: no interval: too few batches
 * @INTERVAL_DEPENDENT: no interval: each batch depends on the one before it
 * @INTERVAL_FEW_DECIDE: no interval: a few long samples, or batches, decide the value
 * @INTERVAL_KNOWN: there is an interval
 */
enum interval_state {
	INTERVAL_NONE,
	INTERVAL_DEPENDENT,
	INTERVAL_FEW_DECIDE,
	INTERVAL_KNOWN,
};

/**
 * struct interval - the 95 % confidence interval of a mean or a rate
 * @value: the measured value, in the unit of its metric
 * @low: lower end of the interval
 * @high: upper end of the interval
 * @batches: number of batches, after joining
 */
struct interval {
	double value;
	double low;
	double high;
	unsigned int batches;
};

enum interval_state interval_find(struct interval *interval,
				  const struct metric *metric);
enum interval_state interval_of(struct interval *interval,
				const struct metrics *metrics,
				const char *name);
void interval_merge(struct metric *all, const struct metrics *const *part,
		    unsigned int parts);
double interval_percent(const struct interval *interval);

#endif /* INTERVAL_H */
