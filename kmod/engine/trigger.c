// SPDX-License-Identifier: GPL-2.0
#include "arrival.h"
#include "buffers.h"
#include "segments.h"
#include "trigger.h"

#define DEFAULT_WINDOW		100
#define DEFAULT_SIGNAL_EVERY	64
#define DEFAULT_RATE		10000
#define NS_PER_SECOND		1000000000ULL

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
	unsigned int attr = params->reply ? ICBENCH_A_PARAMS_REPLY : 0, i;

	for (i = 0; i < ARRAY_SIZE(window_attrs) && !attr; i++)
		if (icb_params_given(params, window_attrs[i]))
			attr = window_attrs[i];
	if (!attr)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "%s: only with trigger %s; with %s one operation is on its way",
			  icb_param_by_attr(attr)->name,
			  attr == ICBENCH_A_PARAMS_WINDOW ?
				"completion or clock" : "completion",
			  icb_params_word(params, ICBENCH_A_PARAMS_TRIGGER));
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
			     icb_params_completions(params) &
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

/*
 * Of all QPs together about as many as of one. Where there are several, no more
 * than leaves each window full of operations that a completion speaks for.
 */
static u32 signal_every(const struct icb_params *params)
{
	u32 n = min_t(u32, params->refill,
		      max_t(u32, DEFAULT_SIGNAL_EVERY / params->qps, 1));

	while (params->refill % n ||
	       (params->qps > 1 && params->window % n))
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
				  signal_every(params));
	if (params->refill % params->signal_every)
		return icb_refuse(why, -EINVAL,
				  "signal-every: %u does not divide refill, %u; accepted: a number that does",
				  params->signal_every, params->refill);
	if (params->qps > 1 && params->window % params->signal_every)
		return icb_refuse(why, -EINVAL,
				  "signal-every: %u does not divide the window, %u, as it has to with several QPs; accepted: a number that does",
				  params->signal_every, params->window);
	return 0;
}

/*
 * A window that is answered is posted when the one before it has been: by a thread,
 * to a side that sees what arrives.
 */
static int check_reply(struct icb_params *params, struct icb_reason *why)
{
	if (!params->reply)
		return 0;
	if (!icb_verb_of(params)->recv)
		return icb_refuse(why, -EOPNOTSUPP,
				  "reply: with verb %s nobody sees a window arrive; accepted: verb send, write-imm, or write with notify imm or message",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_VERB));
	if (params->direction != ICBENCH_DIRECTION_UNI)
		return icb_refuse(why, -EOPNOTSUPP,
				  "reply: what is streamed the other way is no answer; accepted: direction uni");
	if (icb_params_has(params, ICBENCH_A_PARAMS_COMPUTE) ||
	    icb_params_has(params, ICBENCH_A_PARAMS_COMPUTE_SHARE))
		return icb_refuse(why, -EOPNOTSUPP,
				  "reply: not together with compute or compute-share, which needs a window that is refilled; accepted: one of them");
	if (!icb_params_has(params, ICBENCH_A_PARAMS_WINDOW))
		icb_params_preset(params, ICBENCH_A_PARAMS_WINDOW,
				  DEFAULT_WINDOW);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_REFILL))
		icb_params_preset(params, ICBENCH_A_PARAMS_REFILL,
				  params->window);
	if (params->refill != params->window)
		return icb_refuse(why, -EINVAL,
				  "refill: %u is not possible with reply, which comes for the whole window; accepted: %u",
				  params->refill, params->window);
	return refuse_callbacks(params, "reply", why);
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
	err = check_reply(params, why);
	return err ? : check_window(params, why);
}

static int refuse_unless_open(struct icb_params *params,
			      struct icb_reason *why)
{
	static const u32 attrs[] = {
		ICBENCH_A_PARAMS_RATE, ICBENCH_A_PARAMS_ARRIVAL,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attrs); i++)
		if (icb_params_given(params, attrs[i]))
			return icb_refuse(why, -EINVAL,
					  "%s: only with trigger clock; with %s nothing is due at a time",
					  icb_param_by_attr(attrs[i])->name,
					  icb_params_word(params, ICBENCH_A_PARAMS_TRIGGER));
	return 0;
}

/* What belongs to operations that others trigger. */
static int refuse_closed(struct icb_params *params, struct icb_reason *why)
{
	static const u32 attrs[] = {
		ICBENCH_A_PARAMS_REFILL,
		ICBENCH_A_PARAMS_BATCH,
		ICBENCH_A_PARAMS_COMPUTE,
		ICBENCH_A_PARAMS_COMPUTE_SHARE,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attrs); i++)
		if (icb_params_given(params, attrs[i]))
			return icb_refuse(why, -EINVAL,
					  "%s: not with trigger clock, which posts each operation when it is due",
					  icb_param_by_attr(attrs[i])->name);
	if (icb_params_given(params, ICBENCH_A_PARAMS_SIGNAL_EVERY) &&
	    params->signal_every != 1)
		return icb_refuse(why, -EINVAL,
				  "signal-every: %u is not possible with trigger clock, which times the completion of each operation; accepted: 1",
				  params->signal_every);
	if (params->direction != ICBENCH_DIRECTION_UNI)
		return icb_refuse(why, -EOPNOTSUPP,
				  "direction: bi is not possible with trigger clock, whose schedule is the initiator's; accepted: uni");
	if (params->verify)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verify: messages of a window share a buffer; accepted: no (the last message is checked all the same)");
	if (params->reply)
		return icb_refuse(why, -EOPNOTSUPP,
				  "reply: not with trigger clock, which does not wait for an answer; accepted: no");
	if (params->context != ICBENCH_CONTEXT_BH)
		return icb_refuse(why, -EOPNOTSUPP,
				  "context: trigger clock posts in softirq context; accepted: bh");
	return 0;
}

