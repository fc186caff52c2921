// SPDX-License-Identifier: GPL-2.0
/*
 * How far percentiles can be trusted, by the batches of a run. Distances are taken
 * from the percentile of all samples, so that an error that small batches have in
 * common makes the interval wider, too.
 */
#include <math.h>

#include "confidence.h"

/* A percentile has this many samples above it, or it is a matter of chance. */
#define ABOVE	100

static const enum stats_percentile whole[ICB_BATCH_PERCENTILES] = {
	[ICB_BATCH_P50] = STATS_50,
	[ICB_BATCH_P99] = STATS_99,
};

/**
 * confidence_find() - the interval of a percentile
 * @confidence: where to
 * @metric: a distribution
 * @percentile: enum icb_batch_percentiles
 *
 * Return: false where there are too few batches, or samples in them, and where the
 * samples alternate.
 */
bool confidence_find(struct confidence *confidence, const struct metric *metric,
		     unsigned int percentile)
{
	const u32 count = metric->batches;
	const u32 percent = icb_batch_percent[percentile];
	double d, half, sum = 0;
	unsigned int i;

	if (!metric->hist || metric->alternates ||
	    !icb_batches_tell(metric->batch_size, count, percent))
		return false;
	confidence->percent = percent;
	confidence->value = metric->stats.percentile[whole[percentile]];
	for (i = 0; i < count; i++) {
		d = (double)metric->batch[percentile][i] / metric->divisor -
		    confidence->value;
		sum += d * d;
	}
	half = icb_batches_t(count) / 1000.0 *
	       sqrt(sum / count / (count - 1));
	confidence->low = confidence->value - half;
	if (confidence->low < 0)
		confidence->low = 0;
	confidence->high = confidence->value + half;
	return true;
}

/**
 * confidence_percent() - how far an interval reaches
 * @confidence: the interval
 *
 * Return: to either side, per cent of the percentile.
 */
double confidence_percent(const struct confidence *confidence)
{
	return confidence->value > 0 ? 100 *
		(confidence->high - confidence->value) / confidence->value : 0;
}

/**
 * confidence_supports() - whether there are samples enough for a percentile
 * @metric: a distribution
 * @percentile: enum stats_percentile
 *
 * Return: true if so.
 */
bool confidence_supports(const struct metric *metric, unsigned int percentile)
{
	static const u32 above[STATS_PERCENTILES] = {
		[STATS_50] = 5000, [STATS_90] = 1000, [STATS_99] = 100,
		[STATS_999] = 10, [STATS_9999] = 1,
	};

	return metric->stats.count >= ABOVE * 10000 / above[percentile];
}
