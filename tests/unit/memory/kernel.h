/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of kmod/io, kmod/verbs and kmod/host that are compiled for tests use of
 * the kernel. It is included in front of each of them; the kernel headers that they name
 * are empty files that engine.mk makes.
 */
#ifndef MEMORY_KERNEL_H
#define MEMORY_KERNEL_H

#include <endian.h>
#include <stdlib.h>
#include <linux/types.h>

#include "base/freestanding.h"

/* Names of the kernel's structs, in files that are also compiled for in-kernel verbs. */
#define ib_device		vb_device
#define ib_mr			vb_mr
#define ib_pd			vb_pd
#define ib_sge			vb_sge
#define IB_WR_RDMA_READ		IB_UVERBS_WR_RDMA_READ

#define cpu_to_le32(v)		htole32(v)
#define cpu_to_le64(v)		htole64(v)
#define le32_to_cpu(v)		le32toh(v)
#define le64_to_cpu(v)		le64toh(v)

#define min(a, b) ({							\
	__typeof__(a) icb_a_ = (a);					\
	__typeof__(b) icb_b_ = (b);					\
	icb_a_ < icb_b_ ? icb_a_ : icb_b_; })
#define max(a, b) ({							\
	__typeof__(a) icb_a_ = (a);					\
	__typeof__(b) icb_b_ = (b);					\
	icb_a_ > icb_b_ ? icb_a_ : icb_b_; })
#define clamp_t(t, v, low, high)	min_t(t, max_t(t, v, low), high)
#define ilog2(v)		((unsigned int)__fls(v))
#define rounddown_pow_of_two(v)	(1UL << __fls(v))

#define PAGE_SIZE		4096UL
#define SZ_64M			0x04000000
#define NUMA_NO_NODE		(-1)
#define GFP_KERNEL		0
#define kvcalloc(n, size, gfp)	calloc(n, size)
#define kvfree(p)		free((void *)(p))

static inline const void *memchr_inv(const void *start, int c, size_t bytes)
{
	const u8 *p = start;

	for (; bytes; bytes--, p++)
		if (*p != (u8)c)
			return p;
	return NULL;
}

/* Time and locks are those of task.h: the lock is recursive. */
u64 task_now(void);
void task_lock(void);
void task_unlock(void);
void task_wake(const void *key);

#define jiffies			task_now()
#define time_before(a, b)	((s64)((a) - (b)) < 0)

typedef struct {
	int unused;
} spinlock_t;

typedef struct {
	int unused;
} wait_queue_head_t;

#define DEFINE_SPINLOCK(name)	spinlock_t name __attribute__((__unused__))
#define spin_lock_init(lock)	((void)(lock))
#define spin_lock(lock)		((void)(lock), task_lock())
#define spin_unlock(lock)	((void)(lock), task_unlock())
#define spin_lock_bh(lock)	spin_lock(lock)
#define spin_unlock_bh(lock)	spin_unlock(lock)
#define init_waitqueue_head(q)	((void)(q))

static inline void wake_up_all(wait_queue_head_t *queue)
{
	task_lock();
	task_wake(queue);
	task_unlock();
}

/* DMA mappings: each entry is a piece that is contiguous for the device. */
enum dma_data_direction {
	DMA_BIDIRECTIONAL,
	DMA_TO_DEVICE,
	DMA_FROM_DEVICE,
};

struct scatterlist {
	u64 addr;
	u32 len;
};

#define sg_dma_address(sg)	((sg)->addr)
#define sg_dma_len(sg)		((sg)->len)
#define for_each_sg(list, sg, count, i)	\
	for ((i) = 0, (sg) = (list); (i) < (count); (i)++, (sg)++)

#endif /* MEMORY_KERNEL_H */
