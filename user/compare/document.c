// SPDX-License-Identifier: GPL-2.0
/* A result document. A file may be from anywhere: every member that is read is checked. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "base/json_read.h"
#include "base/text.h"
#include "document.h"

/* Most points of a document. */
#define POINTS_MAX	200000
/* Longest name of a metric, bytes. */
#define NAME_MAX_LEN	63

#define ACCEPTED	"accepted: a result of icbenchctl run --json"

/**
 * document_text() - the text of a scalar member
 * @object: object with the member
 * @key: key of the member
 *
 * Return: the value in one line, for the caller to free(); NULL if there is no such
 * member, or if it is an array or an object.
 */
char *document_text(struct json_object *object, const char *key)
{
	struct json_object *value = json_object_object_get(object, key);
	char *text;

	if (!value || json_object_is_type(value, json_type_array) ||
	    json_object_is_type(value, json_type_object))
		return NULL;
	text = alloc_text("%s", json_object_get_string(value));
	text_one_line(text);
	return text;
}

/**
 * document_number() - the value of a numeric member
 * @object: object with the member; an object of another type has none
 * @key: key of the member
 * @number: takes the value
 *
 * Return: false if there is no such member, or if it is no finite number.
 */
bool document_number(struct json_object *object, const char *key,
		     double *number)
{
	struct json_object *value;

	if (!json_object_is_type(object, json_type_object) ||
	    !json_object_object_get_ex(object, key, &value) ||
	    (!json_object_is_type(value, json_type_int) &&
	     !json_object_is_type(value, json_type_double)))
		return false;
	*number = json_object_get_double(value);
	return isfinite(*number);
}

static bool is_object(struct json_object *object, const char *key,
		      struct json_object **member)
{
	return json_object_object_get_ex(object, key, member) &&
	       json_object_is_type(*member, json_type_object);
}

static bool is_name(const char *name)
{
	size_t i;

	for (i = 0; name[i]; i++)
		if (!islower((unsigned char)name[i]) &&
		    !isdigit((unsigned char)name[i]) &&
		    (!i || !strchr("_-", name[i])))
			return false;
	return i && i <= NAME_MAX_LEN;
}

/* Reason why a metric cannot be read; NULL if it can. */
static const char *metric_defect(struct json_object *metric)
{
	struct json_object *unit, *percentiles;
	double number;

	if (!json_object_is_type(metric, json_type_object))
		return "is no object";
	if (!json_object_object_get_ex(metric, "unit", &unit) ||
	    !json_object_is_type(unit, json_type_string))
		return "has no unit";
	if (document_number(metric, "value", &number))
		return NULL;
	if (!document_number(metric, "count", &number))
		return "has neither a value nor a count";
	if (number > 0 && (!document_number(metric, "min", &number) ||
			   !document_number(metric, "mean", &number) ||
			   !is_object(metric, "percentiles", &percentiles)))
		return "lacks the minimum, the mean or the percentiles";
	return NULL;
}

static int check_metrics(struct json_object *metrics, const char *path,
			 size_t point, struct icb_reason *why)
{
	const char *defect;

	if (!json_object_object_length(metrics))
		return icb_refuse(why, -EINVAL,
				  "%.80s: point %zu has no metric; " ACCEPTED,
				  path, point);
	json_object_object_foreach(metrics, name, metric) {
		if (!is_name(name))
			return icb_refuse(why, -EINVAL,
					  "%.60s: point %zu: the metric \"%.20s\" has no name of 1 to %u letters; "
					  ACCEPTED,
					  path, point, name, NAME_MAX_LEN);
		defect = metric_defect(metric);
		if (defect)
			return icb_refuse(why, -EINVAL,
					  "%.60s: point %zu: the metric %.20s %s; " ACCEPTED,
					  path, point, name, defect);
	}
	return 0;
}

