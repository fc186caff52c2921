// SPDX-License-Identifier: GPL-2.0
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>

#include "model/engine.h"
#include "pool.h"

/* Largest region over more than one buffer, even if the device supports more. */
#define MAX_CHUNK	SZ_64M

/*
 * The distance between buffers: a power of two of pages, or whole pieces of memory. So a
 * buffer that fits in one piece does not cross into another.
 */
static u64 stride_of(u32 size)
{
	return icb_mem_footprint(size);
}

/**
 * icb_pool_footprint() - memory that buffers take
 * @size: bytes of each buffer
 * @count: number of buffers
 *
 * The result is a bound for any region size of the device: a chunk holds a power of two
 * of buffers, so the chunks evenly divide either this memory or its pieces.
 *
 * Return: bytes that icb_pool_alloc() allocates for them at most.
 */
u64 icb_pool_footprint(u32 size, unsigned int count)
{
	return icb_mem_footprint(stride_of(size) * count);
}

/**
 * icb_pool_per_chunk() - number of buffers that fit in one region of a device
 * @dev: the device
 * @size: bytes of each buffer
 *
 * Return: a power of two, at least one.
 */
unsigned int icb_pool_per_chunk(const struct ib_device *dev, u32 size)
{
	u64 most = (u64)dev->attrs.max_fast_reg_page_list_len * PAGE_SIZE;

	most = clamp_t(u64, most, PAGE_SIZE, MAX_CHUNK) / stride_of(size);
	return rounddown_pow_of_two(max_t(unsigned long, most, 1));
}

/**
 * icb_pool_chunks() - number of chunks of memory, and of regions, that buffers take
 * @dev: the device
 * @size: bytes of each buffer
 * @count: number of buffers
 *
 * Return: number of chunks.
 */
unsigned int icb_pool_chunks(const struct ib_device *dev, u32 size,
			     unsigned int count)
{
	return DIV_ROUND_UP(count, icb_pool_per_chunk(dev, size));
}

/**
 * icb_pool_alloc() - allocate zeroed buffers and map them for a device
 * @pool: receives the buffers; zeroed
 * @dev: the device, held by the caller for the lifetime of the buffers
 * @layout: layout of a message in each buffer; with no bytes, the buffers have addresses
 *	and nothing to transfer
 * @count: number of buffers
 * @dir: as for icb_mem_alloc()
 * @node: as for icb_mem_alloc()
 * @over: as for icb_mem_alloc()
 * @why: the reason of a failure
 *
 * May sleep. To be freed by icb_pool_free(), also after a failure.
 *
 * Return: 0; -ENOMEM; -EIO if the device cannot map them; -ECANCELED, without a reason.
 */
int icb_pool_alloc(struct icb_pool *pool, struct ib_device *dev,
		   const struct icb_segments *layout, unsigned int count,
		   enum dma_data_direction dir, int node, const bool *over,
		   struct icb_reason *why)
{
	u32 size = layout->extent;
	unsigned int per = icb_pool_per_chunk(dev, size), left = count, i, n;
	int err;

	pool->layout = *layout;
	pool->size = size;
	pool->stride = stride_of(size);
	pool->shift = ilog2(per);
	pool->count = count;
	pool->chunks = icb_pool_chunks(dev, size, count);
	pool->chunk = kvcalloc(pool->chunks, sizeof(*pool->chunk), GFP_KERNEL);
	if (!pool->chunk)
		return icb_refuse(why, -ENOMEM, "no memory for %u buffers",
				  count);
	for (i = 0; i < pool->chunks; i++) {
		n = min(left, per);
		err = icb_mem_alloc(&pool->chunk[i].mem, dev,
				    (n - 1) * pool->stride + size, dir, node,
				    over, why);
		if (err)
			return err;
		left -= n;
		cond_resched();
	}
	return 0;
}

/**
 * icb_pool_share() - map buffers for one more device
 * @pool: receives the mappings; zeroed
 * @from: the buffers, which outlive @pool
 * @dev: the device, held by the caller for the lifetime of @pool
 * @why: the reason of a failure
 *
 * May sleep. To be freed by icb_pool_free(), also after a failure.
 *
 * Return: 0; -ENOMEM; -EIO if the device cannot map them.
 */
int icb_pool_share(struct icb_pool *pool, const struct icb_pool *from,
		   struct ib_device *dev, struct icb_reason *why)
{
	unsigned int i;
	int err;

