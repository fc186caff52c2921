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
 * icb_bench_check() - check that the trigger of a run has a loop
 * @params: parameters that have passed icb_params_check()
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EOPNOTSUPP with a reason.
 */
int icb_bench_check(const struct icb_params *params, struct icb_reason *why)
{
	if (icb_bench_by_trigger(params->trigger))
		return 0;
	return icb_refuse(why, -EOPNOTSUPP, "trigger: no loop for number %u",
			  params->trigger);
}
