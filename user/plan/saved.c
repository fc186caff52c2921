// SPDX-License-Identifier: GPL-2.0
/* A result file that was written before; its present content is not trusted. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <json-c/json.h>

#include "base/json_read.h"
#include "saved.h"

/* Largest file that is read, below the most that json-c parses in one call, bytes. */
#define MOST_BYTES	0x40000000

/**
 * saved_exists() - check whether a result's file exists
 * @path: path of the file
 *
 * Return: true if there is a regular file.
 */
bool saved_exists(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool is_string(struct json_object *object, const char *key,
		      const char *value)
{
	struct json_object *string;

	return json_object_object_get_ex(object, key, &string) && json_is(string, value);
}

static bool same_command(struct json_object *root, char **argv)
{
	struct json_object *command;
	size_t i, count;

	if (!json_object_object_get_ex(root, "command", &command) ||
	    !json_object_is_type(command, json_type_array))
		return false;
	count = json_object_array_length(command);
	for (i = 0; i < count && argv[i]; i++)
		if (!json_is(json_object_array_get_idx(command, i), argv[i]))
			return false;
	return i == count && !argv[i];
}

static bool has_number(struct json_object *object, const char *key)
{
	struct json_object *number;

	return json_object_object_get_ex(object, key, &number) &&
	       (json_object_is_type(number, json_type_int) ||
		json_object_is_type(number, json_type_double));
}

/* True if there are metrics, and each is a scalar or a distribution. */
static bool has_metrics(struct json_object *point)
{
	struct json_object *metrics;
	bool any = false;

	if (!json_object_object_get_ex(point, "metrics", &metrics) ||
	    !json_object_is_type(metrics, json_type_object))
		return false;
	json_object_object_foreach(metrics, name, metric) {
		(void)name;
		if (!has_number(metric, "value") && !has_number(metric, "count"))
			return false;
		any = true;
	}
	return any;
}

static bool has_points(struct json_object *root)
{
	struct json_object *points;
	size_t i, count;

	if (!json_object_object_get_ex(root, "points", &points) ||
	    !json_object_is_type(points, json_type_array))
		return false;
	count = json_object_array_length(points);
	for (i = 0; i < count; i++)
		if (!has_metrics(json_object_array_get_idx(points, i)))
			return false;
	return count;
}

/* Description of what is wrong with a result; NULL for nothing. */
static const char *defect(struct json_object *root, char **argv)
{
	struct json_object *partial;

	if (!json_object_is_type(root, json_type_object) ||
	    !is_string(root, "schema", "icbench/1") ||
	    !json_object_object_get_ex(root, "partial", &partial) ||
	    !json_object_is_type(partial, json_type_boolean))
		return "broken";
	if (json_object_get_boolean(partial))
		return "partial";
	if (!has_points(root))
		return "broken";
	return same_command(root, argv) ? NULL : "the result of another command";
}

/* A run of several workers must have all of them, and a run beside a load the load. */
static bool has_parts(struct json_object *point, const struct plan_point *planned)
{
	const u32 count = planned->params.workers;
	struct json_object *runs;

	if (count > 1 &&
	    (!json_object_object_get_ex(point, "workers", &runs) ||
	     !json_object_is_type(runs, json_type_array) ||
	     json_object_array_length(runs) < count))
		return false;
	return !planned->beside ||
	       (json_object_object_get_ex(point, "load", &runs) &&
		json_object_is_type(runs, json_type_object));
}

static bool was_complete(struct json_object *run)
{
	return is_string(run, "outcome", "complete");
}

/* A repeated point must have all of its runs. */
static bool has_runs(struct json_object *point, const struct plan *plan,
		     unsigned int index)
{
	const struct plan_point *planned = &plan->point[index];
	struct json_object *runs, *run;
	unsigned int i;

	if (!plan_repeats(plan))
		return has_parts(point, planned);
	if (!json_object_object_get_ex(point, "runs", &runs) ||
	    !json_object_is_type(runs, json_type_array) ||
	    json_object_array_length(runs) < plan->repeat)
		return false;
	for (i = 0; i < plan->repeat; i++) {
		run = json_object_array_get_idx(runs, i);
		if (!has_metrics(run) || !was_complete(run) ||
		    !has_parts(run, planned))
			return false;
	}
	return true;
}

/* The points of the result must be in the order of the plan. */
static int check_runs(struct json_object *root, const struct plan *plan,
		      struct icb_reason *why)
{
	struct json_object *points = json_object_object_get(root, "points");
	size_t count = json_object_array_length(points);
	unsigned int i;

	if (count < plan->count && !plan->shrinks)
		return icb_refuse(why, -EINVAL,
				  "incomplete, with %zu of %u points", count,
				  plan->count);
	for (i = 0; i < plan->count && i < count; i++)
		if (!has_runs(json_object_array_get_idx(points, i), plan, i))
			return icb_refuse(why, -EINVAL,
					  "incomplete, because a point lacks some of its runs");
	return 0;
}

/**
 * saved_is_complete() - check whether a saved result is complete and of a given command
 * @path: path of the result's file
 * @argv: the command, as a result records it, ending in NULL
 * @plan: runs that the command makes
 * @why: receives what is wrong with the result, in a few words
 *
 * Return: true if so.
 */
bool saved_is_complete(const char *path, char **argv, const struct plan *plan,
		       struct icb_reason *why)
{
	struct json_object *root = json_read(path, MOST_BYTES, why);
	const char *wrong = defect(root, argv);
	int err;

	err = wrong ? icb_refuse(why, -EINVAL, "%s", wrong) :
		      check_runs(root, plan, why);
	json_object_put(root);
	return !err;
}