static int check_point(struct json_object *point, const char *path,
		       size_t number, struct icb_reason *why)
{
	struct json_object *parameters, *metrics;

	if (!json_object_is_type(point, json_type_object) ||
	    !is_object(point, "parameters", &parameters))
		return icb_refuse(why, -EINVAL,
				  "%.80s: point %zu has no parameters; " ACCEPTED,
				  path, number);
	if (!is_object(point, "metrics", &metrics))
		return icb_refuse(why, -EINVAL,
				  "%.80s: point %zu has no metrics; " ACCEPTED,
				  path, number);
	return check_metrics(metrics, path, number, why);
}

static int check_points(struct document *doc, struct icb_reason *why)
{
	size_t i, count;
	int err = 0;

	if (!json_object_object_get_ex(doc->root, "points", &doc->points) ||
	    !json_object_is_type(doc->points, json_type_array))
		return icb_refuse(why, -EINVAL, "%.80s: has no array of points; " ACCEPTED,
				  doc->path);
	count = json_object_array_length(doc->points);
	if (!count)
		return icb_refuse(why, -EINVAL, "%.80s: has no points; " ACCEPTED,
				  doc->path);
	if (count > POINTS_MAX)
		return icb_refuse(why, -E2BIG,
				  "%.80s: has %zu points; accepted: up to %u",
				  doc->path, count, POINTS_MAX);
	for (i = 0; !err && i < count; i++)
		err = check_point(json_object_array_get_idx(doc->points, i),
				  doc->path, i + 1, why);
	return err;
}

static int check(struct document *doc, struct icb_reason *why)
{
	struct json_object *member;
	char *schema;

	if (!json_object_is_type(doc->root, json_type_object))
		return icb_refuse(why, -EINVAL, "%.80s: is no JSON object; " ACCEPTED,
				  doc->path);
	schema = document_text(doc->root, "schema");
	if (!json_is(json_object_object_get(doc->root, "schema"), "icbench/1")) {
		icb_refuse(why, -EINVAL,
			   "%.80s: the schema is \"%.30s\"; accepted: icbench/1",
			   doc->path, schema ? schema : "");
		free(schema);
		return -EINVAL;
	}
	free(schema);
	if (!json_object_is_type(json_object_object_get(doc->root, "benchmark"),
				 json_type_string))
		return icb_refuse(why, -EINVAL, "%.80s: has no benchmark; " ACCEPTED,
				  doc->path);
	if (!json_object_object_get_ex(doc->root, "partial", &member) ||
	    !json_object_is_type(member, json_type_boolean))
		return icb_refuse(why, -EINVAL,
				  "%.80s: does not state whether it is partial; " ACCEPTED,
				  doc->path);
	doc->partial = json_object_get_boolean(member);
	if (!is_object(doc->root, "environment", &doc->environment))
		return icb_refuse(why, -EINVAL, "%.80s: has no environment; " ACCEPTED,
				  doc->path);
	member = json_object_object_get(doc->environment, "icount");
	doc->icount = json_object_is_type(member, json_type_boolean) &&
		      json_object_get_boolean(member);
	return check_points(doc, why);
}

/**
 * document_take() - take a result document that has been parsed
 * @doc: document to fill; document_free() it in any case
 * @path: the file
 * @root: the document; not the caller's afterwards
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int document_take(struct document *doc, const char *path,
		  struct json_object *root, struct icb_reason *why)
{
	memset(doc, 0, sizeof(*doc));
	doc->path = alloc_text("%s", path);
	doc->root = root;
	return check(doc, why);
}

/**
 * document_read() - read a result document
 * @doc: document to fill; document_free() it in any case
 * @path: the file
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int document_read(struct document *doc, const char *path,
		  struct icb_reason *why)
{
	struct json_object *root = json_read(path, DOCUMENT_BYTES, why);

	if (root)
		return document_take(doc, path, root, why);
	memset(doc, 0, sizeof(*doc));
	return -EINVAL;
}

/**
 * document_free() - free a document
 * @doc: the document
 */
void document_free(struct document *doc)
{
	json_object_put(doc->root);
	free(doc->path);
	memset(doc, 0, sizeof(*doc));
}
