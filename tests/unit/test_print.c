// SPDX-License-Identifier: GPL-2.0
#include "plan/repeat.h"
#include "printed.h"
#include "unit.h"
#include <json-c/json.h>
#include "base/alloc.h"
#include "plan/result.h"
#include "print/interval.h"
#include "print/print.h"

static struct nl_dev dev = {
	.name = "rxe0",
	.driver = "rxe",
	.link_layer = "Ethernet",
	.port = 1,
	.mtu = 1024,
	.has = BIT_ULL(ICBENCH_A_DEV_MTU),
};

static const struct nl_devs devs = { .dev = &dev, .count = 1 };

static void fill_metric(struct metric *metric, const char *name, u64 base,
			u32 divisor)
{
	u64 i;

	memset(metric, 0, sizeof(*metric));
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->kind = ICBENCH_METRIC_KIND_DISTRIBUTION;
	metric->unit = ICBENCH_UNIT_NS;
	metric->divisor = divisor;
	metric->hist = alloc_zero(1, sizeof(*metric->hist));
	icb_hist_reset(metric->hist);
	for (i = 0; i < 100; i++)
		icb_hist_add(metric->hist, base + i);
	assert_int_equal(stats_of(&metric->stats, metric->hist, divisor), 0);
}

static void fill_scalar(struct metric *metric, const char *name, u32 kind,
			u32 unit, u64 value)
{
	memset(metric, 0, sizeof(*metric));
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->kind = kind;
	metric->unit = unit;
	metric->divisor = 1;
	metric->value = value;
}

static void fill_point(struct result *result, unsigned int index)
{
	struct point *point = result_add(result);
	struct metric *metric = alloc_zero(5, sizeof(*metric));

	point->job.params = result->plan->point[index].params;
	snprintf(point->job.params.device, sizeof(point->job.params.device),
		 "rxe0");
	point->job.params.set |= BIT_ULL(ICBENCH_A_PARAMS_DEVICE) |
				 BIT_ULL(ICBENCH_A_PARAMS_TOKEN);
	memcpy(point->job.params.token, "secretsecret", 12);
	point->job.params.token_len = 12;
	strcpy(point->job.clock.source, "tsc");
	point->metrics.metric = metric;
	point->metrics.count = 5;
	fill_metric(&metric[0], "latency", 1001 + 1000 * index, 2);
	fill_metric(&metric[1], "post", 100, 1);
	fill_scalar(&metric[2], "bandwidth", ICBENCH_METRIC_KIND_SCALAR,
		    ICBENCH_UNIT_BYTES_PER_SECOND, U64_MAX);
	fill_scalar(&metric[3], "message_rate", ICBENCH_METRIC_KIND_SCALAR,
		    ICBENCH_UNIT_PER_SECOND, 12345678);
	fill_scalar(&metric[4], "softirqs", ICBENCH_METRIC_KIND_DISTURBANCE,
		    ICBENCH_UNIT_COUNT, 7);
	repeat_compare(result, index);
}

/* Two points, of which the first is the baseline of the second. */
static void with_result(void (*test)(struct result *result))
{
	char *argv[] = { "icbenchctl", "run", "a\xff" "b\n\"c", NULL };
	struct recipe recipe = { .name = "na,\"me", .title = "a title" };
	struct result result = { .recipe = &recipe, .devs = &devs, .argv = argv };
	struct plan plan;

	assert_int_equal(sweep_parse(&recipe.baseline,
				     icb_param_by_name("completion"), "poll",
				     NULL), 0);
	assert_int_equal(config_set(&recipe.config,
				    icb_param_by_name("completion"),
				    "poll,block", NULL), 0);
	assert_int_equal(plan_make(&plan, &recipe.config, &recipe.baseline,
				   NULL), 0);
	result.plan = &plan;
	fill_point(&result, 0);
	fill_point(&result, 1);
	test(&result);
	result_free(&result);
	plan_free(&plan);
	sweep_free(&recipe.baseline);
	config_free(&recipe.config);
}

static struct json_object *at(struct json_object *object, const char *key)
{
	struct json_object *value = NULL;

	assert_true(json_object_object_get_ex(object, key, &value));
	return value;
}

