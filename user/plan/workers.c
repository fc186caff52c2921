// SPDX-License-Identifier: GPL-2.0
/*
 * The combined result of several workers. Each worker is a run of its own, and the module
 * measures all of them at the same time.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "bound.h"
#include "model/verbs_table.h"
#include "stats/confidence.h"
#include "stats/interval.h"
#include "stats/merge.h"
#include "workers.h"

/* Divisors of scaled values: per cent and operations/s; fairness; per message and ns. */
#define OVERLAP_DIVISOR		1000
#define FAIRNESS_DIVISOR	1000000
#define PER_MESSAGE_DIVISOR	1000
#define SECOND_NS		1000000000ULL

/**
 * workers_begin() - allocate the results of workers
 * @point: point of the workers
 * @count: number of workers
 */
void workers_begin(struct point *point, u32 count)
{
	point->worker = alloc_zero(count, sizeof(*point->worker));
	point->workers = count;
}

/**
 * workers_together() - combine the progress of several workers
 * @point: point of the workers
 * @job: destination: the earliest state, the longest time, the sum of the operations
 */
void workers_together(const struct point *point, struct nl_job *job)
{
	const struct nl_job *other;
	u32 i;

	*job = point->worker[0].job;
	for (i = 1; i < point->workers; i++) {
		other = &point->worker[i].job;
		job->has &= other->has;
		job->state = min_t(u32, job->state, other->state);
		job->done += other->done;
		job->total += other->total;
		job->threads += other->threads;
		job->elapsed = max_t(u64, job->elapsed, other->elapsed);
		job->began = min_t(u64, job->began, other->began);
		job->ended = max_t(u64, job->ended, other->ended);
	}
}

/* Take the reason of the first worker that failed, or else the first reason given. */
static void conclude(const struct point *point, struct nl_job *job)
{
	const struct nl_job *other;
	bool failed, any = false;
	u32 i;

	job->outcome = ICBENCH_OUTCOME_COMPLETE;
	job->err = 0;
	job->reason[0] = '\0';
	for (i = 0; i < point->workers; i++) {
		other = &point->worker[i].job;
		failed = other->outcome == ICBENCH_OUTCOME_FAILED;
		if (other->outcome == ICBENCH_OUTCOME_COMPLETE || any)
			continue;
		if (failed || job->outcome == ICBENCH_OUTCOME_COMPLETE)
			job->outcome = other->outcome;
		if (failed) {
			any = true;
			job->err = other->err;
			snprintf(job->reason, sizeof(job->reason),
				 "worker %u: %.230s", i + 1, *other->reason ?
				 other->reason : strerror(other->err));
		} else if (!*job->reason) {
			memcpy(job->reason, other->reason,
			       sizeof(job->reason));
		}
	}
}

/**
 * workers_differ() - check whether workers have different values of a parameter
 * @point: point of the workers
 * @param: the parameter
 *
 * Return: true if so.
 */
bool workers_differ(const struct point *point, const struct icb_param *param)
{
	const struct icb_params *first = &point->worker[0].job.params, *other;
	u32 i;

	for (i = 1; i < point->workers; i++) {
		other = &point->worker[i].job.params;
		if (icb_params_has(first, param->attr) !=
		    icb_params_has(other, param->attr) ||
		    memcmp((const char *)first + param->offset,
			   (const char *)other + param->offset, param->bytes))
			return true;
	}
	return false;
}

/* The whole has no value for a parameter that differs by worker and was not given. */
static void settle_params(struct point *point, const struct icb_params *planned)
{
	struct icb_params *params = &point->job.params;
	unsigned int i;

	if (workers_bound(planned))
		workers_take_shared(params, planned);
	for (i = 0; i < icb_param_count; i++)
		if (!icb_params_given(planned, icb_param_table[i].attr) &&
		    workers_differ(point, &icb_param_table[i]))
			params->set &= ~BIT_ULL(icb_param_table[i].attr);
}

static void add_number(struct metrics *metrics, const char *name, u32 unit,
		       u64 value, u32 divisor)
{
	struct metric *metric;

	metrics->metric = alloc_grow(metrics->metric, metrics->count,
				     sizeof(*metrics->metric));
	metric = &metrics->metric[metrics->count++];
	memset(metric, 0, sizeof(*metric));
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->unit = unit;
	metric->kind = ICBENCH_METRIC_KIND_SCALAR;
	metric->value = value;
	metric->divisor = divisor;
}

