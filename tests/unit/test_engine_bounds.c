// SPDX-License-Identifier: GPL-2.0
/* Bounds of a percentile; test_confidence.c tests their coverage. */
#include "engine/batch.h"
#include "model/random.h"
#include "unit.h"

static struct icb_hist hist;
static u64 below[ICB_HIST_BUCKETS];
static u64 value[ICB_BATCHES];
static struct icb_bounds bounds;

static void test_supported(void **state)
{
	(void)state;
	assert_false(icb_bounds_supported(1000000, 7, 5000));
	assert_true(icb_bounds_supported(6, 8, 5000));
	assert_false(icb_bounds_supported(5, 8, 5000));
	assert_true(icb_bounds_supported(300, 8, 9900));
	assert_false(icb_bounds_supported(299, 64, 9900));
	assert_false(icb_bounds_supported(300, 65, 9900));
	assert_true(icb_bounds_supported(3000, 8, 9990));
	assert_true(icb_bounds_supported(3000, 8, 10));
	assert_true(icb_bounds_supported(30000, 8, 9999));
	assert_false(icb_bounds_supported(29999, 8, 9999));
	assert_false(icb_bounds_supported(2999, 8, 10));
	assert_false(icb_bounds_supported(1000000, 8, 0));
	assert_false(icb_bounds_supported(1000000, 8, 10000));
	/* from a table of Student's t: 7, 30, 60 and 63 degrees of freedom */
	assert_int_equal(icb_batches_t(8), 2365);
	assert_in_range(icb_batches_t(31), 2042, 2043);
	assert_in_range(icb_batches_t(61), 2000, 2001);
	assert_in_range(icb_batches_t(64), 1998, 1999);
}

/* 10,000 samples, each greater by 1 than the previous one, and the given batches. */
static void find_from(u64 least, u32 percentile, u32 batches)
{
	u64 i;

	icb_hist_reset(&hist);
	for (i = 0; i < 10000; i++)
		icb_hist_add(&hist, least + i);
	icb_hist_below(&hist, below);
	assert_int_equal(below[ICB_HIST_BUCKETS - 1], 10000);
	icb_bounds_find(&bounds, &hist, below, percentile, value, batches,
			10000 / batches);
}

static void find(u32 percentile, u32 batches)
{
	find_from(0, percentile, batches);
}

static void test_chance(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 32; i++)
		value[i] = 5000;
	find(5000, 32);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
	/* 1.96 * sqrt(10,000 / 4) is 98: buckets of 4902 and 5099 */
	assert_int_equal(bounds.low, icb_hist_low(icb_hist_index(4901)));
	assert_int_equal(bounds.high, icb_hist_high(icb_hist_index(5099)));
	assert_false(bounds.step);
	/* batches with a larger spread determine the bounds */
	for (i = 0; i < 32; i++)
		value[i] = 5000 + (i * 7 % 32 - 15) * 100;
	find(5000, 32);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
	assert_true(bounds.low < 4750 && bounds.high > 5250);
	/* the extremes are exact */
	for (i = 0; i < 32; i++)
		value[i] = 9900 + i % 2;
	find(9900, 32);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
	assert_true(bounds.high <= 9999);
}

static void test_dependent(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 32; i++)
		value[i] = 4000 + i * 64;
	find(5000, 32);
	assert_int_equal(bounds.state, ICB_BOUNDS_DEPENDENT);
	assert_true(bounds.correlation > 500);
	/*
	 * neighbours share half of their variation, so half as many batches are
	 * independent
	 */
	for (i = 0; i < 64; i++)
		value[i] = 4000 + icb_random_mix(i / 2) % 1000 +
			   icb_random_mix(i + 100) % 1000;
	find(5000, 64);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
	assert_int_equal(bounds.batches, 32);
	assert_int_equal(bounds.joined, 2);
	/* they increase within a few buckets */
	for (i = 0; i < 32; i++)
		value[i] = 1000000 + 4000 + i * 64;
	find_from(1000000, 5000, 32);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
	assert_true(bounds.low <= 1004000 && bounds.high >= 1005984);
	for (i = 0; i < 32; i++)
		value[i] = 1000000 + 1000 + i * 256;
	find_from(1000000, 5000, 32);
	assert_int_equal(bounds.state, ICB_BOUNDS_DEPENDENT);
	/* as little as there is, the 99th might be above all samples */
	for (i = 0; i < 16; i++)
		value[i] = i % 2 ? 9000 : 9999;
	find(9900, 16);
	assert_int_equal(bounds.state, ICB_BOUNDS_BEYOND);
	find(9900, 7);
	assert_int_equal(bounds.state, ICB_BOUNDS_FEW);
}

