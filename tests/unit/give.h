/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters by name, for the tests of tables and rules. */
#ifndef GIVE_H
#define GIVE_H

#include "unit.h"
#include "model/params.h"
#include "model/rules.h"

#define ROWS(table)	(sizeof(table) / sizeof((table)[0]))

static inline bool is_number(const struct icb_param *param)
{
	return param->type != ICB_PARAM_STRING &&
	       param->type != ICB_PARAM_BYTES;
}

/* A refusal has to begin with the parameter's name. */
static inline bool about(const struct icb_reason *why, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(why->text, name, len) && why->text[len] == ':';
}

static inline void give(struct icb_params *params, const char *key, const char *value)
{
	const struct icb_param *param = icb_param_by_name(key);
	int err;

	assert_non_null(param);
	if (param->type == ICB_PARAM_WORD || param->type == ICB_PARAM_PLACE)
		err = icb_params_set_word(params, param, value, NULL);
	else if (is_number(param))
		err = icb_params_set_number(params, param,
					    strtoull(value, NULL, 10), NULL);
	else
		err = icb_params_set_bytes(params, param, value, strlen(value),
					   NULL);
	assert_int_equal(err, 0);
}

#endif /* GIVE_H */
