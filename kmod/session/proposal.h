/* SPDX-License-Identifier: GPL-2.0 */
/* The proposal, which carries the parameters of a run from initiator to responder. */
#ifndef ICB_PROPOSAL_H
#define ICB_PROPOSAL_H

#include "model/params.h"
#include "model/wire.h"

void icb_proposal_write(struct icb_wire_propose *msg,
			const struct icb_params *params);
int icb_proposal_read(const struct icb_wire_propose *msg,
		      struct icb_params *params, struct icb_reason *why);
void icb_proposal_sign(const struct icb_wire_propose *msg, const u8 *nonce,
		       const u8 *token, u32 token_len, u8 *mac);

#endif /* ICB_PROPOSAL_H */
