/* SPDX-License-Identifier: GPL-2.0 */
/* How who polls lets others run. */
#ifndef ICB_EP_YIELD_H
#define ICB_EP_YIELD_H

#include "compat.h"
#include "types.h"

void icb_ep_yield_init(struct icb_ep *ep);
void icb_ep_poll_yield(struct icb_ep *ep, u64 waited);
void icb_ep_rt_throttle(struct icb_ep *ep);

/* The poller has to let others run before it may find anything. */
static inline bool icb_ep_one_cpu(const struct icb_ep *ep)
{
	return ep->one_cpu;
}

/* Let others run if it is their turn. */
static inline void icb_ep_op_yield(struct icb_ep *ep)
{
	icb_give_way();
	if (unlikely(ep->rt_throttled))
		icb_ep_rt_throttle(ep);
}

#endif /* ICB_EP_YIELD_H */
