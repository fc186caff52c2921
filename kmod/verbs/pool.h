/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The message buffers of one direction. They lie in few chunks of memory, each of which
 * is one region if the peer accesses it.
 */
#ifndef ICB_POOL_H
#define ICB_POOL_H

#include "mem.h"
#include "model/segments.h"

struct ib_sge;

/**
 * struct icb_chunk - buffers that lie in one region
 * @mem: memory of the buffers
 * @mr: region over all of @mem; NULL if there is none
 * @valid: true if @mr is registered
 */
struct icb_chunk {
	struct icb_mem mem;
	struct ib_mr *mr;
	bool valid;
};

/**
 * struct icb_pool - the buffers of one direction
 * @chunk: chunks of memory; all but the last hold the same number of buffers
 * @chunks: number of chunks
 * @shift: binary logarithm of the number of buffers in a chunk
 * @count: number of buffers
 * @layout: layout of a message in each buffer
 * @size: size of each buffer, bytes
 * @stride: distance from one buffer to the next in a chunk, bytes: whole pages
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
 * icb_pool_addr() - address of a buffer
 * @pool: the buffers
 * @buffer: index of the buffer, below @pool->count
 *
 * Return: address of its first byte.
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
