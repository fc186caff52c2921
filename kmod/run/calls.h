/* SPDX-License-Identifier: GPL-2.0 */
/* Timed calls of the verbs interface, of trigger return. */
#ifndef ICB_CALLS_H
#define ICB_CALLS_H

struct icb_ep;

int icb_calls_new(struct icb_ep *ep);
void icb_calls_free(struct icb_ep *ep);

#endif /* ICB_CALLS_H */