/* The rarest time between two operations is not to look like a dead peer. */
static int check_rate(struct icb_params *params, struct icb_reason *why)
{
	u64 least;

	if (!icb_params_has(params, ICBENCH_A_PARAMS_RATE))
		icb_params_preset(params, ICBENCH_A_PARAMS_RATE, DEFAULT_RATE);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_ARRIVAL))
		icb_params_preset(params, ICBENCH_A_PARAMS_ARRIVAL,
				  ICBENCH_ARRIVAL_FIXED);
	least = div64_u64(2 * ICB_ARRIVAL_MOST * NS_PER_SECOND +
			  params->timeout - 1, params->timeout);
	if (params->rate >= least)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "rate: %llu a second may leave nothing due for half of timeout; accepted: %llu and more, or a longer timeout",
			  (unsigned long long)params->rate,
			  (unsigned long long)least);
}

static int check_open(struct icb_params *params, struct icb_reason *why)
{
	int err = refuse_overhead(params, why);

	if (!err)
		err = refuse_closed(params, why);
	if (err)
		return err;
	if (!icb_params_has(params, ICBENCH_A_PARAMS_WINDOW))
		icb_params_preset(params, ICBENCH_A_PARAMS_WINDOW,
				  DEFAULT_WINDOW);
	icb_params_preset(params, ICBENCH_A_PARAMS_SIGNAL_EVERY, 1);
	return check_rate(params, why);
}

/* What means something where nothing leaves the host. */
#define LOCAL_ATTRS							\
	(BIT_ULL(ICBENCH_A_PARAMS_TRIGGER) |				\
	 BIT_ULL(ICBENCH_A_PARAMS_VERB) |				\
	 BIT_ULL(ICBENCH_A_PARAMS_ITERATIONS) |				\
	 BIT_ULL(ICBENCH_A_PARAMS_DURATION) |				\
	 BIT_ULL(ICBENCH_A_PARAMS_WARMUP) |				\
	 BIT_ULL(ICBENCH_A_PARAMS_CPU) |				\
	 BIT_ULL(ICBENCH_A_PARAMS_PEER_CPU) |				\
	 BIT_ULL(ICBENCH_A_PARAMS_PRIORITY) |				\
	 BIT_ULL(ICBENCH_A_PARAMS_TIMEOUT))

/* All else has no value, not even a default. */
static int check_local(struct icb_params *params, struct icb_reason *why)
{
	const struct icb_param *param;
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		param = &icb_param_table[i];
		if (icb_params_given(params, param->attr) &&
		    !(LOCAL_ATTRS & BIT_ULL(param->attr)))
			return icb_refuse(why, -EOPNOTSUPP,
					  "%s: not with verb %s, which uses no device; accepted: iterations, duration, warmup, cpu, peer-cpu, priority, timeout",
					  param->name,
					  icb_params_word(params,
							  ICBENCH_A_PARAMS_VERB));
	}
	icb_params_preset(params, ICBENCH_A_PARAMS_SIZE, 0);
	params->set &= LOCAL_ATTRS;
	return 0;
}

static int check_calls(struct icb_params *params, struct icb_reason *why)
{
	int err;

	if (icb_verb_of(params)->local)
		return check_local(params, why);
	err = refuse_overhead(params, why);
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

/* QPs keep the order of their own operations, and none among each other. */
static int check_qps(const struct icb_params *params, struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);

	if (params->qps == 1)
		return 0;
	if (params->trigger == ICBENCH_TRIGGER_RETURN)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with trigger return the calls of one are timed; accepted: 1");
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION &&
	    params->verb == ICBENCH_VERB_CMP_SWAP)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with trigger completion each cmp-swap expects what the one before it has left, and several QPs keep no order; accepted: 1, or verb fetch-add");
	if (params->trigger == ICBENCH_TRIGGER_CLOCK)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with trigger clock operations are due one by one, on one QP; accepted: 1");
	if (params->registration == ICBENCH_REGISTRATION_FRWR)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with registration frwr the first QP registers what its own receives take; accepted: 1, or registration dma");
	if (verb->note)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with notify message each note goes behind its write, on one QP; accepted: 1, or notify imm");
	if (params->reply)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with reply a window is answered as a whole, on one QP; accepted: 1");
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION && params->verify)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with verify each message of a stream has a buffer in their order, and several QPs keep none; accepted: 1, or verify no");
	/* which message a receive will take has to be known when it is posted */
	if (!verb->recv || verb->remote)
		return 0;
	if (params->reuse < ICB_BUFFERS_WHOLE)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with reuse %u and verb send the receives of one QP only know their buffers; accepted: 1",
				  params->reuse);
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION &&
	    icb_buffers_ring(params) > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: in a stream of sends the receives of several QPs share a buffer; accepted: 1, or buffers 1");
	return 0;
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
	if (!err && params->trigger != ICBENCH_TRIGGER_CLOCK)
		err = refuse_unless_open(params, why);
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
	case ICBENCH_TRIGGER_CLOCK:
		err = check_open(params, why);
		break;
	default:
		err = check_stream(params, why);
		break;
	}
	if (!err)
		err = check_qps(params, why);
	return err ? : icb_buffers_check(params, why);
}
