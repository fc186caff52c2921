/* SPDX-License-Identifier: GPL-2.0 */
/* Reading and checking completions. In these functions, i is an index in @ep->wc. */
#ifndef ICB_EP_COMPLETION_H
#define ICB_EP_COMPLETION_H

#include "model/completion.h"
#include "model/endpoint.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

int icb_ep_failed(struct icb_ep *ep, const struct vb_wc *wc);
int icb_ep_reject(struct icb_ep *ep, enum icb_wrong wrong, u32 len, u32 due);

/* Completion function of all receives; on polled CQs, too, it identifies a receive. */
void icb_ep_recv_done(struct vb_cq *cq, struct vb_wc *wc);

/* Return true for a receive (or an operation like one), false for a send work request. */
static inline bool icb_ep_is_recv(const struct vb_wc *wc)
{
	return vb_wc_cqe(wc)->done == icb_ep_recv_done;
}

/* True for a datagram that is not of this run, where the side receives datagrams. */
static inline bool icb_ep_is_foreign(const struct icb_ep *ep, const struct vb_wc *wc)
{
	const struct icb_qp *qp;

	if (!ep->plan.datagrams)
		return false;
	qp = container_of(vb_wc_cqe(wc), struct icb_qp, rx_cqe);
	return (vb_wc_len(wc) != ep->plan.len && !ep->plan.sized) ||
	       vb_wc_src_qp(wc) != qp->to ||
	       !vb_wc_has_imm(wc);
}

/*
 * Return completion i of those taken by the last poll. The compiler leaves out the
 * fields that the caller does not use. All but @recv and @qp is valid for receives only.
 */
static __always_inline struct icb_cpl icb_ep_cpl(const struct icb_ep *ep,
						 unsigned int i)
{
	const struct vb_wc *wc = &ep->wc[i];
	const struct vb_cqe *cqe = vb_wc_cqe(wc);

	return (struct icb_cpl) {
		.recv = icb_ep_is_recv(wc),
		.foreign = icb_ep_is_foreign(ep, wc),
		.qp = cqe->done == icb_ep_recv_done ?
			container_of(cqe, struct icb_qp, rx_cqe)->index :
			container_of(cqe, struct icb_qp, tx_cqe)->index,
		.number = vb_wc_has_imm(wc) ? vb_wc_imm(wc) : 0,
		.len = vb_wc_len(wc) - (ep->plan.datagrams ? VB_GRH_LEN : 0),
	};
}

/* Return true if a completion reports a failure or, for a receive, a wrong length. */
static inline bool icb_ep_is_wrong(const struct icb_ep *ep,
				   const struct vb_wc *wc)
{
	return unlikely(!vb_wc_ok(wc) ||
			(vb_wc_len(wc) ^ ep->plan.len) & ep->plan.len_mask);
}

/* Check the completion of a receive, or of an operation like one. Returns 0, or an error. */
static inline int icb_ep_check_recv(struct icb_ep *ep, const struct vb_wc *wc)
{
	return icb_ep_is_wrong(ep, wc) ? icb_ep_failed(ep, wc) : 0;
}

/* True if a completion, of a receive if recv, reports a failure or has a wrong length. */
static __always_inline bool icb_ep_is_bad(const struct icb_ep *ep, const struct vb_wc *wc,
					  bool recv)
{
	return unlikely(!vb_wc_ok(wc)) || (recv && icb_ep_is_wrong(ep, wc));
}

/*
 * Check a completion. Returns its kind, ICB_CPL_OWN or ICB_CPL_ARRIVED, or a negative error
 * number if it is bad.
 */
static __always_inline int icb_ep_classify(struct icb_ep *ep, const struct vb_wc *wc)
{
	bool recv = icb_ep_is_recv(wc);

	if (icb_ep_is_bad(ep, wc, recv))
		return icb_ep_failed(ep, wc);
	return recv ? ICB_CPL_ARRIVED : ICB_CPL_OWN;
}

#endif /* ICB_EP_COMPLETION_H */
