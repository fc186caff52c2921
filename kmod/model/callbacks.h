/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a run may do in callbacks. The kernel serves many completions in a row, in
 * a softirq or in a work item that other users' completion queues wait for, and no
 * callback can give way in between.
 */
#ifndef ICB_CALLBACKS_H
#define ICB_CALLBACKS_H

#include "params.h"

/* Completions that irq_poll serves in a row. */
#define ICB_CALLBACKS_IN_ROW	256

/* Bytes that one of them may fill and check: so many in a row take some 20 ms. */
#define ICB_CALLBACK_BYTES	(256U * 1024)

bool icb_callback_handles(const struct icb_params *params);
u64 icb_callback_each(const struct icb_params *params);
u32 icb_callback_messages(const struct icb_params *params);

#endif /* ICB_CALLBACKS_H */
