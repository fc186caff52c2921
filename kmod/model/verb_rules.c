// SPDX-License-Identifier: GPL-2.0
#include "rule.h"
#include "triggers_table.h"
#include "verb_rules.h"
#include "verbs_table.h"

#define DEFAULT_INTERVAL	50000

/* notify selects the properties of a run's verb, but is not checked yet */
static const struct icb_verb *row_of(const struct icb_params *params)
{
	return &icb_verb_table[params->verb];
}

/*
 * The receiver of plain writes over UC would not see which of them arrived. A verb that
 * carries immediate data always notifies by it.
 */
static void preset_notify(struct icb_params *params)
{
	bool told = icb_trigger_windowed(icb_trigger_of(params)) &&
		    params->transport == ICBENCH_TRANSPORT_UC &&
		    row_of(params)->with_imm;

	if ((told || row_of(params)->imm) &&
	    !icb_params_given(params, ICBENCH_A_PARAMS_NOTIFY))
		icb_params_preset(params, ICBENCH_A_PARAMS_NOTIFY,
				  ICBENCH_NOTIFY_IMM);
}

/* Only a verb with another one for immediate data has a choice. */
static u32 only_notify(const struct icb_params *params)
{
	return row_of(params)->imm ? ICBENCH_NOTIFY_IMM : ICBENCH_NOTIFY_NONE;
}

static bool notify_misfits(const struct icb_params *params)
{
	return !row_of(params)->with_imm &&
	       params->notify != only_notify(params);
}

static void accepted_notify(const struct icb_params *params, char *text)
{
	icb_param_list_words(icb_param_by_attr(ICBENCH_A_PARAMS_NOTIFY),
			     BIT(only_notify(params)), text, ICB_RULE_VALUE);
}

static void preset_completion(struct icb_params *params)
{
	if (!icb_params_has(params, ICBENCH_A_PARAMS_COMPLETION))
		icb_params_preset(params, ICBENCH_A_PARAMS_COMPLETION,
				  icb_trigger_of(params)->answers ?
					icb_verb_of(params)->completion :
					ICBENCH_COMPLETION_POLL);
}

static bool mode_misfits(const struct icb_params *params)
{
	return !(icb_params_completions(params) & BIT(params->completion));
}

static bool mode_misfits_cq(const struct icb_params *params)
{
	return mode_misfits(params) && icb_params_completions(params) &
				       BIT(ICBENCH_COMPLETION_POLL);
}

static void accepted_modes(const struct icb_params *params, char *text)
{
	icb_param_list_words(icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION),
			     icb_params_completions(params), text,
			     ICB_RULE_VALUE);
}

static void preset_interval(struct icb_params *params)
{
	if (!icb_params_has(params, ICBENCH_A_PARAMS_INTERVAL))
		icb_params_preset(params, ICBENCH_A_PARAMS_INTERVAL,
				  DEFAULT_INTERVAL);
}

static bool interval_is_long(const struct icb_params *params)
{
	return params->interval > params->timeout / 4;
}

static void most_interval(const struct icb_params *params, char *text)
{
	snprintf(text, ICB_RULE_VALUE, "%llu",
		 (unsigned long long)params->timeout / 4);
}

static void preset_size(struct icb_params *params)
{
	const struct icb_verb *verb = icb_verb_of(params);

	if (verb->max_size && !icb_params_given(params, ICBENCH_A_PARAMS_SIZE))
		icb_params_preset(params, ICBENCH_A_PARAMS_SIZE,
				  verb->max_size);
}

static bool size_is_large(const struct icb_params *params)
{
	const struct icb_verb *verb = icb_verb_of(params);

	return verb->max_size && params->size > verb->max_size;
}

static void most_size(const struct icb_params *params, char *text)
{
	snprintf(text, ICB_RULE_VALUE, "%u", icb_verb_of(params)->max_size);
}

static bool size_is_small(const struct icb_params *params)
{
	return params->size < icb_verb_of(params)->min_size;
}

static void accepted_size(const struct icb_params *params, char *text)
{
	const struct icb_verb *verb = icb_verb_of(params);

	snprintf(text, ICB_RULE_VALUE, "%u%s", verb->min_size,
		 verb->max_size ? "" : " and more");
}

static bool signals_seldom(const struct icb_params *params)
{
	return params->signal_every != 1;
}

static void preset_signals(struct icb_params *params)
{
	icb_params_preset(params, ICBENCH_A_PARAMS_SIGNAL_EVERY, 1);
}

