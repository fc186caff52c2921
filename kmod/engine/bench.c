// SPDX-License-Identifier: GPL-2.0
#include "bench.h"

static const struct icb_bench_ops *const icb_bench_table[] = {
	[ICBENCH_TRIGGER_ECHO] = &icb_echo_ops,
	[ICBENCH_TRIGGER_COMPLETION] = &icb_stream_ops,
	[ICBENCH_TRIGGER_RETURN] = &icb_call_ops,
	[ICBENCH_TRIGGER_CLOCK] = &icb_openloop_ops,
};

/**
 * icb_bench_by_trigger() - find the loop of a trigger
 * @trigger: enum icbench_trigger
 *
 * Return: the loop; NULL if there is none.
 */
const struct icb_bench_ops *icb_bench_by_trigger(u32 trigger)
{
	return trigger < ARRAY_SIZE(icb_bench_table) ?
		icb_bench_table[trigger] : NULL;
}

/**
 * icb_bench_check() - check parameters by the rules of their loop
 * @params: parameters that have passed icb_params_check()
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EOPNOTSUPP if there is no such loop, or the error number of the loop's
 * check, with a reason.
 */
int icb_bench_check(const struct icb_params *params, struct icb_reason *why)
{
	const struct icb_bench_ops *ops = icb_bench_by_trigger(params->trigger);

	if (!ops)
		return icb_refuse(why, -EOPNOTSUPP,
				  "trigger: no loop for number %u",
				  params->trigger);
	return ops->check ? ops->check(params, why) : 0;
}
