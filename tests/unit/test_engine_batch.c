// SPDX-License-Identifier: GPL-2.0
/* Batches of samples, and when their percentiles are known precisely enough. */
#include "unit.h"
#include "check.h"
#include "host/clock.h"
#include "mode.h"

static struct icb_batches batches;
static struct icb_hist hist;
static struct pair pair;
static struct pair_config config;
static struct icb_params params;
static struct icb_result result;
/* Least time of a run that measures until its intervals are narrow, ns. */
static u64 least;

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
	/* a run is not shorter, however narrow its bounds are */
	assert_int_equal(narrow_after(1, 0, 0), ICB_BATCHES_LEAST_SAMPLES);
	few = narrow_after(5, 90000, 0);
	more = narrow_after(1, 900000, 0);
	assert_int_equal(few, ICB_BATCHES_LEAST_SAMPLES);
	assert_true(more > few);
	/* values that keep changing are never known */
	assert_int_equal(narrow_after(1, 0, 1), 0);
	/* no end was requested */
	assert_int_equal(narrow_after(0, 0, 0), 0);
}

/*
 * Bounds that were narrow at a check, and are wider at the end of the run, are not reported
 * as narrow; those that became narrow since then are.
 */
static void test_over(void **state)
{
	u64 seed = 7, i;

	(void)state;
	begin(0, 5);
	for (i = 1; i <= 8 * 512; i++)
		assert_false(add(100000));
	assert_int_equal(batches.since, 8 * 512);
	for (; i < 16 * 512; i++)
		assert_false(add(100000 + next_random(&seed) % 900000));
	icb_batches_over(&batches, &hist);
	assert_false(batches.narrow);
	/* the first check finds no bounds: too few batches; the run ends between two checks */
	begin(0, 5);
	for (i = 1; i <= 12 * 512 + 100; i++)
		assert_false(add(100000));
	icb_batches_over(&batches, &hist);
	assert_true(batches.narrow);
	/* a run that did not ask for bounds has none */
	begin(0, 0);
	for (i = 1; i <= 64 * 512; i++)
		assert_false(add(100000));
	icb_batches_over(&batches, &hist);
	assert_false(batches.narrow);
}

/* Bounds have to stay narrow while the number of samples doubles. */
static void test_confirm(void **state)
{
	u64 seed = 7, end, i;

	(void)state;
	end = narrow_after(1, 900000, 0);
	assert_true(batches.since > ICB_BATCHES_LEAST_SAMPLES / 2);
	assert_true(end >= ICB_BATCHES_CONFIRM * batches.since);
	assert_int_equal(batches.count % ICB_BATCHES_LOOK, 0);
	assert_int_equal(batches.taken, end);
	/* a check that finds them wide begins anew */
	begin(0, 5);
	for (i = 1; i <= 8 * 512; i++)
		assert_false(add(100000));
	assert_int_equal(batches.since, 8 * 512);
	for (; i <= 16 * 512; i++)
		assert_false(add(100000 + next_random(&seed) % 900000));
	assert_int_equal(batches.since, 0);
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
	for (i = 1; i < ICB_BATCHES_LEAST_SAMPLES; i++)
		assert_false(add(ICB_HIST_LIMIT));
	assert_true(add(ICB_HIST_LIMIT));
	begin(0, 1);
	for (i = 1; i < ICB_BATCHES_LEAST_SAMPLES; i++)
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
	params.until_time = least;
	pair_run(&pair, &params, &config);
	mode_expect(&pair, &mode, pair.complete ? NULL : "was cut short",
		    "batches", iterations);
}

static void report(void)
{
	memset(&result, 0, sizeof(result));
	pair.run[0].ops->report(&pair.run[0], &result);
}

/* A run ends when its bounds are narrow enough, and at its limit at the latest. */
static void test_run(void **state)
{
	const struct icb_run *run = &pair.run[0];

	(void)state;
	prepare(700, 0);
	assert_int_equal(run->done, 700);
	assert_int_equal(pair.batches.size, 64);
	assert_int_equal(pair.batches.count, 10);
	report();
	assert_ptr_equal(result.metric[0].batches, &pair.batches);
	assert_null(result.metric[1].batches);
	assert_false(pair.batches.narrow);
	prepare(200000, 50);
	assert_int_equal(run->done, ICB_BATCHES_LEAST_SAMPLES);
	assert_int_equal(run->hist[0].count, run->done);
	report();
	assert_true(pair.batches.narrow);
	/* 7 batches */
	prepare(4095, 50);
	assert_int_equal(run->done, 4095);
	report();
	assert_false(pair.batches.narrow);
	/* narrow at the end, but not for long enough to end the run */
	prepare(20000, 50);
	assert_int_equal(run->done, 20000);
	report();
	assert_true(pair.batches.narrow);
}

/* The least time passes between two checks: the next check ends the run, if at all. */
static void test_time(void **state)
{
	const struct icb_run *run = &pair.run[0];
	u64 ticks;

	(void)state;
	prepare(200000, 50);
	ticks = run->ended - run->began;
	least = icb_clock_ns(ticks) * 10 / 9;
	prepare(200000, 50);
	least = 0;
	assert_true(run->done > ICB_BATCHES_LEAST_SAMPLES && run->done < 200000);
	/* 128 batches of 512 are 32 of 2048 */
	assert_int_equal(run->done % (ICB_BATCHES_LOOK * 2048), 0);
	assert_int_equal(pair.batches.taken, run->done);
	report();
	assert_true(pair.batches.narrow);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_over),
		cmocka_unit_test(test_confirm),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_time),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	pair_free(&pair);
	return failed;
}
