/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kmod/io/endpoint.h as the engine of a test includes it: the functions of io/ are called
 * through functions that check and log the calls (contract.c).
 */
#ifndef NET_ENDPOINT_H
#define NET_ENDPOINT_H

#include "../../../../kmod/io/endpoint.h"

u8 *net_ep_buffer(struct icb_ep *ep, enum icb_pool_kind kind, unsigned int buffer);
void net_ep_prep(struct icb_ep *ep, unsigned int slot,
		 const struct icb_operation *op);
int net_ep_commit(struct icb_ep *ep, unsigned int slots);
struct icb_cpl net_ep_cpl(const struct icb_ep *ep, unsigned int i);
int net_ep_reject(struct icb_ep *ep, enum icb_wrong wrong, u32 len, u32 due);
void net_ep_recv_on(struct icb_ep *ep, u32 qp);
int net_ep_poll(struct icb_ep *ep, unsigned int limit, struct icb_taken *taken);
int net_ep_refill(struct icb_ep *ep);
int net_ep_reap(struct icb_ep *ep, bool always);
int net_ep_reply(struct icb_ep *ep);

#ifndef NET_CONTRACT
#define icb_ep_buffer	net_ep_buffer
#define icb_ep_prep	net_ep_prep
#define icb_ep_commit	net_ep_commit
#define icb_ep_cpl	net_ep_cpl
#define icb_ep_reject	net_ep_reject
#define icb_ep_recv_on	net_ep_recv_on
#define icb_ep_poll	net_ep_poll
#define icb_ep_refill	net_ep_refill
#define icb_ep_reap	net_ep_reap
#define icb_ep_reply	net_ep_reply
#endif

#endif /* NET_ENDPOINT_H */
