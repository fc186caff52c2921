// SPDX-License-Identifier: GPL-2.0
/* Points that are run several times: number, order and combined result. */
#include "printed.h"
#include "unit.h"
#include <json-c/json.h>
#include <math.h>
#include "base/alloc.h"
#include "plan/derive.h"
#include "plan/number.h"
#include "plan/bound.h"
#include "plan/repeat.h"
#include "plan/seed.h"
#include "print/print.h"

static void test_number(void **state)
{
	static const struct {
		const char *text;
		unsigned int repeat;	/* 0: refused */
	} rows[] = {
		{ "1", 1 }, { "3", 3 }, { "100", 100 }, { "0", 0 },
		{ "101", 0 }, { "10000", 0 }, { "-1", 0 }, { "2.5", 0 },
		{ "x", 0 }, { "", 0 }, { "99999999999999999999", 0 },
		{ "4294967299", 0 },
	};
	struct icb_reason why;
	unsigned int repeat;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		repeat = 0;
		assert_row(i, !number_parse_repeat(&repeat, rows[i].text, &why) ==
			   !!rows[i].repeat);
		assert_row(i, repeat == rows[i].repeat);
		if (!rows[i].repeat)
			assert_row(i, strstr(why.text, "repeat: ") == why.text &&
				   strstr(why.text, "accepted: "));
	}
}

/* The order is A B C, C B A, A B C. */
static void test_order(void **state)
{
	static const unsigned int order[] = { 0, 1, 2, 2, 1, 0, 0, 1, 2 };
	struct plan plan = { .count = 3, .repeat = 3 };
	unsigned int run[3] = { 0 }, i, index;

	(void)state;
	assert_int_equal(plan_runs(&plan), ARRAY_SIZE(order));
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		index = plan_turn(&plan, i);
		assert_row(i, index == order[i]);
		assert_row(i, plan_position(&plan, index, run[index]++) == i);
	}
	/* a single repetition, or none given: the plan is unchanged */
	for (plan.repeat = 0; plan.repeat < 2; plan.repeat++) {
		assert_false(plan_repeats(&plan));
		assert_int_equal(plan_runs(&plan), 3);
	}
}

static int parse(struct recipe *recipe, const char *text,
		 struct icb_reason *why)
{
	char *copy = alloc_copy(text, strlen(text));
	int err;

	memset(recipe, 0, sizeof(*recipe));
	recipe->path = alloc_text("r.icb");
	recipe->name = alloc_text("r");
	err = recipe_parse(recipe, copy, strlen(text), why);
	free(copy);
	return err;
}

#define ECHO	"title = x\ntrigger = echo\nverb = send\n"
#define MODES	"completion = poll,block\nbaseline = completion:poll\n"

/* Three repetitions by default if results are subtracted. */
static void test_default(void **state)
{
	static const struct {
		const char *text;
		unsigned int repeat;	/* 0: refused */
	} rows[] = {
		{ ECHO, 1 },
		{ ECHO "size = 1,2\n", 1 },
		{ ECHO MODES, 3 },
		{ ECHO MODES "repeat = 1\n", 1 },
		{ ECHO MODES "repeat = 7\n", 7 },
		{ ECHO "repeat = 2\n", 2 },
		/* the baseline is not among the points */
		{ ECHO "completion = block\nbaseline = completion:poll\n", 1 },
		/* a stream has no latency */
		{ "title = x\ntrigger = completion\nverb = send\n" MODES, 1 },
		/* a run beside a load is compared with the run without it */
		{ ECHO "load.trigger = completion\n", 3 },
		{ ECHO "completion = poll,block\nderive = advice\n[modes]\n", 3 },
		{ ECHO "completion = poll,block\nderive = advice\nrepeat = 1\n[modes]\n",
		  1 },
		/* 5000 points */
		{ ECHO "size = 1..5000+1\nrepeat = 2\n", 2 },
		{ ECHO "size = 1..5000+1\nrepeat = 3\n", 0 },
		{ ECHO "size = 1..5000+1\nrepeat = 100\n", 0 },
	};
	struct icb_reason why;
	struct recipe recipe;
	struct plan plan;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_row(i, !parse(&recipe, rows[i].text, &why));
		assert_row(i, !recipe_plan(&recipe, &plan, &why) ==
			   !!rows[i].repeat);
		if (rows[i].repeat)
			assert_row(i, plan.repeat == rows[i].repeat);
		else
			assert_row(i, strstr(why.text, "repeat: ") == why.text &&
				   strstr(why.text, "accepted: "));
		plan_free(&plan);
		recipe_free(&recipe);
	}
	assert_true(parse(&recipe, ECHO "repeat = 2\nrepeat = 2\n", &why) < 0);
	assert_non_null(strstr(why.text, "repeat: set twice; accepted: once"));
	recipe_free(&recipe);
	assert_true(parse(&recipe, ECHO "[a]\nrepeat = 2\n", &why) < 0);
	assert_non_null(strstr(why.text, "r.icb:5: repeat: all sections have the same; accepted: before the first one"));
	recipe_free(&recipe);
	assert_true(parse(&recipe, ECHO "repeat = 0\n", &why) < 0);
	assert_non_null(strstr(why.text, "r.icb:4: repeat: 0 is out of range; accepted: 1 to 100"));
	recipe_free(&recipe);
}

