// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/alloc.h"
#include "config.h"
#include "model/derived.h"
#include "model/triggers_table.h"
#include "model/verbs_table.h"

/**
 * config_drop() - remove a key and its values
 * @config: the configuration
 * @param: the key; may be NULL, or a key without a value
 */
void config_drop(struct config *config, const struct icb_param *param)
{
	struct sweep *sweep = param ? config_find(config, param) : NULL;
	struct sweep *end;

	if (!sweep)
		return;
	end = config->sweep + config->count;
	sweep_free(sweep);
	memmove(sweep, sweep + 1, (end - sweep - 1) * sizeof(*sweep));
	config->count--;
}

/* A key that is set again moves to the end, as the last key given. */
static void put(struct config *config, const struct sweep *sweep)
{
	config_drop(config, sweep->param);
	config->sweep = alloc_grow(config->sweep, config->count,
				   sizeof(*config->sweep));
	config->sweep[config->count++] = *sweep;
}

/**
 * config_set() - set a key to a value
 * @config: the configuration
 * @param: the key, not ICB_PARAM_BYTES
 * @text: value or values of the key, as for sweep_parse()
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL or -ERANGE with a reason.
 */
int config_set(struct config *config, const struct icb_param *param,
	       const char *text, struct icb_reason *why)
{
	struct sweep sweep;
	int err;

	err = sweep_parse(&sweep, param, text, why);
	if (!err)
		put(config, &sweep);
	return err;
}

/**
 * config_add() - set a key to a value, or append to a key that takes several names
 * @config: the configuration
 * @param: the key, not ICB_PARAM_BYTES
 * @text: value or values of the key
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL or -ERANGE with a reason.
 */
int config_add(struct config *config, const struct icb_param *param,
	       const char *text, struct icb_reason *why)
{
	struct sweep *sweep = config_find(config, param);

	if (sweep && param->flags & ICB_PARAM_LIST)
		return sweep_add(sweep, text, why);
	return config_set(config, param, text, why);
}

/**
 * config_set_secret() - set a key to a secret
 * @config: the configuration
 * @param: the key, of type ICB_PARAM_BYTES
 * @data: the secret, whose length is within the range of the key
 * @len: length of @data, bytes
 */
void config_set_secret(struct config *config, const struct icb_param *param,
		       const void *data, size_t len)
{
	struct sweep sweep;

	sweep_secret(&sweep, param, data, len);
	put(config, &sweep);
}

/* Pairs of keys of which only one can be given. */
static const u16 exclusive[][2] = {
	{ ICBENCH_A_PARAMS_ITERATIONS, ICBENCH_A_PARAMS_DURATION },
	{ ICBENCH_A_PARAMS_COMPUTE, ICBENCH_A_PARAMS_COMPUTE_SHARE },
};

static const struct icb_param *excluded_by(const struct icb_param *param)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(exclusive); i++) {
		if (param->attr == exclusive[i][0])
			return icb_param_by_attr(exclusive[i][1]);
		if (param->attr == exclusive[i][1])
			return icb_param_by_attr(exclusive[i][0]);
	}
	return NULL;
}

/* True if every verb of @sweep is an atomic, which has only one size. */
static bool fixes_size(const struct sweep *sweep)
{
	unsigned int i;

	if (sweep->param->attr != ICBENCH_A_PARAMS_VERB)
		return false;
	for (i = 0; i < sweep->count; i++)
		if (!icb_verb_table[sweep->value[i].number].max_size)
			return false;
	return true;
}

/* Drop the recipe's keys that the new trigger does not take. */
static void drop_unused(struct config *config, u32 trigger)
{
	unsigned int i;

	for (i = 0; i < icb_param_count; i++)
		if (!icb_trigger_takes(trigger, icb_param_table[i].attr))
			config_drop(config, &icb_param_table[i]);
}

/**
 * config_override() - override a recipe's keys by the user's
 * @config: the recipe's keys; afterwards followed by the user's keys
 * @over: the user's keys; empty afterwards
 *
 * The recipe's keys that the user's keys exclude, or make meaningless, are dropped.
 */
void config_override(struct config *config, struct config *over)
{
	unsigned int i;

	for (i = 0; i < over->count; i++) {
		config_drop(config, excluded_by(over->sweep[i].param));
		if (fixes_size(&over->sweep[i]))
			config_drop(config, icb_param_by_attr(ICBENCH_A_PARAMS_SIZE));
		if (over->sweep[i].param->attr == ICBENCH_A_PARAMS_TRIGGER)
			drop_unused(config, over->sweep[i].value->number);
	}
	for (i = 0; i < over->count; i++)
		put(config, &over->sweep[i]);
	free(over->sweep);
	over->sweep = NULL;
	over->count = 0;
}

/**
 * config_copy() - copy a configuration
 * @copy: destination, empty
 * @config: configuration to copy
 */
void config_copy(struct config *copy, const struct config *config)
{
	struct sweep sweep;
	unsigned int i;

	for (i = 0; i < config->count; i++) {
		sweep_copy(&sweep, &config->sweep[i]);
		put(copy, &sweep);
	}
}

/**
 * config_find() - find the values of a key
 * @config: the configuration
 * @param: the key
 *
 * Return: the values, owned by @config, or NULL if the key is not set.
 */
struct sweep *config_find(const struct config *config,
			  const struct icb_param *param)
{
	unsigned int i;

	for (i = 0; i < config->count; i++)
		if (config->sweep[i].param == param)
			return &config->sweep[i];
	return NULL;
}

/**
 * config_is_switch() - check whether a key takes only no and yes
 * @param: the key
 *
 * Return: true if so.
 */
bool config_is_switch(const struct icb_param *param)
{
	return param->type == ICB_PARAM_WORD && param->max == 1 &&
	       !strcmp(param->words[0], "no") && !strcmp(param->words[1], "yes");
}

/**
 * config_free() - free a configuration
 * @config: the configuration; empty afterwards
 */
void config_free(struct config *config)
{
	unsigned int i;

	for (i = 0; i < config->count; i++)
		sweep_free(&config->sweep[i]);
	free(config->sweep);
	config->sweep = NULL;
	config->count = 0;
}
