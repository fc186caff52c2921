/* SPDX-License-Identifier: GPL-2.0 */
#ifndef JSON_ADD_H
#define JSON_ADD_H

#include <stdint.h>
#include <stdio.h>

struct json_object;

struct json_object *json_new_string(const char *s);
struct json_object *json_new_number(double value);
void json_add_string(struct json_object *object, const char *key,
		     const char *value);
void json_add_number(struct json_object *object, const char *key,
		     double value);
void json_add_count(struct json_object *object, const char *key,
		    uint64_t value);
struct json_object *json_add_object(struct json_object *object,
				    const char *key);
struct json_object *json_add_array(struct json_object *object,
				   const char *key);
void json_print(FILE *f, struct json_object *root);

#endif /* JSON_ADD_H */
