// SPDX-License-Identifier: GPL-2.0
#include "arrival.h"
#include "derived.h"
#include "rule.h"
#include "trigger.h"
#include "triggers_table.h"
#include "verbs_table.h"

#define DEFAULT_WINDOW		100
#define DEFAULT_SIGNAL_EVERY	64
#define DEFAULT_RATE		10000

#define NS_PER_SECOND		1000000000ULL

/* Completion modes in which an event notifies the run of an arrival. */
#define EVENT_COMPLETIONS					\
	(ICB_COMPLETIONS_CALLBACK |				\
	 BIT(ICBENCH_COMPLETION_BLOCK) |			\
	 BIT(ICBENCH_COMPLETION_ADAPTIVE) |			\
	 BIT(ICBENCH_COMPLETION_TIMER))

static bool without_events(const struct icb_params *params)
{
	return !(EVENT_COMPLETIONS & BIT(params->completion));
}

static void event_modes(const struct icb_params *params, char *text)
{
	u32 modes = icb_params_completions(params) & EVENT_COMPLETIONS;
	size_t len = snprintf(text, ICB_RULE_VALUE, "%s",
			      modes ? "completion " : "no");

	icb_param_list_words(icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION),
			     modes, text + len, ICB_RULE_VALUE - len);
}

/* A thread of the run on the shadow CPU would delay the time stamps of arrivals. */
static bool shadow_is_used(const struct icb_params *params)
{
	return (icb_params_given(params, ICBENCH_A_PARAMS_CPU) &&
		params->cpu == params->shadow_cpu) ||
	       (icb_params_given(params, ICBENCH_A_PARAMS_PEER_CPU) &&
		!icb_params_has(params, ICBENCH_A_PARAMS_PEER) &&
		params->peer_cpu == params->shadow_cpu);
}

/*
 * The device generates the completion of a signalled message during a sample. So few
 * messages are signalled that all these samples can lie above the 99th percentile.
 * Several QPs signal more often: each send queue has room for signal-every work requests.
 */
static void preset_signals(struct icb_params *params)
{
	if (!icb_params_given(params, ICBENCH_A_PARAMS_SIGNAL_EVERY))
		icb_params_preset(params, ICBENCH_A_PARAMS_SIGNAL_EVERY,
				  params->qps > 1 ? DEFAULT_SIGNAL_EVERY :
						    ICB_SELDOM_SIGNALLED);
}

/*
 * The default of signal-every. All QPs together have about as many work requests per
 * completion as a single QP has. With several QPs it divides the window, so that every
 * operation of a full window is covered by a completion. A callback handles no more
 * messages than icb_callback_messages().
 */
static u32 default_signal_every(const struct icb_params *params)
{
	u32 n = min_t(u32, params->refill,
		      max_t(u32, DEFAULT_SIGNAL_EVERY / params->qps, 1));

	n = min_t(u32, n, icb_callback_messages(params));
	while (params->refill % n ||
	       (params->qps > 1 && params->window % n))
		n--;
	return n;
}

static bool computes(const struct icb_params *params)
{
	return icb_params_has(params, ICBENCH_A_PARAMS_COMPUTE) ||
	       icb_params_has(params, ICBENCH_A_PARAMS_COMPUTE_SHARE);
}

/*
 * With compute, the thread waits until the whole window has completed, as in an iteration
 * of Chandrasekaran's thesis, 2.2.4. A reply comes for the whole window, too.
 */
static u32 default_refill(const struct icb_params *params)
{
	if (computes(params) || params->reply)
		return params->window;
	return max_t(u32, params->window / 2, 1);
}

static void preset_window(struct icb_params *params)
{
	if (!icb_params_has(params, ICBENCH_A_PARAMS_WINDOW))
		icb_params_preset(params, ICBENCH_A_PARAMS_WINDOW,
				  DEFAULT_WINDOW);
}

