// SPDX-License-Identifier: GPL-2.0
/*
 * The method. The bounds of a percentile are the histogram's values at two ranks, which
 * lie at the same distance below and above the rank of the percentile. This distance is
 * the larger of two:
 *
 * - Chance: for independent samples, the number of samples below the percentile has a
 *   binomial distribution.
 * - Batches: each batch of the run has a percentile of its own. The share of all samples
 *   that lie below it differs between batches. These shares vary as the percentile does,
 *   whatever the distribution of the samples is.
 *
 * If the shares of successive batches are correlated, batches are joined. There are no
 * bounds if the correlation is too strong for that, if too few batches would be left, or if
 * the batches differ because of a few changes only. A correlation that may remain makes the
 * bounds wider. The place of a value in its bucket is not known, so each bound is the outer
 * edge of its bucket.
 */
#include "bounds.h"

/* Shares of all samples are in units of 2^-SHARE_BITS. */
#define SHARE_BITS	28

/* Square of the standard normal quantile, two-sided, 95 %; in ten thousandths. */
#define NORMAL_SQUARE	38416
/* Square of the standard normal quantile, one-sided, 95 %; in thousandths. */
#define CORRELATED_SQUARE	2706

/* Joining batches does not remove a correlation above this; in thousandths. */
#define CORRELATED_MOST		500
/*
 * Batches that are SPREAD_FAR are accepted if their correlation plus its standard error is at
 * most this, in thousandths.
 */
#define CORRELATED_CERTAIN	400
/* Upper limit of the correlation that an interval allows for, in thousandths. */
#define CORRELATED_LIMIT	900
/* The estimate of a correlation is too low by about this many times itself / batches. */
#define CORRELATION_BIAS	4
/* Fewer batches of dependent samples are not evidence of a weak correlation. */
#define DEPENDENT_LEAST		16

/* A run with fewer changes of the level does not show how often the level changes. */
#define CHANGES_LEAST		4
/* Standard deviations of independent batches that are a change of the level. */
#define CHANGE_FAR		4
/* Changes are counted if a batch has more samples on either side of its percentile. */
#define CHANGE_ABOVE		30

/* Number of buckets after the first that is few: with it, at most 3 % of a value. */
#define FEW_BUCKETS		3
/* The same number for dependent samples: with the first bucket, at most 1.6 % of a value. */
#define DEPENDENT_BUCKETS	1
/* Share of the samples that may lie below, and above, these buckets; per cent. */
#define DEPENDENT_OUTSIDE	1

/* Student's t, two-sided, 95 %, in thousandths: of 7 degrees of freedom and up. */
static const u16 student[ICB_BATCHES - ICB_BATCHES_LEAST + 1] = {
	2365, 2307, 2263, 2229, 2201, 2179, 2161, 2145,
	2132, 2120, 2110, 2101, 2094, 2086, 2080, 2074,
	2069, 2064, 2060, 2056, 2052, 2049, 2046, 2043,
	2040, 2037, 2035, 2033, 2031, 2029, 2027, 2025,
	2023, 2022, 2020, 2019, 2017, 2016, 2015, 2013,
	2012, 2011, 2010, 2009, 2008, 2007, 2006, 2005,
	2005, 2004, 2003, 2002, 2001, 2001, 2000, 1999,
	1999,
};

/**
 * enum spread - how far the shares of batches spread
 * @SPREAD_INDEPENDENT: as those of independent samples do
 * @SPREAD_WIDE: the variance is twice that and more: samples depend on each other
 * @SPREAD_FAR: and is 1/16 of that of a single sample and more: the dependence may
 *	last for as long as a batch
 */
enum spread {
	SPREAD_INDEPENDENT,
	SPREAD_WIDE,
	SPREAD_FAR,
};

