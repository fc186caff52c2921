// SPDX-License-Identifier: GPL-2.0
#include "unit.h"
#include <unistd.h>
#include "saved.h"

static char *command[] = { "icbenchctl", "run", "latency", NULL };

#define RESULT(points) \
	"{ \"schema\": \"icbench/1\", \"partial\": false,\n" \
	"  \"command\": [ \"icbenchctl\", \"run\", \"latency\" ],\n" \
	"  \"points\": " points " }\n"
#define POINT(metrics)	"{ \"metrics\": " metrics " }"
#define SCALAR		"{ \"latency\": { \"value\": 1.5 } }"
#define NOTE(bytes)	RESULT("[" POINT(SCALAR) "], \"note\": \"" bytes "\"")

/* The word for what is wrong with it; NULL for nothing. */
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
	/* one of several */
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

static void test_whole(void **state)
{
	struct icb_reason why;
	char path[] = "/tmp/saved.XXXXXX";
	int fd = mkstemp(path);
	bool whole;
	size_t i;

	(void)state;
	assert_true(fd >= 0);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_row(i, !ftruncate(fd, 0));
		assert_row(i, pwrite(fd, rows[i].text, strlen(rows[i].text), 0) ==
			      (ssize_t)strlen(rows[i].text));
		assert_row(i, saved_exists(path));
		whole = saved_is_whole(path, command, &why);
		assert_row(i, whole == !rows[i].wrong);
		assert_row(i, whole || !strcmp(why.text, rows[i].wrong));
	}
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
