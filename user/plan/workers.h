/* SPDX-License-Identifier: GPL-2.0 */
/* Runs that are measured at the same time, combined into one result. */
#ifndef WORKERS_H
#define WORKERS_H

#include "result.h"

void workers_begin(struct point *point, u32 count);
void workers_together(const struct point *point, struct nl_job *job);
void workers_end(struct point *point, const struct icb_params *params);
bool workers_differ(const struct point *point, const struct icb_param *param);

#endif /* WORKERS_H */
