/* SPDX-License-Identifier: GPL-2.0 */
/* The initiator's script, from finding the device to the last message. */
#ifndef ICB_INITIATOR_H
#define ICB_INITIATOR_H

struct icb_job;
struct icb_params;
struct icb_reason;

int icb_initiator_check(const struct icb_params *params,
			struct icb_reason *why);
int icb_initiate(struct icb_job *job, struct icb_reason *why);

#endif /* ICB_INITIATOR_H */
