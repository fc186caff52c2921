/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Buffers that a device reaches: pages, their addresses for the device, and
 * their registration where another host may reach them, too.
 */
#ifndef ICB_MEM_H
#define ICB_MEM_H

#include <linux/dma-direction.h>
#include <linux/scatterlist.h>
#include <linux/types.h>

struct ib_device;
struct ib_mr;
struct ib_pd;
struct icb_reason;

/**
 * struct icb_mem - one buffer
 * @dev: the device that it is mapped for; NULL where there is no buffer
 * @size: bytes that were asked for
 * @addr: where the CPU finds it, in one piece
 * @sgl: its pieces, each contiguous for CPU and device
 * @pieces: how many
 * @nents: entries of @sgl as the device sees them, after mapping
 * @order: page order of a piece
 * @node: NUMA node that it was asked for; NUMA_NO_NODE for any
 * @dir: who writes
 * @shared: the memory is that of another buffer
 */
struct icb_mem {
	struct ib_device *dev;
	size_t size;
	u8 *addr;
	struct scatterlist *sgl;
	unsigned int pieces;
	unsigned int nents;
	unsigned int order;
	int node;
	enum dma_data_direction dir;
	bool shared;
};

long icb_mem_spare(void);
u64 icb_mem_left(void);
size_t icb_mem_footprint(size_t size);
int icb_mem_alloc(struct icb_mem *mem, struct ib_device *dev, size_t size,
		  enum dma_data_direction dir, int node, const bool *over,
		  struct icb_reason *why);
int icb_mem_place(u32 place, const struct ib_device *dev, int *node,
		  struct icb_reason *why);
int icb_mem_share(struct icb_mem *mem, const struct icb_mem *from,
		  struct ib_device *dev, struct icb_reason *why);
int icb_mem_map(struct icb_mem *mem);
void icb_mem_unmap(struct icb_mem *mem);
void icb_mem_free(struct icb_mem *mem);
int icb_mem_mr(struct icb_mem *mem, struct ib_pd *pd, struct ib_mr **mr,
	       struct icb_reason *why);

#endif /* ICB_MEM_H */
