// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/alloc.h"
#include "config.h"
#include "model/derived.h"
#include "model/trigger.h"
#include "model/verbs_table.h"

/**
 * config_drop() - take a key its value
 * @config: of this
 * @param: the key; may be NULL, or have none
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

/* A key that is given again moves to the end, as the last that was given. */
static void put(struct config *config, const struct sweep *sweep)
{
	config_drop(config, sweep->param);
	config->sweep = alloc_grow(config->sweep, config->count,
				   sizeof(*config->sweep));
	config->sweep[config->count++] = *sweep;
}

/**
 * config_set() - give a key a value
 * @config: where to
 * @param: the key, not ICB_PARAM_BYTES
 * @text: its value or values, as for sweep_parse()
 * @why: the reason of a refusal
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
 * config_add() - give a key a value, or one more where it takes several
 * @config: where to
 * @param: the key, not ICB_PARAM_BYTES
 * @text: its value or values
 * @why: the reason of a refusal
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
 * config_set_secret() - give a key a secret
 * @config: where to
 * @param: the key, of type ICB_PARAM_BYTES
 * @data: its value, within the range of the key
 * @len: bytes of it
 */
void config_set_secret(struct config *config, const struct icb_param *param,
		       const void *data, size_t len)
{
	struct sweep sweep;

	sweep_secret(&sweep, param, data, len);
	put(config, &sweep);
}

/* Of each two only one can be given. */
static const u16 rivals[][2] = {
	{ ICBENCH_A_PARAMS_ITERATIONS, ICBENCH_A_PARAMS_DURATION },
	{ ICBENCH_A_PARAMS_COMPUTE, ICBENCH_A_PARAMS_COMPUTE_SHARE },
};

static const struct icb_param *rival(const struct icb_param *param)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rivals); i++) {
		if (param->attr == rivals[i][0])
			return icb_param_by_attr(rivals[i][1]);
		if (param->attr == rivals[i][1])
			return icb_param_by_attr(rivals[i][0]);
	}
	return NULL;
}

/* An atomic has but one size, whatever suits other verbs. */
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

/* What a recipe says for its own trigger means nothing with another one. */
static void drop_idle(struct config *config, u32 trigger)
{
	unsigned int i;

	for (i = 0; i < icb_param_count; i++)
		if (!icb_trigger_takes(trigger, icb_param_table[i].attr))
			config_drop(config, &icb_param_table[i]);
}

/**
 * config_override() - let what the user says prevail over a recipe
 * @config: the recipe's keys; afterwards, behind those that are left of them,
 *	also the user's
 * @over: the user's; empty afterwards
 *
 * What means nothing beside these is dropped, unless the user has said it.
 */
void config_override(struct config *config, struct config *over)
{
	unsigned int i;

	for (i = 0; i < over->count; i++) {
		config_drop(config, rival(over->sweep[i].param));
		if (fixes_size(&over->sweep[i]))
			config_drop(config, icb_param_by_attr(ICBENCH_A_PARAMS_SIZE));
		if (over->sweep[i].param->attr == ICBENCH_A_PARAMS_TRIGGER)
			drop_idle(config, over->sweep[i].value->number);
	}
	for (i = 0; i < over->count; i++)
		put(config, &over->sweep[i]);
	free(over->sweep);
	over->sweep = NULL;
	over->count = 0;
}

/**
 * config_copy() - the same settings once more
 * @copy: where to, empty
 * @config: the settings
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
 * config_find() - what a key was given
 * @config: of this
 * @param: the key
 *
 * Return: its values, owned by @config, or NULL if it was given none.
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
 * config_is_switch() - whether a key is one of no and yes
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
 * config_free() - free the settings
 * @config: which; empty afterwards
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
