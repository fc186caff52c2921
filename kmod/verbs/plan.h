/* SPDX-License-Identifier: GPL-2.0 */
/* Making the plan of one side of a run. */
#ifndef ICB_EP_PLAN_H
#define ICB_EP_PLAN_H

#include <linux/types.h>

struct icb_conn;
struct icb_params;
struct icb_plan;

void icb_ep_make_plan(struct icb_plan *plan, const struct icb_params *params,
		      const struct icb_conn *conn, unsigned int cpu,
		      bool responder);

#endif /* ICB_EP_PLAN_H */