/* Rate of a worker by metric @name, or in operations per second if @name is NULL. */
static bool rate_of(const struct worker *worker, const char *name,
		    struct metric *rate)
{
	const struct metric *metric;

	memset(rate, 0, sizeof(*rate));
	if (name) {
		metric = metrics_find(&worker->metrics, name);
		if (metric && !metric->hist)
			*rate = *metric;
		return metric && !metric->hist && metric->value;
	}
	rate->unit = ICBENCH_UNIT_PER_SECOND;
	rate->divisor = OVERLAP_DIVISOR;
	if (!worker->job.elapsed || !worker->job.done)
		return false;
	rate->value = (u64)((__uint128_t)worker->job.done * SECOND_NS *
			    rate->divisor / worker->job.elapsed);
	return true;
}

/* Add the slowest rate, the fastest rate and Jain's index, if each worker has a rate. */
static bool add_shares(struct point *point, const char *name)
{
	long double value, sum = 0, squares = 0;
	u64 least = U64_MAX, most = 0;
	struct metric rate = { 0 };
	u32 i;

	for (i = 0; i < point->workers; i++) {
		if (!rate_of(&point->worker[i], name, &rate))
			return false;
		value = (long double)rate.value;
		least = min_t(u64, least, rate.value);
		most = max_t(u64, most, rate.value);
		sum += value;
		squares += value * value;
	}
	add_number(&point->metrics, "worker_min", rate.unit, least,
		   rate.divisor);
	add_number(&point->metrics, "worker_max", rate.unit, most,
		   rate.divisor);
	add_number(&point->metrics, "fairness", ICBENCH_UNIT_COUNT,
		   (u64)(sum * sum * FAIRNESS_DIVISOR /
			 (point->workers * squares) + 0.5L),
		   FAIRNESS_DIVISOR);
	return true;
}

/*
 * CPU time per message. The workers share the host's CPUs, so each worker has measured
 * the CPU time of all workers, in its own interval. The combined value is the mean of
 * these times, divided by the messages of all workers.
 */
static void add_cpu(struct point *point, const char *name)
{
	long double value, sum = 0, rates = 0;
	const struct metric *cpu = NULL;
	struct metric rate;
	u32 i;

	for (i = 0; i < point->workers; i++) {
		cpu = metrics_find(&point->worker[i].metrics, name);
		if (!cpu || cpu->hist ||
		    !rate_of(&point->worker[i], "message_rate", &rate))
			return;
		value = (long double)rate.value / rate.divisor;
		sum += value * cpu->value / cpu->divisor;
		rates += value;
	}
	value = sum / point->workers / rates * PER_MESSAGE_DIVISOR + 0.5L;
	if (value < (long double)U64_MAX)
		add_number(&point->metrics, cpu->name, cpu->unit, (u64)value,
			   PER_MESSAGE_DIVISOR);
}

/* All workers measure the same background load of the host, so take the mean. */
static void add_background(struct point *point)
{
	long double sum = 0;
	const struct metric *background = NULL;
	u32 i;

	for (i = 0; i < point->workers; i++) {
		background = metrics_find(&point->worker[i].metrics,
					  "cpu_background");
		if (!background || background->hist)
			return;
		sum += (long double)background->value / background->divisor;
	}
	sum = sum / point->workers * PER_MESSAGE_DIVISOR + 0.5L;
	if (sum < (long double)U64_MAX)
		add_number(&point->metrics, background->name, background->unit,
			   (u64)sum, PER_MESSAGE_DIVISOR);
}

/* Wake-ups of all workers' threads per message of all workers. */
static void add_wakeups(struct point *point)
{
	long double value, sum = 0, all = 0;
	const struct metric *wakeups = NULL;
	u32 i;

	for (i = 0; i < point->workers; i++) {
		wakeups = metrics_find(&point->worker[i].metrics,
				       "wakeups_per_message");
		if (!wakeups || wakeups->hist || !point->worker[i].job.done)
			return;
		value = (long double)point->worker[i].job.done;
		sum += value * wakeups->value / wakeups->divisor;
		all += value;
	}
	value = sum / all * PER_MESSAGE_DIVISOR + 0.5L;
	if (value < (long double)U64_MAX)
		add_number(&point->metrics, wakeups->name, wakeups->unit,
			   (u64)value, PER_MESSAGE_DIVISOR);
}

