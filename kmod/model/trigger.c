// SPDX-License-Identifier: GPL-2.0
#include "arrival.h"
#include "buffers.h"
#include "derived.h"
#include "sizes.h"
#include "trigger.h"
#include "verbs_table.h"

#define DEFAULT_WINDOW		100
#define DEFAULT_SIGNAL_EVERY	64
#define DEFAULT_RATE		10000

#define NS_PER_SECOND		1000000000ULL

/* Parameters that only some triggers accept. */
static const struct {
	u32 attr;
	u32 triggers;
} bound[] = {
	{ ICBENCH_A_PARAMS_WINDOW, BIT(ICBENCH_TRIGGER_COMPLETION) |
				   BIT(ICBENCH_TRIGGER_CLOCK) },
	{ ICBENCH_A_PARAMS_REFILL, BIT(ICBENCH_TRIGGER_COMPLETION) },
	{ ICBENCH_A_PARAMS_BATCH, BIT(ICBENCH_TRIGGER_COMPLETION) },
	{ ICBENCH_A_PARAMS_COMPUTE, BIT(ICBENCH_TRIGGER_COMPLETION) },
	{ ICBENCH_A_PARAMS_COMPUTE_SHARE, BIT(ICBENCH_TRIGGER_COMPLETION) },
	{ ICBENCH_A_PARAMS_REPLY, BIT(ICBENCH_TRIGGER_COMPLETION) },
	{ ICBENCH_A_PARAMS_SIZE_DIST, BIT(ICBENCH_TRIGGER_COMPLETION) |
				      BIT(ICBENCH_TRIGGER_CLOCK) },
	{ ICBENCH_A_PARAMS_RATE, BIT(ICBENCH_TRIGGER_CLOCK) },
	{ ICBENCH_A_PARAMS_ARRIVAL, BIT(ICBENCH_TRIGGER_CLOCK) },
	{ ICBENCH_A_PARAMS_OVERHEAD, BIT(ICBENCH_TRIGGER_ECHO) },
	{ ICBENCH_A_PARAMS_STAGES, BIT(ICBENCH_TRIGGER_ECHO) },
	{ ICBENCH_A_PARAMS_SHADOW_CPU, BIT(ICBENCH_TRIGGER_ECHO) },
	{ ICBENCH_A_PARAMS_UNTIL, BIT(ICBENCH_TRIGGER_ECHO) |
				  BIT(ICBENCH_TRIGGER_RETURN) },
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
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bound); i++)
		if (bound[i].attr == attr)
			return bound[i].triggers & BIT(trigger);
	return true;
}

/* Parameters of a window. */
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

/* Refuse parameter @name in callback modes: work in measured time needs a thread. */
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

static int refuse_stages(const struct icb_params *params,
			 struct icb_reason *why)
{
	if (icb_params_has(params, ICBENCH_A_PARAMS_SHADOW_CPU))
		return icb_refuse(why, -EOPNOTSUPP,
				  "shadow-cpu: the arrival is a stage of trigger echo; accepted: none");
	if (!params->stages)
		return 0;
	return icb_refuse(why, -EOPNOTSUPP,
			  "stages: of a message only with trigger echo; accepted: no");
}

/* Completion modes in which an event notifies the run of an arrival. */
#define EVENT_COMPLETIONS					\
	(ICB_COMPLETIONS_CALLBACK |				\
	 BIT(ICBENCH_COMPLETION_BLOCK) |			\
	 BIT(ICBENCH_COMPLETION_ADAPTIVE) |			\
	 BIT(ICBENCH_COMPLETION_TIMER))

/* A thread of the run on the shadow CPU would delay the time stamps of arrivals. */
static int check_shadow(const struct icb_params *params,
			struct icb_reason *why)
{
	if (!icb_params_has(params, ICBENCH_A_PARAMS_SHADOW_CPU))
		return 0;
	if (!params->stages)
		return icb_refuse(why, -EINVAL,
				  "shadow-cpu: only with stages; accepted: stages yes");
	if (!params->size)
		return icb_refuse(why, -EINVAL,
				  "shadow-cpu: a message of 0 bytes changes none that could be watched; accepted: size 1 and more");
	if (params->direction == ICBENCH_DIRECTION_BI)
		return icb_refuse(why, -EOPNOTSUPP,
				  "shadow-cpu: with direction bi a message may come before it is watched for; accepted: direction uni");
	if ((icb_params_given(params, ICBENCH_A_PARAMS_CPU) &&
	     params->cpu == params->shadow_cpu) ||
	    (icb_params_given(params, ICBENCH_A_PARAMS_PEER_CPU) &&
	     !icb_params_has(params, ICBENCH_A_PARAMS_PEER) &&
	     params->peer_cpu == params->shadow_cpu))
		return icb_refuse(why, -EINVAL,
				  "shadow-cpu: %u is a CPU of the run; accepted: one that is neither cpu nor, without peer, peer-cpu",
				  params->shadow_cpu);
	return 0;
}

