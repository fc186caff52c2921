// SPDX-License-Identifier: GPL-2.0
#include "buffers.h"
#include "derived.h"
#include "rule.h"
#include "triggers_table.h"

/* Longer than any reason: what does not fit is truncated by icb_refuse(). */
#define MOST_TEXT	256

static u64 fact(u64 is, bool value)
{
	return value ? is : 0;
}

static u64 facts_of_trigger(const struct icb_trigger *trigger)
{
	return fact(ICB_IF_ANSWERS, trigger->answers) |
	       fact(ICB_IF_REFILLS, trigger->refills) |
	       fact(ICB_IF_SCHEDULED, trigger->scheduled) |
	       fact(ICB_IF_TIMES_CALLS, trigger->times_calls) |
	       fact(ICB_IF_WINDOWED, icb_trigger_windowed(trigger));
}

static u64 facts_of_verb(const struct icb_verb *verb)
{
	return fact(ICB_IF_RECV, verb->recv) |
	       fact(ICB_IF_REMOTE, verb->remote) |
	       fact(ICB_IF_PASSIVE, verb->passive) |
	       fact(ICB_IF_ATOMIC, verb->atomic) |
	       fact(ICB_IF_SWAPS, verb->swaps) |
	       fact(ICB_IF_NOTE, verb->note) |
	       fact(ICB_IF_CALLS, verb->calls) |
	       fact(ICB_IF_REHEARSES, verb->rehearses) |
	       fact(ICB_IF_DATAGRAM, verb->datagram);
}

static u64 facts_of_completion(u32 mode)
{
	return fact(ICB_IF_CALLBACK, BIT(mode) & ICB_COMPLETIONS_CALLBACK) |
	       fact(ICB_IF_SOFTIRQ, mode == ICBENCH_COMPLETION_SOFTIRQ) |
	       fact(ICB_IF_IN_MEMORY, mode == ICBENCH_COMPLETION_MEMORY) |
	       fact(ICB_IF_TIMER, mode == ICBENCH_COMPLETION_TIMER) |
	       fact(ICB_IF_ADAPTIVE, mode == ICBENCH_COMPLETION_ADAPTIVE);
}

static u64 facts_of_values(const struct icb_params *params)
{
	return fact(ICB_IF_BI, params->direction == ICBENCH_DIRECTION_BI) |
	       fact(ICB_IF_REPLY, params->reply) |
	       fact(ICB_IF_VERIFY, params->verify) |
	       fact(ICB_IF_OVERHEAD, params->overhead) |
	       fact(ICB_IF_STAGES, params->stages) |
	       fact(ICB_IF_ATTRIBUTE, params->attribute) |
	       fact(ICB_IF_THREAD_CONTEXT,
		    params->context != ICBENCH_CONTEXT_BH) |
	       fact(ICB_IF_REALTIME,
		    params->priority != ICBENCH_PRIORITY_NORMAL) |
	       fact(ICB_IF_FRWR,
		    params->registration != ICBENCH_REGISTRATION_DMA) |
	       fact(ICB_IF_PLACED, params->memory != ICBENCH_MEMORY_ANY) |
	       fact(ICB_IF_EMPTY, !params->size) |
	       fact(ICB_IF_INLINE, params->inline_size) |
	       fact(ICB_IF_SIZE_DIST,
		    params->size_dist != ICBENCH_SIZE_DIST_FIXED) |
	       fact(ICB_IF_NEW_BUFFERS, params->reuse < ICB_BUFFERS_WHOLE) |
	       fact(ICB_IF_LOSSY, icb_params_lossy(params)) |
	       fact(ICB_IF_UD, icb_params_datagrams(params)) |
	       fact(ICB_IF_POLICY, params->policy != ICBENCH_POLICY_SINGLE) |
	       fact(ICB_IF_STRIPE, params->policy == ICBENCH_POLICY_STRIPE) |
	       fact(ICB_IF_BIND, params->policy == ICBENCH_POLICY_BIND) |
	       fact(ICB_IF_CHANNELS, icb_params_channels(params)) |
	       fact(ICB_IF_SEVERAL_QPS, params->qps > 1) |
	       fact(ICB_IF_SEVERAL_DEVICES, params->devices > 1) |
	       fact(ICB_IF_SEVERAL_WORKERS, params->workers > 1) |
	       fact(ICB_IF_SEVERAL_SGES, params->sges > 1);
}

