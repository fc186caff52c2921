// SPDX-License-Identifier: GPL-2.0
/*
 * The runs of a point are kept, because they say how far a figure of them can be
 * trusted; the point has what all of them have measured.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "repeat.h"
#include "stats/merge.h"

/**
 * repeat_differ() - whether the runs of a point have different values of a parameter
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

/* The parameters are those that all runs have; the first run that was cut short says why. */
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
	/* that is of one run */
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
 * @run: the run, with something measured; @point owns its metrics from now on
 *
 * @point is then what all of its runs have measured.
 */
void repeat_add(struct point *point, const struct point *run)
{
	point->run = alloc_grow(point->run, point->runs, sizeof(*point->run));
	point->run[point->runs++] = *run;
	pool(point);
}

/**
 * repeat_mean() - the mean of a distribution, or a number as it is
 * @figure: where to
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

/* It lies in the bucket of a sample, which may be at either end of that. */
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
 * repeat_p50() - the median of a distribution
 * @figure: where to
 * @metric: the metric
 *
 * Return: false where there is none.
 */
bool repeat_p50(struct figure *figure, const struct metric *metric)
{
	return percentile(figure, metric, STATS_50);
}

/**
 * repeat_p99() - the 99th percentile of a distribution
 * @figure: where to
 * @metric: the metric
 *
 * Return: false where there is none.
 */
bool repeat_p99(struct figure *figure, const struct metric *metric)
{
	return percentile(figure, metric, STATS_99);
}

/**
 * repeat_trimmed() - the trimmed mean of a distribution
 * @figure: where to
 * @metric: the metric
 *
 * Return: false where there is none.
 */
bool repeat_trimmed(struct figure *figure, const struct metric *metric)
{
	return metric->hist &&
	       trimmed_mean(figure, metric->hist, metric->divisor);
}

/**
 * repeat_sample() - a figure of each run of a point that was not cut short
 * @sample: where to
 * @point: the point; a point that is not repeated gives an empty sample
 * @name: the metric that the figure is of
 * @figure: how it is found
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
 * repeat_range() - the interval of a figure, from the runs of a point
 * @range: where to
 * @point: the point
 * @name: the metric that the figure is of
 * @figure: how it is found
 *
 * Return: false for fewer than two runs that have it.
 */
bool repeat_range(struct range *range, const struct point *point,
		  const char *name, repeat_figure figure)
{
	struct sample sample;

	repeat_sample(&sample, point, name, figure);
	return range_of_mean(range, &sample);
}

/* Where both have several runs, by how much these differ. */
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
 * repeat_compare() - what a point costs over the one that it is compared with
 * @result: of this
 * @index: the point
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