/**
 * struct shares - for each batch, the share of all samples below its percentile
 * @count: number of batches
 * @share: the shares, in units of 2^-SHARE_BITS
 * @shift: number of low bits that distances lose before they are multiplied
 * @square: sum of the squares of the distances of the shares from their mean, in units of
 *	2^-(2 * (SHARE_BITS - @shift))
 * @product: sum of the products of each such distance and the one before it, in the units
 *	of @square
 * @spread: class of the variance of the shares
 */
struct shares {
	u32 count;
	s64 share[ICB_BATCHES];
	unsigned int shift;
	u64 square;
	s64 product;
	enum spread spread;
};

/**
 * icb_batches_t() - get Student's t for a 95 % interval
 * @count: number of batches, ICB_BATCHES_LEAST to ICB_BATCHES
 *
 * Return: t in thousandths.
 */
u32 icb_batches_t(u32 count)
{
	return student[count - ICB_BATCHES_LEAST];
}

/**
 * icb_bounds_supported() - test if batches are sufficient for the bounds of a percentile
 * @size: number of samples of each batch
 * @count: number of batches
 * @percentile: the percentile, in 1/ICB_BOUNDS_WHOLE
 *
 * Return: true if they are.
 */
bool icb_bounds_supported(u64 size, u32 count, u32 percentile)
{
	u32 rarer = min_t(u32, percentile, ICB_BOUNDS_WHOLE - percentile);

	return count >= ICB_BATCHES_LEAST && count <= ICB_BATCHES && rarer &&
	       size >= ICB_BATCH_ABOVE * ICB_BOUNDS_WHOLE / rarer;
}

/*
 * Rank of a value: the number of samples below it, if those in its bucket are spread
 * evenly. A value is a whole number of ns and may cover many ranks. Returns the rank of
 * these that is closest to rank.
 */
static u64 rank_of(const struct icb_hist *hist, const u64 *below, u64 value,
		   u64 rank)
{
	const unsigned int first = icb_hist_index(hist->min);
	const unsigned int last = icb_hist_index(hist->max);
	const unsigned int i = icb_hist_index(value);
	u64 before, width, least, most;

	if (i < first)
		return 0;
	if (i > last)
		return hist->count;
	before = below[i] - hist->bucket[i];
	width = icb_hist_high(i) - icb_hist_low(i) + 1;
	value -= icb_hist_low(i);
	least = before + mul_u64_u64_div_u64(hist->bucket[i], value, width);
	most = before + mul_u64_u64_div_u64(hist->bucket[i], value + 1, width);
	return min_t(u64, max_t(u64, rank, least), most);
}

/* The bucket that contains the sample of a rank; ranks begin at 1. */
static unsigned int bucket_of(const struct icb_hist *hist, const u64 *below,
			      u64 rank)
{
	unsigned int first = icb_hist_index(hist->min);
	unsigned int last = icb_hist_index(hist->max), middle;

	while (first < last) {
		middle = (first + last) / 2;
		if (below[middle] >= rank)
			last = middle;
		else
			first = middle + 1;
	}
	return first;
}

/* Compute the sums of squares and of products, with as many bits as fit. */
static void sum_up(struct shares *shares)
{
	s64 mean = 0, most = 0, d, last = 0;
	unsigned int i;

	for (i = 0; i < shares->count; i++)
		mean += shares->share[i];
	mean /= (s64)shares->count;
	for (i = 0; i < shares->count; i++) {
		d = shares->share[i] - mean;
		most = max_t(s64, most, d < 0 ? -d : d);
	}
	/* distances are reduced to 22 bits, so that products in correlated() fit in 123 bits */
	shares->shift = max_t(int, fls64(most) - 22, 0);
	shares->square = 0;
	shares->product = 0;
	for (i = 0; i < shares->count; i++) {
		d = (shares->share[i] - mean) >> shares->shift;
		shares->square += d * d;
		if (i)
			shares->product += d * last;
		last = d;
	}
}

/*
 * The sum of products, with the bias of a small number of batches removed: distances are
 * taken from the batches' own mean, so independent shares have a correlation of
 * -1 / count.
 */
static s64 dependence(const struct shares *shares)
{
	return shares->product + (s64)(shares->square / shares->count);
}

