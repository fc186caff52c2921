/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Verb floor: how long a machine takes to interrupt, defer and wake, without any device.
 */
#ifndef ICB_FLOOR_H
#define ICB_FLOOR_H

struct icb_job;
struct icb_reason;

u64 icb_floor_wake(unsigned int cpu, u32 priority);
int icb_floor(struct icb_job *job, struct icb_reason *why);

#endif /* ICB_FLOOR_H */