	*pool = *from;
	pool->chunk = kvcalloc(pool->chunks, sizeof(*pool->chunk), GFP_KERNEL);
	if (!pool->chunk)
		return icb_refuse(why, -ENOMEM, "no memory for %u buffers",
				  pool->count);
	for (i = 0; i < pool->chunks; i++) {
		err = icb_mem_share(&pool->chunk[i].mem, &from->chunk[i].mem,
				    dev, why);
		if (err)
			return err;
		cond_resched();
	}
	return 0;
}

/**
 * icb_pool_free() - unmap and free buffers
 * @pool: the buffers; nothing happens if icb_pool_alloc() was not called
 *
 * No work request may refer to the buffers, and no region may cover them, any more.
 */
void icb_pool_free(struct icb_pool *pool)
{
	unsigned int i;

	if (!pool->chunk)
		return;
	for (i = 0; i < pool->chunks; i++)
		icb_mem_free(&pool->chunk[i].mem);
	kvfree(pool->chunk);
	memset(pool, 0, sizeof(*pool));
}

/*
 * Describe in an SGE the bytes from begin to end that lie in one piece, whose first byte
 * is at base. Returns false if none of them do.
 */
static bool cut(u64 begin, u64 end, u64 base, struct scatterlist *sg, u32 lkey,
		struct ib_sge *sge)
{
	begin = max(begin, base);
	end = min(end, base + sg_dma_len(sg));
	if (begin >= end)
		return false;
	if (sge) {
		sge->addr = sg_dma_address(sg) + begin - base;
		sge->length = end - begin;
		sge->lkey = lkey;
	}
	return true;
}

/**
 * icb_pool_sges() - describe the segments of a buffer in SGEs
 * @pool: the buffers
 * @buffer: index of the buffer
 * @lkey: local key of the SGEs
 * @sge: receives the SGEs, with room for icb_pool_most_sges(); or NULL to count them
 *
 * A segment that crosses from one piece of memory to the next takes two SGEs.
 *
 * Return: number of SGEs.
 */
unsigned int icb_pool_sges(const struct icb_pool *pool, unsigned int buffer,
			   u32 lkey, struct ib_sge *sge)
{
	const struct icb_mem *mem = &pool->chunk[buffer >> pool->shift].mem;
	u64 from = (buffer & (BIT(pool->shift) - 1)) * pool->stride;
	const struct icb_segments *layout = &pool->layout;
	unsigned int count = 0, i;
	struct scatterlist *sg;
	u64 base = 0, end;
	u32 part = 0;

	for_each_sg(mem->sgl, sg, mem->nents, i) {
		end = base + sg_dma_len(sg);
		for (; part < layout->count; part++) {
			count += cut(from + icb_segments_begin(layout, part),
				     from + icb_segments_end(layout, part),
				     base, sg, lkey, sge ? sge + count : NULL);
			/* the rest of this segment is in the next piece */
			if (from + icb_segments_end(layout, part) > end)
				break;
		}
		if (part == layout->count)
			break;
		base = end;
	}
	return count;
}

/**
 * icb_pool_cut() - describe a range of a buffer in SGEs
 * @pool: the buffers
 * @buffer: index of the buffer
 * @begin: offset of the first byte
 * @end: offset behind the last byte
 * @lkey: local key of the SGEs
 * @sge: receives the SGEs, with room for icb_pool_most_sges()
 *
 * Return: number of SGEs.
 */
unsigned int icb_pool_cut(const struct icb_pool *pool, unsigned int buffer,
			  u32 begin, u32 end, u32 lkey, struct ib_sge *sge)
{
	const struct icb_mem *mem = &pool->chunk[buffer >> pool->shift].mem;
	u64 from = (buffer & (BIT(pool->shift) - 1)) * pool->stride, base = 0;
	unsigned int count = 0, i;
	struct scatterlist *sg;

	for_each_sg(mem->sgl, sg, mem->nents, i) {
		count += cut(from + begin, from + end, base, sg, lkey,
			     sge + count);
		base += sg_dma_len(sg);
	}
	return count;
}

/**
 * icb_pool_most_sges() - largest number of SGEs that a buffer takes
 * @pool: the buffers
 *
 * Return: number of SGEs.
 */
unsigned int icb_pool_most_sges(const struct icb_pool *pool)
{
	unsigned int most = 0, i;

	for (i = 0; i < pool->count; i++) {
		most = max(most, icb_pool_sges(pool, i, 0, NULL));
		cond_resched();
	}
	return most;
}
