/* SPDX-License-Identifier: GPL-2.0 */
/* Making the plan of one side of a run. */
#ifndef ICB_EP_PLAN_H
#define ICB_EP_PLAN_H

#include "model/engine.h"

struct icb_facts;
struct icb_params;
struct icb_plan;

void icb_ep_make_plan(struct icb_plan *plan, const struct icb_params *params,
		      const struct icb_facts *facts, bool responder);

#endif /* ICB_EP_PLAN_H */
