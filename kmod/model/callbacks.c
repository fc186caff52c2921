// SPDX-License-Identifier: GPL-2.0
#include "callbacks.h"
#include "sizes.h"
#include "derived.h"
#include "verbs_table.h"

/* Whether callbacks read or write the content of each message. */
static bool handles_content(const struct icb_params *params)
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

static u64 message_bytes(const struct icb_params *params)
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
	u64 each = message_bytes(params);

	if (!handles_content(params) || !each)
		return U32_MAX;
	return max_t(u64, div64_u64(ICB_CALLBACK_BYTES, each), 1);
}

/* Those that a completion speaks for, or is followed by, or that a note tells of. */
static u32 messages(const struct icb_params *params)
{
	u32 most;

	if (params->trigger != ICBENCH_TRIGGER_COMPLETION)
		return 1;
	most = max_t(u32, params->signal_every, params->batch);
	return max_t(u32, most, icb_params_told(params));
}

/**
 * icb_callback_bytes() - bytes that a callback of a run fills and checks
 * @params: of the run, with the defaults that depend on others filled in
 *
 * A window that is filled up is shared out to the completions that have made room for
 * it; see also &icb_run.stretch.
 *
 * Return: bytes of each completion, on the side that has more; 0 where no callback
 * looks at contents.
 */
u64 icb_callback_bytes(const struct icb_params *params)
{
	return handles_content(params) ?
		messages(params) * message_bytes(params) : 0;
}

/**
 * icb_callback_check() - whether the callbacks of a run leave others their turn
 * @params: of the run, with the defaults that depend on others filled in
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EOPNOTSUPP with a reason.
 */
int icb_callback_check(const struct icb_params *params,
		       struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION);
	u64 bytes = icb_callback_bytes(params);
	char accepted[128], less[40];

	if (bytes <= ICB_CALLBACK_BYTES)
		return 0;
	icb_param_list_words(param,
			     icb_params_completions(params) &
			     ~ICB_COMPLETIONS_CALLBACK,
			     accepted, sizeof(accepted));
	if (messages(params) > 1)
		snprintf(less, sizeof(less), "less of size, signal-every or batch");
	else if (params->size_dist != ICBENCH_SIZE_DIST_FIXED)
		snprintf(less, sizeof(less), "less of size");
	else
		snprintf(less, sizeof(less), "size up to %u",
			 ICB_CALLBACK_BYTES / passes(params));
	return icb_refuse(why, -EOPNOTSUPP,
			  "verify: with completion %s a callback fills and checks %llu bytes, and holds others up; accepted: %s, or completion %s",
			  param->words[params->completion],
			  (unsigned long long)bytes, less, accepted);
}
