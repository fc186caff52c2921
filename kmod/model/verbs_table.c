// SPDX-License-Identifier: GPL-2.0
#include "verbs_table.h"

#define CQ_MODES							\
	(BIT(ICBENCH_COMPLETION_POLL) | BIT(ICBENCH_COMPLETION_BLOCK) |	\
	 BIT(ICBENCH_COMPLETION_ADAPTIVE) |				\
	 BIT(ICBENCH_COMPLETION_TIMER) | ICB_COMPLETIONS_CALLBACK)

#define DEFAULT_INTERVAL	50000

static const struct icb_call register_calls[] = {
	{ .name = "map", .call = ICB_CALL_MAP },
	{ .name = "alloc_mr", .call = ICB_CALL_ALLOC_MR },
	{ .name = "map_mr", .call = ICB_CALL_MAP_MR },
	{ .name = "reg_mr", .call = ICB_CALL_REG_MR },
	{ .name = "local_inv", .call = ICB_CALL_LOCAL_INV },
	{ .name = "dereg_mr", .call = ICB_CALL_DEREG_MR },
	{ .name = "unmap", .call = ICB_CALL_UNMAP },
};

static const struct icb_call descriptor_calls[] = {
	{ .name = "poll_empty", .call = ICB_CALL_POLL_EMPTY },
	{ .name = "post_send", .call = ICB_CALL_POST_SEND },
	{ .name = "poll", .call = ICB_CALL_POLL, .again = true },
	{ .name = "post_recv", .call = ICB_CALL_POST_RECV },
};

static const struct icb_call connect_calls[] = {
	{ .name = "alloc_pd", .call = ICB_CALL_ALLOC_PD },
	{ .name = "create_cq", .call = ICB_CALL_CREATE_CQ },
	{ .name = "create_qp", .call = ICB_CALL_CREATE_QP },
	{ .name = "modify_init", .call = ICB_CALL_INIT },
	{ .name = "modify_rtr", .call = ICB_CALL_RTR },
	{ .name = "modify_rts", .call = ICB_CALL_RTS },
	{ .name = "modify_err", .call = ICB_CALL_ERROR },
	{ .name = "modify_reset", .call = ICB_CALL_RESET },
	{ .name = "destroy_qp", .call = ICB_CALL_DESTROY_QP },
	{ .name = "destroy_cq", .call = ICB_CALL_DESTROY_CQ },
	{ .name = "dealloc_pd", .call = ICB_CALL_DEALLOC_PD },
};

static const struct icb_call connect_cm_calls[] = {
	{ .name = "cm_resolve_addr", .call = ICB_CALL_CM_RESOLVE_ADDR },
	{ .name = "cm_resolve_route", .call = ICB_CALL_CM_RESOLVE_ROUTE },
	{ .name = "cm_create_qp", .call = ICB_CALL_CM_CREATE_QP },
	{ .name = "cm_connect", .call = ICB_CALL_CM_CONNECT },
	{ .name = "cm_disconnect", .call = ICB_CALL_CM_DISCONNECT },
	{ .name = "cm_destroy", .call = ICB_CALL_CM_DESTROY },
};

/* An operation of a ping-pong takes three samples, an operation of a stream two. */
static const struct icb_call calibrate_calls[] = {
	{ .name = "echo", .call = ICB_CALL_ECHO, .parts = 3 * ICB_CALL_TIMES },
	{ .name = "stream", .call = ICB_CALL_STREAM,
	  .parts = 2 * ICB_CALL_TIMES },
};

static const struct icb_call floor_calls[] = {
	{ .name = "hrtimer_hard", .call = ICB_CALL_HRTIMER_HARD },
	{ .name = "hrtimer_soft", .call = ICB_CALL_HRTIMER_SOFT },
	{ .name = "self_ipi", .call = ICB_CALL_SELF_IPI },
	{ .name = "cross_call", .call = ICB_CALL_CROSS_CALL, .cross = true },
	{ .name = "softirq", .call = ICB_CALL_SOFTIRQ },
	{ .name = "ksoftirqd", .call = ICB_CALL_KSOFTIRQD },
	{ .name = "work_bound", .call = ICB_CALL_WORK_BOUND },
	{ .name = "work_highpri", .call = ICB_CALL_WORK_HIGHPRI },
	{ .name = "work_unbound", .call = ICB_CALL_WORK_UNBOUND },
	{ .name = "context_switch", .call = ICB_CALL_CONTEXT_SWITCH },
	{ .name = "wake_same", .call = ICB_CALL_WAKE_SAME },
	{ .name = "wake_other", .call = ICB_CALL_WAKE_OTHER, .cross = true },
	{ .name = "wake_idle", .call = ICB_CALL_WAKE_IDLE, .cross = true },
	{ .name = "wake_idle_qos", .call = ICB_CALL_WAKE_IDLE_QOS,
	  .cross = true },
};

