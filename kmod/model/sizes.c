// SPDX-License-Identifier: GPL-2.0
#include "sizes.h"
#include "derived.h"
#include "verbs_table.h"

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

static int refuse(const struct icb_params *params, const char *what,
		  const char *accepted, struct icb_reason *why)
{
	return icb_refuse(why, -EOPNOTSUPP,
			  "size-dist: %s is not possible with %s; accepted: %s",
			  icb_params_word(params, ICBENCH_A_PARAMS_SIZE_DIST),
			  what, accepted);
}

/**
 * icb_sizes_check() - the rules between size-dist and the rest
 * @params: each one within its own range
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP with a reason.
 */
int icb_sizes_check(const struct icb_params *params, struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);
	u64 most;

	if (params->size_dist == ICBENCH_SIZE_DIST_FIXED)
		return 0;
	if (!icb_params_windowed(params))
		return refuse(params, "this trigger",
			      "fixed, or trigger completion or clock", why);
	if (verb->atomic)
		return refuse(params, "atomics, which work on one word",
			      "fixed", why);
	if (!params->size)
		return refuse(params, "a size of 0", "fixed", why);
	if (verb->note)
		return refuse(params, "notify message",
			      "fixed, or notify none, imm", why);
	if (params->reply)
		return refuse(params, "reply", "fixed, or reply no", why);
	if (params->inline_size)
		return refuse(params, "inline", "fixed, or inline 0", why);
	if (params->sges > 1)
		return refuse(params, "several segments", "fixed, or sges 1",
			      why);
	if (params->qps > 1)
		return refuse(params, "several QPs, which keep no order",
			      "fixed, or qps 1", why);
	if (params->devices > 1)
		return refuse(params, "several devices", "fixed, or one device",
			      why);
	if (icb_params_lossy(params) &&
	    params->direction == ICBENCH_DIRECTION_BI)
		return refuse(params, "direction bi where messages may be lost",
			      "fixed, direction uni, or transport rc", why);
	most = size_of(params, 0);
	if (most <= ICBENCH_MAX_SIZE)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "size: %u is the mean, with size-dist %s the largest message has %llu bytes; accepted: at most %llu in the largest",
			  params->size,
			  icb_params_word(params, ICBENCH_A_PARAMS_SIZE_DIST),
			  (unsigned long long)most,
			  (unsigned long long)ICBENCH_MAX_SIZE);
}
