// SPDX-License-Identifier: GPL-2.0
#include "warmup.h"

/* So many times the operations that were asked for, at most. */
#define MOST_TIMES	10

/* Medians that differ by less than this part of them do not differ. */
#define NARROW		128

/**
 * icb_warmup_begin() - have a warm-up last until its samples are steady
 * @warmup: which, zeroed
 * @least: operations that it has in any case, ICB_WARMUP_LEAST and more
 * @ticks: clock ticks after which it ends, steady or not
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
 * The two later medians against the two earlier ones: they differ by no more than the two
 * of each pair do, or by less than 1 %. What still falls or rises differs by twice as much.
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
 * icb_warmup_add() - an operation of the warm-up is over
 * @warmup: of the run
 * @ticks: that it took
 * @end: clock when it ended
 *
 * Outside of any sample that counts.
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
