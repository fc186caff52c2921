/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sequence of buffers that operations use. A few buffers form a ring and are used in
 * turn. Of the measured operations, reuse per cent take a buffer of the ring. The others
 * take buffers that no operation has used before, and are spread evenly. Both sides
 * follow this sequence, for messages that they send and for messages that arrive.
 */
#ifndef ICB_BUFFERS_H
#define ICB_BUFFERS_H

#include "engine.h"
#include "params.h"

/* Receives that a stream posts again together. */
#define ICB_BUFFERS_BATCH	16

/* Receives that a side of a ping-pong posts ahead on a QP. */
#define ICB_BUFFERS_ECHO	8

/* Value of reuse, in per cent, with which no operation takes a new buffer. */
#define ICB_BUFFERS_WHOLE	100

/**
 * struct icb_buffers - the position of a side in the sequence, for one direction
 * @index: buffer of the next operation
 * @mark: number of uses of buffer @index, including the next operation; only the low
 *	byte, which differs each time from the mark that the buffer held before
 * @lap: completed turns of the ring, low byte
 * @ring: number of buffers in the ring
 * @turn: next buffer of the ring
 * @count: total number of buffers
 * @fresh: first buffer that was never used
 * @step: hundredths of a new buffer that each operation adds to @share
 * @share: hundredths of a new buffer that have accumulated; an operation takes a new
 *	buffer once they reach 100
 * @warmup: operations left before the sequence begins; these take no new buffer
 */
struct icb_buffers {
	u32 index;
	u8 mark;
	u8 lap;
	u32 ring;
	u32 turn;
	u32 count;
	u32 fresh;
	u32 step;
	u32 share;
	u64 warmup;
};

/**
 * struct icb_buffer - the buffer of one operation
 * @index: index of the buffer
 * @mark: as in &struct icb_buffers
 */
struct icb_buffer {
	u32 index;
	u8 mark;
};

/* Count one operation. Returns true if the operation takes a new buffer. */
static inline bool icb_buffers_renew(struct icb_buffers *buffers)
{
	if (buffers->warmup) {
		buffers->warmup--;
		return false;
	}
	buffers->share += buffers->step;
	if (buffers->share < ICB_BUFFERS_WHOLE)
		return false;
	buffers->share -= ICB_BUFFERS_WHOLE;
	/* receives are posted for more messages than arrive: there may be none left */
	return buffers->fresh < buffers->count;
}

/**
 * icb_buffers_next() - advance to the next operation
 * @buffers: position of a side, for one direction
 */
static inline void icb_buffers_next(struct icb_buffers *buffers)
{
	if (likely(buffers->count == 1)) {
		buffers->mark++;
		return;
	}
	if (buffers->step && icb_buffers_renew(buffers)) {
		buffers->index = buffers->fresh++;
		buffers->mark = 1;
		return;
	}
	buffers->index = buffers->turn;
	buffers->mark = buffers->lap + 1;
	if (++buffers->turn == buffers->ring) {
		buffers->turn = 0;
		buffers->lap++;
	}
}

u32 icb_buffers_ring(const struct icb_params *params);
u32 icb_buffers_recvs(const struct icb_params *params);
u32 icb_buffers_count(const struct icb_params *params);
u32 icb_buffers_sent(const struct icb_params *params, bool initiator);
u32 icb_buffers_filled(const struct icb_params *params, bool initiator);
u64 icb_buffers_warmup(const struct icb_params *params);
void icb_buffers_start(struct icb_buffers *buffers,
		       const struct icb_params *params);
void icb_buffers_none(struct icb_buffers *buffers);
void icb_buffers_seek(struct icb_buffers *buffers,
		      const struct icb_params *params, u64 number);
struct icb_buffer icb_buffers_at(const struct icb_params *params, u64 number);
u64 icb_buffers_newest(const struct icb_params *params);
int icb_buffers_refuse(const struct icb_params *params, u64 most,
		       const char *limit, struct icb_reason *why);
int icb_buffers_check(struct icb_params *params, struct icb_reason *why);

#endif /* ICB_BUFFERS_H */
