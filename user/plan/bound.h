/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters of each of several workers, and how the devices are divided among them. */
#ifndef BOUND_H
#define BOUND_H

#include "model/params.h"

bool workers_bound(const struct icb_params *params);
void workers_params(const struct icb_params *all, u32 index,
		    struct icb_params *mine);
void workers_take_shared(struct icb_params *params,
			 const struct icb_params *all);
int workers_check(struct icb_params *params, struct icb_reason *why);

#endif /* BOUND_H */