static struct metric *add(struct metrics *metrics, const char *name, u32 unit,
			  u32 divisor)
{
	struct metric *metric;

	metrics->metric = alloc_grow(metrics->metric, metrics->count,
				     sizeof(*metric));
	metric = &metrics->metric[metrics->count++];
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->kind = ICBENCH_METRIC_KIND_SCALAR;
	metric->unit = unit;
	metric->divisor = divisor;
	return metric;
}

static void add_dist(struct metrics *metrics, const char *name,
		     const u64 *value, unsigned int count)
{
	struct metric *metric = add(metrics, name, ICBENCH_UNIT_NS, 1);
	unsigned int i;

	metric->kind = ICBENCH_METRIC_KIND_DISTRIBUTION;
	metric->hist = alloc_zero(1, sizeof(*metric->hist));
	icb_hist_reset(metric->hist);
	for (i = 0; i < count; i++)
		icb_hist_add(metric->hist, value[i]);
	assert_int_equal(stats_of(&metric->stats, metric->hist, 1), 0);
}

static void add_scalar(struct metrics *metrics, const char *name, u32 unit,
		       u32 divisor, u64 value)
{
	add(metrics, name, unit, divisor)->value = value;
}

#define SAMPLES	50

/* A run whose latencies are 25 ns above and below their mean, with other metrics. */
static void make_run(struct point *run, const struct icb_params *params,
		     u64 mean)
{
	u64 value[SAMPLES];
	unsigned int i;

	memset(run, 0, sizeof(*run));
	run->job.params = *params;
	run->job.state = ICBENCH_JOB_STATE_FINISHED;
	run->job.outcome = ICBENCH_OUTCOME_COMPLETE;
	run->job.done = SAMPLES;
	for (i = 0; i < SAMPLES; i++)
		value[i] = mean + (i % 2 ? 25 : -25);
	add_dist(&run->metrics, "latency", value, SAMPLES);
	add_scalar(&run->metrics, "cpu_per_message", ICBENCH_UNIT_NS, 1000,
		   2000 * mean);
}

struct fixture {
	struct recipe recipe;
	struct plan plan;
	struct result result;
};

static void begin(struct fixture *f, const char *text)
{
	static struct nl_devs devs;
	static char *argv[] = { "icbenchctl", NULL };

	memset(f, 0, sizeof(*f));
	assert_int_equal(parse(&f->recipe, text, NULL), 0);
	assert_int_equal(recipe_plan(&f->recipe, &f->plan, NULL), 0);
	f->result.recipe = &f->recipe;
	f->result.plan = &f->plan;
	f->result.devs = &devs;
	f->result.argv = argv;
}

/* @mean: means of the point's runs, as many as the plan repeats; or 0 behind the last */
static void give(struct fixture *f, unsigned int index, const u64 *mean)
{
	struct point run;
	unsigned int i;

	if (index == f->result.count)
		result_add(&f->result);
	for (i = 0; i < f->plan.repeat && mean[i]; i++) {
		make_run(&run, &f->plan.point[index].params, mean[i]);
		repeat_add(&f->result.point[index], &run);
	}
	repeat_compare(&f->result, index);
}

static void end(struct fixture *f)
{
	result_free(&f->result);
	plan_free(&f->plan);
	recipe_free(&f->recipe);
}

static double scalar(const struct point *point, const char *name)
{
	const struct metric *metric = metrics_find(&point->metrics, name);

	assert_non_null(metric);
	return (double)metric->value / metric->divisor;
}

