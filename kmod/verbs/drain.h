/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting for posted work requests, before QPs are destroyed. */
#ifndef ICB_EP_DRAIN_H
#define ICB_EP_DRAIN_H

struct icb_ep;

void icb_ep_settle(struct icb_ep *ep);
void icb_ep_drain(struct icb_ep *ep);

#endif /* ICB_EP_DRAIN_H */
