/* SPDX-License-Identifier: GPL-2.0 */
/* The devices of an endpoint: checked, held, and ready for QPs. */
#ifndef ICB_EP_ATTACH_H
#define ICB_EP_ATTACH_H

#include <linux/types.h>

struct icb_conn;
struct icb_ep;
struct icb_facts;
struct icb_rail;
struct icb_reason;
struct ib_pd;

void icb_ep_facts(const struct icb_conn *conn, unsigned int cpu,
		  struct icb_facts *facts);
int icb_ep_attach_first(struct icb_ep *ep, const struct icb_conn *conn,
			struct ib_pd *pd, bool responder, struct icb_reason *why);
int icb_ep_attach(struct icb_ep *ep, struct icb_rail *rail,
		  const struct icb_conn *conn, struct icb_reason *why);
bool icb_ep_attached(const struct icb_rail *rail, const struct icb_conn *conn);
void icb_ep_detach(struct icb_ep *ep);
void icb_ep_release(struct icb_ep *ep);

#endif /* ICB_EP_ATTACH_H */
