// SPDX-License-Identifier: GPL-2.0
/* The points of a result: their figures, and the parameters that tell them apart. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "base/json_read.h"
#include "base/text.h"
#include "model/params.h"
#include "plan/number.h"
#include "points.h"

#define LOAD	"load."

/* Most sections that are told apart. */
#define SECTIONS_MAX	64
/* Most points that are searched for parameters that follow from each other. */
#define FOLLOW_MAX	64
/* Most different values of a key that are counted. */
#define VALUES_MAX	256

/* Keys that are set to suit another key, and do not describe a point. */
static bool is_minor(const char *key)
{
	static const char *const minor[] = {
		"seed", "warmup", "iterations", "timeout", "duration", "attribute",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(minor); i++)
		if (!strcmp(minor[i], key))
			return true;
	return false;
}

/**
 * points_get() - get a point
 * @points: the points
 * @index: index of the point
 *
 * Return: the point, owned by the result.
 */
struct json_object *points_get(const struct points *points, size_t index)
{
	return json_object_array_get_idx(points->doc->points, index);
}

static struct json_object *parameters(const struct points *points, size_t index)
{
	return json_object_object_get(points_get(points, index), "parameters");
}

/* The parameter of a point, or of its load if the key begins with "load.". */
static struct json_object *parameter(const struct points *points, size_t index,
				     const char *key)
{
	struct json_object *object = parameters(points, index);

	if (!strncmp(key, LOAD, strlen(LOAD))) {
		object = json_object_object_get(points_get(points, index), "load");
		object = json_object_is_type(object, json_type_object) ?
			json_object_object_get(object, "parameters") : NULL;
		key += strlen(LOAD);
	}
	return json_object_is_type(object, json_type_object) ?
		json_object_object_get(object, key) : NULL;
}

static bool has_key(const struct points *points, const char *key)
{
	unsigned int i;

	for (i = 0; i < points->keys; i++)
		if (!strcmp(points->key[i], key))
			return true;
	return false;
}

static void add_key(struct points *points, const char *key)
{
	if (points->keys < POINTS_KEYS && !is_minor(key) &&
	    !has_key(points, key))
		points->key[points->keys++] = key;
}

/* Add each key of an object that another object does not have with the same value. */
static void add_differences(struct points *points, struct json_object *one,
			    struct json_object *other)
{
	json_object_object_foreach(one, key, value) {
		struct json_object *found = json_object_object_get(other, key);

		if (!found || !value || !json_object_equal(found, value))
			add_key(points, key);
	}
}

static struct json_object *section_of(const struct points *points, size_t index)
{
	return json_object_object_get(points_get(points, index), "section");
}

static bool same(struct json_object *a, struct json_object *b)
{
	return a == b || (a && b && json_object_equal(a, b));
}

/* The first point of each section is the one that others of the section differ from. */
static size_t first_of_section(struct points *points, size_t index,
			       size_t first[SECTIONS_MAX], unsigned int *sections)
{
	unsigned int i;

	for (i = 0; i < *sections; i++)
		if (same(section_of(points, first[i]), section_of(points, index)))
			return first[i];
	if (*sections == SECTIONS_MAX)
		return first[0];
	first[(*sections)++] = index;
	return index;
}

/* True if a key follows from another one: points with one value of it have one of the key. */
static bool follows(const struct points *points, const char *key,
		    const char *other, size_t count)
{
	size_t i, j;

	for (i = 1; i < count; i++)
		for (j = 0; j < i; j++)
			if (same(section_of(points, i), section_of(points, j)) &&
			    same(parameter(points, i, other), parameter(points, j, other)) &&
			    !same(parameter(points, i, key), parameter(points, j, key)))
				return false;
	return true;
}

/* Remove keys that follow from one other key; of two that follow from each other, the last. */
static void remove_followers(struct points *points)
{
	const size_t count = points->count < FOLLOW_MAX ? points->count : FOLLOW_MAX;
	unsigned int i = points->keys, j;

	while (i--) {
		for (j = 0; j < points->keys; j++)
			if (j != i && follows(points, points->key[i], points->key[j], count) &&
			    (j < i || !follows(points, points->key[j], points->key[i], count)))
				break;
		if (j == points->keys)
			continue;
		memmove(&points->key[i], &points->key[i + 1],
			(points->keys - i - 1) * sizeof(*points->key));
		points->keys--;
	}
}

