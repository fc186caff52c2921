/* SPDX-License-Identifier: GPL-2.0 */
/* The devices of an endpoint: checked, held, and ready for QPs. See provider.h, too. */
#ifndef ICB_EP_ATTACH_H
#define ICB_EP_ATTACH_H

struct icb_ep;

void icb_ep_release(struct icb_ep *ep);

#endif /* ICB_EP_ATTACH_H */
