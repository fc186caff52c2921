// SPDX-License-Identifier: GPL-2.0
#include "hist.h"

/**
 * icb_hist_reset() - empty a distribution
 * @hist: which
 */
void icb_hist_reset(struct icb_hist *hist)
{
	memset(hist, 0, sizeof(*hist));
	hist->min = U64_MAX;
	hist->least = U64_MAX;
}

/**
 * icb_hist_keep() - keep the first values as they are
 * @hist: where to; empty
 * @sample: where, until it is reset
 * @room: how many
 */
void icb_hist_keep(struct icb_hist *hist, u64 *sample, u64 room)
{
	hist->samples = sample;
	hist->sample = sample;
	hist->sample_end = sample + room;
}

/**
 * icb_hist_low() - the least value of a bucket
 * @index: below ICB_HIST_BUCKETS
 *
 * Return: that value.
 */
u64 icb_hist_low(unsigned int index)
{
	unsigned int octave = index >> ICB_HIST_SUB_BITS;
	unsigned int shift = octave > 1 ? octave - 1 : 0;

	return (u64)(index - (shift << ICB_HIST_SUB_BITS)) << shift;
}

/**
 * icb_hist_high() - the greatest value of a bucket
 * @index: below ICB_HIST_BUCKETS
 *
 * Return: that value.
 */
u64 icb_hist_high(unsigned int index)
{
	return index + 1 < ICB_HIST_BUCKETS ? icb_hist_low(index + 1) - 1 :
					      ICB_HIST_LIMIT;
}

/**
 * icb_hist_merge() - take over a bucket of another histogram
 * @hist: where to
 * @index: the bucket, below ICB_HIST_BUCKETS
 * @count: values in it
 *
 * Only the buckets and the count change; extremes and moments do not follow
 * from buckets.
 */
void icb_hist_merge(struct icb_hist *hist, unsigned int index, u64 count)
{
	hist->bucket[index] += count;
	hist->count += count;
}

/* ceil(count * num / den) without a 128-bit division */
static u64 icb_hist_rank(u64 count, u32 num, u32 den)
{
	u64 q = count / den, r = count % den;

	return q * num + (r * num + den - 1) / den;
}

/**
 * icb_hist_quantile() - the value that a share of the values do not exceed
 * @hist: not being written to
 * @num: numerator of the share
 * @den: its denominator, not 0 and not below @num
 *
 * The nearest-rank definition: the value with rank ceil(n * num/den). What is
 * returned lies in the bucket of that value and within the extremes, so it
 * differs from that value by at most 1/128 of it; the first and the last rank
 * are exact.
 *
 * Return: the value; 0 where there is none.
 */
u64 icb_hist_quantile(const struct icb_hist *hist, u32 num, u32 den)
{
	u64 rank = icb_hist_rank(hist->count, num, den);
	u64 seen = 0, value;
	unsigned int i;

	if (!hist->count)
		return 0;
	if (rank <= 1)
		return hist->min;
	if (rank >= hist->count)
		return hist->max;
	for (i = 0; i < ICB_HIST_BUCKETS - 1; i++) {
		seen += hist->bucket[i];
		if (seen >= rank)
			break;
	}
	value = icb_hist_low(i) + (icb_hist_high(i) - icb_hist_low(i)) / 2;
	if (value < hist->min)
		return hist->min;
	if (value > hist->max)
		return hist->max;
	return value;
}