/*
 * Batches that spread as far as samples do are joined where their correlation is not
 * certainly weak. Few of them have no bounds.
 */
static void test_far(void **state)
{
	/* a correlation that independent batches may have by chance */
	static const char levels[] = "HHHLLLHHLLHHHLLLHHLLHHHLLLHHLLHH";
	unsigned int i;

	(void)state;
	for (i = 0; i < 32; i++)
		value[i] = levels[i] == 'H' ? 5050 : 4950;
	find(5000, 32);
	assert_in_range(bounds.correlation, 200, 290);
	assert_int_equal(bounds.batches, 32);
	for (i = 0; i < 32; i++)
		value[i] = levels[i] == 'H' ? 7000 : 3000;
	find(5000, 32);
	assert_int_equal(bounds.batches, 16);
	for (i = 0; i < 32; i++)
		value[i] = i % 2 ? 3000 : 7000;
	find(5000, 32);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
	find(5000, 16);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
	find(5000, 15);
	assert_int_equal(bounds.state, ICB_BOUNDS_DEPENDENT);
	/* not so far: they may be few */
	for (i = 0; i < 15; i++)
		value[i] = i % 2 ? 4900 : 5100;
	find(5000, 15);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
}

/* A run with one or two changes of the level has not seen how often it changes. */
static void test_changes(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 32; i++)
		value[i] = i < 3 ? 8000 : i % 2 ? 4950 : 5050;
	find(5000, 32);
	assert_int_equal(bounds.state, ICB_BOUNDS_DEPENDENT);
	for (i = 0; i < 32; i++)
		value[i] = i == 20 ? 9900 : i % 2 ? 4950 : 5050;
	find(5000, 32);
	assert_int_equal(bounds.state, ICB_BOUNDS_DEPENDENT);
	/* four short pauses show how often there is one */
	for (i = 0; i < 32; i++)
		value[i] = i % 8 == 5 ? 7500 : i % 2 ? 4950 : 5050;
	find(5000, 32);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
	/* batches of the 99th percentile are too uncertain to show a change */
	for (i = 0; i < 32; i++)
		value[i] = i == 20 ? 9700 : i % 2 ? 9890 : 9910;
	find(9900, 32);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
}

static void test_step(void **state)
{
	unsigned int i;

	(void)state;
	icb_hist_reset(&hist);
	for (i = 0; i < 10000; i++)
		icb_hist_add(&hist, i % 100 ? 1000 + i % 7 : 1500);
	icb_hist_below(&hist, below);
	for (i = 0; i < 32; i++)
		value[i] = i % 8 ? 1007 : 1500;
	icb_bounds_find(&bounds, &hist, below, 9900, value, 32, 312);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
	assert_true(bounds.step);
	assert_true(bounds.low <= 1006);
	assert_int_equal(bounds.high,
			 icb_hist_high(icb_hist_index(1500)));
	assert_in_range(bounds.step_low, 1006, 1007);
	assert_in_range(bounds.step_high, 1496, 1500);
	/* the median is not on the step */
	for (i = 0; i < 32; i++)
		value[i] = 1003;
	icb_bounds_find(&bounds, &hist, below, 5000, value, 32, 312);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
	assert_false(bounds.step);
}

/* The most samples and the greatest values cause no overflow. */
static void test_limits(void **state)
{
	const u64 most = ICBENCH_MAX_ITERATIONS;
	unsigned int i;

	(void)state;
	icb_hist_reset(&hist);
	hist.min = 0;
	hist.max = ICB_HIST_LIMIT;
	icb_hist_merge(&hist, 0, most / 2);
	icb_hist_merge(&hist, ICB_HIST_BUCKETS - 1, most / 2);
	icb_hist_below(&hist, below);
	for (i = 0; i < ICB_BATCHES; i++)
		value[i] = i * 37 % 64 < 32 ? 0 : ICB_HIST_LIMIT;
	icb_bounds_find(&bounds, &hist, below, 5000, value, ICB_BATCHES,
			most / ICB_BATCHES);
	assert_int_equal(bounds.state, ICB_BOUNDS_KNOWN);
	assert_int_equal(bounds.low, 0);
	assert_int_equal(bounds.high, ICB_HIST_LIMIT);
	assert_true(bounds.step);
	for (i = 0; i < ICB_BATCHES; i++)
		value[i] = i < 32 ? 0 : ICB_HIST_LIMIT;
	icb_bounds_find(&bounds, &hist, below, 5000, value, ICB_BATCHES,
			most / ICB_BATCHES);
	assert_int_equal(bounds.state, ICB_BOUNDS_DEPENDENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_supported),
		cmocka_unit_test(test_chance),
		cmocka_unit_test(test_dependent),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