const struct icb_verb icb_verb_table[] = {
	[ICBENCH_VERB_SEND] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = CQ_MODES,
		.divisor = 2,
		.recv = true,
	},
	[ICBENCH_VERB_WRITE] = {
		.completion = ICBENCH_COMPLETION_MEMORY,
		.completions = BIT(ICBENCH_COMPLETION_MEMORY),
		.min_size = 1,
		.divisor = 2,
		.remote = true,
		.region = true,
	},
	[ICBENCH_VERB_WRITE_IMM] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = CQ_MODES,
		.divisor = 2,
		.recv = true,
		.remote = true,
		.region = true,
		.imm = true,
	},
	[ICBENCH_VERB_READ] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = CQ_MODES,
		.min_size = 1,
		.divisor = 1,
		.remote = true,
		.region = true,
		.passive = true,
	},
	[ICBENCH_VERB_FETCH_ADD] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = CQ_MODES,
		.min_size = sizeof(u64),
		.max_size = sizeof(u64),
		.divisor = 1,
		.remote = true,
		.region = true,
		.passive = true,
		.atomic = true,
	},
	[ICBENCH_VERB_CMP_SWAP] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = CQ_MODES,
		.min_size = sizeof(u64),
		.max_size = sizeof(u64),
		.divisor = 1,
		.remote = true,
		.region = true,
		.passive = true,
		.atomic = true,
	},
	[ICBENCH_VERB_REGISTER] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.min_size = 1,
		.divisor = 1,
		.passive = true,
		.region = true,
		.call = register_calls,
		.calls = ARRAY_SIZE(register_calls),
	},
	[ICBENCH_VERB_DESCRIPTOR] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.min_size = 1,
		.divisor = 1,
		.remote = true,
		.region = true,
		.call = descriptor_calls,
		.calls = ARRAY_SIZE(descriptor_calls),
	},
	[ICBENCH_VERB_CONNECT] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.divisor = 1,
		.passive = true,
		.call = connect_calls,
		.calls = ARRAY_SIZE(connect_calls),
	},
	[ICBENCH_VERB_CONNECT_CM] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.divisor = 1,
		.passive = true,
		.probes = true,
		.call = connect_cm_calls,
		.calls = ARRAY_SIZE(connect_cm_calls),
	},
	[ICBENCH_VERB_CALIBRATE] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.divisor = 1,
		.passive = true,
		.call = calibrate_calls,
		.calls = ARRAY_SIZE(calibrate_calls),
	},
	[ICBENCH_VERB_FLOOR] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.divisor = 1,
		.passive = true,
		.local = true,
		.warmup = 20,
		.call = floor_calls,
		.calls = ARRAY_SIZE(floor_calls),
	},
};

/* A write that is followed by an empty send, which reports it. */
const struct icb_verb icb_verb_noted = {
	.completion = ICBENCH_COMPLETION_POLL,
	.completions = CQ_MODES,
	.divisor = 2,
	.recv = true,
	.remote = true,
	.region = true,
	.note = true,
};

#define LIST_SIZE	128

static bool waits_own(const struct icb_params *params)
{
	return params->trigger != ICBENCH_TRIGGER_ECHO;
}

/* Triggers with which a side waits for its own completions, which any verb has. */
static bool is_windowed(u32 trigger)
{
	return trigger == ICBENCH_TRIGGER_COMPLETION ||
	       trigger == ICBENCH_TRIGGER_CLOCK;
}

/* An open loop already has a timer, and reports how late it was. */
static u32 windowed_modes(u32 trigger)
{
	return trigger == ICBENCH_TRIGGER_CLOCK ?
		CQ_MODES & ~BIT(ICBENCH_COMPLETION_TIMER) : CQ_MODES;
}

