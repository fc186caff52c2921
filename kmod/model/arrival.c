// SPDX-License-Identifier: GPL-2.0
#include "arrival.h"

#define PART_BITS	16

/* The next 32 random bits. */
static u32 random_bits(struct icb_arrival *arrival)
{
	return icb_random_at(arrival->random, ++arrival->drawn);
}

/* An exponentially distributed number of mean 1, in 2^-20. */
static u32 exponential(struct icb_arrival *arrival)
{
	u64 x = (u64)random_bits(arrival) + 1;
	u64 log = (32ULL << ICB_LOG_BITS) - icb_log2(x);

	return log * ICB_LN2 >> 32;
}

static u64 gap(struct icb_arrival *arrival)
{
	switch (arrival->kind) {
	case ICBENCH_ARRIVAL_UNIFORM:
		return mul_u64_u32_shr(2 * arrival->mean, random_bits(arrival),
				       32);
	case ICBENCH_ARRIVAL_EXPONENTIAL:
		return mul_u64_u32_shr(arrival->mean, exponential(arrival),
				       ICB_LOG_BITS);
	default:
		return arrival->mean;
	}
}

/**
 * icb_arrival_start() - start a schedule
 * @arrival: the schedule to start
 * @params: parameters of the run
 * @now: present clock; the first operation is due one drawn time after it
 * @second: clock ticks per second
 */
void icb_arrival_start(struct icb_arrival *arrival,
		       const struct icb_params *params, u64 now, u64 second)
{
	arrival->due = now;
	arrival->part = 0;
	arrival->kind = params->arrival;
	arrival->random = icb_random_of(params->seed, true,
					ICB_RANDOM_ARRIVAL);
	arrival->drawn = 0;
	arrival->mean = mul_u64_u64_div_u64(second, 1ULL << PART_BITS,
					    params->rate);
	icb_arrival_next(arrival);
}

/**
 * icb_arrival_next() - advance to the next operation
 * @arrival: the schedule
 *
 * Any context; no division.
 */
void icb_arrival_next(struct icb_arrival *arrival)
{
	u64 later = arrival->part + gap(arrival);

	arrival->due += later >> PART_BITS;
	arrival->part = later & (BIT(PART_BITS) - 1);
}