static double number(struct json_object *object, const char *key)
{
	return json_object_get_double(at(object, key));
}

static const char *string(struct json_object *object, const char *key)
{
	return json_object_get_string(at(object, key));
}

static void check_rows(struct json_object *latency)
{
	struct json_object *rows = at(latency, "histogram"), *row;
	double low, high, last = -1;
	size_t i, sum = 0;

	for (i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		assert_int_equal(json_object_array_length(row), 3);
		low = json_object_get_double(json_object_array_get_idx(row, 0));
		high = json_object_get_double(json_object_array_get_idx(row, 1));
		assert_true(low > last && high >= low);
		assert_true(high - low <= low / 128);
		last = high;
		sum += json_object_get_int(json_object_array_get_idx(row, 2));
	}
	assert_int_equal(sum, 100);
}

static void check_json(struct result *result)
{
	char *text = print(result, print_json);
	struct json_object *root = json_tokener_parse(text), *points, *metrics;
	struct json_object *latency;

	assert_non_null(root);
	assert_string_equal(string(root, "schema"), "icbench/1");
	assert_string_equal(string(root, "benchmark"), "na,\"me");
	assert_string_equal(string(root, "started"), "1970-01-01T00:00:00Z");
	assert_false(json_object_get_boolean(at(root, "partial")));
	assert_string_equal(json_object_get_string(json_object_array_get_idx(at(root, "command"), 2)),
			    "a\xef\xbf\xbd" "b\n\"c");
	assert_string_equal(string(at(root, "environment"), "driver"), "rxe");
	assert_string_equal(string(at(root, "environment"), "clocksource"),
			    "tsc");
	assert_null(json_object_object_get(at(root, "environment"),
					   "clock_read_ns"));
	points = at(root, "points");
	assert_int_equal(json_object_array_length(points), 2);
	metrics = at(json_object_array_get_idx(points, 1), "metrics");
	latency = at(metrics, "latency");
	assert_true(number(latency, "count") == 100);
	/* halves are kept */
	assert_true(number(latency, "min") == 1000.5);
	assert_true(number(latency, "max") == 1050);
	assert_true(number(latency, "mean") == 1025.25);
	check_rows(latency);
	assert_true(number(at(metrics, "overhead"), "value") == 500);
	assert_string_equal(string(at(metrics, "overhead"), "baseline"),
			    "completion=poll");
	assert_true(number(at(metrics, "message_rate"), "value") == 12345678);
	assert_string_equal(string(at(metrics, "bandwidth"), "unit"), "B/s");
	assert_null(json_object_object_get(metrics, "softirqs"));
	assert_true(number(at(json_object_array_get_idx(points, 1),
			      "disturbance"), "softirqs") == 7);
	json_object_put(root);
	free(text);
}

static void test_json(void **state)
{
	(void)state;
	with_result(check_json);
}

static void check_partial(struct result *result)
{
	struct json_object *root;
	char *text;

	strcpy(result->reason, "because");
	text = print(result, print_json);
	root = json_tokener_parse(text);
	assert_true(json_object_get_boolean(at(root, "partial")));
	assert_string_equal(string(root, "reason"), "because");
	json_object_put(root);
	free(text);
}

static void test_partial(void **state)
{
	(void)state;
	with_result(check_partial);
}

static unsigned int count(const char *text, char c)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += *text == c;
	return n;
}

static void check_csv(struct result *result)
{
	char *text = print(result, print_csv), *line, *next = text;
	unsigned int lines = 0, commas = 0;

	assert_ptr_equal(text, strstr(text, "section,kernel,release,version,time,benchmark,point,partial,"));
	assert_non_null(strstr(text, ",1970-01-01T00:00:00Z,\"na,\"\"me\",0,no,echo,send,rc,64,"));
	assert_non_null(strstr(text, ",latency,ns,,100,500.5,525.25,"));
	assert_non_null(strstr(text, ",overhead,ns,500,,,,,,"));
	while ((line = strsep(&next, "\n")) && *line) {
		if (!lines++)
			commas = count(line, ',');
		/* the name contains one more comma */
		else
			assert_int_equal(count(line, ','), commas + 1);
	}
	assert_int_equal(lines, 1 + 2 * 5 + 1);
	free(text);
}

