// SPDX-License-Identifier: GPL-2.0
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <rdma/ib_verbs.h>

#include "cm/name.h"
#include "host/cause.h"
#include "mem.h"
#include "model/engine.h"
#include "model/segments.h"

/* Memory that is left to the host: this fraction of RAM, but at most 64 MiB. */
#define SPARE_PART	16
#define SPARE_PAGES	(SZ_64M >> PAGE_SHIFT)

/**
 * icb_mem_spare() - memory that runs must leave to the host
 *
 * A run that takes all memory of the host, in many small pieces, takes the host down.
 *
 * Return: pages.
 */
long icb_mem_spare(void)
{
	return min_t(long, totalram_pages() / SPARE_PART, SPARE_PAGES);
}

/**
 * icb_mem_left() - memory that is available to runs
 *
 * Includes memory that is promised to other runs: see icb_promise_make().
 *
 * Return: bytes.
 */
u64 icb_mem_left(void)
{
	return (u64)max(si_mem_available() - icb_mem_spare(), 0L) << PAGE_SHIFT;
}

static size_t piece_size(const struct icb_mem *mem)
{
	return PAGE_SIZE << mem->order;
}

/**
 * icb_mem_footprint() - memory that a buffer takes
 * @size: bytes asked for
 *
 * Return: bytes that icb_mem_alloc() allocates for it.
 */
size_t icb_mem_footprint(size_t size)
{
	if (size > ICB_PIECE_SIZE)
		return ALIGN(size, ICB_PIECE_SIZE);
	return PAGE_SIZE << get_order(max_t(size_t, size, 1));
}

static void free_pieces(struct icb_mem *mem)
{
	struct scatterlist *sg;
	unsigned int i;

	for_each_sg(mem->sgl, sg, mem->pieces, i)
		if (sg_page(sg))
			__free_pages(sg_page(sg), mem->order);
}

static int alloc_pieces(struct icb_mem *mem, const bool *over)
{
	int node = mem->node == NUMA_NO_NODE ?
		dev_to_node(mem->dev->dma_device ? : &mem->dev->dev) : mem->node;
	gfp_t only = mem->node == NUMA_NO_NODE ? 0 : __GFP_THISNODE;
	struct scatterlist *sg;
	struct page *page;
	unsigned int i;

	for_each_sg(mem->sgl, sg, mem->pieces, i) {
		if (READ_ONCE(*over))
			return -ECANCELED;
		page = alloc_pages_node(node, GFP_KERNEL | __GFP_ZERO | only |
					__GFP_NOWARN | __GFP_RETRY_MAYFAIL,
					mem->order);
		if (!page)
			return -ENOMEM;
		sg_set_page(sg, page, piece_size(mem), 0);
		cond_resched();
	}
	/* the last piece ends with the buffer */
	sg = sg_last(mem->sgl, mem->pieces);
	if (mem->size)
		sg->length = mem->size - (mem->pieces - 1) * piece_size(mem);
	return 0;
}

/* Map all pieces to one address range of the CPU. */
static u8 *map_pieces(struct icb_mem *mem)
{
	unsigned int per_piece = 1U << mem->order, i, j;
	struct scatterlist *sg;
	struct page **pages;
	u8 *addr;

	if (mem->pieces == 1)
		return page_address(sg_page(mem->sgl));
	pages = kvmalloc_array(mem->pieces * per_piece, sizeof(*pages),
			       GFP_KERNEL);
	if (!pages)
		return NULL;
	for_each_sg(mem->sgl, sg, mem->pieces, i)
		for (j = 0; j < per_piece; j++)
			pages[i * per_piece + j] = sg_page(sg) + j;
	addr = vmap(pages, mem->pieces * per_piece, VM_MAP, PAGE_KERNEL);
	kvfree(pages);
	return addr;
}

/**
 * icb_mem_place() - check where a run wants its buffers
 * @place: parameter memory
 * @dev: the device; NULL if it is not known yet
 * @node: receives the NUMA node; NUMA_NO_NODE means that of the device
 * @why: the reason of a refusal
 *
 * Return: 0; -EINVAL if there is no such node; -EOPNOTSUPP for memory of a
 * device, which the kernel's verbs do not hand out.
 */
