// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the end of the start-up of a run by MSER (White 1997), over the means of its
 * batches. The cut is where the standard error of the mean of the remaining batches is
 * least. Nothing is cut if the beginning differs from the rest by no more than chance. A
 * run whose start-up takes more than half of it is not in a steady state.
 */
#include <math.h>
#include <string.h>

#include "interval.h"
#include "startup.h"

/* Least number of batches; a start-up is sought in their first half. */
#define LEAST		(2 * ICB_BATCHES_LEAST)
/* Batches at the end that are never cut: so few may be alike by chance. */
#define END		6
/* Factor above chance, because the cut is chosen as the best of many. */
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

/* Squared standard error of the mean, but for a factor common to all @from. */
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

/* Confidence interval of the mean of the run without its beginning. */
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

/* True if the beginning differs from the rest by more than chance. */
static bool differs(const struct metric *metric, unsigned int cut,
		    const struct interval *rest)
{
	const double half = rest->high - rest->value;
	const double other = mean_from(metric, 0, cut) - rest->value;

	/* the beginning is shorter than the rest, so its mean is less certain */
	return fabs(other) > MORE * half *
			     sqrt(1 + (double)(metric->means - cut) / cut);
}

/**
 * startup_find() - find the start-up of an open loop
 * @startup: takes the start-up
 * @metric: latency of the open loop; may be NULL
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
	/* cuts at most half of the run: a later cut may be the best by chance */
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
