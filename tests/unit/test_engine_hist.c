// SPDX-License-Identifier: GPL-2.0
/* Distributions, compared with a sorted list and with sums that cannot overflow. */
#include "unit.h"
#include <unistd.h>
#include "model/hist.h"

#define COUNT	20000

static struct icb_hist hist;
static u64 values[COUNT];

/* Buckets have no gaps, and their relative width is bounded. */
static void test_buckets(void **state)
{
	unsigned int i;
	u64 low, high;

	(void)state;
	assert_int_equal(icb_hist_low(0), 0);
	for (i = 0; i < ICB_HIST_BUCKETS; i++) {
		low = icb_hist_low(i);
		high = icb_hist_high(i);
		assert_row(i, low <= high);
		assert_row(i, (high - low) * 128 <= low);
		assert_row(i, low >= 256 || low == high);
		assert_row(i, icb_hist_index(low) == i);
		assert_row(i, icb_hist_index(high) == i);
		assert_row(i, icb_hist_index(low + (high - low) / 2) == i);
		if (i + 1 < ICB_HIST_BUCKETS)
			assert_row(i, icb_hist_low(i + 1) == high + 1);
	}
	assert_int_equal(icb_hist_high(ICB_HIST_BUCKETS - 1), ICB_HIST_LIMIT);
	assert_int_equal(ICB_HIST_LIMIT, (1ULL << 43) - 1);
}

