// SPDX-License-Identifier: GPL-2.0
#include "plan/load.h"
#include "plan/plan.h"
#include "unit.h"

static void give(struct config *config, const char *key, const char *text)
{
	assert_int_equal(config_set(config, icb_param_by_name(key), text, NULL),
			 0);
}

static void test_one(void **state)
{
	struct config config = { 0 };
	struct plan plan;
	char name[64];

	(void)state;
	assert_int_equal(plan_make(&plan, &config, NULL, NULL), 0);
	assert_int_equal(plan.count, 1);
	assert_int_equal(plan.varying, 0);
	assert_int_equal(plan.point[0].baseline, -1);
	assert_int_equal(plan.point[0].params.iterations, 10000);
	plan_name(&plan, &plan.point[0].params, name, sizeof(name));
	assert_string_equal(name, "");
	plan_free(&plan);
}

static void test_product(void **state)
{
	static const u32 want[][2] = {
		{ 1, 1 }, { 1, 2 }, { 1, 4 }, { 8, 1 }, { 8, 2 }, { 8, 4 },
	};
	struct config config = { 0 };
	struct plan plan;
	char name[64];
	size_t i;

	(void)state;
	give(&config, "size", "1,8");
	give(&config, "warmup", "1..4");
	assert_int_equal(plan_make(&plan, &config, NULL, NULL), 0);
	assert_int_equal(plan.count, ARRAY_SIZE(want));
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		assert_row(i, plan.point[i].params.size == want[i][0]);
		assert_row(i, plan.point[i].params.warmup == want[i][1]);
	}
	plan_name(&plan, &plan.point[4].params, name, sizeof(name));
	assert_string_equal(name, "size=8 warmup=2");
	/* the buffer is too short for the name */
	plan_name(&plan, &plan.point[4].params, name, 9);
	assert_string_equal(name, "size=8 w");
	plan_free(&plan);
	config_free(&config);
}

static void test_last_given(void **state)
{
	struct config config = { 0 };
	struct plan plan;

	(void)state;
	give(&config, "size", "1,8");
	give(&config, "warmup", "1,2");
	give(&config, "size", "3,5");
	assert_int_equal(plan_make(&plan, &config, NULL, NULL), 0);
	assert_int_equal(plan.count, 4);
	assert_int_equal(plan.point[1].params.size, 5);
	assert_int_equal(plan.point[1].params.warmup, 1);
	plan_free(&plan);
	config_free(&config);
}

static void test_override(void **state)
{
	struct config recipe = { 0 }, user = { 0 };
	struct plan plan;

	(void)state;
	give(&recipe, "iterations", "100");
	give(&recipe, "completion", "poll,block");
	give(&recipe, "size", "8");
	give(&user, "duration", "1ms");
	give(&user, "completion", "softirq");
	give(&user, "size", "1,2,3");
	config_override(&recipe, &user);
	assert_int_equal(user.count, 0);
	assert_int_equal(plan_make(&plan, &recipe, NULL, NULL), 0);
	assert_int_equal(plan.count, 3);
	assert_int_equal(plan.point[2].params.completion,
			 ICBENCH_COMPLETION_SOFTIRQ);
	assert_int_equal(plan.point[2].params.duration, 1000000);
	assert_false(icb_params_has(&plan.point[2].params,
				    ICBENCH_A_PARAMS_ITERATIONS));
	plan_free(&plan);
	config_free(&recipe);
}

/* Keys that a recipe sets for its trigger are dropped with it; the user's are kept. */
static void test_override_trigger(void **state)
{
	static const struct {
		const char *trigger;
		const char *key;
		bool kept;
		int err;
	} rows[] = {
		{ "echo", NULL, false, 0 },
		{ "completion", NULL, true, 0 },
		{ "clock", NULL, true, 0 },
		{ "echo", "window", true, -EINVAL },
		{ "echo", "rate", false, -EINVAL },
	};
	const struct icb_param *window =
		icb_param_by_attr(ICBENCH_A_PARAMS_WINDOW);
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct config recipe = { 0 }, user = { 0 };
		struct plan plan;

		give(&recipe, "trigger", "completion");
		give(&recipe, "window", "64");
		give(&recipe, "size", "8");
		give(&user, "trigger", rows[i].trigger);
		if (rows[i].key)
			give(&user, rows[i].key, "7");
		config_override(&recipe, &user);
		assert_int_equal(!!config_find(&recipe, window), rows[i].kept);
		assert_int_equal(plan_make(&plan, &recipe, NULL, NULL),
				 rows[i].err);
		plan_free(&plan);
		config_free(&recipe);
	}
}

