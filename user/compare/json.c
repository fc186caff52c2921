// SPDX-License-Identifier: GPL-2.0
/* Prints a comparison as JSON, in the schema icbench-compare/1. */
#include <stdlib.h>
#include <json-c/json.h>

#include "base/json_add.h"
#include "comparison.h"
#include "formats.h"

#define SCHEMA	"icbench-compare/1"

static const char *const better_words[] = {
	[BETTER_NEITHER] = "neither",
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
};

static void add_text(struct json_object *object, const struct document *doc,
		     const char *key)
{
	char *text = document_text(doc->environment, key);

	json_add_string(object, key, text);
	free(text);
}

static void add_side(struct json_object *object, const char *key,
		     const struct side *side)
{
	struct json_object *inner = json_add_object(object, key), *files;
	unsigned int i;

	add_text(inner, side->doc, "kernel");
	add_text(inner, side->doc, "build");
	add_text(inner, side->doc, "icbench");
	files = json_add_array(inner, "files");
	for (i = 0; i < side->count; i++)
		json_object_array_add(files, json_new_string(side->doc[i].path));
}

static void add_row(struct json_object *metrics, const struct row *row)
{
	struct json_object *object = json_add_object(metrics, row->name);
	const struct difference *d = &row->difference;

	json_add_string(object, "unit", row->unit);
	json_add_string(object, "better", better_words[row->better]);
	if (row->has[SIDE_BASE])
		json_add_number(object, "base", d->base);
	if (row->has[SIDE_NEW])
		json_add_number(object, "new", d->new);
	if (row->has[SIDE_BASE] && row->has[SIDE_NEW]) {
		json_add_number(object, "difference", d->range.value);
		if (d->relative)
			json_add_number(object, "percent", d->percent.value);
	}
	if (!d->why_not) {
		json_add_number(object, "low", d->range.low);
		json_add_number(object, "high", d->range.high);
		if (d->relative) {
			json_add_number(object, "percent_low", d->percent.low);
			json_add_number(object, "percent_high",
					d->percent.high);
		}
	}
	json_add_string(object, "verdict", verdict_words[d->verdict]);
	json_object_object_add(object, "regression",
			       json_object_new_boolean(d->regression));
	json_add_string(object, "reason", d->why_not);
}

/* Return: the metrics of a new point. */
static struct json_object *add_point(struct json_object *points,
				     const struct pair *pair)
{
	const struct document *doc = pair->group->side[SIDE_BASE].doc;
	struct json_object *object = json_object_new_object();
	struct json_object *point = pair->point[SIDE_BASE][0];
	char *text;

	json_object_array_add(points, object);
	json_add_string(object, "file", pair->group->name);
	text = document_text(doc->root, "benchmark");
	json_add_string(object, "benchmark", text);
	free(text);
	text = document_text(point, "section");
	json_add_string(object, "section", text);
	free(text);
	json_object_object_add(object, "parameters",
			       json_object_get(json_object_object_get(point, "parameters")));
	add_side(object, "base", &pair->group->side[SIDE_BASE]);
	add_side(object, "new", &pair->group->side[SIDE_NEW]);
	return json_add_object(object, "metrics");
}

static void add_summary(struct json_object *object,
			const struct comparison *comparison)
{
	const unsigned int *verdicts = comparison->verdicts;

	json_add_count(object, "faster", verdicts[VERDICT_FASTER]);
	json_add_count(object, "slower", verdicts[VERDICT_SLOWER]);
	json_add_count(object, "changed", verdicts[VERDICT_CHANGED]);
	json_add_count(object, "no_difference_shown",
		       verdicts[VERDICT_NO_DIFFERENCE]);
	json_add_count(object, "not_comparable",
		       verdicts[VERDICT_NOT_COMPARABLE]);
	json_add_count(object, "regressions", comparison->regressions);
}

/**
 * comparison_json() - print a comparison as JSON
 * @f: output stream
 * @comparison: the comparison
 */
void comparison_json(FILE *f, const struct comparison *comparison)
{
	struct json_object *root = json_object_new_object(), *array;
	struct json_object *metrics = NULL;
	const struct pair *pair = NULL;
	unsigned int i;

	json_add_string(root, "schema", SCHEMA);
	json_add_number(root, "threshold", comparison->threshold);
	json_object_object_add(root, "icount",
			       json_object_new_boolean(comparison->icount));
	array = json_add_array(root, "forced");
	for (i = 0; i < comparison->notes.count; i++)
		json_object_array_add(array,
				      json_new_string(comparison->notes.text[i]));
	array = json_add_array(root, "points");
	for (i = 0; i < comparison->rows; i++) {
		if (comparison->row[i].pair != pair) {
			pair = comparison->row[i].pair;
			metrics = add_point(array, pair);
		}
		add_row(metrics, &comparison->row[i]);
	}
	add_summary(json_add_object(root, "summary"), comparison);
	json_print(f, root);
}
