// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/alloc.h"
#include "bound.h"
#include "model/verbs_table.h"
#include "number.h"
#include "plan.h"

/**
 * plan_value() - print a parameter's value as the command line accepts it
 * @param: the parameter
 * @params: parameters in which @param has a value
 * @buf: destination
 * @size: size of @buf, bytes
 */
void plan_value(const struct icb_param *param, const struct icb_params *params,
		char *buf, size_t size)
{
	switch (param->type) {
	case ICB_PARAM_WORD:
		snprintf(buf, size, "%s", icb_params_word(params, param->attr));
		break;
	case ICB_PARAM_PLACE:
		icb_param_place(icb_params_number(params, param), buf, size);
		break;
	case ICB_PARAM_STRING:
		snprintf(buf, size, "%s", icb_params_string(params, param));
		break;
	case ICB_PARAM_BYTES:
		snprintf(buf, size, "(secret)");
		break;
	default:
		number_print(buf, size, param->type,
			     icb_params_number(params, param));
	}
}

/**
 * plan_values() - print the values of a key as the command line accepts them
 * @sweep: values of the key, which is not of type ICB_PARAM_BYTES
 *
 * Return: "64,128", allocated; the caller frees it.
 */
char *plan_values(const struct sweep *sweep)
{
	char value[ICB_NAMES];
	struct icb_params params;
	size_t size;
	unsigned int i;
	char *text;
	FILE *f;

	f = open_memstream(&text, &size);
	if (!f)
		return alloc_text("%s", "");
	for (i = 0; i < sweep->count; i++) {
		icb_params_init(&params);
		if (sweep_set(sweep, i, &params, NULL))
			continue;
		plan_value(sweep->param, &params, value, sizeof(value));
		fprintf(f, "%s%s", i ? "," : "", value);
	}
	fclose(f);
	return text;
}

/**
 * plan_name() - print the parameters by which a point differs from the others
 * @plan: the points
 * @params: parameters of one of the points
 * @buf: destination: "size=64 completion=poll"; empty if no parameter differs
 * @size: size of @buf, bytes
 */
void plan_name(const struct plan *plan, const struct icb_params *params,
	       char *buf, size_t size)
{
	char value[ICB_NAMES];
	size_t len = 0;
	unsigned int i;

	buf[0] = '\0';
	for (i = 0; i < icb_param_count && len < size; i++) {
		const struct icb_param *param = &icb_param_table[i];

		if (!(plan->varying & BIT_ULL(param->attr)) ||
		    !icb_params_has(params, param->attr))
			continue;
		plan_value(param, params, value, sizeof(value));
		len += snprintf(buf + len, size - len, "%s%s=%s",
				len ? " " : "", param->name, value);
	}
}

static bool same(const struct icb_param *param, const struct icb_params *a,
		 const struct icb_params *b)
{
	if (icb_params_has(a, param->attr) != icb_params_has(b, param->attr))
		return false;
	return !memcmp((const char *)a + param->offset,
		       (const char *)b + param->offset, param->bytes);
}

/**
 * plan_differs_only_in() - check whether two points differ in nothing but one key
 * @plan: the points
 * @a: index of one point
 * @b: index of the other point, which may be @a
 * @param: the key
 *
 * The points must also have the same load and be of the same section.
 *
 * Return: true if so.
 */
bool plan_differs_only_in(const struct plan *plan, unsigned int a, unsigned int b,
			  const struct icb_param *param)
{
	unsigned int i;

	if (plan->point[a].beside != plan->point[b].beside ||
	    plan->point[a].section != plan->point[b].section)
		return false;
	for (i = 0; i < icb_param_count; i++)
		if (&icb_param_table[i] != param &&
		    !same(&icb_param_table[i], &plan->point[a].params,
			  &plan->point[b].params))
			return false;
	return true;
}

/**
 * plan_same_given() - check whether the given values of two points differ only in some keys
 * @plan: the points
 * @a: index of one point
 * @b: index of the other point, maybe of another section
 * @but: BIT_ULL(attribute) of each key that may differ
 *
 * The points must have the same load. Defaults, which follow from other keys, may differ.
 *
 * Return: true if so.
 */
