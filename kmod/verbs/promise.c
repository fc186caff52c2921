// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/spinlock.h>

#include "mem.h"
#include "promise.h"

/* Protects promise_sum and all &icb_promise.bytes. */
static DEFINE_SPINLOCK(promise_lock);
static u64 promise_sum;

/* Available memory, less the host's spare and what is promised to other runs. */
static u64 left_for(const struct icb_promise *promise)
{
	u64 left = icb_mem_left(), others = promise_sum;

	if (promise)
		others -= promise->bytes;
	return left - min(left, others);
}

/**
 * icb_promise_make() - set memory aside for a run, if the host has it
 * @promise: promise of the run; zeroed before the first call
 * @bytes: memory that the run is about to allocate
 * @left: receives the memory that was available, bytes
 *
 * Other runs cannot have the same memory meanwhile. Once the run has allocated the
 * memory, the kernel counts it as in use, and the caller has to call icb_promise_keep()
 * or icb_promise_end().
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
 * icb_promise_keep() - account for promised memory that a run has allocated
 * @promise: promise of the run
 * @bytes: memory that was allocated
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
 * icb_promise_end() - end a promise when the run allocates no more memory
 * @promise: promise of the run; nothing happens if no bytes are left in it
 */
void icb_promise_end(struct icb_promise *promise)
{
	icb_promise_keep(promise, U64_MAX);
}

/**
 * icb_promise_left() - memory that a run may allocate
 * @promise: promise of the run, which is included; NULL for a run that has none
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
