/* SPDX-License-Identifier: GPL-2.0 */
/* The preparation of a run, before its first operation. */
#ifndef ICB_PREPARE_H
#define ICB_PREPARE_H

#include "run.h"

unsigned int icb_run_hists(const struct icb_params *params);
u64 icb_run_samples(const struct icb_params *params);
void icb_run_prepare(struct icb_run *run, bool initiator);
void icb_run_prepare_local(struct icb_run *run);
void icb_run_rehearse(struct icb_run *run, const struct icb_params *params,
		      struct icb_hist *hist, u64 *samples);

#endif /* ICB_PREPARE_H */
