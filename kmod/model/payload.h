/* SPDX-License-Identifier: GPL-2.0 */
/* The content of messages: a pattern from a seed, different for each message. */
#ifndef ICB_PAYLOAD_H
#define ICB_PAYLOAD_H

#include "engine.h"
#include "random.h"

struct icb_random icb_payload_of(u64 seed, bool initiator);
u8 icb_payload_at(struct icb_random random, u64 number, size_t at);
void icb_payload_fill(u8 *buf, size_t at, size_t len, struct icb_random random,
		      u64 number);
void icb_payload_spoil(u8 *buf, size_t len);
size_t icb_payload_check(const u8 *buf, size_t at, size_t len,
			 struct icb_random random, u64 number);

#endif /* ICB_PAYLOAD_H */
