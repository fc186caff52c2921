/* SPDX-License-Identifier: GPL-2.0 */
/* Credit: a limit for streams over iWARP. */
#ifndef ICB_EP_CREDIT_H
#define ICB_EP_CREDIT_H

#include "completion.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

int icb_ep_credits_open(struct icb_qp *qp);
bool icb_ep_has_credit(const struct icb_ep *ep, u32 qp, u64 number);
int icb_ep_take_grant(struct icb_ep *ep, const struct vb_wc *wc);
void icb_ep_grant_done(struct vb_cq *cq, struct vb_wc *wc);
int icb_ep_refill_sorted(struct icb_ep *ep);

/* icb_ep_classify() where a completion may be that of a grant, which is taken then. */
static inline int icb_ep_classify_credited(struct icb_ep *ep, const struct vb_wc *wc)
{
	if (ep->plan.credit_explicit && icb_ep_is_recv(wc))
		return icb_ep_take_grant(ep, wc) ? : ICB_CPL_GRANT;
	return icb_ep_classify(ep, wc);
}

/* Return true if there is credit for the operation of this number on its QP, from 1. */
static inline bool icb_ep_may_post(const struct icb_ep *ep, u32 qp,
				   u64 number)
{
	return likely(!ep->plan.credited) || icb_ep_has_credit(ep, qp, number);
}

#endif /* ICB_EP_CREDIT_H */
