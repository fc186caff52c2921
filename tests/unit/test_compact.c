// SPDX-License-Identifier: GPL-2.0
/* Formats compact and perftest: widths, units, and what a reader has to know. */
#include "plan/repeat.h"
#include "printed.h"
#include "unit.h"
#include "base/alloc.h"
#include "plan/result.h"
#include "print/bars.h"
#include "print/layout.h"
#include "print/scale.h"

static struct nl_dev dev = {
	.name = "rxe0",
	.driver = "rxe",
	.port = 1,
	.speed = 2500,
	.has = BIT_ULL(ICBENCH_A_DEV_SPEED),
};

static const struct nl_devs devs = { .dev = &dev, .count = 1 };

/* Widest line of a text, columns. */
static int widest(const char *text)
{
	char *copy = alloc_text("%s", text), *rest = copy, *line;
	int most = 0;

	while ((line = strsep(&rest, "\n")))
		if (layout_width(line) > most)
			most = layout_width(line);
	free(copy);
	return most;
}

static void test_scale(void **state)
{
	static const struct {
		double value;
		double reach;
		const char *number;
		const char *text;
	} rows[] = {
		{ 0, 0, "0.000", "±0.000" },
		{ 9.9991, 0.0001, "9.999", "±0.001" },
		{ 13.024, 0.001, "13.02", "±0.01" },
		{ -0.0624, 0.09, "-0.062", "±0.090" },
		{ 705.048, 12, "705.0", "±12.0" },
		{ 391637.1, 0.2, "391637", "±1" },
		{ 84.44, 52761.85, "84.44", "±52762" },
		{ 84.44, 152.21, "84.44", "±152.3" },
		{ 5, -1e-13, "5.000", "±0.000" },
	};
	char text[32];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		scale_write(text, sizeof(text), rows[i].value);
		assert_string_equal(text, rows[i].number);
		scale_write_reach(text, sizeof(text), rows[i].value,
				  rows[i].reach);
		assert_string_equal(text, rows[i].text);
	}
	assert_string_equal(scale_times(400, 999)->unit, "ns");
	assert_string_equal(scale_times(400, 1000)->unit, "us");
	assert_string_equal(scale_times(5e6, 1e9)->unit, "us");
	assert_string_equal(scale_times(30e6, 1e9)->unit, "ms");
}

static char *line(const char *text, void (*fn)(FILE *f, const char *text))
{
	char *buf = NULL;
	size_t size;
	FILE *f = open_memstream(&buf, &size);

	assert_non_null(f);
	fn(f, text);
	fclose(f);
	return buf;
}

static void labelled(FILE *f, const char *text)
{
	layout_line(f, LAYOUT_DASH, "%s", text);
}

static void relayed(FILE *f, const char *text)
{
	layout_relay(f, alloc_text("%s", text));
}

static void test_layout(void **state)
{
	char words[512] = "", name[300];
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < 16; i++)
		strcat(words, "a ±word of 25.0 % ");
	text = line(words, labelled);
	assert_ptr_equal(text, strstr(text, " —              : a ±word"));
	assert_true(widest(text) <= LAYOUT_WIDTH);
	/* a percent sign stays beside its number */
	assert_null(strstr(text, " %\n                  %"));
	assert_null(strstr(text, "25.0\n"));
	free(text);
	/* a word that is longer than a line */
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	text = line(name, labelled);
	assert_int_equal(widest(text), LAYOUT_WIDTH);
	free(text);
	text = line(" Knee           : short\n\n other line\n", relayed);
	assert_string_equal(text, " Knee           : short\n other line\n");
	free(text);
}

static void fill(struct metric *metric, const char *name, u64 base, u64 count)
{
	u64 i;

	memset(metric, 0, sizeof(*metric));
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->kind = ICBENCH_METRIC_KIND_DISTRIBUTION;
	metric->unit = ICBENCH_UNIT_NS;
	metric->divisor = 1;
	metric->hist = alloc_zero(1, sizeof(*metric->hist));
	icb_hist_reset(metric->hist);
	for (i = 0; i < count; i++)
		icb_hist_add(metric->hist, base + i % 1000);
	assert_int_equal(stats_of(&metric->stats, metric->hist, 1), 0);
}