/* Distributions are exactly those of all samples; counts are summed, rates are not. */
static void test_pool(void **state)
{
	static const u64 first[] = { 100, 200, 3000 }, second[] = { 50, 60 };
	static const u64 all[] = { 100, 200, 3000, 50, 60 };
	struct metrics expected = { 0 };
	struct point point = { 0 }, run;
	struct icb_params params;
	const struct metric *metric;
	unsigned int i;

	(void)state;
	icb_params_init(&params);
	for (i = 0; i < 2; i++) {
		memset(&run, 0, sizeof(run));
		run.job.params = params;
		run.job.params.cpu = i;
		run.job.params.set |= BIT_ULL(ICBENCH_A_PARAMS_CPU);
		run.job.outcome = ICBENCH_OUTCOME_COMPLETE;
		run.job.done = i ? 2 : 3;
		add_dist(&run.metrics, "latency", i ? second : first, i ? 2 : 3);
		metrics_find(&run.metrics, "latency")->tails = 1;
		metrics_find(&run.metrics, "latency")->tail[0] = (struct tail){
			.has = ~0ULL, .samples = 3, .by = { 1 + i },
			.unexplained = 1,
			.present = { .has = ~0ULL, .by = { 2 } },
			.by_length = { .has = ~0ULL, .by = { i } } };
		add_scalar(&run.metrics, "message_rate",
			   ICBENCH_UNIT_PER_SECOND, 1000, 4000 + 3001 * i);
		add_scalar(&run.metrics, "wakes_same_cpu", ICBENCH_UNIT_COUNT,
			   1, 7 + i);
		add_scalar(&run.metrics, "wakeups_per_message",
			   ICBENCH_UNIT_COUNT, 1000, 500 + 500 * i);
		add_scalar(&run.metrics, "bytes", ICBENCH_UNIT_BYTES, 1, 10);
		add_scalar(&run.metrics, "qp_min", ICBENCH_UNIT_COUNT, 1,
			   5 - i);
		add_scalar(&run.metrics, "qp_max", ICBENCH_UNIT_COUNT, 1,
			   5 + i);
		add_scalar(&run.metrics, "warmup_made", ICBENCH_UNIT_COUNT, 1,
			   i ? 1000 : 10000);
		add_scalar(&run.metrics, "warmup_steady", ICBENCH_UNIT_COUNT, 1,
			   i);
		add(&run.metrics, "interrupts", ICBENCH_UNIT_COUNT, 1)->kind =
			ICBENCH_METRIC_KIND_DISTURBANCE;
		metrics_find(&run.metrics, "interrupts")->value = 3;
		/* a run has this metric only if it is not 0 */
		if (i)
			add_scalar(&run.metrics, "torn", ICBENCH_UNIT_COUNT, 1,
				   4);
		if (!i)
			add_scalar(&run.metrics, "availability",
				   ICBENCH_UNIT_PERCENT, 1000, 4);
		repeat_add(&point, &run);
	}
	add_dist(&expected, "latency", all, ARRAY_SIZE(all));
	metric = metrics_find(&point.metrics, "latency");
	assert_memory_equal(&metric->stats, &expected.metric->stats,
			    sizeof(metric->stats));
	assert_memory_equal(metric->hist->bucket, expected.metric->hist->bucket,
			    sizeof(metric->hist->bucket));
	assert_int_equal(metric->tails, 1);
	assert_int_equal(metric->tail[0].samples, 6);
	assert_int_equal(metric->tail[0].by[0], 3);
	assert_int_equal(metric->tail[0].present.by[0], 4);
	assert_int_equal(metric->tail[0].by_length.by[0], 1);
	assert_true(scalar(&point, "message_rate") == 5.501);
	assert_true(scalar(&point, "wakes_same_cpu") == 15);
	assert_true(scalar(&point, "wakeups_per_message") == 0.75);
	assert_true(scalar(&point, "bytes") == 20);
	assert_true(scalar(&point, "qp_min") == 4);
	assert_true(scalar(&point, "qp_max") == 6);
	/* a run that was not steady is visible beside one that was */
	assert_true(scalar(&point, "warmup_made") == 10000);
	assert_true(scalar(&point, "warmup_steady") == 0);
	assert_true(scalar(&point, "interrupts") == 6);
	assert_true(scalar(&point, "torn") == 4);
	assert_null(metrics_find(&point.metrics, "availability"));
	assert_int_equal(point.runs, 2);
	assert_int_equal(point.job.done, 5);
	/* parameters that differ between runs are no parameters of the point */
	assert_false(icb_params_has(&point.job.params, ICBENCH_A_PARAMS_CPU));
	metrics_free(&expected);
	point_clear(&point);
	assert_null(point.run);
}

