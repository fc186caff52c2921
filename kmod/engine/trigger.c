// SPDX-License-Identifier: GPL-2.0
#include "buffers.h"
#include "segments.h"
#include "trigger.h"

#define DEFAULT_WINDOW		100
#define DEFAULT_SIGNAL_EVERY	64

/* What only a window has. */
static const u32 window_attrs[] = {
	ICBENCH_A_PARAMS_WINDOW,
	ICBENCH_A_PARAMS_REFILL,
	ICBENCH_A_PARAMS_BATCH,
	ICBENCH_A_PARAMS_COMPUTE,
	ICBENCH_A_PARAMS_COMPUTE_SHARE,
};

static int refuse_window(struct icb_params *params, struct icb_reason *why)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(window_attrs); i++)
		if (icb_params_given(params, window_attrs[i]))
			return icb_refuse(why, -EINVAL,
					  "%s: only with trigger completion; with %s one operation is on its way",
					  icb_param_by_attr(window_attrs[i])->name,
					  icb_params_word(params, ICBENCH_A_PARAMS_TRIGGER));
	return 0;
}

/* What takes time that is measured has to be done by a thread. */
static int refuse_callbacks(const struct icb_params *params, const char *name,
			    struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION);
	char accepted[128];

	if (!(BIT(params->completion) & ICB_COMPLETIONS_CALLBACK))
		return 0;
	icb_param_list_words(param,
			     icb_verb_completions(params->trigger,
						  params->verb) &
			     ~ICB_COMPLETIONS_CALLBACK,
			     accepted, sizeof(accepted));
	return icb_refuse(why, -EOPNOTSUPP,
			  "%s: not with completion %s, where no thread waits; accepted: completion %s",
			  name, param->words[params->completion], accepted);
}

static int refuse_overhead(const struct icb_params *params,
			   struct icb_reason *why)
{
	if (!params->overhead)
		return 0;
	return icb_refuse(why, -EOPNOTSUPP,
			  "overhead: of a message only with trigger echo; accepted: no (compute-share tells what a stream leaves)");
}

static int check_echo(struct icb_params *params, struct icb_reason *why)
{
	int err = refuse_window(params, why);

	if (!err && params->overhead)
		err = refuse_callbacks(params, "overhead", why);
	if (err)
		return err;
	if (params->direction == ICBENCH_DIRECTION_BI &&
	    icb_verb_of(params)->passive)
		return icb_refuse(why, -EOPNOTSUPP,
				  "direction: bi is not possible with trigger echo and verb %s, which the other side does not see; accepted: uni",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_VERB));
	if (params->direction == ICBENCH_DIRECTION_BI &&
	    BIT(params->completion) & ICB_COMPLETIONS_CALLBACK)
		return icb_refuse(why, -EOPNOTSUPP,
				  "direction: bi is not possible with trigger echo and completion %s, where no thread sends first; accepted: uni",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_COMPLETION));
	return 0;
}

static u32 signal_every(u32 refill)
{
	u32 n = min_t(u32, refill, DEFAULT_SIGNAL_EVERY);

	while (refill % n)
		n--;
	return n;
}

static int check_window(struct icb_params *params, struct icb_reason *why)
{
	if (!icb_params_has(params, ICBENCH_A_PARAMS_WINDOW))
		icb_params_preset(params, ICBENCH_A_PARAMS_WINDOW,
				  DEFAULT_WINDOW);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_REFILL))
		icb_params_preset(params, ICBENCH_A_PARAMS_REFILL,
				  max_t(u32, params->window / 2, 1));
	if (params->refill > params->window)
		return icb_refuse(why, -EINVAL,
				  "refill: %u is more than the window; accepted: 1 to %u",
				  params->refill, params->window);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_BATCH))
		icb_params_preset(params, ICBENCH_A_PARAMS_BATCH, 1);
	if (params->batch > params->refill)
		return icb_refuse(why, -EINVAL,
				  "batch: %u is more than are posted at a time; accepted: 1 to %u (refill)",
				  params->batch, params->refill);
	if (!icb_params_given(params, ICBENCH_A_PARAMS_SIGNAL_EVERY))
		icb_params_preset(params, ICBENCH_A_PARAMS_SIGNAL_EVERY,
				  signal_every(params->refill));
	if (params->refill % params->signal_every)
		return icb_refuse(why, -EINVAL,
				  "signal-every: %u does not divide refill, %u; accepted: a number that does",
				  params->signal_every, params->refill);
	return 0;
}

