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
 * @job: how it ended; its parameters are the effective ones
 * @metrics: what was measured
 */
struct worker {
	struct nl_job job;
	struct metrics metrics;
};

/**
 * struct point - the result of one run, or of several runs of the same kind
 * @job: how it ended; its parameters are the effective ones
 * @metrics: what was measured
 * @worker: where several workers are one run: each of them, allocated; @job and
 *	@metrics are then of all
 * @workers: how many of these there are; 0 where there are not several
 * @load: how the load beside it ended; its number is 0 where there was none
 * @load_metrics: what that measured, over all of its time
 * @run: where the point is repeated: each run, in the order in which they were done,
 *	allocated; @job, @metrics, @load and @load_metrics are then of all of them
 * @runs: number of these; 0 where the point is one run
 * @startup: of an open loop whose start-up is cut off
 * @has_overhead: whether there is a baseline that it can be compared with
 * @bounded: whether the overhead has an interval
 * @overhead: its mean less the baseline's; with @bounded the means of the runs' means
 * @overhead_p50: its median less the baseline's, likewise
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
 * struct result - what icbenchctl run has to say
 * @recipe: the benchmark
 * @plan: its runs
 * @devs: the devices that there are
 * @argv: the command line, ending in NULL
 * @started: when
 * @point: one for each run of @plan that got as far as measuring, in the same
 *	order; allocated
 * @count: how many
 * @isolation: what was found of the CPUs of its runs, where somebody looked
 * @trace: of the run that a sample has ended; NULL where nobody can have one
 * @reason: why the result is partial; empty if it is not
 *
 * @recipe, @plan, @devs, @argv and @trace are the caller's.
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
const struct metrics *result_metrics(const struct result *result,
				     unsigned int index);
void result_forget(struct point *point);
void result_free(struct result *result);

#endif /* RESULT_H */
