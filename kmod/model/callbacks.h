/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits of the work in callbacks. The kernel serves many completions in a row, in a
 * softirq or in a work item for which the CQs of other users wait. A callback cannot
 * yield the CPU in between.
 */
#ifndef ICB_CALLBACKS_H
#define ICB_CALLBACKS_H

#include "params.h"

/* Largest number of completions that irq_poll serves in a row. */
#define ICB_CALLBACKS_IN_ROW	256

/* Most bytes to fill and check per completion: ICB_CALLBACKS_IN_ROW take some 20 ms. */
#define ICB_CALLBACK_BYTES	(256U * 1024)

bool icb_callback_handles(const struct icb_params *params);
u64 icb_callback_each(const struct icb_params *params);
u32 icb_callback_messages(const struct icb_params *params);

#endif /* ICB_CALLBACKS_H */
