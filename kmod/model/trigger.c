// SPDX-License-Identifier: GPL-2.0
#include "arrival.h"
#include "buffers.h"
#include "callbacks.h"
#include "segments.h"
#include "sizes.h"
#include "trigger.h"

#define DEFAULT_WINDOW		100
#define DEFAULT_SIGNAL_EVERY	64
#define DEFAULT_RATE		10000
#define DEFAULT_THRESHOLD	8192

/* What a packet may have at most, on any path. */
#define MAX_MTU			4096
#define NS_PER_SECOND		1000000000ULL

/* Keys that mean something with some triggers only. */
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
 * icb_trigger_takes() - whether a key means something with a trigger
 * @trigger: enum icbench_trigger
 * @attr: ICBENCH_A_PARAMS_…
 *
 * Return: false where no value of it but "no" or "fixed" is accepted.
 */
bool icb_trigger_takes(u32 trigger, unsigned int attr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bound); i++)
		if (bound[i].attr == attr)
			return bound[i].triggers & BIT(trigger);
	return true;
}

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

/* Where somebody is told of an arrival. */
#define EVENT_COMPLETIONS					\
	(ICB_COMPLETIONS_CALLBACK |				\
	 BIT(ICBENCH_COMPLETION_BLOCK) |			\
	 BIT(ICBENCH_COMPLETION_ADAPTIVE) |			\
	 BIT(ICBENCH_COMPLETION_TIMER))

/* Whoever else has the other CPU would be what is measured. */
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
 * The device makes a completion within a sample: of few enough for all of them to lie
 * above the 99th percentile. Of many QPs each one has room for so many.
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
 * Of all QPs together about as many as of one. Where there are several, no more
 * than leaves each window full of operations that a completion speaks for; nor
 * than a callback may look at.
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

/* Who computes waits for all that it has posted: an iteration of the thesis. */
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
		err = refuse_stages(params, why);
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

/**
 * icb_trigger_local() - whether a key means something where nothing leaves the host
 * @attr: ICBENCH_A_PARAMS_…
 *
 * Return: true if so.
 */
bool icb_trigger_local(unsigned int attr)
{
	return LOCAL_ATTRS & BIT_ULL(attr);
}

/* All else has no value, not even a default. */
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

/* Of all pieces the receiver has to be told, and of nothing else. */
static int check_stripe(struct icb_params *params, struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);

	if (!icb_params_has(params, ICBENCH_A_PARAMS_STRIPE_THRESHOLD))
		icb_params_preset(params, ICBENCH_A_PARAMS_STRIPE_THRESHOLD,
				  DEFAULT_THRESHOLD);
	if (!verb->note)
		return icb_refuse(why, -EOPNOTSUPP,
				  "policy: stripe writes a piece on each device, and tells of it there by a send; accepted: single, bind, or verb write with notify message");
	if (params->qps > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with policy stripe one on each device carries the pieces; accepted: 1");
	if (params->sges > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "sges: with policy stripe a piece lies in one segment; accepted: 1");
	if (params->reply)
		return icb_refuse(why, -EOPNOTSUPP,
				  "reply: not with policy stripe, whose messages come by several devices; accepted: no");
	if (params->inline_size)
		return icb_refuse(why, -EOPNOTSUPP,
				  "inline: not with policy stripe, which cuts what is large; accepted: 0");
	return 0;
}

static int check_bind(struct icb_params *params, struct icb_reason *why)
{
	if (icb_verb_of(params)->atomic)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verb: atomics of several devices are not atomic to one another; accepted: send, write, write-imm, read, or one device");
	if (!icb_params_given(params, ICBENCH_A_PARAMS_QPS))
		icb_params_preset(params, ICBENCH_A_PARAMS_QPS,
				  params->devices);
	if (params->qps < params->devices)
		return icb_refuse(why, -EINVAL,
				  "qps: %u leave a device without one; accepted: %u, one for each, and more",
				  params->qps, params->devices);
	return 0;
}