/* Sort the keys as the table of parameters: those that describe a run best come first. */
static int by_table(const void *a, const void *b)
{
	const char *const *keys[] = { a, b };
	ptrdiff_t places[2];
	const struct icb_param *param;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		param = icb_param_by_name(*keys[i]);
		places[i] = param ? param - icb_param_table : icb_param_count;
	}
	return places[0] < places[1] ? -1 : places[0] > places[1];
}

/**
 * points_of() - find the parameters that vary in a result
 * @points: destination
 * @doc: the result, which has to stay
 *
 * Parameters vary if they differ within a section, and do not follow from another one.
 */
void points_of(struct points *points, const struct document *doc)
{
	size_t first[SECTIONS_MAX], i;
	unsigned int sections = 0;
	struct json_object *one, *other;

	memset(points, 0, sizeof(*points));
	points->doc = doc;
	points->count = json_object_array_length(doc->points);
	for (i = 0; i < points->count; i++) {
		one = parameters(points, first_of_section(points, i, first,
							  &sections));
		other = parameters(points, i);
		add_differences(points, one, other);
		add_differences(points, other, one);
	}
	points->sections = sections > 1;
	if (points->keys)
		qsort(points->key, points->keys, sizeof(*points->key), by_table);
	remove_followers(points);
}

/**
 * points_metric() - get a metric of a point
 * @points: the points
 * @index: index of the point
 * @name: name of the metric
 *
 * Return: the metric, owned by the result; NULL if there is none.
 */
struct json_object *points_metric(const struct points *points, size_t index,
				  const char *name)
{
	struct json_object *metrics;

	metrics = json_object_object_get(points_get(points, index), "metrics");
	return json_object_object_get(metrics, name);
}

/**
 * points_has() - check whether any point has a metric
 * @points: the points
 * @metric: name of the metric
 *
 * Return: true if so.
 */
bool points_has(const struct points *points, const char *metric)
{
	size_t i;

	for (i = 0; i < points->count; i++)
		if (points_metric(points, i, metric))
			return true;
	return false;
}

/**
 * points_figure() - get a figure of a point
 * @points: the points
 * @index: index of the point
 * @metric: name of the metric
 * @statistic: the figure
 * @estimate: takes the figure and its interval
 *
 * Return: false if the point has no such figure, or if the figure has too few samples.
 */
bool points_figure(const struct points *points, size_t index,
		   const char *metric, enum statistic statistic,
		   struct estimate *estimate)
{
	struct json_object *object = points_metric(points, index, metric);

	return object &&
	       estimate_of(estimate, object, statistic, points->doc->icount) &&
	       !estimate->few;
}

/**
 * points_typical() - get the figure of a metric that stands for it in a plot
 * @points: the points
 * @index: index of the point
 * @metric: name of the metric
 * @estimate: takes the median of a distribution, or the value of a scalar
 *
 * Return: false if the point has no such figure.
 */
bool points_typical(const struct points *points, size_t index,
		    const char *metric, struct estimate *estimate)
{
	return points_figure(points, index, metric, STATISTIC_P50, estimate) ||
	       points_figure(points, index, metric, STATISTIC_VALUE, estimate);
}

/**
 * points_number() - get a numeric parameter of a point
 * @points: the points
 * @index: index of the point
 * @key: name of the parameter
 * @number: takes the value
 *
 * Return: false if the point has no such parameter.
 */
bool points_number(const struct points *points, size_t index, const char *key,
		   double *number)
{
	return document_number(parameters(points, index), key, number);
}

/**
 * points_key_text() - format the value of a numeric parameter
 * @key: name of the parameter
 * @value: the value
 *
 * Return: the value as on a command line, such as "4K" or "10us"; for the caller to free().
 */
char *points_key_text(const char *key, double value)
{
	const struct icb_param *param = icb_param_by_name(key);
	char text[32];

	if (!param || value < 0 || value > 1e18 || value != floor(value))
		return alloc_text("%g", value);
	switch (param->type) {
	case ICB_PARAM_COUNT:
	case ICB_PARAM_SIZE:
	case ICB_PARAM_TIME:
		number_print(text, sizeof(text), param->type, value);
		return alloc_text("%s", text);
	default:
		return alloc_text("%g", value);
	}
}

