// SPDX-License-Identifier: GPL-2.0
/*
 * Derived quantities and their intervals. If points are repeated, a quantity is computed
 * once for each pass, that is from one run of each point, and the interval is that of the
 * mean over the passes. A quantity from several metrics or points is therefore a paired
 * difference.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "derive.h"
#include "result.h"

/* Number of leading passes in which each point has a run that was not cut short. */
static unsigned int whole_passes(const struct result *result)
{
	unsigned int passes = result->count ? SAMPLE_MAX : 0, i;
	const struct point *point;
	u32 run;

	for (i = 0; i < result->count; i++) {
		point = &result->point[i];
		for (run = 0; run < point->runs; run++)
			if (point->run[run].job.outcome !=
			    ICBENCH_OUTCOME_COMPLETE)
				break;
		passes = min_t(unsigned int, passes, run);
	}
	return passes;
}

/* The result of one pass, as if it were the whole result; free() its points. */
static void take_pass(struct result *one, const struct result *result,
		      unsigned int pass)
{
	unsigned int i;

	*one = *result;
	one->point = alloc_zero(result->count, sizeof(*one->point));
	for (i = 0; i < result->count; i++)
		one->point[i] = result->point[i].run[pass];
}

/* Derive the quantities of all runs, or of run @index if that is not negative. */
static void find_all(const struct result *result, int index,
		     struct derived *derived)
{
	const struct derivation *derivation = result->recipe->derivation;

	memset(derived, 0, DERIVE_MAX * sizeof(*derived));
	if (index < 0)
		derivation->find(result, derived);
	else
		derivation->find_each(result, index, derived);
}

static void add_pass(const struct result *result, int index, unsigned int pass,
		     struct sample *sample, unsigned int count)
{
	struct derived derived[DERIVE_MAX];
	struct figure figure;
	struct result one;
	unsigned int i;

	take_pass(&one, result, pass);
	find_all(&one, index, derived);
	free(one.point);
	for (i = 0; i < count; i++) {
		if (!derived[i].known)
			continue;
		figure.value = derived[i].value;
		figure.error = derived[i].error;
		sample_add(&sample[i], &figure);
	}
}

/* Drop all parts of the sum if the passes differ in which parts are known. */
static void drop_parts(const struct quantity *quantity, unsigned int count,
		       const struct sample *sample, unsigned int passes,
		       struct derived *derived)
{
	bool same = true;
	unsigned int i;

	for (i = 0; i < count; i++)
		if (quantity[i].part)
			same &= sample[i].count ==
				(derived[i].known ? passes : 0);
	for (i = 0; !same && i < count; i++)
		if (quantity[i].part)
			derived[i].known = false;
}

/* A value that is known in all passes becomes their mean, with an interval. */
static void bound(const struct result *result, int index,
		  const struct quantity *quantity, unsigned int count,
		  struct derived *derived)
{
	const unsigned int passes = whole_passes(result);
	struct sample sample[DERIVE_MAX] = { 0 };
	unsigned int i;

	if (passes < 2)
		return;
	for (i = 0; i < passes; i++)
		add_pass(result, index, i, sample, count);
	drop_parts(quantity, count, sample, passes, derived);
	for (i = 0; i < count; i++) {
		if (!derived[i].known || !quantity[i].unit ||
		    quantity[i].fixed || sample[i].count < passes ||
		    !range_of_mean(&derived[i].range, &sample[i]))
			continue;
		derived[i].bounded = true;
		derived[i].value = derived[i].range.value;
	}
}

static unsigned int find(const struct result *result, int index,
			 const struct quantity *quantity, unsigned int count,
			 struct derived *derived)
{
	unsigned int i, known = 0;

	find_all(result, index, derived);
	bound(result, index, quantity, count, derived);
	for (i = 0; i < count; i++)
		known += derived[i].known;
	return known;
}

/**
 * derive_values() - derive the quantities of all runs of a result
 * @result: the result, with all of its points
 * @derived: destination: values of the recipe's derivation
 *
 * Return: number of known values; 0 also without a derivation.
 */
unsigned int derive_values(const struct result *result,
			   struct derived derived[DERIVE_MAX])
{
	const struct derivation *derivation = result->recipe->derivation;

	memset(derived, 0, DERIVE_MAX * sizeof(*derived));
	if (!derivation)
		return 0;
	return find(result, -1, derivation->quantity, derivation->quantities,
		    derived);
}

/**
 * derive_each() - derive the quantities of one run
 * @result: the result, with all of its points
 * @index: index of the run's point
 * @derived: destination: values of the quantities that the derivation has for each run
 *
 * Return: number of known values; 0 also without such a derivation.
 */
unsigned int derive_each(const struct result *result, unsigned int index,
			 struct derived derived[DERIVE_MAX])
{
	const struct derivation *derivation = result->recipe->derivation;

	memset(derived, 0, DERIVE_MAX * sizeof(*derived));
	if (!derivation || !derivation->find_each)
		return 0;
	return find(result, (int)index, derivation->each, derivation->eachs,
		    derived);
}
