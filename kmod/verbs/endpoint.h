/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One end of the data connections of a run, over in-kernel verbs. The engine
 * calls what has no kernel-doc of its own elsewhere through this header; what
 * the hot path calls is inline.
 */
#ifndef ICB_ENDPOINT_H
#define ICB_ENDPOINT_H

#include <linux/bottom_half.h>
#include <linux/hrtimer.h>
#include <linux/sched.h>
#include <rdma/ib_verbs.h>

#include "cm/device.h"
#include "compat.h"
#include "completion.h"
#include "credit.h"
#include "drain.h"
#include "events.h"
#include "footprint.h"
#include "host/alarm.h"
#include "host/clock.h"
#include "host/shadow.h"
#include "lane.h"
#include "limits.h"
#include "model/buffers.h"
#include "model/callbacks.h"
#include "model/consumer.h"
#include "model/credits.h"
#include "model/segments.h"
#include "model/spans.h"
#include "model/stripe.h"
#include "model/wire.h"
#include "mr.h"
#include "pause.h"
#include "poll.h"
#include "pool.h"
#include "post.h"
#include "promise.h"
#include "qp.h"
#include "receives.h"
#include "refill.h"
#include "stripes.h"
#include "target.h"
#include "types.h"
#include "ud.h"

/* For the engine: what it may ask of an endpoint of any layer. */

static inline u8 *icb_ep_tx(struct icb_ep *ep, unsigned int buffer)
{
	return icb_pool_addr(&ep->tx, buffer);
}

static inline u8 *icb_ep_rx(struct icb_ep *ep, unsigned int buffer)
{
	return icb_pool_addr(&ep->rx, buffer);
}

int icb_ep_call_prepare(struct icb_ep *ep);
int icb_ep_call(struct icb_ep *ep, u32 call);
bool icb_ep_tell(struct icb_ep *ep);

/* For the module. */

int icb_ep_create(struct icb_ep *ep, struct icb_conn *conn, struct ib_pd *pd,
		  const struct icb_params *params, unsigned int cpu,
		  bool responder, struct icb_reason *why);
int icb_ep_add(struct icb_ep *ep, unsigned int index, struct icb_conn *conn,
	       struct icb_reason *why);
void icb_ep_destroy(struct icb_ep *ep);
void icb_ep_release(struct icb_ep *ep);

#endif /* ICB_ENDPOINT_H */
