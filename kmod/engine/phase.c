// SPDX-License-Identifier: GPL-2.0
/* The phases of a stream: warm-up, measured, and its tail, until others have measured. */
#include "compute.h"
#include "host/clock.h"
#include "message.h"
#include "phase.h"
#include "run.h"

/**
 * icb_stream_peer_behind() - whether the other side's stream is still measured
 * @run: either side
 *
 * Where both sides stream, the rate of each is measured beside the other's.
 *
 * Return: true if so, of an initiator.
 */
bool icb_stream_peer_behind(const struct icb_run *run)
{
	return run->initiator && icb_params_waits_own(run->params, false) &&
	       !READ_ONCE(run->peer_measured);
}

/* This side has measured: is it done only once others have, too? */
static bool lingers(struct icb_run *run)
{
	bool barrier = icb_run_lingers(run);

	return icb_stream_peer_behind(run) || barrier;
}

/* Operations in the first interval; a responder's, which tells of it, is no longer. */
static u64 lap_of(const struct icb_run *run)
{
	const struct icb_params *params = run->params;

	if (run->initiator ||
	    !icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS))
		return params->window;
	return min_t(u64, params->window, params->iterations);
}

/**
 * icb_stream_next() - begin the next phase
 * @run: either side, with nothing on its way
 *
 * Return: false when no phase is left.
 */
bool icb_stream_next(struct icb_run *run)
{
	unsigned int i;

	if (run->tail || (run->timed && !lingers(run)))
		return false;
	run->base = run->seq;
	for (i = 0; i < run->flows; i++) {
		run->flow[i].done = run->flow[i].acked - run->flow[i].base;
		run->flow[i].base = run->flow[i].seq;
		run->flow[i].unsignalled = run->params->signal_every;
		run->flow[i].fill = false;
	}
	run->fills = run->flows > 1;
	run->fill = run->fills ? run->params->window : 0;
	run->fill_at = 0;
	run->split = false;
	if (run->timed) {
		icb_clock_busy(&run->busy[1], run->cpu);
		run->timed = false;
		run->tail = true;
		run->lapped = icb_clock_read();
		run->mark = U64_MAX;
		return true;
	}
	if (run->left) {
		run->mark = run->base + run->left;
		run->left = 0;
		if (run->compute.on)
			icb_compute_begin(&run->compute, icb_clock_read());
		return true;
	}
	if (!icb_run_warm(run) && !run->params->reply) {
		run->mark = U64_MAX;
		run->held = true;
		return true;
	}
	run->held = false;
	run->first = run->seq + 1;
	run->mark = run->goal == U64_MAX ? U64_MAX : run->base + run->goal;
	run->lap = run->base + lap_of(run);
	icb_run_measure(run);
	run->timed = true;
	icb_run_undisturbed(run);
	run->lapped = icb_clock_read();
	icb_compute_begin(&run->compute, run->lapped);
	WRITE_ONCE(run->began, run->lapped);
	WRITE_ONCE(run->ended, run->lapped);
	if (run->mark == U64_MAX && run->until < U64_MAX - run->lapped)
		run->deadline = run->lapped + run->until;
	return true;
}

/**
 * icb_stream_end() - post no more than the next completion needs
 * @run: either side, which has measured for long enough
 *
 * Where there are several QPs none is left without a completion: see check_window() in
 * trigger.c.
 */
void icb_stream_end(struct icb_run *run)
{
	u64 mark = run->seq;

	run->deadline = U64_MAX;
	if (run->flow->unsignalled != run->params->signal_every)
		mark += run->flow->unsignalled;
	/* the last one that there is to be has a completion, too */
	run->mark = min_t(u64, run->mark, mark);
}

/* What atomics have done is seen by their sum. */
