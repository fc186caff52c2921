// SPDX-License-Identifier: GPL-2.0
/* Coverage of confidence intervals; a short version of make check-statistics. */
#include "unit.h"
#include "../statistics/simulate.h"

static struct sim_count count[ICB_BATCH_PERCENTILES];

/* With so few runs, the coverage may by chance be 0.02 below the true one. */
static void expect(const struct sim_count *one, size_t row)
{
	assert_row(row, one->known >= 0.95 * one->runs);
	assert_row(row, sim_coverage(one) >= 0.94);
}

/* From distributions in a single bucket to distributions over hundreds of buckets. */
static void test_independent(void **state)
{
	static const double sigmas[] = { 0.002, 0.01, 0.05, 0.2, 1 };
	struct sim sim = { .samples = 10000 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sigmas) * 2; i++) {
		sim.sigma = sigmas[i / 2];
		sim.timed = i % 2;
		sim_many(&sim, 200, i + 1, count);
		expect(&count[ICB_BATCH_P50], i);
		expect(&count[ICB_BATCH_P99], i);
		/* the interval is no wider than necessary */
		assert_row(i, count[ICB_BATCH_P50].reach <
			      1 + 100 * 0.05 * sim.sigma);
	}
}

/* By chance a part of so few runs may be 0.04 lower than that of all. */
static void expect_dependent(const struct sim_count *one, size_t row)
{
	if (one->known > 0.05 * one->runs)
		assert_row(row, sim_coverage(one) >= 0.90);
	else
		assert_row(row, sim_false(one) <= 0.02);
}

/* Intervals that are printed cover, where samples depend on each other, too. */
static void test_dependent(void **state)
{
	static const struct sim sims[] = {
		{ SIM_AR, .sigma = 0.05, .length = 1000, .samples = 10000 },
		{ SIM_AR, .sigma = 0.05, .length = 100, .samples = 10000 },
		{ SIM_REGIMES, .sigma = 0.05, .length = 300, .samples = 10000 },
		{ SIM_REGIMES, .sigma = 0.05, .length = 1000, .samples = 10000 },
		{ SIM_REGIMES, .sigma = 0.05, .length = 300, .samples = 10000,
		  .timed = true },
		{ SIM_AR, .sigma = 0.05, .length = 1000, .samples = 10000,
		  .timed = true },
		{ SIM_REGIMES, .sigma = 0.05, .length = 1000, .samples = 10000,
		  .timed = true },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sims); i++) {
		sim_many(&sims[i], 200, i + 1, count);
		expect_dependent(&count[ICB_BATCH_P50], i);
		expect_dependent(&count[ICB_BATCH_P99], i);
	}
	/* all samples share a few buckets, whose edges are the bounds */
	sim_many(&(struct sim){ SIM_REGIMES, .sigma = 0.002, .length = 3000,
				.samples = 10000 }, 300, 7, count);
	expect_dependent(&count[ICB_BATCH_P50], i);
	expect_dependent(&count[ICB_BATCH_P99], i + 1);
	/* three changes in the mean: 1 of 28 runs has none, and cannot know that */
	sim_many(&(struct sim){ SIM_REGIMES, .sigma = 0.3, .length = 3000,
				.samples = 10000 }, 1000, 7, count);
	assert_true(sim_false(&count[ICB_BATCH_P50]) <= 0.055);
	assert_true(sim_false(&count[ICB_BATCH_P99]) <= 0.055);
	/* with ten times the correlation length, hardly any run has an interval */
	sim_many(&sims[0], 200, 9, count);
	assert_true(count[ICB_BATCH_P50].dependent > 160);
}

static void test_step(void **state)
{
	struct sim sim = { SIM_TICK, .sigma = 0.01, .length = 100,
			   .samples = 10000 };

	(void)state;
	sim_many(&sim, 100, 1, count);
	assert_int_equal(count[ICB_BATCH_P99].steps, 100);
	assert_int_equal(count[ICB_BATCH_P99].covered,
			 count[ICB_BATCH_P99].known);
	assert_int_equal(count[ICB_BATCH_P50].steps, 0);
	/* there is no step if all samples are similar, or vary a lot */
	sim = (struct sim){ .sigma = 0.01, .samples = 10000 };
	sim_many(&sim, 100, 1, count);
	assert_int_equal(count[ICB_BATCH_P99].steps, 0);
	sim.sigma = 1;
	sim_many(&sim, 100, 1, count);
	assert_int_equal(count[ICB_BATCH_P99].steps, 0);
}

/* A run that ends as soon as its bounds are narrow enough has correct bounds. */
static void test_until(void **state)
{
	struct sim sim = { .sigma = 0.2, .samples = 2000000, .until = 5 };

	(void)state;
	sim_many(&sim, 100, 1, count);
	assert_int_equal(count[0].ended, 100);
	expect(&count[ICB_BATCH_P50], 0);
	expect(&count[ICB_BATCH_P99], 1);
	assert_true(count[ICB_BATCH_P99].reach <= 5);
	sim.sought = 9990;
	sim.until = 20;
	sim_many(&sim, 20, 1, count);
	assert_int_equal(count[0].ended, 20);
	expect(&count[ICB_BATCH_SOUGHT], 2);
}

/* An interval around those of workers covers, and is there only if each worker has one. */
static void test_workers(void **state)
{
	struct sim sim[] = {
		{ .sigma = 0.2, .samples = 10000 },
		{ .sigma = 0.2, .slower = 0.05, .samples = 10000 },
		{ .sigma = 0.5, .samples = 10000 },
	};

	(void)state;
	sim_workers(sim, ARRAY_SIZE(sim), false, 100, 1, count);
	expect(&count[ICB_BATCH_P50], 0);
	assert_true(sim_coverage(&count[ICB_BATCH_P99]) >= 0.94);
	assert_true(count[ICB_BATCH_P99].known >= 85);
	assert_true(count[ICB_BATCH_P50].reach < 15);
	/* both workers have the samples of the first one */
	sim_workers(&(struct sim []){ sim[0], sim[0] }[0], 2, true, 200, 2, count);
	expect(&count[ICB_BATCH_P50], 1);
	expect(&count[ICB_BATCH_P99], 2);
	/* one worker has a single batch */
	sim[1].samples = 20;
	sim_workers(sim, ARRAY_SIZE(sim), false, 20, 3, count);
	assert_int_equal(count[ICB_BATCH_P50].known, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_independent),
		cmocka_unit_test(test_dependent),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_workers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