bool plan_same_given(const struct plan *plan, unsigned int a, unsigned int b, u64 but)
{
	const struct icb_params *first = &plan->point[a].params;
	const struct icb_params *second = &plan->point[b].params;
	const u64 given = (first->given | second->given) & ~but;
	unsigned int i;

	if (plan->point[a].beside != plan->point[b].beside)
		return false;
	for (i = 0; i < icb_param_count; i++)
		if (given & BIT_ULL(icb_param_table[i].attr) &&
		    !same(&icb_param_table[i], first, second))
			return false;
	return true;
}

/* True for a switch that no point was given: its value follows from other keys. */
static bool follows(const struct plan *plan, const struct icb_param *param)
{
	unsigned int i;

	if (!config_is_switch(param))
		return false;
	for (i = 0; i < plan->count; i++)
		if (icb_params_given(&plan->point[i].params, param->attr))
			return false;
	return true;
}

/* Points of a section that need no device are not compared with points that do. */
static bool needs_no_device(const struct plan *plan, unsigned int index)
{
	return plan->point[index].section &&
	       icb_verb_of(&plan->point[index].params)->local;
}

static bool varies(const struct plan *plan, const struct icb_param *param)
{
	unsigned int first = 0, i;

	while (first < plan->count && needs_no_device(plan, first))
		first++;
	for (i = first + 1; i < plan->count; i++)
		if (!needs_no_device(plan, i) &&
		    !same(param, &plan->point[first].params,
			  &plan->point[i].params))
			return !follows(plan, param);
	return false;
}

static void find_varying(struct plan *plan)
{
	unsigned int i;

	for (i = 0; i < icb_param_count; i++)
		if (varies(plan, &icb_param_table[i]))
			plan->varying |= BIT_ULL(icb_param_table[i].attr);
}

/**
 * plan_count() - count the runs that a configuration asks for
 * @config: the keys, as for plan_product()
 * @count: receives the number of runs, more than SWEEP_MAX if refused
 * @why: receives the reason of a refusal; may be NULL
 *
 * Return: 0; -ERANGE with a reason.
 */
int plan_count(const struct config *config, unsigned int *count,
	       struct icb_reason *why)
{
	unsigned int i;

	*count = 1;
	for (i = 0; i < config->count; i++) {
		*count *= config->sweep[i].count;
		if (*count > SWEEP_MAX)
			return icb_refuse(why, -ERANGE,
					  "%s: makes the sweep more than %u runs; accepted: fewer values",
					  config->sweep[i].param->name,
					  SWEEP_MAX);
	}
	return 0;
}

static bool is_baseline(const struct value *value, const struct value *baseline)
{
	if (baseline->text)
		return !strcmp(value->text, baseline->text);
	return value->number == baseline->number;
}

/* Index of the baseline among a key's values, or -1. */
static int find_baseline(const struct sweep *sweep,
			 const struct sweep *baseline)
{
	unsigned int i;

	if (!baseline || sweep->param != baseline->param)
		return -1;
	for (i = 0; i < sweep->count; i++)
		if (is_baseline(&sweep->value[i], baseline->value))
			return i;
	return -1;
}

/*
 * Order of a key's values: the baseline moves to the front, so that it is measured before
 * the points that are compared with it.
 */
static unsigned int baseline_first(unsigned int digit, int first)
{
	if (first < 0 || digit > (unsigned int)first)
		return digit;
	return digit ? digit - 1 : (unsigned int)first;
}

/* The values of a point are the digits of its index; the last key varies fastest. */
static int make_point(struct plan *plan, unsigned int index,
		      const struct config *config, const struct sweep *baseline,
		      struct icb_reason *why)
{
	struct plan_point *point = &plan->point[index];
	unsigned int weight = 1, rest = index, digit, chosen, i;
	int first, err;

	icb_params_init(&point->params);
	point->baseline = -1;
	for (i = config->count; i-- > 0;) {
		const struct sweep *sweep = &config->sweep[i];

		digit = rest % sweep->count;
		rest /= sweep->count;
		first = find_baseline(sweep, baseline);
		chosen = baseline_first(digit, first);
		if (first >= 0 &&
		    !is_baseline(&sweep->value[chosen], baseline->value))
			point->baseline = index - digit * weight;
		err = sweep_set(sweep, chosen, &point->params, why);
		if (err)
			return err;
		weight *= sweep->count;
	}
	return 0;
}

