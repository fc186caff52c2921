/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An endpoint (one side of the data connections of a run) over in-kernel verbs. The
 * engine and the run include this header; files of this directory include only the
 * headers that they use. Functions of the hot path are inline.
 */
#ifndef ICB_ENDPOINT_H
#define ICB_ENDPOINT_H

#include "compat.h"
#include "completion.h"
#include "credit.h"
#include "drain.h"
#include "events.h"
#include "footprint.h"
#include "host/clock.h"
#include "limits.h"
#include "model/callbacks.h"
#include "model/endpoint.h"
#include "model/segments.h"
#include "model/wire.h"
#include "mr.h"
#include "poll.h"
#include "pool.h"
#include "post.h"
#include "post_one.h"
#include "qp.h"
#include "rail.h"
#include "receives.h"
#include "refill.h"
#include "target.h"
#include "types.h"
#include "ud.h"
#include "yield.h"

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

int icb_ep_call_prepare(struct icb_ep *ep);
int icb_ep_call(struct icb_ep *ep, u32 call);
bool icb_ep_report_measured(struct icb_ep *ep);

/* For the module. */

int icb_ep_create(struct icb_ep *ep, struct icb_conn *conn, struct ib_pd *pd,
		  const struct icb_params *params, unsigned int cpu,
		  bool responder, struct icb_reason *why);
int icb_ep_add(struct icb_ep *ep, unsigned int index, struct icb_conn *conn,
	       struct icb_reason *why);
void icb_ep_destroy(struct icb_ep *ep);

#endif /* ICB_ENDPOINT_H */
