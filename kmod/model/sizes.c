// SPDX-License-Identifier: GPL-2.0
#include "sizes.h"

/* Messages whose sizes are added between two calls of cond_resched(). */
#define SUM_AT_A_TIME	65536

/* Most messages to add: the standard error of their mean is 0.025 % of the mean. */
#define SUM_MOST	16777216ULL

/* The natural logarithm of 1 to 2^32, in 2^-ICB_LOG_BITS. */
static u64 ln(u64 x)
{
	return icb_log2(x) * ICB_LN2 >> 32;
}

/*
 * Sum of the k largest parts of an exponential distribution with mean 1: ICB_SIZES times
 * the integral of -ln u from 0 to k / ICB_SIZES, in 2^-ICB_LOG_BITS.
 */
static u64 rarest(u32 k)
{
	return k ? k * ((1ULL << ICB_LOG_BITS) + ln(ICB_SIZES) - ln(k)) : 0;
}

/* Mean of part @i, in 2^-ICB_LOG_BITS of the overall mean. Part 0 is the largest. */
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

/* Size of the messages of part @i, in whole bytes, at least 1. */
static u64 size_of(const struct icb_params *params, u32 i)
{
	u64 half = 1ULL << (ICB_LOG_BITS - 1);
	u64 size = params->size * part(params->size_dist, i) + half;

	return max_t(u64, size >> ICB_LOG_BITS, 1);
}

/**
 * icb_sizes_start() - calculate the sizes of the messages of a run
 * @sizes: the sizes to set
 * @params: checked parameters of the run
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
 * icb_sizes_sum() - get the total size of consecutive messages
 * @sizes: sizes of a run whose messages differ in size
 * @initiator: true if the initiator posts the messages
 * @number: number of the first message
 * @count: number of messages
 *
 * Process context. Takes some ns for each of the first 2^24 messages; further messages
 * are assumed to have the mean size of these. The time is limited because @count may have
 * been sent by a peer, and because stopping a long run waits for this function.
 *
 * Return: total size, bytes; U64_MAX if it exceeds 64 bits.
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
 * icb_sizes_room() - get the size that a buffer needs
 * @params: checked parameters of a run
 *
 * Return: size of the largest message, bytes.
 */
u32 icb_sizes_room(const struct icb_params *params)
{
	return params->size_dist == ICBENCH_SIZE_DIST_FIXED ? params->size :
							      size_of(params, 0);
}

/**
 * icb_sizes_largest() - get the size of the largest message, before the rules are checked
 * @params: parameters of the run, each of them within its own range
 *
 * Return: size, bytes; may exceed ICBENCH_MAX_SIZE.
 */
u64 icb_sizes_largest(const struct icb_params *params)
{
	return size_of(params, 0);
}
