/* SPDX-License-Identifier: GPL-2.0 */
/* Yielding of the CPU, as in kmod/verbs/yield.h. */
#ifndef ICB_EP_YIELD_H
#define ICB_EP_YIELD_H

#include "model/endpoint.h"

struct icb_ep;

void icb_ep_yield(struct icb_ep *ep, enum icb_yield when, u64 waited);

#endif /* ICB_EP_YIELD_H */
