// SPDX-License-Identifier: GPL-2.0
/*
 * One run: make a job, start it, wait for its end, take its result, forget it.
 */
#include <poll.h>

#include "interrupt.h"
#include "module.h"
#include "now.h"
#include "runner.h"
#include "status.h"

/* An event wakes us at once; this is for those that were lost. */
#define FALLBACK_MS	200
/* Two signals within this time are one. */
#define SAME_NS		300000000
/* Who has pressed Ctrl-C is waiting. */
#define HURRY_MS	20

/* Take the events that are there; @lost tells that some are not. */
static int take_events(struct runner *runner, struct nl_job *job, bool *lost,
		       struct icb_reason *why)
{
	struct nl_event event;
	u32 id = job->id;
	int err;

	for (;;) {
		err = nl_events_next(runner->nl, &event, why);
		if (err)
			return err;
		if (event.type == NL_EVENT_NONE)
			return 0;
		if (event.type == NL_EVENT_LOST)
			*lost = true;
		else if (event.type == NL_EVENT_JOB && event.job.id == id)
			*job = event.job;
	}
}

/*
 * The first signal stops the run, the second gives it up; but what comes close
 * behind is the same one, which timeout(1) sends to the program and its group.
 */
static int take_signals(struct runner *runner, u32 id, struct icb_reason *why)
{
	while (interrupt_take(runner->signals)) {
		if (runner->interrupted && now_ns() - runner->since < SAME_NS)
			continue;
		if (runner->interrupted)
			return icb_refuse(why, -EINTR, "given up by %s",
					  interrupt_name());
		runner->interrupted = true;
		runner->since = now_ns();
		/* one that has ended by itself meanwhile cannot be stopped */
		nl_job_stop(runner->nl, id, NULL);
	}
	return 0;
}

static int wait_for_end(struct runner *runner, struct nl_job *job,
			struct icb_reason *why)
{
	struct pollfd fds[] = {
		{ .fd = nl_events_fd(runner->nl), .events = POLLIN },
		{ .fd = runner->signals, .events = POLLIN },
	};
	u32 id = job->id;
	bool lost;
	int err;

	for (;;) {
		lost = !poll(fds, ARRAY_SIZE(fds), runner->interrupted ?
			     HURRY_MS : FALLBACK_MS);
		err = take_signals(runner, id, why);
		if (!err)
			err = take_events(runner, job, &lost, why);
		if (!err && lost)
			err = nl_job_get(runner->nl, id, job, why);
		if (err)
			return err;
		if (job->state == ICBENCH_JOB_STATE_FINISHED)
			return 0;
		progress_update(&runner->progress, job);
	}
}

static int take_result(struct runner *runner, u32 id, struct point *point,
		       struct icb_reason *why)
{
	int err;

	err = nl_result(runner->nl, id, &point->job, &point->metrics, why);
	/* one that failed early has no metrics */
	if (err && point->job.id &&
	    point->job.outcome != ICBENCH_OUTCOME_COMPLETE) {
		metrics_free(&point->metrics);
		return 0;
	}
	return err;
}

/**
 * runner_begin() - get ready for runs: the module, its devices, signals
 * @runner: where to, empty; runner_end() it in any case
 *
 * Return: 0, or an exit status, of which the user has been told why.
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
 * runner_end() - no more runs
 * @runner: what runner_begin() was given
 */
void runner_end(struct runner *runner)
{
	if (runner->nl)
		nl_end(runner->nl);
	nl_devs_free(&runner->devs);
}

/**
 * runner_interrupted() - see whether the user wants no more runs
 * @runner: between two runs
 *
 * Return: true if so.
 */
bool runner_interrupted(struct runner *runner)
{
	if (interrupt_take(runner->signals))
		runner->interrupted = true;
	return runner->interrupted;
}

/**
 * runner_run() - one run, from its beginning to its end
 * @runner: with what
 * @params: what it is to do
 * @point: its result, also that of a run which failed or was stopped:
 *	@point->job.outcome tells
 * @why: the reason of a refusal
 *
 * Return: 0; -EINTR if the user does not want to wait; another negative error
 * number with a reason if the module refused it.
 */
int runner_run(struct runner *runner, const struct icb_params *params,
	       struct point *point, struct icb_reason *why)
{
	int err;
	u32 id;

	err = nl_job_new(runner->nl, params, &id, why);
	if (err)
		return err;
	point->job.id = id;
	err = nl_job_start(runner->nl, id, why);
	if (!err)
		err = wait_for_end(runner, &point->job, why);
	progress_erase(&runner->progress);
	if (!err)
		err = take_result(runner, id, point, why);
	if (err != -EINTR)
		nl_job_del(runner->nl, id, NULL);
	return err;
}
