/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stages from the arrival of a message to the thread that waits for it: arrival,
 * handler, wake-up, thread running, completion taken.
 */
#ifndef ICB_STAGES_H
#define ICB_STAGES_H

#include "model/engine.h"

struct icb_result;
struct icb_run;
struct icb_stamps;

void icb_stages_prepare(struct icb_run *run);
void icb_stages_begin(struct icb_run *run);
void icb_stages_spurious(struct icb_run *run);
void icb_stages_book(struct icb_run *run, const struct icb_stamps *stamps);
void icb_stages_report(const struct icb_run *run, struct icb_result *result);

#endif /* ICB_STAGES_H */
