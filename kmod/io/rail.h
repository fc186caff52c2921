/* SPDX-License-Identifier: GPL-2.0 */
/* Setup of the devices of an endpoint. */
#ifndef ICB_EP_RAIL_H
#define ICB_EP_RAIL_H

struct icb_conn;
struct icb_ep;
struct icb_rail;
struct icb_reason;

int icb_ep_open_rail(struct icb_ep *ep, struct icb_rail *rail,
		     const struct icb_conn *conn, struct icb_reason *why);
void icb_ep_free_rail(struct icb_rail *rail);

#endif /* ICB_EP_RAIL_H */
