/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A distribution in constant memory: a log-linear histogram whose buckets are at most
 * 1/128 of their values wide, and the exact count, extremes and moments.
 */
#ifndef ICB_HIST_H
#define ICB_HIST_H

#include "engine.h"

/* Each value below 2^(SUB_BITS + 1) has its own bucket; an octave has 2^SUB_BITS. */
#define ICB_HIST_SUB_BITS	7
/* Values are at most 2^MAX_BITS - 1: two and a half hours in nanoseconds. */
#define ICB_HIST_MAX_BITS	43
#define ICB_HIST_LIMIT		((1ULL << ICB_HIST_MAX_BITS) - 1)
#define ICB_HIST_BUCKETS \
	((ICB_HIST_MAX_BITS - ICB_HIST_SUB_BITS + 1) << ICB_HIST_SUB_BITS)

/**
 * struct icb_hist - a distribution of u64 values
 * @count: number of values added
 * @min: least value; U64_MAX if there is none
 * @max: greatest value
 * @clipped: number of values above ICB_HIST_LIMIT, which were counted as ICB_HIST_LIMIT
 * @origin: first value; @sum and @square are relative to it, so that they stay exact if
 *	the values are large and close together
 * @sum: sum of (value - @origin)
 * @square: sum of (value - @origin)^2
 * @least: icb_hist_book() calls icb_hist_note() for values below it: @min, or U64_MAX as
 *	long as there is room in @samples
 * @samples: the first values, unchanged, in memory of the caller
 * @sample: place of the next value in @samples
 * @sample_end: end of @samples
 * @bucket: number of values in each bucket
 *
 * A difference is below 2^43, so neither sum can overflow in 10^12 values:
 * 2^43 * 2^43 * 2^40 is 2^126.
 *
 * One writer at a time. A concurrent reader may see some fields updated and others not.
 */
struct icb_hist {
	u64 count;
	u64 min;
	u64 max;
	u64 clipped;
	u64 origin;
	__int128_t sum;
	__uint128_t square;
	u64 least;
	u64 *samples;
	u64 *sample;
	u64 *sample_end;
	u64 bucket[ICB_HIST_BUCKETS];
};

/**
 * icb_hist_index() - get the bucket of a value
 * @value: at most ICB_HIST_LIMIT
 *
 * Return: an index below ICB_HIST_BUCKETS, rising with @value.
 */
static inline unsigned long icb_hist_index(u64 value)
{
	unsigned long shift = __fls(value | ((2U << ICB_HIST_SUB_BITS) - 1)) -
			      ICB_HIST_SUB_BITS;

	return (shift << ICB_HIST_SUB_BITS) + (value >> shift);
}

/*
 * Update the minimum, and keep the value if there is room. Both are done here, so that a
 * run that keeps no values pays nothing for it.
 */
static inline void icb_hist_note(struct icb_hist *hist, u64 value)
{
	if (value < hist->min) {
		if (!hist->count)
			hist->origin = value;
		hist->min = value;
	}
	if (hist->sample != hist->sample_end)
		*hist->sample++ = value;
	if (hist->sample == hist->sample_end)
		hist->least = hist->min;
}

/**
 * icb_hist_raise() - update the greatest value
 * @hist: the distribution
 * @value: value above the greatest so far; not added yet
 *
 * Each value above ICB_HIST_LIMIT has to pass through here to be clipped: it is always
 * above the greatest so far.
 *
 * Return: the value to pass to icb_hist_book(): @value, or ICB_HIST_LIMIT.
 */
static inline u64 icb_hist_raise(struct icb_hist *hist, u64 value)
{
	if (value > ICB_HIST_LIMIT) {
		value = ICB_HIST_LIMIT;
		hist->clipped++;
	}
	hist->max = value;
	return value;
}

/**
 * icb_hist_book() - add a value that is not above the greatest
 * @hist: the distribution
 * @value: the value; returned by icb_hist_raise() if it was above the greatest
 */
static inline void icb_hist_book(struct icb_hist *hist, u64 value)
{
	s64 d;

	/* always true for the first value, and for each value that is kept */
	if (unlikely(value < hist->least))
		icb_hist_note(hist, value);
	hist->count++;
	d = (s64)(value - hist->origin);
	hist->sum += d;
	hist->square += (__uint128_t)((__int128_t)d * d);
	hist->bucket[icb_hist_index(value)]++;
}

/**
 * icb_hist_add() - add a value
 * @hist: the distribution
 * @value: the value; clipped to ICB_HIST_LIMIT
 *
 * Any context that owns @hist. No division, no loop, no lock.
 */
static inline void icb_hist_add(struct icb_hist *hist, u64 value)
{
	if (unlikely(value > hist->max))
		value = icb_hist_raise(hist, value);
	icb_hist_book(hist, value);
}

/**
 * icb_hist_kept() - get the number of values that were kept
 * @hist: the distribution
 *
 * Return: number of values in @samples.
 */
static inline u64 icb_hist_kept(const struct icb_hist *hist)
{
	return hist->sample - hist->samples;
}

void icb_hist_reset(struct icb_hist *hist);
void icb_hist_keep(struct icb_hist *hist, u64 *sample, u64 room);
u64 icb_hist_low(unsigned int index);
u64 icb_hist_high(unsigned int index);
void icb_hist_merge(struct icb_hist *hist, unsigned int index, u64 count);
u64 icb_hist_rank(u64 count, u32 num, u32 den);
u64 icb_hist_within(unsigned int index, u64 rank, u64 count);
u64 icb_hist_clamp(const struct icb_hist *hist, u64 value);
void icb_hist_below(const struct icb_hist *hist, u64 *below);
u64 icb_hist_quantile(const struct icb_hist *hist, u32 num, u32 den);

#endif /* ICB_HIST_H */
