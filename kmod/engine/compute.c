// SPDX-License-Identifier: GPL-2.0
#include "compute.h"
#include "host/clock.h"
#include "io/endpoint.h"
#include "run.h"

/* An uninterrupted pass takes less than GAP_NS plus GAP_PASSES of the shortest passes. */
#define GAP_NS		1000
#define GAP_PASSES	8
/* Longest time that a responder waits, whatever the timeout, ns. */
#define PATIENCE_NS	60000000000ULL
/* Number of passes that are made to find the time of the shortest one. */
#define PROBES		32
/* A share of all time; shares are per mille. */
#define SHARE_WHOLE	1000

/* One pass of computing, which may yield the CPU. Returns the clock after it. */
static u64 pass(struct icb_run *run)
{
	icb_ep_yield(run->ep, ICB_YIELD_OP, 0);
	return icb_clock_read();
}

/**
 * icb_compute_prepare() - prepare a side for computing
 * @run: with @icb_run.params, @icb_run.ep and @icb_run.timeout set
 *
 * Process context.
 */
void icb_compute_prepare(struct icb_run *run)
{
	const struct icb_params *params = run->params;
	struct icb_compute *compute = &run->compute;
	u64 least = U64_MAX, last, now;
	unsigned int i;

	compute->on = icb_params_begins(params, run->initiator) &&
		(icb_params_has(params, ICBENCH_A_PARAMS_COMPUTE) ||
		 icb_params_has(params, ICBENCH_A_PARAMS_COMPUTE_SHARE));
	if (!compute->on)
		return;
	compute->share = params->compute_share;
	compute->time = icb_clock_ticks(params->compute);
	/* a responder waits no longer than this, whatever the initiator's timeout is */
	compute->most = min_t(u64, run->timeout,
			      icb_clock_ticks(PATIENCE_NS)) / 4;
	last = pass(run);
	for (i = 0; i < PROBES; i++) {
		now = pass(run);
		least = min_t(u64, least, now - last);
		last = now;
	}
	compute->gap = icb_clock_ticks(GAP_NS) + GAP_PASSES * least;
}

/**
 * icb_compute_begin() - reset the times of computing at the start of a phase
 * @compute: computing of a side
 * @now: clock
 */
void icb_compute_begin(struct icb_compute *compute, u64 now)
{
	compute->ended = now;
	compute->waited = 0;
	compute->spent = 0;
	compute->booked = 0;
}

/* True if the computed time has reached goal, or its share of all time in this phase. */
static bool enough(const struct icb_compute *compute, u64 goal)
{
	if (compute->share)
		return compute->spent * (SHARE_WHOLE - compute->share) >=
		       compute->waited * compute->share;
	return compute->spent >= goal;
}

/**
 * icb_compute() - compute
 * @run: a side that has posted
 *
 * Computes for the time that the parameters give, or until the computed time has reached
 * its share of computed and other time. Time that an interrupt or another thread takes
 * meanwhile counts as neither. So computing takes longer then, as real work does. Ends
 * early if the run is stopped. Process context.
 */
void icb_compute(struct icb_run *run)
{
	struct icb_compute *compute = &run->compute;
	u64 goal = compute->spent + compute->time;
	u64 begin = icb_clock_read(), last = begin, now;

	compute->waited += begin - compute->ended;
	while (!enough(compute, goal) && last - begin < compute->most &&
	       !READ_ONCE(run->consumer.stop)) {
		now = pass(run);
		if (likely(now - last <= compute->gap))
			compute->spent += now - last;
		last = now;
	}
	compute->ended = last;
}
