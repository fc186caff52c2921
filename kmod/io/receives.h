/* SPDX-License-Identifier: GPL-2.0 */
/* The receives of a side: their buffers, and posting them. */
#ifndef ICB_EP_RECEIVES_H
#define ICB_EP_RECEIVES_H

#include "verbs/types.h"
#include "verbs/verbs.h"

void icb_ep_set_recv_buffers(struct icb_qp *qp);
int icb_ep_prepare_rx_places(struct icb_ep *ep, struct icb_rail *rail);
int icb_ep_prepare_recvs(struct icb_ep *ep, const struct icb_params *params);
int icb_ep_post_recvs(struct icb_qp *qp);

/* Select the QP of the next expected message, or of the receive to post again. */
static inline void icb_ep_recv_on(struct icb_ep *ep, u32 qp)
{
	ep->rx_at = &ep->qp[qp];
}

/* Post the receive of a taken message of this QP again, alone or with others. */
static inline int icb_ep_refill_qp(struct icb_ep *ep, struct icb_qp *qp)
{
	if (++qp->rx_used < ep->plan.rx_batch)
		return 0;
	qp->rx_used = 0;
	if (unlikely(ep->recv.next.count > 1))
		icb_ep_set_recv_buffers(qp);
	return vb_post_recv(qp->ibqp, qp->rx_wr);
}

#endif /* ICB_EP_RECEIVES_H */
