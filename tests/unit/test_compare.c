// SPDX-License-Identifier: GPL-2.0
/* icbenchctl compare: figures, verdicts, and documents that are refused. */
#include "unit.h"
#include <fcntl.h>
#include <math.h>
#include <unistd.h>
#include <json-c/json.h>

#include "base/message.h"
#include "base/status.h"
#include "cmd/commands.h"
#include "compare/comparison.h"

static char base_path[] = "/tmp/compare-base.XXXXXX";
static char new_path[] = "/tmp/compare-new.XXXXXX";

#define ENVIRONMENT(icount) \
	"{ \"kernel\": \"6.1 x86_64\", \"device\": \"rxe0\", \"cpus\": 2," \
	" \"icount\": " icount " }"
#define DOCUMENT(icount, points) \
	"{ \"schema\": \"icbench/1\", \"benchmark\": \"latency\"," \
	" \"partial\": false, \"environment\": " ENVIRONMENT(icount) "," \
	" \"points\": [" points "] }"
#define POINT(size, metrics) \
	"{ \"parameters\": { \"size\": " size ", \"verb\": \"send\" }," \
	" \"metrics\": {" metrics "} }"
/* A distribution around a mean, with an interval of 2 % to either side. */
#define LATENCY(mean, low, high, p99) \
	"\"latency\": { \"unit\": \"ns\", \"count\": 2000, \"min\": 900," \
	" \"mean\": " mean ", \"percentiles\": { \"50\": 1000, \"99\": " p99 " }," \
	" \"supported\": [ \"50\" ], \"unsupported\": [ \"99\" ]," \
	" \"interval\": { \"low\": " low ", \"high\": " high " } }"
#define RATE(value)	"\"message_rate\": { \"unit\": \"1/s\", \"value\": " value " }"
#define BASE_POINT	POINT("64", LATENCY("1000", "980", "1020", "1500"))

