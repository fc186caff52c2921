/* SPDX-License-Identifier: GPL-2.0 */
/* The CQs of an endpoint. */
#ifndef ICB_EP_CQS_H
#define ICB_EP_CQS_H

#include <linux/types.h>

struct ib_cq;
struct icb_ep;

void icb_ep_destroy_cqs(struct icb_ep *ep);
void icb_ep_take_completions(struct ib_cq *cq);
void icb_ep_take_all(struct icb_ep *ep);

#endif /* ICB_EP_CQS_H */