static void fill_rate(struct metric *metric, const char *name, u32 unit,
		      u64 value)
{
	memset(metric, 0, sizeof(*metric));
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->kind = ICBENCH_METRIC_KIND_SCALAR;
	metric->unit = unit;
	metric->divisor = 1;
	metric->value = value;
}

static void fill_latency(struct point *point, u64 base, u64 count)
{
	struct metric *metric = alloc_zero(3, sizeof(*metric));

	point->metrics.metric = metric;
	point->metrics.count = 3;
	fill(&metric[0], "latency", base, count);
	fill(&metric[1], "post", 100, count);
	fill_rate(&metric[2], "cpu_per_message", ICBENCH_UNIT_NS, 2000);
}

static void fill_stream(struct point *point)
{
	struct metric *metric = alloc_zero(3, sizeof(*metric));

	point->metrics.metric = metric;
	point->metrics.count = 3;
	fill_rate(&metric[0], "bandwidth", ICBENCH_UNIT_BYTES_PER_SECOND,
		  12500000000ULL);
	fill_rate(&metric[1], "message_rate", ICBENCH_UNIT_PER_SECOND, 190735);
	fill_rate(&metric[2], "bandwidth_p1", ICBENCH_UNIT_BYTES_PER_SECOND,
		  12000000000ULL);
	point->job.done = 1000;
}

static void print_all(FILE *f, const struct result *result,
		      const struct text_format *format)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		format->point(f, result, &result->point[i]);
	format->end(f, result, false);
}

static void print_compact(FILE *f, const struct result *result)
{
	print_all(f, result, &text_compact);
}

static void print_perftest(FILE *f, const struct result *result)
{
	print_all(f, result, &text_perftest);
}

/* A result with all combinations of some keys. */
struct fixture {
	struct recipe recipe;
	struct plan plan;
	struct result result;
};

static void begin(struct fixture *f, const char *const (*keys)[2])
{
	static char *argv[] = { NULL };
	struct icb_reason why;

	memset(f, 0, sizeof(*f));
	f->recipe.name = "name";
	f->recipe.title = "a title";
	for (; (*keys)[0]; keys++)
		assert_int_equal(config_set(&f->recipe.config,
					    icb_param_by_name((*keys)[0]),
					    (*keys)[1], &why), 0);
	assert_int_equal(plan_make(&f->plan, &f->recipe.config, NULL, &why), 0);
	f->result.recipe = &f->recipe;
	f->result.plan = &f->plan;
	f->result.devs = &devs;
	f->result.argv = argv;
}

static struct point *add(struct fixture *f)
{
	const unsigned int index = f->result.count;
	struct point *point = result_add(&f->result);

	point->job.params = f->plan.point[index].params;
	strcpy(point->job.params.device, "rxe0");
	point->job.params.set |= BIT_ULL(ICBENCH_A_PARAMS_DEVICE);
	strcpy(point->job.clock.source, "tsc");
	return point;
}

static void end(struct fixture *f)
{
	result_free(&f->result);
	plan_free(&f->plan);
	config_free(&f->recipe.config);
}

static const char *const no_keys[][2] = { { NULL, NULL } };

/* A percentile that has too few samples is a dash, and the samples it needs are named. */
static void test_dash(void **state)
{
	static const struct {
		u64 samples;
		const char *row;
		const char *needs;
	} rows[] = {
		{ 1000, "         —         —     5.999\n",
		  " —              : p99 needs 10000 samples, p99.9 needs 100000; there are 1000\n" },
		{ 10000, "     5.995         —     5.999\n",
		  " —              : p99.9 needs 100000 samples; there are 10000\n" },
		{ 100000, "     5.995     5.999     5.999\n", NULL },
	};
	struct fixture f;
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(&f, no_keys);
		fill_latency(add(&f), 5000, rows[i].samples);
		text = print(&f.result, print_compact);
		assert_true(widest(text) <= LAYOUT_WIDTH);
		assert_non_null(strstr(text, ", rxe0 port 1 (rxe) 2.5 Gb/s, peer this host"));
		assert_non_null(strstr(text, "\n  size        n   p50[us]     ±95%   p99[us] p99.9[us]   max[us]\n"));
		if (!strstr(text, rows[i].row))
			fail_msg("row %zu: %s", i, text);
		if (rows[i].needs)
			assert_non_null(strstr(text, rows[i].needs));
		else
			assert_null(strstr(text, "needs"));
		assert_non_null(strstr(text, "\n Cost           : post 0.600 us, CPU 2.000 us per message (means)\n"));
		free(text);
		end(&f);
	}
}

