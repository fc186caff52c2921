/* SPDX-License-Identifier: GPL-2.0 */
/* Lengths of the queues of a run. */
#ifndef ICB_EP_DEPTH_H
#define ICB_EP_DEPTH_H

#include "engine.h"

/* Most registrations that are pending at a time, also on the control connection. */
#define ICB_EP_REGISTRATIONS	5

/* Send queue entries for registrations, on a QP that registers memory. */
#define ICB_EP_REG_SENDS	(2 * ICB_EP_REGISTRATIONS)

struct icb_params;
struct icb_plan;

unsigned int icb_ep_recv_batch(const struct icb_params *params, bool one_cpu);
unsigned int icb_ep_recv_depth(const struct icb_params *params);
unsigned int icb_ep_send_depth_by(const struct icb_params *params,
				  u32 signal_every);
unsigned int icb_ep_send_depth(const struct icb_params *params);
u32 icb_ep_qps_per_pair(const struct icb_plan *plan, u32 max_cqe);
u32 icb_ep_qps_of(const struct icb_plan *plan, u32 rail);

#endif /* ICB_EP_DEPTH_H */
