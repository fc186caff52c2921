/* SPDX-License-Identifier: GPL-2.0 */
#ifndef INTERVAL_H
#define INTERVAL_H

#include "metric.h"

/**
 * enum interval_state - what the batches of a run say of a mean or a rate
 * @INTERVAL_NONE: nothing, there are too few
 * @INTERVAL_DEPENDENT: nothing, each still depends on the one before it
 * @INTERVAL_KNOWN: an interval
 */
enum interval_state {
	INTERVAL_NONE,
	INTERVAL_DEPENDENT,
	INTERVAL_KNOWN,
};

/**
 * struct interval - where a mean or a rate lies, with a probability of 95 %
 * @value: as it was measured, in the unit of its metric
 * @low: from here
 * @high: to here
 * @batches: by so many batches, after joining
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
double interval_percent(const struct interval *interval);

#endif /* INTERVAL_H */