/* No two runs of a point draw the same numbers, unless a seed was given. */
static void test_seeds(void **state)
{
	enum { REPEATS = 3, RUNS = REPEATS * (ICBENCH_MAX_WORKERS + 1) };
	struct icb_params params, run, load, worker;
	unsigned int repeat, count = 0, i, j;
	u64 seen[RUNS];

	(void)state;
	icb_params_init(&params);
	params.trigger = ICBENCH_TRIGGER_CLOCK;
	params.seed = 7;
	for (repeat = 0; repeat < REPEATS; repeat++) {
		run = params;
		load = params;
		seed_load(&load, &params);
		seed_repeat(&run, &load, repeat);
		seen[count++] = load.seed;
		for (i = 0; i < ICBENCH_MAX_WORKERS; i++) {
			workers_params(&run, i, &worker);
			/* a seed that is not given is not sent */
			assert_int_equal(icb_params_given(&worker, ICBENCH_A_PARAMS_SEED),
					 repeat || i);
			seen[count++] = worker.seed;
		}
	}
	assert_int_equal(count, RUNS);
	assert_int_equal(seen[1], 7);
	for (i = 0; i < count; i++)
		for (j = 0; j < i; j++)
			assert_int_not_equal(seen[i], seen[j]);
	/* a given seed is kept, also that of the load */
	load = params;
	load.seed = 9;
	load.given |= BIT_ULL(ICBENCH_A_PARAMS_SEED);
	seed_load(&load, &params);
	run = params;
	seed_repeat(&run, &load, 2);
	assert_int_equal(load.seed, 9);
	run = params;
	run.given |= BIT_ULL(ICBENCH_A_PARAMS_SEED);
	seed_repeat(&run, NULL, 2);
	assert_int_equal(run.seed, 7);
	/* a run without random numbers sends no seed */
	run = params;
	run.trigger = ICBENCH_TRIGGER_ECHO;
	seed_repeat(&run, NULL, 2);
	assert_int_equal(run.seed, 7);
	assert_false(icb_params_given(&run, ICBENCH_A_PARAMS_SEED));
}

static bool is_about(double value, double expected)
{
	return fabs(value - expected) < 0.01;
}

/* Interval of an overhead, and whether it contains 0. */
static void test_overhead(void **state)
{
	static const struct {
		u64 poll[3], block[3];
		double value, half;
		bool zero;
	} rows[] = {
		/* t(4) is 2.7764; the standard error of each is 10 / sqrt(3) */
		{ { 990, 1000, 1010 }, { 1990, 2000, 2010 }, 1000, 22.67, false },
		{ { 990, 1000, 1010 }, { 1000, 1010, 1020 }, 10, 22.67, true },
		{ { 1010, 1000, 990 }, { 960, 970, 980 }, -30, 22.67, false },
		/* only the baseline varies: t(2) */
		{ { 990, 1000, 1010 }, { 2000, 2000, 2000 }, 1000, 24.84, false },
		{ { 1000, 1000, 1000 }, { 2000, 2000, 2000 }, 1000, 0, false },
		{ { 1000, 1000, 1000 }, { 1000, 1000, 1000 }, 0, 0, true },
	};
	const struct point *point;
	struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(&f, ECHO MODES);
		give(&f, 0, rows[i].poll);
		give(&f, 1, rows[i].block);
		assert_row(i, !f.result.point[0].has_overhead);
		point = &f.result.point[1];
		assert_row(i, point->has_overhead && point->bounded);
		assert_row(i, is_about(point->overhead.value, rows[i].value));
		assert_row(i, is_about(point->overhead.high,
				       rows[i].value + rows[i].half));
		assert_row(i, is_about(point->overhead.low,
				       rows[i].value - rows[i].half));
		assert_row(i, range_has_zero(&point->overhead) ==
			   rows[i].zero);
		/* a median has the additional error of its bucket */
		assert_row(i, point->overhead_p50.high -
			   point->overhead_p50.low >= point->overhead.high -
						      point->overhead.low);
		end(&f);
	}
}

