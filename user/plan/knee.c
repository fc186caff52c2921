// SPDX-License-Identifier: GPL-2.0
/*
 * The knee of a metric: the key value beyond which the metric stays below most of its
 * peak. Runs are noisy, so the greatest value of many runs exceeds what its run would
 * give again. The run with the greatest value is therefore repeated, and the peak is the
 * mean of the repeats. Without repeats the peak is the mean of all runs that cannot be
 * distinguished from the greatest.
 */
#include <math.h>

#include "knee.h"
#include "repeat.h"
#include "stats/interval.h"

/* Number of repeats of the run with the greatest value. */
#define REPEATS		2
/* A curve is over when its metric is below this share of its peak, per cent. */
#define OVER		80
/* A knee is located well enough within 1/20 of the key's value. */
#define NARROW		20

/* Value of the knee's metric at a point; false if the point lacks it. */
static bool value_of(const struct result *result, unsigned int index,
		     const struct metric **metric, double *value)
{
	*metric = metrics_find(&result->point[index].metrics,
			       result->recipe->knee_metric);
	if (!*metric || (*metric)->kind != ICBENCH_METRIC_KIND_SCALAR)
		return false;
	*value = (double)(*metric)->value / (*metric)->divisor;
	return true;
}

static u64 key_of(const struct result *result, unsigned int index)
{
	return icb_params_number(&result->plan->point[index].params,
				 result->recipe->knee);
}

static bool is_beside(const struct result *result, unsigned int first,
		      unsigned int index)
{
	return plan_differs_only_in(result->plan, first, index, result->recipe->knee);
}

/* True if @index is the first point of a curve with several values of the key. */
static bool is_first(const struct result *result, unsigned int index)
{
	unsigned int i;
	bool several = false;

	for (i = 0; i < result->count; i++) {
		if (!is_beside(result, index, i))
			continue;
		if (i < index)
			return false;
		several |= key_of(result, i) != key_of(result, index);
	}
	return several;
}

/* Count the runs of a curve with one value of the key; @last receives the last one. */
static unsigned int runs_of(const struct result *result, unsigned int first,
			    u64 key, unsigned int *last)
{
	unsigned int count = 0, i;

	for (i = first; i < result->count; i++) {
		if (!is_beside(result, first, i) || key_of(result, i) != key)
			continue;
		count++;
		*last = i;
	}
	return count;
}

/* True if the run is on the curve and its value of the key was not run again later. */
static bool counts(const struct result *result, unsigned int first,
		   unsigned int index)
{
	unsigned int last = index;

	if (!is_beside(result, first, index))
		return false;
	runs_of(result, first, key_of(result, index), &last);
	return last == index;
}

/* Half the width of the interval of a run's metric; 0 if it has no interval. */
static double half_of(const struct result *result, unsigned int index)
{
	const struct point *point = &result->point[index];
	struct interval interval;
	struct range range;

	if (point->runs)
		return repeat_range(&range, point, result->recipe->knee_metric,
				    repeat_mean) ? range.high - range.value : 0;
	if (interval_of(&interval, &point->metrics,
			result->recipe->knee_metric) != INTERVAL_KNOWN)
		return 0;
	return interval.high - interval.value;
}

/* Find the greatest value; false unless every point has the metric. */
static bool find_best(struct knee *knee, const struct result *result)
{
	const struct metric *metric;
	unsigned int i;
	double value;

	for (i = knee->first; i < result->count; i++) {
		if (!is_beside(result, knee->first, i))
			continue;
		if (!value_of(result, i, &metric, &value))
			return false;
		if (!counts(result, knee->first, i) ||
		    (knee->metric && value <= knee->peak))
			continue;
		knee->metric = metric;
		knee->peak = value;
		knee->best = i;
	}
	return knee->metric;
}

/* Find the first run with a value of the key that was run several times. */
static bool find_repeated(const struct knee *knee, const struct result *result,
			  unsigned int *first)
{
	unsigned int i, last;

	for (i = knee->first; i < result->count; i++)
		if (is_beside(result, knee->first, i) &&
		    runs_of(result, knee->first, key_of(result, i), &last) > 1) {
			*first = i;
			return true;
		}
	return false;
}

/* The first run was chosen for being the greatest, so only its repeats are averaged. */
static void average_repeats(struct knee *knee, const struct result *result,
			    unsigned int first)
{
	const struct metric *metric;
	double value, sum = 0;
	unsigned int i;

	knee->peaks = 0;
	for (i = first + 1; i < result->count; i++) {
		if (!is_beside(result, first, i) ||
		    key_of(result, i) != key_of(result, first))
			continue;
		if (!value_of(result, i, &metric, &value))
			continue;
		sum += value;
		knee->peaks++;
	}
	if (!knee->peaks)
		return;
	knee->peak = sum / knee->peaks;
	knee->repeated = true;
	knee->best = first;
}

/* Average the greatest value and all values whose difference from it may be chance. */
static void average_alike(struct knee *knee, const struct result *result)
{
	const double half = half_of(result, knee->best), best = knee->peak;
	const struct metric *metric;
	double value, own, sum = 0;
	unsigned int i;

	knee->peaks = 0;
	for (i = knee->first; i < result->count; i++) {
		if (!counts(result, knee->first, i))
			continue;
		own = half_of(result, i);
		if (!value_of(result, i, &metric, &value))
			continue;
		if (i != knee->best && (half == 0 || own == 0 ||
					best - value > hypot(half, own)))
			continue;
		sum += value;
		knee->peaks++;
	}
	if (knee->peaks)
		knee->peak = sum / knee->peaks;
}

