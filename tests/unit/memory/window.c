// SPDX-License-Identifier: GPL-2.0
#include "window.h"

/* Return the engine's count of operations in flight, without the @excluded newest. */
static u64 ops_in_flight(const struct icb_run *run, u64 excluded)
{
	return run->seq - excluded - run->acked;
}

/* With several QPs, each QP has its own window and its own completions. */
static void check_qp_post(struct icb_ep *ep)
{
	const struct icb_params *params = ep->own.net->params;
	const struct icb_flow *flow = &ep->own.run->flow[ep->tx_at->index];
	u64 in_flight = flow->seq - flow->acked;

	if (in_flight > params->window)
		net_wrong(ep->own.net, "side %u posts more than the window of QP %u",
			  ep->own.side, ep->tx_at->index);
	if (ep->own.run->seq > ep->own.run->mark)
		net_wrong(ep->own.net, "side %u posts after the end of the phase", ep->own.side);
}

/* A refill takes less time than this, ticks. */
#define REFILL_TICKS	20000

/**
 * window_yields() - test if a stream may stop to post before its window is full
 * @run: either side
 *
 * Return: true if it may: other tasks have to run, or the rest is left to later callbacks.
 */
bool window_yields(const struct icb_run *run)
{
	return run->stretch < REFILL_TICKS ||
	       (icb_run_callbacks(run) && run->part < run->params->window);
}

/* In each phase, one of signal-every operations is signalled, and the last operation. */
static bool is_signalled(const struct icb_run *run, u64 number)
{
	return !((number - run->base) % run->params->signal_every) ||
	       number == run->mark;
}

/*
 * Each compare-and-swap expects the word that the one before has stored, and stores that
 * word plus 1. Each fetch-and-add adds 1.
 */
static bool has_operands(const struct icb_ep *ep, unsigned int op, u64 before)
{
	u64 word = ep->own.net->params->seed + before;

	switch (ep->own.net->params->verb) {
	case ICBENCH_VERB_FETCH_ADD:
		return ep->own.compare_add[op] == 1;
	case ICBENCH_VERB_CMP_SWAP:
		return ep->own.compare_add[op] == word && ep->own.swap[op] == word + 1;
	default:
		return true;
	}
}

/**
 * window_post() - check a post of a stream
 * @ep: endpoint of the stream
 * @count: number of work requests
 *
 * Called before the work requests are in flight.
 */
void window_post(struct icb_ep *ep, unsigned int count)
{
	const struct icb_run *run = ep->own.run;
	const struct icb_params *params = run->params;
	u64 before = run->seq - count;
	unsigned int i;

	if (run->flows > 1) {
		check_qp_post(ep);
		return;
	}
	if (before != ep->own.post_attempts)
		net_wrong(ep->own.net, "side %u has counted its posts wrong",
			  ep->own.side);
	if (ops_in_flight(run, 0) > params->window)
		net_wrong(ep->own.net, "side %u posts more than its window",
			  ep->own.side);
	if (ep->own.net->clock)
		return;
	if (count > params->batch)
		net_wrong(ep->own.net, "side %u posts more than a batch", ep->own.side);
	if (before == run->base && ops_in_flight(run, count))
		net_wrong(ep->own.net, "side %u starts a phase with operations in flight",
			  ep->own.side);
	if (!ep->plan.credited && !window_yields(run) &&
	    before - run->base >= params->window &&
	    ops_in_flight(run, count) < params->window - params->refill)
		net_wrong(ep->own.net, "side %u refills its window too late", ep->own.side);
	if (run->seq > run->mark)
		net_wrong(ep->own.net, "side %u posts after the end of the phase", ep->own.side);
	for (i = 0; i < count; i++) {
		if (ep->own.signal[i] != is_signalled(run, before + i + 1))
			net_wrong(ep->own.net, "side %u signals the wrong operation",
				  ep->own.side);
		if (!has_operands(ep, i, before + i))
			net_wrong(ep->own.net, "side %u sets a wrong operand",
				  ep->own.side);
	}
}

/* A message of a side may be lost, and then its work request never completes. */
static bool may_drop(const struct icb_ep *ep)
{
	const struct net_faults *faults = ep->own.net->config.faults;

	return faults[0].drop || faults[1].drop;
}

/* No fault makes the engine's count of completions differ from the endpoint's count. */
static bool counts_agree(const struct icb_ep *ep)
{
	const struct net_faults *faults = net_faults(ep);

	/* the pieces of a striped message complete one by one */
	return !ep->plan.striped && !faults->no_cpl_from && !faults->no_cpl && !may_drop(ep) &&
	       !faults->send && !READ_ONCE(ep->own.run->consumer.stop);
}

/**
 * window_take() - check a stream that polls its CQ, or has handled a completion
 * @ep: endpoint of the stream
 */
void window_take(struct icb_ep *ep)
{
	const struct icb_run *run = ep->own.run;
	const struct icb_params *params = run->params;
	u64 acked = READ_ONCE(run->acked);

	/* a window that is answered is counted as a whole, when its answer is taken */
	if (!ep->own.net->stream || ep->own.net->clock || params->reply || !run->mark ||
	    READ_ONCE(run->consumer.phase) == ICB_PHASE_OVER)
		return;
	if (counts_agree(ep) && acked != ep->own.freed)
		net_wrong(ep->own.net, "side %u has counted its completions wrong",
			  ep->own.side);
	if (acked > ep->own.freed && !may_drop(ep))
		net_wrong(ep->own.net, "side %u counts too many completions", ep->own.side);
	if (READ_ONCE(run->consumer.stop) || run->seq >= run->mark || run->flows > 1 ||
	    ep->plan.credited || window_yields(run) ||
	    run->seq - run->base < params->window)
		return;
	if (ops_in_flight(run, 0) < params->window - params->refill)
		net_wrong(ep->own.net, "side %u refills its window too late", ep->own.side);
}
