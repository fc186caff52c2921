// SPDX-License-Identifier: GPL-2.0
/*
 * Where a metric falls for good. Runs are noisy, and the greatest of many is greater than
 * what any of them would give again: so the greatest is repeated, and the peak is the
 * mean of the repeats. Without these it is the mean of all runs that cannot be told from
 * the greatest.
 */
#include <math.h>

#include "knee.h"
#include "repeat.h"
#include "stats/interval.h"

/* How often the greatest is repeated. */
#define REPEATS		2
/* A curve is over where the metric has less than this part of its peak, per cent. */
#define OVER		80
/* A knee is known well enough within this part of the key's value, 1 / 20. */
#define NARROW		20

/* The value that a point has on the other axis; false where it has none. */
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
	return plan_beside(result->plan, first, index, result->recipe->knee);
}

/* Whether there are several points that differ in the key, and this is the first. */
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

/* Runs of the same key, and which of them was the last; they are of the same curve. */
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

/* Of this curve, and not repeated later. */
static bool counts(const struct result *result, unsigned int first,
		   unsigned int index)
{
	unsigned int last = index;

	if (!is_beside(result, first, index))
		return false;
	runs_of(result, first, key_of(result, index), &last);
	return last == index;
}

/* Half of the interval that a run has of the metric; 0 where it has none. */
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

/* Every point has to have the metric. */
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

/* The first run of a key that has been run several times. */
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

/* What they had in common was to be the greatest once: that one does not count. */
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

/* The mean of the greatest and of all whose difference may be chance. */
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

/* On the line between the two, where the metric has just enough. */
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
 * knee_find() - find where the metric that a recipe names falls for good
 * @knee: where to
 * @result: with all of its points
 * @index: the first point of those that differ in nothing but the recipe's key
 *
 * Of a value of the key that was run several times the last run counts.
 *
 * Return: true if there is something to tell: the recipe asks for it, nothing was
 * cut short, this is the first of several points, and each has the metric.
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

/* Whether the greatest is to be run again: not of a share, which has a peak of 100 %. */
static bool wants_repeat(const struct knee *knee)
{
	return knee->metric->unit != ICBENCH_UNIT_PERCENT &&
	       (!knee->repeated || knee->peaks < REPEATS);
}

/*
 * The greatest once more, for the peak; then the middle of the two values between which
 * the metric falls, as long as they are further apart than a twentieth of the knee, or
 * of what is left from it to the end of the key's range.
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
 * knee_refine() - plan the run that has most to tell of a knee
 * @plan: of @result; where to, behind its other runs
 * @result: with all of its points
 * @index: as of knee_find()
 *
 * Return: false where there is no knee, or it is known well enough.
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
 * knee_is_over() - whether a run has nothing more to tell of a curve
 * @result: with all points before it
 * @index: of the run, which has not been done
 *
 * An open loop that is overloaded takes as many times as long: where a lower rate was
 * much too high, a higher one is left out.
 *
 * Return: true if so.
 */
bool knee_is_over(const struct result *result, unsigned int index)
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
