// SPDX-License-Identifier: GPL-2.0
/*
 * The files of a report: results, comparisons and profiles in JSON, and folded call stacks.
 * A file may be from anywhere: what the report reads from it is checked here.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "base/json_read.h"
#include "inputs.h"
#include "stack.h"

/* Most files of a report. */
#define INPUTS_MAX	2000
/* Largest size of all files, bytes: a document in memory has several times its size. */
#define BYTES_MAX	(256ull << 20)

#define FOLDED		".folded"
#define ACCEPTED	"accepted: a result, a comparison or a profile in JSON, or call stacks in a file *.folded"

static bool ends_with(const char *name, const char *suffix)
{
	size_t len = strlen(name), end = strlen(suffix);

	return len > end && !strcmp(name + len - end, suffix);
}

/* The member @key of an object, if it has the type. */
static struct json_object *member(struct json_object *object, const char *key,
				  enum json_type type)
{
	struct json_object *value;

	return json_object_is_type(object, json_type_object) &&
	       json_object_object_get_ex(object, key, &value) &&
	       json_object_is_type(value, type) ? value : NULL;
}

static const char *comparison_defect(struct json_object *root)
{
	struct json_object *points = member(root, "points", json_type_array);
	struct json_object *metrics;
	size_t i;

	if (!points || !json_object_array_length(points))
		return "has no points";
	for (i = 0; i < json_object_array_length(points); i++) {
		metrics = member(json_object_array_get_idx(points, i), "metrics",
				 json_type_object);
		if (!metrics)
			return "has a point without metrics";
		json_object_object_foreach(metrics, name, metric) {
			(void)name;
			if (!member(metric, "unit", json_type_string) ||
			    !member(metric, "verdict", json_type_string))
				return "has a metric without a unit or a verdict";
		}
	}
	return NULL;
}

static const char *profile_defect(struct json_object *root)
{
	struct json_object *rows = member(root, "functions", json_type_array);
	struct json_object *row;
	double number;
	size_t i;

	if (!rows || !json_object_array_length(rows))
		return "has no functions";
	if (!document_number(root, "sum", &number) || number <= 0)
		return "has no sum";
	for (i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		if (!member(row, "name", json_type_string) ||
		    !member(row, "module", json_type_string) ||
		    !document_number(row, "instructions", &number))
			return "has a function without name, module or instructions";
	}
	return NULL;
}

static int take_json(struct input *input, struct json_object *root,
		     struct icb_reason *why)
{
	struct json_object *schema = member(root, "schema", json_type_string);
	const char *defect;
	char *text;

	if (schema && json_is(schema, "icbench/1")) {
		input->kind = INPUT_RESULT;
		return document_take(&input->doc, input->path, root, why);
	}
	input->root = root;
	if (schema && json_is(schema, "icbench-compare/1")) {
		input->kind = INPUT_COMPARISON;
		defect = comparison_defect(root);
	} else if (schema && json_is(schema, "icbench-profile/1")) {
		input->kind = INPUT_PROFILE;
		defect = profile_defect(root);
	} else if (!schema) {
		defect = "has no schema";
	} else {
		text = document_text(root, "schema");
		icb_refuse(why, -EINVAL,
			   "%.80s: the schema is \"%.30s\"; " ACCEPTED,
			   input->path, text);
		free(text);
		return -EINVAL;
	}
	return !defect ? 0 : icb_refuse(why, -EINVAL, "%.80s: %s; " ACCEPTED,
					input->path, defect);
}

static int read_input(struct input *input, struct icb_reason *why)
{
	struct json_object *root;

	if (ends_with(input->path, FOLDED)) {
		input->kind = INPUT_STACKS;
		input->stack = stack_read(input->path, DOCUMENT_BYTES, why);
		return input->stack ? 0 : -EINVAL;
	}
	root = json_read(input->path, DOCUMENT_BYTES, why);
	return root ? take_json(input, root, why) : -EINVAL;
}

