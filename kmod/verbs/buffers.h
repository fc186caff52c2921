/* SPDX-License-Identifier: GPL-2.0 */
/* Allocation of a side's buffers, and their mapping for each of its devices. */
#ifndef ICB_EP_BUFFERS_H
#define ICB_EP_BUFFERS_H

#include <linux/types.h>

struct ib_device;
struct icb_ep;
struct icb_params;
struct icb_rail;
struct icb_reason;

int icb_ep_alloc_buffers(struct icb_ep *ep, const struct icb_params *params,
			 struct ib_device *dev, bool responder,
			 struct icb_reason *why);
int icb_ep_share_buffers(struct icb_ep *ep, struct icb_rail *rail,
			 struct icb_reason *why);

#endif /* ICB_EP_BUFFERS_H */