/* One run does not show how runs differ; a run that was cut short does not count. */
static void test_few(void **state)
{
	static const u64 three[] = { 990, 1000, 1010 }, one[] = { 2000, 0 };
	const struct point *point;
	struct fixture f;

	(void)state;
	begin(&f, ECHO MODES);
	give(&f, 0, three);
	give(&f, 1, one);
	point = &f.result.point[1];
	assert_true(point->has_overhead && !point->bounded);
	assert_true(is_about(point->overhead.value, 1000));
	give(&f, 1, one);
	assert_true(point->bounded);
	f.result.point[1].run[1].job.outcome = ICBENCH_OUTCOME_STOPPED;
	repeat_compare(&f.result, 1);
	assert_false(point->bounded);
	end(&f);
}

#define LOGGP \
	"title = x\nverb = send\ntransport = rc\ncompletion = poll\nsize = 8\n" \
	"derive = loggp\n[message]\ntrigger = echo\noverhead = yes\n" \
	"[rate]\ntrigger = completion\n[bytes]\ntrigger = completion\n" \
	"size = 1K,3K\n"

/* @step: slowdown from each pass to the next, ns */
static void give_loggp(struct fixture *f, u64 step)
{
	const u64 post = 100, poll = 50;
	struct point run;
	unsigned int i, r;
	u64 value;

	for (i = 0; i < f->plan.count; i++) {
		result_add(&f->result);
		for (r = 0; r < f->plan.repeat; r++) {
			make_run(&run, &f->plan.point[i].params,
				 2000 + step * r);
			add_dist(&run.metrics, "post", &post, 1);
			add_dist(&run.metrics, "poll", &poll, 1);
			value = 160 + step * r;
			add_dist(&run.metrics, "overhead", &value, 1);
			/* 1 ns per byte, plus a part that is common to a pass */
			value = f->plan.point[i].params.size + 1000 +
				step * r;
			add_scalar(&run.metrics, "message_rate",
				   ICBENCH_UNIT_PER_SECOND, 1000,
				   1000000000000ULL / value);
			repeat_add(&f->result.point[i], &run);
		}
	}
}

/* Derived values have an interval, from their values in each pass. */
static void test_derived(void **state)
{
	enum { L, O_S, O_R, G_SMALL, G_LARGE };
	struct derived derived[DERIVE_MAX];
	struct fixture f;
	unsigned int i;

	(void)state;
	begin(&f, LOGGP);
	assert_int_equal(f.plan.repeat, 3);
	give_loggp(&f, 10);
	/* and the intercept of the line whose slope is G */
	assert_int_equal(derive_values(&f.result, derived), 6);
	for (i = 0; i < 5; i++)
		assert_true(derived[i].bounded &&
			    derived[i].range.value == derived[i].value);
	/* 2010 - 150, plus 10 and 20 in later passes: 4.3027 * 10 / sqrt(3) */
	assert_true(is_about(derived[L].value, 1860));
	assert_true(is_about(derived[L].range.high, 1860 + 24.84));
	/* equal in each pass, to within its bucket: an interval of width 0 */
	assert_true(derived[O_S].range.low == 100 &&
		    derived[O_S].range.high == 100);
	assert_true(is_about(derived[O_R].range.low, 70 - 24.84));
	/* the common part of a pass does not affect the slope */
	assert_true(fabs(derived[G_LARGE].value - 1) < 1e-5);
	assert_true(derived[G_LARGE].range.high < 1.0001 &&
		    derived[G_LARGE].range.low > 0.9999);
	/* one complete pass gives no interval */
	f.result.point[2].run[1].job.outcome = ICBENCH_OUTCOME_STOPPED;
	/* and the intercept of the line whose slope is G */
	assert_int_equal(derive_values(&f.result, derived), 6);
	for (i = 0; i < 5; i++)
		assert_false(derived[i].bounded);
	end(&f);
}

static void print_text(FILE *f, const struct result *result)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		text_full.point(f, result, &result->point[i]);
	text_full.end(f, result, true);
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

