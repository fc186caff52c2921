// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "bound.h"
#include "model/rules.h"
#include "seed.h"

/**
 * workers_bound() - check whether each worker is bound to one of the devices
 * @params: parameters of all workers together
 *
 * Return: true if each worker has one of the devices; false if each worker has all
 * devices given.
 */
bool workers_bound(const struct icb_params *params)
{
	return params->workers > 1 && params->devices > 1 &&
	       params->policy == ICBENCH_POLICY_BIND;
}

/* Set a list of names to one of its names: that of @index, modulo their number. */
static void select_name(struct icb_params *mine, const struct icb_params *all,
			unsigned int attr, u32 index)
{
	const struct icb_param *param = icb_param_by_attr(attr);
	char name[ICBENCH_MAX_NAME + 1];
	u32 names = icb_params_names(all, param);

	if (names < 2)
		return;
	icb_params_name(all, param, index % names, name);
	icb_params_clear(mine, param);
	icb_params_set_bytes(mine, param, name, strlen(name), NULL);
}

/**
 * workers_params() - derive the parameters of one worker
 * @all: parameters of all workers together; checked, or as given
 * @index: index of the worker, from 0
 * @mine: destination
 *
 * With policy bind and several devices, each worker has one of the devices. The seed
 * differs by worker, so that schedules and sizes differ as those of several processes do.
 */
void workers_params(const struct icb_params *all, u32 index,
		    struct icb_params *mine)
{
	*mine = *all;
	seed_worker(mine, index);
	if (!workers_bound(all))
		return;
	select_name(mine, all, ICBENCH_A_PARAMS_DEVICE, index);
	select_name(mine, all, ICBENCH_A_PARAMS_PEER, index);
	icb_params_preset(mine, ICBENCH_A_PARAMS_POLICY, ICBENCH_POLICY_SINGLE);
	mine->given &= ~BIT_ULL(ICBENCH_A_PARAMS_POLICY);
}

static int check_bound(const struct icb_params *params, struct icb_reason *why)
{
	u32 peers = icb_params_names(params,
				     icb_param_by_attr(ICBENCH_A_PARAMS_PEER));

	if (params->workers < params->devices)
		return icb_refuse(why, -EINVAL,
				  "workers: %u is less than the number of devices; accepted: 1, or %u and more",
				  params->workers, params->devices);
	if (peers > 1 && peers != params->devices)
		return icb_refuse(why, -EINVAL,
				  "peer: %u addresses for %u devices; accepted: one, or one for each device",
				  peers, params->devices);
	return 0;
}

/* Copy one parameter of all workers. */
static void take(struct icb_params *params, const struct icb_params *from,
		 unsigned int attr)
{
	const struct icb_param *param = icb_param_by_attr(attr);

	memcpy((char *)params + param->offset,
	       (const char *)from + param->offset, param->bytes);
	params->set &= ~BIT_ULL(attr);
	params->set |= from->set & BIT_ULL(attr);
	params->given &= ~BIT_ULL(attr);
	params->given |= from->given & BIT_ULL(attr);
	if (attr == ICBENCH_A_PARAMS_DEVICE)
		params->devices = from->devices;
}

/**
 * workers_take_shared() - copy the parameters that are divided among the workers
 * @params: destination: parameters of one worker
 * @all: parameters of all workers together
 */
void workers_take_shared(struct icb_params *params,
			 const struct icb_params *all)
{
	take(params, all, ICBENCH_A_PARAMS_DEVICE);
	take(params, all, ICBENCH_A_PARAMS_PEER);
	take(params, all, ICBENCH_A_PARAMS_POLICY);
}

/**
 * workers_check() - check the rules between the parameters of a run and of its workers
 * @params: parameters, each within its own range; defaults that depend on other
 *	parameters are filled in
 * @why: receives the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP with a reason.
 */
int workers_check(struct icb_params *params, struct icb_reason *why)
{
	struct icb_params mine, all = *params;
	u32 i;
	int err;

	if (!workers_bound(params))
		return icb_params_check(params, why);
	err = check_bound(params, why);
	for (i = params->devices; i-- && !err;) {
		workers_params(&all, i, &mine);
		err = icb_params_check(&mine, why);
	}
	if (err)
		return err;
	*params = mine;
	workers_take_shared(params, &all);
	return 0;
}
