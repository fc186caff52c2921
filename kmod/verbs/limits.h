/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of a run's parameters against the limits of this host and its devices. */
#ifndef ICB_EP_LIMITS_H
#define ICB_EP_LIMITS_H

#include <linux/types.h>

struct ib_device;
struct icb_conn;
struct icb_ep;
struct icb_params;
struct icb_reason;
struct rdma_cm_id;

int icb_ep_check_sges(const struct icb_params *params,
		      const struct ib_device *dev, struct icb_reason *why);
int icb_ep_check_device(const struct icb_ep *ep, const struct rdma_cm_id *id,
			u32 rail, struct icb_reason *why);
int icb_ep_check_run(struct icb_ep *ep, const struct icb_conn *conn,
		     bool responder, struct icb_reason *why);

#endif /* ICB_EP_LIMITS_H */
