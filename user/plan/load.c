// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/alloc.h"
#include "load.h"
#include "model/rules.h"
#include "model/verbs_table.h"
#include "seed.h"

/**
 * load_param() - find the parameter that a key of a load sets
 * @name: "load.KEY"
 *
 * Return: the parameter named KEY; NULL if @name is no key of a load.
 */
const struct icb_param *load_param(const char *name)
{
	size_t len = strlen(LOAD_PREFIX);

	return strncmp(name, LOAD_PREFIX, len) ? NULL :
						 icb_param_by_name(name + len);
}

/* Keys that a load takes from the run unless it sets them. */
static const u16 shared[] = {
	ICBENCH_A_PARAMS_DEVICE, ICBENCH_A_PARAMS_POLICY,
	ICBENCH_A_PARAMS_PORT, ICBENCH_A_PARAMS_GID_INDEX,
	ICBENCH_A_PARAMS_PEER, ICBENCH_A_PARAMS_CM_PORT,
	ICBENCH_A_PARAMS_TOKEN,
};

static void share(struct icb_params *load, const struct icb_params *params)
{
	const struct icb_param *param;
	unsigned int i;

	/* port, GID index and so on of one device or peer do not apply to another */
	if (load->given & (BIT_ULL(ICBENCH_A_PARAMS_DEVICE) |
			   BIT_ULL(ICBENCH_A_PARAMS_PEER)))
		return;
	for (i = 0; i < ARRAY_SIZE(shared); i++) {
		param = icb_param_by_attr(shared[i]);
		if (!icb_params_given(params, param->attr) ||
		    icb_params_given(load, param->attr))
			continue;
		memcpy((char *)load + param->offset,
		       (const char *)params + param->offset, param->bytes);
		load->set |= BIT_ULL(param->attr);
		load->given |= BIT_ULL(param->attr);
		if (param->type == ICB_PARAM_BYTES)
			load->token_len = params->token_len;
		if (param->attr == ICBENCH_A_PARAMS_DEVICE)
			load->devices = params->devices;
	}
}

/* Give a load the longest duration: it lasts until it is stopped. */
static int set_longest_duration(const struct icb_params *given, struct icb_params *load,
				struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_DURATION);

	if (icb_params_given(given, ICBENCH_A_PARAMS_ITERATIONS) ||
	    icb_params_given(given, ICBENCH_A_PARAMS_DURATION))
		return icb_refuse(why, -EINVAL,
				  "a load lasts as long as its run; accepted: neither iterations nor duration");
	*load = *given;
	return icb_params_set_number(load, param, param->max, why);
}

static int check(struct plan_point *point, const struct icb_params *load,
		 struct icb_reason *why)
{
	int err = set_longest_duration(load, &point->load, why);

	if (err)
		return err;
	if (icb_verb_of(load)->calls || icb_verb_of(&point->params)->local)
		return icb_refuse(why, -EINVAL,
				  "a load sends messages over a device; accepted: trigger echo, completion, clock");
	if (load->workers > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "workers: a load is one run; accepted: 1, and more qps");
	share(&point->load, &point->params);
	seed_load(&point->load, &point->params);
	return icb_params_check(&point->load, why);
}

/* A section's run that needs no device moves no messages, so it has no load beside it. */
static bool takes_no_load(const struct plan_point *point)
{
	return point->section && icb_verb_of(&point->params)->local;
}

/* Keep each point of the plan without a load, and add it once more for each load. */
static int multiply(struct plan *plan, const struct plan *loads, bool compared,
		    struct icb_reason *why)
{
	unsigned int points = plan->count, i, l;
	struct plan_point *all, *point;
	struct icb_reason inner;
	char name[96];
	int err;

	all = alloc_zero(points * (loads->count + 1), sizeof(*all));
	memcpy(all, plan->point, points * sizeof(*all));
	free(plan->point);
	plan->point = all;
	for (l = 0; l < loads->count; l++) {
		for (i = 0; i < points; i++) {
			if (takes_no_load(&all[i]))
				continue;
			point = &all[plan->count++];
			*point = all[i];
			point->beside = l + 1;
			if (point->baseline >= 0)
				point->baseline += plan->count - 1 - i;
			else if (compared)
				point->baseline = i;
			err = check(point, &loads->point[l].params, &inner);
			if (!err)
				continue;
			plan_name(loads, &loads->point[l].params, name,
				  sizeof(name));
			return icb_refuse(why, err, "load%s%s: %s",
					  *name ? " " : "", name, inner.text);
		}
	}
	return 0;
}

/**
 * load_plan() - add each run of a plan once more beside each load
 * @plan: the runs
 * @load: keys of the load; several values of a key make several loads
 * @compared: true if a run beside a load is compared with the same run without a load,
 *	unless it has a baseline already
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL, -ERANGE or -EOPNOTSUPP with a reason.
 */
int load_plan(struct plan *plan, const struct config *load, bool compared,
	      struct icb_reason *why)
{
	struct icb_reason inner;
	struct plan loads;
	int err;

	if (!load->count)
		return 0;
	err = plan_product(&loads, load, NULL, &inner);
	if (err)
		icb_refuse(why, err, LOAD_PREFIX "%s", inner.text);
	else if (plan->count * (loads.count + 1) > SWEEP_MAX)
		err = icb_refuse(why, -ERANGE,
				 "load: makes the sweep more than %u runs; accepted: fewer values",
				 SWEEP_MAX);
	else
		err = multiply(plan, &loads, compared, why);
	plan->loads = loads.varying;
	plan->loaded = true;
	plan_free(&loads);
	return err;
}

/**
 * load_name() - print a short name of the load beside a point
 * @plan: the runs
 * @index: index of the point
 * @buf: destination: "no"; the keys that differ between loads, "size=64"; else "yes"
 * @size: size of @buf, bytes
 */
void load_name(const struct plan *plan, unsigned int index, char *buf,
	       size_t size)
{
	const struct plan_point *point = &plan->point[index];
	struct plan loads = { .varying = plan->loads };

	if (!point->beside) {
		snprintf(buf, size, "no");
		return;
	}
	plan_name(&loads, &point->load, buf, size);
	if (!*buf)
		snprintf(buf, size, "yes");
}
