// SPDX-License-Identifier: GPL-2.0
/* Fuzz target for a saved result, which may have been changed or damaged. */
#include <assert.h>
#include <iconv.h>
#include <json-c/json.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "plan/saved.h"
#include "target.h"

/* Command of the seeds, too; a command with one word more or less differs from it. */
#define COMMAND	"icbenchctl", "run", "latency", "10.77.0.1", "-n", "20"
#define WRITTEN	"[\"icbenchctl\",\"run\",\"latency\",\"10.77.0.1\",\"-n\",\"20\"]"

static char *command[] = { COMMAND, NULL };
static char *longer[] = { COMMAND, "30", NULL };
static char *shorter[] = { "icbenchctl", "run", NULL };

/* A plan of one point, and one whose second point has two workers and a load. */
static struct plan_point points[] = { { .baseline = -1 }, { .params.workers = 2, .beside = 1 } };
static const struct plan one = { .point = points, .count = 1 };
static const struct plan two = { .point = points, .count = 2 };

static struct json_object *parse(const uint8_t *data, size_t size)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *root;
	size_t end;

	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	root = json_tokener_parse_ex(tokener, (const char *)data, size);
	for (end = json_tokener_get_parse_end(tokener); end < size; end++) {
		if (!strchr(" \t\r\n", data[end]) || !data[end]) {
			json_object_put(root);
			root = NULL;
		}
	}
	json_tokener_free(tokener);
	return root;
}

static bool is(struct json_object *root, const char *key, const char *text)
{
	struct json_object *value;

	return json_object_is_type(root, json_type_object) &&
	       json_object_object_get_ex(root, key, &value) &&
	       !strcmp(json_object_to_json_string_ext(value,
						      JSON_C_TO_STRING_PLAIN |
						      JSON_C_TO_STRING_NOSLASHESCAPE),
		       text);
}

static bool has_number(struct json_object *object, const char *key)
{
	struct json_object *value = json_object_object_get(object, key);

	return value && strchr("-0123456789NI", *json_object_to_json_string(value));
}

static bool has_metrics(struct json_object *point)
{
	struct json_object *metrics = NULL, *metric;
	struct json_object_iterator i, end;

	json_object_object_get_ex(point, "metrics", &metrics);
	if (!json_object_is_type(metrics, json_type_object) || is(point, "metrics", "{}"))
		return false;
	i = json_object_iter_begin(metrics);
	for (end = json_object_iter_end(metrics); !json_object_iter_equal(&i, &end);
	     json_object_iter_next(&i)) {
		metric = json_object_iter_peek_value(&i);
		if (!json_object_is_type(metric, json_type_object) ||
		    !(has_number(metric, "value") || has_number(metric, "count")))
			return false;
	}
	return true;
}

static bool has_points(struct json_object *root)
{
	struct json_object *points;
	size_t i;

	if (!json_object_object_get_ex(root, "points", &points) ||
	    !json_object_is_type(points, json_type_array))
		return false;
	for (i = json_object_array_length(points); i > 0; i--)
		if (!has_metrics(json_object_array_get_idx(points, i - 1)))
			return false;
	return !is(root, "points", "[]");
}

/* Check for the results of @two's workers and load. */
static bool has_runs(struct json_object *root)
{
	struct json_object *all = json_object_object_get(root, "points");
	struct json_object *last = json_object_array_get_idx(all, 1), *workers, *load;

	return last && json_object_object_get_ex(last, "workers", &workers) &&
	       json_object_object_get_ex(last, "load", &load) &&
	       json_object_is_type(workers, json_type_array) &&
	       json_object_array_length(workers) >= 2 &&
	       json_object_is_type(load, json_type_object);
}

static bool is_utf8(const uint8_t *data, size_t size)
{
	iconv_t to = iconv_open("UTF-32LE", "UTF-8");
	char buf[4 * 4096], *in = (char *)data, *out = buf;
	size_t room = sizeof(buf), got;

	assert(to != (iconv_t)-1 && size <= sizeof(buf) / 4);
	got = iconv(to, &in, &size, &out, &room);
	iconv_close(to);
	return got != (size_t)-1;
}

/*
 * Check the result by another method than the tested one: parse it and compare its
 * members.
 */
static bool is_whole(const uint8_t *data, size_t size, const struct plan *plan)
{
	struct json_object *root = is_utf8(data, size) ? parse(data, size) : NULL;
	bool whole = is(root, "schema", "\"icbench/1\"") && is(root, "partial", "false") &&
		     is(root, "command", WRITTEN) && has_points(root) &&
		     (plan == &one || has_runs(root));

	json_object_put(root);
	return whole;
}

static bool saved(const char *path, char **argv, const struct plan *plan)
{
	struct icb_reason why = { .text = "" };
	bool whole = saved_is_complete(path, argv, plan, &why);

	assert(whole == !why.text[0]);
	if (argv == command && plan == &one)
		check_reason(whole ? 0 : -EINVAL, &why);
	return whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char path[40];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("saved", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	assert(saved_exists(path));
	assert(!ftruncate(fd, 0) && pwrite(fd, data, size, 0) == (ssize_t)size);
	assert(saved(path, command, &one) == is_whole(data, size, &one));
	assert(saved(path, command, &two) == is_whole(data, size, &two));
	if (saved(path, command, &one))
		assert(!saved(path, longer, &one) && !saved(path, shorter, &one));
	return 0;
}
