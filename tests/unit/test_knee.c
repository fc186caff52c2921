// SPDX-License-Identifier: GPL-2.0
/* The knee: where a metric falls permanently, over the points of a sweep. */
#include <math.h>

#include "base/alloc.h"
#include "model/random.h"
#include "plan/derive.h"
#include "plan/knee.h"
#include "stats/startup.h"
#include "unit.h"

#define VALUES	6

static void fill(struct result *result, u64 value, u32 kind)
{
	struct point *point = result_add(result);
	struct metric *metric = alloc_zero(1, sizeof(*metric));

	memset(point, 0, sizeof(*point));
	strcpy(metric->name, "bandwidth");
	metric->unit = ICBENCH_UNIT_BYTES_PER_SECOND;
	metric->kind = kind;
	metric->divisor = 1000;
	metric->value = value * 1000;
	point->metrics.metric = metric;
	point->metrics.count = 1;
}

static void with_sweep(const char *windows, const char *sizes,
		       void (*test)(struct result *result, const void *arg),
		       const void *arg)
{
	struct recipe recipe = { .knee = icb_param_by_name("window") };
	struct result result = { .recipe = &recipe };
	struct plan plan;

	recipe.knee_metric = "bandwidth";
	config_set(&recipe.config, icb_param_by_name("trigger"), "completion",
		   NULL);
	assert_int_equal(config_set(&recipe.config, icb_param_by_name("refill"),
				    "1", NULL), 0);
	assert_int_equal(config_set(&recipe.config, icb_param_by_name("size"),
				    sizes, NULL), 0);
	assert_int_equal(config_set(&recipe.config, icb_param_by_name("window"),
				    windows, NULL), 0);
	assert_int_equal(plan_make(&plan, &recipe.config, NULL, NULL), 0);
	result.plan = &plan;
	test(&result, arg);
	result_free(&result);
	plan_free(&plan);
	config_free(&recipe.config);
}

/**
 * struct row - curve and its knee
 * @windows: values of the key, in the order of the points
 * @value: values of the metric
 * @peak: greatest value
 * @holds: last window with a large enough value
 * @falls: first window behind @holds; 0 for none
 */
static const struct row {
	const char *windows;
	u64 value[VALUES];
	double peak;
	u64 holds;
	u64 falls;
} rows[] = {
	{ "1,2,3,4", { 100, 100, 96, 94 }, 100, 3, 4 },
	{ "1,2,3,4", { 100, 100, 95, 95 }, 100, 4, 0 },
	{ "1,2,3,4", { 100, 94, 94, 1 }, 100, 1, 2 },
	/* a single low value is not a fall */
	{ "1,2,3,4", { 90, 94, 100, 10 }, 100, 3, 4 },
	{ "1,2,3,4", { 100, 20, 99, 98 }, 100, 4, 0 },
	/* a rising curve has no fall */
	{ "1,2,3,4", { 1, 2, 3, 4 }, 4, 4, 0 },
	/* in any order of points */
	{ "4,1,3,2", { 94, 100, 96, 100 }, 100, 3, 4 },
	{ "9,1", { 0, 7 }, 7, 1, 9 },
	{ "1,2", { 0, 0 }, 0, 2, 0 },
};

static void check_row(struct result *result, const void *arg)
{
	const struct row *row = arg;
	size_t at = row - rows;
	struct knee knee;
	unsigned int i;

	for (i = 0; i < result->plan->count; i++)
		fill(result, row->value[i], ICBENCH_METRIC_KIND_SCALAR);
	assert_row(at, knee_find(&knee, result, 0));
	assert_row(at, knee.first == 0);
	assert_row(at, knee.peak == row->peak);
	assert_row(at, knee.holds == row->holds);
	assert_row(at, knee.found == !!row->falls);
	assert_row(at, knee.falls == row->falls);
	for (i = 1; i < result->count; i++)
		assert_row(at, !knee_find(&knee, result, i));
	/* an incomplete sweep */
	result->count--;
	assert_row(at, !knee_find(&knee, result, 0));
	result->count++;
	strcpy(result->reason, "because");
	assert_row(at, !knee_find(&knee, result, 0));
}

static void test_rows(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		with_sweep(rows[i].windows, "64", check_row, &rows[i]);
}

