// SPDX-License-Identifier: GPL-2.0
#include "knee.h"

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

/* Every point has to have the metric. */
static bool find_peak(struct knee *knee, const struct result *result)
{
	const struct metric *metric;
	unsigned int i;
	double value;

	for (i = knee->first; i < result->count; i++) {
		if (!is_beside(result, knee->first, i))
			continue;
		if (!value_of(result, i, &metric, &value))
			return false;
		if (!knee->metric || value > knee->peak) {
			knee->metric = metric;
			knee->peak = value;
		}
	}
	return knee->metric;
}

static void find_last(struct knee *knee, const struct result *result)
{
	const struct metric *metric;
	unsigned int i;
	double value;

	for (i = knee->first; i < result->count; i++)
		if (is_beside(result, knee->first, i) &&
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

/**
 * knee_find() - find where the metric that a recipe names falls for good
 * @knee: where to
 * @result: with all of its points
 * @index: the first point of those that differ in nothing but the recipe's key
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
	    !find_peak(knee, result))
		return false;
	find_last(knee, result);
	find_fall(knee, result);
	return true;
}
