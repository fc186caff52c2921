// SPDX-License-Identifier: GPL-2.0
#include "host/clock.h"
#include "model/buffers.h"
#include "model/callbacks.h"
#include "model/depth.h"
#include "model/derived.h"
#include "model/params.h"
#include "model/plan.h"
#include "model/rules.h"
#include "model/sizes.h"
#include "model/verbs_table.h"
#include "plan.h"
#include "verbs/verbs.h"

/*
 * A real-time thread that has polled this long without success sleeps, so that other
 * tasks run: one of them may serve the device. Longer than a sleep of the peer (NAP_US).
 */
#define PATIENCE_NS	2000000

static void plan_devices(struct icb_plan *plan, const struct icb_params *params)
{
	plan->rails = icb_params_rails(params);
	plan->qps = icb_params_total_qps(params);
	plan->striped = icb_params_striped(params);
	plan->channels = icb_params_channels(params);
	plan->datagrams = icb_params_datagrams(params);
	plan->per_qp_ops = plan->rails > 1 || plan->datagrams;
	plan->single_rail = !plan->per_qp_ops;
	plan->single_wr = !plan->striped && !icb_verb_of(params)->note;
	plan->bh = params->context == ICBENCH_CONTEXT_BH;
	plan->single_bh = !plan->striped && plan->bh;
	plan->regions = params->registration == ICBENCH_REGISTRATION_FRWR;
}

static void plan_roles(struct icb_plan *plan, const struct icb_params *params,
		       bool iwarp, bool responder)
{
	const struct icb_verb *verb = icb_verb_of(params);
	bool remote = verb->remote && !plan->datagrams;

	plan->accesses_remote = remote && icb_params_begins(params, !responder);
	plan->offers_memory = remote && icb_params_begins(params, responder);
	plan->posts = icb_params_begins(params, !responder) &&
		      !(verb->calls && verb->passive);
	plan->waits_own = icb_params_waits_own(params, !responder);
	plan->idle = responder && icb_params_passive(params);
	plan->receives = (verb->recv || icb_params_report_every(params)) &&
			 (icb_params_begins(params, responder) || params->reply);
	/* in iWARP the sink of a read has to be a region, too */
	plan->sink = verb->passive && plan->accesses_remote && iwarp;
}

static void plan_messages(struct icb_plan *plan, const struct icb_params *params,
			  bool responder)
{
	const struct icb_verb *verb = icb_verb_of(params);

	plan->numbered = icb_params_numbered(params);
	plan->sized = params->size_dist != ICBENCH_SIZE_DIST_FIXED;
	plan->size = icb_sizes_room(params);
	/* a note of writes is empty, and so is the answer to a window */
	plan->len = verb->note || icb_params_report_every(params) ||
		    (params->reply && !responder) ? 0 : params->size;
	plan->len_mask = plan->receives && !plan->sized ? U32_MAX : 0;
	if (plan->datagrams) {
		/* the length includes the GRH, or the space in its place */
		plan->len = params->size + VB_GRH_LEN;
		/* a wrong length is no failure: see icb_ep_foreign() */
		plan->len_mask = 0;
	}
	if (params->size && params->size <= params->inline_size)
		plan->send_flags = VB_SEND_INLINE;
}

/*
 * Decide whether, and how, a stream over iWARP uses credit. Both sides compute the same
 * plan. A window that is answered needs no credit: the peer posts the receives for the
 * next window before it answers.
 */
static void plan_credit(struct icb_plan *plan, const struct icb_params *params,
			bool responder)
{
	if (!icb_params_windowed(params) || !icb_verb_of(params)->recv ||
	    params->reply)
		return;
	plan->credited = icb_params_begins(params, !responder);
	plan->credit_implicit = plan->credited &&
				icb_params_begins(params, responder);
	plan->credit_explicit = plan->credited && !plan->credit_implicit;
	plan->grants = !plan->credited;
	plan->credits = icb_credits_plan(icb_ep_recv_depth(params),
					 params->window, plan->credit_implicit,
					 &plan->rx_batch);
	/* a side that only sends receives nothing but grants, which are empty */
	if (plan->credit_explicit) {
		plan->len = 0;
		plan->len_mask = U32_MAX;
	}
}