static u64 next_random(u64 *seed)
{
	u64 x = *seed += 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

static void test_index(void **state)
{
	u64 seed = 1, value, last;
	unsigned int i, bit;

	(void)state;
	for (value = 0; value < 256; value++)
		assert_int_equal(icb_hist_index(value), value);
	for (value = 1; value < 100000; value++)
		assert_in_range(icb_hist_index(value) -
				icb_hist_index(value - 1), 0, 1);
	for (bit = 9; bit < 43; bit++) {
		value = 1ULL << bit;
		assert_int_equal(icb_hist_index(value),
				 icb_hist_index(value - 1) + 1);
		assert_int_equal(icb_hist_index(value + 1),
				 icb_hist_index(value));
	}
	for (i = 0; i < 100000; i++) {
		bit = next_random(&seed) % 44;
		value = next_random(&seed) & ((1ULL << bit) - 1);
		last = next_random(&seed) & ((1ULL << bit) - 1);
		assert_in_range(icb_hist_index(value), 0, ICB_HIST_BUCKETS - 1);
		assert_true((value <= last) <= (icb_hist_index(value) <=
						icb_hist_index(last)));
	}
	assert_int_equal(icb_hist_index(ICB_HIST_LIMIT), ICB_HIST_BUCKETS - 1);
}

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* Shapes of distributions */

static u64 constant(u64 i, u64 x)
{
	(void)i;
	(void)x;
	return 123456789;
}

static u64 small(u64 i, u64 x)
{
	(void)i;
	return x % 256;
}

static u64 uniform(u64 i, u64 x)
{
	(void)i;
	return x % 1000000;
}

static u64 wide(u64 i, u64 x)
{
	(void)i;
	return x & ICB_HIST_LIMIT;
}

static u64 any(u64 i, u64 x)
{
	(void)i;
	return x >> (x % 64);
}

static u64 octaves(u64 i, u64 x)
{
	(void)i;
	return (x & ICB_HIST_LIMIT) >> (x % 43);
}

static u64 two(u64 i, u64 x)
{
	(void)i;
	return x % 10 ? 1800 : 450000;
}

static u64 extremes(u64 i, u64 x)
{
	(void)i;
	return x & 1 ? ICB_HIST_LIMIT : 0;
}

static u64 beyond(u64 i, u64 x)
{
	(void)i;
	return x & 1 ? ICB_HIST_LIMIT + 1 + x % 1000 : U64_MAX;
}

static u64 rising(u64 i, u64 x)
{
	(void)x;
	return i * i;
}

static u64 falling(u64 i, u64 x)
{
	(void)x;
	return (COUNT - i) * 1000003;
}

static u64 spike(u64 i, u64 x)
{
	(void)i;
	return x % 9973 ? 2000 + x % 100 : 5000000000;
}

static u64 close_up(u64 i, u64 x)
{
	(void)i;
	return ICB_HIST_LIMIT - x % 3;
}

static u64 (*const shapes[])(u64 i, u64 x) = {
	constant, small, uniform, wide, any, octaves, two, extremes, beyond,
	rising, falling, spike, close_up,
};

static const u64 counts[] = {
	1, 2, 3, 4, 9, 10, 11, 99, 100, 101, 1000, 9999, 10000, 10001, COUNT,
};

static const struct {
	u32 num;
	u32 den;
} shares[] = {
	{ 0, 1 },
	{ 1, U32_MAX },
	{ 1, 10000 },
	{ 1, 100 },
	{ 1, 3 },
	{ 1, 2 },
	{ 5000, 10000 },
	{ 9000, 10000 },
	{ 99, 100 },
	{ 9990, 10000 },
	{ 9999, 10000 },
	{ 999999, 1000000 },
	{ U32_MAX - 1, U32_MAX },
	{ 1, 1 },
	{ U32_MAX, U32_MAX },
};

static u64 fill(size_t shape, u64 count)
{
	u64 seed = shape * 1000 + count, i, clipped = 0;

	icb_hist_reset(&hist);
	for (i = 0; i < count; i++) {
		values[i] = shapes[shape](i, next_random(&seed));
		icb_hist_add(&hist, values[i]);
		if (values[i] > ICB_HIST_LIMIT) {
			values[i] = ICB_HIST_LIMIT;
			clipped++;
		}
	}
	return clipped;
}

/* Compare a quantile with the value of that rank, counted from 1. */
static bool good(u64 got, u64 rank, u64 count)
{
	u64 want = values[rank - 1];
	u64 off = got > want ? got - want : want - got;

	if (rank == 1 || rank == count || want < 256)
		return got == want;
	return off * 128 <= want && got >= values[0] &&
	       got <= values[count - 1];
}

static void test_quantiles(void **state)
{
	size_t shape, c, s;
	u64 rank, got;

	(void)state;
	for (shape = 0; shape < ARRAY_SIZE(shapes); shape++)
		for (c = 0; c < ARRAY_SIZE(counts); c++) {
			fill(shape, counts[c]);
			qsort(values, counts[c], sizeof(values[0]), compare);
			for (s = 0; s < ARRAY_SIZE(shares); s++) {
				rank = ((__uint128_t)counts[c] * shares[s].num +
					shares[s].den - 1) / shares[s].den;
				rank = rank ? rank : 1;
				got = icb_hist_quantile(&hist, shares[s].num,
							shares[s].den);
				if (!good(got, rank, counts[c]))
					fail_msg("shape %zu, %llu values, share %zu: %llu for %llu",
						 shape,
						 (unsigned long long)counts[c],
						 s, (unsigned long long)got,
						 (unsigned long long)
						 values[rank - 1]);
			}
		}
}

/* Evenly spread values within a bucket have evenly spread percentiles. */
static void test_within(void **state)
{
	const u64 low = 1 << 20, wide = 1 << 13;
	u64 i, got;

	(void)state;
	icb_hist_reset(&hist);
	for (i = 0; i < wide; i++)
		icb_hist_add(&hist, low + i);
	assert_int_equal(icb_hist_index(low), icb_hist_index(low + wide - 1));
	for (i = 1; i < 100; i++) {
		got = icb_hist_quantile(&hist, i, 100);
		assert_in_range(got, low + wide * i / 100 - 1,
				low + wide * i / 100 + 1);
	}
	/* equal values keep their value */
	icb_hist_reset(&hist);
	for (i = 0; i < 100; i++)
		icb_hist_add(&hist, low + 77);
	for (i = 1; i < 100; i++)
		assert_int_equal(icb_hist_quantile(&hist, i, 100), low + 77);
}

static void test_moments(void **state)
{
	u64 i, clipped, in_buckets;
	__uint128_t square;
	size_t shape, c;
	__int128_t sum;

	(void)state;
	for (shape = 0; shape < ARRAY_SIZE(shapes); shape++)
		for (c = 0; c < ARRAY_SIZE(counts); c++) {
			clipped = fill(shape, counts[c]);
			assert_int_equal(hist.count, counts[c]);
			assert_int_equal(hist.clipped, clipped);
			assert_int_equal(hist.origin, values[0]);
			sum = 0;
			square = 0;
			for (i = 0; i < counts[c]; i++) {
				__int128_t d = (__int128_t)values[i] -
					       values[0];

				sum += d;
				square += d * d;
			}
			assert_true(hist.sum == sum);
			assert_true(hist.square == square);
			qsort(values, counts[c], sizeof(values[0]), compare);
			assert_int_equal(hist.min, values[0]);
			assert_int_equal(hist.max, values[counts[c] - 1]);
			in_buckets = 0;
			for (i = 0; i < ICB_HIST_BUCKETS; i++)
				in_buckets += hist.bucket[i];
			assert_int_equal(in_buckets, counts[c]);
		}
}

/* A single value at each limit, and beyond it. */
static void test_extremes(void **state)
{
	static const struct {
		u64 value;
		u64 kept;
	} rows[] = {
		{ 0, 0 },
		{ 1, 1 },
		{ 255, 255 },
		{ 256, 256 },
		{ 257, 257 },
		{ ICB_HIST_LIMIT - 1, ICB_HIST_LIMIT - 1 },
		{ ICB_HIST_LIMIT, ICB_HIST_LIMIT },
		{ ICB_HIST_LIMIT + 1, ICB_HIST_LIMIT },
		{ U64_MAX, ICB_HIST_LIMIT },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		icb_hist_reset(&hist);
		icb_hist_add(&hist, rows[i].value);
		assert_row(i, hist.min == rows[i].kept);
		assert_row(i, hist.max == rows[i].kept);
		assert_row(i, hist.clipped == (rows[i].value != rows[i].kept));
		assert_row(i, hist.bucket[icb_hist_index(rows[i].kept)] == 1);
		assert_row(i, icb_hist_quantile(&hist, 1, 2) == rows[i].kept);
	}
}

static void test_empty(void **state)
{
	(void)state;
	memset(&hist, 0xff, sizeof(hist));
	icb_hist_reset(&hist);
	assert_int_equal(hist.count, 0);
	assert_int_equal(hist.min, U64_MAX);
	assert_int_equal(hist.max, 0);
	assert_int_equal(hist.clipped, 0);
	assert_int_equal(icb_hist_quantile(&hist, 0, 1), 0);
	assert_int_equal(icb_hist_quantile(&hist, 1, 2), 0);
	assert_int_equal(icb_hist_quantile(&hist, 1, 1), 0);
}

/*
 * The most values a run may have, with the largest distances: the state before the last
 * value is set directly, and then the last value is added. The sanitizer detects an
 * overflow of the signed sum; products show an overflow of the unsigned one.
 */
static void test_many(void **state)
{
	static const struct {
		u64 origin;
		u64 value;
	} rows[] = {
		{ 0, ICB_HIST_LIMIT },
		{ ICB_HIST_LIMIT, 0 },
		{ 0, U64_MAX },
		{ ICB_HIST_LIMIT / 2, 0 },
	};
	const u64 most = ICBENCH_MAX_ITERATIONS;
	__uint128_t square;
	__int128_t d, sum;
	size_t i;
	u64 kept;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		kept = min_t(u64, rows[i].value, ICB_HIST_LIMIT);
		d = (__int128_t)kept - rows[i].origin;
		icb_hist_reset(&hist);
		hist.origin = rows[i].origin;
		hist.min = min_t(u64, kept, rows[i].origin);
		hist.max = ICB_HIST_LIMIT;
		icb_hist_merge(&hist, icb_hist_index(kept), most - 1);
		assert_row(i, !__builtin_mul_overflow(d, (__int128_t)most,
						      &sum));
		assert_row(i, !__builtin_mul_overflow((__uint128_t)(d * d),
						      (__uint128_t)most,
						      &square));
		hist.sum = sum - d;
		hist.square = square - d * d;
		icb_hist_add(&hist, rows[i].value);
		assert_row(i, hist.count == most);
		assert_row(i, hist.sum == sum);
		assert_row(i, hist.square == square);
		assert_row(i, hist.bucket[icb_hist_index(kept)] == most);
		assert_row(i, icb_hist_quantile(&hist, 1, 2) >= kept -
							kept / 128);
		assert_row(i, icb_hist_quantile(&hist, 1, 2) <= kept +
							kept / 128);
	}
}