/* A result has one "overhead": that of timed calls, or that over a baseline. */
static int check_overhead(const struct plan_point *point,
			  struct icb_reason *why)
{
	if (!point->params.overhead || point->baseline < 0)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "overhead: in this benchmark it is the increase over the baseline; accepted: no");
}

/**
 * plan_product() - make a point for every combination of a configuration's values
 * @plan: destination; plan_free() it in any case
 * @config: every key given; several keys with several values make a product,
 *	in which the last key given varies fastest
 * @baseline: value of a key that other values are compared with; may be NULL
 * @why: receives the reason of a refusal
 *
 * The rules between parameters are not checked.
 *
 * Return: 0; -EINVAL or -ERANGE with a reason.
 */
int plan_product(struct plan *plan, const struct config *config,
		 const struct sweep *baseline, struct icb_reason *why)
{
	unsigned int i;
	int err;

	memset(plan, 0, sizeof(*plan));
	err = plan_count(config, &plan->count, why);
	if (err)
		return err;
	plan->point = alloc_zero(plan->count, sizeof(*plan->point));
	for (i = 0; i < plan->count; i++) {
		err = make_point(plan, i, config, baseline, why);
		if (err)
			return err;
	}
	find_varying(plan);
	return 0;
}

/**
 * plan_make() - make and check the runs that a configuration asks for
 * @plan: destination; plan_free() it in any case
 * @config: the keys, as for plan_product()
 * @baseline: the baseline, as for plan_product()
 * @why: receives the reason of a refusal, which names the point if there are several
 *
 * Return: 0; -EINVAL, -ERANGE or -EOPNOTSUPP with a reason, if any of the
 * points is impossible.
 */
int plan_make(struct plan *plan, const struct config *config,
	      const struct sweep *baseline, struct icb_reason *why)
{
	struct icb_reason point;
	char name[96];
	unsigned int i;
	int err;

	err = plan_product(plan, config, baseline, why);
	if (err)
		return err;
	/* plan_name() uses @varying, to which defaults set by the check may add */
	for (i = 0; i < plan->count; i++) {
		err = workers_check(&plan->point[i].params, &point);
		if (!err)
			err = check_overhead(&plan->point[i], &point);
		if (!err)
			continue;
		plan_name(plan, &plan->point[i].params, name, sizeof(name));
		return icb_refuse(why, err, "%s%s%s", name, *name ? ": " : "",
				  point.text);
	}
	find_varying(plan);
	return 0;
}

/**
 * plan_append() - append the runs of a section to a plan
 * @plan: runs of the sections before; empty at first, and filled only by this function
 * @part: runs of the section
 * @section: number of the section, from 1
 * @why: receives the reason of a refusal
 *
 * After the last section, call plan_compare().
 *
 * Return: 0; -ERANGE with a reason.
 */
int plan_append(struct plan *plan, const struct plan *part,
		unsigned int section, struct icb_reason *why)
{
	const unsigned int before = plan->count;
	struct plan_point *point;
	unsigned int i;

	if (before + part->count > SWEEP_MAX)
		return icb_refuse(why, -ERANGE,
				  "the sections make more than %u runs; accepted: fewer values",
				  SWEEP_MAX);
	for (i = 0; i < part->count; i++) {
		plan->point = alloc_grow(plan->point, plan->count,
					 sizeof(*plan->point));
		point = &plan->point[plan->count++];
		*point = part->point[i];
		point->section = section;
		point->varying = part->varying;
		if (point->baseline >= 0)
			point->baseline += before;
	}
	return 0;
}

/**
 * plan_compare() - find the parameters that differ between the runs of all sections
 * @plan: runs of all sections
 */
void plan_compare(struct plan *plan)
{
	plan->varying = 0;
	find_varying(plan);
}

/* Copy only the given values: the defaults that follow from them may change. */
static void take_given(struct icb_params *params, const struct icb_params *from)
{
	unsigned int i;

	icb_params_init(params);
	for (i = 0; i < icb_param_count; i++) {
		const struct icb_param *param = &icb_param_table[i];

		if (!icb_params_given(from, param->attr))
			continue;
		memcpy((char *)params + param->offset,
		       (const char *)from + param->offset, param->bytes);
		params->set |= BIT_ULL(param->attr);
		params->given |= BIT_ULL(param->attr);
	}
	params->token_len = from->token_len;
	params->devices = from->devices;
}

