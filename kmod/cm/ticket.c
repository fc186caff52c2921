// SPDX-License-Identifier: GPL-2.0
#include <crypto/algapi.h>
#include <linux/string.h>

#include "compat.h"
#include "ticket.h"

/* Most bytes that are signed together with the nonce. */
#define MOST_SIGNED	offsetof(struct icb_wire_propose, mac)

static_assert(offsetof(struct icb_wire_hello, proof) <= MOST_SIGNED);
static_assert(BLAKE2S_HASH_SIZE >= ICB_WIRE_MAC);

/**
 * icb_ticket_mac() - compute the MAC that proves possession of the token
 * @token: the token
 * @token_len: bytes of @token
 * @nonce: ICB_WIRE_NONCE bytes that the responder chose
 * @msg: the message, no longer than a proposal
 * @len: bytes of @msg that are signed
 * @mac: takes the MAC
 * @mac_len: bytes of @mac
 *
 * Keyed BLAKE2s of nonce and message; the key is the hash of the token. Messages of
 * different kinds have different lengths, so a MAC of one kind is not valid for another.
 */
void icb_ticket_mac(const u8 *token, u32 token_len, const u8 *nonce,
		    const void *msg, size_t len, u8 *mac, size_t mac_len)
{
	u8 text[ICB_WIRE_NONCE + MOST_SIGNED];
	u8 key[BLAKE2S_KEY_SIZE];

	memcpy(text, nonce, ICB_WIRE_NONCE);
	memcpy(text + ICB_WIRE_NONCE, msg, len);
	icb_blake2s(key, sizeof(key), token, token_len, NULL, 0);
	icb_blake2s(mac, mac_len, text, ICB_WIRE_NONCE + len, key,
		    sizeof(key));
	memzero_explicit(key, sizeof(key));
}

static void prove(const struct icb_ticket *ticket,
		  const struct icb_wire_hello *hello, u8 *proof)
{
	icb_ticket_mac(ticket->token, ticket->token_len, ticket->nonce, hello,
		       offsetof(struct icb_wire_hello, proof), proof,
		       ICB_WIRE_PROOF);
}

/**
 * icb_ticket_write() - write a connection request
 * @ticket: ticket of the run
 * @kind: purpose of the connection
 * @qp: index of the QP among those of its kind
 * @hello: takes the request
 *
 * With a token, the request has a proof that is valid only for this connection of this
 * run.
 */
void icb_ticket_write(const struct icb_ticket *ticket, enum icb_wire_kind kind,
		      u32 qp, struct icb_wire_hello *hello)
{
	*hello = (struct icb_wire_hello) {
		.magic = cpu_to_le32(ICB_WIRE_MAGIC),
		.version = cpu_to_le16(ICB_WIRE_VERSION),
		.kind = cpu_to_le16(kind),
		.cookie = cpu_to_le64(ticket->cookie),
		.qp = cpu_to_le32(qp),
	};
	if (ticket->token_len)
		prove(ticket, hello, hello->proof);
}

/**
 * icb_ticket_fits() - check whether a connection request belongs to a run
 * @ticket: the run's ticket, at its responder
 * @hello: the request
 *
 * The cookie identifies the run. If the listener has a token, the request also needs a
 * valid proof, since anybody on the path can read the cookie.
 *
 * Return: true if the request belongs to the run.
 */
bool icb_ticket_fits(const struct icb_ticket *ticket,
		     const struct icb_wire_hello *hello)
{
	u8 proof[ICB_WIRE_PROOF];

	if (le64_to_cpu(hello->cookie) != ticket->cookie)
		return false;
	if (!ticket->token_len)
		return true;
	prove(ticket, hello, proof);
	return !crypto_memneq(proof, hello->proof, sizeof(proof));
}