/**
 * icb_verb_completions() - get the completion modes that a verb accepts
 * @trigger: enum icbench_trigger
 * @verb: enum icbench_verb
 *
 * Return: BIT(enum icbench_completion) of each mode.
 */
u32 icb_verb_completions(u32 trigger, u32 verb)
{
	return is_windowed(trigger) ? windowed_modes(trigger) :
				      icb_verb_table[verb].completions;
}

/**
 * icb_params_completions() - get the completion modes that a run accepts
 * @params: parameters of the run
 *
 * Return: BIT(enum icbench_completion) of each mode.
 */
u32 icb_params_completions(const struct icb_params *params)
{
	return is_windowed(params->trigger) ?
		windowed_modes(params->trigger) :
		icb_verb_of(params)->completions;
}

static int refuse_completion(const struct icb_params *params,
			     struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION);
	u32 modes = icb_params_completions(params);
	char accepted[LIST_SIZE];

	if (params->trigger == ICBENCH_TRIGGER_CLOCK &&
	    params->completion == ICBENCH_COMPLETION_TIMER)
		return icb_refuse(why, -EOPNOTSUPP,
				  "completion: timer is not possible with trigger clock, whose operations another timer posts; accepted: %s",
				  icb_param_list_words(param, modes, accepted,
						       sizeof(accepted)));
	return icb_refuse(why, -EOPNOTSUPP,
			  "completion: %s is not possible with verb %s, %s; accepted: %s",
			  param->words[params->completion],
			  icb_params_word(params, ICBENCH_A_PARAMS_VERB),
			  icb_verb_of(params)->calls ?
				"whose calls are timed one by one" :
			  modes & BIT(ICBENCH_COMPLETION_POLL) ?
				"which is noticed by its completion" :
				"which raises no completion where it arrives",
			  icb_param_list_words(param, modes, accepted,
					       sizeof(accepted)));
}

/**
 * icb_verb_refuse() - refuse the verb of a run if a device does not support it
 * @params: parameters of the run
 * @device: name of the device
 * @verbs: BIT() of each verb that the device supports
 * @why: the reason of a refusal
 *
 * Return: 0; -EOPNOTSUPP with a reason.
 */
int icb_verb_refuse(const struct icb_params *params, const char *device,
		    u32 verbs, struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_VERB);
	const struct icb_verb *verb = icb_verb_of(params);
	char accepted[LIST_SIZE];

	if (verbs & BIT(icb_verb_posted(params)))
		return 0;
	if (icb_verb_posted(params) != params->verb)
		return icb_refuse(why, -EOPNOTSUPP,
				  "notify: imm is not possible on %s, which has no immediate data; accepted: none, message",
				  device);
	/* do not propose verbs that the trigger refuses */
	verbs &= verb->calls ? ICB_VERBS_CALL : ICB_VERBS_DATA;
	return icb_refuse(why, -EOPNOTSUPP,
			  "verb: %s is not possible on %s, which has no %s; accepted: %s",
			  param->words[params->verb], device,
			  verb->atomic ? "atomics" :
			  verb->imm ? "immediate data" : "such verb",
			  icb_param_list_words(param, verbs, accepted,
					       sizeof(accepted)));
}

/* The receiver of plain writes over UC would not see which of them arrived. */
static void preset_told(struct icb_params *params)
{
	if (is_windowed(params->trigger) &&
	    params->transport == ICBENCH_TRANSPORT_UC &&
	    !icb_params_given(params, ICBENCH_A_PARAMS_NOTIFY))
		icb_params_preset(params, ICBENCH_A_PARAMS_NOTIFY,
				  ICBENCH_NOTIFY_IMM);
}

/* Only verb write has a choice: a message that consumes a receive notifies anyway. */
static int check_notify(struct icb_params *params, struct icb_reason *why)
{
	bool imm = params->verb == ICBENCH_VERB_WRITE_IMM;

	if (params->verb == ICBENCH_VERB_WRITE) {
		preset_told(params);
		return 0;
	}
	if (imm && !icb_params_given(params, ICBENCH_A_PARAMS_NOTIFY))
		icb_params_preset(params, ICBENCH_A_PARAMS_NOTIFY,
				  ICBENCH_NOTIFY_IMM);
	if (params->notify == (imm ? ICBENCH_NOTIFY_IMM : ICBENCH_NOTIFY_NONE))
		return 0;
	return icb_refuse(why, -EINVAL,
			  "notify: %s is not possible with verb %s; accepted: %s, or verb write",
			  icb_params_word(params, ICBENCH_A_PARAMS_NOTIFY),
			  icb_params_word(params, ICBENCH_A_PARAMS_VERB),
			  imm ? "imm" : "none");
}

