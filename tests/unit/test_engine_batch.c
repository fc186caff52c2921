// SPDX-License-Identifier: GPL-2.0
/* Batches of samples, and when their percentiles are known precisely enough. */
#include "unit.h"
#include "check.h"
#include "mode.h"

static struct icb_batches batches;
static struct icb_hist hist;
static struct pair pair;
static struct pair_config config;
static struct icb_params params;

static u64 next_random(u64 *seed)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return *seed >> 33;
}

/* Return: true if a batch was completed and the intervals are narrow enough. */
static bool add(u64 value)
{
	icb_hist_add(&hist, value);
	return hist.count == batches.end && icb_batches_end(&batches, &hist);
}

static void begin(u64 samples, u32 percent)
{
	icb_hist_reset(&hist);
	icb_batches_begin(&batches, samples, percent, 0);
}

/* A known number of samples is split into 32 batches; otherwise batches start with 512. */
static void test_sizes(void **state)
{
	static const struct {
		u64 samples;
		u32 percent;
		u32 sought;
		u64 size;
	} rows[] = {
		{ 1, 0, 0, 64 }, { 1000, 0, 0, 64 }, { 10000, 0, 0, 312 },
		{ 1000000000000ULL, 0, 0, 31250000000ULL }, { 0, 0, 0, 512 },
		{ 1000, 5, 0, 512 }, { 0, 5, 0, 512 },
		/* at least three samples on either side of the percentile */
		{ 0, 5, 9000, 512 }, { 0, 5, 9990, 3000 }, { 0, 5, 10, 3000 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		icb_batches_begin(&batches, rows[i].samples, rows[i].percent,
				  rows[i].sought);
		assert_row(i, batches.size == rows[i].size);
		assert_row(i, batches.end == batches.size && !batches.count);
	}
}

/* The value of a batch is the percentile of exactly its own samples. */
static void test_values(void **state)
{
	static struct icb_hist own;
	u64 seed = 5, value;
	unsigned int b, i;

	(void)state;
	begin(20 * 400, 0);
	batches.size = 400;
	batches.end = 400;
	for (b = 0; b < 20; b++) {
		icb_hist_reset(&own);
		for (i = 0; i < 400; i++) {
			value = (b + 1) * 1000 + next_random(&seed) % 5000;
			icb_hist_add(&own, value);
			assert_false(add(value));
		}
		assert_int_equal(batches.count, b + 1);
		/* batch values are not clamped to the batch's extremes */
		assert_int_equal(icb_hist_clamp(&own, batches.value[ICB_BATCH_P50][b]),
				 icb_hist_quantile(&own, 50, 100));
		assert_int_equal(icb_hist_clamp(&own, batches.value[ICB_BATCH_P99][b]),
				 icb_hist_quantile(&own, 99, 100));
	}
}

/* 64 batches are joined to 32 of twice the size, which is also the size of the next one. */
static void test_join(void **state)
{
	unsigned int i;

	(void)state;
	begin(0, 0);
	for (i = 0; i < 64 * 512; i++)
		add(i < 32 * 512 ? 100 : 200);
	assert_int_equal(batches.count, 32);
	assert_int_equal(batches.size, 1024);
	assert_int_equal(batches.end, 64 * 512 + 1024);
	for (i = 0; i < 32; i++)
		assert_int_equal(batches.value[ICB_BATCH_P50][i],
				 i < 16 ? 100 : 200);
	for (i = 0; i < 1024; i++)
		add(120);
	assert_int_equal(batches.count, 33);
	assert_int_equal(batches.value[ICB_BATCH_P99][32], 120);
}

/* Number of samples until the intervals are narrow enough; 0 for never. */
static u64 narrow_after(u32 percent, u64 spread, u64 drift)
{
	u64 seed = 3, i;

	begin(0, percent);
	for (i = 1; i <= 4000000; i++)
		if (add(100000 + next_random(&seed) % (spread + 1) + i * drift))
			return i;
	return 0;
}

static void test_until(void **state)
{
	u64 few, more;

	(void)state;
	/* the least number of batches that can have an interval */
	assert_int_equal(narrow_after(1, 0, 0), 8 * 512);
	few = narrow_after(5, 90000, 0);
	more = narrow_after(1, 900000, 0);
	assert_true(few && few < 100 * 512);
	assert_true(more > few);
	/* values that keep changing are never known */
	assert_int_equal(narrow_after(1, 0, 1), 0);
	/* no end was requested */
	assert_int_equal(narrow_after(0, 0, 0), 0);
}

/* The greatest possible values do not overflow. */
static void test_limits(void **state)
{
	u64 i;

	(void)state;
	begin(0, 50);
	for (i = 1; i <= 64 * 512; i++)
		assert_false(add(i / 512 % 2 ? ICB_HIST_LIMIT : 0));
	begin(0, 50);
	for (i = 1; i < 8 * 512; i++)
		assert_false(add(ICB_HIST_LIMIT));
	assert_true(add(ICB_HIST_LIMIT));
	begin(0, 1);
	for (i = 1; i < 8 * 512; i++)
		assert_false(add(0));
	/* an interval of width 0 around 0 is narrow enough */
	assert_true(add(0));
}

static void prepare(u64 iterations, u32 percent)
{
	static const struct mode mode = {
		.name = "send poll", .verb = ICBENCH_VERB_SEND,
		.completion = ICBENCH_COMPLETION_POLL };

	mode_params(&mode, &params);
	mode_config(&mode, 4, &config);
	params.warmup = 5;
	params.iterations = iterations;
	params.until = percent;
	pair_run(&pair, &params, &config);
	mode_expect(&pair, &mode, pair.complete ? NULL : "was cut short",
		    "batches", iterations);
}

/* A run ends when its bounds are narrow enough, and at its limit at the latest. */
static void test_run(void **state)
{
	const struct icb_run *run = &pair.run[0];
	struct icb_result result = {};

	(void)state;
	prepare(700, 0);
	assert_int_equal(run->done, 700);
	assert_int_equal(pair.batches.size, 64);
	assert_int_equal(pair.batches.count, 10);
	run->ops->report(run, &result);
	assert_ptr_equal(result.metric[0].batches, &pair.batches);
	assert_null(result.metric[1].batches);
	prepare(60000, 50);
	assert_int_equal(run->done % 512, 0);
	assert_int_equal(run->done, pair.batches.count * 512);
	assert_true(pair.batches.narrow && run->done < 60000);
	assert_int_equal(run->hist[0].count, run->done);
	prepare(4095, 50);
	assert_int_equal(run->done, 4095);
	assert_false(pair.batches.narrow);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_run),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	pair_free(&pair);
	return failed;
}
