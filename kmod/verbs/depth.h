/* SPDX-License-Identifier: GPL-2.0 */
/* Lengths of the queues of a run. */
#ifndef ICB_EP_DEPTH_H
#define ICB_EP_DEPTH_H

#include <linux/types.h>

#include "cm/conn.h"

/* Send queue entries for registrations, on a QP that registers memory. */
#define ICB_EP_REG_SENDS	(2 * ICB_CONN_REGISTRATIONS)

struct ib_device;
struct icb_params;
struct icb_plan;

unsigned int icb_ep_recv_batch(const struct icb_params *params);
unsigned int icb_ep_recv_depth(const struct icb_params *params);
unsigned int icb_ep_send_depth_by(const struct icb_params *params,
				  u32 signal_every);
unsigned int icb_ep_send_depth(const struct icb_params *params);
u32 icb_ep_qps_per_pair(const struct icb_plan *plan, const struct ib_device *dev);
u32 icb_ep_qps_of(const struct icb_plan *plan, u32 rail);

#endif /* ICB_EP_DEPTH_H */
