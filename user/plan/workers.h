/* SPDX-License-Identifier: GPL-2.0 */
/* Runs that are measured at the same time, as one. */
#ifndef WORKERS_H
#define WORKERS_H

#include "result.h"

bool workers_bound(const struct icb_params *params);
void workers_params(const struct icb_params *all, u32 index,
		    struct icb_params *mine);
int workers_check(struct icb_params *params, struct icb_reason *why);
void workers_begin(struct point *point, u32 count);
void workers_together(const struct point *point, struct nl_job *job);
void workers_end(struct point *point, const struct icb_params *params);
bool workers_differ(const struct point *point, const struct icb_param *param);

#endif /* WORKERS_H */