/**
 * points_value() - get a parameter of a point as text
 * @points: the points
 * @index: index of the point
 * @key: name of the parameter; with "load." in front, that of the load
 *
 * Return: the text, for the caller to free(); NULL if the point has no such parameter.
 */
char *points_value(const struct points *points, size_t index, const char *key)
{
	struct json_object *value = parameter(points, index, key);
	char *text;

	if (!value)
		return NULL;
	if (json_object_is_type(value, json_type_int) ||
	    json_object_is_type(value, json_type_double))
		return points_key_text(strncmp(key, LOAD, strlen(LOAD)) ? key :
				       key + strlen(LOAD),
				       json_object_get_double(value));
	text = alloc_text("%s", json_object_get_string(value));
	text_one_line(text);
	return text;
}

/**
 * points_is() - check whether a parameter of a point has a value
 * @points: the points
 * @index: index of the point
 * @key: name of the parameter, or "section"
 * @value: the value, as on a command line
 *
 * Return: true if so.
 */
bool points_is(const struct points *points, size_t index, const char *key,
	       const char *value)
{
	char *text = !strcmp(key, "section") ?
		document_text(points_get(points, index), key) :
		points_value(points, index, key);
	bool is = text && !strcmp(text, value);

	free(text);
	return is;
}

static bool has_load(const struct points *points, size_t index)
{
	return json_object_object_get(points_get(points, index), "load");
}

/* Keys of a load that describe it in a label. */
static void print_load(FILE *f, const struct points *points, size_t index,
		       const char **separator)
{
	static const char *const keys[] = { "load.size", "load.window" };
	char *value;
	size_t i;

	if (!has_load(points, index))
		return;
	fprintf(f, "%sload", *separator);
	*separator = ", ";
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		value = points_value(points, index, keys[i]);
		if (value)
			fprintf(f, " %s=%s", keys[i] + strlen(LOAD), value);
		free(value);
	}
}

/**
 * points_label() - name a point by what tells it apart from other points
 * @points: the points
 * @index: index of the point
 * @except: parameter that is left out; NULL for none
 *
 * Return: section and parameters, for the caller to free(); empty if nothing varies.
 */
char *points_label(const struct points *points, size_t index,
		   const char *except)
{
	const char *separator = "";
	char *label, *value;
	unsigned int i;
	size_t len;
	FILE *f = open_memstream(&label, &len);

	value = points->sections ?
		document_text(points_get(points, index), "section") : NULL;
	if (value) {
		fputs(value, f);
		separator = ", ";
	}
	free(value);
	for (i = 0; i < points->keys; i++) {
		if (except && !strcmp(points->key[i], except))
			continue;
		value = points_value(points, index, points->key[i]);
		if (value) {
			fprintf(f, "%s%s=%s", separator, points->key[i], value);
			separator = ", ";
		}
		free(value);
	}
	print_load(f, points, index, &separator);
	fclose(f);
	return label;
}

/* Count the different values of a numeric key, up to VALUES_MAX; 0 for other keys. */
static unsigned int count_values(const struct points *points, const char *key)
{
	double values[VALUES_MAX], value;
	unsigned int count = 0, j;
	size_t i;

	for (i = 0; i < points->count && count < VALUES_MAX; i++) {
		if (!parameter(points, i, key))
			continue;
		if (!points_number(points, i, key, &value))
			return 0;
		for (j = 0; j < count && values[j] != value; j++)
			;
		if (j == count)
			values[count++] = value;
	}
	return count;
}

/**
 * points_axis() - choose the parameter on the horizontal axis of plots
 * @points: the points
 *
 * Return: the numeric parameter with the most values; NULL if none has two. The size of
 * messages precedes others with as many values.
 */
const char *points_axis(const struct points *points)
{
	unsigned int most = 1, count, i;
	const char *axis = NULL;

	for (i = 0; i < points->keys; i++) {
		count = count_values(points, points->key[i]);
		if (count > most ||
		    (count == most && axis && !strcmp(points->key[i], "size"))) {
			most = count;
			axis = points->key[i];
		}
	}
	return axis;
}