static void test_csv(void **state)
{
	(void)state;
	with_result(check_csv);
}

static void print_text(FILE *f, const struct result *result)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		text_full.point(f, result, &result->point[i]);
	text_full.end(f, result, true);
}

static void check_text(struct result *result)
{
	char *text;

	strcpy(result->reason, "because");
	text = print(result, print_text);
	assert_non_null(strstr(text, " Device         : rxe0 port 1 (rxe) "));
	assert_non_null(strstr(text, " Peer           : this host\n"));
	assert_non_null(strstr(text, " Completion     : varies "));
	assert_non_null(strstr(text, ": one-way (round trip / 2), in us"));
	assert_non_null(strstr(text, " #bytes     #iterations completion "));
	assert_non_null(strstr(text, " 64         100         block "));
	assert_non_null(strstr(text, " +0.500\n"));
	assert_non_null(strstr(text, "t_avg minus t_avg of completion=poll"));
	assert_non_null(strstr(text, " PARTIAL: because\n"));
	assert_null(strchr(text, '\033'));
	free(text);
}

static void test_text(void **state)
{
	(void)state;
	with_result(check_text);
}

/* The lines on the rates of a stream whose parameters are changed by @change. */
static char *stream_lines(void (*change)(struct point *point))
{
	struct metric rate[4];
	struct point point = { .metrics = { .metric = rate, .count = 2 } };
	char *text = NULL;
	size_t size;
	unsigned int i;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	icb_params_init(&point.job.params);
	fill_scalar(&rate[0], "bandwidth", ICBENCH_METRIC_KIND_SCALAR,
		    ICBENCH_UNIT_BYTES_PER_SECOND, 64000000);
	fill_scalar(&rate[1], "message_rate", ICBENCH_METRIC_KIND_SCALAR,
		    ICBENCH_UNIT_PER_SECOND, 1000000);
	fill_scalar(&rate[2], "size_mean", ICBENCH_METRIC_KIND_SCALAR,
		    ICBENCH_UNIT_BYTES, 64);
	for (i = 0; i < 8; i++) {
		rate[1].over[i] = 50;
		rate[1].under[i] = 50000 + (i % 2 ? 100 : -100);
	}
	change(&point);
	print_intervals(f, &point);
	fclose(f);
	return text;
}

static void plain_stream(struct point *point)
{
	point->metrics.metric[1].means = 8;
}

static void few_windows(struct point *point)
{
	point->metrics.metric[1].means = 7;
}

static void both_stream(struct point *point)
{
	point->job.params.direction = ICBENCH_DIRECTION_BI;
}

static void lossy_both(struct point *point)
{
	both_stream(point);
	point->job.params.transport = ICBENCH_TRANSPORT_UC;
}

/* Half of the messages in each direction. */
static void both_known(struct point *point)
{
	struct metric *metric = point->metrics.metric;
	unsigned int i, j;

	both_stream(point);
	for (i = 2; i < 4; i++) {
		metric[i] = metric[1];
		metric[i].value /= 2;
		metric[i].means = 8;
		for (j = 0; j < 8; j++)
			metric[i].over[j] /= 2;
	}
	strcpy(metric[2].name, "own_message_rate");
	strcpy(metric[3].name, "peer_message_rate");
	point->metrics.count = 4;
}

/* The batches of one direction are too few. */
static void one_direction_known(struct point *point)
{
	both_known(point);
	point->metrics.metric[3].means = 7;
}

static void may_be_lost(struct point *point)
{
	point->job.params.transport = ICBENCH_TRANSPORT_UC;
}

static void none_is_lost(struct point *point)
{
	plain_stream(point);
	may_be_lost(point);
}

/* The module adds the batches of a bandwidth of messages that differ in size. */
static void differ_in_size(struct point *point)
{
	struct metric *metric = point->metrics.metric;
	unsigned int i;

	plain_stream(point);
	point->metrics.count = 3;
	metric[0].means = 8;
	for (i = 0; i < 8; i++) {
		metric[0].over[i] = 64 * 50 + (i % 2 ? 9 : -9);
		metric[0].under[i] = 50000;
	}
}

static void several_workers(struct point *point)
{
	point->workers = 2;
}

