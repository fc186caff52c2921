/* SPDX-License-Identifier: GPL-2.0 */
/* Posting receives again. */
#ifndef ICB_EP_REFILL_H
#define ICB_EP_REFILL_H

#include "credit.h"
#include "receives.h"
#include "verbs/types.h"

/* Post the receive of a taken message again, alone or with others. */
static inline int icb_ep_refill(struct icb_ep *ep)
{
	return likely(!ep->plan.slow_take) ? icb_ep_refill_qp(ep, ep->rx_at) :
				    icb_ep_refill_sorted(ep);
}

#endif /* ICB_EP_REFILL_H */
