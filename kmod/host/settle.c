// SPDX-License-Identifier: GPL-2.0
/*
 * SLUB serves a CPU from the free objects of one slab, its present one. After boot all
 * slabs of a size may be full. Then an object that is freed is the only free one of its
 * slab; the next allocation makes this slab the present one, and leaves it full again.
 * From then on each allocation and each free takes the slow path, as long as nobody else
 * frees objects of that size. An rxe device allocates each of its packets: on Linux 6.1 a
 * round trip of 26,000 instructions takes 520 more. The objects that a first run frees at
 * its end put an end to it, so that only the first run of a boot was slower.
 *
 * So the free objects are made before the run warms up, by allocating some and freeing
 * all of them. Each CPU has its own. Where there is no memory, the run goes on without.
 */
#include <linux/kernel.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/tcp.h>

#include "settle.h"

/* More than a ping-pong has in use at a time, and than others allocate meanwhile. */
#define OBJECTS		32

/* Headers around the content of a packet, with what is kept free before them, bytes. */
#define HEADERS		128

#define SETTLE_GFP	(GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY)

static void free_packets(unsigned int bytes, bool tcp)
{
	struct sk_buff *skb[OBJECTS];
	unsigned int made;

	for (made = 0; made < OBJECTS; made++) {
		skb[made] = tcp ? alloc_skb_fclone(bytes, SETTLE_GFP) :
				  alloc_skb(bytes, SETTLE_GFP);
		if (!skb[made])
			break;
	}
	while (made)
		kfree_skb(skb[--made]);
}

/**
 * icb_settle_packets() - have the allocator keep free packets for this CPU
 * @bytes: largest content of a packet
 * @tcp: the device sends by TCP
 *
 * Of the sizes that a device which is made of software allocates: for a message, or a
 * piece of one, and for an acknowledgment. By a thread that stays on its CPU. May sleep.
 */
void icb_settle_packets(u32 bytes, bool tcp)
{
	if (tcp) {
		free_packets(MAX_TCP_HEADER, true);
		return;
	}
	free_packets(HEADERS, false);
	if (bytes > HEADERS / 2)
		free_packets(bytes + HEADERS, false);
}

static void free_blocks(size_t bytes)
{
	void *block[OBJECTS];
	unsigned int made;

	for (made = 0; made < OBJECTS; made++) {
		block[made] = kmalloc(bytes, SETTLE_GFP);
		if (!block[made])
			break;
	}
	while (made)
		kfree(block[--made]);
}

/**
 * icb_settle_blocks() - have the allocator keep free blocks for this CPU
 *
 * Of the sizes that a device allocates for what a timed call makes, such as a region.
 * By a thread that stays on its CPU. May sleep.
 */
void icb_settle_blocks(void)
{
	static const u16 sizes[] = {
		64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		free_blocks(sizes[i]);
}
