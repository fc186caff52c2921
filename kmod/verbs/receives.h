/* SPDX-License-Identifier: GPL-2.0 */
/* The receives of a side: which buffers they take, and when they are posted. */
#ifndef ICB_EP_RECEIVES_H
#define ICB_EP_RECEIVES_H

#include "types.h"

void icb_ep_aim_recvs(struct icb_lane *lane);
int icb_ep_prepare_rx_places(struct icb_ep *ep, struct icb_rail *rail);
int icb_ep_prepare_recvs(struct icb_ep *ep, const struct icb_params *params);
int icb_ep_post_recvs(struct icb_lane *lane);

/* A message of this lane was taken: its receive goes back, alone or with others. */
static inline int icb_ep_refill_lane(struct icb_ep *ep, struct icb_lane *lane)
{
	if (++lane->rx_used < ep->rx_batch)
		return 0;
	lane->rx_used = 0;
	if (unlikely(ep->rx_next.count > 1))
		icb_ep_aim_recvs(lane);
	return ib_post_recv(lane->qp, lane->rx_wr, NULL);
}

#endif /* ICB_EP_RECEIVES_H */
