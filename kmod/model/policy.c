// SPDX-License-Identifier: GPL-2.0
#include "derived.h"
#include "policy.h"
#include "rule.h"
#include "verbs_table.h"

#define DEFAULT_THRESHOLD	8192

/* All devices must differ, by name or by port. */
static int check_names(struct icb_params *params, struct icb_reason *why)
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
					  "device: \"%.32s:\" is followed by an invalid port; accepted: NAME, or NAME:PORT with a port of 1 to %u",
					  a, ICBENCH_MAX_PORT);
		icb_params_name(params, param, i, a);
		for (j = 0; j < i; j++)
			if (!strcmp(a, icb_params_name(params, param, j, b)))
				return icb_refuse(why, -EINVAL,
						  "device: %s is given twice; accepted: different devices, or different ports of a device, NAME:PORT",
						  a);
	}
	return 0;
}

static u32 peers_of(const struct icb_params *params)
{
	return icb_params_names(params,
				icb_param_by_attr(ICBENCH_A_PARAMS_PEER));
}

static bool peers_differ(const struct icb_params *params)
{
	return peers_of(params) > 1 && peers_of(params) != params->devices;
}

static void peers_for_devices(const struct icb_params *params, char *text)
{
	snprintf(text, ICB_RULE_VALUE, "%u addresses for %u device%s",
		 peers_of(params), params->devices,
		 params->devices == 1 ? "" : "s");
}

static bool names_a_port(const struct icb_params *params)
{
	return strchr(params->device, ':');
}

static void device_count(const struct icb_params *params, char *text)
{
	snprintf(text, ICB_RULE_VALUE, "%u", params->devices);
}

static const struct icb_rule device_rules[] = {
	{ ICB_KEY(PEER), .holds = peers_differ, .err = EINVAL,
	  .value = peers_for_devices, .words =
	  "{}; accepted: one, or one for each device",
	},
	{ ICB_KEY(POLICY), .when = ICB_IF_POLICY,
	  .unless = ICB_IF_SEVERAL_DEVICES | ICB_IF_CHANNELS, .err = EINVAL,
	  .words =
	  "{policy} distributes messages over several devices; accepted: single, or device given 2 to "
	  __stringify(ICBENCH_MAX_DEVICES) " times",
	},
	{ ICB_KEY(PORT), .given = true, .unless = ICB_IF_SEVERAL_DEVICES,
	  .holds = names_a_port, .err = EINVAL, .words =
	  "not together with device NAME:PORT; accepted: one of them",
	},
	{ ICB_KEY(DEVICE), .when = ICB_IF_SEVERAL_DEVICES,
	  .unless = ICB_IF_POLICY, .err = EINVAL, .value = device_count,
	  .words =
	  "given {} times, but policy single uses one device; accepted: one device, or policy stripe, bind or channels",
	},
	{ ICB_KEY(PORT), .given = true, .when = ICB_IF_SEVERAL_DEVICES,
	  .err = EINVAL, .words =
	  "not with several devices; accepted: device NAME:PORT",
	},
	{ ICB_KEY(GID_INDEX), .given = true, .when = ICB_IF_SEVERAL_DEVICES,
	  .err = EINVAL, .words =
	  "not with several devices; accepted: none",
	},
	{ .check = check_names },
	{ }
};

/**
 * icb_devices_check() - check the rules of the number of devices
 * @params: the parameters, each of them within its own range
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL with a reason.
 */
int icb_devices_check(struct icb_params *params, struct icb_reason *why)
{
	return icb_rules_check(device_rules, params, why);
}

static void preset_threshold(struct icb_params *params)
{
	if (!icb_params_has(params, ICBENCH_A_PARAMS_STRIPE_THRESHOLD))
		icb_params_preset(params, ICBENCH_A_PARAMS_STRIPE_THRESHOLD,
				  DEFAULT_THRESHOLD);
}

static void preset_qps(struct icb_params *params)
{
	if (!icb_params_given(params, ICBENCH_A_PARAMS_QPS))
		icb_params_preset(params, ICBENCH_A_PARAMS_QPS,
				  params->devices);
}

static bool lacks_qps(const struct icb_params *params)
{
	return params->qps < params->devices;
}

static bool devices_are_not_two(const struct icb_params *params)
{
	return params->devices != 2;
}

