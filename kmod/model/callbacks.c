// SPDX-License-Identifier: GPL-2.0
#include "callbacks.h"
#include "sizes.h"
#include "triggers_table.h"
#include "verbs_table.h"

/**
 * icb_callback_handles() - check whether callbacks read or write the content of messages
 * @params: parameters of a run
 *
 * Return: true if they do, of each message.
 */
bool icb_callback_handles(const struct icb_params *params)
{
	return params->verify && !icb_verb_of(params)->atomic &&
	       BIT(params->completion) & ICB_COMPLETIONS_CALLBACK;
}

/*
 * Passes over the bytes of a message per completion. Content that an operation brings
 * from a passive peer is checked. Then its buffer is filled with content that differs
 * from the next answer, in two passes; see icb_run_make().
 */
static u32 passes(const struct icb_params *params)
{
	if (icb_verb_of(params)->passive)
		return 3;
	return icb_trigger_of(params)->answers ? 2 : 1;
}

/**
 * icb_callback_each() - get the bytes that a callback fills and checks for one message
 * @params: parameters of a run; size is set
 *
 * Return: bytes; a byte that is read or written twice counts twice.
 */
u64 icb_callback_each(const struct icb_params *params)
{
	return (u64)icb_sizes_room(params) * passes(params);
}

/**
 * icb_callback_messages() - get the most messages that one completion may cover
 * @params: parameters of a run; size is set
 *
 * Return: number of messages, at least 1; U32_MAX if there is no limit.
 */
u32 icb_callback_messages(const struct icb_params *params)
{
	u64 each = icb_callback_each(params);

	if (!icb_callback_handles(params) || !each)
		return U32_MAX;
	return max_t(u64, div64_u64(ICB_CALLBACK_BYTES, each), 1);
}
