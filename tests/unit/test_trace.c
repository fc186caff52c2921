// SPDX-License-Identifier: GPL-2.0
/* Permitted files for a trace, and how much is traced. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "plan/trace.h"
#include "unit.h"

static char *dir;

static char *in_dir(const char *name)
{
	return alloc_text("%s/%s", dir, name);
}

static void put(const char *name, const char *text)
{
	char *path = in_dir(name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	free(path);
}

static void link_to(const char *name, const char *target)
{
	char *path = in_dir(name);

	assert_int_equal(symlink(target, path), 0);
	free(path);
}

struct place {
	const char *name;
	int err;
	bool stays;
};

static const struct place places[] = {
	{ "new", 0, false },
	{ "ours", 0, true },
	{ "empty", -EEXIST, true },
	{ "half", -EEXIST, true },
	{ "other", -EEXIST, true },
	{ "link-to-ours", -EEXIST, true },
	{ "link-to-nothing", -EEXIST, true },
	{ "fifo", -EEXIST, true },
	{ "directory", -EEXIST, true },
	{ "nosuch/new", -ENOENT, false },
	{ "other/new", -ENOTDIR, false },
};

static void test_places(void **state)
{
	struct icb_reason why;
	struct stat st;
	char *path;
	size_t i;

	(void)state;
	put("ours", "# icbench trace: icbenchctl run latency\nrest\n");
	put("empty", "");
	put("half", "# icbench tra");
	put("other", "# icbench trade: precious\n");
	link_to("link-to-ours", "ours");
	link_to("link-to-nothing", "nothing");
	path = in_dir("fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	free(path);
	path = in_dir("directory");
	assert_int_equal(mkdir(path, 0700), 0);
	free(path);
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		path = in_dir(places[i].name);
		assert_row(i, trace_check_file(path, &why) == places[i].err);
		assert_row(i, !lstat(path, &st) == places[i].stays);
		free(path);
	}
	path = in_dir("nothing");
	assert_int_equal(access(path, F_OK), -1);
	free(path);
}

static void test_names(void **state)
{
	struct trace trace = { 0 };
	struct icb_reason why;

	(void)state;
	assert_int_equal(trace_name(&trace, NULL, &why), 0);
	assert_string_equal(trace.name, TRACE_FILE);
	assert_false(trace.asked);
	trace = (struct trace){ 0 };
	assert_int_equal(trace_name(&trace, "no", &why), 0);
	assert_null(trace.name);
	assert_int_equal(trace_name(&trace, "./no", &why), 0);
	assert_string_equal(trace.name, "./no");
	assert_true(trace.asked);
	trace = (struct trace){ 0 };
	assert_int_equal(trace_name(&trace, "-", &why), -EINVAL);
	assert_int_equal(trace_name(&trace, "", &why), -EINVAL);
	assert_null(trace.name);
}

static void test_buffers(void **state)
{
	(void)state;
	assert_int_equal(tracefs_buffer_kb(-1), 1024);
	assert_int_equal(tracefs_buffer_kb(1), 1024);
	assert_int_equal(tracefs_buffer_kb(16), 1024);
	assert_int_equal(tracefs_buffer_kb(64), 256);
	assert_int_equal(tracefs_buffer_kb(256), 64);
	assert_int_equal(tracefs_buffer_kb(8192), 64);
}

static int make_dir(void **state)
{
	char template[] = "/tmp/icbench-trace-XXXXXX";

	(void)state;
	dir = mkdtemp(template) ? alloc_text("%s", template) : NULL;
	return !dir;
}

static int remove_dir(void **state)
{
	char *command = alloc_text("rm -r '%s'", dir);
	int err = system(command);

	(void)state;
	free(command);
	free(dir);
	return err;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_buffers),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
