// SPDX-License-Identifier: GPL-2.0
/*
 * Intervals of means and differences: their values, their coverage in simulations with
 * fixed seeds; and the trimmed mean.
 */
#include "unit.h"
#include <math.h>
#include "stats/compare_stats.h"

/* Simulated experiments of each kind; the coverage is known to within 0.005. */
#define ROUNDS	8000

static unsigned short state48[3];

/* Start a reproducible sequence of random numbers. */
static void sow(unsigned short seed)
{
	state48[0] = 0x330e;
	state48[1] = seed;
	state48[2] = 0;
}

static double uniform(void)
{
	return 1 - erand48(state48);
}

static double normal(void)
{
	const double radius = sqrt(-2 * log(uniform()));

	return radius * cos(2 * acos(-1) * uniform());
}

static bool is_about(double value, double expected, double error)
{
	return fabs(value - expected) <= error;
}

/* Values from tables in textbooks. */
static void test_t(void **state)
{
	static const struct {
		double df, t;
	} rows[] = {
		{ 1, 12.7062 }, { 2, 4.3027 }, { 3, 3.1824 }, { 4, 2.7764 },
		{ 5, 2.5706 }, { 10, 2.2281 }, { 30, 2.0423 }, { 100, 1.9840 },
		{ 1000, 1.9623 }, { 1e9, 1.9623 }, { 0.1, 12.7062 },
		/* not an integer: between its neighbours */
		{ 2.5, 3.5585 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		assert_row(i, is_about(student_t(rows[i].df), rows[i].t, 2e-4) ||
			   (rows[i].df == 2.5 &&
			    student_t(2.5) < student_t(2) &&
			    student_t(2.5) > student_t(3)));
}

static void fill(struct sample *sample, const double *value, unsigned int count)
{
	const struct figure none = { 0 };
	struct figure figure = none;
	unsigned int i;

	memset(sample, 0, sizeof(*sample));
	for (i = 0; i < count; i++) {
		figure.value = value[i];
		sample_add(sample, &figure);
	}
}

static void test_mean(void **state)
{
	static const double values[] = { 10, 12, 14 };
	static const double same[] = { 0.1, 0.1, 0.1 };
	const struct figure rough = { .value = 12, .error = 4 };
	struct range range;
	struct sample sample;

	(void)state;
	fill(&sample, values, 1);
	assert_false(range_of_mean(&range, &sample));
	fill(&sample, values, 3);
	assert_true(range_of_mean(&range, &sample));
	/* 4.3027 * 2 / sqrt(3) */
	assert_true(range.value == 12);
	assert_true(is_about(range.high - 12, 4.9683, 1e-3));
	assert_true(is_about(12 - range.low, 4.9683, 1e-3));
	/* equal runs have an exact interval */
	fill(&sample, same, 3);
	assert_true(range_of_mean(&range, &sample));
	assert_true(range.low == 0.1 && range.high == 0.1);
	/* the error of the single values widens the interval */
	memset(&sample, 0, sizeof(sample));
	sample_add(&sample, &rough);
	sample_add(&sample, &rough);
	assert_true(range_of_mean(&range, &sample));
	assert_true(range.low == 8 && range.high == 16);
	/* no more values than there is room for */
	while (sample.count < SAMPLE_MAX)
		sample_add(&sample, &rough);
	sample_add(&sample, &rough);
	assert_int_equal(sample.count, SAMPLE_MAX);
}

static void test_difference(void **state)
{
	static const double a[] = { 10, 12, 14 }, b[] = { 1, 2, 3 };
	struct range range;
	struct sample one, other;

	(void)state;
	fill(&one, a, 3);
	fill(&other, b, 1);
	assert_false(range_of_difference(&range, &one, &other));
	assert_false(range_of_difference(&range, &other, &one));
	fill(&other, b, 3);
	assert_true(range_of_difference(&range, &one, &other));
	assert_true(range.value == 10);
	/* df = (4/3 + 1/3)^2 / ((4/3)^2/2 + (1/3)^2/2) = 2.941; se = 1.291 */
	assert_true(is_about(range.high - 10,
			     student_t(2.9412) * 1.29099, 1e-3));
	assert_false(range_has_zero(&range));
	assert_true(range_of_difference(&range, &other, &other));
	assert_true(range_has_zero(&range) && range.value == 0);
	/* equal runs: the standard error is 0 */
	fill(&one, (const double[]){ 5, 5 }, 2);
	fill(&other, (const double[]){ 3, 3, 3 }, 3);
	assert_true(range_of_difference(&range, &one, &other));
	assert_true(range.low == 2 && range.high == 2);
}

static void test_below(void **state)
{
	static const struct range low = { 1, 0, 2 }, high = { 4, 3, 5 };
	static const struct range both = { 3, 1, 4 }, touch = { 3, 2, 4 };

	(void)state;
	assert_true(range_below(&low, &high));
	assert_false(range_below(&high, &low));
	assert_false(range_below(&low, &both) || range_below(&both, &low));
	assert_false(range_below(&low, &touch));
}

/**
 * struct world - distribution of the runs of A and B
 * @runs: runs of each of A and B
 * @a: standard deviation of the runs of A
 * @b: standard deviation of the runs of B
 * @drift: slowdown from each run to the next
 * @pass: standard deviation of a part that the runs of a pass have in common
 * @skewed: true for squares instead of normal values: a few runs are much slower
 * @low: least permitted coverage of the intervals
 * @high: greatest permitted coverage of the intervals
 */
struct world {
	unsigned int runs;
	double a, b, drift, pass;
	bool skewed;
	double low, high;
};

static double draw(const struct world *world, double deviation)
{
	const double z = normal();

	return deviation * (world->skewed ? (z * z - 1) / sqrt(2) : z);
}

/* Runs in the order A B B A A B...; the true difference is B - A = 3. */
static void run_world(const struct world *world, struct sample *a,
		      struct sample *b, struct sample *pairs)
{
	unsigned int i, place = 0;
	struct figure one = { 0 }, other = { 0 }, pair = { 0 };
	double common;

	memset(a, 0, sizeof(*a));
	memset(b, 0, sizeof(*b));
	memset(pairs, 0, sizeof(*pairs));
	for (i = 0; i < world->runs; i++) {
		common = world->pass * normal();
		one.value = 10 + common + draw(world, world->a) +
			    world->drift * (place + i % 2);
		other.value = 13 + common + draw(world, world->b) +
			      world->drift * (place + !(i % 2));
		place += 2;
		sample_add(a, &one);
		sample_add(b, &other);
		pair.value = other.value - one.value;
		sample_add(pairs, &pair);
	}
}

static const struct world worlds[] = {
	{ 3, 1, 1, 0, 0, false, 0.945, 0.985 },
	{ 5, 1, 1, 0, 0, false, 0.945, 0.975 },
	{ 10, 1, 1, 0, 0, false, 0.945, 0.965 },
	{ 3, 1, 10, 0, 0, false, 0.93, 0.965 },
	{ 4, 0.1, 1, 0, 0, false, 0.935, 0.965 },
	/*
	 * a steady drift of a tenth of the deviation per run, which the order compensates
	 */
	{ 4, 1, 1, 0.1, 0, false, 0.945, 1 },
	{ 10, 1, 1, 0.1, 0, false, 0.945, 1 },
	/* passes that differ more than runs: the interval is wider than necessary */
	{ 3, 1, 1, 0, 3, false, 0.945, 1 },
	/* few runs, some of them much slower */
	{ 5, 1, 1, 0, 0, true, 0.93, 0.99 },
	{ 10, 1, 1, 0, 0, true, 0.935, 0.985 },
};

static bool has(const struct range *range, double truth)
{
	return range->low <= truth && range->high >= truth;
}

static void test_welch_coverage(void **state)
{
	struct sample a, b, pairs;
	struct range range;
	unsigned int i, hits;
	double share;
	size_t w;

	(void)state;
	sow(34);
	for (w = 0; w < ARRAY_SIZE(worlds); w++) {
		hits = 0;
		for (i = 0; i < ROUNDS; i++) {
			run_world(&worlds[w], &a, &b, &pairs);
			assert_true(range_of_difference(&range, &b, &a));
			hits += has(&range, 3);
		}
		share = (double)hits / ROUNDS;
		printf("# Welch, world %zu: %.4f\n", w, share);
		assert_row(w, share >= worlds[w].low &&
			   share <= worlds[w].high);
	}
}

/* Differences of pairs do not contain what the two runs of a pair have in common. */
static void test_paired_coverage(void **state)
{
	struct sample a, b, pairs;
	struct range range;
	unsigned int i, hits;
	double share;
	size_t w;

	(void)state;
	sow(35);
	for (w = 0; w < ARRAY_SIZE(worlds); w++) {
		hits = 0;
		for (i = 0; i < ROUNDS; i++) {
			run_world(&worlds[w], &a, &b, &pairs);
			assert_true(range_of_mean(&range, &pairs));
			hits += has(&range, 3);
		}
		share = (double)hits / ROUNDS;
		printf("# paired, world %zu: %.4f\n", w, share);
		assert_row(w, share >= 0.94 && share <= 0.985);
	}
}

/* Two equal distributions are found different in at most one of twenty experiments. */
static void test_verdict(void **state)
{
	static const struct world world = { 3, 1, 1, 0, 0, false, 0, 1 };
	struct sample a, b, pairs;
	struct range range;
	unsigned int i, j, wrong = 0;

	(void)state;
	sow(36);
	for (i = 0; i < ROUNDS; i++) {
		run_world(&world, &a, &b, &pairs);
		for (j = 0; j < b.count; j++)
			b.value[j] -= 3;
		assert_true(range_of_difference(&range, &b, &a));
		wrong += !range_has_zero(&range);
	}
	printf("# told apart though alike: %.4f\n", (double)wrong / ROUNDS);
	assert_true(wrong <= 0.055 * ROUNDS);
}

static int compare(const void *a, const void *b)
{
	const u64 one = *(const u64 *)a, other = *(const u64 *)b;

	return one < other ? -1 : one > other;
}

#define SAMPLES	2500

static double trimmed(u64 *value, unsigned int count)
{
	const unsigned int cut = count * TRIM_PERCENT / 100;
	long double sum = 0;
	unsigned int i;

	qsort(value, count, sizeof(*value), compare);
	for (i = cut; i < count - cut; i++)
		sum += value[i];
	return (double)(sum / (count - 2 * cut));
}

/* Draw a latency from a distribution with a middle, a width and stalls of 1 ms. */
static u64 draw_latency(double middle, double width, double stalls)
{
	double value = middle * exp(width * normal());

	if (uniform() < stalls)
		value += 1e6 * uniform();
	return (u64)value;
}

static void test_trimmed(void **state)
{
	static const struct {
		double middle, width, stalls;
		double error;	/* largest permitted error, per cent of the middle */
	} rows[] = {
		/* nearly all samples share a bucket: the exact sum gives the value */
		{ 13280, 0.0005, 0, 0.1 },
		{ 13280, 0.01, 0, 0.1 },
		{ 13280, 0.01, 0.002, 0.4 },
		{ 13280, 0.1, 0.05, 0.4 },
		{ 200000, 1, 0, 0.4 },
		{ 100, 0.3, 0, 0.0001 },
		{ 5e9, 0.2, 0.5, 0.4 },
	};
	static struct icb_hist hist;
	static u64 value[SAMPLES];
	struct figure figure;
	unsigned int i, count;
	double exact;
	size_t r;

	(void)state;
	sow(37);
	for (r = 0; r < ARRAY_SIZE(rows); r++) {
		for (count = 1; count <= SAMPLES; count = count * 7 + 3) {
			icb_hist_reset(&hist);
			for (i = 0; i < count; i++) {
				value[i] = draw_latency(rows[r].middle,
							rows[r].width,
							rows[r].stalls);
				icb_hist_add(&hist, value[i]);
			}
			assert_row(r, trimmed_mean(&figure, &hist, 2));
			exact = trimmed(value, count) / 2;
			/* the error is a bound, not an estimate */
			assert_row(r, fabs(figure.value - exact) <=
				   figure.error + 1e-9 * exact);
			if (count > 100)
				assert_row(r, figure.error <= rows[r].error / 100 *
					   rows[r].middle / 2);
		}
	}
	icb_hist_reset(&hist);
	assert_false(trimmed_mean(&figure, &hist, 1));
}

/* A disturbance of fewer than a tenth of the samples does not affect the result. */
static void test_robust(void **state)
{
	static struct icb_hist hist;
	struct figure figure;
	unsigned int i;

	(void)state;
	icb_hist_reset(&hist);
	for (i = 0; i < 1000; i++)
		icb_hist_add(&hist, i % 11 ? 10000 : 50000000);
	assert_true(trimmed_mean(&figure, &hist, 1));
	assert_true(figure.value + figure.error < 10070 &&
		    figure.value - figure.error <= 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_t),
		cmocka_unit_test(test_mean),
		cmocka_unit_test(test_difference),
		cmocka_unit_test(test_below),
		cmocka_unit_test(test_welch_coverage),
		cmocka_unit_test(test_paired_coverage),
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_trimmed),
		cmocka_unit_test(test_robust),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
