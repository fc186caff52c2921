/* SPDX-License-Identifier: GPL-2.0 */
/* Registration of memory, for access by the peer or by the own device. */
#ifndef ICB_EP_MR_H
#define ICB_EP_MR_H

#include <linux/types.h>

struct ib_cq;
struct ib_wc;
struct icb_ep;

void icb_ep_reg_done(struct ib_cq *cq, struct ib_wc *wc);
void icb_ep_unregister(struct icb_ep *ep, bool tx, bool rx);
void icb_ep_withdraw(struct icb_ep *ep);
void icb_ep_free_regions(struct icb_ep *ep);

#endif /* ICB_EP_MR_H */