static void test_varying_default(void **state)
{
	struct config config = { 0 };
	struct plan plan;

	(void)state;
	give(&config, "verb", "send,write");
	assert_int_equal(plan_make(&plan, &config, NULL, NULL), 0);
	assert_true(plan.varying & BIT_ULL(ICBENCH_A_PARAMS_COMPLETION));
	plan_free(&plan);
	config_free(&config);
}

static void test_impossible(void **state)
{
	struct config config = { 0 };
	struct icb_reason why;
	struct plan plan;

	(void)state;
	give(&config, "verb", "send,write");
	give(&config, "completion", "memory,poll");
	assert_int_equal(plan_make(&plan, &config, NULL, &why), -EOPNOTSUPP);
	assert_non_null(strstr(why.text, "verb=send completion=memory: "));
	plan_free(&plan);
	config_free(&config);
}

static void test_too_many(void **state)
{
	struct config config = { 0 };
	struct icb_reason why;
	struct plan plan;

	(void)state;
	give(&config, "size", "1..100+1");
	give(&config, "warmup", "1..100+1");
	assert_int_equal(plan_make(&plan, &config, NULL, NULL), 0);
	plan_free(&plan);
	give(&config, "seed", "1,2");
	assert_int_equal(plan_make(&plan, &config, NULL, &why), -ERANGE);
	plan_free(&plan);
	give(&config, "iterations", "1..10000+1");
	give(&config, "warmup", "1..10000+1");
	give(&config, "size", "1..10000+1");
	assert_int_equal(plan_make(&plan, &config, NULL, &why), -ERANGE);
	plan_free(&plan);
	config_free(&config);
}

static void test_baseline(void **state)
{
	static const struct {
		u32 size;
		u32 completion;
		int baseline;
	} want[] = {
		{ 1, ICBENCH_COMPLETION_POLL, -1 },
		{ 1, ICBENCH_COMPLETION_BLOCK, 0 },
		{ 1, ICBENCH_COMPLETION_POLL, -1 },
		{ 1, ICBENCH_COMPLETION_SOFTIRQ, 0 },
		{ 2, ICBENCH_COMPLETION_POLL, -1 },
		{ 2, ICBENCH_COMPLETION_BLOCK, 4 },
		{ 2, ICBENCH_COMPLETION_POLL, -1 },
		{ 2, ICBENCH_COMPLETION_SOFTIRQ, 4 },
	};
	struct config config = { 0 };
	struct icb_reason why;
	struct sweep baseline;
	struct plan plan;
	size_t i;

	(void)state;
	assert_int_equal(sweep_parse(&baseline, icb_param_by_name("completion"),
				     "poll", NULL), 0);
	give(&config, "size", "1,2");
	/* the baseline comes first; the others keep their order */
	give(&config, "completion", "block,poll,poll,softirq");
	assert_int_equal(plan_make(&plan, &config, &baseline, NULL), 0);
	assert_int_equal(plan.count, ARRAY_SIZE(want));
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		assert_row(i, plan.point[i].params.size == want[i].size);
		assert_row(i, plan.point[i].params.completion ==
			   want[i].completion);
		assert_row(i, plan.point[i].baseline == want[i].baseline);
	}
	plan_free(&plan);
	/* without the baseline's point, nothing is compared */
	give(&config, "completion", "block,softirq");
	assert_int_equal(plan_make(&plan, &config, &baseline, NULL), 0);
	for (i = 0; i < plan.count; i++)
		assert_row(i, plan.point[i].baseline == -1);
	plan_free(&plan);
	/* also if its key varies slowest */
	give(&config, "size", "1,2");
	give(&config, "completion", "softirq,poll");
	give(&config, "size", "1,2");
	assert_int_equal(plan_make(&plan, &config, &baseline, NULL), 0);
	assert_int_equal(plan.point[0].params.completion,
			 ICBENCH_COMPLETION_POLL);
	assert_int_equal(plan.point[2].baseline, 0);
	assert_int_equal(plan.point[3].baseline, 1);
	plan_free(&plan);
	/* a result has only one kind of overhead */
	give(&config, "completion", "poll,block");
	give(&config, "overhead", "yes");
	assert_int_equal(plan_make(&plan, &config, &baseline, &why), -EINVAL);
	assert_non_null(strstr(why.text, "overhead: in this benchmark it is the increase"));
	plan_free(&plan);
	assert_int_equal(plan_make(&plan, &config, NULL, NULL), 0);
	plan_free(&plan);
	sweep_free(&baseline);
	config_free(&config);
}