static u64 facts_of_keys(const struct icb_params *params)
{
	static const struct {
		u64 is;
		u8 attr;
	} keys[] = {
		{ ICB_IF_PEER, ICBENCH_A_PARAMS_PEER },
		{ ICB_IF_ITERATIONS, ICBENCH_A_PARAMS_ITERATIONS },
		{ ICB_IF_DURATION, ICBENCH_A_PARAMS_DURATION },
		{ ICB_IF_UNTIL, ICBENCH_A_PARAMS_UNTIL },
		{ ICB_IF_SHADOW, ICBENCH_A_PARAMS_SHADOW_CPU },
		{ ICB_IF_COMPUTE, ICBENCH_A_PARAMS_COMPUTE },
		{ ICB_IF_COMPUTE_SHARE, ICBENCH_A_PARAMS_COMPUTE_SHARE },
	};
	u64 facts = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		facts |= fact(keys[i].is, icb_params_has(params, keys[i].attr));
	return facts;
}

static u64 facts_of(const struct icb_params *params)
{
	return facts_of_trigger(icb_trigger_of(params)) |
	       facts_of_verb(icb_verb_of(params)) |
	       facts_of_completion(params->completion) |
	       facts_of_values(params) | facts_of_keys(params);
}

/* The parameter that a rule refuses; NULL if the rule does not apply. */
static const struct icb_param *refused(const struct icb_rule *rule,
				       const struct icb_params *params)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rule->keys) && rule->keys[i]; i++)
		if (!rule->given || icb_params_given(params, rule->keys[i]))
			return icb_param_by_attr(rule->keys[i]);
	return NULL;
}

/* Write the value of the parameter whose name is the @len bytes at @name. */
static int put_value(const struct icb_params *params, const char *name,
		     size_t len, char *buf, size_t size)
{
	const struct icb_param *param;
	u64 value;
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		param = &icb_param_table[i];
		if (strncmp(param->name, name, len) || param->name[len])
			continue;
		value = icb_params_number(params, param);
		if (param->type == ICB_PARAM_WORD)
			return snprintf(buf, size, "%s", param->words[value]);
		return snprintf(buf, size, "%llu", (unsigned long long)value);
	}
	return 0;
}

static int refuse(const struct icb_rule *rule, const struct icb_param *param,
		  const struct icb_params *params, struct icb_reason *why)
{
	char text[MOST_TEXT], value[ICB_RULE_VALUE] = "";
	const char *from = rule->words, *end;
	size_t len;

	if (rule->value)
		rule->value(params, value);
	len = snprintf(text, sizeof(text), "%s: ", param->name);
	for (; *from && len < sizeof(text) - 1; from++) {
		if (*from != '{') {
			text[len++] = *from;
			continue;
		}
		end = strchr(++from, '}');
		if (end == from)
			len += snprintf(text + len, sizeof(text) - len, "%s",
					value);
		else
			len += put_value(params, from, end - from, text + len,
					 sizeof(text) - len);
		from = end;
	}
	text[min_t(size_t, len, sizeof(text) - 1)] = '\0';
	return icb_refuse(why, -(int)rule->err, "%s", text);
}

static bool applies(const struct icb_rule *rule, u64 facts,
		    const struct icb_params *params)
{
	return (facts & rule->when) == rule->when && !(facts & rule->unless) &&
	       (!rule->holds || rule->holds(params));
}

/**
 * icb_rules_check() - check the rules of a table, and set the defaults in it
 * @rule: the rows, ending in an empty one; the first whose condition is true refuses
 * @params: the parameters, each of them within its own range
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; a negative error number with a reason.
 */
int icb_rules_check(const struct icb_rule *rule, struct icb_params *params,
		    struct icb_reason *why)
{
	u64 facts = facts_of(params);
	const struct icb_param *param;
	int err = 0;

	for (; (rule->words || rule->preset || rule->check) && !err; rule++) {
		if (!applies(rule, facts, params))
			continue;
		if (rule->preset) {
			rule->preset(params);
			facts = facts_of(params);
			continue;
		}
		param = refused(rule, params);
		if (rule->check)
			err = rule->check(params, why);
		else if (param)
			err = refuse(rule, param, params, why);
	}
	return err;
}

/**
 * icb_rule_threads() - list the completion modes of a run in which a thread waits
 * @params: parameters of the run
 * @text: output buffer of ICB_RULE_VALUE bytes
 */
void icb_rule_threads(const struct icb_params *params, char *text)
{
	icb_param_list_words(icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION),
			     icb_params_completions(params) &
			     ~ICB_COMPLETIONS_CALLBACK,
			     text, ICB_RULE_VALUE);
}