/* Variance of the share of a single sample: p * (1 - p), in units of 2^-(2 * SHARE_BITS). */
static u64 single_of(u32 percentile)
{
	return (1ULL << (2 * SHARE_BITS)) /
	       (ICB_BOUNDS_WHOLE * ICB_BOUNDS_WHOLE) * percentile *
	       (ICB_BOUNDS_WHOLE - percentile);
}

/*
 * The shares of independent samples have the variance of a single sample, divided by the
 * samples of a batch.
 */
static enum spread spread_of(const struct shares *shares, u32 percentile,
			     u64 size)
{
	u64 variance = (shares->square << (2 * shares->shift)) /
		       (shares->count - 1);
	u64 single = single_of(percentile);

	if (variance / 2 < single / size)
		return SPREAD_INDEPENDENT;
	return variance < single / 16 ? SPREAD_WIDE : SPREAD_FAR;
}

/*
 * True if batches spread further than independent ones do, but because of a few changes of
 * the level only, such as one pause or one change of the clock frequency. The correlation
 * of the batches does not show that. A change is a batch that is far from the mean of all
 * batches since the last change. Between the changes, batches spread as independent ones.
 */
static bool changes_seldom(const struct shares *shares, u32 percentile,
			   u64 size)
{
	const u32 rarer = min_t(u32, percentile, ICB_BOUNDS_WHOLE - percentile);
	const u64 single = single_of(percentile) / size;
	const s64 far = CHANGE_FAR * (s64)int_sqrt64(single);
	u32 changes = 0, since = 0, i;
	u64 square = 0;
	s64 sum = 0, d;

	if (shares->spread == SPREAD_INDEPENDENT ||
	    size * rarer <= CHANGE_ABOVE * ICB_BOUNDS_WHOLE)
		return false;
	for (i = 0; i < shares->count; i++) {
		d = since ? shares->share[i] - sum / (s64)since : 0;
		if (d > far || d < -far) {
			changes++;
			since = 0;
			sum = 0;
		} else {
			square += div64_u64((u64)(d * d) * since, since + 1);
		}
		sum += shares->share[i];
		since++;
	}
	return changes && changes < CHANGES_LEAST &&
	       square / 2 < single * (shares->count - 1 - changes);
}

/* The correlation without the bias of its estimate, in thousandths. */
static s64 unbiased(const struct shares *shares)
{
	if (!shares->square)
		return 0;
	return dependence(shares) * 1000 / (s64)shares->square *
	       (s64)shares->count / (shares->count - CORRELATION_BIAS);
}

/* The standard error of a correlation, in thousandths. */
static s64 error_of(const struct shares *shares)
{
	return 1000 * 1000 / int_sqrt64(1000000ULL * shares->count);
}

/* The correlation exceeds 0 by more than that of independent values in 1 of 20 cases. */
static bool correlated(const struct shares *shares)
{
	s64 product = dependence(shares);
	__uint128_t left, right;

	if (product <= 0)
		return false;
	/* product / square > 1.645 / sqrt(count) */
	left = (__uint128_t)(u64)product * (u64)product * shares->count * 1000;
	right = (__uint128_t)shares->square * shares->square *
		CORRELATED_SQUARE;
	return left > right;
}

/* Join pairs of batches. The first of an odd number is dropped: the start may differ. */
static void join(struct shares *shares)
{
	unsigned int first = shares->count % 2, i;

	shares->count /= 2;
	for (i = 0; i < shares->count; i++)
		shares->share[i] = (shares->share[2 * i + first] +
				    shares->share[2 * i + first + 1]) / 2;
}

/*
 * Distance of the bounds by the batches, in ranks: t * sqrt(square / (count * (count -
 * 1))). It is increased for a correlation that so few batches may not show: one standard
 * error, 1 / sqrt(count), above the correlation that is seen.
 */