/* Each run without a load first, and then beside each load. */
static void test_load(void **state)
{
	struct config config = { 0 }, load = { 0 };
	struct icb_reason why;
	struct plan plan;
	char name[64];
	size_t i;

	(void)state;
	give(&config, "size", "1,8");
	give(&config, "device", "rxe7");
	give(&load, "trigger", "completion");
	give(&load, "window", "2,4,6");
	assert_int_equal(plan_make(&plan, &config, NULL, NULL), 0);
	assert_int_equal(load_plan(&plan, &load, true, &why), 0);
	assert_int_equal(plan.count, 8);
	for (i = 0; i < plan.count; i++) {
		assert_row(i, plan.point[i].params.size == (i % 2 ? 8 : 1));
		assert_row(i, plan.point[i].beside == i / 2);
		assert_row(i, plan.point[i].baseline == (i < 2 ? -1 : (int)i % 2));
		if (i < 2)
			continue;
		assert_row(i, plan.point[i].load.window == i / 2 * 2);
		/* the load uses the device of the run, and lasts at least as long */
		assert_row(i, !strcmp(plan.point[i].load.device, "rxe7"));
		assert_row(i, plan.point[i].load.duration == ICBENCH_MAX_DURATION);
		/* its own random numbers */
		assert_row(i, plan.point[i].load.seed !=
			      plan.point[i].params.seed);
		assert_row(i, icb_params_given(&plan.point[i].load,
					       ICBENCH_A_PARAMS_SEED));
	}
	load_name(&plan, 1, name, sizeof(name));
	assert_string_equal(name, "no");
	load_name(&plan, 7, name, sizeof(name));
	assert_string_equal(name, "window=6");
	assert_true(plan_differs_only_in(&plan, 2, 3, icb_param_by_name("size")));
	assert_false(plan_differs_only_in(&plan, 1, 3, icb_param_by_name("size")));
	plan_free(&plan);
	config_free(&load);

	/* a single load has no name; a given device is kept */
	give(&load, "device", "rxe8");
	assert_int_equal(plan_make(&plan, &config, NULL, NULL), 0);
	assert_int_equal(load_plan(&plan, &load, false, &why), 0);
	assert_int_equal(plan.count, 4);
	assert_int_equal(plan.point[3].baseline, -1);
	assert_string_equal(plan.point[3].load.device, "rxe8");
	load_name(&plan, 3, name, sizeof(name));
	assert_string_equal(name, "yes");
	plan_free(&plan);
	config_free(&load);
	config_free(&config);
}

static void test_bad_load(void **state)
{
	static const struct {
		const char *key, *value, *why;
	} rows[] = {
		{ "iterations", "7", "a load lasts as long as its run" },
		{ "duration", "1s", "a load lasts as long as its run" },
		{ "verb", "read,write,cmp-swap", NULL },
		{ "refill", "7", "load: refill: " },
		{ "window", "1..16384+1", "at most" },
	};
	struct config config = { 0 }, load = { 0 };
	struct icb_reason why;
	struct plan plan;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (config_set(&load, icb_param_by_name(rows[i].key),
			       rows[i].value, &why)) {
			assert_row(i, rows[i].why);
			continue;
		}
		assert_int_equal(plan_make(&plan, &config, NULL, NULL), 0);
		if (load_plan(&plan, &load, true, &why))
			assert_row(i, rows[i].why && strstr(why.text, rows[i].why));
		else
			assert_row(i, !rows[i].why);
		plan_free(&plan);
		config_free(&load);
	}
	/* a timed call cannot be a load, and a run without a device cannot have one */
	give(&load, "trigger", "return");
	give(&load, "verb", "connect");
	assert_int_equal(plan_make(&plan, &config, NULL, NULL), 0);
	assert_int_equal(load_plan(&plan, &load, true, &why), -EINVAL);
	assert_non_null(strstr(why.text, "a load sends messages"));
	plan_free(&plan);
	config_free(&load);
	give(&load, "size", "8");
	give(&config, "trigger", "return");
	give(&config, "verb", "floor");
	assert_int_equal(plan_make(&plan, &config, NULL, NULL), 0);
	assert_int_equal(load_plan(&plan, &load, true, &why), -EINVAL);
	plan_free(&plan);
	config_free(&load);
	config_free(&config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_product),
		cmocka_unit_test(test_last_given),
		cmocka_unit_test(test_override),
		cmocka_unit_test(test_override_trigger),
		cmocka_unit_test(test_varying_default),
		cmocka_unit_test(test_impossible),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_baseline),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_bad_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
