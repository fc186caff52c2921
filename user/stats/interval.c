// SPDX-License-Identifier: GPL-2.0
/*
 * Confidence intervals of means and rates, from the batches of a run (batch means, with
 * the estimator of a ratio). Dependent samples, such as those of a queue, make dependent
 * batches. These are joined until they are independent, and their remaining correlation
 * makes the interval wider. If too few batches remain, there is no interval. There is no
 * interval either if a few long samples decide the value: the next run may have half or
 * twice as many.
 */
#include <limits.h>
#include <math.h>

#include "interval.h"

/* Least number of batches for an interval; joining does not go below it. */
#define LEAST		ICB_BATCHES_LEAST
/*
 * Standard errors that the correlation of independent batches exceeds in 1 of 20 cases.
 */
#define CORRELATED	1.645

/*
 * Least number of samples that would have the variance of all samples if only these deviated,
 * equally. With fewer long samples, their number is a matter of chance.
 */
#define DECIDING	20
/*
 * Largest kurtosis of the batches. The kurtosis is 3 if batches are normal. If few batches
 * have a long sample, it is about the number of batches divided by the number of these: four
 * of 31 batches exceed the limit. It is at most 6.15 with 8 batches: then the limit is 6.
 */
#define KURTOSIS	7

/* Rates are per second, times of batches are in ns. */
#define SECOND_NS	1e9

/* Factor from the quotient of the batches' sums to the metric's value. */
static double scale_of(const struct metric *metric)
{
	return metric->hist ? 1.0 / metric->divisor : SECOND_NS;
}

static double value_of(const struct metric *metric)
{
	return metric->hist ? metric->stats.mean :
			      (double)metric->value / metric->divisor;
}

/* Correlation of each value with the one before it; 0 if all values are equal. */
static double correlation(const double *d, unsigned int count)
{
	double mean = 0, product = 0, square = 0;
	unsigned int i;

	for (i = 0; i < count; i++)
		mean += d[i] / count;
	for (i = 0; i < count; i++) {
		square += (d[i] - mean) * (d[i] - mean);
		if (i)
			product += (d[i] - mean) * (d[i - 1] - mean);
	}
	/*
	 * 1 / count corrects the bias: few independent values correlate slightly
	 * negatively
	 */
	return square > 0 ? product / square + 1.0 / count : 0;
}

/*
 * Joins pairs of batches. With an odd count the first batch, which may belong to the
 * start-up, is left out.
 */
static unsigned int join(double *d, double *under, unsigned int count)
{
	unsigned int first = count % 2, i;

	for (i = 0; i < count / 2; i++) {
		d[i] = d[2 * i + first] + d[2 * i + 1 + first];
		under[i] = under[2 * i + first] + under[2 * i + 1 + first];
	}
	return count / 2;
}

/*
 * Square of the sum of squares, divided by the sum of fourth powers: the number of samples
 * that would have the same variance if they deviated equally and no other sample did.
 */
static bool few_samples_decide(const struct icb_hist *hist)
{
	double mean, d, square = 0, fourth = 0;
	unsigned int i, last;

	if (!hist || !hist->count)
		return false;
	mean = hist->origin + (double)hist->sum / hist->count;
	last = icb_hist_index(hist->max);
	for (i = icb_hist_index(hist->min); i <= last; i++) {
		if (!hist->bucket[i])
			continue;
		d = icb_hist_clamp(hist, icb_hist_within(i, 1, 1)) - mean;
		square += hist->bucket[i] * d * d;
		fourth += hist->bucket[i] * d * d * d * d;
	}
	return square * square < DECIDING * fourth;
}

/* Check the kurtosis of batches. Long samples that follow each other are all in one batch. */
static bool few_batches_decide(const double *d, unsigned int count)
{
	const double most = fmin(KURTOSIS, count - 2);
	double square = 0, fourth = 0;
	unsigned int i;

	for (i = 0; i < count; i++) {
		square += d[i] * d[i];
		fourth += d[i] * d[i] * d[i] * d[i];
	}
	return square * square * most < fourth * count;
}

static void set(struct interval *interval, double value, double half,
		unsigned int batches)
{
	interval->value = value;
	interval->low = value > half ? value - half : 0;
	interval->high = value + half;
	interval->batches = batches;
}

/**
 * interval_find() - the confidence interval of a mean or a rate
 * @interval: takes the interval
 * @metric: a distribution, or a message rate
 *
 * Deviations are from the value of the whole run, so samples that the batches leave out
 * make the interval wider. A metric of concurrent runs has its interval from theirs, see
 * interval_merge().
 *
 * Return: enum interval_state; @interval is valid only if INTERVAL_KNOWN.
 */
