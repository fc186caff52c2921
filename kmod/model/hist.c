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

/**
 * icb_hist_rank() - the rank of a percentile, by the nearest-rank definition
 * @count: values
 * @num: numerator of the share that does not exceed the percentile
 * @den: its denominator, not 0 and not below @num
 *
 * Return: ceil(count * num / den), without a 128-bit division.
 */
u64 icb_hist_rank(u64 count, u32 num, u32 den)
{
	u64 q = count / den, r = count % den;

	return q * num + (r * num + den - 1) / den;
}

/**
 * icb_hist_within() - a value of a bucket, by its rank
 * @index: the bucket, below ICB_HIST_BUCKETS
 * @rank: of the value, 1 to @count
 * @count: values in the bucket
 *
 * The values are taken to be spread evenly over the bucket. Each percentile, of a run or
 * of a batch, comes from here.
 *
 * Return: the value; it differs from the one of that rank by at most 1/128 of it.
 */
u64 icb_hist_within(unsigned int index, u64 rank, u64 count)
{
	u64 low = icb_hist_low(index);

	/* the middle of the rank-th of as many parts */
	return low + mul_u64_u64_div_u64(icb_hist_high(index) - low + 1,
					 2 * rank - 1, 2 * count);
}

/**
 * icb_hist_clamp() - keep what is told within the extremes, which are exact
 * @hist: of the value
 * @value: a percentile, or a bound of one
 *
 * Return: the value.
 */
u64 icb_hist_clamp(const struct icb_hist *hist, u64 value)
{
	return min_t(u64, max_t(u64, value, hist->min), hist->max);
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
	u64 before = 0;
	unsigned int i;

	if (!hist->count)
		return 0;
	if (rank <= 1)
		return hist->min;
	if (rank >= hist->count)
		return hist->max;
	for (i = 0; i < ICB_HIST_BUCKETS - 1; i++) {
		if (before + hist->bucket[i] >= rank)
			break;
		before += hist->bucket[i];
	}
	return icb_hist_clamp(hist, icb_hist_within(i, rank - before,
						    hist->bucket[i]));
}

/**
 * icb_hist_below() - how many values lie in a bucket or below it, for each bucket
 * @hist: not being written to
 * @below: where to, ICB_HIST_BUCKETS numbers
 */
void icb_hist_below(const struct icb_hist *hist, u64 *below)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < ICB_HIST_BUCKETS; i++) {
		sum += hist->bucket[i];
		below[i] = sum;
	}
}
