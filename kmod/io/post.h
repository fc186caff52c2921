/* SPDX-License-Identifier: GPL-2.0 */
/* Preparing operations and posting them. */
#ifndef ICB_EP_POST_H
#define ICB_EP_POST_H

#include "post_one.h"
#include "stripes.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

int icb_ep_reply(struct icb_ep *ep);
void icb_ep_set_all_buffers(struct icb_ep *ep, unsigned int slot, unsigned int buffer);
void icb_ep_cut(struct icb_ep *ep, unsigned int slot, unsigned int buffer,
		u32 len);

static __always_inline void icb_ep_set_buffer(struct icb_ep *ep, unsigned int slot,
					      const struct icb_operation *op)
{
	if (op->set & ICB_OPERATION_LEN)
		icb_ep_cut(ep, slot, op->buffer, op->len);
	else if (likely(ep->plan.single_rail))
		icb_ep_set_op_buffer(&ep->post.op[slot],
				     &ep->post.place[op->buffer]);
	else
		icb_ep_set_all_buffers(ep, slot, op->buffer);
}

static __always_inline void icb_ep_ready(struct icb_ep *ep, unsigned int slot,
					 const struct icb_operation *op)
{
	if (likely(ep->plan.single_wr))
		icb_ep_ready_single(ep, slot, op);
	else if (!ep->plan.striped)
		icb_ep_ready_one(ep, slot, op);
	else
		icb_ep_ready_pieces(ep, slot, op->signal, op->reaped,
				    op->batched);
}

/*
 * Prepare the operation in a slot, from 0 on, for icb_ep_commit(). May be called several
 * times, with different fields. With op->set being constant, a call compiles to the
 * stores of its fields.
 */
static __always_inline void icb_ep_prep(struct icb_ep *ep, unsigned int slot,
					const struct icb_operation *op)
{
	if (op->set & ICB_OPERATION_QP)
		icb_ep_send_on(ep, op->qp);
	if (op->set & (ICB_OPERATION_BUFFER | ICB_OPERATION_LEN))
		icb_ep_set_buffer(ep, slot, op);
	if (op->set & ICB_OPERATION_NUMBER)
		vb_wr_set_imm(&ep->post.op[slot], op->number);
	if (op->set & ICB_OPERATION_OPERANDS)
		vb_wr_set_operands(&ep->post.op[slot], op->compare_add, op->swap);
	if (op->set & ICB_OPERATION_SIGNAL)
		icb_ep_ready(ep, slot, op);
	if (op->set & ICB_OPERATION_NOTIFY)
		vb_wr_link(&ep->post.op[slot], &ep->post.report_wr);
}

/*
 * Post the operations in the first slots, by one call for each device. They must not be
 * accessed afterwards: a callback may prepare the next ones before the call returns. The
 * list of work requests has its end from icb_ep_prep().
 */
static __always_inline int icb_ep_commit(struct icb_ep *ep, unsigned int slots)
{
	if (likely(ep->plan.single_bh)) {
		const struct vb_wr *first = &ep->post.op[0];
		struct vb_qp *ibqp = ep->tx_at->ibqp;
		int err;

		vb_bh_disable();
		err = vb_post_send(ibqp, first);
		vb_bh_enable();
		return err;
	}
	return likely(!ep->plan.striped) ?
		vb_post_send(ep->tx_at->ibqp, &ep->post.op[0]) :
		icb_ep_commit_pieces(ep);
}

#endif /* ICB_EP_POST_H */