static void write_file(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

/* Run the command without its output, which compare.t tests. */
static int quietly(char **argv)
{
	int null = open("/dev/null", O_WRONLY), out = dup(STDOUT_FILENO);
	int err = dup(STDERR_FILENO), status;

	fflush(NULL);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	status = cmd_compare(argv);
	fflush(NULL);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(null);
	close(out);
	close(err);
	return status;
}

/* Compare two texts with an option or none, in one format after the other. */
static int compare(const char *base, const char *new, char *option)
{
	static char *const formats[] = {
		"--json=-", "--ktap", "--junit=-", NULL,
	};
	static unsigned int calls;
	char *const format = formats[calls++ % ARRAY_SIZE(formats)];
	char *argv[] = {
		"icbenchctl", "compare", base_path, new_path, NULL, NULL, NULL,
	};
	unsigned int count = 4;

	/* the text has no option */
	if (format)
		argv[count++] = format;
	argv[count] = option;
	write_file(base_path, base, strlen(base));
	write_file(new_path, new, strlen(new));
	return quietly(argv);
}

/* Documents, and the status of their comparison. */
static const struct {
	const char *base;
	const char *new;
	char *option;
	int status;
} rows[] = {
	/* two equal documents have no regression */
	{ DOCUMENT("false", BASE_POINT), DOCUMENT("false", BASE_POINT), NULL,
	  STATUS_DONE },
	{ DOCUMENT("true", BASE_POINT), DOCUMENT("true", BASE_POINT), NULL,
	  STATUS_DONE },
	{ DOCUMENT("true", BASE_POINT), DOCUMENT("true", BASE_POINT),
	  "--threshold=0", STATUS_DONE },
	/* +10 %: found; +4 %: not shown beyond the threshold */
	{ DOCUMENT("false", BASE_POINT),
	  DOCUMENT("false", POINT("64", LATENCY("1100", "1080", "1120", "9999"))),
	  NULL, STATUS_REGRESSION },
	{ DOCUMENT("false", BASE_POINT),
	  DOCUMENT("false", POINT("64", LATENCY("1040", "1020", "1060", "1500"))),
	  NULL, STATUS_DONE },
	{ DOCUMENT("false", BASE_POINT),
	  DOCUMENT("false", POINT("64", LATENCY("1040", "1020", "1060", "1500"))),
	  "--threshold=1", STATUS_REGRESSION },
	/* -10 % */
	{ DOCUMENT("false", BASE_POINT),
	  DOCUMENT("false", POINT("64", LATENCY("900", "880", "920", "1500"))),
	  NULL, STATUS_DONE },
	/* +10 % with wide intervals */
	{ DOCUMENT("false", BASE_POINT),
	  DOCUMENT("false", POINT("64", LATENCY("1100", "900", "1300", "1500"))),
	  NULL, STATUS_DONE },
	/* instructions: +1.2 %, +0.8 % */
	{ DOCUMENT("true", BASE_POINT),
	  DOCUMENT("true", POINT("64", LATENCY("1012", "1", "9999", "1500"))),
	  NULL, STATUS_REGRESSION },
	{ DOCUMENT("true", BASE_POINT),
	  DOCUMENT("true", POINT("64", LATENCY("1008", "1", "9999", "1500"))),
	  NULL, STATUS_DONE },
	/* a rate is better if it is higher */
	{ DOCUMENT("true", POINT("64", RATE("1000"))),
	  DOCUMENT("true", POINT("64", RATE("980"))), NULL, STATUS_REGRESSION },
	{ DOCUMENT("true", POINT("64", RATE("1000"))),
	  DOCUMENT("true", POINT("64", RATE("1020"))), NULL, STATUS_DONE },
	/* without an interval */
	{ DOCUMENT("false", POINT("64", RATE("1000"))),
	  DOCUMENT("false", POINT("64", RATE("500"))), NULL,
	  STATUS_INCOMPARABLE },
	/* other points in another order; another parameter; a point more or less */
	{ DOCUMENT("true", POINT("64", RATE("1")) "," POINT("128", RATE("2"))),
	  DOCUMENT("true", POINT("128", RATE("2")) "," POINT("64", RATE("1"))),
	  NULL, STATUS_DONE },
	{ DOCUMENT("true", POINT("64", RATE("1"))),
	  DOCUMENT("true", POINT("128", RATE("1"))), NULL, STATUS_INCOMPARABLE },
	{ DOCUMENT("true", POINT("64", RATE("1"))),
	  DOCUMENT("true", POINT("128", RATE("1"))), "--force", STATUS_DONE },
	{ DOCUMENT("true", POINT("64", RATE("1")) "," POINT("128", RATE("2"))),
	  DOCUMENT("true", POINT("64", RATE("1"))), NULL, STATUS_INCOMPARABLE },
	{ DOCUMENT("true", POINT("64", RATE("1")) "," POINT("128", RATE("2"))),
	  DOCUMENT("true", POINT("64", RATE("1"))), "--force", STATUS_DONE },
	{ DOCUMENT("true", POINT("64", RATE("1"))),
	  DOCUMENT("true", POINT("64", RATE("1")) "," POINT("128", RATE("2"))),
	  NULL, STATUS_INCOMPARABLE },
	/* instructions with time */
	{ DOCUMENT("true", BASE_POINT), DOCUMENT("false", BASE_POINT), NULL,
	  STATUS_INCOMPARABLE },
	{ DOCUMENT("true", BASE_POINT), DOCUMENT("false", BASE_POINT),
	  "--force", STATUS_DONE },
	/* metrics that only one side has, or in another unit */
	{ DOCUMENT("true", POINT("64", RATE("1"))),
	  DOCUMENT("true", POINT("64", RATE("1") "," LATENCY("1", "1", "1", "1"))),
	  NULL, STATUS_DONE },
	{ DOCUMENT("true", POINT("64", "\"x\": { \"unit\": \"ns\", \"value\": 1 }")),
	  DOCUMENT("true", POINT("64", "\"x\": { \"unit\": \"1/s\", \"value\": 1 }")),
	  NULL, STATUS_INCOMPARABLE },
	/* from 0 */
	{ DOCUMENT("true", POINT("64", "\"lost\": { \"unit\": \"count\", \"value\": 0 }")),
	  DOCUMENT("true", POINT("64", "\"lost\": { \"unit\": \"count\", \"value\": 1 }")),
	  NULL, STATUS_REGRESSION },
	/* no direction */
	{ DOCUMENT("true", POINT("64", "\"bytes\": { \"unit\": \"B\", \"value\": 5 }")),
	  DOCUMENT("true", POINT("64", "\"bytes\": { \"unit\": \"B\", \"value\": 9 }")),
	  NULL, STATUS_INCOMPARABLE },
	{ DOCUMENT("true", POINT("64", "\"bytes\": { \"unit\": \"B\", \"value\": 5 }")),
	  DOCUMENT("true", POINT("64", "\"bytes\": { \"unit\": \"B\", \"value\": 9 }")),
	  "--metric=bytes", STATUS_DONE },
	{ DOCUMENT("true", BASE_POINT), DOCUMENT("true", BASE_POINT),
	  "--metric=nosuch", STATUS_USAGE },
};

static void test_status(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		assert_row(i, compare(rows[i].base, rows[i].new,
				      rows[i].option) == rows[i].status);
}

#define GOOD	DOCUMENT("true", BASE_POINT)
#define WITH(head, points) \
	"{ " head ", \"environment\": {}, \"points\": " points " }"
#define HEAD	"\"schema\": \"icbench/1\", \"benchmark\": \"b\", \"partial\": false"
#define OF_POINT(text)	WITH(HEAD, "[" text "]")
#define OF_METRIC(text)	OF_POINT("{ \"parameters\": {}, \"metrics\": {" text "} }")

/* Malformed documents, and a word of the refusal. */
static const struct {
	const char *text;
	const char *wrong;
} malformed[] = {
	{ "", "empty" },
	{ " ", "truncated" },
	{ "null", "null" },
	{ "{", "truncated" },
	{ "[]", "no JSON object" },
	{ "5", "no JSON object" },
	{ "\"x\"", "no JSON object" },
	{ "{}", "accepted: icbench/1" },
	{ "{ \"schema\": 5 }", "accepted: icbench/1" },
	{ "{ \"schema\": \"icbench/2\" }", "the schema is \"icbench/2\"" },
	{ "{ \"schema\": \"icbench/1\\u0000\" }", "accepted: icbench/1" },
	{ "{ \"schema\": {} }", "accepted: icbench/1" },
	{ "{ \"schema\": \"icbench/1\" }", "has no benchmark" },
	{ "{ \"schema\": \"icbench/1\", \"benchmark\": \"b\" }", "partial" },
	{ "{ " HEAD " }", "has no environment" },
	{ "{ " HEAD ", \"environment\": [] }", "has no environment" },
	{ "{ " HEAD ", \"environment\": {} }", "no array of points" },
	{ WITH(HEAD, "{}"), "no array of points" },
	{ WITH(HEAD, "[]"), "has no points" },
	{ OF_POINT("null"), "has no parameters" },
	{ OF_POINT("5"), "has no parameters" },
	{ OF_POINT("{ \"parameters\": [] }"), "has no parameters" },
	{ OF_POINT("{ \"parameters\": {} }"), "has no metrics" },
	{ OF_POINT("{ \"parameters\": {}, \"metrics\": [] }"), "has no metrics" },
	{ OF_METRIC(""), "has no metric;" },
	{ OF_METRIC("\"a b\": {}"), "has no name of" },
	{ OF_METRIC("\"\": {}"), "has no name of" },
	{ OF_METRIC("\"x\": 5"), "is no object" },
	{ OF_METRIC("\"x\": null"), "is no object" },
	{ OF_METRIC("\"x\": { \"unit\": 5, \"value\": 5 }"), "no unit" },
	{ OF_METRIC("\"x\": { \"value\": 5 }"), "no unit" },
	{ OF_METRIC("\"x\": { \"unit\": \"ns\" }"), "neither" },
	{ OF_METRIC("\"x\": { \"unit\": \"ns\", \"value\": \"5\" }"), "neither" },
	{ OF_METRIC("\"x\": { \"unit\": \"ns\", \"value\": 1e999 }"), "accepted" },
	{ OF_METRIC("\"x\": { \"unit\": \"ns\", \"value\": NaN }"), "accepted" },
	{ OF_METRIC("\"x\": { \"unit\": \"ns\", \"count\": 5 }"), "lacks" },
	{ OF_METRIC("\"x\": { \"unit\": \"ns\", \"count\": 5, \"min\": 1, \"mean\": 1 }"),
	  "lacks" },
	{ GOOD "x", "accepted" },
	{ "\xff" GOOD, "not UTF-8" },
};

static void test_malformed(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(malformed); i++) {
		assert_row(i, compare(malformed[i].text, GOOD, NULL) ==
			   STATUS_INCOMPARABLE);
		assert_row(i, strstr(message_last(), malformed[i].wrong));
		assert_row(i, compare(GOOD, malformed[i].text, NULL) ==
			   STATUS_INCOMPARABLE);
		assert_row(i, strstr(message_last(), "accepted:"));
	}
}