static void check_json(const struct result *result, bool distinguishable)
{
	char *text = print(result, print_json);
	struct json_object *root = json_tokener_parse(text), *point, *latency;
	struct json_object *run, *overhead;

	assert_non_null(root);
	point = json_object_array_get_idx(at(root, "points"), 1);
	assert_int_equal(json_object_get_int(at(point, "repeat")), 3);
	latency = at(at(point, "metrics"), "latency");
	assert_true(number(latency, "count") == 3 * SAMPLES);
	assert_true(number(at(latency, "interval"), "runs") == 3);
	assert_true(number(at(latency, "interval"), "low") <
		    number(latency, "mean"));
	assert_true(number(at(at(latency, "confidence"), "50"), "runs") == 3);
	assert_true(number(at(at(latency, "confidence"), "99"), "high") >
		    number(at(latency, "percentiles"), "50"));
	assert_non_null(at(latency, "histogram"));
	assert_true(number(at(at(at(point, "metrics"), "cpu_per_message"),
			      "interval"), "high") >
		    number(at(at(point, "metrics"), "cpu_per_message"), "value"));
	overhead = at(at(point, "metrics"), "overhead");
	assert_true(number(overhead, "low") < number(overhead, "value"));
	assert_true(number(overhead, "high") > number(overhead, "value"));
	assert_true(number(overhead, "p50_low") < number(overhead, "p50_high"));
	assert_int_equal(json_object_get_boolean(at(overhead, "distinguishable")),
			 distinguishable);
	assert_int_equal(json_object_array_length(at(point, "runs")), 3);
	run = json_object_array_get_idx(at(point, "runs"), 1);
	/* order A B, B A */
	assert_true(number(run, "position") == 2);
	assert_string_equal(json_object_get_string(at(run, "outcome")),
			    "complete");
	latency = at(at(run, "metrics"), "latency");
	assert_true(number(latency, "count") == SAMPLES);
	assert_null(json_object_object_get(latency, "histogram"));
	json_object_put(root);
	free(text);
}

static void test_printed(void **state)
{
	static const u64 poll[] = { 990, 1000, 1010 };
	static const u64 block[] = { 1990, 2000, 2010 };
	static const u64 alike[] = { 1000, 1010, 1020 };
	struct fixture f;
	char *text;

	(void)state;
	begin(&f, ECHO MODES);
	give(&f, 0, poll);
	give(&f, 1, block);
	check_json(&f.result, true);
	text = print(&f.result, print_text);
	assert_non_null(strstr(text, "Runs           : 3 of each, in turns (A B B A)"));
	assert_non_null(strstr(text, "  overhead[us]      95% certain[us]\n"));
	assert_non_null(strstr(text, "        +1.000       +0.977..+1.023\n"));
	assert_non_null(strstr(text, "\n overhead: t_avg minus t_avg of completion=poll, from the mean of each run; not distinguishable: 0 is in the interval\n"));
	assert_non_null(strstr(text, "\n 95 % certain   : by 3 runs, t_avg at 1.975..2.025 us, 50 % at "));
	free(text);
	text = print(&f.result, print_csv);
	assert_non_null(strstr(text, ",overhead.low,ns,977.33"));
	assert_non_null(strstr(text, ",run3.latency,ns,,50,1985,2010,25,2035,"));
	free(text);
	end(&f);

	begin(&f, ECHO MODES);
	give(&f, 0, poll);
	give(&f, 1, alike);
	check_json(&f.result, false);
	text = print(&f.result, print_text);
	assert_non_null(strstr(text, "+0.010       -0.013..+0.033 not distinguishable\n"));
	free(text);
	end(&f);
}

/* With one requested run there is no interval, and the output mentions that. */
static void test_once(void **state)
{
	struct point *point;
	struct fixture f;
	unsigned int i;
	char *text;

	(void)state;
	begin(&f, ECHO MODES "repeat = 1\n");
	for (i = 0; i < 2; i++) {
		point = result_add(&f.result);
		make_run(point, &f.plan.point[i].params, 1000 + 1000 * i);
		repeat_compare(&f.result, i);
	}
	text = print(&f.result, print_text);
	assert_non_null(strstr(text, "       +1.000\n"));
	assert_null(strstr(text, "95% certain"));
	assert_non_null(strstr(text, "\n overhead: t_avg minus t_avg of completion=poll; no interval, because each point was run once (--repeat 3)\n"));
	free(text);
	text = print(&f.result, print_json);
	assert_null(strstr(text, "\"repeat\""));
	assert_null(strstr(text, "\"runs\""));
	assert_null(strstr(text, "\"distinguishable\""));
	assert_null(strstr(text, "\"low\""));
	free(text);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_default),
		cmocka_unit_test(test_pool),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_overhead),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_derived),
		cmocka_unit_test(test_printed),
		cmocka_unit_test(test_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
