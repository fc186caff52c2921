// SPDX-License-Identifier: GPL-2.0
/* Does one run: makes its job, starts it, waits for its end, and reads its result. */
#include <poll.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/now.h"
#include "base/status.h"
#include "model/verbs_table.h"
#include "nl/events.h"
#include "nl/module.h"
#include "plan/bound.h"
#include "nl/result.h"
#include "plan/workers.h"
#include "runner.h"

/* Longest wait for an event: after it the jobs are queried, as events may be lost. */
#define POLL_MS	200
/* Signals within this time after the first one count as the same signal. */
#define SIGNAL_MERGE_NS		300000000
/* Longest wait for an event after a signal: the user waits for the end of the program. */
#define POLL_STOPPING_MS	20

/* Jobs that are waited for together; at least one. */
struct jobs {
	struct nl_job **job;
	u32 count;
};

static struct nl_job *find_job(const struct jobs *jobs, u32 id)
{
	u32 i;

	for (i = 0; i < jobs->count; i++)
		if (jobs->job[i]->id == id)
			return jobs->job[i];
	return NULL;
}

/* Update the jobs from all pending events; set @lost if events were lost. */
static int take_events(struct runner *runner, const struct jobs *jobs,
		       bool *lost, struct icb_reason *why)
{
	struct nl_event event;
	struct nl_job *job;
	int err;

	for (;;) {
		err = nl_events_next(runner->nl, &event, why);
		if (err)
			return err;
		if (event.type == NL_EVENT_NONE)
			return 0;
		if (event.type == NL_EVENT_LOST)
			*lost = true;
		if (event.type != NL_EVENT_JOB)
			continue;
		job = find_job(jobs, event.job.id);
		if (job)
			*job = event.job;
	}
}

/*
 * The first signal stops the jobs, the second one ends the wait for them. A signal
 * shortly after the first one is ignored: timeout(1) sends its signal to the program, and
 * once more to the program's process group.
 */
static int take_signals(struct runner *runner, const struct jobs *jobs,
			struct icb_reason *why)
{
	u32 i;

	while (interrupt_take(runner->signals)) {
		if (runner->interrupted && now_ns() - runner->since < SIGNAL_MERGE_NS)
			continue;
		if (runner->interrupted)
			return icb_refuse(why, -EINTR, "aborted by %s",
					  interrupt_name());
		runner->interrupted = true;
		runner->since = now_ns();
		/* an error is ignored: a job that has already ended cannot be stopped */
		for (i = 0; i < jobs->count; i++)
			nl_job_stop(runner->nl, jobs->job[i]->id, NULL);
	}
	return 0;
}

/* Query the jobs that have not reached @state according to the events. */
static int query_jobs(struct runner *runner, const struct jobs *jobs, u32 state,
		      struct icb_reason *why)
{
	int err = 0;
	u32 i, id;

	for (i = 0; i < jobs->count && !err; i++) {
		id = jobs->job[i]->id;
		if (jobs->job[i]->state < state)
			err = nl_job_get(runner->nl, id, jobs->job[i], why);
	}
	return err;
}

/* The earliest state of the jobs. */
static u32 earliest_state(const struct jobs *jobs)
{
	u32 state = jobs->job[0]->state, i;

	for (i = 1; i < jobs->count; i++)
		state = min_t(u32, state, jobs->job[i]->state);
	return state;
}

/*
 * Wait until all jobs have reached @state or a later one. @point has the workers if the
 * jobs are those of workers; else it is NULL.
 */
static int wait_for_all(struct runner *runner, const struct jobs *jobs,
			const struct point *point, u32 state,
			struct icb_reason *why)
{
	struct pollfd fds[] = {
		{ .fd = nl_events_fd(runner->nl), .events = POLLIN },
		{ .fd = runner->signals, .events = POLLIN },
	};
	struct nl_job together;
	bool lost;
	int err;

	for (;;) {
		lost = !poll(fds, ARRAY_SIZE(fds), runner->interrupted ?
			     POLL_STOPPING_MS : POLL_MS);
		err = take_signals(runner, jobs, why);
		if (!err)
			err = take_events(runner, jobs, &lost, why);
		if (!err && lost)
			err = query_jobs(runner, jobs, state, why);
		if (err)
			return err;
		if (earliest_state(jobs) >= state)
			return 0;
		if (point)
			workers_together(point, &together);
		progress_update(&runner->progress, point ? &together :
							   jobs->job[0]);
	}
}

