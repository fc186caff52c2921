// SPDX-License-Identifier: GPL-2.0
/*
 * The phases of a stream: warm-up, measured part, and the tail, which lasts until the
 * peer and the other runs of the barrier have measured, too.
 */
#include "compute.h"
#include "host/clock.h"
#include "message.h"
#include "phase.h"
#include "run.h"

/**
 * icb_stream_peer_behind() - test if an initiator has to wait for the responder's stream
 * @run: either side
 *
 * Where both sides stream, each has to stream while the other one measures.
 *
 * Return: true if the responder has not measured its stream yet; false for a responder.
 */
bool icb_stream_peer_behind(const struct icb_run *run)
{
	return run->initiator && icb_params_waits_own(run->params, false) &&
	       !READ_ONCE(run->peer_measured);
}

/* True if a side that has measured has to continue, since others have not measured. */
static bool lingers(struct icb_run *run)
{
	bool barrier = icb_run_lingers(run);

	return icb_stream_peer_behind(run) || barrier;
}

/*
 * Number of operations in the first interval. A responder reports the end of it, so there
 * it has no more operations than the initiator measures.
 */
static u64 lap_of(const struct icb_run *run)
{
	const struct icb_params *params = run->params;

	if (run->initiator ||
	    !icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS))
		return params->window;
	return min_t(u64, params->window, params->iterations);
}

/**
 * icb_stream_next() - begin the next phase of a stream
 * @run: either side, with no operation in flight
 *
 * Return: false if no phase is left.
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
	run->sweep = 0;
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
 * icb_stream_end() - end the present phase of a stream with the next signalled operation
 * @run: either side, which has been in this phase for long enough
 *
 * With several QPs, no QP is left without a completion of its last operation: see
 * trigger_rules[] in trigger.c.
 */
void icb_stream_end(struct icb_run *run)
{
	u64 mark = run->seq;

	run->deadline = U64_MAX;
	if (run->flow->unsignalled != run->params->signal_every)
		mark += run->flow->unsignalled;
	/* the operation at the former mark is signalled in any case */
	run->mark = min_t(u64, run->mark, mark);
}
