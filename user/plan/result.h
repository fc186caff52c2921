/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RESULT_H
#define RESULT_H

#include <time.h>

#include "nl/device.h"
#include "nl/jobs.h"
#include "plan.h"
#include "recipe.h"
#include "stats/compare_stats.h"
#include "stats/metric.h"
#include "stats/startup.h"

struct trace;

/**
 * struct worker - one of several runs that were measured at the same time
 * @job: final state of the run, with its effective parameters
 * @metrics: metrics of the run
 */
struct worker {
	struct nl_job job;
	struct metrics metrics;
};

/**
 * struct point - the result of one run, or of several runs of the same kind
 * @job: final state of the run, with its effective parameters
 * @metrics: metrics of the run
 * @worker: results of the workers of one run, allocated; @job and @metrics are then of
 *	all workers together
 * @workers: number of entries in @worker; 0 without several workers
 * @load: final state of the load beside the run; its id is 0 without a load
 * @load_metrics: metrics of the load, over all of its time
 * @run: runs of a repeated point, in the order in which they were done, allocated; @job,
 *	@metrics and @load_metrics are then of all runs, @load is of the first run
 * @runs: number of entries in @run; 0 if the point is one run
 * @startup: start-up of an open loop, if it is cut off
 * @has_overhead: true if there is a baseline to compare with
 * @bounded: true if the overhead has an interval
 * @overhead: mean less the baseline's mean, in the unit of the main metric; if @bounded,
 *	from the means of all runs
 * @overhead_p50: median less the baseline's median, in the unit of the main metric; if
 *	@bounded, from the medians of all runs
 */
struct point {
	struct nl_job job;
	struct metrics metrics;
	struct worker *worker;
	u32 workers;
	struct nl_job load;
	struct metrics load_metrics;
	struct point *run;
	u32 runs;
	struct startup startup;
	bool has_overhead;
	bool bounded;
	struct range overhead;
	struct range overhead_p50;
};

/**
 * struct result - the result of a benchmark
 * @recipe: the benchmark
 * @plan: runs of the benchmark
 * @devs: devices of this host
 * @argv: the command line, ending in NULL
 * @started: start time of the runs
 * @point: one for each run of @plan that got as far as measuring, in the same
 *	order; allocated
 * @count: number of points
 * @isolation: findings about the CPUs of the runs, if these were examined
 * @trace: trace of the run that a sample has ended; NULL if there can be none
 * @reason: reason why the result is partial; empty if the result is complete
 *
 * @recipe, @plan, @devs, @argv and @trace are owned by the caller.
 */
struct result {
	const struct recipe *recipe;
	const struct plan *plan;
	const struct nl_devs *devs;
	char **argv;
	time_t started;
	struct point *point;
	unsigned int count;
	struct isolation isolation;
	const struct trace *trace;
	char reason[NL_TEXT_MAX];
};

struct point *result_add(struct result *result);
const struct nl_dev *result_device(const struct result *result,
				   const struct point *point);
void result_link(const struct nl_dev *dev, char *buf, size_t size);
void result_baseline(const struct result *result, char *buf, size_t size);
void result_point_name(const struct result *result, unsigned int index,
		       char *buf, size_t size);
void result_started(const struct result *result, char *buf, size_t size);
const struct metrics *result_metrics(const struct result *result,
				     unsigned int index);
void point_clear(struct point *point);
void result_free(struct result *result);

#endif /* RESULT_H */
