// SPDX-License-Identifier: GPL-2.0
#include "triggers_table.h"

#define KEY(_key)	BIT_ULL(ICBENCH_A_PARAMS_##_key)

const struct icb_trigger icb_trigger_table[] = {
	[ICBENCH_TRIGGER_ECHO] = {
		.answers = true,
		.keys = KEY(OVERHEAD) | KEY(STAGES) | KEY(SHADOW_CPU) |
			KEY(UNTIL),
	},
	[ICBENCH_TRIGGER_COMPLETION] = {
		.refills = true,
		.keys = KEY(WINDOW) | KEY(REFILL) | KEY(BATCH) | KEY(COMPUTE) |
			KEY(COMPUTE_SHARE) | KEY(REPLY) | KEY(SIZE_DIST),
	},
	[ICBENCH_TRIGGER_RETURN] = {
		.times_calls = true,
		.keys = KEY(UNTIL),
	},
	[ICBENCH_TRIGGER_CLOCK] = {
		.scheduled = true,
		.keys = KEY(WINDOW) | KEY(SIZE_DIST) | KEY(RATE) | KEY(ARRIVAL),
	},
};

/**
 * icb_trigger_takes() - check whether a trigger accepts a parameter
 * @trigger: enum icbench_trigger
 * @attr: ICBENCH_A_PARAMS_…
 *
 * Return: false if the trigger accepts no value of the parameter but "no" or "fixed".
 */
bool icb_trigger_takes(u32 trigger, unsigned int attr)
{
	u64 some = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(icb_trigger_table); i++)
		some |= icb_trigger_table[i].keys;
	return (icb_trigger_table[trigger].keys | ~some) & BIT_ULL(attr);
}
