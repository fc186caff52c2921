// SPDX-License-Identifier: GPL-2.0
#include "model/segments.h"
#include "model/stripe.h"
#include "model/verbs_table.h"
#include "places.h"
#include "requests.h"
#include "verbs/pool.h"
#include "verbs/provider.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

/* Prepare the empty send that follows each write and notifies the peer of the write. */
static int prepare_notes(struct icb_ep *ep, struct icb_rail *rail)
{
	unsigned int i;

	rail->notify_wr = vb_alloc(ep->plan.ops, sizeof(*rail->notify_wr));
	if (!rail->notify_wr)
		return -ENOMEM;
	for (i = 0; i < ep->plan.ops; i++) {
		vb_wr_set_opcode(&rail->notify_wr[i], VB_WR_SEND);
		vb_wr_set_cqe(&rail->notify_wr[i], &ep->qp->tx_cqe);
		/* a write that fails has a completion, too */
		vb_wr_set_cqe(&rail->op[i], &ep->qp->tx_cqe);
	}
	return 0;
}

/**
 * icb_ep_ops_of() - number of operations that are prepared for each device
 * @ep: the endpoint
 *
 * Return: number of operations; with datagrams, one set for each QP, as each QP has a
 * destination of its own.
 */
unsigned int icb_ep_ops_of(const struct icb_ep *ep)
{
	return ep->plan.ops * (ep->plan.datagrams ? ep->plan.qps : 1);
}

/**
 * icb_ep_prepare_sends() - prepare the operations on a device
 * @ep: the endpoint
 * @rail: the device
 *
 * Prepares one operation, or one for each work request that is posted by one call. May
 * sleep.
 *
 * Return: 0; -ENOMEM. icb_ep_close_rail() frees what was allocated.
 */
int icb_ep_prepare_sends(struct icb_ep *ep, struct icb_rail *rail)
{
	const struct icb_params *params = ep->params;
	bool passive = icb_verb_of(params)->passive;
	struct icb_pool *pool = passive ? rail->rx : rail->tx;
	u32 begin, end, opcode;
	struct vb_wr *wr;
	unsigned int i;
	int err;

	err = icb_ep_make_places(ep, rail, pool, ep->plan.send_flags & VB_SEND_INLINE,
				 ep->plan.striped, false, &rail->tx_place,
				 &rail->tx_sge);
	if (err)
		return err;
	if (ep->plan.striped) {
		icb_stripe_cut(ep->plan.size, ep->plan.rails, rail - ep->rail, &begin,
			       &end);
		rail->begin = begin;
	}
	if (ep->plan.posts && !ep->plan.sink)
		ep->sges.send = max_t(u32, ep->sges.send,
				      ep->plan.send_flags & VB_SEND_INLINE ?
					pool->layout.count :
					icb_ep_most_sges(ep, pool));
	rail->op = vb_alloc(icb_ep_ops_of(ep), sizeof(*rail->op));
	if (!rail->op)
		return -ENOMEM;
	if (ep->plan.sized) {
		rail->most_sges = icb_pool_most_sges(pool);
		rail->cut_sge = vb_alloc(icb_ep_ops_of(ep), rail->most_sges *
					 sizeof(*rail->cut_sge));
		if (!rail->cut_sge)
			return -ENOMEM;
	}
	opcode = ep->plan.datagrams ? VB_WR_SEND : icb_verb_of(params)->opcode;
	if (ep->plan.numbered && opcode == VB_WR_SEND)
		opcode = VB_WR_SEND_WITH_IMM;
	for (i = 0; i < icb_ep_ops_of(ep); i++) {
		wr = &rail->op[i];
		vb_wr_set_opcode(wr, opcode);
		vb_wr_set_local(wr, rail->tx_place->sge, rail->tx_place->num_sge);
	}
	return icb_verb_of(params)->note ? prepare_notes(ep, rail) : 0;
}
