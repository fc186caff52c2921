/* SPDX-License-Identifier: GPL-2.0 */
/* Buffers for a device: their pages, DMA addresses and memory regions. */
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
 * @dev: device that the buffer is mapped for; NULL if there is no buffer
 * @size: requested size, bytes
 * @addr: address of the buffer for the CPU, contiguous
 * @sgl: pieces of the buffer, each contiguous for the CPU and for the device
 * @pieces: number of pieces
 * @nents: number of entries of @sgl after DMA mapping; 0 if not mapped
 * @order: page order of a piece
 * @node: requested NUMA node; NUMA_NO_NODE for any
 * @dir: direction of the DMA mapping
 * @shared: true if the memory belongs to another buffer
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