static void preset_refill(struct icb_params *params)
{
	if (!icb_params_has(params, ICBENCH_A_PARAMS_REFILL))
		icb_params_preset(params, ICBENCH_A_PARAMS_REFILL,
				  default_refill(params));
}

static void preset_batch(struct icb_params *params)
{
	if (!icb_params_has(params, ICBENCH_A_PARAMS_BATCH))
		icb_params_preset(params, ICBENCH_A_PARAMS_BATCH, 1);
}

static void preset_stream_signals(struct icb_params *params)
{
	if (!icb_params_given(params, ICBENCH_A_PARAMS_SIGNAL_EVERY))
		icb_params_preset(params, ICBENCH_A_PARAMS_SIGNAL_EVERY,
				  default_signal_every(params));
}

static bool refill_exceeds(const struct icb_params *params)
{
	return params->refill > params->window;
}

static bool refill_differs(const struct icb_params *params)
{
	return params->refill != params->window;
}

static bool batch_exceeds(const struct icb_params *params)
{
	return params->batch > params->refill;
}

static bool splits_refill(const struct icb_params *params)
{
	return params->refill % params->signal_every;
}

static bool splits_window(const struct icb_params *params)
{
	return params->window % params->signal_every;
}

/* Neither side may run into timeout while both of them compute. */
static bool computes_long(const struct icb_params *params)
{
	return params->compute > params->timeout / 4;
}

static void most_compute(const struct icb_params *params, char *text)
{
	snprintf(text, ICB_RULE_VALUE, "%llu",
		 (unsigned long long)params->timeout / 4);
}

static bool signals_seldom(const struct icb_params *params)
{
	return params->signal_every != 1;
}

static void preset_clock(struct icb_params *params)
{
	icb_params_preset(params, ICBENCH_A_PARAMS_SIGNAL_EVERY, 1);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_RATE))
		icb_params_preset(params, ICBENCH_A_PARAMS_RATE, DEFAULT_RATE);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_ARRIVAL))
		icb_params_preset(params, ICBENCH_A_PARAMS_ARRIVAL,
				  ICBENCH_ARRIVAL_FIXED);
}

/* The longest time between two operations must not be mistaken for a dead peer. */
static u64 least_rate(const struct icb_params *params)
{
	return div64_u64(2 * ICB_ARRIVAL_MOST * NS_PER_SECOND +
			 params->timeout - 1, params->timeout);
}

static bool rate_is_low(const struct icb_params *params)
{
	return params->rate < least_rate(params);
}

static void accepted_rate(const struct icb_params *params, char *text)
{
	snprintf(text, ICB_RULE_VALUE, "%llu",
		 (unsigned long long)least_rate(params));
}

/*
 * In callback modes a sample does not belong to one thread or to one CPU. With calibrate,
 * which measures the cost of attribute, the default is off.
 */
static void preset_attribute(struct icb_params *params)
{
	if (!icb_params_given(params, ICBENCH_A_PARAMS_ATTRIBUTE))
		icb_params_preset(params, ICBENCH_A_PARAMS_ATTRIBUTE,
				  !icb_verb_of(params)->rehearses &&
				  (icb_trigger_of(params)->times_calls ||
				   !(BIT(params->completion) &
				     ICB_COMPLETIONS_CALLBACK)));
}

#define ONLY_COMPLETION	\
	"only with trigger completion; with trigger {trigger} one operation is outstanding"

/* Work in measured time needs a thread. */
#define NOT_IN_CALLBACKS	\
	"not with completion {completion}, where no thread waits; accepted: completion {}"