int icb_mem_place(u32 place, const struct ib_device *dev, int *node,
		  struct icb_reason *why)
{
	*node = NUMA_NO_NODE;
	switch (place) {
	case ICBENCH_MEMORY_ANY:
		return 0;
	case ICBENCH_MEMORY_DEVICE:
		if (!dev)
			return 0;
		if (!dev->attrs.max_dm_size)
			return icb_refuse(why, -EOPNOTSUPP,
					  "memory: device %s has no memory of its own; accepted: any, node:N",
					  icb_device_name(dev));
		return icb_refuse(why, -EOPNOTSUPP,
				  "memory: the memory of device %s is available to user space only, not to kernel verbs; accepted: any, node:N",
				  icb_device_name(dev));
	}
	place -= ICBENCH_MEMORY_NODE;
	if (place >= MAX_NUMNODES || !node_state(place, N_MEMORY))
		return icb_refuse(why, -EINVAL,
				  "memory: this machine has no memory on node %u; accepted: any, device, node:%*pbl",
				  place, nodemask_pr_args(&node_states[N_MEMORY]));
	*node = place;
	return 0;
}

/**
 * icb_mem_map() - map a buffer for its device
 * @mem: the buffer, not mapped
 *
 * Return: 0; -EIO.
 */
int icb_mem_map(struct icb_mem *mem)
{
	int n = ib_dma_map_sg(mem->dev, mem->sgl, mem->pieces, mem->dir);

	mem->nents = max(n, 0);
	return mem->nents ? 0 : -EIO;
}

/**
 * icb_mem_unmap() - unmap a buffer from its device
 * @mem: the buffer; nothing happens if it is not mapped
 */
void icb_mem_unmap(struct icb_mem *mem)
{
	if (mem->nents)
		ib_dma_unmap_sg(mem->dev, mem->sgl, mem->pieces, mem->dir);
	mem->nents = 0;
}

/**
 * icb_mem_alloc() - allocate a zeroed buffer and map it for a device
 * @mem: receives the buffer; zeroed
 * @dev: the device, held by the caller for the lifetime of the buffer
 * @size: bytes; 0 gives an address and nothing to transfer
 * @dir: DMA_TO_DEVICE for a transmit buffer, DMA_FROM_DEVICE for a receive buffer
 * @node: the only NUMA node to allocate from; NUMA_NO_NODE for the device's node if it
 *	has memory, else any
 * @over: becomes true to cancel the allocation
 * @why: the reason of a failure
 *
 * Zeroing takes a while if the buffer is large. May sleep. To be freed by icb_mem_free(),
 * also after a failure.
 *
 * Return: 0; -ENOMEM; -EIO if the device cannot map it; -ECANCELED, without a reason.
 */
int icb_mem_alloc(struct icb_mem *mem, struct ib_device *dev, size_t size,
		  enum dma_data_direction dir, int node, const bool *over,
		  struct icb_reason *why)
{
	int err;

	mem->dev = dev;
	mem->node = node;
	mem->size = size;
	mem->dir = dir;
	mem->order = get_order(clamp_t(size_t, size, 1, ICB_PIECE_SIZE));
	mem->pieces = icb_mem_footprint(size) / piece_size(mem);
	mem->sgl = kvcalloc(mem->pieces, sizeof(*mem->sgl), GFP_KERNEL);
	if (!mem->sgl)
		goto no_memory;
	sg_init_table(mem->sgl, mem->pieces);
	err = alloc_pieces(mem, over);
	if (err == -ECANCELED)
		return err;
	if (err)
		goto no_memory;
	mem->addr = map_pieces(mem);
	if (!mem->addr)
		goto no_memory;
	if (size && icb_mem_map(mem))
		return icb_refuse(why, -EIO, "device %s cannot map a buffer of %zu bytes",
				  icb_device_name(dev), size);
	return 0;

no_memory:
	return icb_refuse(why, -ENOMEM, "no memory for a buffer of %zu bytes",
			  size);
}

