// SPDX-License-Identifier: GPL-2.0
/* Prints the confidence intervals of a row's figures, and the figures without one. */
#include "plan/repeat.h"
#include "plan/result.h"
#include "plan/seed.h"
#include "scalar.h"
#include "stats/confidence.h"
#include "trust.h"

/* Print which percentiles of a row have too few samples. @after is appended. */
static void print_unsupported(FILE *f, const struct metric *metric,
			      const char *after)
{
	static const enum stats_percentile shown[] = { STATS_99, STATS_999 };
	const char *sep = "";
	unsigned int i;

	if (confidence_supports(metric, STATS_999))
		return;
	fprintf(f, " %-15s: ", "Not supported");
	for (i = 0; i < ARRAY_SIZE(shown); i++) {
		if (confidence_supports(metric, shown[i]))
			continue;
		fprintf(f, "%s%s %%", sep, stats_percentile_name[shown[i]]);
		sep = ", ";
	}
	fprintf(f, " by %llu samples%s\n",
		(unsigned long long)metric->stats.count, after);
	sep = "";
	fprintf(f, " %-15s: ", "Needed");
	for (i = 0; i < ARRAY_SIZE(shown); i++) {
		if (confidence_supports(metric, shown[i]))
			continue;
		fprintf(f, "%s%llu samples for %s %%", sep,
			(unsigned long long)confidence_needs(shown[i]),
			stats_percentile_name[shown[i]]);
		sep = ", ";
	}
	putc('\n', f);
}

/**
 * print_least_supported() - print which percentiles have too few samples in some row
 * @f: output stream
 * @result: the result, of whose rows the one with the fewest samples is reported
 */
void print_least_supported(FILE *f, const struct result *result)
{
	const struct metric *metric, *least = NULL;
	bool differ = false;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		metric = metrics_main(&result->point[i].metrics);
		if (!metric || !metric->stats.count)
			continue;
		differ |= least && metric->stats.count != least->stats.count;
		if (!least || metric->stats.count < least->stats.count)
			least = metric;
	}
	if (least)
		print_unsupported(f, least, differ ?
				  ", the fewest of any row" : " a row");
}

static void print_known(FILE *f, const struct metric *metric)
{
	struct confidence confidence;
	unsigned int known = 0, p;

	for (p = 0; p < ICB_BATCH_PERCENTILES; p++) {
		if (!confidence_find(&confidence, metric, p) ||
		    confidence.state != ICB_BOUNDS_KNOWN)
			continue;
		if (known++)
			fputs(", ", f);
		else
			fprintf(f, " %-15s: ", "95 % certain");
		fprintf(f, "%g %% at %.3f..%.3f us (+-%.1f %%)",
			confidence.percent, confidence.low / 1000,
			confidence.high / 1000,
			confidence_percent(&confidence));
	}
	if (!known)
		return;
	fputs(known > 1 ? ", each, " : ", ", f);
	if (metric->span)
		fprintf(f, "around the intervals of %u workers\n", metric->span);
	else
		fprintf(f, "%u batches of %llu\n", metric->batches,
			(unsigned long long)metric->batch_size);
}

static bool print_figure(FILE *f, const struct point *point,
			 const struct metric *metric, const char *label,
			 repeat_figure figure, bool begun)
{
	struct sample sample;
	struct range range;
	const char *unit;
	double factor;

	repeat_sample(&sample, point, metric->name, figure);
	if (!range_of_mean(&range, &sample))
		return false;
	unit = scalar_unit(metric, &factor);
	if (!begun)
		fprintf(f, " %-15s: by %u runs, ", "95 % certain",
			sample.count);
	fprintf(f, "%s%s at %.3f..%.3f %s", begun ? ", " : "", label,
		range.low / factor, range.high / factor, unit);
	return true;
}

#define ONE_SEED							\
	"; all runs had one seed: the variance of random times and sizes is not included"

/*
 * True if all runs of a point had the same schedule or the same sizes. Intervals that are
 * calculated from the differences between these runs exclude the variance of both.
 */
static bool had_one_seed(const struct point *point)
{
	u32 i;

	for (i = 0; i < point->runs; i++)
		if (!seed_is_drawn_from(&point->run[i].job.params) ||
		    point->run[i].job.params.seed != point->run[0].job.params.seed)
			return false;
	return point->runs;
}

/**
 * print_between() - print the intervals that follow from the differences between runs
 * @f: output stream
 * @point: the point; nothing is printed if it has a single run
 */
void print_between(FILE *f, const struct point *point)
{
	static const struct {
		const char *label;
		repeat_figure figure;
	} figures[] = {
		{ "t_avg", repeat_mean }, { "50 %", repeat_p50 },
		{ "99 %", repeat_p99 },
	};
	static const char *const rates[] = { "bandwidth", "message_rate" };
	const struct metric *metric = metrics_main(&point->metrics);
	bool begun = false;
	unsigned int i;

	for (i = 0; metric && i < ARRAY_SIZE(figures); i++)
		begun |= print_figure(f, point, metric, figures[i].label,
				      figures[i].figure, begun);
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		metric = metrics_find(&point->metrics, rates[i]);
		if (metric && !metrics_main(&point->metrics))
			begun |= print_figure(f, point, metric, rates[i],
					      repeat_mean, begun);
	}
	if (begun && had_one_seed(point))
		fputs(ONE_SEED, f);
	if (begun)
		putc('\n', f);
}

/*
 * Print why a percentile has no interval, or that it lies on a step of the distribution.
 */
static void print_reserve(FILE *f, const struct confidence *confidence)
{
	if (confidence->state == ICB_BOUNDS_DEPENDENT)
		fprintf(f, " %-15s: %g %%: %s, correlation %.2f of %u batches of %llu\n",
			"Not independent", confidence->percent,
			"no interval, a batch depends on the one before it",
			confidence->correlation, confidence->batches,
			(unsigned long long)confidence->batch_size);
	else if (confidence->state == ICB_BOUNDS_BEYOND)
		fprintf(f, " %-15s: %g %%: no interval, it would reach beyond all samples\n",
			"Not certain", confidence->percent);
	if (confidence->step)
		fprintf(f, " %-15s: %g %% is at a step, at most %.3f us or at least %.3f us\n",
			"Step", confidence->percent,
			confidence->step_low / 1000,
			confidence->step_high / 1000);
}

static void print_confidence(FILE *f, const struct metric *metric)
{
	struct confidence confidence;
	unsigned int p;

	print_known(f, metric);
	for (p = 0; p < ICB_BATCH_PERCENTILES; p++)
		if (confidence_find(&confidence, metric, p))
			print_reserve(f, &confidence);
}

/**
 * print_trust() - print the intervals of percentiles, and which percentiles have none
 * @f: output stream
 * @metric: a distribution; nothing is printed if it is NULL
 */
void print_trust(FILE *f, const struct metric *metric)
{
	if (!metric || !metric->stats.count)
		return;
	if (metric->batch_size || metric->span)
		print_confidence(f, metric);
	if (metric->alternates)
		fprintf(f, " %-15s: too short and too long in turn, percentiles have no interval\n",
			"Alternating");
	print_unsupported(f, metric, "");
}