/* The unit follows from the values, and is that of the whole table. */
static void test_units(void **state)
{
	static const struct {
		u64 base;
		const char *title;
	} rows[] = {
		{ 0, "   p50[ns]     ±95%   p99[ns] p99.9[ns]   max[ns]\n" },
		{ 5000, "   p50[us]     ±95%   p99[us] p99.9[us]   max[us]\n" },
		{ 30000000, "   p50[ms]     ±95%   p99[ms] p99.9[ms]   max[ms]\n" },
	};
	static const char *const keys[][2] = {
		{ "size", "64,1K" }, { NULL, NULL }
	};
	struct fixture f;
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(&f, keys);
		fill_latency(add(&f), rows[i].base, 1000);
		fill_latency(add(&f), 700000000, 1000);
		text = print(&f.result, print_compact);
		assert_row(i, strstr(text, rows[i].title));
		assert_true(widest(text) <= LAYOUT_WIDTH);
		free(text);
		end(&f);
	}
}

static void test_stream(void **state)
{
	static const char *const keys[][2] = {
		{ "trigger", "completion" }, { "verb", "write" },
		{ "size", "64K" }, { NULL, NULL }
	};
	struct fixture f;
	char *text;

	(void)state;
	begin(&f, keys);
	fill_stream(add(&f));
	text = print(&f.result, print_compact);
	assert_non_null(strstr(text, "\n  size        n      MB/s     ±95%     Gb/s    msg/s p1[MB/s]\n"));
	assert_non_null(strstr(text, "\n   64K     1000     12500             100.0   190735    12000\n"));
	free(text);
	text = print(&f.result, print_perftest);
	assert_non_null(strstr(text, "\n #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n"));
	assert_non_null(strstr(text, "\n 65536      1000             0.00               11920.93\t\t   0.190735\n"));
	free(text);
	end(&f);
}

/* Keys that are too wide for columns are in a line before their row. */
static void test_wide(void **state)
{
	static const char *const keys[][2] = {
		{ "completion", "poll,block" }, { "warmup", "1,1000000" },
		{ "priority", "normal,fifo" }, { "mtu", "256,4096" },
		{ "cpu", "0,1" }, { "peer-cpu", "0,1" }, { NULL, NULL }
	};
	struct fixture f;
	unsigned int i;
	char *text;

	(void)state;
	begin(&f, keys);
	for (i = 0; i < f.plan.count; i++)
		fill_latency(add(&f), 5000, 1000);
	text = print(&f.result, print_compact);
	assert_true(widest(text) <= LAYOUT_WIDTH);
	assert_non_null(strstr(text, "\n  size        n   p50[us]"));
	assert_non_null(strstr(text, "completion=block "));
	free(text);
	end(&f);
}

/* Perftest's columns, in its order, then the keys that vary. */
static void test_perftest(void **state)
{
	static const char *const keys[][2] = {
		{ "completion", "poll,block" }, { NULL, NULL }
	};
	double least, most, typical, mean, deviation, p99, p999;
	char *text, *row, completion[16];
	unsigned int size, n;
	struct fixture f;

	(void)state;
	begin(&f, keys);
	fill_latency(add(&f), 5000, 100000);
	fill_latency(add(&f), 6000, 100000);
	text = print(&f.result, print_perftest);
	assert_non_null(strstr(text, "\n #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]  completion\n"));
	row = strstr(text, "\n 64 ");
	assert_non_null(row);
	assert_int_equal(sscanf(row, "%u %u %lf %lf %lf %lf %lf %lf %lf %15s",
				&size, &n, &least, &most, &typical, &mean,
				&deviation, &p99, &p999, completion), 10);
	assert_int_equal(size, 64);
	assert_int_equal(n, 100000);
	assert_true(least == 5 && most == 6 && typical == 5.5 && mean == 5.5);
	assert_true(deviation == 0.29 && p99 > 5.9 && p999 >= p99);
	assert_string_equal(completion, "poll");
	free(text);
	end(&f);
}

