// SPDX-License-Identifier: GPL-2.0
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>

#include "model/engine.h"
#include "pool.h"

/* A region over more than one buffer is no larger, whatever a device takes. */
#define MAX_CHUNK	SZ_64M

/*
 * Pages, a power of two of them, or whole pieces of memory: a buffer that fits
 * in one piece lies in one.
 */
static u64 stride_of(u32 size)
{
	return icb_mem_footprint(size);
}

/**
 * icb_pool_footprint() - what buffers take
 * @size: bytes of each
 * @count: how many
 *
 * A bound, whatever regions the device takes: chunks hold a power of two of
 * them, and so share out either this memory or its pieces evenly.
 *
 * Return: bytes that icb_pool_alloc() allocates for them at most.
 */
u64 icb_pool_footprint(u32 size, unsigned int count)
{
	return icb_mem_footprint(stride_of(size) * count);
}

/**
 * icb_pool_per_chunk() - buffers that a device takes in one region
 * @dev: the device
 * @size: bytes of each
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
 * icb_pool_chunks() - pieces of memory, and regions, that buffers lie in
 * @dev: the device
 * @size: bytes of each buffer
 * @count: how many buffers
 *
 * Return: how many.
 */
unsigned int icb_pool_chunks(const struct ib_device *dev, u32 size,
			     unsigned int count)
{
	return DIV_ROUND_UP(count, icb_pool_per_chunk(dev, size));
}

/**
 * icb_pool_alloc() - make buffers and map them for a device
 * @pool: where to keep them; zeroed
 * @dev: the device, held by the caller for as long as they live
 * @layout: how a message lies in each; one of no bytes gives addresses and
 *	nothing to transfer
 * @count: how many
 * @dir: as of icb_mem_alloc()
 * @node: as well
 * @over: as well
 * @why: the reason of a failure
 *
 * Zeroed. May sleep. To be freed by icb_pool_free(), also after a failure.
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
 * @pool: where to keep that; zeroed
 * @from: the buffers, which live longer
 * @dev: the device, held by the caller for as long
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
 * @pool: which; nothing happens where icb_pool_alloc() was not called
 *
 * No work request may refer to them, and no region be over them, any more.
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

/* What of some bytes lies in a piece, which begins at base; 0 for nothing. */
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
 * icb_pool_sges() - the segments of a buffer, as the device sees them
 * @pool: of these
 * @buffer: which
 * @lkey: what the device may use them with
 * @sge: where to, with room for icb_pool_most_sges(); or NULL to count them
 *
 * One that crosses from one piece of memory to the next is two.
 *
 * Return: how many.
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
			/* the rest of it is in the next piece */
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
 * icb_pool_cut() - some bytes of a buffer, as the device sees them
 * @pool: of these
 * @buffer: which
 * @begin: the first of the bytes
 * @end: the one behind the last
 * @lkey: what the device may use them with
 * @sge: where to, with room for icb_pool_most_sges()
 *
 * Return: how many SGEs they are.
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
 * icb_pool_most_sges() - the pieces of the buffer that has most
 * @pool: of these
 *
 * Return: how many.
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
