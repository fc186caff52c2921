// SPDX-License-Identifier: GPL-2.0
/*
 * Reads JSON files. A file may be from anywhere: it is parsed strictly. json-c accepts
 * malformed UTF-8, even if told to validate it, so that file_read() validates it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "file_read.h"
#include "json_read.h"

/* Parse one JSON text strictly; only white space may follow it. */
static struct json_object *parse(const char *path, const char *text, size_t len,
				 struct icb_reason *why)
{
	struct json_tokener *tokener = json_tokener_new();
	enum json_tokener_error error;
	struct json_object *root;
	size_t end;

	if (!tokener) {
		icb_refuse(why, -ENOMEM, "%.100s: out of memory", path);
		return NULL;
	}
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	/* with its NUL: a number at the end is complete */
	root = json_tokener_parse_ex(tokener, text, len + 1);
	error = json_tokener_get_error(tokener);
	end = json_tokener_get_parse_end(tokener);
	json_tokener_free(tokener);
	if (error == json_tokener_continue ||
	    error == json_tokener_error_parse_eof) {
		icb_refuse(why, -EINVAL,
			   "%.100s: truncated, with %zu bytes; accepted: a JSON document",
			   path, len);
	} else if (error != json_tokener_success) {
		icb_refuse(why, -EINVAL,
			   "%.80s: not JSON at byte %zu (%s); accepted: a JSON document",
			   path, end, json_tokener_error_desc(error));
	} else if (end < len && text[end + strspn(text + end, " \t\r\n")]) {
		icb_refuse(why, -EINVAL,
			   "%.100s: text behind the document at byte %zu; accepted: one JSON document",
			   path, end);
		json_object_put(root);
		return NULL;
	} else if (!root) {
		icb_refuse(why, -EINVAL,
			   "%.100s: null; accepted: a JSON document with content",
			   path);
	}
	return root;
}

/**
 * json_read() - read a JSON document from a file
 * @path: the file, a regular file
 * @most: most bytes that are accepted, less than 2 GiB
 * @why: the reason of a refusal
 *
 * Return: the document, for json_object_put(); NULL with a reason. The document "null" is
 * refused, because json-c represents it by NULL. @why is not written on success.
 */
struct json_object *json_read(const char *path, size_t most,
			      struct icb_reason *why)
{
	struct json_object *root;
	size_t len;
	char *text;

	text = file_read(path, "a JSON document", most, &len, why);
	if (!text)
		return NULL;
	root = parse(path, text, len, why);
	free(text);
	return root;
}

/**
 * json_is() - check whether an object is a certain string
 * @object: object of any type; may be NULL
 * @value: the string
 *
 * Return: true if so. The whole string is compared, which may contain a NUL.
 */
bool json_is(struct json_object *object, const char *value)
{
	size_t len = strlen(value);

	return json_object_is_type(object, json_type_string) &&
	       (size_t)json_object_get_string_len(object) == len &&
	       !memcmp(json_object_get_string(object), value, len);
}
