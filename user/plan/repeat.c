// SPDX-License-Identifier: GPL-2.0
/*
 * Points of several runs. The runs of a point are kept, because their differences give
 * the interval of a figure; the point itself has the combined result of its runs.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "repeat.h"
#include "stats/merge.h"

/**
 * repeat_differ() - check whether a parameter differs between the runs of a point
 * @point: the point, with at least one run
 * @param: the parameter
 *
 * Return: true if so.
 */
bool repeat_differ(const struct point *point, const struct icb_param *param)
{
	const struct icb_params *first = &point->run[0].job.params, *other;
	u32 i;

	for (i = 1; i < point->runs; i++) {
		other = &point->run[i].job.params;
		if (icb_params_has(first, param->attr) !=
		    icb_params_has(other, param->attr) ||
		    memcmp((const char *)first + param->offset,
			   (const char *)other + param->offset, param->bytes))
			return true;
	}
	return false;
}

/* Keep the parameters that all runs share; the first run cut short gives the outcome. */
static void pool_jobs(struct point *point)
{
	struct nl_job *job = &point->job;
	const struct nl_job *other;
	unsigned int i;

	*job = point->run[0].job;
	for (i = 1; i < point->runs; i++) {
		other = &point->run[i].job;
		job->has &= other->has;
		job->done += other->done;
		job->total += other->total;
		job->elapsed += other->elapsed;
		job->ended = other->ended;
		if (job->outcome != ICBENCH_OUTCOME_COMPLETE)
			continue;
		job->outcome = other->outcome;
		job->err = other->err;
		memcpy(job->reason, other->reason, sizeof(job->reason));
	}
	/* the clock error is that of one run */
	job->clock.has &= ~BIT_ULL(ICBENCH_A_CLOCK_ERROR_PPM);
	for (i = 0; i < icb_param_count; i++)
		if (repeat_differ(point, &icb_param_table[i]))
			job->params.set &= ~BIT_ULL(icb_param_table[i].attr);
}

static void pool(struct point *point)
{
	const struct metrics **part = alloc_zero(point->runs, sizeof(*part));
	u32 i;

	pool_jobs(point);
	for (i = 0; i < point->runs; i++)
		part[i] = &point->run[i].metrics;
	metrics_free(&point->metrics);
	merge_repeats(&point->metrics, part, point->runs);
	point->load = point->run[0].load;
	for (i = 0; i < point->runs; i++)
		part[i] = &point->run[i].load_metrics;
	metrics_free(&point->load_metrics);
	merge_repeats(&point->load_metrics, part, point->runs);
	free(part);
}

/**
 * repeat_add() - add a run to its point
 * @point: the point, empty before its first run
 * @run: the run, with at least one metric; @point owns its metrics from now on
 *
 * Afterwards @point has the combined result of all of its runs.
 */
void repeat_add(struct point *point, const struct point *run)
{
	point->run = alloc_grow(point->run, point->runs, sizeof(*point->run));
	point->run[point->runs++] = *run;
	pool(point);
}

/**
 * repeat_mean() - get the mean of a distribution, or the value of a number
 * @figure: destination
 * @metric: the metric
 *
 * Return: false for an empty distribution.
 */
bool repeat_mean(struct figure *figure, const struct metric *metric)
{
	figure->error = 0;
	if (metric->hist)
		figure->value = metric->stats.mean;
	else
		figure->value = (double)metric->value / metric->divisor;
	return !metric->hist || metric->stats.count;
}

/* The error is the distance to the farther end of the percentile's bucket. */
static bool percentile(struct figure *figure, const struct metric *metric,
		       enum stats_percentile which)
{
	unsigned int bucket;
	u64 value, low, high;

