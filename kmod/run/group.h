/* SPDX-License-Identifier: GPL-2.0 */
/* Jobs that are measured at the same time. */
#ifndef ICB_GROUP_H
#define ICB_GROUP_H

#include "model/engine.h"

struct icb_job;

int icb_group_join(struct icb_job *job, u32 owner, u32 number,
		   struct icb_reason *why);
int icb_group_wait(struct icb_job *job, struct icb_reason *why);
void icb_group_end(struct icb_job *job, int err, const struct icb_reason *why);
u32 icb_group_number(const struct icb_job *job);

#endif /* ICB_GROUP_H */