static void test_truncated(void **state)
{
	char text[] = GOOD;
	size_t len;

	(void)state;
	for (len = 0; len < sizeof(text) - 1; len++) {
		char cut[sizeof(text)] = "";

		memcpy(cut, text, len);
		assert_row(len, compare(GOOD, cut, NULL) == STATUS_INCOMPARABLE);
	}
	assert_int_equal(compare(GOOD, text, NULL), STATUS_DONE);
}

/* Each byte replaced: any status, but no crash. */
static void test_damaged(void **state)
{
	static const char bytes[] = "\"{[0,}\x80-";
	char text[] = GOOD;
	size_t at, i;
	char was;

	(void)state;
	for (at = 0; at < sizeof(text) - 1; at++)
		for (i = 0; i < sizeof(bytes) - 1; i++) {
			was = text[at];
			text[at] = bytes[i];
			compare(GOOD, text, "--force");
			text[at] = was;
		}
}

static void test_deep(void **state)
{
	char *text = malloc(200001);

	(void)state;
	assert_non_null(text);
	memset(text, '[', 200000);
	text[200000] = '\0';
	assert_int_equal(compare(GOOD, text, NULL), STATUS_INCOMPARABLE);
	assert_non_null(strstr(message_last(), "not JSON at byte"));
	free(text);
}