static const struct icb_rule policy_rules[] = {
	{ ICB_KEY(STRIPE_THRESHOLD), .given = true, .unless = ICB_IF_STRIPE,
	  .err = EINVAL, .words =
	  "only with policy stripe",
	},
	{ ICB_KEY(POLICY), .when = ICB_IF_POLICY,
	  .unless = ICB_IF_ANSWERS | ICB_IF_REFILLS, .err = EOPNOTSUPP, .words =
	  "{policy} is not possible with trigger {trigger}; accepted: trigger echo, completion",
	},
	{ ICB_KEY(REGISTRATION), .when = ICB_IF_POLICY | ICB_IF_FRWR,
	  .err = EOPNOTSUPP, .words =
	  "frwr registers buffers with one device only; accepted with several devices: dma",
	},
	{ ICB_KEY(COMPLETION), .when = ICB_IF_POLICY | ICB_IF_CALLBACK,
	  .err = EOPNOTSUPP, .value = icb_rule_threads, .words =
	  "{completion} serves one completion queue, and each device has its own; accepted: {}",
	},

	/* the receiver must be notified of each piece, and of nothing else */
	{ .preset = preset_threshold, .when = ICB_IF_STRIPE },
	{ ICB_KEY(POLICY), .when = ICB_IF_STRIPE, .unless = ICB_IF_NOTE,
	  .err = EOPNOTSUPP, .words =
	  "stripe writes a piece over each device, and reports each piece by a send; accepted: single, bind, or verb write with notify message",
	},
	{ ICB_KEY(QPS), .when = ICB_IF_STRIPE | ICB_IF_SEVERAL_QPS,
	  .err = EOPNOTSUPP, .words =
	  "policy stripe uses one QP on each device; accepted: 1",
	},
	{ ICB_KEY(SGES), .when = ICB_IF_STRIPE | ICB_IF_SEVERAL_SGES,
	  .err = EOPNOTSUPP, .words =
	  "with policy stripe a piece is one segment; accepted: 1",
	},
	{ ICB_KEY(REPLY), .when = ICB_IF_STRIPE | ICB_IF_REPLY,
	  .err = EOPNOTSUPP, .words =
	  "not with policy stripe, whose messages arrive over several devices; accepted: no",
	},
	{ ICB_KEY(INLINE), .when = ICB_IF_STRIPE | ICB_IF_INLINE,
	  .err = EOPNOTSUPP, .words =
	  "not with policy stripe, which cuts large messages; accepted: 0",
	},

	{ ICB_KEY(VERB), .when = ICB_IF_BIND | ICB_IF_ATOMIC,
	  .err = EOPNOTSUPP, .words =
	  "atomics of several devices are not atomic to one another; accepted: send, write, write-imm, read, or one device",
	},
	{ .preset = preset_qps, .when = ICB_IF_BIND },
	{ ICB_KEY(QPS), .when = ICB_IF_BIND, .holds = lacks_qps, .err = EINVAL,
	  .value = device_count, .words =
	  "{qps} is less than the number of devices; accepted: {} and more",
	},

	/* each side sends by one device and receives by the other device */
	{ ICB_KEY(DEVICE), .when = ICB_IF_CHANNELS,
	  .holds = devices_are_not_two, .err = EINVAL, .value = device_count,
	  .words =
	  "{} given for policy channels, which uses one device for each direction; accepted: 2",
	},
	{ ICB_KEY(VERB), .when = ICB_IF_CHANNELS | ICB_IF_PASSIVE,
	  .err = EOPNOTSUPP, .words =
	  "{verb} receives its answer over the device that sends the request, but policy channels uses one device for each direction; accepted: send, write, write-imm",
	},
	{ ICB_KEY(QPS), .when = ICB_IF_CHANNELS | ICB_IF_SEVERAL_QPS,
	  .err = EOPNOTSUPP, .words =
	  "policy channels uses one QP for each direction; accepted: 1",
	},
	{ ICB_KEY(DIRECTION), .when = ICB_IF_CHANNELS | ICB_IF_REFILLS,
	  .unless = ICB_IF_REPLY | ICB_IF_BI, .err = EOPNOTSUPP, .words =
	  "uni sends nothing over the second device of policy channels; accepted: bi, or reply yes",
	},
	{ }
};

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
	return icb_rules_check(policy_rules, params, why);
}
