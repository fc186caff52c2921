/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A distribution in fixed memory: a log-linear histogram whose buckets are at
 * most 1/128 of their values wide, and exact count, extremes and moments.
 */
#ifndef ICB_HIST_H
#define ICB_HIST_H

#include "engine.h"

/* Values below 2^(SUB_BITS + 1) have a bucket each; an octave has 2^SUB_BITS. */
#define ICB_HIST_SUB_BITS	7
/* Values are at most 2^MAX_BITS - 1: two and a half hours in nanoseconds. */
#define ICB_HIST_MAX_BITS	43
#define ICB_HIST_LIMIT		((1ULL << ICB_HIST_MAX_BITS) - 1)
#define ICB_HIST_BUCKETS \
	((ICB_HIST_MAX_BITS - ICB_HIST_SUB_BITS + 1) << ICB_HIST_SUB_BITS)

/**
 * struct icb_hist - a distribution of u64 values
 * @count: values added
 * @min: least of them; U64_MAX where there is none
 * @max: greatest of them
 * @clipped: values that were above ICB_HIST_LIMIT and were counted as it
 * @origin: the first value; @sum and @square count from it, so that they stay
 *	exact where the values are large and close together
 * @sum: sum of (value - @origin)
 * @square: sum of (value - @origin)^2
 * @least: @min; U64_MAX as long as values are kept as they are
 * @samples: the first values, as they are; its owner's memory
 * @sample: where the next one goes
 * @sample_end: and where none goes any more
 * @bucket: how many values fell into each bucket
 *
 * A difference is below 2^43, so neither sum can overflow in 10^12 values:
 * 2^43 * 2^43 * 2^40 is 2^126.
 *
 * One writer at a time; a reader beside it sees a state that is at most torn
 * between fields.
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
 * icb_hist_index() - the bucket that a value falls into
 * @value: at most ICB_HIST_LIMIT
 *
 * Return: an index below ICB_HIST_BUCKETS, rising with @value.
 */
static inline unsigned int icb_hist_index(u64 value)
{
	unsigned int shift = fls64(value | ((2U << ICB_HIST_SUB_BITS) - 1)) -
			     (ICB_HIST_SUB_BITS + 1);

	return (shift << ICB_HIST_SUB_BITS) + (unsigned int)(value >> shift);
}

/*
 * A new minimum, or a value that is to be kept as it is: so that keeping none
 * costs nothing.
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
 * icb_hist_raise() - a value is above the greatest so far
 * @hist: where to
 * @value: what is to be added; not added yet
 *
 * What is above the limit is above the greatest so far, too.
 *
 * Return: what is to be given to icb_hist_book(): @value, or the limit.
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
 * @hist: where to
 * @value: what, of icb_hist_raise() where it was
 */
static inline void icb_hist_book(struct icb_hist *hist, u64 value)
{
	s64 d;

	/* the first one is below the least, as each one is that is kept */
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
 * @hist: where to
 * @value: what; clipped to ICB_HIST_LIMIT
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
 * icb_hist_kept() - values that were kept as they are
 * @hist: of these
 *
 * Return: how many.
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
