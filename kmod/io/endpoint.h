/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An endpoint: one side of the data connections of a run. The engine and the run include
 * this header; files of this directory include only the headers that they use. Functions
 * of the hot path are inline.
 */
#ifndef ICB_ENDPOINT_H
#define ICB_ENDPOINT_H

#include "completion.h"
#include "credit.h"
#include "model/endpoint.h"
#include "poll.h"
#include "post.h"
#include "receives.h"
#include "refill.h"
#include "verbs/events.h"
#include "verbs/types.h"
#include "verbs/yield.h"

/* For the engine: functions that an endpoint of any layer has. */

/* Return the plan of this side. */
static inline const struct icb_plan *icb_ep_plan(const struct icb_ep *ep)
{
	return &ep->plan;
}

/* Return the address of a buffer. */
static __always_inline u8 *icb_ep_buffer(struct icb_ep *ep, enum icb_pool_kind kind,
					 unsigned int buffer)
{
	return icb_pool_addr(kind == ICB_POOL_TX ? &ep->tx : &ep->rx, buffer);
}

/* For the module. */

int icb_ep_create(struct icb_ep *ep, struct icb_conn *conn, struct vb_pd *pd,
		  const struct icb_params *params, unsigned int cpu,
		  bool responder, struct icb_reason *why);
int icb_ep_add(struct icb_ep *ep, unsigned int index, struct icb_conn *conn,
	       struct icb_reason *why);
void icb_ep_destroy(struct icb_ep *ep);

#endif /* ICB_ENDPOINT_H */
