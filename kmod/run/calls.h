/* SPDX-License-Identifier: GPL-2.0 */
/* Timed calls of the verbs interface, of trigger return. */
#ifndef ICB_CALLS_H
#define ICB_CALLS_H

#include <linux/types.h>

struct icb_ep;

int icb_calls_new(struct icb_ep *ep);
void icb_calls_free(struct icb_ep *ep);
int icb_calls_prepare(struct icb_ep *ep);
int icb_calls_time(struct icb_ep *ep, u32 call, u64 *before, u64 *after);

#endif /* ICB_CALLS_H */
