/* SPDX-License-Identifier: GPL-2.0 */
/* Sent, received and lost messages of a run, by the counts of both sides. */
#ifndef ICB_ACCOUNT_H
#define ICB_ACCOUNT_H

#include "run.h"

int icb_run_account(struct icb_run *run, u64 sent, u64 seen,
		    const struct icb_delivery *reported, struct icb_reason *why);
void icb_run_delivery(const struct icb_run *run, struct icb_delivery *reported);
void icb_run_counts(const struct icb_run *run, struct icb_returns *reported);
u64 icb_run_owed(const struct icb_run *run, const struct icb_returns *reported);
int icb_run_account_back(struct icb_run *run, const struct icb_returns *reported,
			 struct icb_reason *why);
u64 icb_run_moved(const struct icb_run *run);
u64 icb_run_bytes(const struct icb_run *run, bool initiator, u64 number,
		  u64 messages);

#endif /* ICB_ACCOUNT_H */
