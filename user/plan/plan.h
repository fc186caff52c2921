/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLAN_H
#define PLAN_H

#include "config.h"

/**
 * struct plan_point - one run
 * @params: parameters of the run; checked
 * @baseline: index of the point that the run is compared with; -1 for none
 * @beside: number of the load that runs at the same time, from 1; 0 for none
 * @load: parameters of this load; checked
 * @section: number of the recipe's section with this run, from 1; 0 for none
 * @varying: BIT_ULL(attribute) of each parameter that differs within the section
 */
struct plan_point {
	struct icb_params params;
	int baseline;
	unsigned int beside;
	struct icb_params load;
	unsigned int section;
	u64 varying;
};

/**
 * struct plan - the runs that a configuration asks for
 * @point: the runs in order, allocated
 * @count: number of points
 * @varying: BIT_ULL(attribute) of each parameter that differs between points
 * @loaded: true if some points have a load beside them
 * @loads: BIT_ULL(attribute) of each parameter that differs between loads
 * @repeat: number of runs of each point; 0 means 1
 * @shrinks: true if points beyond a knee may be left out
 */
struct plan {
	struct plan_point *point;
	unsigned int count;
	u64 varying;
	bool loaded;
	u64 loads;
	unsigned int repeat;
	bool shrinks;
};

int plan_make(struct plan *plan, const struct config *config,
	      const struct sweep *baseline, struct icb_reason *why);
int plan_product(struct plan *plan, const struct config *config,
		 const struct sweep *baseline, struct icb_reason *why);
int plan_count(const struct config *config, unsigned int *count,
	       struct icb_reason *why);
int plan_append(struct plan *plan, const struct plan *part,
		unsigned int section, struct icb_reason *why);
void plan_compare(struct plan *plan);
bool plan_subtracts(const struct plan *plan);
int plan_repeat(struct plan *plan, unsigned int repeat, struct icb_reason *why);
bool plan_repeats(const struct plan *plan);
unsigned int plan_runs(const struct plan *plan);
unsigned int plan_turn(const struct plan *plan, unsigned int turn);
unsigned int plan_position(const struct plan *plan, unsigned int index,
			   unsigned int run);
void plan_drop(struct plan *plan, unsigned int index);
int plan_add(struct plan *plan, unsigned int index,
	     const struct icb_param *param, u64 value, struct icb_reason *why);
void plan_name(const struct plan *plan, const struct icb_params *params,
	       char *buf, size_t size);
bool plan_differs_only_in(const struct plan *plan, unsigned int a, unsigned int b,
			  const struct icb_param *param);
bool plan_same_given(const struct plan *plan, unsigned int a, unsigned int b,
		     u64 but);
void plan_value(const struct icb_param *param, const struct icb_params *params,
		char *buf, size_t size);
char *plan_values(const struct sweep *sweep);
void plan_free(struct plan *plan);

#endif /* PLAN_H */