static int check_stages(const struct icb_params *params,
			struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION);
	u32 all = icb_params_completions(params) & EVENT_COMPLETIONS;
	char accepted[128];

	if (!params->stages || EVENT_COMPLETIONS & BIT(params->completion))
		return check_shadow(params, why);
	icb_param_list_words(param, all, accepted, sizeof(accepted));
	return icb_refuse(why, -EOPNOTSUPP,
			  "stages: not with completion %s, where nobody is told of an arrival; accepted: %s%s",
			  param->words[params->completion],
			  all ? "completion " : "no", accepted);
}

/*
 * The device generates the completion of a signalled message during a sample. So few
 * messages are signalled that all these samples can lie above the 99th percentile.
 * Several QPs signal more often: each send queue has room for signal-every work requests.
 */
static void preset_signals(struct icb_params *params)
{
	if (!icb_params_given(params, ICBENCH_A_PARAMS_SIGNAL_EVERY) &&
	    !icb_verb_of(params)->passive)
		icb_params_preset(params, ICBENCH_A_PARAMS_SIGNAL_EVERY,
				  params->qps > 1 ? DEFAULT_SIGNAL_EVERY :
						    ICB_SELDOM_SIGNALLED);
}

static int check_echo(struct icb_params *params, struct icb_reason *why)
{
	int err = refuse_window(params, why);

	preset_signals(params);
	if (!err && params->overhead)
		err = refuse_callbacks(params, "overhead", why);
	if (!err)
		err = check_stages(params, why);
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
 * The default of signal-every. All QPs together have about as many work requests per
 * completion as a single QP has. With several QPs it divides the window, so that every
 * operation of a full window is covered by a completion. A callback handles no more
 * messages than icb_callback_messages().
 */
static u32 signal_every(const struct icb_params *params)
{
	u32 n = min_t(u32, params->refill,
		      max_t(u32, DEFAULT_SIGNAL_EVERY / params->qps, 1));

	n = min_t(u32, n, icb_callback_messages(params));
	while (params->refill % n ||
	       (params->qps > 1 && params->window % n))
		n--;
	return n;
}

/*
 * With compute, the thread waits until the whole window has completed, as in an iteration
 * of Chandrasekaran's thesis, 2.2.4.
 */
static u32 default_refill(const struct icb_params *params)
{
	if (icb_params_has(params, ICBENCH_A_PARAMS_COMPUTE) ||
	    icb_params_has(params, ICBENCH_A_PARAMS_COMPUTE_SHARE))
		return params->window;
	return max_t(u32, params->window / 2, 1);
}

static int check_window(struct icb_params *params, struct icb_reason *why)
{
	if (!icb_params_has(params, ICBENCH_A_PARAMS_WINDOW))
		icb_params_preset(params, ICBENCH_A_PARAMS_WINDOW,
				  DEFAULT_WINDOW);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_REFILL))
		icb_params_preset(params, ICBENCH_A_PARAMS_REFILL,
				  default_refill(params));
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
 * With reply, a window is posted once the reply to the window before it has arrived. A
 * thread posts it, and the responder must see the messages arrive.
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

/* Neither side may run into timeout while both of them compute. */
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
		err = refuse_stages(params, why);
	if (!err)
		err = check_compute(params, why);
	if (err)
		return err;
	err = check_reply(params, why);
	return err ? : check_window(params, why);
}

/* Refuse parameters of operations that are triggered by other operations. */
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

/* The longest time between two operations must not be mistaken for a dead peer. */
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
		err = refuse_stages(params, why);
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

/* Parameters that a verb without a device accepts. */
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

/**
 * icb_trigger_local() - check whether a verb without a device accepts a parameter
 * @attr: ICBENCH_A_PARAMS_…
 *
 * Return: true if it does.
 */
bool icb_trigger_local(unsigned int attr)
{
	return LOCAL_ATTRS & BIT_ULL(attr);
}

/* All other parameters have no value, not even a default. */
static int check_local(struct icb_params *params, struct icb_reason *why)
{
	const struct icb_param *param;
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		param = &icb_param_table[i];
		if (icb_params_given(params, param->attr) &&
		    !icb_trigger_local(param->attr))
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
	if (!err)
		err = refuse_stages(params, why);
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

/* In callback modes a sample does not belong to one thread or to one CPU. */
static bool can_attribute(const struct icb_params *params)
{
	if (icb_verb_of(params)->local)
		return false;
	return params->trigger == ICBENCH_TRIGGER_RETURN ||
	       !(BIT(params->completion) & ICB_COMPLETIONS_CALLBACK);
}

static int check_attribute(struct icb_params *params, struct icb_reason *why)
{
	bool can = can_attribute(params);

	if (icb_verb_of(params)->local)
		return 0;
	/* off by default with calibrate, which measures the cost of attribute */
	if (!icb_params_given(params, ICBENCH_A_PARAMS_ATTRIBUTE))
		icb_params_preset(params, ICBENCH_A_PARAMS_ATTRIBUTE,
				  can && params->verb != ICBENCH_VERB_CALIBRATE);
	if (can || !params->attribute)
		return 0;
	return refuse_callbacks(params, "attribute", why);
}

/**
 * icb_trigger_check() - check the rules of a trigger, and set its defaults
 * @params: the parameters, each of them within its own range
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP with a reason.
 */
int icb_trigger_check(struct icb_params *params, struct icb_reason *why)
{
	int err;

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
	return err ? : check_attribute(params, why);
}
