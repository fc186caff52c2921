// SPDX-License-Identifier: GPL-2.0
#include "batch.h"

/* Where nobody knows how many samples there will be. */
#define FIRST_SIZE	512
/* Where it is known, into so many. */
#define FIXED_BATCHES	32
#define LEAST_SIZE	64

/* So that a batch has samples enough to either side of what is sought. */
static u64 first_size(u32 sought)
{
	u32 rarer = min_t(u32, sought, ICB_BOUNDS_WHOLE - sought);

	return max_t(u64, FIRST_SIZE, !rarer ? 0 :
		     ICB_BATCH_ABOVE * ICB_BOUNDS_WHOLE / rarer);
}

/**
 * icb_batches_begin() - no samples yet
 * @batches: which
 * @samples: how many there will be; 0 where that is not known
 * @percent: how far bounds may reach, per cent of their percentile; 0 where nothing
 *	is sought
 * @sought: the percentile whose bounds these are, in 1/ICB_BOUNDS_WHOLE; 0 for the
 *	median and the 99th, each
 */
void icb_batches_begin(struct icb_batches *batches, u64 samples, u32 percent,
		       u32 sought)
{
	memset(batches, 0, sizeof(*batches));
	batches->percent = percent;
	batches->percentile[ICB_BATCH_P50] = 5000;
	batches->percentile[ICB_BATCH_P99] = 9900;
	batches->percentile[ICB_BATCH_SOUGHT] = sought;
	batches->size = samples && !percent ?
		max_t(u64, div64_u64(samples, FIXED_BATCHES), LEAST_SIZE) :
		first_size(sought);
	batches->end = batches->size;
}

/*
 * The mean of the percentiles of two batches; where no sample has such a value, as on a
 * step, the first of them stands for both.
 */
static u64 mean_of(const struct icb_hist *hist, u64 first, u64 second)
{
	u64 mean = (first + second) / 2;

	return hist->bucket[icb_hist_index(mean)] ? mean : first;
}

/* Two become one, whose percentile is taken to be the mean of theirs. */
static void join(struct icb_batches *batches, const struct icb_hist *hist)
{
	unsigned int p, i;
	u64 *value;

	for (p = 0; p < ICB_BATCH_PERCENTILES; p++) {
		value = batches->value[p];
		for (i = 0; i < ICB_BATCHES / 2; i++)
			value[i] = mean_of(hist, value[2 * i],
					   value[2 * i + 1]);
	}
	batches->count = ICB_BATCHES / 2;
	batches->size *= 2;
}

/**
 * struct batch_bucket - the samples of a batch in a bucket
 * @index: the bucket
 * @below: samples of the batch in the buckets below it
 * @count: samples of the batch in it
 */
struct batch_bucket {
	unsigned int index;
	u64 below;
	u64 count;
};

/* The percentiles that lie in a bucket: places in the histogram, and not clamped. */
static void find(struct icb_batches *batches,
		 const struct batch_bucket *bucket)
{
	unsigned int p;
	u64 rank;

	for (p = 0; p < ICB_BATCH_PERCENTILES; p++) {
		rank = max_t(u64, icb_hist_rank(batches->size,
						batches->percentile[p],
						ICB_BOUNDS_WHOLE), 1);
		if (rank > bucket->below &&
		    rank <= bucket->below + bucket->count)
			batches->value[p][batches->count] =
				icb_hist_within(bucket->index,
						rank - bucket->below,
						bucket->count);
	}
}

/* The percentiles of what has come since the last one was complete. */
static void take(struct icb_batches *batches, const struct icb_hist *hist)
{
	struct batch_bucket bucket = { .index = icb_hist_index(hist->min) };
	const unsigned int last = icb_hist_index(hist->max);
	u64 all = 0, before;

	for (; bucket.index <= last; bucket.index++) {
		all += hist->bucket[bucket.index];
		before = bucket.index <= batches->last ?
			batches->below[bucket.index] : batches->taken;
		batches->below[bucket.index] = all;
		bucket.count = all - before - bucket.below;
		if (!bucket.count)
			continue;
		find(batches, &bucket);
		bucket.below += bucket.count;
	}
	batches->taken = all;
	batches->last = last;
	batches->count++;
}

/* No bound is further away than so many per cent of the percentile. */
static bool is_narrow(const struct icb_batches *batches,
		      const struct icb_hist *hist, unsigned int p)
{
	u64 value = icb_hist_quantile(hist, batches->percentile[p],
				      ICB_BOUNDS_WHOLE);
	struct icb_bounds bounds;
	u64 reach;

	icb_bounds_find(&bounds, hist, batches->below, batches->percentile[p],
			batches->value[p], batches->count, batches->size);
	if (bounds.state != ICB_BOUNDS_KNOWN)
		return false;
	reach = max_t(u64, value - bounds.low, bounds.high - value);
	/* values are below 2^43 */
	return reach * 100 <= value * batches->percent;
}

static bool are_narrow(const struct icb_batches *batches,
		       const struct icb_hist *hist)
{
	if (batches->percentile[ICB_BATCH_SOUGHT])
		return is_narrow(batches, hist, ICB_BATCH_SOUGHT);
	return is_narrow(batches, hist, ICB_BATCH_P50) &&
	       is_narrow(batches, hist, ICB_BATCH_P99);
}

/**
 * icb_batches_end() - a batch is complete
 * @batches: whose @end has come
 * @hist: the distribution, of that many samples
 *
 * Outside of any sample: it goes through the histogram once. Who looks at bounds
 * again and again ends when they happen to be narrow: they are looked at after every
 * ICB_BATCHES_LOOK batches only.
 *
 * Return: true if the bounds that are sought are as narrow as they are to be.
 */
bool icb_batches_end(struct icb_batches *batches, const struct icb_hist *hist)
{
	take(batches, hist);
	if (batches->percent && batches->count % ICB_BATCHES_LOOK == 0)
		batches->narrow = are_narrow(batches, hist);
	if (batches->count == ICB_BATCHES)
		join(batches, hist);
	batches->end += batches->size;
	return batches->narrow;
}
