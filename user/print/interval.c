// SPDX-License-Identifier: GPL-2.0
/* Prints the confidence intervals of means and rates, and where they are missing. */
#include "interval.h"
#include "model/derived.h"
#include "plan/result.h"
#include "print.h"
#include "stats/confidence.h"
#include "stats/interval.h"

/*
 * Windows of which the first and the last are so little that they do not matter, and
 * windows with which the steady part of two streams is long enough.
 */
#define EDGE_WINDOWS	50
#define STEADY_WINDOWS	8

/**
 * interval_windows() - check whether a run has enough windows for a metric
 * @metrics: metrics of the run
 * @metric: one of @metrics
 * @windows: set to the number of windows, if @metric depends on it; may be NULL
 *
 * Only bandwidth_p1 needs many windows. It depends on a hundredth of the windows, and so
 * needs as many windows as a 99th percentile needs samples.
 *
 * Return: false if there are too few.
 */
bool interval_windows(const struct metrics *metrics,
		      const struct metric *metric, u64 *windows)
{
	const struct metric *interval = metrics_find(metrics, "interval");

	if (strcmp(metric->name, "bandwidth_p1") || !interval || !interval->hist)
		return true;
	if (windows)
		*windows = interval->stats.count;
	return confidence_supports(interval, STATS_99);
}

/**
 * interval_edges() - check whether the start and the end of a run distort its rates
 * @point: point of the run
 * @windows: set to the number of windows of each run and QP
 * @needed: set to the number of operations that a run needs
 *
 * Only a run in which both sides stream is affected. Each side begins with an empty window
 * and ends by draining it, which takes up to the time of a window. The other side, or
 * another QP, has the link to itself in that time. So the sum of both rates is too high
 * where they share a link, and too low where each QP has its own: by up to 23 % of 2
 * windows in tests/unit/test_engine_steady.c. Where no message may be lost, the rates are
 * those of the steady part, if there are enough windows for it.
 *
 * Return: true if these times may distort the rates by more than 1 %.
 */
bool interval_edges(const struct point *point, u64 *windows, u64 *needed)
{
	const struct icb_params *params = &point->job.params;
	const u64 runs = (u64)max_t(u32, point->runs, 1) *
			 max_t(u32, point->workers, 1);
	u64 window, least;

	if (params->trigger != ICBENCH_TRIGGER_COMPLETION ||
	    params->direction != ICBENCH_DIRECTION_BI || !params->window)
		return false;
	window = (u64)params->window * max_t(u32, params->qps, 1);
	*windows = point->job.done / runs / window;
	least = icb_params_steady(params) ? STEADY_WINDOWS : EDGE_WINDOWS;
	*needed = least * window;
	return *windows < least;
}

static void print_one(FILE *f, const struct metrics *metrics,
		      const struct metric *metric, const char *word)
{
	const double factor = metric->hist ? 1000 :
		metric->unit == ICBENCH_UNIT_BYTES_PER_SECOND ? 1e6 : 1;
	const char *unit = metric->hist ? "us" : factor > 1 ? "MB/s" : "1/s";
	struct interval interval;

	switch (interval_of(&interval, metrics, metric->name)) {
	case INTERVAL_KNOWN:
		fprintf(f, " %-15s: %s at %.3f..%.3f %s (+-%.1f %%), %u batches\n",
			"95 % certain", word, interval.low / factor,
			interval.high / factor, unit,
			interval_percent(&interval), interval.batches);
		break;
	case INTERVAL_DEPENDENT:
		fprintf(f, " %-15s: %s: parts of the run depend on those before\n",
			"Not independent", word);
		break;
	case INTERVAL_FEW_DECIDE:
		fprintf(f, " %-15s: a few long %s decide the %s: no interval\n",
			"Not certain", metric->hist ? "samples" : "windows",
			word);
		break;
	default:
		break;
	}
}

/* True if the windows of the run are batches of its rates. */
static bool is_batched(const struct metrics *metrics)
{
	const struct metric *rate = metrics_find(metrics, "message_rate");

	return rate && rate->means;
}