enum interval_state interval_find(struct interval *interval,
				  const struct metric *metric)
{
	const double scale = scale_of(metric), value = value_of(metric);
	double d[ICB_MEANS], under[ICB_MEANS], sum = 0, time = 0, half, r;
	unsigned int count = metric->means, i;

	if (metric->reach_batches) {
		set(interval, value, metric->reach, metric->reach_batches);
		return INTERVAL_KNOWN;
	}
	if (count < LEAST)
		return INTERVAL_NONE;
	for (i = 0; i < count; i++) {
		under[i] = metric->under[i];
		d[i] = metric->over[i] - value / scale * under[i];
	}
	if (few_samples_decide(metric->hist) || few_batches_decide(d, count))
		return INTERVAL_FEW_DECIDE;
	while ((r = correlation(d, count)) > CORRELATED / sqrt(count)) {
		if (count / 2 < LEAST)
			return INTERVAL_DEPENDENT;
		count = join(d, under, count);
	}
	for (i = 0; i < count; i++) {
		sum += d[i] * d[i];
		time += under[i];
	}
	if (!(time > 0))
		return INTERVAL_NONE;
	half = icb_batches_t(count) / 1000.0 * sqrt(sum / count / (count - 1)) *
	       count / time * scale;
	/* more may be left than is seen, by a standard error: below 1 by LEAST */
	r = fmax(r, 0) + 1 / sqrt(count);
	half *= sqrt((1 + r) / (1 - r));
	set(interval, value, half, count);
	return INTERVAL_KNOWN;
}

/* True if @metric has an interval of its own, or one of concurrent runs. */
static bool is_batched(const struct metric *metric)
{
	return metric->means || metric->reach_batches;
}

/*
 * The two directions of a run in which both sides stream: false unless @rate is the sum of
 * their rates and has no batches of its own.
 */
static bool has_directions(const struct metrics *metrics,
			   const struct metric *rate,
			   const struct metric *direction[2])
{
	direction[0] = metrics_find(metrics, "own_message_rate");
	direction[1] = metrics_find(metrics, "peer_message_rate");
	return direction[0] && direction[1] && !is_batched(rate) &&
	       !strcmp(rate->name, "message_rate");
}

/*
 * The interval of a message rate. The two directions may depend on each other in any way,
 * so the half-widths of their intervals are added, as in interval_merge().
 */
static enum interval_state find_rate(struct interval *interval,
				     const struct metrics *metrics,
				     const struct metric *rate)
{
	unsigned int batches = UINT_MAX, i;
	const struct metric *direction[2];
	enum interval_state state;
	double half = 0;

	if (!has_directions(metrics, rate, direction))
		return interval_find(interval, rate);
	for (i = 0; i < 2; i++) {
		state = interval_find(interval, direction[i]);
		if (state != INTERVAL_KNOWN)
			return state;
		half += interval->high - interval->value;
		batches = min_t(unsigned int, batches, interval->batches);
	}
	set(interval, value_of(rate), half, batches);
	return INTERVAL_KNOWN;
}

/*
 * True if @name is a bandwidth without batches, and all messages have one size: then the
 * bandwidth is a multiple of the message rate.
 */
static bool is_multiple(const struct metrics *metrics, const char *name,
			const struct metric **rate)
{
	const struct metric *of = metrics_find(metrics, name), *direction[2];

	*rate = metrics_find(metrics, "message_rate");
	return *rate && of && of != *rate && !of->hist && !is_batched(of) &&
	       !strcmp(name, "bandwidth") && (*rate)->value &&
	       ((*rate)->means || has_directions(metrics, *rate, direction)) &&
	       !metrics_find(metrics, "size_mean");
}

/**
 * interval_of() - the confidence interval of a metric, by the metric's name
 * @interval: takes the interval
 * @metrics: metrics of the run
 * @name: name of a distribution, whose mean is meant, a message rate or a bandwidth
 *
 * Return: as interval_find(); INTERVAL_NONE if there is no such metric.
 */
enum interval_state interval_of(struct interval *interval,
				const struct metrics *metrics,
				const char *name)
{
	const struct metric *metric = metrics_find(metrics, name), *rate;
	enum interval_state state;
	double times;

	if (!metric)
		return INTERVAL_NONE;
	if (!is_multiple(metrics, name, &rate))
		return find_rate(interval, metrics, metric);
	state = find_rate(interval, metrics, rate);
	if (state != INTERVAL_KNOWN)
		return state;
	times = value_of(metric) / interval->value;
	interval->value *= times;
	interval->low *= times;
	interval->high *= times;
	return state;
}

/**
 * interval_merge() - the interval of a sum of rates, or of a mean of means
 * @all: the sum of the rates of concurrent runs, or the distribution of all their samples
 * @part: metrics of each run
 * @parts: number of runs
 *
 * Concurrent runs share the device and the CPUs, so their deviations may depend on each
 * other in any way. The interval has half the width that it has if all deviations are in
 * the same direction: the sum of that of each run, by its part in the mean. So it covers
 * at least as often as that of a run. There is none if a run that measured has none.
 */
void interval_merge(struct metric *all, const struct metrics *const *part,
		    unsigned int parts)
{
	unsigned int batches = UINT_MAX, i;
	const struct metric *metric;
	struct interval interval;
	double reach = 0, share;

	for (i = 0; i < parts; i++) {
		metric = metrics_find(part[i], all->name);
		if (!metric)
			return;
		if (interval_of(&interval, part[i], all->name) != INTERVAL_KNOWN)
			return;
		share = !all->hist ? 1 :
			(double)metric->stats.count / all->stats.count;
		reach += share * (interval.high - interval.value);
		batches = min_t(unsigned int, batches, interval.batches);
	}
	all->reach = reach;
	all->reach_batches = parts ? batches : 0;
}

/**
 * interval_percent() - the relative half-width of an interval
 * @interval: the interval
 *
 * Return: distance from the value to the upper end, percent of the value.
 */
double interval_percent(const struct interval *interval)
{
	return interval->value > 0 ?
		100 * (interval->high - interval->value) / interval->value : 0;
}