static const struct icb_rule verb_rules[] = {
	{ .preset = preset_notify },
	{ ICB_KEY(NOTIFY), .holds = notify_misfits, .err = EINVAL,
	  .value = accepted_notify, .words =
	  "{notify} is not possible with verb {verb}; accepted: {}, or verb write",
	},

	{ .preset = preset_completion },
	{ ICB_KEY(COMPLETION), .when = ICB_IF_SCHEDULED | ICB_IF_TIMER,
	  .err = EOPNOTSUPP, .value = accepted_modes, .words =
	  "timer is not possible with trigger clock, whose operations another timer posts; accepted: {}",
	},
	{ ICB_KEY(COMPLETION), .when = ICB_IF_CALLS, .holds = mode_misfits,
	  .err = EOPNOTSUPP, .value = accepted_modes, .words =
	  "{completion} is not possible with verb {verb}, whose calls are timed one by one; accepted: {}",
	},
	{ ICB_KEY(COMPLETION), .holds = mode_misfits_cq, .err = EOPNOTSUPP,
	  .value = accepted_modes, .words =
	  "{completion} is not possible with verb {verb}, which is detected by its completion; accepted: {}",
	},
	{ ICB_KEY(COMPLETION), .holds = mode_misfits, .err = EOPNOTSUPP,
	  .value = accepted_modes, .words =
	  "{completion} is not possible with verb {verb}, which raises no completion at the receiver; accepted: {}",
	},

	/* parameters that belong to one completion mode */
	{ ICB_KEY(SPIN), .given = true, .unless = ICB_IF_ADAPTIVE,
	  .err = EINVAL, .words =
	  "not with completion {completion}; accepted: completion adaptive",
	},
	{ ICB_KEY(INTERVAL), .given = true, .unless = ICB_IF_TIMER,
	  .err = EINVAL, .words =
	  "not with completion {completion}; accepted: completion timer",
	},
	{ .preset = preset_interval, .when = ICB_IF_TIMER },
	{ ICB_KEY(INTERVAL), .when = ICB_IF_TIMER, .holds = interval_is_long,
	  .err = EINVAL, .value = most_interval, .words =
	  "{interval} ns is more than a quarter of timeout; accepted: "
	  __stringify(ICBENCH_MIN_INTERVAL) " to {} ns",
	},

	{ .preset = preset_size },
	{ ICB_KEY(SIZE), .holds = size_is_large, .err = EINVAL,
	  .value = most_size, .words =
	  "{size} is too large for verb {verb}; accepted: {}",
	},
	{ ICB_KEY(SIZE), .holds = size_is_small, .err = EINVAL,
	  .value = accepted_size, .words =
	  "{size} is too small for verb {verb}; accepted: {}",
	},

	/* the initiator waits for each operation by its completion: all are signalled */
	{ ICB_KEY(SIGNAL_EVERY), .given = true,
	  .when = ICB_IF_ANSWERS | ICB_IF_PASSIVE, .holds = signals_seldom,
	  .err = EINVAL, .words =
	  "{signal-every} is not possible with verb {verb}, which waits for the completion of each operation; accepted: 1",
	},
	{ .preset = preset_signals, .when = ICB_IF_ANSWERS | ICB_IF_PASSIVE },

	/*
	 * A callback runs in the context of its completion mode, not in the run's thread.
	 * Parameters of that thread would have no effect.
	 */
	{ ICB_KEY(PRIORITY), .when = ICB_IF_CALLBACK | ICB_IF_REALTIME,
	  .err = EOPNOTSUPP, .words =
	  "completion {completion} does not run in a thread of the run; accepted: normal",
	},
	{ ICB_KEY(CONTEXT), .when = ICB_IF_SOFTIRQ | ICB_IF_THREAD_CONTEXT,
	  .err = EOPNOTSUPP, .words =
	  "completion softirq posts in softirq context; accepted: bh",
	},
	{ }
};

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
	return icb_rules_check(verb_rules, params, why);
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
	char accepted[ICB_RULE_VALUE];

	if (verbs & BIT(icb_verb_posted(params)))
		return 0;
	if (icb_verb_posted(params) != params->verb)
		return icb_refuse(why, -EOPNOTSUPP,
				  "notify: imm is not possible on %s, which has no immediate data; accepted: none, message",
				  device);
	/* do not propose verbs that the trigger refuses */
	verbs &= icb_verbs(verb->calls);
	return icb_refuse(why, -EOPNOTSUPP,
			  "verb: %s is not possible on %s, which has no %s; accepted: %s",
			  param->words[params->verb], device,
			  verb->atomic ? "atomics" :
			  verb->imm ? "immediate data" : "such verb",
			  icb_param_list_words(param, verbs, accepted,
					       sizeof(accepted)));
}
