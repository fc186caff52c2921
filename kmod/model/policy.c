// SPDX-License-Identifier: GPL-2.0
#include "derived.h"
#include "policy.h"
#include "verbs_table.h"

#define DEFAULT_THRESHOLD	8192

/* All devices must differ, by name or by port. */
static int check_names(const struct icb_params *params,
		       struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_DEVICE);
	char a[ICBENCH_MAX_NAME + 1], b[ICBENCH_MAX_NAME + 1];
	u32 i, j;

	/* a responder learns its devices from the connections */
	if (!icb_params_has(params, ICBENCH_A_PARAMS_DEVICE))
		return 0;
	for (i = 0; i < params->devices; i++) {
		if (!icb_params_device(params, i, a, &j))
			return icb_refuse(why, -EINVAL,
					  "device: \"%.32s:\" has a bad port behind it; accepted: NAME, or NAME:PORT with a port of 1 to %u",
					  a, ICBENCH_MAX_PORT);
		icb_params_name(params, param, i, a);
		for (j = 0; j < i; j++)
			if (!strcmp(a, icb_params_name(params, param, j, b)))
				return icb_refuse(why, -EINVAL,
						  "device: %s is given twice; accepted: different ones, or ports of one, NAME:PORT",
						  a);
	}
	return 0;
}

static int only_with_one_device(const struct icb_params *params,
				unsigned int attr, const char *accepted,
				struct icb_reason *why)
{
	if (!icb_params_given(params, attr))
		return 0;
	return icb_refuse(why, -EINVAL,
			  "%s: not with several devices; accepted: %s",
			  icb_param_by_attr(attr)->name, accepted);
}

/**
 * icb_devices_check() - check the rules of the number of devices
 * @params: the parameters, each of them within its own range
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL with a reason.
 */
int icb_devices_check(struct icb_params *params, struct icb_reason *why)
{
	u32 peers = icb_params_names(params,
				     icb_param_by_attr(ICBENCH_A_PARAMS_PEER));
	int err;

	if (peers > 1 && peers != params->devices)
		return icb_refuse(why, -EINVAL,
				  "peer: %u of them for %u device%s; accepted: one, or one for each device",
				  peers, params->devices,
				  params->devices == 1 ? "" : "s");
	if (params->devices == 1 && params->policy != ICBENCH_POLICY_SINGLE &&
	    !icb_params_channels(params))
		return icb_refuse(why, -EINVAL,
				  "policy: %s shares messages out to several devices; accepted: single, or device given 2 to %u times",
				  icb_params_word(params, ICBENCH_A_PARAMS_POLICY),
				  ICBENCH_MAX_DEVICES);
	if (params->devices == 1 &&
	    icb_params_given(params, ICBENCH_A_PARAMS_PORT) &&
	    strchr(params->device, ':'))
		return icb_refuse(why, -EINVAL,
				  "port: not together with device NAME:PORT; accepted: one of them");
	if (params->devices == 1)
		return check_names(params, why);
	if (params->policy == ICBENCH_POLICY_SINGLE)
		return icb_refuse(why, -EINVAL,
				  "device: given %u times, which policy single has no use for; accepted: one, or policy stripe, bind or channels",
				  params->devices);
	err = only_with_one_device(params, ICBENCH_A_PARAMS_PORT,
				   "device NAME:PORT", why);
	if (!err)
		err = only_with_one_device(params, ICBENCH_A_PARAMS_GID_INDEX,
					   "none", why);
	return err ? : check_names(params, why);
}

