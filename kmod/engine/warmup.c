// SPDX-License-Identifier: GPL-2.0
#include "warmup.h"

/* Longest warm-up, in multiples of its least number of operations. */
#define MOST_TIMES	10

/* Medians that differ by no more than 1/NARROW of their value count as equal. */
#define NARROW		128

/**
 * icb_warmup_begin() - begin a warm-up that lasts until its samples are steady
 * @warmup: the warm-up
 * @least: least number of operations, at least ICB_WARMUP_LEAST
 * @ticks: time after which it ends, steady or not, clock ticks
 */
void icb_warmup_begin(struct icb_warmup *warmup, u64 least, u64 ticks)
{
	memset(warmup, 0, sizeof(*warmup));
	warmup->on = true;
	warmup->most = least * MOST_TIMES;
	warmup->until = ticks;
}

static u64 median(u64 *sample)
{
	unsigned int i, j;
	u64 value;

	for (i = 1; i < ICB_WARMUP_WINDOW; i++) {
		value = sample[i];
		for (j = i; j && sample[j - 1] > value; j--)
			sample[j] = sample[j - 1];
		sample[j] = value;
	}
	return sample[ICB_WARMUP_WINDOW / 2];
}

static u64 apart(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/*
 * Compare the two later medians with the two earlier ones. Samples are steady if these
 * two pairs differ by no more than the medians of each pair do, or by less than 1 %. If
 * the samples still fall or rise, the pairs differ by twice as much.
 */
static bool is_steady(const struct icb_warmup *warmup)
{
	const u32 first = warmup->windows;
	u64 value[ICB_WARMUP_WINDOWS], early, late, spread;
	unsigned int i;

	if (first < ICB_WARMUP_WINDOWS)
		return false;
	for (i = 0; i < ICB_WARMUP_WINDOWS; i++)
		value[i] = warmup->median[(first + i) % ICB_WARMUP_WINDOWS];
	early = value[0] + value[1];
	late = value[2] + value[3];
	spread = apart(value[0], value[1]) + apart(value[2], value[3]);
	return apart(early, late) <= max_t(u64, spread, late / NARROW);
}

/**
 * icb_warmup_add() - record an operation of a warm-up
 * @warmup: the warm-up
 * @ticks: duration of the operation, clock ticks
 * @end: clock when it ended
 *
 * Called outside of measured samples.
 */
void icb_warmup_add(struct icb_warmup *warmup, u64 ticks, u64 end)
{
	if (!warmup->made++)
		warmup->since = end;
	warmup->sample[warmup->count++] = ticks;
	if (warmup->count == ICB_WARMUP_WINDOW) {
		warmup->median[warmup->windows % ICB_WARMUP_WINDOWS] =
			median(warmup->sample);
		warmup->windows++;
		warmup->count = 0;
		warmup->steady = is_steady(warmup);
	}
}
