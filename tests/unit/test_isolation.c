// SPDX-License-Identifier: GPL-2.0
/* Isolation of CPUs, as read from a directory that stands for the kernel's. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "plan/isolation.h"
#include "unit.h"

static char *dir;

static void put(const char *name, const char *text)
{
	char *path = alloc_text("%s/%s", dir, name), *slash = path + strlen(dir);
	FILE *f;

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	unlink(path);
	if (text) {
		f = fopen(path, "w");
		assert_non_null(f);
		fputs(text, f);
		fclose(f);
	}
	free(path);
}

struct machine {
	const char *isolated;
	const char *nohz_full;
	const char *siblings;
	const char *governor;
	unsigned int findings;
	unsigned int blocking;
	const char *words;
};

/* State of CPU 5; a file of NULL does not exist. */
static const struct machine machines[] = {
	{ "5\n", "5\n", "5\n", "performance\n", 0, 0, NULL },
	{ "2-7\n", "0,2-3,5,9\n", "5\n", NULL, 0, 0, NULL },
	{ "2-7\n", "2-7\n", NULL, NULL, 0, 0, NULL },
	{ "0-4,6-63\n", "5\n", "5\n", NULL, 1, 1,
	  "CPU 5 is not isolated from other tasks; accepted: an isolated CPU (0-4,6-63), or " },
	{ "\n", "5\n", "5\n", NULL, 1, 1, "(none), or isolcpus=5" },
	{ NULL, "5\n", "5\n", NULL, 1, 1, "(none), or isolcpus=5" },
	{ "5\n", "50-59,15,55\n", "5\n", NULL, 1, 0,
	  "scheduler's tick; accepted: a CPU without it (50-59,15,55), or nohz_full=5" },
	{ "5\n", "  (null)\n", "5\n", NULL, 1, 0, "(none), or nohz_full=5" },
	{ "5\n", NULL, "5\n", NULL, 1, 0, "(none), or nohz_full=5" },
	{ "5\n", "5\n", "1,5\n", NULL, 1, 1, "(CPUs 1,5); accepted: nosmt" },
	{ "5\n", "5\n", "5,69\n", NULL, 1, 1, "/cpu69/online" },
	{ "5\n", "5\n", "4-7\n", NULL, 1, 1, "/cpu4/online" },
	{ "5\n", "5\n", "5-6\n", NULL, 1, 1, "/cpu6/online" },
	{ "5\n", "5\n", "5\n", "userspace\n", 0, 0, NULL },
	{ "5\n", "5\n", "5\n", "powersave\n", 1, 1,
	  "has governor powersave, which changes its frequency; accepted: echo performance > " },
	{ "6\n", "6\n", "5-6\n", "ondemand\n", 4, 3, "isolated" },
	/* invalid content is harmless */
	{ "5-\n", "-5,\n", "x5\n", "\n", 2, 1, NULL },
	{ "99999999999999999999-5\n", "5-5-5\n", "5,,7\n", NULL, 1, 1, NULL },
};

static void test_machines(void **state)
{
	const struct icb_param *cpu = icb_param_by_name("cpu");
	struct plan_point point = { 0 };
	struct plan plan = { .point = &point, .count = 1 };
	struct isolation found;
	size_t i;

	(void)state;
	icb_params_init(&point.params);
	assert_int_equal(icb_params_set_number(&point.params, cpu, 5, NULL), 0);
	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		put("isolated", machines[i].isolated);
		put("nohz_full", machines[i].nohz_full);
		put("cpu5/topology/thread_siblings_list", machines[i].siblings);
		put("cpu5/cpufreq/scaling_governor", machines[i].governor);
		memset(&found, 0, sizeof(found));
		isolation_look(&found, &plan);
		assert_row(i, found.count == machines[i].findings);
		assert_row(i, found.blocking == machines[i].blocking);
		if (machines[i].words)
			assert_row(i, strstr(found.finding[0],
					     machines[i].words));
		isolation_free(&found);
		assert_row(i, !found.count && !found.blocking && !found.finding);
	}
}

static void give_params(struct icb_params *params, const char *name, u64 value)
{
	assert_int_equal(icb_params_set_number(params, icb_param_by_name(name),
					       value, NULL), 0);
}

static void give(struct plan_point *point, const char *name, u64 value)
{
	give_params(&point->params, name, value);
}

/* Each CPU is listed once; only CPUs of this host that exist. */
static void test_cpus(void **state)
{
	static const char *const there[] = {
		"cpu1/online", "cpu2/online", "cpu3/online", "cpu4/online",
	};
	struct plan_point point[3];
	struct plan plan = { .point = point, .count = ARRAY_SIZE(point) };
	struct isolation found = { 0 };
	struct icb_reason why;
	unsigned int i;

	(void)state;
	put("isolated", "9\n");
	put("nohz_full", "0-9\n");
	memset(point, 0, sizeof(point));
	for (i = 0; i < ARRAY_SIZE(there); i++)
		put(there[i], "1\n");
	for (i = 0; i < ARRAY_SIZE(point); i++) {
		icb_params_init(&point[i].params);
		give(&point[i], "cpu", 1);
	}
	assert_int_equal(isolation_check(&plan, &why), -EINVAL);
	assert_non_null(strstr(why.text, "isolate: needs peer-cpu"));
	give(&point[0], "peer-cpu", 2);
	give(&point[1], "peer-cpu", 8);
	give(&point[2], "peer-cpu", 3);
	assert_int_equal(icb_params_set_bytes(&point[2].params,
					      icb_param_by_name("peer"), "::1",
					      3, NULL), 0);
	assert_int_equal(isolation_check(&plan, &why), 0);
	isolation_look(&found, &plan);
	assert_int_equal(found.count, 2);
	assert_non_null(strstr(found.finding[0], "CPU 1 is not isolated"));
	assert_non_null(strstr(found.finding[1], "CPU 2 is not isolated"));
	isolation_free(&found);
	give(&point[2], "shadow-cpu", 3);
	isolation_look(&found, &plan);
	assert_int_equal(found.count, 3);
	isolation_free(&found);
	/* the CPU of an existing load */
	icb_params_init(&point[1].load);
	give_params(&point[1].load, "cpu", 4);
	isolation_look(&found, &plan);
	assert_int_equal(found.count, 3);
	isolation_free(&found);
	point[1].beside = 1;
	assert_int_equal(isolation_check(&plan, &why), -EINVAL);
	assert_non_null(strstr(why.text, "needs load.peer-cpu, because"));
	assert_non_null(strstr(why.text, "accepted: load.cpu, without a peer also load.peer-cpu"));
	give_params(&point[1].load, "peer-cpu", 1);
	assert_int_equal(isolation_check(&plan, &why), 0);
	isolation_look(&found, &plan);
	assert_int_equal(found.count, 4);
	assert_non_null(strstr(found.finding[3], "CPU 4 is not isolated"));
	isolation_free(&found);
	point[1].params.given = 0;
	assert_int_equal(isolation_check(&plan, &why), -EINVAL);
	assert_non_null(strstr(why.text, "isolate: needs cpu"));
}

static int begin(void **state)
{
	(void)state;
	dir = alloc_text("/tmp/icbench-isolation-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	isolation_dir = dir;
	return 0;
}

static int end(void **state)
{
	char *command = alloc_text("rm -rf %s", dir);
	int err = system(command);

	(void)state;
	free(command);
	free(dir);
	return err;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_cpus),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
