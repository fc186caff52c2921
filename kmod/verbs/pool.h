/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The message buffers of one direction: in few pieces of memory, each of which
 * is one region where another host may reach it.
 */
#ifndef ICB_POOL_H
#define ICB_POOL_H

#include "mem.h"
#include "model/segments.h"

struct ib_sge;

/**
 * struct icb_chunk - buffers that lie in one piece of memory
 * @mem: the memory
 * @mr: the region over all of it; NULL where there is none
 * @valid: @mr is registered
 */
struct icb_chunk {
	struct icb_mem mem;
	struct ib_mr *mr;
	bool valid;
};

/**
 * struct icb_pool - the buffers of one direction
 * @chunk: where they are; all but the last hold equally many
 * @chunks: how many
 * @shift: a chunk holds 2^@shift buffers
 * @count: buffers
 * @layout: how a message lies in each
 * @size: bytes of each
 * @stride: bytes from one to the next in a chunk: whole pages
 */
struct icb_pool {
	struct icb_chunk *chunk;
	unsigned int chunks;
	unsigned int shift;
	unsigned int count;
	struct icb_segments layout;
	size_t size;
	size_t stride;
};

/**
 * icb_pool_addr() - where a buffer is
 * @pool: of these
 * @buffer: which, below @pool->count
 *
 * Return: its first byte.
 */
static inline u8 *icb_pool_addr(const struct icb_pool *pool,
				unsigned int buffer)
{
	return pool->chunk[buffer >> pool->shift].mem.addr +
	       (buffer & (BIT(pool->shift) - 1)) * pool->stride;
}

u64 icb_pool_footprint(u32 size, unsigned int count);
unsigned int icb_pool_chunks(const struct ib_device *dev, u32 size,
			     unsigned int count);
unsigned int icb_pool_per_chunk(const struct ib_device *dev, u32 size);
int icb_pool_alloc(struct icb_pool *pool, struct ib_device *dev,
		   const struct icb_segments *layout, unsigned int count,
		   enum dma_data_direction dir, int node, const bool *over,
		   struct icb_reason *why);
int icb_pool_share(struct icb_pool *pool, const struct icb_pool *from,
		   struct ib_device *dev, struct icb_reason *why);
void icb_pool_free(struct icb_pool *pool);
unsigned int icb_pool_sges(const struct icb_pool *pool, unsigned int buffer,
			   u32 lkey, struct ib_sge *sge);
unsigned int icb_pool_cut(const struct icb_pool *pool, unsigned int buffer,
			  u32 begin, u32 end, u32 lkey, struct ib_sge *sge);
unsigned int icb_pool_most_sges(const struct icb_pool *pool);

#endif /* ICB_POOL_H */
