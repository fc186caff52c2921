/* SPDX-License-Identifier: GPL-2.0 */
/* The content of messages: a pattern by message number, and the word of atomics. */
#ifndef ICB_CONTENT_H
#define ICB_CONTENT_H

#include "io/endpoint.h"
#include "model/payload.h"
#include "run.h"

/* Number of a message's content; its buffer's index if content is written only once. */
static inline u64 icb_payload_number(const struct icb_run *run, u64 seq, u32 buffer)
{
	return run->params->verify && !run->verb->passive ? seq : buffer;
}

/* Value of the word that atomics work on, after count of them. */
static inline u64 icb_atomic_word(const struct icb_run *run, u64 count)
{
	return run->params->seed + count;
}

static inline u64 icb_word_read(const u8 *buf)
{
	u64 word;

	memcpy(&word, buf, sizeof(word));
	return word;
}

static inline void icb_word_write(u8 *buf, u64 word)
{
	memcpy(buf, &word, sizeof(word));
}

/*
 * Fill the target buffer of operation seq with content that differs from the answer in
 * each byte. A byte that the answer does not bring is then found to be wrong.
 */
static inline void icb_spoil_answer(struct icb_run *run, u64 seq, u32 buffer)
{
	u8 *buf = icb_ep_buffer(run->ep, ICB_POOL_RX, buffer);

	if (run->verb->atomic)
		icb_word_write(buf, icb_atomic_word(run, seq - 1));
	else
		icb_segments_fill(&run->rx_layout, buf,
				  run->payload[!run->initiator],
				  icb_payload_number(run, seq, buffer));
	icb_segments_spoil(&run->rx_layout, buf);
}

#endif /* ICB_CONTENT_H */
