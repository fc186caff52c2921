// SPDX-License-Identifier: GPL-2.0
#include <unistd.h>

#include "base/message.h"
#include "base/now.h"
#include "progress.h"

/* Shortest time between two updates: more than ten a second cannot be read. */
#define INTERVAL_NS	100000000ULL
/* Time between two lines of a log. */
#define LOG_NS		10000000000ULL

/**
 * progress_begin() - set up the progress of runs
 * @progress: the progress
 */
void progress_begin(struct progress *progress)
{
	memset(progress, 0, sizeof(*progress));
	progress->on = isatty(STDERR_FILENO);
	progress->quiet = message_is_quiet();
	progress->began = now_ns();
	progress->last = progress->began;
}

/* Completed part of a job, 0 to 1, or more if it overruns; negative if unknown. */
static double share(const struct nl_job *job)
{
	if (NL_HAS(job, ICBENCH_A_JOB_TOTAL) && job->total)
		return (double)job->done / job->total;
	if (icb_params_has(&job->params, ICBENCH_A_PARAMS_DURATION))
		return (double)job->elapsed / job->params.duration;
	return -1;
}

/**
 * progress_left() - estimate the time that is left, from the mean time of the runs so far
 * @progress: the line; its total is set
 * @part: completed part of the present run, 0 to 1
 *
 * Return: seconds until the end of all runs; negative if nothing has been completed yet.
 */
double progress_left(const struct progress *progress, double part)
{
	double done = progress->done + part;

	if (done <= 0)
		return -1;
	return (now_ns() - progress->began) / 1e9 *
	       (progress->total - done) / done;
}

/* Print the progress of all runs, if their total number is set. */
static void print_whole(FILE *f, const struct progress *progress, double part)
{
	double left;

	if (!progress->total)
		return;
	part = part < 0 ? 0 : part;
	left = progress_left(progress, part);
	fprintf(f, "; all: %.0f %%",
		100 * (progress->done + part) / progress->total);
	if (left >= 0)
		fprintf(f, ", %.0f s left", left);
}

static void print(FILE *f, const struct progress *progress,
		  const struct nl_job *job)
{
	double part = share(job), seconds = job->elapsed / 1e9;

	fprintf(f, "%s%s%s%s%s", progress->of, *progress->of ? ": " : "",
		progress->name, *progress->name ? ": " : "", nl_job_state(job));
	if (part > 1)
		part = 1;
	if (part >= 0)
		fprintf(f, " %3.0f %%", 100 * part);
	if (job->done && seconds > 0)
		fprintf(f, ", %.0f/s", job->done / seconds);
	if (part > 0 && seconds > 0)
		fprintf(f, ", %.0f s left", seconds / part - seconds);
	print_whole(f, progress, part);
}

/**
 * progress_update() - show the progress of a run
 * @progress: the progress
 * @job: job of the run
 */
void progress_update(struct progress *progress, const struct nl_job *job)
{
	const u64 interval = progress->on ? INTERVAL_NS : LOG_NS;
	u64 time = now_ns();

	if (progress->quiet)
		return;
	/* a log has no line for a run that has not begun */
	if (!progress->on && job->state < ICBENCH_JOB_STATE_WARMUP)
		return;
	if ((progress->shown || !progress->on) &&
	    time - progress->last < interval)
		return;
	progress->last = time;
	fputs(progress->on ? "\r" : "icbenchctl: progress: ", stderr);
	print(stderr, progress, job);
	fputs(progress->on ? "\033[K" : "\n", stderr);
	progress->shown = progress->on;
	fflush(stderr);
}

/**
 * progress_erase() - erase the line before other output
 * @progress: the line
 */
void progress_erase(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