static void find_peak(struct knee *knee, const struct result *result)
{
	unsigned int first;

	if (find_repeated(knee, result, &first))
		average_repeats(knee, result, first);
	else
		average_alike(knee, result);
}

static void find_last(struct knee *knee, const struct result *result)
{
	const struct metric *metric;
	unsigned int i;
	double value;

	for (i = knee->first; i < result->count; i++)
		if (counts(result, knee->first, i) &&
		    value_of(result, i, &metric, &value) &&
		    value * 100 >= knee->peak * KNEE_PERCENT &&
		    key_of(result, i) >= knee->holds)
			knee->holds = key_of(result, i);
}

static void find_fall(struct knee *knee, const struct result *result)
{
	unsigned int i;
	u64 key;

	for (i = knee->first; i < result->count; i++) {
		key = key_of(result, i);
		if (!is_beside(result, knee->first, i) || key <= knee->holds)
			continue;
		if (!knee->found || key < knee->falls)
			knee->falls = key;
		knee->found = true;
	}
}

/* Interpolate between @holds and @falls to where the metric has just enough. */
static void interpolate(struct knee *knee, const struct result *result)
{
	const double enough = knee->peak * KNEE_PERCENT / 100;
	const struct metric *metric;
	unsigned int above = 0, below = 0;
	double from, to;

	if (!runs_of(result, knee->first, knee->holds, &above) ||
	    !runs_of(result, knee->first, knee->falls, &below) ||
	    !value_of(result, above, &metric, &from) ||
	    !value_of(result, below, &metric, &to))
		return;
	knee->at = knee->holds;
	if (from > to)
		knee->at += (from - enough) / (from - to) *
			    (knee->falls - knee->holds);
}

/**
 * knee_find() - find the knee of the metric that a recipe names
 * @knee: destination
 * @result: the result, with all of its points
 * @index: index of the first point of a curve: its points differ only in the recipe's key
 *
 * If a value of the key was run several times, the last run counts.
 *
 * Return: true if @knee is valid: the recipe asks for a knee, nothing was cut short,
 * @index is the first of several points, and each point has the metric.
 */
bool knee_find(struct knee *knee, const struct result *result,
	       unsigned int index)
{
	memset(knee, 0, sizeof(*knee));
	knee->first = index;
	if (!result->recipe->knee || *result->reason ||
	    result->count < result->plan->count || !is_first(result, index) ||
	    !find_best(knee, result))
		return false;
	find_peak(knee, result);
	find_last(knee, result);
	find_fall(knee, result);
	if (knee->found)
		interpolate(knee, result);
	return true;
}

/* The greatest is run again, except for a share, whose peak is 100 %. */
static bool wants_repeat(const struct knee *knee)
{
	return knee->metric->unit != ICBENCH_UNIT_PERCENT &&
	       (!knee->repeated || knee->peaks < REPEATS);
}

/*
 * Choose the key's value for the next run: the greatest once more, for the peak; then the
 * middle between @holds and @falls. This ends when they are no further apart than a
 * twentieth of @holds, or of the distance from @holds to the end of the key's range if
 * that is less.
 */
static bool find_next(const struct knee *knee, const struct result *result,
		      u64 *key)
{
	const u64 most = result->recipe->knee->max;
	u64 narrow;

	if (wants_repeat(knee)) {
		*key = key_of(result, knee->best);
		return true;
	}
	if (!knee->found)
		return false;
	narrow = min_t(u64, knee->holds, most - knee->holds) / NARROW;
	if (knee->falls - knee->holds <= max_t(u64, narrow, 1))
		return false;
	*key = knee->holds + (knee->falls - knee->holds) / 2;
	return true;
}

/**
 * knee_refine() - plan one more run to locate a knee
 * @plan: plan of @result; the run is appended
 * @result: the result, with all of its points
 * @index: index of the first point of a curve, as for knee_find()
 *
 * Return: false if there is no knee, if it is located well enough, or if the run cannot
 * be planned.
 */
bool knee_refine(struct plan *plan, const struct result *result,
		 unsigned int index)
{
	struct knee knee;
	u64 key;

	return knee_find(&knee, result, index) &&
	       find_next(&knee, result, &key) &&
	       !plan_add(plan, index, result->recipe->knee, key, NULL);
}

/**
 * knee_is_beyond() - check whether a run is so far beyond the knee that it can be left out
 * @result: the result, with all points before the run
 * @index: index of the run, which has not been done
 *
 * An open loop that is overloaded takes longer by the factor of its overload. If a lower
 * rate was much too high, a higher rate is therefore left out.
 *
 * Return: true if so.
 */
bool knee_is_beyond(const struct result *result, unsigned int index)
{
	const struct metric *metric;
	double value, most = 0;
	unsigned int i;

	if (result->plan->point[index].params.trigger != ICBENCH_TRIGGER_CLOCK)
		return false;
	for (i = 0; i < result->count; i++)
		if (is_beside(result, index, i) &&
		    value_of(result, i, &metric, &value) && value > most)
			most = value;
	for (i = 0; i < result->count; i++)
		if (is_beside(result, index, i) &&
		    key_of(result, i) < key_of(result, index) &&
		    value_of(result, i, &metric, &value) &&
		    value * 100 < most * OVER)
			return true;
	return false;
}
