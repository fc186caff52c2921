// SPDX-License-Identifier: GPL-2.0
#include "unit.h"
#include <math.h>
#include "stats/stats.h"

static struct icb_hist hist;

static void add(const u64 *values, size_t count)
{
	size_t i;

	icb_hist_reset(&hist);
	for (i = 0; i < count; i++)
		icb_hist_add(&hist, values[i]);
}

static void test_one(void **state)
{
	struct stats stats;

	(void)state;
	add((const u64[]){ 7 }, 1);
	assert_int_equal(stats_of(&stats, &hist, 2), 0);
	assert_int_equal(stats.count, 1);
	assert_true(stats.min == 3.5 && stats.max == 3.5);
	assert_true(stats.mean == 3.5 && stats.stddev == 0);
	assert_true(stats.percentile[STATS_50] == 3.5);
	assert_true(stats.percentile[STATS_9999] == 3.5);
}

static void test_few(void **state)
{
	static const u64 values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct stats stats;

	(void)state;
	add(values, ARRAY_SIZE(values));
	assert_int_equal(stats_of(&stats, &hist, 1), 0);
	assert_true(stats.mean == 5 && stats.stddev == 2);
	assert_true(stats.percentile[STATS_50] == 4);
	assert_true(stats.percentile[STATS_90] == 9);
	assert_int_equal(stats_of(&stats, &hist, 2), 0);
	assert_true(stats.mean == 2.5 && stats.stddev == 1);
}

/* Values below the first one give negative sums. */
static void test_falling(void **state)
{
	struct stats stats;

	(void)state;
	add((const u64[]){ 1000, 10, 10 }, 3);
	assert_int_equal(stats_of(&stats, &hist, 1), 0);
	assert_true(stats.mean == 340);
	assert_true(fabs(stats.stddev - sqrt(217800)) < 1e-9);
}

/* Large values close together: floating-point sums would give a wrong deviation. */
static void test_large(void **state)
{
	static const u64 base = ICB_HIST_LIMIT - 10;
	struct stats stats;
	u64 i;

	(void)state;
	icb_hist_reset(&hist);
	for (i = 0; i < 1000000; i++)
		icb_hist_add(&hist, base + i % 2);
	assert_int_equal(stats_of(&stats, &hist, 1), 0);
	assert_true(stats.mean == (double)base + 0.5);
	assert_true(stats.stddev == 0.5);
}

/* The most values with the largest distance: both ends of the range. */
static void test_extreme(void **state)
{
	const u64 count = 1000000000000ULL;
	const __int128_t d = ICB_HIST_LIMIT;
	struct stats stats;

	(void)state;
	icb_hist_reset(&hist);
	hist.min = 0;
	hist.max = ICB_HIST_LIMIT;
	hist.origin = 0;
	icb_hist_merge(&hist, icb_hist_index(0), count / 2);
	icb_hist_merge(&hist, icb_hist_index(ICB_HIST_LIMIT), count / 2);
	hist.sum = d * (__int128_t)(count / 2);
	hist.square = (__uint128_t)(d * d) * (count / 2);
	assert_int_equal(stats_of(&stats, &hist, 1), 0);
	assert_true(stats.mean == ICB_HIST_LIMIT / 2.0);
	assert_true(stats.stddev == ICB_HIST_LIMIT / 2.0);
	/* the same, relative to the other end */
	hist.origin = ICB_HIST_LIMIT;
	hist.sum = -hist.sum;
	assert_int_equal(stats_of(&stats, &hist, 1), 0);
	assert_true(stats.mean == ICB_HIST_LIMIT / 2.0);
	assert_true(stats.stddev == ICB_HIST_LIMIT / 2.0);
}

/* Sums that no set of values can have. */
static void test_impossible(void **state)
{
	struct stats stats;

	(void)state;
	add((const u64[]){ 10, 20 }, 2);
	hist.square = 1;
	assert_int_equal(stats_of(&stats, &hist, 1), -EPROTO);
	hist.square = 0;
	hist.sum = (__int128_t)1 << 126;
	assert_int_equal(stats_of(&stats, &hist, 1), -EPROTO);
	hist.sum = (__int128_t)((__uint128_t)1 << 127);
	assert_int_equal(stats_of(&stats, &hist, 1), -EPROTO);
}

/* Comparison with sums in long double, of many values. */
static void test_random(void **state)
{
	long double sum = 0, square = 0, mean;
	struct stats stats;
	u64 seed = 1, i, value;
	const u64 count = 100000;

	(void)state;
	icb_hist_reset(&hist);
	for (i = 0; i < count; i++) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		value = seed >> 44;
		icb_hist_add(&hist, value);
		sum += value;
		square += (long double)value * value;
	}
	assert_int_equal(stats_of(&stats, &hist, 1), 0);
	mean = sum / count;
	assert_true(fabsl(stats.mean - mean) < 1e-6);
	assert_true(fabsl(stats.stddev - sqrtl(square / count - mean * mean)) <
		    1e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_falling),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_extreme),
		cmocka_unit_test(test_impossible),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