/* Ranks of counts for which a 64-bit product would overflow. */
static void test_ranks(void **state)
{
	static const u64 halves[] = {
		500, 1ULL << 31, 1ULL << 32, 500000000000ULL, 1ULL << 62,
		(1ULL << 63) - 1,
	};
	size_t i, s;
	u64 rank, got;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(halves); i++) {
		icb_hist_reset(&hist);
		icb_hist_merge(&hist, 100, halves[i]);
		icb_hist_merge(&hist, 200, halves[i]);
		hist.min = 100;
		hist.max = 200;
		for (s = 0; s < ARRAY_SIZE(shares); s++) {
			rank = ((__uint128_t)hist.count * shares[s].num +
				shares[s].den - 1) / shares[s].den;
			got = icb_hist_quantile(&hist, shares[s].num,
						shares[s].den);
			assert_row(i, got == (rank <= halves[i] ? 100 : 200));
		}
	}
}

/* A merge adds the other histogram's buckets and count, and nothing else. */
static void test_merge(void **state)
{
	static struct icb_hist sum;
	u64 i, seed = 1;

	(void)state;
	icb_hist_reset(&hist);
	icb_hist_reset(&sum);
	for (i = 0; i < 1000; i++)
		icb_hist_add(&hist, next_random(&seed) >> 24);
	for (i = 0; i < ICB_HIST_BUCKETS; i++)
		icb_hist_merge(&sum, i, hist.bucket[i]);
	assert_int_equal(sum.count, hist.count);
	assert_memory_equal(sum.bucket, hist.bucket, sizeof(sum.bucket));
	assert_int_equal(sum.min, U64_MAX);
	assert_int_equal(sum.max, 0);
	assert_true(!sum.sum && !sum.square && !sum.clipped);
	for (i = 0; i < ICB_HIST_BUCKETS; i++)
		icb_hist_merge(&sum, i, hist.bucket[i]);
	assert_int_equal(sum.count, 2 * hist.count);
}

