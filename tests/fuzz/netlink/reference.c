// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "reference.h"

/* Greater than any number of a job or listener in a run. */
#define REFERENCES	0xfaced000

/**
 * reference() - placeholder for the number of an object
 * @set: index of the object's set
 * @slot: slot of the set's pool
 *
 * Return: the placeholder.
 */
uint32_t reference(int set, uint32_t slot)
{
	return REFERENCES + set * POOL_SLOTS + slot % POOL_SLOTS;
}

/**
 * reference_resolve() - replace placeholders by numbers
 * @d: generated datagram
 * @family: message type of the module
 * @pools: pools, by set
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
	/* attributes are aligned to four bytes, and so are placeholders */
	for (at = 0; at + sizeof(value) <= d->len; at += sizeof(value)) {
		memcpy(&value, d->buf + at, sizeof(value));
		value -= REFERENCES;
		if (value >= (uint32_t)set_count * POOL_SLOTS)
			continue;
		value = pool_get(&pools[value / POOL_SLOTS], value % POOL_SLOTS);
		memcpy(d->buf + at, &value, sizeof(value));
	}
}
