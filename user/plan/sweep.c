// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "number.h"
#include "sweep.h"

static bool is_number(const struct icb_param *param)
{
	return param->type == ICB_PARAM_COUNT ||
	       param->type == ICB_PARAM_SIZE ||
	       param->type == ICB_PARAM_SHARE ||
	       param->type == ICB_PARAM_PERCENTILE ||
	       param->type == ICB_PARAM_TIME;
}

/*
 * Check a value against the range of its key by setting it. A peer is sent as an address,
 * so the range is checked when its name has been resolved.
 */
static int check(const struct sweep *sweep, unsigned int index,
		 struct icb_reason *why)
{
	struct icb_params scratch;

	if (sweep->param->attr == ICBENCH_A_PARAMS_PEER)
		return 0;
	icb_params_init(&scratch);
	return sweep_set(sweep, index, &scratch, why);
}

static int add(struct sweep *sweep, u64 number, const char *text,
	       struct icb_reason *why)
{
	struct value *value;

	if (sweep->count == SWEEP_MAX)
		return icb_refuse(why, -ERANGE,
				  "%s: more than %u values; accepted: a shorter list, or a larger step",
				  sweep->param->name, SWEEP_MAX);
	sweep->value = alloc_grow(sweep->value, sweep->count, sizeof(*value));
	value = &sweep->value[sweep->count++];
	value->number = number;
	if (text) {
		value->len = strlen(text);
		value->text = alloc_copy(text, value->len);
	}
	return check(sweep, sweep->count - 1, why);
}

/* Words may have capital letters: perftest's users write RC. */
static void lower(char *word)
{
	for (; *word; word++)
		*word = tolower((unsigned char)*word);
}

static int add_word(struct sweep *sweep, char *word, struct icb_reason *why)
{
	struct icb_params scratch;
	int err;

	lower(word);
	icb_params_init(&scratch);
	err = icb_params_set_word(&scratch, sweep->param, word, why);
	if (err)
		return err;
	return add(sweep, icb_params_number(&scratch, sweep->param), NULL, why);
}

/* LOW..HIGH doubles, and goes from 0 to 1 first; LOW..HIGH+STEP adds. */
static int add_range(struct sweep *sweep, char *text, char *dots,
		     struct icb_reason *why)
{
	const struct icb_param *param = sweep->param;
	char *plus = strchr(dots, '+');
	u64 one = param->type == ICB_PARAM_SHARE ? 10 : 1;
	u64 lo, hi, next, step = 0;
	char least[24];
	int err;

	*dots = '\0';
	if (plus)
		*plus = '\0';
	err = number_parse(param, text, &lo, why);
	if (!err)
		err = number_parse(param, dots + 2, &hi, why);
	if (!err && plus)
		err = number_parse(param, plus + 1, &step, why);
	if (err)
		return err;
	if (hi < lo)
		return icb_refuse(why, -EINVAL,
				  "%s: \"%.32s..%.32s\" goes down; accepted: LOW..HIGH",
				  param->name, text, dots + 2);
	if (plus && !step)
		return icb_refuse(why, -EINVAL,
				  "%s: a step of 0 is not possible; accepted: %s and more",
				  param->name,
				  icb_param_plain(param->type, 1, least,
						  sizeof(least)));
	for (;;) {
		err = add(sweep, lo, NULL, why);
		if (err)
			return err;
		if (__builtin_add_overflow(lo, plus ? step : lo ? lo : one,
					   &next) || next > hi)
			return 0;
		lo = next;
	}
}

/* True for "0-3", the form of a set of CPUs or a range in other programs. */
static bool is_dashed(const char *item)
{
	size_t digits = strspn(item, "0123456789");

	return digits && item[digits] == '-' &&
	       strspn(item + digits + 1, "0123456789") ==
	       strlen(item + digits + 1) && item[digits + 1];
}

static int refuse_dash(const struct icb_param *param, char *item,
		       struct icb_reason *why)
{
	char *dash = strchr(item, '-');
	bool is_cpu = param->attr == ICBENCH_A_PARAMS_CPU ||
		      param->attr == ICBENCH_A_PARAMS_PEER_CPU ||
		      param->attr == ICBENCH_A_PARAMS_SHADOW_CPU;

	*dash++ = '\0';
	if (is_cpu)
		return icb_refuse(why, -EINVAL,
				  "%s: %.20s-%.20s is a set of CPUs, and a thread of a run stays on one; accepted: one CPU, or %.20s..%.20s+1 for a run on each, one after the other",
				  param->name, item, dash, item, dash);
	return icb_refuse(why, -EINVAL,
			  "%s: %.20s-%.20s is no range; accepted: %.20s..%.20s, which doubles, or %.20s..%.20s+1",
			  param->name, item, dash, item, dash, item, dash);
}