static void plan_depths(struct icb_plan *plan, const struct icb_params *params,
			const struct icb_facts *facts, bool responder)
{
	u32 filled = icb_buffers_filled(params, !responder);
	u32 per;

	plan->ops = icb_params_has(params, ICBENCH_A_PARAMS_BATCH) ?
		params->batch : 1;
	plan->tx_places = icb_verb_of(params)->passive ?
		filled : icb_buffers_sent(params, !responder);
	plan->rx_groups = icb_ep_recv_depth(params) / plan->rx_batch;
	plan->rx_step = plan->qps % filled;
	plan->sends = icb_ep_send_depth(params) +
		      (plan->grants ? ICB_CREDITS_GRANTS : 0);
	if (plan->receives)
		plan->recvs = icb_ep_recv_depth(params);
	else if (plan->credit_explicit)
		plan->recvs = ICB_CREDITS_HEARD;
	/* with two entries for the drain */
	plan->rcq_share = 2 + plan->idle + plan->recvs +
			  (plan->waits_own ? plan->sends : 0);
	plan->scq_share = 2 + plan->sends;
	per = icb_ep_qps_per_pair(plan, facts->max_cqe);
	plan->qps_per_pair = per;
	/* icb_ep_check_device() refuses a device whose CQs do not hold one QP's entries */
	plan->pairs = plan->rails > 1 ? plan->rails :
					DIV_ROUND_UP(plan->qps, max_t(u32, per, 1));
}

static void plan_waiting(struct icb_plan *plan, const struct icb_params *params,
			 const struct icb_facts *facts, bool responder)
{
	plan->one_cpu = facts->one_cpu;
	plan->rt_throttled = params->priority != ICBENCH_PRIORITY_NORMAL;
	plan->patience = icb_clock_ticks(PATIENCE_NS);
	plan->stages = params->stages && !responder;
	plan->interval = params->interval;
	plan->sleep_limit = VB_NO_LIMIT;
	if (icb_params_lossy(params) && !icb_params_windowed(params) &&
	    !responder)
		plan->sleep_limit = vb_limit(icb_params_patience(params));
	plan->watched = plan->stages ||
			plan->sleep_limit != VB_NO_LIMIT;
	plan->arms_one = !icb_params_windowed(params) && !plan->striped;
	plan->callbacks = BIT(params->completion) & ICB_COMPLETIONS_CALLBACK;
	plan->callback_bytes = icb_callback_bytes(params);
	plan->yields = plan->qps > 1 || plan->callback_bytes;
}

/**
 * icb_ep_make_plan() - make the plan of one side of a run
 * @plan: receives the plan
 * @params: parameters of the run
 * @facts: facts about the host, the first device and the route
 * @responder: true on the responder
 *
 * icb_ep_check_device() and icb_ep_check_run() check whether the device and the host can
 * do what the plan demands.
 */
void icb_ep_make_plan(struct icb_plan *plan, const struct icb_params *params,
		      const struct icb_facts *facts, bool responder)
{
	memset(plan, 0, sizeof(*plan));
	plan->cpu = facts->cpu;
	plan_devices(plan, params);
	plan_roles(plan, params, facts->iwarp, responder);
	plan_messages(plan, params, responder);
	plan->rx_batch = icb_ep_recv_batch(params, facts->one_cpu);
	if (facts->iwarp)
		plan_credit(plan, params, responder);
	plan->slow_take = plan->striped || plan->credited || plan->grants;
	plan_depths(plan, params, facts, responder);
	plan_waiting(plan, params, facts, responder);
}
