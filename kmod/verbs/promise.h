/* SPDX-License-Identifier: GPL-2.0 */
/* Memory that is set aside for runs that have not allocated it yet. */
#ifndef ICB_PROMISE_H
#define ICB_PROMISE_H

#include <linux/types.h>

/**
 * struct icb_promise - memory set aside for one run
 * @bytes: memory that the run may still allocate, bytes
 */
struct icb_promise {
	u64 bytes;
};

int icb_promise_make(struct icb_promise *promise, u64 bytes, u64 *left);
void icb_promise_keep(struct icb_promise *promise, u64 bytes);
void icb_promise_end(struct icb_promise *promise);
u64 icb_promise_left(const struct icb_promise *promise);

#endif /* ICB_PROMISE_H */
