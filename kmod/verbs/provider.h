/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that every provider of verbs has, for io/: devices, CQs, QPs, regions. This
 * header is the same for all providers; verbs.h, state.h and pool.h are a provider's own.
 * Functions that the engine calls are in events.h and yield.h.
 */
#ifndef VB_PROVIDER_H
#define VB_PROVIDER_H

#include "model/engine.h"
#include "verbs/verbs.h"

struct icb_conn;
struct icb_ep;
struct icb_facts;
struct icb_pool;
struct icb_qp;
struct icb_rail;
struct icb_reason;
struct icb_wire_ready;

/* Devices and buffers. */
void icb_ep_facts(const struct icb_conn *conn, unsigned int cpu,
		  struct icb_facts *facts);
int icb_ep_attach_first(struct icb_ep *ep, const struct icb_conn *conn,
			struct vb_pd *pd, bool responder, struct icb_reason *why);
int icb_ep_attach(struct icb_ep *ep, struct icb_rail *rail,
		  const struct icb_conn *conn, struct icb_reason *why);
bool icb_ep_attached(const struct icb_rail *rail, const struct icb_conn *conn);
void icb_ep_detach(struct icb_ep *ep);
u32 icb_ep_most_sges(const struct icb_ep *ep, const struct icb_pool *pool);

/* CQs and QPs. */
int icb_ep_create_cqs(struct icb_ep *ep, const struct icb_rail *rail,
		      struct icb_reason *why);
int icb_ep_create_qp(struct icb_qp *qp, struct icb_reason *why);
bool icb_ep_closing(const struct icb_qp *qp);
int icb_ep_make_ah(struct icb_ep *ep, struct icb_reason *why);
void icb_ep_callback_yield(struct icb_ep *ep, const struct vb_cq *cq);

/* Regions. */
int icb_ep_offer(struct icb_ep *ep, struct icb_rail *rail, u32 verb,
		 struct icb_wire_ready *ready, unsigned long until,
		 struct icb_reason *why);
int icb_ep_register_pool(struct icb_ep *ep, struct icb_pool *pool, int access,
			 unsigned long until, struct icb_reason *why);
int icb_ep_wait_regs(struct icb_ep *ep, unsigned long until);

#endif /* VB_PROVIDER_H */