/* Each combination of the other keys has a curve of its own. */
static void check_groups(struct result *result, const void *arg)
{
	static const u64 values[] = { 10, 10, 1, 50, 20, 10 };
	struct knee knee;
	unsigned int i;

	(void)arg;
	for (i = 0; i < VALUES; i++)
		fill(result, values[i], ICBENCH_METRIC_KIND_SCALAR);
	assert_true(knee_find(&knee, result, 0));
	assert_true(knee.holds == 2 && knee.falls == 3 && knee.peak == 10);
	assert_true(knee_find(&knee, result, 3));
	assert_true(knee.holds == 1 && knee.falls == 2 && knee.peak == 50);
	assert_false(knee_find(&knee, result, 1));
	assert_false(knee_find(&knee, result, 4));
}

/* A metric that is absent, or has no numbers, has no knee. */
static void check_absent(struct result *result, const void *arg)
{
	const char *name = arg;
	struct knee knee;
	unsigned int i;

	for (i = 0; i < result->plan->count; i++)
		fill(result, 5, i ? ICBENCH_METRIC_KIND_SCALAR :
				    ICBENCH_METRIC_KIND_DISTURBANCE);
	assert_false(knee_find(&knee, result, 0));
	strcpy(result->point[1].metrics.metric->name, name);
	result->point[0].metrics.metric->kind = ICBENCH_METRIC_KIND_SCALAR;
	assert_int_equal(knee_find(&knee, result, 0),
			 !strcmp(name, "bandwidth"));
}

static void check_single(struct result *result, const void *arg)
{
	struct knee knee;

	(void)arg;
	fill(result, 5, ICBENCH_METRIC_KIND_SCALAR);
	assert_false(knee_find(&knee, result, 0));
}

static void test_others(void **state)
{
	(void)state;
	with_sweep("1,2,3", "64,65", check_groups, NULL);
	with_sweep("1,2", "64", check_absent, "latency");
	with_sweep("1,2", "64", check_absent, "bandwidth");
	with_sweep("1", "64", check_single, NULL);
}

static u64 place;

/* Random number between 0 and 1, both excluded. */
static double uniform(void)
{
	return (icb_random_at((struct icb_random){ 4711 }, ++place) + 0.5) / 4294967296.0;
}

static double normal(void)
{
	double r = sqrt(-2 * log(uniform()));

	return r * cos(2 * M_PI * uniform());
}

static struct metric *add(struct point *point, const char *name, u32 unit,
			  double value)
{
	struct metrics *metrics = &point->metrics;
	struct metric *metric;

	metrics->metric = alloc_grow(metrics->metric, metrics->count,
				     sizeof(*metric));
	metric = &metrics->metric[metrics->count++];
	memset(metric, 0, sizeof(*metric));
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->unit = unit;
	metric->kind = ICBENCH_METRIC_KIND_SCALAR;
	metric->divisor = 1000;
	metric->value = llround(value * 1000);
	return metric;
}

/**
 * struct curve - simulated device
 * @recipe: recipe with a knee
 * @plan: plan of the recipe
 * @result: result of the plan
 * @measure: simulates the point that was added last
 * @capacity: operations per second of a server; or the true bandwidth
 * @noise: standard deviation of a bandwidth, relative to its value
 */
struct curve {
	struct recipe recipe;
	struct plan plan;
	struct result result;
	void (*measure)(const struct curve *curve, struct point *point,
			const struct icb_params *params);
	double capacity;
	double noise;
};

static void measure_next(struct curve *curve)
{
	const struct plan_point *planned =
		&curve->plan.point[curve->result.count];
	struct point *point = result_add(&curve->result);

	memset(point, 0, sizeof(*point));
	point->job.outcome = ICBENCH_OUTCOME_COMPLETE;
	point->job.params = planned->params;
	curve->measure(curve, point, &planned->params);
}

/*
 * As in experiment.c: points far beyond the knee are skipped, and then the knee is
 * refined.
 */
static void measure_all(struct curve *curve, const char *text,
			unsigned int refine)
{
	char *copy = alloc_copy(text, strlen(text));

	memset(&curve->recipe, 0, sizeof(curve->recipe));
	memset(&curve->result, 0, sizeof(curve->result));
	curve->recipe.path = alloc_text("r.icb");
	assert_int_equal(recipe_parse(&curve->recipe, copy, strlen(text), NULL),
			 0);
	free(copy);
	assert_int_equal(recipe_plan(&curve->recipe, &curve->plan, NULL), 0);
	curve->result.recipe = &curve->recipe;
	curve->result.plan = &curve->plan;
	while (curve->result.count < curve->plan.count)
		if (knee_is_beyond(&curve->result, curve->result.count))
			plan_drop(&curve->plan, curve->result.count);
		else
			measure_next(curve);
	while (refine-- && knee_refine(&curve->plan, &curve->result, 0))
		measure_next(curve);
}

