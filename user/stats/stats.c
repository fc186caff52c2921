// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "stats.h"

const char *const stats_percentile_name[STATS_PERCENTILES] = {
	[STATS_50] = "50",
	[STATS_90] = "90",
	[STATS_99] = "99",
	[STATS_999] = "99.9",
	[STATS_9999] = "99.99",
};

/* in 1/10 000 */
static const u32 percentile_share[STATS_PERCENTILES] = {
	[STATS_50] = 5000,
	[STATS_90] = 9000,
	[STATS_99] = 9900,
	[STATS_999] = 9990,
	[STATS_9999] = 9999,
};

/* A number of 256 bits, the least significant limb first. */
struct wide {
	u64 limb[4];
};

static struct wide multiply(__uint128_t a, __uint128_t b)
{
	const u64 x[2] = { (u64)a, (u64)(a >> 64) };
	const u64 y[2] = { (u64)b, (u64)(b >> 64) };
	struct wide product = { { 0 } };
	__uint128_t carry;
	int i, j;

	for (i = 0; i < 2; i++) {
		carry = 0;
		for (j = 0; j < 2; j++) {
			carry += (__uint128_t)x[i] * y[j] + product.limb[i + j];
			product.limb[i + j] = (u64)carry;
			carry >>= 64;
		}
		product.limb[i + 2] = (u64)carry;
	}
	return product;
}

/* Returns true if the difference is not negative. */
static bool subtract(struct wide *a, const struct wide *b)
{
	bool borrow = false;
	int i;

	for (i = 0; i < 4; i++) {
		u64 take = b->limb[i] + borrow;

		/* a sum that wraps to 0 leaves a and the borrow unchanged */
		if (take || !borrow)
			borrow = a->limb[i] < take;
		a->limb[i] -= take;
	}
	return !borrow;
}

static long double to_float(const struct wide *a)
{
	long double v = 0;
	int i;

	for (i = 3; i >= 0; i--)
		v = v * 0x1p64L + a->limb[i];
	return v;
}

/*
 * n^2 times the variance is n * square - sum^2, in integers: for large values that are
 * close together, floating point would lose all significant digits.
 */
static int variance(const struct icb_hist *hist, long double *scaled)
{
	__uint128_t sum = hist->sum < 0 ? -(__uint128_t)hist->sum : (__uint128_t)hist->sum;
	struct wide a = multiply(hist->count, hist->square);
	struct wide b = multiply(sum, sum);

	if (!subtract(&a, &b))
		return -EPROTO;
	*scaled = to_float(&a);
	return 0;
}

/**
 * stats_of() - compute the statistics of a distribution
 * @stats: takes the statistics
 * @hist: the distribution, not empty
 * @divisor: divisor of every value, not 0
 *
 * Return: 0; -EPROTO if no values can have the sums of @hist.
 */
int stats_of(struct stats *stats, const struct icb_hist *hist, u32 divisor)
{
	long double scaled, mean;
	__int128_t count;
	unsigned int i;

	if (variance(hist, &scaled))
		return -EPROTO;
	count = hist->count;
	/* integer part and fraction separately: each is exact */
	mean = (long double)((__int128_t)hist->origin + hist->sum / count) +
	       (long double)(hist->sum % count) / count;
	stats->count = hist->count;
	stats->min = (double)((long double)hist->min / divisor);
	stats->max = (double)((long double)hist->max / divisor);
	stats->mean = (double)(mean / divisor);
	stats->stddev = (double)(sqrtl(scaled) / count / divisor);
	for (i = 0; i < STATS_PERCENTILES; i++)
		stats->percentile[i] = (double)
			((long double)icb_hist_quantile(hist, percentile_share[i],
							10000) / divisor);
	return 0;
}