/* The initiator waits for each operation by its completion: all are signalled. */
static int check_passive(struct icb_params *params, struct icb_reason *why)
{
	if (icb_params_given(params, ICBENCH_A_PARAMS_SIGNAL_EVERY) &&
	    params->signal_every != 1)
		return icb_refuse(why, -EINVAL,
				  "signal-every: %u is not possible with verb %s, whose own completion is what is waited for; accepted: 1",
				  params->signal_every,
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_VERB));
	icb_params_preset(params, ICBENCH_A_PARAMS_SIGNAL_EVERY, 1);
	return 0;
}

static int check_size(struct icb_params *params, struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);
	const char *word = icb_params_word(params, ICBENCH_A_PARAMS_VERB);

	if (verb->max_size && !icb_params_given(params, ICBENCH_A_PARAMS_SIZE))
		icb_params_preset(params, ICBENCH_A_PARAMS_SIZE,
				  verb->max_size);
	if (verb->max_size && params->size > verb->max_size)
		return icb_refuse(why, -EINVAL,
				  "size: %u is too large for verb %s; accepted: %u",
				  params->size, word, verb->max_size);
	if (params->size < verb->min_size)
		return icb_refuse(why, -EINVAL,
				  "size: %u is too small for verb %s; accepted: %u%s",
				  params->size, word, verb->min_size,
				  verb->max_size ? "" : " and more");
	return 0;
}

/*
 * A callback runs in the context of its completion mode, not in the run's thread.
 * Parameters of that thread would have no effect.
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

static int only_with(const struct icb_params *params, unsigned int attr,
		     u32 completion, struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION);

	if (!icb_params_given(params, attr) ||
	    params->completion == completion)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "%s: not with completion %s; accepted: completion %s",
			  icb_param_by_attr(attr)->name,
			  param->words[params->completion],
			  param->words[completion]);
}

/* Check the parameters that belong to one completion mode. */
static int check_waiting(struct icb_params *params, struct icb_reason *why)
{
	int err;

	err = only_with(params, ICBENCH_A_PARAMS_SPIN,
			ICBENCH_COMPLETION_ADAPTIVE, why);
	if (!err)
		err = only_with(params, ICBENCH_A_PARAMS_INTERVAL,
				ICBENCH_COMPLETION_TIMER, why);
	if (err)
		return err;
	if (params->completion != ICBENCH_COMPLETION_TIMER)
		return 0;
	if (!icb_params_has(params, ICBENCH_A_PARAMS_INTERVAL))
		icb_params_preset(params, ICBENCH_A_PARAMS_INTERVAL,
				  DEFAULT_INTERVAL);
	if (params->interval <= params->timeout / 4)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "interval: %llu ns is more than a quarter of timeout; accepted: %u to %llu ns",
			  (unsigned long long)params->interval,
			  ICBENCH_MIN_INTERVAL,
			  (unsigned long long)params->timeout / 4);
}

/**
 * icb_verb_check() - check the rules of a verb, and set its defaults
 * @params: the parameters, each of them within its own range; the completion mode is set
 *	if none was given
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP with a reason.
 */
int icb_verb_check(struct icb_params *params, struct icb_reason *why)
{
	const struct icb_verb *verb;
	int err;

	err = check_notify(params, why);
	if (err)
		return err;
	verb = icb_verb_of(params);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_COMPLETION))
		icb_params_preset(params, ICBENCH_A_PARAMS_COMPLETION,
				  waits_own(params) ? ICBENCH_COMPLETION_POLL :
						      verb->completion);
	if (!(icb_params_completions(params) & BIT(params->completion)))
		return refuse_completion(params, why);
	err = check_waiting(params, why);
	if (!err)
		err = check_size(params, why);
	if (!err && verb->passive && !waits_own(params))
		err = check_passive(params, why);
	if (err)
		return err;
	if (BIT(params->completion) & ICB_COMPLETIONS_CALLBACK)
		return check_callback(params, why);
	return 0;
}