/* While both sides compute, neither is to be taken for dead. */
static int check_compute(const struct icb_params *params,
			 struct icb_reason *why)
{
	bool share = icb_params_has(params, ICBENCH_A_PARAMS_COMPUTE_SHARE);

	if (!icb_params_has(params, ICBENCH_A_PARAMS_COMPUTE))
		return share ? refuse_callbacks(params, "compute-share", why) :
			       0;
	if (share)
		return icb_refuse(why, -EINVAL,
				  "compute: not together with compute-share; accepted: one of them");
	if (params->compute > params->timeout / 4)
		return icb_refuse(why, -EINVAL,
				  "compute: %llu ns is more than a quarter of timeout; accepted: 0 to %llu ns",
				  (unsigned long long)params->compute,
				  (unsigned long long)params->timeout / 4);
	return refuse_callbacks(params, "compute", why);
}

static int check_stream(struct icb_params *params, struct icb_reason *why)
{
	int err = refuse_overhead(params, why);

	if (!err)
		err = check_compute(params, why);
	if (err)
		return err;
	return check_window(params, why);
}

static int check_calls(struct icb_params *params, struct icb_reason *why)
{
	int err = refuse_overhead(params, why);

	if (err)
		return err;
	if (params->verify)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verify: nothing arrives with trigger return; accepted: no");
	if (params->direction != ICBENCH_DIRECTION_UNI)
		return icb_refuse(why, -EOPNOTSUPP,
				  "direction: nothing moves with trigger return; accepted: uni");
	return refuse_window(params, why);
}

static int check_verb(const struct icb_params *params, struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_VERB);
	u32 verbs = params->trigger == ICBENCH_TRIGGER_RETURN ?
		ICB_VERBS_CALL : ICB_VERBS_DATA;
	char accepted[128];

	if (verbs & BIT(params->verb))
		return 0;
	icb_param_list_words(param, verbs, accepted, sizeof(accepted));
	if (!icb_params_given(params, ICBENCH_A_PARAMS_VERB))
		return icb_refuse(why, -EINVAL,
				  "trigger: %s needs a verb; accepted: verb %s",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRIGGER),
				  accepted);
	return icb_refuse(why, -EOPNOTSUPP,
			  "verb: %s is not possible with trigger %s; accepted: %s",
			  param->words[params->verb],
			  icb_params_word(params, ICBENCH_A_PARAMS_TRIGGER),
			  accepted);
}

/* A region is registered where a work request is to use it, and has bytes. */
static int check_registration(const struct icb_params *params,
			      struct icb_reason *why)
{
	if (params->registration == ICBENCH_REGISTRATION_DMA)
		return 0;
	if (params->trigger == ICBENCH_TRIGGER_RETURN)
		return icb_refuse(why, -EOPNOTSUPP,
				  "registration: frwr is not possible with trigger return, whose calls have buffers of their own; accepted: dma");
	if (!params->size)
		return icb_refuse(why, -EOPNOTSUPP,
				  "registration: frwr is not possible with messages of 0 bytes; accepted: dma");
	if (params->size <= params->inline_size)
		return icb_refuse(why, -EOPNOTSUPP,
				  "registration: frwr is not possible with messages that are posted inline, which the CPU reads; accepted: dma");
	return 0;
}

/**
 * icb_trigger_check() - the rules that come with a trigger
 * @params: each one within its own range; defaults are filled in
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP with a reason.
 */
int icb_trigger_check(struct icb_params *params, struct icb_reason *why)
{
	int err = check_verb(params, why);

	if (!err)
		err = icb_verb_check(params, why);
	if (!err)
		err = icb_segments_rules(params, why);
	if (!err)
		err = check_registration(params, why);
	if (err)
		return err;
	switch (params->trigger) {
	case ICBENCH_TRIGGER_ECHO:
		err = check_echo(params, why);
		break;
	case ICBENCH_TRIGGER_RETURN:
		err = check_calls(params, why);
		break;
	default:
		err = check_stream(params, why);
		break;
	}
	return err ? : icb_buffers_check(params, why);
}
