// SPDX-License-Identifier: GPL-2.0
/*
 * The difference of a figure between two sides, its interval, and the verdict.
 *
 * If the clocks count instructions, the interval is the range of the differences of all
 * pairs of documents. Else, several documents on each side give an interval from the
 * differences between the documents, and a single document its own interval.
 */
#include <math.h>
#include <string.h>

#include "verdict.h"

/* A difference that is the threshold but for rounding. */
#define ROUNDING	0.000000001

const char *const verdict_words[VERDICTS] = {
	[VERDICT_NOT_COMPARABLE] = "not comparable",
	[VERDICT_NO_DIFFERENCE] = "no difference shown",
	[VERDICT_FASTER] = "faster",
	[VERDICT_SLOWER] = "slower",
	[VERDICT_CHANGED] = "changed",
};

static void make_sample(struct sample *sample, const struct figures *figures)
{
	unsigned int i;

	memset(sample, 0, sizeof(*sample));
	for (i = 0; i < figures->count; i++)
		sample_add(sample, &(struct figure){
			.value = figures->estimate[i].value,
		});
}

/* The first reason why a document has no interval; NULL if each has one. */
static const char *missing(const struct figures *figures)
{
	unsigned int i;

	for (i = 0; i < figures->count; i++)
		if (figures->estimate[i].why_not)
			return figures->estimate[i].why_not;
	return NULL;
}

/* Interval of one side: of the mean of its documents, or of its only document. */
static const char *one_side(struct range *range, const struct figures *figures,
			    const struct sample *sample)
{
	if (range_of_mean(range, sample))
		return NULL;
	range->value = figures->estimate[0].value;
	range->low = figures->estimate[0].low;
	range->high = figures->estimate[0].high;
	return figures->estimate[0].why_not;
}

/*
 * Two independent intervals give that of the difference: each end is as far from it as the
 * root of the sum of the squares of the two distances that make it.
 */
static void combine(struct range *range, const struct range *base,
		    const struct range *new)
{
	range->value = new->value - base->value;
	range->low = range->value - hypot(new->value - new->low,
					  base->high - base->value);
	range->high = range->value + hypot(new->high - new->value,
					   base->value - base->low);
}

static void range_of_pairs(struct range *range, const struct figures *base,
			   const struct figures *new)
{
	double base_low = INFINITY, base_high = -INFINITY;
	double new_low = INFINITY, new_high = -INFINITY;
	unsigned int i;

	for (i = 0; i < base->count; i++) {
		base_low = fmin(base_low, base->estimate[i].low);
		base_high = fmax(base_high, base->estimate[i].high);
	}
	for (i = 0; i < new->count; i++) {
		new_low = fmin(new_low, new->estimate[i].low);
		new_high = fmax(new_high, new->estimate[i].high);
	}
	range->low = new_low - base_high;
	range->high = new_high - base_low;
}

/* Return: reason why there is no interval; NULL if there is one. */
static const char *find_range(struct range *range, const struct figures *base,
			      const struct figures *new,
			      const struct sample *of_base,
			      const struct sample *of_new)
{
	const char *why_not = missing(base) ? : missing(new);
	struct range base_range, new_range;

	if (base->exact && new->exact && !why_not) {
		range_of_pairs(range, base, new);
		return NULL;
	}
	if (range_of_difference(range, of_new, of_base))
		return NULL;
	why_not = one_side(&base_range, base, of_base) ? :
		  one_side(&new_range, new, of_new);
	if (!why_not)
		combine(range, &base_range, &new_range);
	return why_not;
}

static void find_percent(struct difference *difference)
{
	const double whole = fabs(difference->base) / 100;

	if (whole == 0)
		return;
	difference->percent.value = difference->range.value / whole;
	difference->percent.low = difference->range.low / whole;
	difference->percent.high = difference->range.high / whole;
	difference->relative = isfinite(difference->percent.value) &&
			       isfinite(difference->percent.low) &&
			       isfinite(difference->percent.high);
}

static bool is_regression(const struct difference *difference,
			  enum better better, double threshold)
{
	double least;

	if (difference->verdict != VERDICT_SLOWER)
		return false;
	if (!difference->relative)
		return true;
	least = better == BETTER_LOWER ? difference->percent.low :
		-difference->percent.high;
	return least >= threshold * (1 - ROUNDING);
}

/**
 * verdict_find() - compare a figure
 * @difference: takes the comparison
 * @base: the figure in the base documents
 * @new: the figure in the new documents
 * @better: direction in which the figure is better
 * @threshold: least change that is a regression, percent
 *
 * A regression is a change for the worse whose whole interval is beyond the threshold. If
 * the base is 0, each change for the worse is a regression.
 */
void verdict_find(struct difference *difference, const struct figures *base,
		  const struct figures *new, enum better better,
		  double threshold)
{
	struct sample of_base, of_new;

	memset(difference, 0, sizeof(*difference));
	make_sample(&of_base, base);
	make_sample(&of_new, new);
	difference->base = sample_mean(&of_base);
	difference->new = sample_mean(&of_new);
	difference->why_not = find_range(&difference->range, base, new,
					 &of_base, &of_new);
	difference->range.value = difference->new - difference->base;
	if (difference->why_not) {
		difference->range.low = difference->range.value;
		difference->range.high = difference->range.value;
	}
	find_percent(difference);
	if (difference->why_not)
		difference->verdict = VERDICT_NOT_COMPARABLE;
	else if (range_has_zero(&difference->range))
		difference->verdict = VERDICT_NO_DIFFERENCE;
	else if (better == BETTER_NEITHER)
		difference->verdict = VERDICT_CHANGED;
	else if ((difference->range.low > 0) == (better == BETTER_LOWER))
		difference->verdict = VERDICT_SLOWER;
	else
		difference->verdict = VERDICT_FASTER;
	difference->regression = is_regression(difference, better, threshold);
}
