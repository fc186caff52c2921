/* SPDX-License-Identifier: GPL-2.0 */
/* Datagrams (UD): QPs without a connection, and the address handle of the peer. */
#ifndef ICB_EP_UD_H
#define ICB_EP_UD_H

#include <linux/types.h>

struct ib_device;
struct icb_ep;
struct icb_qp;
struct icb_reason;

u32 icb_ep_new_qkey(void);
int icb_ep_map_front(struct icb_ep *ep, struct ib_device *dev,
		     struct icb_reason *why);
int icb_ep_raise_qp(struct icb_qp *qp);
void icb_ep_close_datagrams(struct icb_ep *ep);

#endif /* ICB_EP_UD_H */
