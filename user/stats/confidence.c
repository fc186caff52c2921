// SPDX-License-Identifier: GPL-2.0
/*
 * Confidence intervals of percentiles, from the samples and the batches of a run. The
 * module computes the same bounds with the same code if it measures until they are
 * narrow.
 */
#include <math.h>

#include "confidence.h"

/* Samples that a percentile needs above it; with fewer it is a matter of chance. */
#define ABOVE	100

/* The percentile in 1/ICB_BOUNDS_WHOLE; 0 if there is none. */
static u32 percentile_of(const struct metric *metric, unsigned int percentile)
{
	switch (percentile) {
	case ICB_BATCH_P50:
		return 5000;
	case ICB_BATCH_P99:
		return 9900;
	default:
		return metric->batch_percentile;
	}
}

static void find(struct icb_bounds *bounds, const struct metric *metric,
		 unsigned int percentile)
{
	u64 below[ICB_HIST_BUCKETS];

	icb_hist_below(metric->hist, below);
	icb_bounds_find(bounds, metric->hist, below,
			percentile_of(metric, percentile),
			metric->batch[percentile], metric->batches,
			metric->batch_size);
}

/*
 * A dependence of the samples shows in the median first: the batches of a rare percentile
 * are too uncertain to show it.
 */
static void check_median(struct icb_bounds *bounds, const struct metric *metric)
{
	struct icb_bounds median;

	if (bounds->state != ICB_BOUNDS_KNOWN)
		return;
	find(&median, metric, ICB_BATCH_P50);
	if (median.state != ICB_BOUNDS_DEPENDENT)
		return;
	bounds->state = median.state;
	bounds->batches = median.batches;
	bounds->joined = median.joined;
	bounds->correlation = median.correlation;
}

/* The interval that confidence_merge() has set, if any. */
static bool find_span(struct confidence *confidence, const struct metric *metric,
		      unsigned int percentile)
{
	const u32 part = percentile_of(metric, percentile);

	if (!metric->hist || !part || !(metric->span_high[percentile] > 0))
		return false;
	memset(confidence, 0, sizeof(*confidence));
	confidence->state = ICB_BOUNDS_KNOWN;
	confidence->percent = part * 100.0 / ICB_BOUNDS_WHOLE;
	confidence->value = icb_hist_quantile(metric->hist, part,
					      ICB_BOUNDS_WHOLE) /
			    (double)metric->divisor;
	confidence->low = metric->span_low[percentile];
	confidence->high = metric->span_high[percentile];
	return true;
}

/**
 * confidence_find() - the confidence interval of a percentile
 * @confidence: takes the interval
 * @metric: a distribution
 * @percentile: enum icb_batch_percentiles
 *
 * A metric of concurrent runs has its interval from theirs, see confidence_merge().
 *
 * Return: false if there are too few batches or samples, or the samples alternate; else
 * true, also if @confidence->state means that there is no interval.
 */
bool confidence_find(struct confidence *confidence, const struct metric *metric,
		     unsigned int percentile)
{
	const u32 part = percentile_of(metric, percentile);
	const double divisor = metric->divisor;
	struct icb_bounds bounds;

	if (metric->span)
		return find_span(confidence, metric, percentile);
	if (!metric->hist || metric->alternates || !metric->batches || !part)
		return false;
	find(&bounds, metric, percentile);
	if (percentile != ICB_BATCH_P50)
		check_median(&bounds, metric);
	memset(confidence, 0, sizeof(*confidence));
	confidence->state = bounds.state;
	confidence->percent = part * 100.0 / ICB_BOUNDS_WHOLE;
	confidence->value = icb_hist_quantile(metric->hist, part,
					      ICB_BOUNDS_WHOLE) / divisor;
	confidence->low = bounds.low / divisor;
	confidence->high = bounds.high / divisor;
	confidence->batches = bounds.batches;
	confidence->batch_size = metric->batch_size * bounds.joined;
	confidence->correlation = bounds.correlation / 1000.0;
	confidence->step = bounds.step;
	confidence->step_low = bounds.step_low / divisor;
	confidence->step_high = bounds.step_high / divisor;
	return bounds.state != ICB_BOUNDS_FEW;
}

/* Enclose the intervals of all parts. False if one of them has none. */
static bool enclose(struct metric *all, const struct metrics *const *part,
		    unsigned int parts, unsigned int percentile)
{
	double low = INFINITY, high = 0;
	struct confidence confidence;
	const struct metric *metric;
	unsigned int i;

	for (i = 0; i < parts; i++) {
		metric = metrics_find(part[i], all->name);
		if (!metric || !confidence_find(&confidence, metric, percentile) ||
		    confidence.state != ICB_BOUNDS_KNOWN)
			return false;
		if (percentile == ICB_BATCH_SOUGHT &&
		    metric->batch_percentile != all->batch_percentile)
			return false;
		low = fmin(low, confidence.low);
		high = fmax(high, confidence.high);
	}
	all->span_low[percentile] = low;
	all->span_high[percentile] = high;
	return true;
}

/**
 * confidence_merge() - the intervals of the percentiles of several distributions together
 * @all: distribution of all samples of concurrent runs
 * @part: metrics of each run
 * @parts: number of runs
 *
 * The true percentile of all samples lies between the least and the greatest of the true
 * percentiles of the runs. Therefore the interval reaches from the least lower end to the
 * greatest upper end. It misses the true percentile only if the interval of one certain run
 * does on that side, the run with the least or the greatest true percentile. So it covers as
 * often as the interval of one run, whether or not the runs depend on each other. A
 * percentile has no interval if it has none in one of the runs.
 */
void confidence_merge(struct metric *all, const struct metrics *const *part,
		      unsigned int parts)
{
	const struct metric *first = parts ? metrics_find(part[0], all->name) : NULL;
	unsigned int p, known = 0;

	if (!first || !all->hist)
		return;
	all->batch_percentile = first->batch_percentile;
	for (p = 0; p < ICB_BATCH_PERCENTILES; p++)
		known += enclose(all, part, parts, p);
	if (known)
		all->span = parts;
}

/**
 * confidence_percent() - the relative half-width of an interval
 * @confidence: the interval
 *
 * Return: distance to the farther end of the interval, percent of the percentile.
 */
double confidence_percent(const struct confidence *confidence)
{
	double low = confidence->value - confidence->low;
	double high = confidence->high - confidence->value;

	return confidence->value > 0 ?
		100 * (low > high ? low : high) / confidence->value : 0;
}

/**
 * confidence_needs() - get the number of samples that a percentile needs
 * @percentile: enum stats_percentile
 *
 * Return: the number.
 */
u64 confidence_needs(unsigned int percentile)
{
	static const u32 above[STATS_PERCENTILES] = {
		[STATS_50] = 5000, [STATS_90] = 1000, [STATS_99] = 100,
		[STATS_999] = 10, [STATS_9999] = 1,
	};

	return ABOVE * 10000 / above[percentile];
}

/**
 * confidence_supports() - check whether there are enough samples for a percentile
 * @metric: a distribution
 * @percentile: enum stats_percentile
 *
 * Return: true if there are.
 */
bool confidence_supports(const struct metric *metric, unsigned int percentile)
{
	return metric->stats.count >= confidence_needs(percentile);
}
