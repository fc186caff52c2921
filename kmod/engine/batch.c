// SPDX-License-Identifier: GPL-2.0
#include "batch.h"

/* Where nobody knows how many samples there will be. */
#define FIRST_SIZE	512
/* Where it is known, into so many. */
#define FIXED_BATCHES	32
#define LEAST_SIZE	64

const u32 icb_batch_percent[ICB_BATCH_PERCENTILES] = {
	[ICB_BATCH_P50] = 50,
	[ICB_BATCH_P99] = 99,
};

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
 * icb_batches_t() - Student's t of a 95 % interval
 * @count: batches, ICB_BATCHES_LEAST to ICB_BATCHES
 *
 * Return: in thousandths.
 */
u32 icb_batches_t(u32 count)
{
	return student[count - ICB_BATCHES_LEAST];
}

/**
 * icb_batches_begin() - no samples yet
 * @batches: which
 * @samples: how many there will be; 0 where that is not known
 * @percent: the interval that is to be reached; 0 for none
 */
void icb_batches_begin(struct icb_batches *batches, u64 samples, u32 percent)
{
	memset(batches, 0, sizeof(*batches));
	batches->percent = percent;
	batches->size = samples && !percent ?
		max_t(u64, div64_u64(samples, FIXED_BATCHES), LEAST_SIZE) :
		FIRST_SIZE;
	batches->end = batches->size;
}

/**
 * icb_batches_tell() - whether batches tell how far a percentile can be trusted
 * @size: samples of each
 * @count: how many there are
 * @percentile: the percentile, per cent
 *
 * Return: true if so.
 */
bool icb_batches_tell(u64 size, u32 count, u32 percentile)
{
	return count >= ICB_BATCHES_LEAST && count <= ICB_BATCHES &&
	       size >= ICB_BATCH_ABOVE * 100 / (100 - percentile);
}

/* Two become one, whose percentile is taken to be the mean of theirs. */
static void join(struct icb_batches *batches)
{
	unsigned int p, i;

	for (p = 0; p < ICB_BATCH_PERCENTILES; p++)
		for (i = 0; i < ICB_BATCHES / 2; i++)
			batches->value[p][i] =
				(batches->value[p][2 * i] +
				 batches->value[p][2 * i + 1]) / 2;
	batches->count = ICB_BATCHES / 2;
	batches->size *= 2;
}

/* The nearest rank, as icb_hist_quantile() has it. */
static u64 rank_of(u64 size, u32 percent)
{
	return div64_u64(size * percent + 99, 100);
}

/* The percentiles of what has come since the last one was complete. */
static void take(struct icb_batches *batches, const struct icb_hist *hist)
{
	unsigned int i, first = icb_hist_index(hist->min), p = 0;
	u64 seen = 0;

	for (i = first; i <= icb_hist_index(hist->max); i++) {
		seen += hist->bucket[i] - batches->before[i];
		batches->before[i] = hist->bucket[i];
		while (p < ICB_BATCH_PERCENTILES &&
		       seen >= rank_of(batches->size, icb_batch_percent[p])) {
			batches->value[p++][batches->count] =
				icb_hist_low(i) +
				(icb_hist_high(i) - icb_hist_low(i)) / 2;
		}
	}
	batches->count++;
}

/*
 * t * sqrt(sum of d^2 / (count * (count - 1))) is at most this part of the
 * percentile; d is measured from that of all samples, so that what is wrong with
 * small batches makes the interval wider. Squared, and without a division: of
 * values below 2^43, each side is below 2^121.
 */
static bool is_narrow(const struct icb_batches *batches, unsigned int p,
		      u64 value)
{
	const u64 t = icb_batches_t(batches->count);
	__uint128_t sum = 0, limit;
	unsigned int i;
	s64 d;

	for (i = 0; i < batches->count; i++) {
		d = (s64)(batches->value[p][i] - value);
		sum += (__uint128_t)((__int128_t)d * d);
	}
	/* t^2 is in millionths: a thousandth of it is enough, rounded up */
	sum *= (t * t + 999) / 1000 * 10000;
	limit = (__uint128_t)value * value;
	limit *= (u64)batches->percent * batches->percent * 1000 *
		 batches->count * (batches->count - 1);
	return sum <= limit;
}

static bool are_narrow(const struct icb_batches *batches,
		       const struct icb_hist *hist)
{
	unsigned int p;

	for (p = 0; p < ICB_BATCH_PERCENTILES; p++)
		if (!icb_batches_tell(batches->size, batches->count,
				      icb_batch_percent[p]) ||
		    !is_narrow(batches, p,
			       icb_hist_quantile(hist, icb_batch_percent[p],
						 100)))
			return false;
	return true;
}

/**
 * icb_batches_end() - a batch is complete
 * @batches: whose @end has come
 * @hist: the distribution, of that many samples
 *
 * Outside of any sample: it goes through the histogram once.
 *
 * Return: true if all intervals are as narrow as they are to be.
 */
bool icb_batches_end(struct icb_batches *batches, const struct icb_hist *hist)
{
	take(batches, hist);
	batches->narrow = batches->percent && are_narrow(batches, hist);
	if (batches->count == ICB_BATCHES)
		join(batches);
	batches->end += batches->size;
	return batches->narrow;
}
