/* SPDX-License-Identifier: GPL-2.0 */
/* What a completion says, and whether it is what it should be. */
#ifndef ICB_EP_COMPLETION_H
#define ICB_EP_COMPLETION_H

#include "types.h"

int icb_ep_bad_length(struct icb_ep *ep, u32 len, u32 due);
int icb_ep_failed(struct icb_ep *ep, const struct ib_wc *wc);
int icb_ep_unexpected_msg(struct icb_ep *ep);

/* All receives of a run complete by it, also where they are polled. */
void icb_ep_recv_done(struct ib_cq *cq, struct ib_wc *wc);

/* Whether a completion is that of a receive, and not of a work request. */
static inline bool icb_ep_is_recv(const struct ib_wc *wc)
{
	return wc->wr_cqe->done == icb_ep_recv_done;
}

/* What one of those that were taken last says; 0 if it says nothing. */
static inline u32 icb_ep_number_of(const struct icb_ep *ep, unsigned int i)
{
	const struct ib_wc *wc = &ep->wc[i];

	return wc->wc_flags & IB_WC_WITH_IMM ? be32_to_cpu(wc->ex.imm_data) : 0;
}

/* Whether one of those is that of an arrival, and not of an own work request. */
static inline bool icb_ep_is_recv_at(const struct icb_ep *ep, unsigned int i)
{
	return icb_ep_is_recv(&ep->wc[i]);
}

/* How long one of those that were taken last is; of those whose sizes differ. */
static inline u32 icb_ep_len_of(const struct icb_ep *ep, unsigned int i)
{
	return ep->wc[i].byte_len -
	       (ep->datagrams ? sizeof(struct ib_grh) : 0);
}

/* Whether one of those is of nobody in this run: a datagram may be anybody's. */
static inline bool icb_ep_foreign(const struct icb_ep *ep, unsigned int i)
{
	const struct ib_wc *wc = &ep->wc[i];
	const struct icb_qp *qp;

	if (!ep->datagrams)
		return false;
	qp = container_of(wc->wr_cqe, struct icb_qp, rx_cqe);
	return (wc->byte_len != ep->len && !ep->sized) ||
	       wc->src_qp != qp->to ||
	       !(wc->wc_flags & IB_WC_WITH_IMM);
}

/*
 * The QP of one of the completions that were taken last, or called back for; where
 * they are the run's QPs.
 */
static inline u32 icb_ep_qp_of(const struct icb_ep *ep, unsigned int i)
{
	const struct ib_cqe *cqe = ep->wc[i].wr_cqe;

	return cqe->done == icb_ep_recv_done ?
		container_of(cqe, struct icb_qp, rx_cqe)->index :
		container_of(cqe, struct icb_qp, tx_cqe)->index;
}

/* Whether a completion is not that of a message of the right length. */
static inline bool icb_ep_is_wrong(const struct icb_ep *ep,
				   const struct ib_wc *wc)
{
	return unlikely(wc->status != IB_WC_SUCCESS ||
			(wc->byte_len ^ ep->len) & ep->len_mask);
}

#endif /* ICB_EP_COMPLETION_H */
