/* SPDX-License-Identifier: GPL-2.0 */
/* How who polls lets others run. */
#ifndef ICB_EP_PAUSE_H
#define ICB_EP_PAUSE_H

#include "compat.h"
#include "types.h"

void icb_ep_pause_init(struct icb_ep *ep);
void icb_ep_pause(struct icb_ep *ep, u64 waited);
void icb_ep_nap(struct icb_ep *ep);

/* The poller has to let others run before it may find anything. */
static inline bool icb_ep_crowded(const struct icb_ep *ep)
{
	return ep->crowded;
}

/* Let others run if it is their turn. */
static inline void icb_ep_breathe(struct icb_ep *ep)
{
	icb_give_way();
	if (unlikely(ep->naps))
		icb_ep_nap(ep);
}

#endif /* ICB_EP_PAUSE_H */
