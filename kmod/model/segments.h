/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a message lies in a buffer: in segments, each of them an SGE of the work
 * request, and memory that is not of the message between them.
 */
#ifndef ICB_SEGMENTS_H
#define ICB_SEGMENTS_H

#include "engine.h"
#include "params.h"
#include "random.h"

/* Larger buffers are made of pieces of this size, which lie anywhere. */
#define ICB_PIECE_SIZE	(2U << 20)

/**
 * struct icb_segments - the layout of a message
 * @count: segments, at least 1
 * @size: bytes of each but the last
 * @last: bytes of the last, which has what remains
 * @stride: from the beginning of a segment to that of the next, bytes
 * @extent: what the message takes of its buffer, up to its last byte
 */
struct icb_segments {
	u32 count;
	u32 size;
	u32 last;
	u64 stride;
	u64 extent;
};

/**
 * struct icb_sge_limits - SGEs that a device takes
 * @send: of a send, or write
 * @recv: of a receive
 * @read: of a read; 0 where the device does not say
 */
struct icb_sge_limits {
	u32 send;
	u32 recv;
	u32 read;
};

/**
 * icb_segments_begin() - where a segment begins
 * @seg: the layout
 * @i: which segment
 *
 * Return: bytes from the beginning of the buffer.
 */
static inline u64 icb_segments_begin(const struct icb_segments *seg, u32 i)
{
	return i * seg->stride;
}

/**
 * icb_segments_end() - where a segment ends
 * @seg: the layout
 * @i: which segment
 *
 * Return: bytes from the beginning of the buffer.
 */
static inline u64 icb_segments_end(const struct icb_segments *seg, u32 i)
{
	return i * seg->stride + (i + 1 < seg->count ? seg->size : seg->last);
}

void icb_segments_cut(struct icb_segments *seg, u32 size, u32 count);
void icb_segments_of(const struct icb_params *params, struct icb_segments *tx,
		     struct icb_segments *rx);
void icb_segments_fill(const struct icb_segments *seg, u8 *buf,
		       struct icb_random random, u64 number);
void icb_segments_spoil(const struct icb_segments *seg, u8 *buf);
size_t icb_segments_check(const struct icb_segments *seg, const u8 *buf,
			  size_t len, struct icb_random random, u64 number);
int icb_segments_rules(const struct icb_params *params,
		       struct icb_reason *why);
int icb_segments_refuse(const struct icb_params *params, const char *device,
			const struct icb_sge_limits *limits,
			struct icb_reason *why);

#endif /* ICB_SEGMENTS_H */
