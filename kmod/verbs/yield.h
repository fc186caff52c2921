/* SPDX-License-Identifier: GPL-2.0 */
/* Yielding of the CPU by the polling thread and by callbacks. */
#ifndef ICB_EP_YIELD_H
#define ICB_EP_YIELD_H

#include "compat.h"
#include "model/endpoint.h"
#include "types.h"

void icb_ep_yield_init(struct icb_ep *ep);
void icb_ep_poll_yield(struct icb_ep *ep, u64 waited);
void icb_ep_rt_throttle(struct icb_ep *ep);

static inline void icb_ep_op_yield(struct icb_ep *ep)
{
	icb_yield();
	if (unlikely(ep->plan.rt_throttled))
		icb_ep_rt_throttle(ep);
}

/*
 * Let other tasks run, between two operations or two polls. Between polls, waited is the
 * time since a poll last found something, clock ticks.
 */
static __always_inline void icb_ep_yield(struct icb_ep *ep,
					 const enum icb_yield when, u64 waited)
{
	if (when == ICB_YIELD_OP)
		icb_ep_op_yield(ep);
	else
		icb_ep_poll_yield(ep, waited);
}

#endif /* ICB_EP_YIELD_H */
