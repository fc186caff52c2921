/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which buffer an operation uses. A few buffers are taken in turn; of the
 * measured operations, as many percent as reuse says take one of these, and
 * each other one takes a buffer that no operation has used before it, evenly
 * between them. Both sides go by it, for what they send and for what arrives.
 */
#ifndef ICB_BUFFERS_H
#define ICB_BUFFERS_H

#include "engine.h"
#include "params.h"

/* Receives that a stream gives back together. */
#define ICB_BUFFERS_BATCH	16

/* Receives that a side of a ping-pong posts ahead on a QP. */
#define ICB_BUFFERS_ECHO	8

/* All of them, in hundredths. */
#define ICB_BUFFERS_WHOLE	100

/**
 * struct icb_buffers - where in the sequence a side is
 * @index: buffer of the operation that comes next
 * @mark: how often this buffer will have been used with it; the low byte, which
 *	differs each time from what the buffer held before
 * @lap: the same of those that are taken in turn, before the present turn
 * @ring: how many are taken in turn
 * @turn: the one that is its next
 * @count: how many there are in all
 * @fresh: the first that was never used
 * @step: hundredths of an operation that each one brings a new buffer closer
 * @share: hundredths that have come together
 * @warmup: operations to go before the sequence begins, which use no new one
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
 * @index: which
 * @mark: as in &struct icb_buffers
 */
struct icb_buffer {
	u32 index;
	u8 mark;
};

/* Whether it is a new one's turn. */
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
	/* receives are posted for more messages than will come */
	return buffers->fresh < buffers->count;
}

/**
 * icb_buffers_next() - go on to the next operation
 * @buffers: of a side and a direction
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
