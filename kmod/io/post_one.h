/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Posting on one QP. Operations on several QPs are made of these steps. They are inline
 * because they are in the hot path.
 */
#ifndef ICB_EP_POST_ONE_H
#define ICB_EP_POST_ONE_H

#include "model/operation.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

/* Select the QP that is posted to from now on. */
static inline void icb_ep_send_on(struct icb_ep *ep, u32 qp)
{
	const struct icb_rail *rail;

	ep->tx_at = &ep->qp[qp];
	if (likely(!ep->plan.per_qp_ops))
		return;
	rail = ep->tx_at->rail;
	ep->post.op = ep->tx_at->op;
	ep->post.notify_wr = rail->notify_wr;
	ep->post.place = rail->tx_place;
}

static inline void icb_ep_set_op_buffer(struct vb_wr *wr,
					const struct icb_place *place)
{
	vb_wr_set_local(wr, place->sge, place->num_sge);
	vb_wr_set_remote(wr, place->remote, place->rkey);
}

/* Return the last work request of an operation: the only one that may be signaled. */
static inline struct vb_wr *icb_ep_last(struct icb_ep *ep, unsigned int slot)
{
	struct vb_wr *wr = &ep->post.op[slot];

	if (likely(!ep->post.notify_wr))
		return wr;
	vb_wr_set_flags(wr, ep->plan.send_flags);
	vb_wr_link(wr, &ep->post.notify_wr[slot]);
	return &ep->post.notify_wr[slot];
}

static __always_inline void icb_ep_set_signal(struct icb_ep *ep,
					      struct vb_wr *wr,
					      const struct icb_operation *op)
{
	if (op->batched)
		vb_wr_end(wr);
	vb_wr_set_cqe(wr, ep->tx_at->op_cqe);
	vb_wr_set_flags(wr, ep->plan.send_flags |
			    (op->signal ? VB_SEND_SIGNALED : 0));
	if (op->reaped)
		ep->post.signals += op->signal;
}

/* Complete an operation on the QP that is posted to; the last one of a list for now. */
static __always_inline void icb_ep_ready_one(struct icb_ep *ep, unsigned int slot,
					     const struct icb_operation *op)
{
	icb_ep_set_signal(ep, icb_ep_last(ep, slot), op);
	if (op->batched && slot)
		vb_wr_link(icb_ep_last(ep, slot - 1), &ep->post.op[slot]);
}

/* icb_ep_ready_one() for operations of one work request. */
static __always_inline void icb_ep_ready_single(struct icb_ep *ep, unsigned int slot,
						const struct icb_operation *op)
{
	struct vb_wr *request = &ep->post.op[slot];

	icb_ep_set_signal(ep, request, op);
	if (op->batched && slot)
		vb_wr_link(&request[-1], request);
}

static inline int icb_ep_commit_one(struct icb_ep *ep)
{
	const struct vb_wr *first = &ep->post.op[0];
	struct vb_qp *ibqp = ep->tx_at->ibqp;
	int err;

	if (ep->plan.bh) {
		vb_bh_disable();
		err = vb_post_send(ibqp, first);
		vb_bh_enable();
	} else {
		err = vb_post_send(ibqp, first);
	}
	return err;
}

/* Post an empty send, which completes. */
static inline int icb_ep_post_empty(struct vb_qp *ibqp, struct vb_cqe *cqe)
{
	struct vb_wr wr = {};

	vb_wr_set_opcode(&wr, VB_WR_SEND);
	vb_wr_set_flags(&wr, VB_SEND_SIGNALED);
	vb_wr_set_cqe(&wr, cqe);
	return vb_post_send(ibqp, &wr);
}

#endif /* ICB_EP_POST_ONE_H */
