/* SPDX-License-Identifier: GPL-2.0 */
/* Striped messages: each device takes one piece of a message. */
#ifndef ICB_EP_STRIPES_H
#define ICB_EP_STRIPES_H

#include "model/engine.h"

struct icb_ep;
struct icb_taken;

void icb_ep_ready_pieces(struct icb_ep *ep, unsigned int slot, bool signal,
			 bool reaped, bool batched);
int icb_ep_commit_pieces(struct icb_ep *ep);
int icb_ep_poll_pieces(struct icb_ep *ep);
int icb_ep_take_pieces(struct icb_ep *ep, unsigned int limit,
		       struct icb_taken *taken);

#endif /* ICB_EP_STRIPES_H */