/* Wait until the job has reached @state or a later one. */
static int wait_for(struct runner *runner, struct nl_job *job, u32 state,
		    struct icb_reason *why)
{
	const struct jobs jobs = { .job = &job, .count = 1 };

	return wait_for_all(runner, &jobs, NULL, state, why);
}

/* True if one thread drives both sides, so that messages do not cross. */
static bool single_thread(const struct icb_params *params)
{
	return !icb_params_has(params, ICBENCH_A_PARAMS_PEER) &&
	       params->cpu == params->peer_cpu &&
	       BIT(params->completion) & ICB_COMPLETIONS_BUSY;
}

/*
 * In a bidirectional ping-pong, a side that has begun late stays late. Its samples are
 * alternately too short and too long.
 */
static void mark_alternating(const struct icb_params *params,
			     struct metrics *metrics)
{
	struct metric *metric = metrics_find(metrics, "latency");

	if (metric && params->trigger == ICBENCH_TRIGGER_ECHO &&
	    params->direction == ICBENCH_DIRECTION_BI && !single_thread(params))
		metric->alternates = true;
}

static int take_result(struct runner *runner, u32 id, struct nl_job *job,
		       struct metrics *metrics, struct icb_reason *why)
{
	int err;

	err = nl_result(runner->nl, id, job, metrics, why);
	mark_alternating(&job->params, metrics);
	/* a job that failed early has no metrics: that is no error */
	if (err && job->id && job->outcome != ICBENCH_OUTCOME_COMPLETE) {
		metrics_free(metrics);
		return 0;
	}
	return err;
}

/**
 * runner_begin() - connect to the module, list the devices, and catch signals
 * @runner: empty runner to fill; runner_end() it in any case
 *
 * Return: 0, or an exit status after the reason has been reported to the user.
 */
int runner_begin(struct runner *runner)
{
	struct icb_reason why;
	int err;

	runner->nl = module_open();
	if (!runner->nl)
		return STATUS_SETUP;
	runner->signals = interrupt_open();
	err = nl_dev_list(runner->nl, &runner->devs, &why);
	if (!err)
		err = nl_events_open(runner->nl, &why);
	if (err)
		return module_refused(err, &why);
	progress_begin(&runner->progress);
	return 0;
}

/**
 * runner_end() - close the connection to the module, and free the devices
 * @runner: the runner
 */
void runner_end(struct runner *runner)
{
	if (runner->nl)
		nl_end(runner->nl);
	nl_devs_free(&runner->devs);
}

/**
 * runner_interrupted() - check whether a signal has asked to stop
 * @runner: runner that is between two runs
 *
 * Return: true if so.
 */
bool runner_interrupted(struct runner *runner)
{
	if (interrupt_take(runner->signals))
		runner->interrupted = true;
	return runner->interrupted;
}

/* Run one job and read its result. After -EINTR the job ends with the connection. */
static int run_job(struct runner *runner, const struct icb_params *params,
		   struct point *point, struct icb_reason *why)
{
	int err;
	u32 id;

	err = nl_job_new(runner->nl, params, 0, &id, why);
	if (err)
		return err;
	point->job.id = id;
	err = nl_job_start(runner->nl, id, why);
	if (!err)
		err = wait_for(runner, &point->job, ICBENCH_JOB_STATE_FINISHED,
			       why);
	progress_erase(&runner->progress);
	if (!err)
		err = take_result(runner, id, &point->job, &point->metrics, why);
	if (err != -EINTR)
		nl_job_del(runner->nl, id, NULL);
	return err;
}

/*
 * Make the jobs of all workers before any of them is started: they wait for each other.
 */
static int make_workers(struct runner *runner, const struct icb_params *params,
			struct point *point, struct icb_reason *why)
{
	u32 group = ++runner->groups, i;
	struct icb_params mine;
	int err = 0;

	for (i = 0; i < point->workers && !err; i++) {
		workers_params(params, i, &mine);
		err = nl_job_new(runner->nl, &mine, group,
				 &point->worker[i].job.id, why);
	}
	return err;
}

static void delete_workers(struct runner *runner, const struct point *point)
{
	u32 i;

	for (i = 0; i < point->workers; i++)
		if (point->worker[i].job.id)
			nl_job_del(runner->nl, point->worker[i].job.id, NULL);
}

static int wait_for_workers(struct runner *runner, struct point *point,
			    struct icb_reason *why)
{
	struct jobs jobs = { .count = point->workers };
	u32 i;
	int err;

