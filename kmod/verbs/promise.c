// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/spinlock.h>

#include "mem.h"
#include "promise.h"

/* Protects the sum of all promises, and each of them. */
static DEFINE_SPINLOCK(promise_lock);
static u64 promise_sum;

/* What is available but for the host's spare, and for what others were promised. */
static u64 left_for(const struct icb_promise *promise)
{
	u64 left = icb_mem_left(), others = promise_sum;

	if (promise)
		others -= promise->bytes;
	return left - min(left, others);
}

/**
 * icb_promise_make() - see whether the host has memory for a run, and set it aside
 * @promise: that of the run; zeroed at first
 * @bytes: what the run is about to take
 * @left: how much there was for it
 *
 * Whoever asks meanwhile does not get the same memory. To be kept or ended once the
 * run has taken it: from then on the kernel itself counts it as in use.
 *
 * Return: 0; -ENOMEM.
 */
int icb_promise_make(struct icb_promise *promise, u64 bytes, u64 *left)
{
	int err = -ENOMEM;

	spin_lock(&promise_lock);
	*left = left_for(NULL);
	if (bytes <= *left) {
		promise->bytes += bytes;
		promise_sum += bytes;
		err = 0;
	}
	spin_unlock(&promise_lock);
	return err;
}

/**
 * icb_promise_keep() - a run has taken some of what it was promised
 * @promise: that of the run
 * @bytes: how much
 */
void icb_promise_keep(struct icb_promise *promise, u64 bytes)
{
	spin_lock(&promise_lock);
	bytes = min(bytes, promise->bytes);
	promise->bytes -= bytes;
	promise_sum -= bytes;
	spin_unlock(&promise_lock);
}

/**
 * icb_promise_end() - a run takes no more
 * @promise: that of the run; nothing happens where nothing is left of it
 */
void icb_promise_end(struct icb_promise *promise)
{
	icb_promise_keep(promise, U64_MAX);
}

/**
 * icb_promise_left() - memory that a run may take
 * @promise: that of the run, which is part of it; NULL for one that has none
 *
 * Return: bytes.
 */
u64 icb_promise_left(const struct icb_promise *promise)
{
	u64 left;

	spin_lock(&promise_lock);
	left = left_for(promise);
	spin_unlock(&promise_lock);
	return left;
}