/* The receiver must be notified of each piece, and of nothing else. */
static int check_stripe(struct icb_params *params, struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);

	if (!icb_params_has(params, ICBENCH_A_PARAMS_STRIPE_THRESHOLD))
		icb_params_preset(params, ICBENCH_A_PARAMS_STRIPE_THRESHOLD,
				  DEFAULT_THRESHOLD);
	if (!verb->note)
		return icb_refuse(why, -EOPNOTSUPP,
				  "policy: stripe writes a piece on each device, and tells of it there by a send; accepted: single, bind, or verb write with notify message");
	if (params->qps > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with policy stripe one on each device carries the pieces; accepted: 1");
	if (params->sges > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "sges: with policy stripe a piece lies in one segment; accepted: 1");
	if (params->reply)
		return icb_refuse(why, -EOPNOTSUPP,
				  "reply: not with policy stripe, whose messages come by several devices; accepted: no");
	if (params->inline_size)
		return icb_refuse(why, -EOPNOTSUPP,
				  "inline: not with policy stripe, which cuts what is large; accepted: 0");
	return 0;
}

static int check_bind(struct icb_params *params, struct icb_reason *why)
{
	if (icb_verb_of(params)->atomic)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verb: atomics of several devices are not atomic to one another; accepted: send, write, write-imm, read, or one device");
	if (!icb_params_given(params, ICBENCH_A_PARAMS_QPS))
		icb_params_preset(params, ICBENCH_A_PARAMS_QPS,
				  params->devices);
	if (params->qps < params->devices)
		return icb_refuse(why, -EINVAL,
				  "qps: %u leave a device without one; accepted: %u, one for each, and more",
				  params->qps, params->devices);
	return 0;
}

/* Each side sends by one device and receives by the other device. */
static int check_channels(const struct icb_params *params,
			  struct icb_reason *why)
{
	if (params->devices != 2)
		return icb_refuse(why, -EINVAL,
				  "device: %u for policy channels, which has one for each way; accepted: 2",
				  params->devices);
	if (icb_verb_of(params)->passive)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verb: %s is answered by the QP that asks, and so by the same device, which policy channels is to keep apart; accepted: send, write, write-imm",
				  icb_params_word(params, ICBENCH_A_PARAMS_VERB));
	if (params->qps > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with policy channels one on each device carries all that goes one way; accepted: 1");
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION && !params->reply &&
	    params->direction != ICBENCH_DIRECTION_BI)
		return icb_refuse(why, -EOPNOTSUPP,
				  "direction: uni sends nothing by the second device of policy channels; accepted: bi, or reply yes");
	return 0;
}

/**
 * icb_policy_check() - check the rules of a policy, and set its defaults
 * @params: the parameters, each of them within its own range
 * @why: the reason of a refusal; may be NULL
 *
 * To be called before icb_trigger_check(), whose defaults depend on the number of QPs.
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP with a reason.
 */
int icb_policy_check(struct icb_params *params, struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION);
	char accepted[128];

	if (params->policy != ICBENCH_POLICY_STRIPE &&
	    icb_params_given(params, ICBENCH_A_PARAMS_STRIPE_THRESHOLD))
		return icb_refuse(why, -EINVAL,
				  "stripe-threshold: only with policy stripe");
	if (params->policy == ICBENCH_POLICY_SINGLE)
		return 0;
	if (params->trigger != ICBENCH_TRIGGER_ECHO &&
	    params->trigger != ICBENCH_TRIGGER_COMPLETION)
		return icb_refuse(why, -EOPNOTSUPP,
				  "policy: %s is not possible with trigger %s; accepted: trigger echo, completion",
				  icb_params_word(params, ICBENCH_A_PARAMS_POLICY),
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRIGGER));
	if (params->registration == ICBENCH_REGISTRATION_FRWR)
		return icb_refuse(why, -EOPNOTSUPP,
				  "registration: frwr gives buffers to one device; accepted with several: dma");
	if (BIT(params->completion) & ICB_COMPLETIONS_CALLBACK) {
		icb_param_list_words(param,
				     icb_params_completions(params) &
				     ~ICB_COMPLETIONS_CALLBACK,
				     accepted, sizeof(accepted));
		return icb_refuse(why, -EOPNOTSUPP,
				  "completion: %s serves one completion queue, and each device has its own; accepted: %s",
				  param->words[params->completion], accepted);
	}
	if (params->policy == ICBENCH_POLICY_STRIPE)
		return check_stripe(params, why);
	return icb_params_channels(params) ? check_channels(params, why) :
					     check_bind(params, why);
}