	jobs.job = alloc_zero(point->workers, sizeof(*jobs.job));
	for (i = 0; i < point->workers; i++)
		jobs.job[i] = &point->worker[i].job;
	err = wait_for_all(runner, &jobs, point, ICBENCH_JOB_STATE_FINISHED,
			   why);
	free(jobs.job);
	return err;
}

/* Run the jobs of all workers, and read the result of each; see run_job() for -EINTR. */
static int run_workers(struct runner *runner, const struct icb_params *params,
		       struct point *point, struct icb_reason *why)
{
	struct worker *worker;
	int err;
	u32 i;

	workers_begin(point, params->workers);
	err = make_workers(runner, params, point, why);
	for (i = 0; i < point->workers && !err; i++)
		err = nl_job_start(runner->nl, point->worker[i].job.id, why);
	if (!err)
		err = wait_for_workers(runner, point, why);
	progress_erase(&runner->progress);
	for (i = 0; i < point->workers && !err; i++) {
		worker = &point->worker[i];
		err = take_result(runner, worker->job.id, &worker->job,
				  &worker->metrics, why);
	}
	if (err != -EINTR)
		delete_workers(runner, point);
	if (!err)
		workers_end(point, params);
	return err;
}

/**
 * runner_try() - check whether the module accepts a run
 * @runner: runner from runner_begin()
 * @params: parameters of the run
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int runner_try(struct runner *runner, const struct icb_params *params,
	       struct icb_reason *why)
{
	struct point point = { 0 };
	int err;
	u32 id;

	if (params->workers <= 1) {
		err = nl_job_new(runner->nl, params, 0, &id, why);
		return err ? err : nl_job_del(runner->nl, id, why);
	}
	workers_begin(&point, params->workers);
	err = make_workers(runner, params, &point, why);
	delete_workers(runner, &point);
	point_clear(&point);
	return err;
}

/* A single worker is run as an ordinary job. */
static int run_all(struct runner *runner, const struct icb_params *params,
		   struct point *point, struct icb_reason *why)
{
	return params->workers > 1 ? run_workers(runner, params, point, why) :
				     run_job(runner, params, point, why);
}

/*
 * Start the load, and wait until the load measures: before, it is not at its full rate.
 */
static int begin_load(struct runner *runner, const struct icb_params *load,
		      struct point *point, struct icb_reason *why)
{
	struct icb_reason inner;
	int err;

	err = nl_job_new(runner->nl, load, 0, &point->load.id,
			 &inner);
	if (!err)
		err = nl_job_start(runner->nl, point->load.id, &inner);
	if (!err)
		err = wait_for(runner, &point->load,
			       ICBENCH_JOB_STATE_MEASURING, &inner);
	if (!err && point->load.state == ICBENCH_JOB_STATE_FINISHED)
		err = icb_refuse(&inner, point->load.err ? -(int)point->load.err :
				 -ECANCELED, "%s",
				 *point->load.reason ? point->load.reason :
				 "stopped before it began");
	return err ? icb_refuse(why, err, "load: %s", inner.text) : 0;
}

static int end_load(struct runner *runner, struct point *point,
		    struct icb_reason *why)
{
	u32 id = point->load.id;
	int err;

	/* an error is ignored: the outcome shows if the load had already ended */
	nl_job_stop(runner->nl, id, NULL);
	err = wait_for(runner, &point->load, ICBENCH_JOB_STATE_FINISHED, why);
	if (!err)
		err = take_result(runner, id, &point->load,
				  &point->load_metrics, why);
	return err;
}

/**
 * runner_run() - do one run, from its beginning to its end
 * @runner: runner from runner_begin()
 * @params: parameters of the run
 * @load: parameters of the load, which runs from before the first operation until after
 *	the last one; NULL for no load
 * @point: result, also if the run failed or was stopped: see @point->job.outcome. A load
 *	that lasted until the end of the run has the outcome "stopped"
 * @why: the reason of a refusal
 *
 * Return: 0; -EINTR if the user has ended the wait by a second signal; another negative
 * error number with a reason if the module refused the run.
 */
int runner_run(struct runner *runner, const struct icb_params *params,
	       const struct icb_params *load, struct point *point,
	       struct icb_reason *why)
{
	int err;

	if (!load)
		return run_all(runner, params, point, why);
	err = begin_load(runner, load, point, why);
	if (!err)
		err = run_all(runner, params, point, why);
	if (!err)
		err = end_load(runner, point, why);
	if (err != -EINTR && point->load.id)
		nl_job_del(runner->nl, point->load.id, NULL);
	return err;
}
