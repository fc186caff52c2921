// SPDX-License-Identifier: GPL-2.0
#include <linux/in6.h>
#include <linux/ktime.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/spinlock.h>
#include <rdma/rdma_cm.h>

#include "model/admission.h"
#include "rate.h"

/*
 * One limit for all listeners, since the connection manager also has one queue for all.
 */
static struct icb_admission rate_admission;
static DEFINE_SPINLOCK(rate_lock);
/* Keyed hash: a peer cannot compute which addresses share a bucket. */
static siphash_key_t rate_key;

static u32 hash_source(const struct rdma_cm_id *id)
{
	const struct sockaddr_storage *from = &id->route.addr.dst_addr;
	const struct sockaddr_in6 *sin6 = (const void *)from;
	const struct sockaddr_in *sin = (const void *)from;

	if (from->ss_family == AF_INET)
		return siphash(&sin->sin_addr, sizeof(sin->sin_addr),
			       &rate_key);
	return siphash(&sin6->sin6_addr, sizeof(sin6->sin6_addr), &rate_key);
}

/**
 * icb_rate_take() - check a connection request against the rate limit
 * @id: identifier of the request
 *
 * Process context; does not wait.
 *
 * Return: true if the request may be served; false if its source, or all sources
 * together, have made too many.
 */
bool icb_rate_take(const struct rdma_cm_id *id)
{
	u32 hash = hash_source(id);
	bool taken;

	spin_lock(&rate_lock);
	taken = icb_admission_take(&rate_admission, hash, ktime_get_ns());
	spin_unlock(&rate_lock);
	return taken;
}

/**
 * icb_rate_init() - set the hash key
 *
 * Return: 0.
 */
int __init icb_rate_init(void)
{
	get_random_bytes(&rate_key, sizeof(rate_key));
	return 0;
}
