// SPDX-License-Identifier: GPL-2.0
/*
 * Where the start-up of a run ends: by MSER (White 1997), over the means of its batches.
 * What is cut off is the beginning without which the standard error of the mean of the
 * rest is least, if the beginning differs from the rest by more than chance. A run whose
 * rest is less than its half is in no steady state.
 */
#include <math.h>
#include <string.h>

#include "interval.h"
#include "startup.h"

/* Fewer batches, in half of which there may be a start-up, show none. */
#define LEAST		(2 * ICB_BATCHES_LEAST)
/* So few at the end look alike by chance. */
#define END		6
/* By how much more than chance, as the place of the cut is chosen. */
#define MORE		1.5

static double mean_from(const struct metric *metric, unsigned int from,
			unsigned int to)
{
	double over = 0, under = 0;
	unsigned int i;

	for (i = from; i < to; i++) {
		over += metric->over[i];
		under += metric->under[i];
	}
	return over / under / metric->divisor;
}

/* The square of the standard error, but for a factor that all of them have. */
static double error_from(const struct metric *metric, unsigned int from)
{
	const double mean = mean_from(metric, from, metric->means);
	double d, sum = 0;
	unsigned int i;

	for (i = from; i < metric->means; i++) {
		d = mean_from(metric, i, i + 1) - mean;
		sum += d * d;
	}
	return sum / ((double)(metric->means - from) * (metric->means - from));
}

static unsigned int best_cut(const struct metric *metric)
{
	double error, least = error_from(metric, 0);
	unsigned int cut = 0, from;

	for (from = 1; from + END <= metric->means; from++) {
		error = error_from(metric, from);
		if (error < least) {
			least = error;
			cut = from;
		}
	}
	return cut;
}

/* The run without its beginning, as far as its mean goes. */
static enum interval_state interval_from(struct interval *interval,
					 const struct metric *metric,
					 unsigned int from)
{
	struct metric rest = *metric;

	rest.means -= from;
	memmove(rest.over, rest.over + from, rest.means * sizeof(*rest.over));
	memmove(rest.under, rest.under + from,
		rest.means * sizeof(*rest.under));
	rest.stats.mean = mean_from(metric, from, metric->means);
	return interval_find(interval, &rest);
}

/* Whether the beginning differs from the rest by more than chance. */
static bool differs(const struct metric *metric, unsigned int cut,
		    const struct interval *rest)
{
	const double half = rest->high - rest->value;
	const double other = mean_from(metric, 0, cut) - rest->value;

	/* the beginning is shorter than the rest, and its mean less certain */
	return fabs(other) > MORE * half *
			     sqrt(1 + (double)(metric->means - cut) / cut);
}

/**
 * startup_find() - how an open loop has started up
 * @startup: where to
 * @metric: its latency
 */
void startup_find(struct startup *startup, const struct metric *metric)
{
	struct interval rest;
	unsigned int cut, i;
	bool half;

	memset(startup, 0, sizeof(*startup));
	if (!metric || !metric->hist || metric->means < LEAST)
		return;
	startup->known = true;
	/* more is not cut off; that may seem best by chance */
	cut = best_cut(metric);
	half = cut > metric->means / 2;
	if (half)
		cut = metric->means / 2;
	if (interval_from(&rest, metric, cut) != INTERVAL_KNOWN)
		return;
	startup->steady = true;
	if (!cut || !differs(metric, cut, &rest))
		return;
	if (half) {
		startup->steady = false;
		return;
	}
	for (i = 0; i < cut; i++)
		startup->cut += metric->under[i];
}
