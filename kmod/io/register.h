/* SPDX-License-Identifier: GPL-2.0 */
/* Registration of the memory of a run. */
#ifndef ICB_EP_REGISTER_H
#define ICB_EP_REGISTER_H

#include "model/engine.h"

struct icb_ep;
struct icb_wire_ready;

int icb_ep_register(struct icb_ep *ep, unsigned int rail, u32 verb,
		    struct icb_wire_ready *ready, u64 timeout,
		    struct icb_reason *why);

#endif /* ICB_EP_REGISTER_H */