static u64 reach_of(const struct shares *shares, u64 samples)
{
	u64 square = shares->square, reach, product;
	s64 most;

	product = max_t(s64, dependence(shares), 0) +
		  square * 1000 / int_sqrt64(1000000ULL * shares->count);
	if (shares->spread != SPREAD_INDEPENDENT) {
		most = max_t(s64, unbiased(shares), 0) +
		       error_of(shares) * 5 / 2;
		product = square / 1000 * min_t(s64, most, CORRELATED_LIMIT);
	}
	square = mul_u64_u64_div_u64(square, square + product,
				     square - product + 1);
	/* 10 more bits for the precision of the root */
	reach = int_sqrt64((square << 10) /
			   (shares->count * (shares->count - 1)));
	reach = reach * icb_batches_t(shares->count) / 1000;
	reach = (reach << shares->shift) >> 5;
	return mul_u64_u64_div_u64(samples, reach, 1ULL << SHARE_BITS) + 1;
}

/* Distance of the bounds by chance, in ranks: for independent samples. */
static u64 chance_of(u64 samples, u32 percentile)
{
	u64 variance = mul_u64_u64_div_u64(samples * NORMAL_SQUARE,
					   percentile *
					   (ICB_BOUNDS_WHOLE - percentile),
					   10000ULL * ICB_BOUNDS_WHOLE *
					   ICB_BOUNDS_WHOLE);

	return int_sqrt64(variance) + 1;
}

/* Find the widest gap without samples between two buckets. */
static void find_step(struct icb_bounds *bounds, const struct icb_hist *hist,
		      unsigned int first, unsigned int last)
{
	unsigned int i, before = first;
	u64 low, high, gap = 0;

	for (i = first + 1; i <= last; i++) {
		if (!hist->bucket[i])
			continue;
		low = icb_hist_high(before);
		high = icb_hist_low(i);
		if (i > before + 1 && high - low > gap) {
			gap = high - low;
			bounds->step_low = low;
			bounds->step_high = high;
		}
		before = i;
	}
	bounds->step = gap && gap * 2 >= bounds->high - bounds->low;
}

/*
 * Set the bounds to the outer edges of the first and of the last bucket. An edge may lie
 * beyond all samples: where a bucket ends there, so may the percentile. If all samples are
 * equal, so are the bounds.
 */
static void find_values(struct icb_bounds *bounds, const struct icb_hist *hist,
			unsigned int first, unsigned int last)
{
	bool equal = hist->min == hist->max;

	bounds->low = equal ? hist->min : icb_hist_low(first);
	bounds->high = equal ? hist->max : icb_hist_high(last);
	find_step(bounds, hist, first, last);
}

/*
 * Widen the bounds to contain the percentiles of all batches; false if they would then
 * span more than a few buckets. Within a few buckets a dependence of the batches does not
 * matter.
 */
static bool embrace(unsigned int *first, unsigned int *last, const u64 *value,
		    u32 count, unsigned int few)
{
	unsigned int least = *first, most = *last, i;

	for (i = 0; i < count; i++) {
		least = min_t(unsigned int, least, icb_hist_index(value[i]));
		most = max_t(unsigned int, most, icb_hist_index(value[i]));
	}
	if (most - least > few)
		return false;
	*first = least;
	*last = most;
	return true;
}

/*
 * Widen the range of buckets, as embrace() does, for batches that are SPREAD_FAR. Such a run
 * has seen few states of a slow process, and the next run may be in another state. Almost all
 * samples must therefore share the few buckets, and the bounds get one more bucket on either
 * side.
 */
static bool embrace_far(unsigned int *first, unsigned int *last,
			const struct icb_hist *hist, const u64 *below,
			const u64 *value, u32 count)
{
	const u64 outside = div64_u64(hist->count * DEPENDENT_OUTSIDE, 100);

	*first = min_t(unsigned int, *first,
		       bucket_of(hist, below, outside + 1));
	*last = max_t(unsigned int, *last,
		      bucket_of(hist, below, hist->count - outside));
	if (!embrace(first, last, value, count, DEPENDENT_BUCKETS))
		return false;
	*first -= min_t(unsigned int, *first, 1);
	*last = min_t(unsigned int, *last + 1, ICB_HIST_BUCKETS - 1);
	return true;
}

