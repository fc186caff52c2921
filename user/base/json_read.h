/* SPDX-License-Identifier: GPL-2.0 */
#ifndef JSON_READ_H
#define JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "model/engine.h"

struct json_object;

struct json_object *json_read(const char *path, size_t most,
			      struct icb_reason *why);
bool json_is(struct json_object *object, const char *value);

#endif /* JSON_READ_H */