static void test_huge(void **state)
{
	char *argv[] = { "icbenchctl", "compare", base_path, new_path, NULL };

	(void)state;
	write_file(base_path, GOOD, strlen(GOOD));
	write_file(new_path, "", 0);
	assert_int_equal(truncate(new_path, 1LL << 40), 0);
	assert_int_equal(quietly(argv), STATUS_INCOMPARABLE);
	assert_non_null(strstr(message_last(), "accepted: up to"));
	write_file(new_path, "", 0);
	assert_int_equal(truncate(new_path, 1000), 0);
	assert_int_equal(quietly(argv), STATUS_INCOMPARABLE);
	assert_non_null(strstr(message_last(), "a NUL at byte 0"));
}

static void make_figures(struct figures *figures, unsigned int count,
			 const double *value, double half, bool exact)
{
	unsigned int i;

	memset(figures, 0, sizeof(*figures));
	figures->count = count;
	figures->exact = exact;
	for (i = 0; i < count; i++)
		figures->estimate[i] = (struct estimate){
			.value = value[i],
			.low = value[i] - half,
			.high = value[i] + half,
		};
}

/* Documents of each side, and the verdict on a time with a threshold of 5 %. */
static const struct {
	unsigned int bases;
	double base[4];
	unsigned int news;
	double new[4];
	double half;
	const char *why_not;
	bool exact;
	enum verdict verdict;
	bool regression;
} pools[] = {
	{ 1, { 100 }, 1, { 110 }, 1, NULL, false, VERDICT_SLOWER, true },
	{ 1, { 100 }, 1, { 106 }, 1, NULL, false, VERDICT_SLOWER, false },
	{ 1, { 100 }, 1, { 101 }, 1, NULL, false, VERDICT_NO_DIFFERENCE, false },
	{ 1, { 100 }, 1, { 110 }, 1, "few", false, VERDICT_NOT_COMPARABLE, false },
	/* the differences between documents count, not their own intervals */
	{ 4, { 100, 101, 99, 100 }, 4, { 110, 111, 109, 110 }, 50, "few", false,
	  VERDICT_SLOWER, true },
	{ 4, { 100, 120, 80, 100 }, 4, { 110, 130, 90, 110 }, 0, NULL, false,
	  VERDICT_NO_DIFFERENCE, false },
	{ 4, { 110, 111, 109, 110 }, 4, { 100, 101, 99, 100 }, 0, NULL, false,
	  VERDICT_FASTER, false },
	/* one document beside several: both kinds of intervals */
	{ 1, { 100 }, 4, { 110, 111, 109, 110 }, 1, NULL, false, VERDICT_SLOWER,
	  true },
	{ 1, { 100 }, 4, { 110, 111, 109, 110 }, 1, "few", false,
	  VERDICT_NOT_COMPARABLE, false },
	/* instructions: the range of all pairs */
	{ 2, { 100, 101 }, 2, { 101, 102 }, 0, NULL, true, VERDICT_NO_DIFFERENCE,
	  false },
	{ 2, { 100, 101 }, 2, { 106, 107 }, 0, NULL, true, VERDICT_SLOWER, false },
	{ 2, { 100, 101 }, 2, { 107, 108 }, 0, NULL, true, VERDICT_SLOWER, true },
	{ 1, { 100 }, 1, { 105 }, 0, NULL, true, VERDICT_SLOWER, true },
	{ 1, { 0 }, 1, { 0 }, 0, NULL, true, VERDICT_NO_DIFFERENCE, false },
	{ 1, { -100 }, 1, { -90 }, 0, NULL, true, VERDICT_SLOWER, true },
};

