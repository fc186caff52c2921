// SPDX-License-Identifier: GPL-2.0
/* A warm-up that lasts until its samples are steady: alone, and in a run. */
#include <unistd.h>

#include "check.h"
#include "engine/result.h"
#include "mode.h"
#include "unit.h"

#define LEAST	1000

static struct pair pair;

/* Sample of a warm-up, by its number. */
static u64 flat(u64 n)
{
	(void)n;
	return 26048;
}

/* Noise of a tenth, from a reproducible generator. */
static u64 noisy(u64 n)
{
	return 24000 + (n * 2862933555777941757ULL + 3037000493ULL) % 4801;
}

/* Slower at first, as with cold caches. */
static u64 settles(u64 n)
{
	return n < 2500 ? 26048 + (2500 - n) * 20 : 26048;
}

/* It becomes faster throughout. */
static u64 falls(u64 n)
{
	return 2000000 - 80 * n;
}

/* Regular outliers. */
static u64 ticks(u64 n)
{
	return n % 100 ? 26048 : 2000000;
}

static const struct {
	const char *name;
	u64 (*sample)(u64 n);
	u64 between;
	u64 least;
	u64 most;
	bool steady;
} rows[] = {
	{ "flat", flat, 1, LEAST, LEAST, true },
	{ "noisy", noisy, 1, LEAST, 2 * LEAST, true },
	{ "it settles", settles, 1, 2500, 3 * LEAST, true },
	{ "outliers", ticks, 1, LEAST, LEAST, true },
	{ "it falls for ever", falls, 1, 10 * LEAST, 10 * LEAST, false },
	{ "it falls, and takes long", falls, 1000, 2001, 2001, false },
};

static void test_until(void **state)
{
	struct icb_warmup warmup;
	size_t i;
	u64 n;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		/* nothing of an earlier run may be left */
		memset(&warmup, 0xff, sizeof(warmup));
		icb_warmup_begin(&warmup, LEAST, 2000000);
		for (n = 0; n < LEAST ||
		     !icb_warmup_over(&warmup, n * rows[i].between); n++)
			icb_warmup_add(&warmup, rows[i].sample(n),
				       (n + 1) * rows[i].between);
		print_message("%s: %llu, steady %d\n", rows[i].name,
			      (unsigned long long)n, warmup.steady);
		assert_row(i, warmup.made == n && n >= rows[i].least &&
			      n <= rows[i].most);
		assert_row(i, warmup.steady == rows[i].steady);
	}
}

/* A run: the default of the parameter is a minimum, a given value is exact. */
static void test_run(void **state)
{
	static const struct {
		u32 warmup;
		bool given;
		u32 buffers;
		bool on;
	} runs[] = {
		{ 1000, false, 1, true },
		{ 600, false, 1, true },
		{ 1000, true, 1, false },
		{ 100, false, 1, false },
		{ 1000, false, 4, false },
	};
	struct icb_result result;
	struct pair_config config;
	struct icb_params params;
	const struct icb_run *run = &pair.run[0];
	unsigned int i, j;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (j = 0; j < ARRAY_SIZE(runs); j++) {
			mode_params(&mode_table[i], &params);
			mode_config(&mode_table[i], i, &config);
			params.iterations = 200;
			params.warmup = runs[j].warmup;
			params.buffers = runs[j].buffers;
			params.given &= ~BIT_ULL(ICBENCH_A_PARAMS_WARMUP);
			if (runs[j].given)
				params.given |= BIT_ULL(ICBENCH_A_PARAMS_WARMUP);
			pair_run(&pair, &params, &config);
			assert_int_equal(run->done, 200);
			assert_row(j, run->warmup.on == runs[j].on);
			memset(&result, 0, sizeof(result));
			icb_result_warmup(&result, run);
			assert_row(j, result.count == 2 * runs[j].on);
			if (!runs[j].on) {
				/* callbacks start with one more operation */
				assert_true(run->seq - 200 - runs[j].warmup <= 1);
				continue;
			}
			assert_string_equal(result.metric[0].name, "warmup_made");
			assert_string_equal(result.metric[1].name,
					    "warmup_steady");
			assert_true(result.metric[0].value >= runs[j].warmup &&
				    result.metric[0].value <=
					    10 * runs[j].warmup + 1);
			/* each operation was either warm-up or measured */
			assert_true(run->seq == 200 + result.metric[0].value);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_run),
	};

	alarm(180);

	return cmocka_run_group_tests(tests, NULL, NULL);
}
