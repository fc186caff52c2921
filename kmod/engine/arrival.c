// SPDX-License-Identifier: GPL-2.0
#include "arrival.h"
#include "clock.h"

#define PART_BITS	16

/* The natural logarithm of 2, in 2^-32. */
#define LN2		2977044472ULL

/* Binary places of a logarithm. */
#define LOG_BITS	20

/* As many ns that a mean time is never too short to be divided. */
#define SPAN_NS		1000000000ULL

/* 32 random bits; the state may be anything. */
static u32 random_bits(struct icb_arrival *arrival)
{
	u64 z;

	arrival->state += 0x9e3779b97f4a7c15ULL;
	z = arrival->state;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (z ^ (z >> 31)) >> 32;
}

/* The logarithm to base 2 of 1 to 2^32, in 2^-20, by squaring. */
static u64 log2_of(u64 x)
{
	unsigned int whole = fls64(x) - 1, i;
	u64 m = x << (32 - whole), bits = 0;

	/* m is 1 to 2, in 2^-32; squared, it is 1 to 4 */
	for (i = 0; i < LOG_BITS; i++) {
		/* one bit less, so that the square has room */
		m >>= 1;
		m = m * m >> 30;
		bits <<= 1;
		if (m >> 33) {
			m >>= 1;
			bits |= 1;
		}
	}
	return ((u64)whole << LOG_BITS) + bits;
}

/* An exponentially distributed number of mean 1, in 2^-20. */
static u32 exponential(struct icb_arrival *arrival)
{
	u64 x = (u64)random_bits(arrival) + 1;
	u64 log = (32ULL << LOG_BITS) - log2_of(x);

	return log * LN2 >> 32;
}

static u64 gap(struct icb_arrival *arrival)
{
	switch (arrival->kind) {
	case ICBENCH_ARRIVAL_UNIFORM:
		return mul_u64_u32_shr(2 * arrival->mean, random_bits(arrival),
				       32);
	case ICBENCH_ARRIVAL_EXPONENTIAL:
		return mul_u64_u32_shr(arrival->mean, exponential(arrival),
				       LOG_BITS);
	default:
		return arrival->mean;
	}
}

/**
 * icb_arrival_start() - begin a schedule
 * @arrival: of a run
 * @params: of it
 * @now: clock; the first operation is due one such time later
 */
void icb_arrival_start(struct icb_arrival *arrival,
		       const struct icb_params *params, u64 now)
{
	arrival->due = now;
	arrival->part = 0;
	arrival->kind = params->arrival;
	arrival->state = params->seed;
	arrival->mean = mul_u64_u64_div_u64(icb_clock_ticks(SPAN_NS),
					    1ULL << PART_BITS, params->rate);
	icb_arrival_next(arrival);
}

/**
 * icb_arrival_next() - go on to the next operation
 * @arrival: of a run
 *
 * Any context; no division.
 */
void icb_arrival_next(struct icb_arrival *arrival)
{
	u64 later = arrival->part + gap(arrival);

	arrival->due += later >> PART_BITS;
	arrival->part = later & (BIT(PART_BITS) - 1);
}