static void test_histogram(void **state)
{
	struct metric metric;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	fill(&metric, "latency", 5000, 1000);
	icb_hist_add(metric.hist, 500000);
	assert_int_equal(stats_of(&metric.stats, metric.hist, 1), 0);
	print_histogram(f, &metric);
	fclose(f);
	assert_ptr_equal(text, strstr(text, " Histogram      : 5.000 █"));
	assert_non_null(strstr(text, "▁ 500.0 us, logarithmic\n"));
	assert_true(widest(text) <= LAYOUT_WIDTH);
	free(text);
	/* nothing to show: all samples are one value */
	icb_hist_reset(metric.hist);
	icb_hist_add(metric.hist, 5000);
	assert_int_equal(stats_of(&metric.stats, metric.hist, 1), 0);
	f = open_memstream(&text, &size);
	print_histogram(f, &metric);
	fclose(f);
	assert_string_equal(text, "");
	free(text);
	free(metric.hist);
}

static void test_stages(void **state)
{
	struct metric metric[4];
	struct point point = { .metrics = { .metric = metric, .count = 4 } };
	char *text = NULL;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	icb_params_init(&point.job.params);
	point.job.params.stages = 1;
	fill(&metric[0], "handler", 500, 1000);
	fill(&metric[1], "wake", 3000, 1000);
	fill(&metric[2], "interrupt", 3500, 1000);
	fill(&metric[3], "rearm", 100, 1000);
	print_stages(f, &point, "completion=block");
	fclose(f);
	assert_non_null(strstr(text, "completion=block: means of 1000 messages, in % of interrupt\n"));
	assert_non_null(strstr(text, "\n wake "));
	assert_non_null(strstr(text, " us  87.5 % ███████████████████████████████████\n"));
	/* neither the whole nor what comes after it has a bar */
	assert_non_null(strstr(text, "\n interrupt "));
	assert_non_null(strstr(text, "\n rearm            0.600 us\n"));
	assert_true(widest(text) <= LAYOUT_WIDTH);
	free(text);
	for (i = 0; i < ARRAY_SIZE(metric); i++)
		free(metric[i].hist);
}

static void test_tail(void **state)
{
	struct fixture f;
	struct tail *tail;
	char *text;

	(void)state;
	begin(&f, no_keys);
	fill_latency(add(&f), 5000, 10000);
	f.result.point[0].metrics.metric[0].tails = 1;
	tail = f.result.point[0].metrics.metric[0].tail;
	tail->percentile = 9900;
	tail->samples = 100;
	tail->by[0] = 30;
	tail->by_length.by[0] = 2;
	tail->unexplained = 70;
	text = print(&f.result, print_compact);
	assert_non_null(strstr(text, "\n Tail           : above p99 (100 samples), tick 30.0 % (2.0 % by chance), unexplained 70.0 %\n"));
	/* the rest is worth a trace */
	assert_non_null(strstr(text, "--threshold TIME"));
	strcpy(f.result.reason, "because");
	free(text);
	text = print(&f.result, print_compact);
	assert_non_null(strstr(text, "\n PARTIAL: because\n"));
	free(text);
	end(&f);
}

static void test_formats(void **state)
{
	struct icb_reason why;

	(void)state;
	assert_ptr_equal(print_format(NULL, &why), &text_compact);
	assert_ptr_equal(print_format("full", &why), &text_full);
	assert_ptr_equal(print_format("perftest", &why), &text_perftest);
	assert_null(print_format("ful", &why));
	assert_string_equal(why.text,
			    "format: unknown \"ful\"; accepted: compact, full, perftest");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_dash),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_perftest),
		cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