/* The rules of all triggers. Rows of one trigger are in the order of their refusals. */
static const struct icb_rule trigger_rules[] = {
	/* measurements of a message that only a ping-pong makes */
	{ ICB_KEY(OVERHEAD), .when = ICB_IF_OVERHEAD,
	  .unless = ICB_IF_ANSWERS, .err = EOPNOTSUPP, .words =
	  "yes is possible only with trigger echo; accepted: no (compute-share measures the CPU time that a stream leaves)",
	},
	{ ICB_KEY(SHADOW_CPU), .when = ICB_IF_SHADOW,
	  .unless = ICB_IF_ANSWERS, .err = EOPNOTSUPP, .words =
	  "only with trigger echo, which times the stages of an arrival; accepted: none",
	},
	{ ICB_KEY(STAGES), .when = ICB_IF_STAGES,
	  .unless = ICB_IF_ANSWERS, .err = EOPNOTSUPP, .words =
	  "yes is possible only with trigger echo; accepted: no",
	},

	/* timed calls */
	{ ICB_KEY(VERIFY), .when = ICB_IF_TIMES_CALLS | ICB_IF_VERIFY,
	  .err = EOPNOTSUPP, .words =
	  "no message arrives with trigger return; accepted: no",
	},
	{ ICB_KEY(DIRECTION), .when = ICB_IF_TIMES_CALLS | ICB_IF_BI,
	  .err = EOPNOTSUPP, .words =
	  "no message is sent with trigger return; accepted: uni",
	},

	/* parameters of a window, where there is none */
	{ ICB_KEY(REPLY), .when = ICB_IF_REPLY, .unless = ICB_IF_WINDOWED,
	  .err = EINVAL, .words = ONLY_COMPLETION },
	{ ICB_KEY(WINDOW), .given = true, .unless = ICB_IF_WINDOWED,
	  .err = EINVAL, .words =
	  "only with trigger completion or clock; with trigger {trigger} one operation is outstanding",
	},
	{ .keys = { ICBENCH_A_PARAMS_REFILL, ICBENCH_A_PARAMS_BATCH,
		    ICBENCH_A_PARAMS_COMPUTE, ICBENCH_A_PARAMS_COMPUTE_SHARE },
	  .given = true, .unless = ICB_IF_WINDOWED, .err = EINVAL,
	  .words = ONLY_COMPLETION },

	/* a ping-pong */
	{ .preset = preset_signals, .when = ICB_IF_ANSWERS,
	  .unless = ICB_IF_PASSIVE },
	{ ICB_KEY(OVERHEAD),
	  .when = ICB_IF_ANSWERS | ICB_IF_OVERHEAD | ICB_IF_CALLBACK,
	  .err = EOPNOTSUPP, .words = NOT_IN_CALLBACKS,
	  .value = icb_rule_threads },
	{ ICB_KEY(STAGES), .when = ICB_IF_ANSWERS | ICB_IF_STAGES,
	  .holds = without_events, .err = EOPNOTSUPP, .value = event_modes,
	  .words =
	  "not with completion {completion}, which raises no event on arrival; accepted: {}",
	},
	{ ICB_KEY(SHADOW_CPU), .when = ICB_IF_ANSWERS | ICB_IF_SHADOW,
	  .unless = ICB_IF_STAGES, .err = EINVAL, .words =
	  "only with stages; accepted: stages yes",
	},
	{ ICB_KEY(SHADOW_CPU),
	  .when = ICB_IF_ANSWERS | ICB_IF_SHADOW | ICB_IF_EMPTY,
	  .err = EINVAL, .words =
	  "a message of 0 bytes changes no memory that the CPU could watch; accepted: size 1 and more",
	},
	{ ICB_KEY(SHADOW_CPU),
	  .when = ICB_IF_ANSWERS | ICB_IF_SHADOW | ICB_IF_BI,
	  .err = EOPNOTSUPP, .words =
	  "with direction bi a message may arrive before the CPU watches for it; accepted: direction uni",
	},
	{ ICB_KEY(SHADOW_CPU), .when = ICB_IF_ANSWERS | ICB_IF_SHADOW,
	  .holds = shadow_is_used, .err = EINVAL, .words =
	  "{shadow-cpu} is a CPU of the run; accepted: one that is neither cpu nor, without peer, peer-cpu",
	},
	{ ICB_KEY(DIRECTION),
	  .when = ICB_IF_ANSWERS | ICB_IF_BI | ICB_IF_PASSIVE,
	  .err = EOPNOTSUPP, .words =
	  "bi is not possible with trigger echo and verb {verb}, which the peer does not detect; accepted: uni",
	},
	{ ICB_KEY(DIRECTION),
	  .when = ICB_IF_ANSWERS | ICB_IF_BI | ICB_IF_CALLBACK,
	  .err = EOPNOTSUPP, .words =
	  "bi is not possible with trigger echo and completion {completion}, where no thread sends first; accepted: uni",
	},

	/* a stream that computes */
	{ ICB_KEY(COMPUTE),
	  .when = ICB_IF_REFILLS | ICB_IF_COMPUTE | ICB_IF_COMPUTE_SHARE,
	  .err = EINVAL, .words =
	  "not together with compute-share; accepted: one of them",
	},
	{ ICB_KEY(COMPUTE), .when = ICB_IF_REFILLS | ICB_IF_COMPUTE,
	  .holds = computes_long, .err = EINVAL, .value = most_compute, .words =
	  "{compute} ns is more than a quarter of timeout; accepted: 0 to {} ns",
	},
	{ ICB_KEY(COMPUTE),
	  .when = ICB_IF_REFILLS | ICB_IF_COMPUTE | ICB_IF_CALLBACK,
	  .err = EOPNOTSUPP, .words = NOT_IN_CALLBACKS,
	  .value = icb_rule_threads },
	{ ICB_KEY(COMPUTE_SHARE),
	  .when = ICB_IF_REFILLS | ICB_IF_COMPUTE_SHARE | ICB_IF_CALLBACK,
	  .err = EOPNOTSUPP, .words = NOT_IN_CALLBACKS,
	  .value = icb_rule_threads },

	/*
	 * With reply, a window is posted once the reply to the window before it has
	 * arrived. A thread posts it, and the responder must see the messages arrive.
	 */
	{ ICB_KEY(REPLY), .when = ICB_IF_REFILLS | ICB_IF_REPLY,
	  .unless = ICB_IF_RECV, .err = EOPNOTSUPP, .words =
	  "with verb {verb} the receiver cannot detect the arrival of a window; accepted: verb send, write-imm, or write with notify imm or message",
	},
	{ ICB_KEY(REPLY), .when = ICB_IF_REFILLS | ICB_IF_REPLY | ICB_IF_BI,
	  .err = EOPNOTSUPP, .words =
	  "with direction bi the peer streams instead of replying; accepted: direction uni",
	},
	{ ICB_KEY(REPLY),
	  .when = ICB_IF_REFILLS | ICB_IF_REPLY, .holds = computes,
	  .err = EOPNOTSUPP, .words =
	  "not together with compute or compute-share, which needs a window that is refilled; accepted: one of them",
	},

	/* the window of a stream */
	{ .preset = preset_window, .when = ICB_IF_WINDOWED },
	{ .preset = preset_refill, .when = ICB_IF_REFILLS },
	{ ICB_KEY(REFILL), .when = ICB_IF_REFILLS | ICB_IF_REPLY,
	  .holds = refill_differs, .err = EINVAL, .words =
	  "{refill} is not possible with reply, which answers the whole window; accepted: {window}",
	},
	{ ICB_KEY(REPLY),
	  .when = ICB_IF_REFILLS | ICB_IF_REPLY | ICB_IF_CALLBACK,
	  .err = EOPNOTSUPP, .words = NOT_IN_CALLBACKS,
	  .value = icb_rule_threads },
	{ ICB_KEY(REFILL), .when = ICB_IF_REFILLS,
	  .holds = refill_exceeds, .err = EINVAL, .words =
	  "{refill} is more than the window; accepted: 1 to {window}",
	},
	{ .preset = preset_batch, .when = ICB_IF_REFILLS },
	{ ICB_KEY(BATCH), .when = ICB_IF_REFILLS, .holds = batch_exceeds,
	  .err = EINVAL, .words =
	  "{batch} is more than the operations posted at a time; accepted: 1 to {refill} (refill)",
	},
	{ .preset = preset_stream_signals, .when = ICB_IF_REFILLS },
	{ ICB_KEY(SIGNAL_EVERY), .when = ICB_IF_REFILLS,
	  .holds = splits_refill, .err = EINVAL, .words =
	  "{signal-every} does not divide refill, {refill}; accepted: a divisor of {refill}",
	},
	{ ICB_KEY(SIGNAL_EVERY), .when = ICB_IF_REFILLS | ICB_IF_SEVERAL_QPS,
	  .holds = splits_window, .err = EINVAL, .words =
	  "{signal-every} does not divide the window, {window}, as several QPs require; accepted: a divisor of {window}",
	},

	/* operations that other operations trigger, on a schedule */
	{ .keys = { ICBENCH_A_PARAMS_REFILL, ICBENCH_A_PARAMS_BATCH,
		    ICBENCH_A_PARAMS_COMPUTE, ICBENCH_A_PARAMS_COMPUTE_SHARE },
	  .given = true, .when = ICB_IF_SCHEDULED, .err = EINVAL,
	  .words = "not with trigger clock, which posts each operation when it is due" },
	{ ICB_KEY(SIGNAL_EVERY), .given = true, .when = ICB_IF_SCHEDULED,
	  .holds = signals_seldom, .err = EINVAL, .words =
	  "{signal-every} is not possible with trigger clock, which times the completion of each operation; accepted: 1",
	},
	{ ICB_KEY(DIRECTION), .when = ICB_IF_SCHEDULED | ICB_IF_BI,
	  .err = EOPNOTSUPP, .words =
	  "bi is not possible with trigger clock, whose schedule is the initiator's; accepted: uni",
	},
	{ ICB_KEY(VERIFY), .when = ICB_IF_SCHEDULED | ICB_IF_VERIFY,
	  .err = EOPNOTSUPP, .words =
	  "messages of a window share a buffer; accepted: no (the last message is always checked)",
	},
	{ ICB_KEY(REPLY), .when = ICB_IF_SCHEDULED | ICB_IF_REPLY,
	  .err = EOPNOTSUPP, .words =
	  "not with trigger clock, which does not wait for an answer; accepted: no",
	},
	{ ICB_KEY(CONTEXT), .when = ICB_IF_SCHEDULED | ICB_IF_THREAD_CONTEXT,
	  .err = EOPNOTSUPP, .words =
	  "trigger clock posts in softirq context; accepted: bh",
	},
	{ .preset = preset_clock, .when = ICB_IF_SCHEDULED },
	{ ICB_KEY(RATE), .when = ICB_IF_SCHEDULED, .holds = rate_is_low,
	  .err = EINVAL, .value = accepted_rate, .words =
	  "at {rate} per second no operation may be due for half of timeout; accepted: {} and more, or a longer timeout",
	},

	/* any trigger */
	{ .preset = preset_attribute },
	{ ICB_KEY(ATTRIBUTE), .when = ICB_IF_ATTRIBUTE | ICB_IF_CALLBACK,
	  .unless = ICB_IF_TIMES_CALLS, .err = EOPNOTSUPP,
	  .words = NOT_IN_CALLBACKS, .value = icb_rule_threads },
	{ }
};

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

/**
 * icb_trigger_check() - check the rules of a trigger, and set its defaults
 * @params: the parameters, each of them within its own range
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP with a reason.
 */
int icb_trigger_check(struct icb_params *params, struct icb_reason *why)
{
	if (icb_verb_of(params)->local)
		return check_local(params, why);
	return icb_rules_check(trigger_rules, params, why);
}