/* True if batches are independent, except for the dependence that reach_of() allows for. */
static bool are_independent(const struct shares *shares)
{
	if (shares->spread != SPREAD_FAR)
		return !correlated(shares);
	return shares->count >= DEPENDENT_LEAST &&
	       unbiased(shares) + error_of(shares) <= CORRELATED_CERTAIN;
}

/* Join batches for as long as they are correlated; false where that does not help. */
static bool make_independent(struct icb_bounds *bounds, struct shares *shares,
			     u32 percentile, u64 size)
{
	u32 least;

	for (;;) {
		sum_up(shares);
		shares->spread = spread_of(shares, percentile,
					   size * bounds->joined);
		bounds->batches = shares->count;
		bounds->correlation = !shares->square ? 0 :
			dependence(shares) * 1000 / (s64)shares->square;
		if (bounds->correlation > CORRELATED_MOST ||
		    (shares->spread == SPREAD_FAR &&
		     unbiased(shares) > CORRELATED_CERTAIN))
			return false;
		if (are_independent(shares))
			return !changes_seldom(shares, percentile,
					       size * bounds->joined);
		least = shares->spread == SPREAD_INDEPENDENT ?
			ICB_BATCHES_LEAST : DEPENDENT_LEAST;
		if (shares->count / 2 < least)
			return false;
		join(shares);
		bounds->joined *= 2;
	}
}

/**
 * icb_bounds_find() - find the bounds of a percentile
 * @bounds: the bounds; output
 * @hist: histogram of all samples
 * @below: result of icb_hist_below(); only read from the bucket of the least sample to
 *	that of the greatest
 * @percentile: the percentile, in 1/ICB_BOUNDS_WHOLE
 * @value: percentiles of the batches of the run, in order of time
 * @count: number of batches
 * @size: number of samples of each batch
 *
 * Process context, or any context outside of a sample. Takes some us.
 */
void icb_bounds_find(struct icb_bounds *bounds, const struct icb_hist *hist,
		     const u64 *below, u32 percentile, const u64 *value,
		     u32 count, u64 size)
{
	const u64 rank = icb_hist_rank(hist->count, percentile,
				       ICB_BOUNDS_WHOLE);
	unsigned int first, last;
	struct shares shares;
	u64 reach;
	u32 i;

	memset(bounds, 0, sizeof(*bounds));
	if (!icb_bounds_supported(size, count, percentile) || !hist->count)
		return;
	shares.count = count;
	for (i = 0; i < count; i++)
		shares.share[i] = mul_u64_u64_div_u64(rank_of(hist, below,
							      value[i], rank),
						      1ULL << SHARE_BITS,
						      hist->count);
	bounds->joined = 1;
	bounds->state = ICB_BOUNDS_KNOWN;
	reach = chance_of(hist->count, percentile);
	if (make_independent(bounds, &shares, percentile, size))
		reach = max_t(u64, reach, reach_of(&shares, hist->count));
	else
		bounds->state = ICB_BOUNDS_DEPENDENT;
	if (rank <= reach || rank + reach > hist->count) {
		if (bounds->state == ICB_BOUNDS_KNOWN)
			bounds->state = ICB_BOUNDS_BEYOND;
		return;
	}
	first = bucket_of(hist, below, rank - reach);
	last = bucket_of(hist, below, rank + reach);
	if (bounds->state == ICB_BOUNDS_DEPENDENT &&
	    (shares.spread == SPREAD_FAR ?
	     embrace_far(&first, &last, hist, below, value, count) :
	     embrace(&first, &last, value, count,
		     shares.spread == SPREAD_INDEPENDENT ?
		     FEW_BUCKETS : DEPENDENT_BUCKETS)))
		bounds->state = ICB_BOUNDS_KNOWN;
	find_values(bounds, hist, first, last);
}
