// SPDX-License-Identifier: GPL-2.0
#include "hist.h"

/**
 * icb_hist_reset() - empty a distribution
 * @hist: the distribution
 */
void icb_hist_reset(struct icb_hist *hist)
{
	memset(hist, 0, sizeof(*hist));
	hist->min = U64_MAX;
	hist->least = U64_MAX;
}

/**
 * icb_hist_keep() - keep the first values unchanged
 * @hist: an empty distribution
 * @sample: memory for the values; must exist until @hist is reset
 * @room: number of values that @sample has room for
 */
void icb_hist_keep(struct icb_hist *hist, u64 *sample, u64 room)
{
	hist->samples = sample;
	hist->sample = sample;
	hist->sample_end = sample + room;
}

/**
 * icb_hist_low() - get the least value of a bucket
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
 * icb_hist_high() - get the greatest value of a bucket
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
 * icb_hist_merge() - add a bucket of another histogram
 * @hist: the distribution to add to
 * @index: index of the bucket, below ICB_HIST_BUCKETS
 * @count: number of values to add
 *
 * Only the buckets and the count change; extremes and moments cannot be calculated from
 * buckets.
 */
void icb_hist_merge(struct icb_hist *hist, unsigned int index, u64 count)
{
	hist->bucket[index] += count;
	hist->count += count;
}

/**
 * icb_hist_rank() - get the rank of a percentile, by the nearest-rank definition
 * @count: number of values
 * @num: numerator of the share of values that do not exceed the percentile
 * @den: denominator of the share, not 0 and not below @num
 *
 * Return: ceil(count * num / den), without a 128-bit division.
 */
u64 icb_hist_rank(u64 count, u32 num, u32 den)
{
	u64 q = count / den, r = count % den;

	return q * num + (r * num + den - 1) / den;
}

/**
 * icb_hist_within() - estimate a value of a bucket from its rank
 * @index: index of the bucket, below ICB_HIST_BUCKETS
 * @rank: rank of the value in the bucket, 1 to @count
 * @count: number of values in the bucket
 *
 * Assumes that the values are spread evenly over the bucket. All percentiles, of runs and
 * of batches, are calculated here.
 *
 * Return: the estimate, within 1/128 of the value of that rank.
 */
u64 icb_hist_within(unsigned int index, u64 rank, u64 count)
{
	u64 low = icb_hist_low(index);

	/* the bucket is divided into @count parts: the middle of the part at @rank */
	return low + mul_u64_u64_div_u64(icb_hist_high(index) - low + 1,
					 2 * rank - 1, 2 * count);
}

/**
 * icb_hist_clamp() - limit an estimate to the exact extremes
 * @hist: the distribution
 * @value: a percentile, or a bound of one
 *
 * Return: @value, limited to the range from the least to the greatest value.
 */
u64 icb_hist_clamp(const struct icb_hist *hist, u64 value)
{
	return min_t(u64, max_t(u64, value, hist->min), hist->max);
}

/**
 * icb_hist_quantile() - estimate the value that a share of the values do not exceed
 * @hist: the distribution; not being written to
 * @num: numerator of the share
 * @den: denominator of the share, not 0 and not below @num
 *
 * By the nearest-rank definition, this is the value with rank ceil(n * num/den). The
 * estimate is in the bucket of that value and within the extremes, so it differs from the
 * value by at most 1/128. The first and the last rank are exact.
 *
 * Return: the estimate; 0 if the distribution is empty.
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
 * icb_hist_below() - count the values in each bucket and all buckets below it
 * @hist: the distribution; not being written to
 * @below: output, ICB_HIST_BUCKETS numbers
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
