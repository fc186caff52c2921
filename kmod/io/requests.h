/* SPDX-License-Identifier: GPL-2.0 */
/* Work requests of operations, prepared once and posted many times. */
#ifndef ICB_EP_REQUESTS_H
#define ICB_EP_REQUESTS_H

#include "model/engine.h"

struct icb_ep;
struct icb_rail;

unsigned int icb_ep_ops_of(const struct icb_ep *ep);
int icb_ep_prepare_sends(struct icb_ep *ep, struct icb_rail *rail);

#endif /* ICB_EP_REQUESTS_H */