static void test_verdict(void **state)
{
	struct difference difference;
	struct figures base, new;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(pools); i++) {
		make_figures(&base, pools[i].bases, pools[i].base, pools[i].half,
			     pools[i].exact);
		make_figures(&new, pools[i].news, pools[i].new, pools[i].half,
			     pools[i].exact);
		base.estimate[0].why_not = pools[i].why_not;
		verdict_find(&difference, &base, &new, BETTER_LOWER, 5);
		assert_row(i, difference.verdict == pools[i].verdict);
		assert_row(i, difference.regression == pools[i].regression);
		assert_row(i, !difference.why_not ==
			   (difference.verdict != VERDICT_NOT_COMPARABLE));
		verdict_find(&difference, &base, &new, BETTER_NEITHER, 5);
		assert_row(i, !difference.regression);
	}
}

/* A normal value, from twelve uniform ones. */
static double normal(unsigned int *seed)
{
	double sum = 0;
	unsigned int i;

	for (i = 0; i < 12; i++)
		sum += rand_r(seed) / (double)RAND_MAX;
	return sum - 6;
}

/*
 * The interval of two independent intervals contains the true difference in 95 % of the
 * cases; and no case of equal figures is a regression.
 */
static void test_coverage(void **state)
{
	const unsigned int cases = 20000;
	unsigned int i, inside = 0, regressions = 0, seed = 1;
	struct difference difference;
	struct figures base, new;
	double a, b;

	(void)state;
	for (i = 0; i < cases; i++) {
		a = 1000 + 10 * normal(&seed);
		b = 1000 + 10 * normal(&seed);
		make_figures(&base, 1, &a, 19.6, false);
		make_figures(&new, 1, &b, 19.6, false);
		verdict_find(&difference, &base, &new, BETTER_LOWER, 5);
		inside += range_has_zero(&difference.range);
		regressions += difference.regression;
	}
	assert_in_range(inside, cases * 94 / 100, cases * 96 / 100);
	assert_int_equal(regressions, 0);
}

static const struct {
	const char *metric;
	const char *unit;
	enum better better;
} directions[] = {
	{ "latency", "ns", BETTER_LOWER },
	{ "cpu_per_message", "ns", BETTER_LOWER },
	{ "bandwidth", "B/s", BETTER_HIGHER },
	{ "message_rate", "1/s", BETTER_HIGHER },
	{ "offered_rate", "1/s", BETTER_NEITHER },
	{ "elapsed", "ns", BETTER_NEITHER },
	{ "bytes", "B", BETTER_NEITHER },
	{ "availability", "%", BETTER_HIGHER },
	{ "cpu_background", "%", BETTER_NEITHER },
	{ "lost", "count", BETTER_LOWER },
	{ "warmup_made", "count", BETTER_NEITHER },
};

