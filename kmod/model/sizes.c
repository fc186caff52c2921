// SPDX-License-Identifier: GPL-2.0
#include "sizes.h"

/* Messages whose sizes are added up before others may run. */
#define SUM_AT_A_TIME	65536

/* Those that are added up at most: the standard error of their mean is 0.025 % of it. */
#define SUM_MOST	16777216ULL

/* The natural logarithm of 1 to 2^32, in 2^-ICB_LOG_BITS. */
static u64 ln(u64 x)
{
	return icb_log2(x) * ICB_LN2 >> 32;
}

/*
 * The rarest parts of an exponential distribution of mean 1, added up to the k-th
 * one: the integral of -ln u from 0 to k / ICB_SIZES, in parts of the whole.
 */
static u64 rarest(u32 k)
{
	return k ? k * ((1ULL << ICB_LOG_BITS) + ln(ICB_SIZES) - ln(k)) : 0;
}

/* The mean of a part, in 2^-ICB_LOG_BITS of that of all; the rarest is 0. */
static u64 part(u32 dist, u32 i)
{
	switch (dist) {
	case ICBENCH_SIZE_DIST_UNIFORM:
		return ((u64)(2 * (ICB_SIZES - i) - 1) << ICB_LOG_BITS) >>
		       ICB_SIZES_BITS;
	case ICBENCH_SIZE_DIST_EXPONENTIAL:
		return rarest(i + 1) - rarest(i);
	default:
		return 1ULL << ICB_LOG_BITS;
	}
}

/* In whole bytes, and one at least. */
static u64 size_of(const struct icb_params *params, u32 i)
{
	u64 half = 1ULL << (ICB_LOG_BITS - 1);
	u64 size = params->size * part(params->size_dist, i) + half;

	return max_t(u64, size >> ICB_LOG_BITS, 1);
}

/**
 * icb_sizes_start() - make the sizes of a run
 * @sizes: where to
 * @params: of the run, checked
 */
void icb_sizes_start(struct icb_sizes *sizes, const struct icb_params *params)
{
	u32 i;

	sizes->on = params->size_dist != ICBENCH_SIZE_DIST_FIXED;
	for (i = 0; i < ARRAY_SIZE(sizes->random); i++)
		sizes->random[i] = icb_random_of(params->seed, i,
						 ICB_RANDOM_SIZE);
	for (i = 0; i < ICB_SIZES && sizes->on; i++)
		sizes->size[i] = size_of(params, i);
}

/**
 * icb_sizes_sum() - bytes of several messages
 * @sizes: of a run whose sizes differ
 * @initiator: the side that posts them
 * @number: of the first
 * @count: how many there are
 *
 * Process context. Takes some ns for each of the first 2^24, whose mean is taken for
 * that of all: how many there are may be a peer's word, and who stops a long run waits
 * for this.
 *
 * Return: bytes; U64_MAX for more than any run has.
 */
u64 icb_sizes_sum(const struct icb_sizes *sizes, bool initiator, u64 number,
		  u64 count)
{
	u64 some = min_t(u64, count, SUM_MOST), sum = 0, i;

	for (i = 0; i < some; i++) {
		sum += icb_sizes_at(sizes, initiator, number + i);
		if (i % SUM_AT_A_TIME == 0)
			cond_resched();
	}
	if (some == count)
		return sum;
	return sum / SUM_MOST < U64_MAX / count ?
	       mul_u64_u64_div_u64(sum, count, SUM_MOST) : U64_MAX;
}

/**
 * icb_sizes_room() - what a buffer has to have room for
 * @params: of a run, checked
 *
 * Return: bytes of the largest message.
 */
u32 icb_sizes_room(const struct icb_params *params)
{
	return params->size_dist == ICBENCH_SIZE_DIST_FIXED ? params->size :
							      size_of(params, 0);
}

/**
 * icb_sizes_largest() - the largest message of a run
 * @params: of the run, each one within its own range
 *
 * Return: bytes; more than a message may have where they are too many.
 */
u64 icb_sizes_largest(const struct icb_params *params)
{
	return size_of(params, 0);
}
