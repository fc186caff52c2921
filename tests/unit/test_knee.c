// SPDX-License-Identifier: GPL-2.0
/* Where a metric falls for good, over the points of a sweep. */
#include "unit.h"
#include "alloc.h"
#include "knee.h"

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
 * struct row - a curve and its knee
 * @windows: the values of the key, in the order of the points
 * @value: the metric's
 * @peak: the greatest
 * @holds: the last window with enough of it
 * @falls: the first one beyond that; 0 for none
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
	/* one that is low between others is no fall */
	{ "1,2,3,4", { 90, 94, 100, 10 }, 100, 3, 4 },
	{ "1,2,3,4", { 100, 20, 99, 98 }, 100, 4, 0 },
	/* it rises: no fall */
	{ "1,2,3,4", { 1, 2, 3, 4 }, 4, 4, 0 },
	/* in any order */
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
	/* cut short */
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

/* What else is swept makes curves of their own. */
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

/* A metric that is not there, or is none of numbers, has no knee. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
