/* SPDX-License-Identifier: GPL-2.0 */
/* Creation and destruction of QPs. */
#ifndef ICB_EP_QP_H
#define ICB_EP_QP_H

#include <rdma/ib_verbs.h>

struct icb_ep;
struct icb_qp;
struct icb_params;

enum ib_qp_type icb_ep_type(const struct icb_params *params);
void icb_ep_destroy_qp(struct icb_qp *qp);
void icb_ep_each_qp(struct icb_ep *ep, void (*fn)(struct icb_qp *qp));

#endif /* ICB_EP_QP_H */
