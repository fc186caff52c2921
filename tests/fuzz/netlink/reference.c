// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "reference.h"

/* Above all numbers of jobs and listeners that a run gets to. */
#define REFERENCES	0xfaced000

/**
 * reference() - what stands for the number of a thing
 * @set: of these
 * @slot: of the pool
 *
 * Return: it.
 */
uint32_t reference(int set, uint32_t slot)
{
	return REFERENCES + set * POOL_SLOTS + slot % POOL_SLOTS;
}

/**
 * reference_resolve() - put the numbers in
 * @d: a datagram, made
 * @family: of the module's messages
 * @pools: the numbers of what there is, by set
 */
void reference_resolve(struct datagram *d, uint16_t family, const struct pool *pools)
{
	struct nlmsghdr *head;
	uint32_t value;
	size_t at;
	int i;

	for (i = 0; i < d->count; i++) {
		head = (struct nlmsghdr *)(d->buf + d->request[i].at);
		if (head->nlmsg_type == FAMILY)
			head->nlmsg_type = family;
	}
	/* attributes, and so numbers of four bytes, are at multiples of these */
	for (at = 0; at + sizeof(value) <= d->len; at += sizeof(value)) {
		memcpy(&value, d->buf + at, sizeof(value));
		value -= REFERENCES;
		if (value >= (uint32_t)set_count * POOL_SLOTS)
			continue;
		value = pool_get(&pools[value / POOL_SLOTS], value % POOL_SLOTS);
		memcpy(d->buf + at, &value, sizeof(value));
	}
}
