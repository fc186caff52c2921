// SPDX-License-Identifier: GPL-2.0
/* How the thread of a stream, or of an open loop, waits for completions. */
#include "host/clock.h"
#include "io/endpoint.h"
#include "run.h"
#include "stream.h"

/* Polls that found nothing between two calls of icb_run_idle(). */
#define POLLS_PER_IDLE	16

/* True if the thread sleeps until the next event after an empty poll. */
static bool stream_sleeps(const struct icb_run *run, u64 now)
{
	switch (run->params->completion) {
	case ICBENCH_COMPLETION_BLOCK:
		return true;
	case ICBENCH_COMPLETION_ADAPTIVE:
		return !icb_run_spins(run, now - run->since);
	default:
		return false;
	}
}

/* True while measured operations are in flight or still to be posted. */
static bool stream_counts(const struct icb_run *run)
{
	if (run->params->trigger == ICBENCH_TRIGGER_CLOCK)
		return READ_ONCE(run->consumer.phase) == ICB_PHASE_MEASURING &&
		       !READ_ONCE(run->tail);
	return run->timed;
}

/**
 * icb_stream_wait() - wait after a poll that found nothing
 * @run: either side
 * @polls: number of empty polls; raised where the thread does not sleep
 * @now: clock
 *
 * Return: 0 to continue; a negative error number.
 */
int icb_stream_wait(struct icb_run *run, unsigned int *polls, u64 now)
{
	int err;

	if (run->params->completion == ICBENCH_COMPLETION_TIMER) {
		icb_run_timer_wait(run, stream_counts(run));
		return 0;
	}
	if (stream_sleeps(run, now)) {
		err = icb_ep_arm(run->ep);
		if (!err)
			icb_run_sleep(run, stream_counts(run));
		return err;
	}
	if (++*polls % POLLS_PER_IDLE && !icb_ep_plan(run->ep)->one_cpu)
		return 0;
	return icb_run_idle(run, now);
}