/* The first samples are kept in order, without any other effect. */
static void test_keep(void **state)
{
	static struct icb_hist kept, other;
	u64 sample[8], i, room;

	(void)state;
	for (room = 0; room < 7; room++) {
		icb_hist_reset(&kept);
		icb_hist_reset(&other);
		memset(sample, 0xff, sizeof(sample));
		icb_hist_keep(&kept, sample, room);
		for (i = 0; i < 5; i++) {
			assert_int_equal(icb_hist_kept(&kept),
					 min_t(u64, room, i));
			icb_hist_add(&kept, 100 - i * i);
			icb_hist_add(&other, 100 - i * i);
		}
		/* a clipped value is kept as the value that it is counted as */
		icb_hist_add(&kept, U64_MAX);
		icb_hist_add(&other, U64_MAX);
		for (i = 0; i < 8; i++)
			assert_int_equal(sample[i], i >= min_t(u64, room, 6) ?
					 U64_MAX : i == 5 ? ICB_HIST_LIMIT :
					 100 - i * i);
		assert_int_equal(icb_hist_kept(&kept), min_t(u64, room, 6));
		assert_memory_equal(kept.bucket, other.bucket,
				    sizeof(kept.bucket));
		assert_true(kept.sum == other.sum && kept.origin == other.origin &&
			    kept.min == other.min &&
			    kept.max == other.max);
		icb_hist_reset(&kept);
		assert_int_equal(icb_hist_kept(&kept), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_index),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_within),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_keep),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
