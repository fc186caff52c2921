/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLAN_H
#define PLAN_H

#include "config.h"

/**
 * struct plan_point - one run
 * @params: what it is to do; checked
 * @baseline: index of the point that it is compared with; -1 for none
 */
struct plan_point {
	struct icb_params params;
	int baseline;
};

/**
 * struct plan - the runs that a configuration asks for
 * @point: they, in order, allocated
 * @count: how many
 * @varying: BIT_ULL(attribute) of each parameter that differs between them
 */
struct plan {
	struct plan_point *point;
	unsigned int count;
	u64 varying;
};

int plan_make(struct plan *plan, const struct config *config,
	      const struct sweep *baseline, struct icb_reason *why);
void plan_name(const struct plan *plan, const struct icb_params *params,
	       char *buf, size_t size);
bool plan_beside(const struct plan *plan, unsigned int a, unsigned int b,
		 const struct icb_param *param);
void plan_value(const struct icb_param *param, const struct icb_params *params,
		char *buf, size_t size);
char *plan_values(const struct sweep *sweep);
void plan_free(struct plan *plan);

#endif /* PLAN_H */
