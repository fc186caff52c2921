/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the engine may ask of an endpoint, over a network in memory (net.h).
 * The contract is that of kmod/verbs/endpoint.h.
 */
#ifndef ICB_ENDPOINT_H
#define ICB_ENDPOINT_H

#include "engine/bench.h"
#include "model/completion.h"
#include "model/operation.h"

struct icb_ep;

/* Completions that one look at a CQ takes at most. */
#define ICB_EP_TAKE	16

u8 *icb_ep_tx(struct icb_ep *ep, unsigned int buffer);
u8 *icb_ep_rx(struct icb_ep *ep, unsigned int buffer);
bool icb_ep_one_cpu(const struct icb_ep *ep);
void icb_ep_prep(struct icb_ep *ep, unsigned int slot,
		 const struct icb_operation *op);
int icb_ep_commit(struct icb_ep *ep, unsigned int slots);
struct icb_cpl icb_ep_cpl(const struct icb_ep *ep, unsigned int i);
int icb_ep_bad_length(struct icb_ep *ep, u32 len, u32 due);
void icb_ep_recv_on(struct icb_ep *ep, u32 lane);
int icb_ep_call_prepare(struct icb_ep *ep);
int icb_ep_call(struct icb_ep *ep, u32 call);
int icb_ep_poll(struct icb_ep *ep, unsigned int limit,
		struct icb_taken *taken);
int icb_ep_refill(struct icb_ep *ep);
bool icb_ep_is_credited(const struct icb_ep *ep);
bool icb_ep_may_post(const struct icb_ep *ep, u32 lane, u64 number);
int icb_ep_reap(struct icb_ep *ep);
int icb_ep_check(struct icb_ep *ep);
int icb_ep_unexpected_msg(struct icb_ep *ep);
int icb_ep_reply(struct icb_ep *ep);
int icb_ep_arm(struct icb_ep *ep);
void icb_ep_op_yield(struct icb_ep *ep);
void icb_ep_poll_yield(struct icb_ep *ep, u64 waited);
void icb_ep_event(struct icb_ep *ep, struct icb_event *event);
void icb_ep_watch(struct icb_ep *ep, const u8 *byte, u8 was);
u64 icb_ep_arrival(struct icb_ep *ep);
bool icb_ep_sleep(struct icb_ep *ep, const int *stop);
u64 icb_ep_timer_wait(struct icb_ep *ep, const int *stop);
bool icb_ep_wait_over(struct icb_ep *ep, struct icb_consumer *consumer);
void icb_ep_over(struct icb_ep *ep, struct icb_consumer *consumer);
void icb_ep_alarm(struct icb_ep *ep, struct icb_consumer *consumer, u64 ticks);
void icb_ep_quiet(struct icb_ep *ep);
bool icb_ep_report_measured(struct icb_ep *ep);

#endif /* ICB_ENDPOINT_H */
