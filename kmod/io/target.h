/* SPDX-License-Identifier: GPL-2.0 */
/* The peer's memory that operations access. */
#ifndef ICB_EP_TARGET_H
#define ICB_EP_TARGET_H

#include "model/engine.h"

struct icb_ep;
struct icb_reason;
struct icb_wire_ready;

int icb_ep_target(struct icb_ep *ep, unsigned int rail,
		  const struct icb_wire_ready *ready, struct icb_reason *why);

#endif /* ICB_EP_TARGET_H */
