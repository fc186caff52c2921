// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers for json-c. They fix two defects of its output: bytes that are not UTF-8 are
 * copied unchanged, and numbers are written with more digits than needed.
 */
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "alloc.h"
#include "json_add.h"
#include "text.h"

/**
 * json_new_string() - make a string object
 * @s: the string; each byte that is not UTF-8 becomes U+FFFD
 *
 * Return: the object.
 */
struct json_object *json_new_string(const char *s)
{
	char *clean = alloc_zero(strlen(s) + 1, 3), *to = clean;
	struct json_object *object;
	size_t len;

	while (*s) {
		len = text_utf8(s);
		to = mempcpy(to, len ? s : "\xef\xbf\xbd", len ? len : 3);
		s += len ? len : 1;
	}
	object = json_object_new_string(clean);
	free(clean);
	return object;
}

/**
 * json_new_number() - make a number object with the fewest digits that restore the value
 * @value: the number, finite
 *
 * Return: the object.
 */
struct json_object *json_new_number(double value)
{
	char text[40];
	int digits;

	for (digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return json_object_new_double_s(value, text);
}

/**
 * json_add_string() - add a string to an object
 * @object: object to add to
 * @key: key of the string
 * @value: the string; nothing is added if it is NULL or empty
 */
void json_add_string(struct json_object *object, const char *key,
		     const char *value)
{
	if (value && *value)
		json_object_object_add(object, key, json_new_string(value));
}

/**
 * json_add_number() - add a number to an object
 * @object: object to add to
 * @key: key of the number
 * @value: the number, finite
 */
void json_add_number(struct json_object *object, const char *key,
		     double value)
{
	json_object_object_add(object, key, json_new_number(value));
}

/**
 * json_add_count() - add a whole number to an object
 * @object: object to add to
 * @key: key of the number
 * @value: the number
 */
void json_add_count(struct json_object *object, const char *key,
		    uint64_t value)
{
	json_object_object_add(object, key, json_object_new_uint64(value));
}

/**
 * json_add_object() - add an empty object to an object
 * @object: object to add to
 * @key: key of the new object
 *
 * Return: the new object, owned by @object.
 */
struct json_object *json_add_object(struct json_object *object,
				    const char *key)
{
	struct json_object *inner = json_object_new_object();

	json_object_object_add(object, key, inner);
	return inner;
}

/**
 * json_add_array() - add an empty array to an object
 * @object: object to add to
 * @key: key of the new array
 *
 * Return: the new array, owned by @object.
 */
struct json_object *json_add_array(struct json_object *object,
				   const char *key)
{
	struct json_object *inner = json_object_new_array();

	json_object_object_add(object, key, inner);
	return inner;
}

/**
 * json_print() - print a JSON document
 * @f: output stream
 * @root: the document; freed
 */
void json_print(FILE *f, struct json_object *root)
{
	fprintf(f, "%s\n",
		json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
					       JSON_C_TO_STRING_SPACED |
					       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(root);
}
