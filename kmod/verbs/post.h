/* SPDX-License-Identifier: GPL-2.0 */
/* Preparing operations and posting them. */
#ifndef ICB_EP_POST_H
#define ICB_EP_POST_H

#include "post_one.h"
#include "stripes.h"
#include "types.h"

int icb_ep_reply(struct icb_ep *ep);
void icb_ep_set_all_buffers(struct icb_ep *ep, unsigned int op, unsigned int buffer);
void icb_ep_cut(struct icb_ep *ep, unsigned int op, unsigned int buffer,
		u32 len);

/* Let an operation use another buffer. Not for atomics, which have one buffer. */
static inline void icb_ep_set_buffer(struct icb_ep *ep, unsigned int op,
				     unsigned int buffer)
{
	if (likely(ep->plan.single_rail))
		icb_ep_set_op_buffer(&ep->post.op[op], &ep->post.place[buffer]);
	else
		icb_ep_set_all_buffers(ep, op, buffer);
}

/* Post an operation; a signaled one frees the queue entries of those before it. */
static inline int icb_ep_post(struct icb_ep *ep, bool signal)
{
	return likely(!ep->plan.striped) ? icb_ep_post_one(ep, signal) :
				      icb_ep_post_pieces(ep, signal);
}

/* Set the operands of an atomic; fetch-and-add ignores swap. */
static inline void icb_ep_operand(struct icb_ep *ep, unsigned int op,
				  u64 compare_add, u64 swap)
{
	ep->post.op[op].atomic.compare_add = compare_add;
	ep->post.op[op].atomic.swap = swap;
}

/* Set the number that a message carries to the peer as immediate data. */
static inline void icb_ep_number(struct icb_ep *ep, unsigned int op, u32 number)
{
	ep->post.op[op].wr.ex.imm_data = cpu_to_be32(number);
}

/*
 * Prepare one of the operations that icb_ep_post_ready() posts, from 0 on; with signal it
 * has a completion.
 */
static inline void icb_ep_ready(struct icb_ep *ep, unsigned int op, bool signal)
{
	if (likely(!ep->plan.striped))
		icb_ep_ready_one(ep, op, signal);
	else
		icb_ep_ready_pieces(ep, op, signal);
}

/* Append the empty send that notifies the peer of this write and those before; one QP. */
static inline void icb_ep_report_writes(struct icb_ep *ep, unsigned int op)
{
	ep->post.op[op].wr.next = &ep->post.report_wr;
}

/*
 * Post all prepared operations by one call, and do not access them afterwards: a callback
 * may prepare the next ones before the call returns.
 */
static inline int icb_ep_post_ready(struct icb_ep *ep)
{
	return likely(!ep->plan.striped) ? icb_ep_post_ready_one(ep) :
				      icb_ep_post_ready_pieces(ep);
}

#endif /* ICB_EP_POST_H */
