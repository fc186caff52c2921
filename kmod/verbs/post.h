/* SPDX-License-Identifier: GPL-2.0 */
/* What a run sends: what to post, and to post it. */
#ifndef ICB_EP_POST_H
#define ICB_EP_POST_H

#include "post_one.h"
#include "stripes.h"
#include "types.h"

int icb_ep_reply(struct icb_ep *ep);
void icb_ep_set_all_buffers(struct icb_ep *ep, unsigned int op, unsigned int buffer);
void icb_ep_cut(struct icb_ep *ep, unsigned int op, unsigned int buffer,
		u32 len);

/* Let an operation take another buffer; no atomic: there is one. */
static inline void icb_ep_set_buffer(struct icb_ep *ep, unsigned int op,
				     unsigned int buffer)
{
	if (likely(ep->plain))
		icb_ep_set_op_buffer(&ep->op[op], &ep->tx_place[buffer]);
	else
		icb_ep_set_all_buffers(ep, op, buffer);
}

/* Post an operation; with signal, its completion frees the ones before. */
static inline int icb_ep_post(struct icb_ep *ep, bool signal)
{
	return likely(!ep->striped) ? icb_ep_post_one(ep, signal) :
				      icb_ep_post_pieces(ep, signal);
}

/* Give an atomic its operands; who adds does not swap. */
static inline void icb_ep_operand(struct icb_ep *ep, unsigned int op,
				  u64 compare_add, u64 swap)
{
	ep->op[op].atomic.compare_add = compare_add;
	ep->op[op].atomic.swap = swap;
}

/* What a message tells where it arrives. */
static inline void icb_ep_number(struct icb_ep *ep, unsigned int op, u32 number)
{
	ep->op[op].wr.ex.imm_data = cpu_to_be32(number);
}

/*
 * One of those that icb_ep_post_ready() posts, from 0 on; with signal it
 * completes.
 */
static inline void icb_ep_ready(struct icb_ep *ep, unsigned int op, bool signal)
{
	if (likely(!ep->striped))
		icb_ep_ready_one(ep, op, signal);
	else
		icb_ep_ready_pieces(ep, op, signal);
}

/* Behind the last one that is ready, on the one QP: it tells of this and of others. */
static inline void icb_ep_report_writes(struct icb_ep *ep, unsigned int op)
{
	ep->op[op].wr.next = &ep->report_wr;
}

/*
 * Post the work requests that are ready by one call. It leaves them alone then:
 * a callback may make the next ones ready before it returns.
 */
static inline int icb_ep_post_ready(struct icb_ep *ep)
{
	return likely(!ep->striped) ? icb_ep_post_ready_one(ep) :
				      icb_ep_post_ready_pieces(ep);
}

#endif /* ICB_EP_POST_H */