/* One device to send by, and one to receive by. */
static int check_channels(const struct icb_params *params,
			  struct icb_reason *why)
{
	if (params->devices != 2)
		return icb_refuse(why, -EINVAL,
				  "device: %u for policy channels, which has one for each way; accepted: 2",
				  params->devices);
	if (icb_verb_of(params)->passive)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verb: %s is answered by the QP that asks, and so by the same device, which policy channels is to keep apart; accepted: send, write, write-imm",
				  icb_params_word(params, ICBENCH_A_PARAMS_VERB));
	if (params->qps > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with policy channels one on each device carries all that goes one way; accepted: 1");
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION && !params->reply &&
	    params->direction != ICBENCH_DIRECTION_BI)
		return icb_refuse(why, -EOPNOTSUPP,
				  "direction: uni sends nothing by the second device of policy channels; accepted: bi, or reply yes");
	return 0;
}

/* How several devices share the messages out, before defaults follow from it. */
static int check_policy(struct icb_params *params, struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION);
	char accepted[128];

	if (params->policy != ICBENCH_POLICY_STRIPE &&
	    icb_params_given(params, ICBENCH_A_PARAMS_STRIPE_THRESHOLD))
		return icb_refuse(why, -EINVAL,
				  "stripe-threshold: only with policy stripe");
	if (params->policy == ICBENCH_POLICY_SINGLE)
		return 0;
	if (params->trigger != ICBENCH_TRIGGER_ECHO &&
	    params->trigger != ICBENCH_TRIGGER_COMPLETION)
		return icb_refuse(why, -EOPNOTSUPP,
				  "policy: %s is not possible with trigger %s; accepted: trigger echo, completion",
				  icb_params_word(params, ICBENCH_A_PARAMS_POLICY),
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRIGGER));
	if (params->registration == ICBENCH_REGISTRATION_FRWR)
		return icb_refuse(why, -EOPNOTSUPP,
				  "registration: frwr gives buffers to one device; accepted with several: dma");
	if (BIT(params->completion) & ICB_COMPLETIONS_CALLBACK) {
		icb_param_list_words(param,
				     icb_params_completions(params) &
				     ~ICB_COMPLETIONS_CALLBACK,
				     accepted, sizeof(accepted));
		return icb_refuse(why, -EOPNOTSUPP,
				  "completion: %s serves one completion queue, and each device has its own; accepted: %s",
				  param->words[params->completion], accepted);
	}
	if (params->policy == ICBENCH_POLICY_STRIPE)
		return check_stripe(params, why);
	return icb_params_channels(params) ? check_channels(params, why) :
					     check_bind(params, why);
}

/* QPs keep the order of their own operations, and none among each other. */
static int check_qps(const struct icb_params *params, struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);

	if (params->qps == 1)
		return 0;
	/* what nothing is sent by may be as many as one likes */
	if (params->verb == ICBENCH_VERB_CALIBRATE)
		return 0;
	if (params->trigger == ICBENCH_TRIGGER_RETURN)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with trigger return the calls of one are timed; accepted: 1, or verb calibrate");
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

/* In a callback it is not one thread, nor one CPU, that a sample belongs to. */
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
	/* what it takes is what verb calibrate is asked for */
	if (!icb_params_given(params, ICBENCH_A_PARAMS_ATTRIBUTE))
		icb_params_preset(params, ICBENCH_A_PARAMS_ATTRIBUTE,
				  can && params->verb != ICBENCH_VERB_CALIBRATE);
	if (can || !params->attribute)
		return 0;
	return refuse_callbacks(params, "attribute", why);
}

static int check_until(const struct icb_params *params, struct icb_reason *why)
{
	static const u32 attrs[] = {
		ICBENCH_A_PARAMS_UNTIL_PERCENTILE,
		ICBENCH_A_PARAMS_UNTIL_TIME,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attrs); i++)
		if (icb_params_has(params, attrs[i]) &&
		    !icb_params_has(params, ICBENCH_A_PARAMS_UNTIL))
			return icb_refuse(why, -EINVAL,
					  "%s: only with until; accepted: until, or none of both",
					  icb_param_by_attr(attrs[i])->name);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_UNTIL) ||
	    params->trigger == ICBENCH_TRIGGER_ECHO ||
	    params->trigger == ICBENCH_TRIGGER_RETURN)
		return 0;
	return icb_refuse(why, -EOPNOTSUPP,
			  "until: only with trigger echo or return, whose samples come one after the other; accepted: iterations or duration");
}

