// SPDX-License-Identifier: GPL-2.0
/* The load of a host without a run: what bursts of load do to it. */
#include <math.h>

#include "model/slices.h"
#include "unit.h"

#define SLICE	10000000
#define CPUS	128

static u64 state_of = 1;

static double draw(void)
{
	state_of ^= state_of << 13;
	state_of ^= state_of >> 7;
	state_of ^= state_of << 17;
	return ((state_of >> 11) + 0.5) / (double)(1ULL << 53);
}

/* Load in CPUs. */
static double load_of(const struct icb_slice *slice)
{
	return (double)slice->busy / slice->ns;
}

/* A burst in any one or two slices, of any size, is left out. */
static void test_burst(void **state)
{
	static const u64 bursts[] = { 1000, 1000000, SLICE, (u64)CPUS * SLICE };
	struct icb_slice slice[ICB_SLICES], median;
	unsigned int a, b, i, k;
	double least, most;

	(void)state;
	for (a = 0; a < ICB_SLICES; a++)
		for (b = 0; b < ICB_SLICES; b++)
			for (k = 0; k < ARRAY_SIZE(bursts); k++) {
				least = CPUS;
				most = 0;
				for (i = 0; i < ICB_SLICES; i++) {
					slice[i].cpus = CPUS;
					slice[i].ns = SLICE + 50000 * draw();
					slice[i].busy = 0.256 * slice[i].ns * (0.9 + 0.2 * draw());
					if (i != a && i != b) {
						least = fmin(least, load_of(&slice[i]));
						most = fmax(most, load_of(&slice[i]));
					}
				}
				slice[a].busy += bursts[k];
				if (b != a)
					slice[b].busy += bursts[k];
				assert_true(icb_slices_median(slice, &median));
				assert_true(load_of(&median) >= (b == a ? 0.9 * 0.256 : least));
				assert_true(load_of(&median) <= most);
			}
}

/* A slice that lasted long, as where the host was suspended, does not overflow. */
static void test_long(void **state)
{
	struct icb_slice slice[ICB_SLICES], median;
	unsigned int i, at;

	(void)state;
	for (at = 0; at < ICB_SLICES; at++) {
		for (i = 0; i < ICB_SLICES; i++)
			slice[i] = (struct icb_slice){ 100000, SLICE, 8192 };
		/* an hour, with all CPUs busy */
		slice[at].ns = 3600000000000;
		slice[at].busy = 8192 * slice[at].ns;
		assert_true(icb_slices_median(slice, &median));
		assert_int_equal(median.busy, 100000);
	}
	slice[0].busy = 0;
	slice[1].ns = 0;
	assert_false(icb_slices_median(slice, &median));
	slice[1].ns = SLICE;
	slice[2].cpus = 4;
	assert_false(icb_slices_median(slice, &median));
	for (i = 0; i < ICB_SLICES; i++)
		slice[i].cpus = 0;
	assert_false(icb_slices_median(slice, &median));
}

/*
 * Load that comes in bursts: the median is that of the mean if there are several bursts in a
 * slice. Of rarer ones it misses those that are in less than half of the slices.
 */
static void test_bursts(void **state)
{
	static const struct {
		double period;
		double length;
		double least;
		double most;
	} rows[] = {
		/* ticks and timers; true load 1 %, 1 % and 10 % of a CPU */
		{ 1e6, 1e4, 0.0095, 0.0105 },
		{ 4e6, 4e4, 0.0075, 0.0125 },
		{ 4e6, 4e5, 0.075, 0.125 },
		/* 5 %: one burst of 5 ms in 100 ms is left out */
		{ 1e8, 5e6, 0, 0 },
	};
	struct icb_slice slice[ICB_SLICES], median;
	double phase, from, till, at;
	unsigned int i, j, run;

	(void)state;
	for (j = 0; j < ARRAY_SIZE(rows); j++)
		for (run = 0; run < 1000; run++) {
			phase = draw() * rows[j].period;
			for (i = 0; i < ICB_SLICES; i++) {
				slice[i] = (struct icb_slice){ 0, SLICE, CPUS };
				from = (double)i * SLICE;
				till = from + SLICE;
				for (at = phase - rows[j].period; at < till; at += rows[j].period)
					slice[i].busy += fmax(0, fmin(till, at + rows[j].length) -
								 fmax(from, at));
			}
			assert_true(icb_slices_median(slice, &median));
			assert_row(j, load_of(&median) >= rows[j].least - 1e-9);
			assert_row(j, load_of(&median) <= rows[j].most + 1e-9);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_burst),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_bursts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
