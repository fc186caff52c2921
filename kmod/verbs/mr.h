/* SPDX-License-Identifier: GPL-2.0 */
/* Registration of memory, for access by the peer or by the own device. */
#ifndef ICB_EP_MR_H
#define ICB_EP_MR_H

#include <linux/types.h>

struct ib_cq;
struct ib_wc;
struct icb_ep;
struct icb_pool;
struct icb_rail;
struct icb_reason;
struct icb_wire_ready;

void icb_ep_reg_done(struct ib_cq *cq, struct ib_wc *wc);
int icb_ep_wait_regs(struct icb_ep *ep, unsigned long until);
int icb_ep_offer(struct icb_ep *ep, struct icb_rail *rail, u32 verb,
		 struct icb_wire_ready *ready, unsigned long until,
		 struct icb_reason *why);
int icb_ep_register_pool(struct icb_ep *ep, struct icb_pool *pool, int access,
			 unsigned long until, struct icb_reason *why);
void icb_ep_unregister(struct icb_ep *ep, bool tx, bool rx);
void icb_ep_withdraw(struct icb_ep *ep);
void icb_ep_free_regions(struct icb_ep *ep);

#endif /* ICB_EP_MR_H */
