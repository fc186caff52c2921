/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of a message in its buffer: segments with gaps between them. Each segment is
 * an SGE of the work request.
 */
#ifndef ICB_SEGMENTS_H
#define ICB_SEGMENTS_H

#include "engine.h"
#include "params.h"
#include "random.h"

/* Larger buffers consist of pieces of this size, bytes, which need not be contiguous. */
#define ICB_PIECE_SIZE	(2U << 20)

/**
 * struct icb_segments - the layout of a message
 * @count: number of segments, at least 1
 * @size: size of each segment but the last, bytes
 * @last: size of the last segment, which holds the remainder, bytes
 * @stride: distance between the starts of two segments, bytes
 * @extent: distance from the start of the buffer to the end of the message, bytes
 */
struct icb_segments {
	u32 count;
	u32 size;
	u32 last;
	u64 stride;
	u64 extent;
};

/**
 * struct icb_sge_limits - largest numbers of SGEs that a device accepts
 * @send: SGEs of a send or write
 * @recv: SGEs of a receive
 * @read: SGEs of a read; 0 if the device reports no limit
 */
struct icb_sge_limits {
	u32 send;
	u32 recv;
	u32 read;
};

/**
 * icb_segments_begin() - get the start of a segment
 * @seg: the layout
 * @i: index of the segment
 *
 * Return: offset from the start of the buffer, bytes.
 */
static inline u64 icb_segments_begin(const struct icb_segments *seg, u32 i)
{
	return i * seg->stride;
}

/**
 * icb_segments_end() - get the end of a segment
 * @seg: the layout
 * @i: index of the segment
 *
 * Return: offset from the start of the buffer, bytes.
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
