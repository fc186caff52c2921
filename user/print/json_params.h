/* SPDX-License-Identifier: GPL-2.0 */
#ifndef JSON_PARAMS_H
#define JSON_PARAMS_H

#include "model/params.h"

struct json_object;

void json_add_numeric(struct json_object *object, const char *key,
		      const struct icb_param *param, u64 value);
void json_add_param(struct json_object *object, const struct icb_param *param,
		    const struct icb_params *params);
void json_add_params(struct json_object *object,
		     const struct icb_params *params);

#endif /* JSON_PARAMS_H */