static void end(struct curve *curve)
{
	result_free(&curve->result);
	plan_free(&curve->plan);
	recipe_free(&curve->recipe);
}

/* A server with constant service time; operations are due at random times for a second. */
static void serve(const struct curve *curve, struct point *point,
		  const struct icb_params *params)
{
	const double service = 1 / curve->capacity;
	double due = 0, free = 0, sum = 0, accepted, served;
	struct metric *metric;
	u64 count = 0;

	for (;;) {
		due -= log(uniform()) / params->rate;
		if (due >= 1)
			break;
		free = fmax(free, due) + service;
		/* the time without waiting: to the server and back */
		sum += free - due + 5e-6;
		count++;
	}
	served = count / fmax(free, 1);
	accepted = 100 * fmin(served / count, 1);
	metric = add(point, "latency", ICBENCH_UNIT_NS, 0);
	metric->kind = ICBENCH_METRIC_KIND_DISTRIBUTION;
	metric->divisor = 1;
	metric->hist = alloc_zero(1, sizeof(*metric->hist));
	metric->stats.count = count;
	metric->stats.mean = 1e9 * sum / count;
	add(point, "message_rate", ICBENCH_UNIT_PER_SECOND, served);
	add(point, "offered_rate", ICBENCH_UNIT_PER_SECOND, count);
	add(point, "accepted", ICBENCH_UNIT_PERCENT, accepted);
}

#define LOAD	"title = x\ntrigger = clock\nverb = write\nduration = 1s\n" \
	"arrival = exponential\nderive = md1\n" \
	"knee = rate:accepted\nrate = 1000..1024000\n"

/* The knee of a server: it serves 95 % of the load, which is its capacity / 0.95. */
static void test_server(void **state)
{
	static const double capacities[] = {
		9000, 70000, 90500, 125000, 131000, 300000 };
	struct derived derived[DERIVE_MAX];
	double at, capacity;
	struct curve curve;
	struct knee knee;
	unsigned int c, i, known;

	(void)state;
	for (c = 0; c < ARRAY_SIZE(capacities); c++) {
		capacity = capacities[c];
		curve = (struct curve){ .measure = serve,
			.capacity = capacity };
		measure_all(&curve, LOAD, 6);
		assert_row(c, knee_find(&knee, &curve.result, 0));
		at = capacity / 0.95;
		print_message("capacity %.0f: %u runs, knee %.0f of %.0f, %llu..%llu\n",
			      capacity, curve.plan.count, knee.at, at,
			      (unsigned long long)knee.holds,
			      (unsigned long long)knee.falls);
		assert_row(c, knee.found && fabs(knee.at / at - 1) < 0.02);
		assert_row(c, knee.falls - knee.holds <= knee.holds / 20);
		/* the interval is not refined beyond the precision of the results */
		assert_row(c, curve.plan.count <= 17);
		/* no point far beyond the knee was run */
		for (i = 0; i < curve.plan.count; i++)
			assert_row(c, curve.plan.point[i].params.rate <
				      3 * capacity);

		derive_values(&curve.result, derived);
		assert_row(c, derived[0].known &&
			      fabs(derived[0].value / capacity - 1) < 0.02);
		for (i = 0, known = 0; i < curve.result.count; i++) {
			derive_each(&curve.result, i, derived);
			assert_row(c, derived[0].known && derived[1].known);
			if (!derived[2].known || derived[0].value > 90)
				continue;
			known++;
			assert_row(c, fabs(derived[2].value /
					   derived[1].value - 1) < 0.1);
		}
		assert_row(c, known >= 3);
		end(&curve);
	}
}

/* The full bandwidth up to a share of 70 %, and then the rest of the time. */
static void compute(const struct curve *curve, struct point *point,
		    const struct icb_params *params)
{
	double bandwidth = curve->capacity;

	if (params->compute_share > 700)
		bandwidth *= (1000 - params->compute_share) / 300.0;
	add(point, "bandwidth", ICBENCH_UNIT_BYTES_PER_SECOND,
	    bandwidth * (1 + curve->noise * normal()));
}

#define OVERHEAD "title = x\ntrigger = completion\nverb = send\n" \
	"duration = 1s\nknee = compute-share:bandwidth\n" \
	"compute-share = 0..90+10,95,99,99.5\n"

