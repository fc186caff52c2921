/* SPDX-License-Identifier: GPL-2.0 */
/* How the polling thread lets other tasks run. */
#ifndef ICB_EP_YIELD_H
#define ICB_EP_YIELD_H

#include "compat.h"
#include "types.h"

void icb_ep_yield_init(struct icb_ep *ep);
void icb_ep_poll_yield(struct icb_ep *ep, u64 waited);
void icb_ep_rt_throttle(struct icb_ep *ep);

/* Return true if the polling thread has to yield before a message can arrive. */
static inline bool icb_ep_one_cpu(const struct icb_ep *ep)
{
	return ep->plan.one_cpu;
}

/* Let other tasks run between two operations, if it is their turn. */
static inline void icb_ep_op_yield(struct icb_ep *ep)
{
	icb_give_way();
	if (unlikely(ep->plan.rt_throttled))
		icb_ep_rt_throttle(ep);
}

#endif /* ICB_EP_YIELD_H */
