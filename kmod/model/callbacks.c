// SPDX-License-Identifier: GPL-2.0
#include "callbacks.h"
#include "sizes.h"
#include "verbs_table.h"

/**
 * icb_callback_handles() - whether callbacks read or write the content of each message
 * @params: of a run
 *
 * Return: true if so.
 */
bool icb_callback_handles(const struct icb_params *params)
{
	return params->verify && !icb_verb_of(params)->atomic &&
	       BIT(params->completion) & ICB_COMPLETIONS_CALLBACK;
}

/*
 * How often a side goes over the bytes of a message that has completed. One that is
 * brought is checked, and then filled and spoilt for the next one; see
 * icb_run_make().
 */
static u32 passes(const struct icb_params *params)
{
	if (icb_verb_of(params)->passive)
		return 3;
	return params->trigger == ICBENCH_TRIGGER_ECHO ? 2 : 1;
}

/**
 * icb_callback_each() - bytes that a callback fills and checks for one message
 * @params: of a run, whose size is known
 *
 * Return: bytes.
 */
u64 icb_callback_each(const struct icb_params *params)
{
	return (u64)icb_sizes_room(params) * passes(params);
}

/**
 * icb_callback_messages() - messages that one completion may speak for
 * @params: of a run, whose size is known
 *
 * Return: how many at most, 1 at least; U32_MAX where nothing speaks against any
 * number.
 */
u32 icb_callback_messages(const struct icb_params *params)
{
	u64 each = icb_callback_each(params);

	if (!icb_callback_handles(params) || !each)
		return U32_MAX;
	return max_t(u64, div64_u64(ICB_CALLBACK_BYTES, each), 1);
}