static void known_workers(struct point *point)
{
	several_workers(point);
	point->metrics.metric[0].reach = 500000;
	point->metrics.metric[0].reach_batches = 9;
}

static void several_runs(struct point *point)
{
	both_stream(point);
	point->runs = 3;
}

/* A bandwidth has an interval, or there is a reason why it has none. */
static void test_no_interval(void **state)
{
	static const struct {
		void (*change)(struct point *point);
		const char *line;
	} rows[] = {
		{ plain_stream, " 95 % certain   : bandwidth at 63." },
		{ none_is_lost, " 95 % certain   : bandwidth at 63." },
		{ differ_in_size, " 95 % certain   : bandwidth at 63." },
		{ known_workers,
		  " 95 % certain   : bandwidth at 63.500..64.500 MB/s (+-0.8 %), 9 batches\n" },
		{ few_windows, "" },
		{ both_stream,
		  " No interval    : bandwidth: both sides stream; --repeat N gives one\n" },
		{ both_known, " 95 % certain   : bandwidth at 63." },
		{ one_direction_known, "" },
		{ lossy_both,
		  " No interval    : bandwidth: both sides stream, and messages may be lost; --repeat N gives one\n" },
		{ may_be_lost,
		  " No interval    : bandwidth: messages may be lost; --repeat N gives one\n" },
		{ several_workers,
		  " No interval    : bandwidth: a worker has none; --repeat N gives one\n" },
		/* it is by the runs, and elsewhere */
		{ several_runs, "" },
	};
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		text = stream_lines(rows[i].change);
		if (*rows[i].line)
			assert_row(i, !strncmp(text, rows[i].line,
					       strlen(rows[i].line)));
		else
			assert_row(i, !*text);
		free(text);
	}
}

/* A curve, and others beside it that have another name. */
static void check_knee(struct result *result)
{
	struct json_object *root, *knees, *knee;
	unsigned int i;
	char *text;

	for (i = 0; i < result->count; i++)
		result->point[i].metrics.metric[2].value = 3000000 - 500000 * i;
	text = print(result, print_text);
	assert_non_null(strstr(text, " Knee           : size=1: bandwidth falls below 95 % of its peak, 3.000 MB/s, at window=2, and not yet at 1; interpolated: 1.30\n"));
	free(text);
	text = print(result, print_json);
	root = json_tokener_parse(text);
	free(text);
	knees = at(root, "knees");
	assert_int_equal(json_object_array_length(knees), 2);
	knee = json_object_array_get_idx(knees, 0);
	assert_string_equal(string(knee, "metric"), "bandwidth");
	assert_string_equal(string(knee, "key"), "window");
	assert_string_equal(string(knee, "unit"), "B/s");
	assert_true(number(knee, "peak") == 3000000);
	assert_true(number(knee, "holds") == 1);
	assert_true(number(knee, "falls") == 2);
	assert_true(number(knee, "at") > 1.299 && number(knee, "at") < 1.301);
	assert_true(number(knee, "peak_points") == 1);
	assert_true(number(knee, "percent") == 95);
	assert_int_equal(json_object_array_length(at(knee, "points")), 2);
	json_object_put(root);
}

static void test_knee(void **state)
{
	char *argv[] = { "icbenchctl", NULL };
	struct recipe recipe = {
		.name = "name", .title = "a title",
		.knee = icb_param_by_name("window"), .knee_metric = "bandwidth",
	};
	struct result result = { .recipe = &recipe, .devs = &devs, .argv = argv };
	static const char *const keys[][2] = {
		{ "trigger", "completion" }, { "size", "1,2" },
		{ "refill", "1" }, { "window", "1,2" },
	};
	struct plan plan;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		assert_int_equal(config_set(&recipe.config,
					    icb_param_by_name(keys[i][0]),
					    keys[i][1], NULL), 0);
	assert_int_equal(plan_make(&plan, &recipe.config, NULL, NULL), 0);
	result.plan = &plan;
	for (i = 0; i < plan.count; i++)
		fill_point(&result, i);
	check_knee(&result);
	result_free(&result);
	plan_free(&plan);
	config_free(&recipe.config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_partial),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_no_interval),
		cmocka_unit_test(test_knee),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