/**
 * icb_mem_share() - map a buffer for one more device
 * @mem: receives the mapping; zeroed
 * @from: the buffer, which outlives @mem
 * @dev: the device, held by the caller for the lifetime of @mem
 * @why: the reason of a failure
 *
 * May sleep. To be freed by icb_mem_free(), also after a failure.
 *
 * Return: 0; -ENOMEM; -EIO if the device cannot map it.
 */
int icb_mem_share(struct icb_mem *mem, const struct icb_mem *from,
		  struct ib_device *dev, struct icb_reason *why)
{
	struct scatterlist *sg, *other = from->sgl;
	unsigned int i;

	*mem = *from;
	mem->dev = dev;
	mem->shared = true;
	mem->nents = 0;
	mem->sgl = kvcalloc(mem->pieces, sizeof(*mem->sgl), GFP_KERNEL);
	if (!mem->sgl)
		return icb_refuse(why, -ENOMEM, "no memory for a buffer of %zu bytes",
				  mem->size);
	sg_init_table(mem->sgl, mem->pieces);
	for_each_sg(mem->sgl, sg, mem->pieces, i) {
		sg_set_page(sg, sg_page(other), other->length, 0);
		other = sg_next(other);
	}
	if (mem->size && icb_mem_map(mem))
		return icb_refuse(why, -EIO, "device %s cannot map a buffer of %zu bytes",
				  icb_device_name(dev), mem->size);
	return 0;
}

/**
 * icb_mem_free() - unmap and free a buffer
 * @mem: the buffer; nothing happens if icb_mem_alloc() was not called
 *
 * No work request may refer to the buffer any more.
 */
void icb_mem_free(struct icb_mem *mem)
{
	if (!mem->sgl)
		return;
	icb_mem_unmap(mem);
	if (!mem->shared) {
		if (mem->addr && mem->pieces > 1)
			vunmap(mem->addr);
		free_pieces(mem);
	}
	kvfree(mem->sgl);
	memset(mem, 0, sizeof(*mem));
}

/**
 * icb_mem_mr() - prepare one region over a whole buffer
 * @mem: the buffer
 * @pd: protection domain of the region
 * @mr: receives the region; the caller posts IB_WR_REG_MR for it before use,
 *	IB_WR_LOCAL_INV after use, and frees it by ib_dereg_mr()
 * @why: the reason of a refusal
 *
 * Return: 0; -EOPNOTSUPP if the device does not support a region that large; the
 * device's negative error number.
 */
int icb_mem_mr(struct icb_mem *mem, struct ib_pd *pd, struct ib_mr **mr,
	       struct icb_reason *why)
{
	unsigned int pages = DIV_ROUND_UP(mem->size, PAGE_SIZE);
	u32 most = mem->dev->attrs.max_fast_reg_page_list_len;
	int n;

	if (pages > most)
		return icb_refuse(why, -EOPNOTSUPP,
				  "size: device %s registers at most %llu bytes in one region",
				  icb_device_name(mem->dev),
				  (unsigned long long)most * PAGE_SIZE);
	*mr = ib_alloc_mr(pd, IB_MR_TYPE_MEM_REG, pages);
	if (IS_ERR(*mr)) {
		n = PTR_ERR(*mr);
		*mr = NULL;
		return icb_refuse(why, n, "device %s cannot allocate a memory region: %s (%d)",
				  icb_device_name(mem->dev),
				  icb_cause_of_device(n), n);
	}
	n = ib_map_mr_sg(*mr, mem->sgl, mem->nents, NULL, PAGE_SIZE);
	if (n == mem->nents)
		return 0;
	ib_dereg_mr(*mr);
	*mr = NULL;
	return icb_refuse(why, n < 0 ? n : -EIO,
			  "device %s mapped %d of %u pieces of a region",
			  icb_device_name(mem->dev), n, mem->nents);
}