/* The same where both sides stream. */
static const char *find_reason_both(const struct point *point)
{
	if (icb_params_lossy(&point->job.params))
		return "both sides stream, and messages may be lost";
	if (metrics_find(&point->metrics, "size_mean"))
		return "both sides stream, and messages differ in size";
	return metrics_find(&point->metrics, "peer_message_rate") ?
		NULL : "both sides stream";
}

/*
 * Why one run of this kind cannot have an interval of a rate; NULL where it can. A rate of
 * several runs has one of these.
 */
static const char *find_reason(const struct point *point,
			       const struct metric *rate)
{
	const struct icb_params *params = &point->job.params;

	if (point->runs > 1)
		return NULL;
	if (rate->reach_batches)
		return NULL;
	if (point->workers)
		return "a worker has none";
	if (params->direction == ICBENCH_DIRECTION_BI)
		return find_reason_both(point);
	return icb_params_lossy(params) && !is_batched(&point->metrics) ?
		"messages may be lost" : NULL;
}

/**
 * print_intervals() - print the interval of the mean, or of the rate, of a run
 * @f: output stream
 * @metrics: metrics of the run
 */
void print_intervals(FILE *f, const struct point *point)
{
	const struct metrics *metrics = &point->metrics;
	const struct metric *first = metrics_main(metrics), *metric;
	const char *reason;

	if (first) {
		print_one(f, metrics, first, "mean");
		return;
	}
	metric = metrics_find(metrics, "bandwidth");
	if (!metric || !metric->value)
		metric = metrics_find(metrics, "message_rate");
	if (!metric)
		return;
	reason = find_reason(point, metric);
	if (reason)
		fprintf(f, " %-15s: %s: %s; --repeat N gives one\n",
			"No interval", metric->name, reason);
	else
		print_one(f, metrics, metric, metric->name);
}

static void print_edges(FILE *f, const struct result *result)
{
	u64 windows, needed, least = U64_MAX, most = 0;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		if (!result->point[i].job.done ||
		    !interval_edges(&result->point[i], &windows, &needed))
			continue;
		least = min_t(u64, least, windows);
		most = max_t(u64, most, needed);
	}
	if (least == U64_MAX)
		return;
	fprintf(f, " %-15s: bandwidth of both sides by %llu windows%s: %s\n",
		"Few windows", (unsigned long long)least,
		result->count > 1 ? ", the fewest of a row" : "",
		"their start and end may distort it");
	fprintf(f, " %-15s: %llu iterations for bandwidth\n", "Needed",
		(unsigned long long)most);
}

/**
 * print_few_windows() - print which rates have too few windows
 * @f: output stream
 * @result: the result, of whose runs the one with the fewest windows is reported
 */
void print_few_windows(FILE *f, const struct result *result)
{
	const struct metrics *metrics;
	const struct metric *metric;
	u64 windows, least = U64_MAX;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		metrics = &result->point[i].metrics;
		metric = metrics_find(metrics, "bandwidth_p1");
		if (metric && !interval_windows(metrics, metric, &windows))
			least = min_t(u64, least, windows);
	}
	if (least != U64_MAX)
		fprintf(f, " %-15s: bandwidth_p1 by %llu windows%s\n",
			"Not supported", (unsigned long long)least,
			result->count > 1 ? ", the fewest of any row" : "");
	if (least != U64_MAX)
		fprintf(f, " %-15s: %llu windows for bandwidth_p1\n", "Needed",
			(unsigned long long)confidence_needs(STATS_99));
	print_edges(f, result);
}

/**
 * print_startups() - print the start-up of open loops, and which of them are not steady
 * @f: output stream
 * @result: the result
 */
void print_startups(FILE *f, const struct result *result)
{
	const struct startup *startup;
	char name[160];
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		startup = &result->point[i].startup;
		if (!startup->known || (startup->steady && !startup->cut))
			continue;
		section_point(&result->recipe->sections, result->plan, i, name,
			      sizeof(name));
		if (startup->steady)
			fprintf(f, " %-15s: %s: the first %llu operations are cut off\n",
				"Start-up", name,
				(unsigned long long)startup->cut);
		else
			fprintf(f, " %-15s: %s: its latency changes until the end\n",
				"Not steady", name);
	}
}
