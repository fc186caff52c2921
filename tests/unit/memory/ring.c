// SPDX-License-Identifier: GPL-2.0
#include "queue.h"

/**
 * ring_open() - create a queue
 * @ring: the queue
 * @size: size of an entry, bytes
 * @depth: most entries
 */
void ring_open(struct net_ring *ring, size_t size, unsigned int depth)
{
	ring->entry = calloc(depth, size);
	ring->size = size;
	ring->depth = depth;
	ring->head = 0;
	ring->count = 0;
}

/**
 * ring_head() - get the oldest entry of a queue
 * @ring: the queue
 *
 * Return: the entry; NULL if the queue is empty.
 */
void *ring_head(const struct net_ring *ring)
{
	return ring->count ? ring->entry + ring->head * ring->size : NULL;
}

/**
 * ring_tail() - get the newest entry of a queue
 * @ring: the queue
 *
 * Return: the entry; NULL if the queue is empty.
 */
void *ring_tail(const struct net_ring *ring)
{
	unsigned int tail = (ring->head + ring->count + ring->depth - 1) %
			    ring->depth;

	return ring->count ? ring->entry + tail * ring->size : NULL;
}

/**
 * ring_push() - append an entry to a queue
 * @ring: the queue
 * @entry: the entry
 * @size: bytes of @entry to copy; at most the size of an entry
 *
 * Return: false if the queue is full.
 */
bool ring_push(struct net_ring *ring, const void *entry, size_t size)
{
	unsigned int tail = (ring->head + ring->count) % ring->depth;

	if (ring->count == ring->depth)
		return false;
	memcpy(ring->entry + tail * ring->size, entry, size);
	ring->count++;
	return true;
}

/**
 * ring_pop() - remove the oldest entry of a queue
 * @ring: queue that is not empty
 */
void ring_pop(struct net_ring *ring)
{
	ring->head = (ring->head + 1) % ring->depth;
	ring->count--;
}