static void test_better(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(directions); i++)
		assert_row(i, estimate_better(directions[i].metric,
					      directions[i].unit) ==
			   directions[i].better);
}

/* A metric, a figure of it, and its interval or the reason why it has none. */
static const struct {
	const char *metric;
	enum statistic statistic;
	bool icount;
	const char *why_not;
	double low;
	double high;
} estimates[] = {
	{ "{\"value\": 5}", STATISTIC_VALUE, false, "no interval", 0, 0 },
	{ "{\"value\": 5, \"supported\": false}", STATISTIC_VALUE, false,
	  "too short", 0, 0 },
	{ "{\"value\": 5, \"independent\": false}", STATISTIC_VALUE, false,
	  "depend", 0, 0 },
	{ "{\"value\": 5, \"few_decide\": true}", STATISTIC_VALUE, false,
	  "few long", 0, 0 },
	{ "{\"value\": 5, \"low\": 4, \"high\": 7}", STATISTIC_VALUE, false,
	  NULL, 4, 7 },
	{ "{\"value\": 5, \"interval\": {\"low\": 7, \"high\": 4}}",
	  STATISTIC_VALUE, false, "no interval", 0, 0 },
	{ "{\"value\": 2000}", STATISTIC_VALUE, true, NULL, 1999, 2001 },
	{ "{\"count\": 9, \"min\": 5}", STATISTIC_MIN, false, "minimum", 0, 0 },
	{ "{\"count\": 9, \"min\": 5}", STATISTIC_MIN, true, NULL, 5, 5 },
	{ "{\"count\": 9, \"percentiles\": {\"50\": 5}, \"confidence\":"
	  " {\"50\": {\"low\": 4, \"high\": 6}}}", STATISTIC_P50, false, NULL, 4, 6 },
	{ "{\"count\": 9, \"percentiles\": {\"50\": 5}, \"confidence\":"
	  " {\"dependent\": [\"50\"]}}", STATISTIC_P50, false, "depend", 0, 0 },
	{ "{\"count\": 9, \"percentiles\": {\"50\": 5}, \"confidence\":"
	  " {\"beyond\": [\"50\"]}}", STATISTIC_P50, false, "beyond", 0, 0 },
	{ "{\"count\": 9, \"percentiles\": {\"50\": 5}, \"confidence\": 5,"
	  " \"unsupported\": 5}", STATISTIC_P50, false, "no interval", 0, 0 },
	{ "{\"count\": 9, \"percentiles\": {\"50\": 5},"
	  " \"unsupported\": [null, {}, \"50\"]}", STATISTIC_P50, true, "few", 0, 0 },
	{ "{\"count\": 9, \"percentiles\": {\"50\": 5}, \"histogram\":"
	  " [5, [], [1, 2, 3], [4, 6, 1]]}", STATISTIC_P50, true, NULL, 4, 6 },
	{ "{\"count\": 9, \"percentiles\": {\"50\": 128}}", STATISTIC_P50, true,
	  NULL, 127, 129 },
};

static void test_estimate(void **state)
{
	struct estimate estimate;
	struct json_object *metric;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(estimates); i++) {
		metric = json_tokener_parse(estimates[i].metric);
		assert_row(i, estimate_of(&estimate, metric,
					  estimates[i].statistic,
					  estimates[i].icount));
		json_object_put(metric);
		if (estimates[i].why_not) {
			assert_row(i, estimate.why_not &&
				   strstr(estimate.why_not, estimates[i].why_not));
			continue;
		}
		assert_row(i, !estimate.why_not);
		assert_row(i, fabs(estimate.low - estimates[i].low) < 1e-6);
		assert_row(i, fabs(estimate.high - estimates[i].high) < 1e-6);
	}
}

static int make_files(void **state)
{
	(void)state;
	close(mkstemp(base_path));
	close(mkstemp(new_path));
	return 0;
}

static int remove_files(void **state)
{
	(void)state;
	return unlink(base_path) | unlink(new_path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_better),
		cmocka_unit_test(test_estimate),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
