/* SPDX-License-Identifier: GPL-2.0 */
/* Datagrams (UD): QPs without a connection, and the address handle of the peer. */
#ifndef ICB_EP_UD_H
#define ICB_EP_UD_H

#include <linux/bits.h>
#include <linux/types.h>

/* A work request whose Q_Key has this bit uses the Q_Key of its QP instead. */
#define ICB_QKEY_PRIVILEGED	BIT(31)

struct ib_device;
struct icb_ep;
struct icb_qp;
struct icb_reason;

u32 icb_ep_new_qkey(void);
int icb_ep_map_front(struct icb_ep *ep, struct ib_device *dev,
		     struct icb_reason *why);
int icb_ep_raise_qp(struct icb_qp *qp);
int icb_ep_make_ah(struct icb_ep *ep, struct icb_reason *why);
void icb_ep_close_datagrams(struct icb_ep *ep);

#endif /* ICB_EP_UD_H */