/* Share of the longest worker's time in which all workers ran, per cent. */
static void add_overlap(struct point *point)
{
	u64 began = 0, ended = U64_MAX, longest = 0, common;
	const struct nl_job *job;
	u32 i;

	for (i = 0; i < point->workers; i++) {
		job = &point->worker[i].job;
		if (!NL_HAS(job, ICBENCH_A_JOB_BEGAN) ||
		    !NL_HAS(job, ICBENCH_A_JOB_ENDED) || job->ended < job->began)
			return;
		began = max_t(u64, began, job->began);
		ended = min_t(u64, ended, job->ended);
		longest = max_t(u64, longest, job->ended - job->began);
	}
	if (!longest)
		return;
	common = ended > began ? ended - began : 0;
	add_number(&point->metrics, "overlap", ICBENCH_UNIT_PERCENT,
		   (u64)((__uint128_t)common * 100 * OVERLAP_DIVISOR / longest),
		   OVERLAP_DIVISOR);
}

/*
 * A percentile over all workers hides a worker that is slower than the others. So add the
 * least and the greatest p99 of the main metric among the workers.
 */
static void add_tails(struct point *point)
{
	double value, least = 0, most = 0;
	const struct metric *metric;
	u32 i;

	for (i = 0; i < point->workers; i++) {
		metric = metrics_main(&point->worker[i].metrics);
		if (!metric || !metric->stats.count)
			return;
		value = metric->stats.percentile[STATS_99];
		least = i ? fmin(least, value) : value;
		most = fmax(most, value);
	}
	add_number(&point->metrics, "worker_p99_min", ICBENCH_UNIT_NS,
		   (u64)(least * PER_MESSAGE_DIVISOR + 0.5),
		   PER_MESSAGE_DIVISOR);
	add_number(&point->metrics, "worker_p99_max", ICBENCH_UNIT_NS,
		   (u64)(most * PER_MESSAGE_DIVISOR + 0.5),
		   PER_MESSAGE_DIVISOR);
}

/* Add the intervals of the mean and the percentiles of the main metric, and of the rates. */
static void add_intervals(struct point *point,
			  const struct metrics *const *part)
{
	static const char *const rates[] = { "bandwidth", "message_rate" };
	const struct metric *first = metrics_main(&point->metrics);
	struct metric *metric;
	unsigned int i, j;

	for (i = 0; i < point->metrics.count; i++) {
		metric = &point->metrics.metric[i];
		for (j = 0; j < ARRAY_SIZE(rates); j++)
			if (metric == first || !strcmp(metric->name, rates[j]))
				break;
		if (j < ARRAY_SIZE(rates))
			interval_merge(metric, part, point->workers);
		if (metric == first)
			confidence_merge(metric, part, point->workers);
	}
}

/**
 * workers_end() - combine the results of workers into one
 * @point: point of the workers, each of which has ended and has its result
 * @params: parameters planned for all workers together
 */
void workers_end(struct point *point, const struct icb_params *params)
{
	const struct metrics **part;
	u32 i;

	workers_together(point, &point->job);
	conclude(point, &point->job);
	settle_params(point, params);
	/* the clock error is that of one run */
	point->job.clock.has &= ~BIT_ULL(ICBENCH_A_CLOCK_ERROR_PPM);
	part = alloc_zero(point->workers, sizeof(*part));
	for (i = 0; i < point->workers; i++)
		part[i] = &point->worker[i].metrics;
	merge_metrics(&point->metrics, part, point->workers);
	add_intervals(point, part);
	free(part);
	if (!metrics_any(&point->metrics))
		return;
	if (!add_shares(point, "bandwidth") &&
	    !add_shares(point, "message_rate"))
		add_shares(point, NULL);
	add_tails(point);
	add_overlap(point);
	add_cpu(point, "cpu_per_message");
	add_cpu(point, "cpu_per_message_both");
	add_cpu(point, "cpu_per_message_one");
	add_background(point);
	add_wakeups(point);
}
