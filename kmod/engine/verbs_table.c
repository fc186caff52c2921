// SPDX-License-Identifier: GPL-2.0
#include "verbs_table.h"

#define RECV_MODES							\
	(BIT(ICBENCH_COMPLETION_POLL) | BIT(ICBENCH_COMPLETION_BLOCK) |	\
	 ICB_COMPLETIONS_CALLBACK)

const struct icb_verb icb_verb_table[] = {
	[ICBENCH_VERB_SEND] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = RECV_MODES,
		.divisor = 2,
		.recv = true,
	},
	[ICBENCH_VERB_WRITE] = {
		.completion = ICBENCH_COMPLETION_MEMORY,
		.completions = BIT(ICBENCH_COMPLETION_MEMORY),
		.min_size = 1,
		.divisor = 2,
		.remote = true,
	},
	[ICBENCH_VERB_WRITE_IMM] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = RECV_MODES,
		.divisor = 2,
		.recv = true,
		.remote = true,
		.imm = true,
	},
};

static int refuse_completion(const struct icb_params *params,
			     struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION);
	u32 modes = icb_verb_of(params)->completions;
	char accepted[96] = "";
	size_t len = 0;
	unsigned int i;

	for (i = 0; param->words[i] && len < sizeof(accepted); i++)
		if (modes & BIT(i))
			len += snprintf(accepted + len, sizeof(accepted) - len,
					"%s%s", len ? ", " : "",
					param->words[i]);
	return icb_refuse(why, -EOPNOTSUPP,
			  "completion: %s is not possible with verb %s, %s; accepted: %s",
			  param->words[params->completion],
			  icb_params_word(params, ICBENCH_A_PARAMS_VERB),
			  icb_verb_of(params)->recv ?
				"which is noticed by its completion" :
				"which raises no completion where it arrives",
			  accepted);
}

/*
 * A callback runs in the context that its mode says and in no thread of ours:
 * what is asked of that thread could not be honoured.
 */
static int check_callback(struct icb_params *params, struct icb_reason *why)
{
	if (params->priority != ICBENCH_PRIORITY_NORMAL)
		return icb_refuse(why, -EOPNOTSUPP,
				  "priority: completion %s does not run in a thread of the run's; accepted: normal",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_COMPLETION));
	if (params->completion == ICBENCH_COMPLETION_SOFTIRQ &&
	    params->context != ICBENCH_CONTEXT_BH)
		return icb_refuse(why, -EOPNOTSUPP,
				  "context: completion softirq posts in softirq context; accepted: bh");
	return 0;
}

/**
 * icb_verb_check() - the rules that come with a verb
 * @params: each one within its own range; the completion mode is filled in
 *	where none was given
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP with a reason.
 */
int icb_verb_check(struct icb_params *params, struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);

	if (!icb_params_has(params, ICBENCH_A_PARAMS_COMPLETION))
		icb_params_preset(params, ICBENCH_A_PARAMS_COMPLETION,
				  verb->completion);
	if (!(verb->completions & BIT(params->completion)))
		return refuse_completion(params, why);
	if (params->size < verb->min_size)
		return icb_refuse(why, -EINVAL,
				  "size: %u is too small for verb %s; accepted: %u and more",
				  params->size,
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_VERB),
				  verb->min_size);
	if (BIT(params->completion) & ICB_COMPLETIONS_CALLBACK)
		return check_callback(params, why);
	return 0;
}
