// SPDX-License-Identifier: GPL-2.0
/*
 * SLUB serves a CPU from the free objects of one slab, its current slab. After boot all
 * slabs of a size may be full. Then an object that is freed is the only free object of
 * its slab. The next allocation makes this slab the current slab, and leaves it full
 * again. From then on each allocation and each free takes the slow path, as long as no
 * other code frees objects of that size. An rxe device allocates each of its packets: on
 * Linux 6.1 a round trip of 26,000 instructions takes 520 more. The objects that a first
 * run frees at its end stop this, so only the first run after a boot was slower.
 *
 * So free objects are made before the warm-up of a run, by allocating some and freeing
 * all of them. Each CPU has its own. If there is no memory, the run proceeds without
 * them.
 */
#include <linux/kernel.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/tcp.h>

#include "settle.h"

/* More objects than a ping-pong, and others meanwhile, have in use at a time. */
#define OBJECTS		32

/* Headers of a packet, including the headroom before them, bytes. */
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
 * @bytes: largest payload of a packet
 * @tcp: true if the device sends by TCP
 *
 * Covers the sizes that a software device allocates: for a message or a segment of one,
 * and for an acknowledgment. Called by a thread that stays on its CPU. May sleep.
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
 * Covers the sizes that a device allocates for the objects of a timed call, such as a
 * memory region. Called by a thread that stays on its CPU. May sleep.
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