/* The greatest of many noisy runs is not the peak; the knee is found between two runs. */
static void test_noise(void **state)
{
	const unsigned int runs = 200;
	struct curve curve = { .measure = compute, .capacity = 1e9,
		.noise = 0.02 };
	double peak = 0, once = 0, at = 0;
	unsigned int i;
	struct knee knee;

	(void)state;
	for (i = 0; i < runs; i++) {
		measure_all(&curve, OVERHEAD, 0);
		assert_true(knee_find(&knee, &curve.result, 0));
		once += knee.peak / curve.capacity / runs;
		end(&curve);
		measure_all(&curve, OVERHEAD, 8);
		assert_true(knee_find(&knee, &curve.result, 0));
		peak += knee.peak / curve.capacity / runs;
		at += knee.at / 10 / runs;
		end(&curve);
	}
	print_message("peak %.4f, of runs that are not repeated %.4f; knee %.2f\n",
		      peak, once, at);
	assert_true(once > 1.02);
	assert_true(peak < 1.015 && peak > 0.99);
	/* 95 % of the bandwidth remain at 71.5 */
	assert_true(at > 69.5 && at < 73);

	curve.noise = 0;
	measure_all(&curve, OVERHEAD, 8);
	assert_true(knee_find(&knee, &curve.result, 0));
	assert_true(knee.peak == 1e9 && fabs(knee.at - 715) < 1.01);
	assert_true(knee.falls - knee.holds <= 14);
	end(&curve);
}

/* The peak consists of all points that cannot be distinguished from the greatest. */
static void check_peaks(struct result *result, const void *arg)
{
	static const u64 values[] = { 1000, 1010, 990, 900 };
	struct metric *metric;
	struct knee knee;
	unsigned int i, b;

	(void)arg;
	for (i = 0; i < result->plan->count; i++) {
		fill(result, values[i], ICBENCH_METRIC_KIND_SCALAR);
		metric = result->point[i].metrics.metric;
		metric->means = 8;
		for (b = 0; b < 8; b++) {
			metric->over[b] = values[i] * 1000 +
					  (b % 2 ? 20000 : -20000);
			metric->under[b] = 1000000000000ULL;
		}
	}
	assert_true(knee_find(&knee, result, 0));
	assert_int_equal(knee.peaks, 3);
	assert_true(knee.peak == 1000);
	assert_int_equal(knee.best, 1);
	/* a point without batches counts alone */
	result->point[1].metrics.metric->means = 0;
	assert_true(knee_find(&knee, result, 0));
	assert_int_equal(knee.peaks, 1);
	assert_true(knee.peak == 1010);
}

static void test_peaks(void **state)
{
	(void)state;
	with_sweep("1,2,3,4", "64", check_peaks, NULL);
}

/* A start-up that decays from @height times the rest, for @batches batches; then noise. */
static void make_startup(struct metric *metric, unsigned int batches,
			 double height)
{
	static struct icb_hist hist;
	double sum = 0;
	unsigned int i;

	memset(metric, 0, sizeof(*metric));
	metric->hist = &hist;
	metric->divisor = 2;
	metric->means = 31;
	for (i = 0; i < 31; i++) {
		metric->under[i] = 1000;
		metric->over[i] = llround(1e6 * (1 + 0.02 * normal() +
						 (i < batches ? height : 0)));
		sum += metric->over[i];
	}
	metric->stats.mean = sum / 31000 / 2;
}

static void test_startup(void **state)
{
	unsigned int i, cut = 0, unsteady = 0, right = 0;
	struct startup startup;
	struct metric metric;

	(void)state;
	/* without a start-up, little is cut off, and rarely */
	for (i = 0; i < 500; i++) {
		make_startup(&metric, 0, 0);
		startup_find(&startup, &metric);
		assert_true(startup.known);
		cut += startup.cut > 0;
		unsteady += !startup.steady;
	}
	print_message("without a start-up: cut off %.3f, not steady %.3f\n",
		      cut / 500.0, unsteady / 500.0);
	assert_true(cut < 500 * 0.1 && unsteady < 500 * 0.05);
	for (i = 0; i < 500; i++) {
		make_startup(&metric, 4, i % 2 ? 0.5 : -0.3);
		startup_find(&startup, &metric);
		right += startup.steady && startup.cut >= 4000 &&
			 startup.cut <= 15000;
	}
	print_message("cut off with one: %.3f\n", right / 500.0);
	assert_true(right > 500 * 0.9);
	/* a queue that keeps growing is not in a steady state */
	for (i = 0; i < 31; i++)
		metric.over[i] = 1000000 + 50000 * i;
	startup_find(&startup, &metric);
	assert_true(startup.known && !startup.steady && !startup.cut);
	metric.means = 15;
	startup_find(&startup, &metric);
	assert_false(startup.known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_peaks),
		cmocka_unit_test(test_server),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_startup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