	if (!metric->hist || !metric->stats.count)
		return false;
	figure->value = metric->stats.percentile[which];
	value = (u64)(figure->value * metric->divisor + 0.5);
	bucket = icb_hist_index(min_t(u64, ICB_HIST_LIMIT, value));
	low = max_t(u64, icb_hist_low(bucket), metric->hist->min);
	high = min_t(u64, icb_hist_high(bucket), metric->hist->max);
	figure->error = high > low ?
		(double)max_t(u64, value - low, high - value) /
		metric->divisor : 0;
	return true;
}

/**
 * repeat_p50() - get the median of a distribution
 * @figure: destination
 * @metric: the metric
 *
 * Return: false if @metric is no distribution, or an empty one.
 */
bool repeat_p50(struct figure *figure, const struct metric *metric)
{
	return percentile(figure, metric, STATS_50);
}

/**
 * repeat_p99() - get the 99th percentile of a distribution
 * @figure: destination
 * @metric: the metric
 *
 * Return: false if @metric is no distribution, or an empty one.
 */
bool repeat_p99(struct figure *figure, const struct metric *metric)
{
	return percentile(figure, metric, STATS_99);
}

/**
 * repeat_trimmed() - get the trimmed mean of a distribution
 * @figure: destination
 * @metric: the metric
 *
 * Return: false if @metric is no distribution, or an empty one.
 */
bool repeat_trimmed(struct figure *figure, const struct metric *metric)
{
	return metric->hist &&
	       trimmed_mean(figure, metric->hist, metric->divisor);
}

/**
 * repeat_sample() - collect a figure of each run of a point that was not cut short
 * @sample: destination
 * @point: the point; a point that is not repeated gives an empty sample
 * @name: name of the metric of the figure
 * @figure: function that computes the figure
 */
void repeat_sample(struct sample *sample, const struct point *point,
		   const char *name, repeat_figure figure)
{
	const struct metric *metric;
	struct figure value;
	u32 i;

	memset(sample, 0, sizeof(*sample));
	for (i = 0; i < point->runs; i++) {
		metric = metrics_find(&point->run[i].metrics, name);
		if (point->run[i].job.outcome == ICBENCH_OUTCOME_COMPLETE &&
		    metric && figure(&value, metric))
			sample_add(sample, &value);
	}
}

/**
 * repeat_range() - compute the interval of a figure from the runs of a point
 * @range: destination
 * @point: the point
 * @name: name of the metric of the figure
 * @figure: function that computes the figure
 *
 * Return: false if fewer than two runs have the figure.
 */
bool repeat_range(struct range *range, const struct point *point,
		  const char *name, repeat_figure figure)
{
	struct sample sample;

	repeat_sample(&sample, point, name, figure);
	return range_of_mean(range, &sample);
}

/* Interval of the difference between two points; false unless both have several runs. */
static bool find_difference(struct range *range, const struct point *point,
			    const struct point *baseline, const char *name,
			    repeat_figure figure)
{
	struct sample mine, other;

	repeat_sample(&mine, point, name, figure);
	repeat_sample(&other, baseline, name, figure);
	return range_of_difference(range, &mine, &other);
}

/**
 * repeat_compare() - compute the overhead of a point over its baseline
 * @result: the result
 * @index: index of the point
 */
void repeat_compare(struct result *result, unsigned int index)
{
	int baseline = result->plan->point[index].baseline;
	struct point *point = &result->point[index], *base;
	const struct metric *mine, *other;

	if (baseline < 0)
		return;
	base = &result->point[baseline];
	mine = metrics_main(&point->metrics);
	other = metrics_main(&base->metrics);
	if (!mine || !other || mine->unit != other->unit)
		return;
	point->has_overhead = true;
	point->bounded = find_difference(&point->overhead, point, base,
					 mine->name, repeat_mean) &&
			 find_difference(&point->overhead_p50, point, base,
					 mine->name, repeat_p50);
	if (point->bounded)
		return;
	point->overhead.value = mine->stats.mean - other->stats.mean;
	point->overhead_p50.value = mine->stats.percentile[STATS_50] -
				    other->stats.percentile[STATS_50];
}
