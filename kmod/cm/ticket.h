/* SPDX-License-Identifier: GPL-2.0 */
/* The data in a connection request that admits the connection to a run. */
#ifndef ICB_TICKET_H
#define ICB_TICKET_H

#include "model/wire.h"

/**
 * struct icb_ticket - what admits connections to a run
 * @cookie: number of the run, sent in clear
 * @nonce: bytes that the responder chose for this run
 * @token: secret that both sides have; NULL for none
 * @token_len: bytes of @token
 * @probes: number of timed connections requested (initiator) or accepted (responder) so
 *	far
 *
 * @token belongs to the parameters or to the listener, and outlives the run.
 */
struct icb_ticket {
	u64 cookie;
	u8 nonce[ICB_WIRE_NONCE];
	const u8 *token;
	u32 token_len;
	u32 probes;
};

void icb_ticket_mac(const u8 *token, u32 token_len, const u8 *nonce,
		    const void *msg, size_t len, u8 *mac, size_t mac_len);
void icb_ticket_write(const struct icb_ticket *ticket, enum icb_wire_kind kind,
		      u32 qp, struct icb_wire_hello *hello);
bool icb_ticket_fits(const struct icb_ticket *ticket,
		     const struct icb_wire_hello *hello);

#endif /* ICB_TICKET_H */