/**
 * plan_add() - append a copy of a run with one key changed
 * @plan: the runs
 * @index: index of the run to copy
 * @param: key to change, a number
 * @value: new value of the key
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL, -ERANGE or -EOPNOTSUPP with a reason.
 */
int plan_add(struct plan *plan, unsigned int index,
	     const struct icb_param *param, u64 value, struct icb_reason *why)
{
	struct plan_point point = plan->point[index], *all;
	int err;

	if (plan->count >= SWEEP_MAX)
		return icb_refuse(why, -ERANGE, "more than %u runs", SWEEP_MAX);
	take_given(&point.params, &plan->point[index].params);
	err = icb_params_set_number(&point.params, param, value, why);
	if (!err)
		err = workers_check(&point.params, why);
	if (err)
		return err;
	all = alloc_zero(plan->count + 1, sizeof(*all));
	memcpy(all, plan->point, plan->count * sizeof(*all));
	free(plan->point);
	plan->point = all;
	plan->point[plan->count++] = point;
	return 0;
}

/**
 * plan_drop() - remove a run
 * @plan: the runs
 * @index: index of the run, which must not be the baseline of another run
 */
void plan_drop(struct plan *plan, unsigned int index)
{
	unsigned int i;

	plan->count--;
	memmove(&plan->point[index], &plan->point[index + 1],
		(plan->count - index) * sizeof(*plan->point));
	for (i = 0; i < plan->count; i++)
		if (plan->point[i].baseline > (int)index)
			plan->point[i].baseline--;
}

/**
 * plan_subtracts() - check whether a latency is subtracted from another one
 * @plan: the points
 *
 * Return: true if a point other than a stream has a baseline; a stream has no latency.
 */
bool plan_subtracts(const struct plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->count; i++)
		if (plan->point[i].baseline >= 0 &&
		    plan->point[i].params.trigger !=
		    ICBENCH_TRIGGER_COMPLETION)
			return true;
	return false;
}

/**
 * plan_repeat() - set the number of runs of each point
 * @plan: the points
 * @repeat: runs of each point, 1 or more
 * @why: receives the reason of a refusal
 *
 * Return: 0; -ERANGE with a reason.
 */
int plan_repeat(struct plan *plan, unsigned int repeat, struct icb_reason *why)
{
	if (repeat > 1 && plan->count > SWEEP_MAX / repeat)
		return icb_refuse(why, -ERANGE,
				  "repeat: %u runs of each of %u points are more than %u; accepted: fewer values, or repeat 1",
				  repeat, plan->count, SWEEP_MAX);
	plan->repeat = repeat;
	return 0;
}

/**
 * plan_repeats() - check whether each point is run more than once
 * @plan: the points
 *
 * Return: true if so.
 */
bool plan_repeats(const struct plan *plan)
{
	return plan->repeat > 1;
}

/**
 * plan_runs() - count all runs of a plan
 * @plan: the points
 *
 * Return: the number of points, times the number of runs of each.
 */
unsigned int plan_runs(const struct plan *plan)
{
	return plan->count * (plan_repeats(plan) ? plan->repeat : 1);
}

/**
 * plan_turn() - find the point that is run next
 * @plan: the points, at least one
 * @baseline_first: number of runs before
 *
 * Each pass runs every point once. The first pass has the order of the plan, the next one
 * the opposite order, and so on (A B B A A B): a steady drift then affects all points
 * alike.
 *
 * Return: the index of the point.
 */
unsigned int plan_turn(const struct plan *plan, unsigned int baseline_first)
{
	const unsigned int pass = baseline_first / plan->count;
	const unsigned int place = baseline_first % plan->count;

	return pass % 2 ? plan->count - 1 - place : place;
}

/**
 * plan_position() - find the position of a run in the order of all runs
 * @plan: the points
 * @index: index of the point
 * @run: number of the run of this point, from 0
 *
 * Return: number of runs before this run.
 */
unsigned int plan_position(const struct plan *plan, unsigned int index,
			   unsigned int run)
{
	return run * plan->count +
	       (run % 2 ? plan->count - 1 - index : index);
}

/**
 * plan_free() - free a plan
 * @plan: the plan; empty afterwards
 */
void plan_free(struct plan *plan)
{
	free(plan->point);
	plan->point = NULL;
	plan->count = 0;
}
