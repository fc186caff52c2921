// SPDX-License-Identifier: GPL-2.0
#include "unit.h"
#include <unistd.h>
#include "plan/saved.h"

static char *command[] = { "icbenchctl", "run", "latency", NULL };

#define RESULT(points) \
	"{ \"schema\": \"icbench/1\", \"partial\": false,\n" \
	"  \"command\": [ \"icbenchctl\", \"run\", \"latency\" ],\n" \
	"  \"points\": " points " }\n"
#define POINT(metrics)	"{ \"metrics\": " metrics " }"
#define SCALAR		"{ \"latency\": { \"value\": 1.5 } }"
#define NOTE(bytes)	RESULT("[" POINT(SCALAR) "], \"note\": \"" bytes "\"")

/* Word for the fault in a saved result; NULL for none. */
static const struct {
	const char *text;
	const char *wrong;
} rows[] = {
	{ RESULT("[" POINT(SCALAR) "]"), NULL },
	{ RESULT("[" POINT(SCALAR) "," POINT(SCALAR) "]"), NULL },
	{ RESULT("[" POINT("{ \"latency\": { \"count\": 3 } }") "]"), NULL },
	{ RESULT("[]"), "broken" },
	{ RESULT("null"), "broken" },
	{ RESULT("{ \"0\": " POINT(SCALAR) "}"), "broken" },
	{ RESULT("[ null ]"), "broken" },
	{ RESULT("[ 5 ]"), "broken" },
	{ RESULT("[ \"metrics\" ]"), "broken" },
	{ RESULT("[ {} ]"), "broken" },
	{ RESULT("[" POINT("null") "]"), "broken" },
	{ RESULT("[" POINT("{}") "]"), "broken" },
	{ RESULT("[" POINT("[" SCALAR "]") "]"), "broken" },
	{ RESULT("[" POINT("{ \"latency\": null }") "]"), "broken" },
	{ RESULT("[" POINT("{ \"latency\": 1.5 }") "]"), "broken" },
	{ RESULT("[" POINT("{ \"latency\": {} }") "]"), "broken" },
	{ RESULT("[" POINT("{ \"latency\": { \"value\": \"1.5\" } }") "]"), "broken" },
	{ RESULT("[" POINT("{ \"latency\": { \"value\": null } }") "]"), "broken" },
	/* one of several points */
	{ RESULT("[" POINT(SCALAR) ", {} ]"), "broken" },
	{ RESULT("[ {}, " POINT(SCALAR) "]"), "broken" },
	{ RESULT("[" POINT("{ \"latency\": { \"value\": 1 }, \"post\": {} }") "]"),
	  "broken" },
	{ NOTE("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), NULL },
	{ NOTE("\xff"), "broken" },
	{ NOTE("\x80"), "broken" },
	{ NOTE("\xc3"), "broken" },
	{ NOTE("\xc3("), "broken" },
	{ NOTE("\xc0\xaf"), "broken" },
	{ NOTE("\xe0\x80\xaf"), "broken" },
	{ NOTE("\xed\xa0\x80"), "broken" },
	{ NOTE("\xf4\x90\x80\x80"), "broken" },
	{ RESULT("[" POINT("{ \"lat\xff\": { \"value\": 1 } }") "]"), "broken" },
	{ RESULT("[" POINT(SCALAR) "]") "\xff", "broken" },
};

#define PLAIN		POINT(SCALAR)
#define MORE(runs)	"{ \"metrics\": " SCALAR ", " runs " }"
#define WORKERS(each)	"\"workers\": [" each "]"
#define LOAD		"\"load\": { \"metrics\": " SCALAR " }"

#define ALONE		{ .baseline = -1 }
#define TWO_WORKERS	{ .params = { .workers = 2 } }
#define LOADED		{ .beside = 1 }

/* Planned points, and the points in the result. */
static struct {
	struct plan_point planned[3];
	unsigned int count;
	const char *text;
	const char *wrong;
} runs[] = {
	{ { ALONE }, 1, RESULT("[" PLAIN "]"), NULL },
	{ { ALONE }, 2, RESULT("[" PLAIN "," PLAIN "]"), NULL },
	{ { ALONE }, 2, RESULT("[" PLAIN "]"), "incomplete, with 1 of 2 points" },
	{ { ALONE }, 3, RESULT("[" PLAIN "," PLAIN "]"),
	  "incomplete, with 2 of 3 points" },
	/* a device with more capabilities gave more points */
	{ { ALONE }, 2, RESULT("[" PLAIN "," PLAIN "," PLAIN "]"), NULL },
	{ { TWO_WORKERS }, 1, RESULT("[" MORE(WORKERS("{}, {}")) "]"), NULL },
	{ { TWO_WORKERS }, 1, RESULT("[" MORE(WORKERS("{}")) "]"),
	  "incomplete, because a point lacks some of its runs" },
	{ { TWO_WORKERS }, 1, RESULT("[" MORE("\"workers\": 2") "]"),
	  "incomplete, because a point lacks some of its runs" },
	{ { TWO_WORKERS }, 1, RESULT("[" PLAIN "]"),
	  "incomplete, because a point lacks some of its runs" },
	{ { { .params = { .workers = 1 } } }, 1, RESULT("[" PLAIN "]"), NULL },
	{ { LOADED }, 1, RESULT("[" MORE(LOAD) "]"), NULL },
	{ { LOADED }, 1, RESULT("[" MORE("\"load\": null") "]"),
	  "incomplete, because a point lacks some of its runs" },
	{ { LOADED }, 1, RESULT("[" PLAIN "]"),
	  "incomplete, because a point lacks some of its runs" },
	/* the load has to be at the second point, not at the first */
	{ { ALONE, LOADED }, 2, RESULT("[" PLAIN "," MORE(LOAD) "]"), NULL },
	{ { ALONE, LOADED }, 2, RESULT("[" MORE(LOAD) "," PLAIN "]"),
	  "incomplete, because a point lacks some of its runs" },
	/* the more serious fault is reported */
	{ { ALONE }, 2, RESULT("[ {} ]"), "broken" },
};

#define RUN(outcome)	MORE("\"outcome\": \"" outcome "\"")
#define RUNS(each)	"\"repeat\": 2, \"runs\": [" each "]"
#define BOTH		RUN("complete") "," RUN("complete")
#define FULL_RUN \
	MORE("\"outcome\": \"complete\", " LOAD "," WORKERS("{}, {}"))
#define SHORT	"incomplete, because a point lacks some of its runs"

/* Points that are run twice. */
static struct {
	struct plan_point planned;
	const char *text;
	const char *wrong;
} repeated[] = {
	{ ALONE, RESULT("[" MORE(RUNS(BOTH)) "]"), NULL },
	{ ALONE, RESULT("[" MORE(RUNS(BOTH "," RUN("complete"))) "]"), NULL },
	{ ALONE, RESULT("[" PLAIN "]"), SHORT },
	{ ALONE, RESULT("[" MORE(RUNS(RUN("complete"))) "]"), SHORT },
	{ ALONE, RESULT("[" MORE("\"runs\": 2") "]"), SHORT },
	{ ALONE, RESULT("[" MORE("\"runs\": [ 1, null ]") "]"), SHORT },
	{ ALONE, RESULT("[" MORE(RUNS(RUN("complete") "," RUN("stopped"))) "]"),
	  SHORT },
	{ ALONE, RESULT("[" MORE(RUNS(PLAIN "," RUN("complete"))) "]"), SHORT },
	{ ALONE, RESULT("[" MORE(RUNS(RUN("complete") ",{ \"outcome\": \"complete\" }")) "]"),
	  SHORT },
	/* each repetition has all runs */
	{ { .beside = 1, .params = { .workers = 2 } },
	  RESULT("[" MORE(RUNS(FULL_RUN "," FULL_RUN)) "]"), NULL },
	{ { .beside = 1, .params = { .workers = 2 } },
	  RESULT("[" MORE(RUNS(FULL_RUN "," RUN("complete"))) "]"), SHORT },
	{ TWO_WORKERS, RESULT("[" MORE(RUNS(BOTH) "," WORKERS("{}, {}")) "]"),
	  SHORT },
};

static char path[] = "/tmp/saved.XXXXXX";
static int fd;

static int make_file(void **state)
{
	(void)state;
	fd = mkstemp(path);
	return fd < 0;
}

static int remove_file(void **state)
{
	(void)state;
	close(fd);
	return unlink(path);
}

/* Check that the result has the given fault. */
static bool is_wrong(const char *text, char **argv, const struct plan *plan,
		     const char *wrong)
{
	struct icb_reason why;
	bool whole;

	if (ftruncate(fd, 0) ||
	    pwrite(fd, text, strlen(text), 0) != (ssize_t)strlen(text) ||
	    !saved_exists(path))
		return false;
	whole = saved_is_complete(path, argv, plan, &why);
	return wrong ? !whole && !strcmp(why.text, wrong) : whole;
}

static void test_whole(void **state)
{
	struct plan_point point = { 0 };
	const struct plan plan = { .point = &point, .count = 1 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		assert_row(i, is_wrong(rows[i].text, command, &plan,
				       rows[i].wrong));
}

static void test_runs(void **state)
{
	struct plan plan;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		plan = (struct plan){
			.point = runs[i].planned,
			.count = runs[i].count,
		};
		assert_row(i, is_wrong(runs[i].text, command, &plan,
				       runs[i].wrong));
	}
}

static void test_repeated(void **state)
{
	struct plan plan = { .count = 1, .repeat = 2 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(repeated); i++) {
		plan.point = &repeated[i].planned;
		assert_row(i, is_wrong(repeated[i].text, command, &plan,
				       repeated[i].wrong));
	}
}

/* The plan does not matter if the result is the result of another command. */
static void test_other_command(void **state)
{
	static char *other[] = { "icbenchctl", "run", "bandwidth", NULL };
	struct plan_point points[] = { ALONE, ALONE };
	const struct plan plan = { .point = points, .count = 2 };

	(void)state;
	assert_true(is_wrong(RESULT("[" PLAIN "]"), other, &plan,
			     "the result of another command"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_other_command),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
