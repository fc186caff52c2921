/* SPDX-License-Identifier: GPL-2.0 */
/* The numbers of datagram QPs, in messages to and from the peer. */
#ifndef ICB_EP_DATAGRAMS_H
#define ICB_EP_DATAGRAMS_H

#include "model/engine.h"

struct icb_ep;
struct icb_wire_qps;

void icb_ep_get_qps(struct icb_ep *ep, u32 first, struct icb_wire_qps *msg);
int icb_ep_set_remote_qps(struct icb_ep *ep, u32 first,
			  const struct icb_wire_qps *msg, struct icb_reason *why);

#endif /* ICB_EP_DATAGRAMS_H */