static int add_file(struct inputs *inputs, const char *path,
		    struct icb_reason *why)
{
	struct input *input;
	struct stat st;

	if (inputs->count == INPUTS_MAX)
		return icb_refuse(why, -E2BIG, "more than %u files; accepted: up to %u",
				  INPUTS_MAX, INPUTS_MAX);
	if (!stat(path, &st) && S_ISREG(st.st_mode))
		inputs->bytes += st.st_size;
	if (inputs->bytes > BYTES_MAX)
		return icb_refuse(why, -EFBIG,
				  "%.80s: the files have more than %llu bytes; accepted: up to %llu",
				  path, BYTES_MAX, BYTES_MAX);
	inputs->input = alloc_grow(inputs->input, inputs->count,
				   sizeof(*inputs->input));
	input = &inputs->input[inputs->count++];
	input->path = alloc_text("%s", path);
	return read_input(input, why);
}

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && (ends_with(entry->d_name, ".json") ||
					   ends_with(entry->d_name, FOLDED));
}

static int add_directory(struct inputs *inputs, const char *path,
			 struct icb_reason *why)
{
	struct dirent **entries;
	int count, i, err = 0;
	char *file;

	count = scandir(path, &entries, is_input, alphasort);
	if (count < 0)
		return icb_refuse(why, -errno, "cannot read %.120s: %s", path,
				  strerror(errno));
	if (!count)
		err = icb_refuse(why, -ENOENT,
				 "%.80s: has no file *.json or *%s; accepted: a directory of icbenchctl suite",
				 path, FOLDED);
	for (i = 0; i < count; i++) {
		file = alloc_text("%s%s%s", path, ends_with(path, "/") ? "" : "/",
				  entries[i]->d_name);
		if (!err)
			err = add_file(inputs, file, why);
		free(file);
		free(entries[i]);
	}
	free(entries);
	return err;
}

/* When a result was started, as a text that sorts by time. */
static const char *started(const struct input *input)
{
	struct json_object *value = NULL;

	if (input->kind == INPUT_RESULT)
		value = member(input->doc.root, "started", json_type_string);
	return value ? json_object_get_string(value) : "";
}

static bool is_after(const struct input *one, const struct input *other)
{
	if (one->kind != other->kind)
		return one->kind > other->kind;
	return strcmp(started(one), started(other)) > 0;
}

/* Insertion sort, which is stable: the order of the command line decides between equals. */
static void sort(struct inputs *inputs)
{
	struct input moved;
	unsigned int i, j;

	for (i = 1; i < inputs->count; i++) {
		moved = inputs->input[i];
		for (j = i; j && is_after(&inputs->input[j - 1], &moved); j--)
			inputs->input[j] = inputs->input[j - 1];
		inputs->input[j] = moved;
	}
}

/**
 * inputs_read() - read all files of a report
 * @inputs: files to fill; inputs_free() it in any case
 * @paths: files, and directories whose files *.json and *.folded are read; ending in NULL
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int inputs_read(struct inputs *inputs, char *const *paths,
		struct icb_reason *why)
{
	struct stat st;
	int err = 0;

	memset(inputs, 0, sizeof(*inputs));
	for (; !err && *paths; paths++)
		err = !stat(*paths, &st) && S_ISDIR(st.st_mode) ?
			add_directory(inputs, *paths, why) :
			add_file(inputs, *paths, why);
	if (!err)
		sort(inputs);
	return err;
}

/**
 * inputs_free() - free the files of a report
 * @inputs: the files
 */
void inputs_free(struct inputs *inputs)
{
	struct input *input;
	unsigned int i;

	for (i = 0; i < inputs->count; i++) {
		input = &inputs->input[i];
		document_free(&input->doc);
		json_object_put(input->root);
		stack_free(input->stack);
		free(input->path);
	}
	free(inputs->input);
	memset(inputs, 0, sizeof(*inputs));
}