static int refuse_transport(const struct icb_params *params, const char *what,
			    const char *reason, struct icb_reason *why)
{
	return icb_refuse(why, -EOPNOTSUPP,
			  "transport: %s is not possible with %s%s; accepted: rc",
			  icb_params_word(params, ICBENCH_A_PARAMS_TRANSPORT),
			  what, reason);
}

static bool several_buffers(const struct icb_params *params)
{
	return params->reuse != ICB_BUFFERS_WHOLE ||
	       icb_buffers_ring(params) > 1;
}

/* A ping-pong has to give an answer up, and to know by what it is told of one. */
static int check_lossy_echo(const struct icb_params *params,
			    struct icb_reason *why)
{
	if (params->devices > 1)
		return refuse_transport(params, "trigger echo and several devices",
					", which answer in turn", why);
	if (params->direction == ICBENCH_DIRECTION_BI &&
	    params->completion == ICBENCH_COMPLETION_MEMORY)
		return icb_refuse(why, -EOPNOTSUPP,
				  "direction: with transport %s nobody knows in which buffer the next one of writes that cross is to be seen; accepted: uni, or verb send, write-imm",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	if (params->direction == ICBENCH_DIRECTION_BI && params->qps > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with transport %s and direction bi a message tells by its order what was lost, and several QPs keep none; accepted: 1",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	if (params->completion == ICBENCH_COMPLETION_MEMORY &&
	    several_buffers(params))
		return icb_refuse(why, -EOPNOTSUPP,
				  "buffers: with transport %s nobody knows in which of several the next write is to be seen; accepted: 1, or verb send, write-imm",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	if (params->qps > 1 && !icb_verb_of(params)->remote &&
	    several_buffers(params))
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with transport %s nobody knows which message the receives of several QPs will take; accepted: 1, or buffers 1 and verify no",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	return 0;
}

/* A stream of sends by connections needs no other one: see icb_side_register(). */
static int check_lossy_devices(const struct icb_params *params,
			       struct icb_reason *why)
{
	if (icb_params_datagrams(params))
		return refuse_transport(params, "several devices",
					", of which the first alone has a connection that tells the way",
					why);
	if (icb_verb_of(params)->remote)
		return refuse_transport(params, "several devices and this verb",
					", for which the first alone has a connection that registers memory",
					why);
	return 0;
}

/* Who is not held back may write again where what is to be checked lies. */
static int check_lossy_verify(const struct icb_params *params,
			      struct icb_reason *why)
{
	if (!params->verify || !icb_verb_of(params)->remote)
		return 0;
	return icb_refuse(why, -EOPNOTSUPP,
			  "verify: with transport %s nothing keeps a later write from where an earlier one is checked; accepted: no, or verb send",
			  icb_params_word(params, ICBENCH_A_PARAMS_TRANSPORT));
}

/* Of the calls only those that post and poll are the same by another transport. */
static int check_lossy_calls(const struct icb_params *params,
			     struct icb_reason *why)
{
	const char *reason;

	switch (params->verb) {
	case ICBENCH_VERB_DESCRIPTOR:
		return 0;
	case ICBENCH_VERB_REGISTER:
		reason = "which some devices take from a reliable connection only";
		break;
	case ICBENCH_VERB_CALIBRATE:
		reason = "which sends nothing";
		break;
	default:
		reason = "which makes reliable connections";
		break;
	}
	return icb_refuse(why, -EOPNOTSUPP,
			  "transport: %s is not possible with verb %s, %s; accepted: rc",
			  icb_params_word(params, ICBENCH_A_PARAMS_TRANSPORT),
			  icb_params_word(params, ICBENCH_A_PARAMS_VERB),
			  reason);
}

/* A datagram is one packet, and goes to a receive. */
static int check_datagram(const struct icb_params *params,
			  struct icb_reason *why)
{
	u32 most = icb_params_has(params, ICBENCH_A_PARAMS_MTU) ? params->mtu :
								  MAX_MTU;

	if (params->verb != ICBENCH_VERB_SEND &&
	    params->verb != ICBENCH_VERB_DESCRIPTOR)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verb: %s is not possible with transport ud, whose messages reach into no memory of the other side; accepted: send",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_VERB));
	if (icb_sizes_room(params) > most)
		return icb_refuse(why, -EOPNOTSUPP,
				  "size: %u bytes do not fit into one packet, which a message of transport ud is; accepted: 0 to %u, and no more than the path MTU",
				  icb_sizes_room(params), most);
	return 0;
}

/* What may be lost has to be counted, and nothing may depend on its coming. */
static int check_transport(const struct icb_params *params,
			   struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);
	int err = 0;

	if (!icb_params_lossy(params))
		return 0;
	if (params->trigger == ICBENCH_TRIGGER_RETURN)
		err = check_lossy_calls(params, why);
	if (!err && icb_params_datagrams(params))
		err = check_datagram(params, why);
	if (err || params->trigger == ICBENCH_TRIGGER_RETURN)
		return err;
	if (verb->passive)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verb: %s is not possible with transport %s, which has no answers; accepted: send, write, write-imm",
				  icb_params_word(params, ICBENCH_A_PARAMS_VERB),
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	if (verb->note)
		return refuse_transport(params, "notify message",
					", which may come without its write",
					why);
	if (icb_params_windowed(params) && !verb->recv)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verb: of write nobody sees with transport %s what was lost; accepted: send, write-imm, or notify imm",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	if (params->reply)
		return refuse_transport(params, "reply",
					", which has to come", why);
	err = check_lossy_verify(params, why);
	if (!err && params->trigger == ICBENCH_TRIGGER_ECHO)
		err = check_lossy_echo(params, why);
	if (!err && params->devices > 1)
		err = check_lossy_devices(params, why);
	return err;
}

/* Who has measured goes on, for as long as others have not. */
static int check_workers(const struct icb_params *params,
			 struct icb_reason *why)
{
	if (params->workers <= 1)
		return 0;
	if (params->policy == ICBENCH_POLICY_BIND)
		return icb_refuse(why, -EOPNOTSUPP,
				  "policy: bind gives each of several workers one device; accepted: single, with that");
	if (icb_params_channels(params))
		return icb_refuse(why, -EOPNOTSUPP,
				  "policy: channels gives each way of one process a device; accepted with several workers: bind, which gives each of them one");
	if (params->reuse < ICB_BUFFERS_WHOLE)
		return icb_refuse(why, -EOPNOTSUPP,
				  "workers: reuse %u takes new buffers, and one of several workers goes on until all have measured; accepted: 1",
				  params->reuse);
	if (icb_params_has(params, ICBENCH_A_PARAMS_SHADOW_CPU))
		return icb_refuse(why, -EOPNOTSUPP,
				  "workers: one CPU watches for the arrivals of one run; accepted: 1, or no shadow-cpu");
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

/* What has no bytes of its own to place. */
static int check_memory(const struct icb_params *params,
			struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);

	if (params->memory == ICBENCH_MEMORY_ANY)
		return 0;
	if (verb->calls && !verb->min_size)
		return icb_refuse(why, -EOPNOTSUPP,
				  "memory: the calls of verb %s have no buffers; accepted: any",
				  icb_params_word(params, ICBENCH_A_PARAMS_VERB));
	if (!params->size)
		return icb_refuse(why, -EOPNOTSUPP,
				  "memory: messages of 0 bytes lie nowhere; accepted: any");
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
		err = icb_sizes_check(params, why);
	if (!err && params->trigger != ICBENCH_TRIGGER_CLOCK)
		err = refuse_unless_open(params, why);
	if (!err)
		err = check_registration(params, why);
	if (!err)
		err = check_memory(params, why);
	if (!err)
		err = check_policy(params, why);
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
		err = check_attribute(params, why);
	if (!err)
		err = check_until(params, why);
	if (!err)
		err = check_transport(params, why);
	if (!err)
		err = check_qps(params, why);
	if (!err)
		err = check_workers(params, why);
	if (!err)
		err = icb_callback_check(params, why);
	return err ? : icb_buffers_check(params, why);
}
