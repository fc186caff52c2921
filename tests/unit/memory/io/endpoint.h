/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for kmod/io/endpoint.h: the functions of an endpoint that the engine calls,
 * over a network in memory (net.h). The contract is that of kmod/io/endpoint.h.
 */
#ifndef ICB_ENDPOINT_H
#define ICB_ENDPOINT_H

#include "engine/bench.h"
#include "model/completion.h"
#include "model/endpoint.h"
#include "model/operation.h"
#include "model/plan.h"

struct icb_ep;

/* Most completions that one poll takes. */
#define ICB_EP_TAKE	16

const struct icb_plan *icb_ep_plan(const struct icb_ep *ep);
u8 *icb_ep_buffer(struct icb_ep *ep, enum icb_pool_kind kind,
		  unsigned int buffer);
void icb_ep_prep(struct icb_ep *ep, unsigned int slot,
		 const struct icb_operation *op);
int icb_ep_commit(struct icb_ep *ep, unsigned int slots);
struct icb_cpl icb_ep_cpl(const struct icb_ep *ep, unsigned int i);
int icb_ep_reject(struct icb_ep *ep, enum icb_wrong wrong, u32 len, u32 due);
void icb_ep_recv_on(struct icb_ep *ep, u32 qp);
int icb_ep_poll(struct icb_ep *ep, unsigned int limit,
		struct icb_taken *taken);
int icb_ep_refill(struct icb_ep *ep);
bool icb_ep_may_post(const struct icb_ep *ep, u32 qp, u64 number);
int icb_ep_reap(struct icb_ep *ep, bool always);
int icb_ep_reply(struct icb_ep *ep);
int icb_ep_arm(struct icb_ep *ep);
void icb_ep_yield(struct icb_ep *ep, enum icb_yield when, u64 waited);
void icb_ep_event(struct icb_ep *ep, struct icb_event *event);
void icb_ep_watch(struct icb_ep *ep, const u8 *byte, u8 was);
u64 icb_ep_arrival(struct icb_ep *ep);
u64 icb_ep_wait(struct icb_ep *ep, struct icb_consumer *consumer,
		enum icb_wait wait);
void icb_ep_over(struct icb_ep *ep, struct icb_consumer *consumer);
void icb_ep_alarm(struct icb_ep *ep, struct icb_consumer *consumer, u64 ticks);

#endif /* ICB_ENDPOINT_H */
