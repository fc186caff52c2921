// SPDX-License-Identifier: GPL-2.0
#include "window.h"

/* Work requests on their way, as the engine books them, and before the last. */
static u64 flying(const struct icb_run *run, u64 later)
{
	return run->seq - later - run->acked;
}

/* Of several QPs each has its window, and its completions. */
static void lanes_post(struct icb_ep *ep)
{
	const struct icb_params *params = ep->net->params;
	const struct icb_flow *flow = &ep->run->flow[ep->send_on];
	u64 on_way = flow->seq - flow->acked;

	if (on_way > params->window)
		net_wrong(ep->net, "side %u posts more than the window of QP %u",
			  ep->side, ep->send_on);
	if (ep->run->seq > ep->run->mark)
		net_wrong(ep->net, "side %u posts what is not due", ep->side);
}

/* It may begin less than it could, before others had their turn. */
static bool takes_turns(const struct icb_run *run)
{
	return run->stretch == 1;
}

/* Each signal-every-th of a phase is to complete, and its last one. */
static bool is_due(const struct icb_run *run, u64 number)
{
	return !((number - run->base) % run->params->signal_every) ||
	       number == run->mark;
}

/* Each swap expects what the one before it has left; one is added each time. */
static bool has_operands(const struct icb_ep *ep, unsigned int op, u64 before)
{
	u64 word = ep->net->params->seed + before;

	switch (ep->net->params->verb) {
	case ICBENCH_VERB_FETCH_ADD:
		return ep->compare_add[op] == 1;
	case ICBENCH_VERB_CMP_SWAP:
		return ep->compare_add[op] == word && ep->swap[op] == word + 1;
	default:
		return true;
	}
}

/**
 * window_post() - a stream posts
 * @ep: its endpoint
 * @count: so many work requests
 *
 * Before they are on their way.
 */
void window_post(struct icb_ep *ep, unsigned int count)
{
	const struct icb_run *run = ep->run;
	const struct icb_params *params = run->params;
	u64 before = run->seq - count;
	unsigned int i;

	if (run->flows > 1) {
		lanes_post(ep);
		return;
	}
	if (before != ep->requests)
		net_wrong(ep->net, "side %u has lost count of its posts",
			  ep->side);
	if (flying(run, 0) > params->window)
		net_wrong(ep->net, "side %u posts more than its window",
			  ep->side);
	if (ep->net->clock)
		return;
	if (count > params->batch)
		net_wrong(ep->net, "side %u posts more than a batch", ep->side);
	if (before == run->base && flying(run, count))
		net_wrong(ep->net, "side %u begins with others on their way",
			  ep->side);
	if (!ep->plan.credited && !takes_turns(run) &&
	    before - run->base >= params->window &&
	    flying(run, count) < params->window - params->refill)
		net_wrong(ep->net, "side %u lets its window run dry", ep->side);
	if (run->seq > run->mark)
		net_wrong(ep->net, "side %u posts what is not due", ep->side);
	for (i = 0; i < count; i++) {
		if (ep->signal[i] != is_due(run, before + i + 1))
			net_wrong(ep->net, "side %u signals another request",
				  ep->side);
		if (!has_operands(ep, i, before + i))
			net_wrong(ep->net, "side %u has another operand",
				  ep->side);
	}
}

/* A message, or an answer, frees nothing. */
static bool is_dropped(const struct icb_ep *ep)
{
	const struct net_faults *faults = ep->net->config.faults;

	return faults[0].drop || faults[1].drop;
}

/* Whether nothing went wrong with which the books could not agree. */
static bool is_sound(const struct icb_ep *ep)
{
	const struct net_faults *faults = net_faults(ep);

	return !faults->late && !faults->lost && !is_dropped(ep) &&
	       !faults->send && !READ_ONCE(ep->run->consumer.stop);
}

/**
 * window_take() - a stream looks for completions, or has handled one
 * @ep: its endpoint
 */
void window_take(struct icb_ep *ep)
{
	const struct icb_run *run = ep->run;
	const struct icb_params *params = run->params;
	u64 acked = READ_ONCE(run->acked);

	/* a window that is answered is booked as a whole, at once */
	if (!ep->net->stream || ep->net->clock || params->reply || !run->mark ||
	    READ_ONCE(run->consumer.phase) == ICB_PHASE_OVER)
		return;
	if (is_sound(ep) && acked != ep->freed)
		net_wrong(ep->net, "side %u books what has not completed",
			  ep->side);
	if (acked > ep->freed && !is_dropped(ep))
		net_wrong(ep->net, "side %u books too much", ep->side);
	if (READ_ONCE(run->consumer.stop) || run->seq >= run->mark || run->flows > 1 ||
	    ep->plan.credited || takes_turns(run) ||
	    run->seq - run->base < params->window)
		return;
	if (flying(run, 0) < params->window - params->refill)
		net_wrong(ep->net, "side %u lets its window run dry", ep->side);
}