static int add_item(struct sweep *sweep, char *item, struct icb_reason *why)
{
	const struct icb_param *param = sweep->param;
	char *dots;
	u64 number;
	int err;

	if (param->type == ICB_PARAM_WORD || param->type == ICB_PARAM_PLACE)
		return add_word(sweep, item, why);
	if (!is_number(param))
		return add(sweep, 0, item, why);
	if (is_dashed(item))
		return refuse_dash(param, item, why);
	dots = strstr(item, "..");
	if (dots)
		return add_range(sweep, item, dots, why);
	err = number_parse(param, item, &number, why);
	if (err)
		return err;
	return add(sweep, number, NULL, why);
}

/**
 * sweep_parse() - parse the value or values of a key
 * @sweep: destination; nothing to free if refused
 * @param: the key, not ICB_PARAM_BYTES
 * @text: a value, or for a key that can be swept a list A,B,C of values and ranges:
 *	LOW..HIGH doubles (0..8 is 0,1,2,4,8), LOW..HIGH+STEP adds; HIGH is included
 *	only if it is reached
 * @why: receives the reason of a refusal
 *
 * Every value is checked against the range of the key, except the names of peers: the
 * range is that of their addresses.
 *
 * Return: 0; -EINVAL or -ERANGE with a reason.
 */
int sweep_parse(struct sweep *sweep, const struct icb_param *param,
		const char *text, struct icb_reason *why)
{
	char *copy = alloc_copy(text, strlen(text));
	char *next = copy;
	int err;

	memset(sweep, 0, sizeof(*sweep));
	sweep->param = param;
	do {
		err = add_item(sweep, strsep(&next, ","), why);
	} while (!err && next);
	free(copy);
	if (!err && sweep->count > 1 && !(param->flags & ICB_PARAM_SWEEP))
		err = icb_refuse(why, -EINVAL,
				 "%s: cannot be swept; accepted: one value",
				 param->name);
	if (err)
		sweep_free(sweep);
	return err;
}

/**
 * sweep_secret() - set a key to a secret
 * @sweep: destination
 * @param: the key, of type ICB_PARAM_BYTES
 * @data: the secret, whose length is within the range of the key
 * @len: length of @data, bytes
 */
void sweep_secret(struct sweep *sweep, const struct icb_param *param,
		  const void *data, size_t len)
{
	memset(sweep, 0, sizeof(*sweep));
	sweep->param = param;
	sweep->value = alloc_grow(NULL, 0, sizeof(*sweep->value));
	sweep->value->text = alloc_copy(data, len);
	sweep->value->len = len;
	sweep->count = 1;
}

/* Set a list to the names that one value holds, separated by commas. */
static int set_names(const struct icb_param *param, const char *text,
		     struct icb_params *params, struct icb_reason *why)
{
	size_t len;
	int err;

	icb_params_clear(params, param);
	do {
		len = strcspn(text, ",");
		err = icb_params_set_bytes(params, param, text, len, why);
		text += len;
	} while (!err && *text++);
	return err;
}

/**
 * sweep_add() - append a name to the value of a list
 * @sweep: the value, not swept
 * @text: the name
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL or -ERANGE with a reason.
 */
int sweep_add(struct sweep *sweep, const char *text, struct icb_reason *why)
{
	struct value *value = sweep->value;
	char *both;

	if (sweep->count > 1 || strchr(text, ','))
		return icb_refuse(why, -EINVAL,
				  "%s: given several times, and as a list; accepted: once or several times one name, or once a list A,B to be swept",
				  sweep->param->name);
	both = alloc_text("%s,%s", value->text, text);
	free(value->text);
	value->text = both;
	value->len = strlen(both);
	return check(sweep, 0, why);
}

/**
 * sweep_set() - set a parameter to one of its values
 * @sweep: the parameter and its values
 * @index: index of the value
 * @params: destination
 * @why: receives the reason of a refusal
 *
 * Return: 0, or the error of icb_params_set_number() or icb_params_set_bytes().
 */
int sweep_set(const struct sweep *sweep, unsigned int index,
	      struct icb_params *params, struct icb_reason *why)
{
	const struct value *value = &sweep->value[index];

	if (value->text && sweep->param->flags & ICB_PARAM_LIST)
		return set_names(sweep->param, value->text, params, why);
	if (value->text)
		return icb_params_set_bytes(params, sweep->param, value->text,
					    value->len, why);
	return icb_params_set_number(params, sweep->param, value->number, why);
}

/**
 * sweep_copy() - copy the values of a key
 * @copy: destination
 * @sweep: values to copy
 */
void sweep_copy(struct sweep *copy, const struct sweep *sweep)
{
	unsigned int i;

	*copy = *sweep;
	copy->value = alloc_zero(sweep->count, sizeof(*copy->value));
	memcpy(copy->value, sweep->value, sweep->count * sizeof(*copy->value));
	for (i = 0; i < sweep->count; i++)
		if (sweep->value[i].text)
			copy->value[i].text = alloc_copy(sweep->value[i].text,
							 sweep->value[i].len);
}

/**
 * sweep_free() - free the values of a key
 * @sweep: the values; empty afterwards
 */
void sweep_free(struct sweep *sweep)
{
	unsigned int i;

	for (i = 0; i < sweep->count; i++)
		free(sweep->value[i].text);
	free(sweep->value);
	sweep->value = NULL;
	sweep->count = 0;
}
