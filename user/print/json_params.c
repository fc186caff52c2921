// SPDX-License-Identifier: GPL-2.0
/* Prints parameters of a run as members of a JSON object. */
#include <json-c/json.h>

#include "base/json_add.h"
#include "json_params.h"
#include "plan/config.h"

/**
 * json_add_numeric() - add a numeric parameter
 * @object: object to add to
 * @key: key of the number
 * @param: the parameter
 * @value: value of the parameter; shares and percentiles are printed as percent
 */
void json_add_numeric(struct json_object *object, const char *key,
		      const struct icb_param *param, u64 value)
{
	if (param->type == ICB_PARAM_SHARE)
		json_add_number(object, key, value / 10.0);
	else if (param->type == ICB_PARAM_PERCENTILE)
		json_add_number(object, key,
				icb_percentile_parts((u32)value) / 100.0);
	else
		json_add_count(object, key, value);
}

/**
 * json_add_param() - add a parameter under its name
 * @object: object to add to
 * @param: the parameter; a secret is not added
 * @params: the parameters, with a value of @param
 */
void json_add_param(struct json_object *object, const struct icb_param *param,
		    const struct icb_params *params)
{
	char place[24];
	u64 number;

	switch (param->type) {
	case ICB_PARAM_BYTES:
		return;
	case ICB_PARAM_STRING:
		json_add_string(object, param->name,
				icb_params_string(params, param));
		return;
	case ICB_PARAM_PLACE:
		json_add_string(object, param->name,
				icb_param_place(icb_params_number(params, param),
						place, sizeof(place)));
		return;
	case ICB_PARAM_WORD:
		number = icb_params_number(params, param);
		if (config_is_switch(param))
			json_object_object_add(object, param->name,
					       json_object_new_boolean(number));
		else
			json_add_string(object, param->name,
					param->words[number]);
		return;
	default:
		json_add_numeric(object, param->name, param,
				 icb_params_number(params, param));
	}
}

/**
 * json_add_params() - add all parameters that have a value
 * @object: object to add to
 * @params: the parameters
 */
void json_add_params(struct json_object *object,
		     const struct icb_params *params)
{
	unsigned int i;

	for (i = 0; i < icb_param_count; i++)
		if (icb_params_has(params, icb_param_table[i].attr))
			json_add_param(object, &icb_param_table[i], params);
}
