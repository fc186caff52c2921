/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Posting on one QP. Operations on several QPs are made of these steps. They are inline
 * because they are in the hot path.
 */
#ifndef ICB_EP_POST_ONE_H
#define ICB_EP_POST_ONE_H

#include <linux/bottom_half.h>

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

/* Select the QP of the next expected message, or of the receive to post again. */
static inline void icb_ep_recv_on(struct icb_ep *ep, u32 qp)
{
	ep->rx_at = &ep->qp[qp];
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
static inline struct ib_send_wr *icb_ep_last(struct icb_ep *ep, unsigned int op)
{
	struct ib_send_wr *wr = &ep->post.op[op].wr;

	if (likely(!ep->post.notify_wr))
		return wr;
	wr->send_flags = ep->plan.send_flags;
	wr->next = &ep->post.notify_wr[op];
	return &ep->post.notify_wr[op];
}

static inline int icb_ep_post_one(struct icb_ep *ep, bool signal)
{
	const struct ib_send_wr *wr = &ep->post.op[0].wr;
	const struct icb_qp *qp = ep->tx_at;
	struct ib_send_wr *last = icb_ep_last(ep, 0);
	int err;

	last->wr_cqe = qp->op_cqe;
	last->send_flags = ep->plan.send_flags | (signal ? IB_SEND_SIGNALED : 0);
	ep->post.signals += signal;
	if (ep->plan.bh) {
		local_bh_disable();
		err = ib_post_send(qp->ibqp, wr, NULL);
		local_bh_enable();
	} else {
		err = ib_post_send(qp->ibqp, wr, NULL);
	}
	return err;
}

static inline void icb_ep_ready_one(struct icb_ep *ep, unsigned int op,
				    bool signal)
{
	struct ib_send_wr *wr = icb_ep_last(ep, op);

	wr->next = NULL;
	wr->wr_cqe = ep->tx_at->op_cqe;
	wr->send_flags = ep->plan.send_flags | (signal ? IB_SEND_SIGNALED : 0);
	if (op)
		icb_ep_last(ep, op - 1)->next = &ep->post.op[op].wr;
}

static inline int icb_ep_post_ready_one(struct icb_ep *ep)
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
