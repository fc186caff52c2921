/* SPDX-License-Identifier: GPL-2.0 */
/* The messages of a run: prepare, post, count and check them. */
#ifndef ICB_MESSAGE_H
#define ICB_MESSAGE_H

#include "run.h"

u32 icb_run_due(const struct icb_run *run, u64 seq);
u8 icb_run_due_byte(const struct icb_run *run);
u8 icb_run_stage_op(struct icb_run *run, unsigned int slot);
void icb_run_make(struct icb_run *run);
void icb_run_stage(struct icb_run *run);
int icb_run_post(struct icb_run *run);
void icb_run_check_landed(struct icb_run *run);
void icb_run_check(struct icb_run *run, u64 seq);
void icb_run_arrived(struct icb_run *run);
int icb_run_settle(struct icb_run *run);
u32 icb_run_land(struct icb_run *run);
void icb_run_last(struct icb_run *run, u64 number, u32 buffer);
void icb_run_resume(struct icb_run *run);
bool icb_run_number(struct icb_run *run, u32 received, u32 buffer);
int icb_run_check_last(struct icb_run *run, struct icb_reason *why);
u64 icb_run_sent(const struct icb_run *run);
u64 icb_run_seen(struct icb_run *run);

#endif /* ICB_MESSAGE_H */
