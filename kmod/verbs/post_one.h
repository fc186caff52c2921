/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Posting on one QP. Operations on several QPs are made of these steps. They are inline
 * because they are in the hot path.
 */
#ifndef ICB_EP_POST_ONE_H
#define ICB_EP_POST_ONE_H

#include <linux/bottom_half.h>

#include "model/operation.h"
#include "types.h"

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

static inline void icb_ep_set_op_buffer(union icb_op *op,
					const struct icb_place *place)
{
	struct ib_rdma_wr *wr = &op->rdma;

	wr->wr.sg_list = place->sge;
	wr->wr.num_sge = place->num_sge;
	wr->remote_addr = place->remote;
	wr->rkey = place->rkey;
}

/* Return the last work request of an operation: the only one that may be signaled. */
static inline struct ib_send_wr *icb_ep_last(struct icb_ep *ep, unsigned int slot)
{
	struct ib_send_wr *wr = &ep->post.op[slot].wr;

	if (likely(!ep->post.notify_wr))
		return wr;
	wr->send_flags = ep->plan.send_flags;
	wr->next = &ep->post.notify_wr[slot];
	return &ep->post.notify_wr[slot];
}

static __always_inline void icb_ep_set_signal(struct icb_ep *ep,
					      struct ib_send_wr *wr,
					      const struct icb_operation *op)
{
	if (op->batched)
		wr->next = NULL;
	wr->wr_cqe = ep->tx_at->op_cqe;
	wr->send_flags = ep->plan.send_flags |
			 (op->signal ? IB_SEND_SIGNALED : 0);
	if (op->reaped)
		ep->post.signals += op->signal;
}

/* Complete an operation on the QP that is posted to; the last one of a list for now. */
static __always_inline void icb_ep_ready_one(struct icb_ep *ep, unsigned int slot,
					     const struct icb_operation *op)
{
	icb_ep_set_signal(ep, icb_ep_last(ep, slot), op);
	if (op->batched && slot)
		icb_ep_last(ep, slot - 1)->next = &ep->post.op[slot].wr;
}

/* As icb_ep_ready_one(), where an operation is one work request. */
static __always_inline void icb_ep_ready_single(struct icb_ep *ep, unsigned int slot,
						const struct icb_operation *op)
{
	union icb_op *request = &ep->post.op[slot];

	icb_ep_set_signal(ep, &request->wr, op);
	if (op->batched && slot)
		request[-1].wr.next = &request->wr;
}

static inline int icb_ep_commit_one(struct icb_ep *ep)
{
	const struct ib_send_wr *first = &ep->post.op[0].wr;
	struct ib_qp *ibqp = ep->tx_at->ibqp;
	int err;

	if (ep->plan.bh) {
		local_bh_disable();
		err = ib_post_send(ibqp, first, NULL);
		local_bh_enable();
	} else {
		err = ib_post_send(ibqp, first, NULL);
	}
	return err;
}

#endif /* ICB_EP_POST_ONE_H */
