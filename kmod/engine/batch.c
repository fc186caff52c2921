// SPDX-License-Identifier: GPL-2.0
#include "batch.h"

/* Smallest first batch if the number of samples is not known before. */
#define FIRST_SIZE	512
/* Number of batches if it is known, and the smallest of these. */
#define FIXED_BATCHES	32
#define LEAST_SIZE	64

/* Size of the first batch: enough samples on either side of the sought percentile. */
static u64 first_size(u32 sought)
{
	u32 rarer = min_t(u32, sought, ICB_BOUNDS_WHOLE - sought);

	return max_t(u64, FIRST_SIZE, !rarer ? 0 :
		     ICB_BATCH_ABOVE * ICB_BOUNDS_WHOLE / rarer);
}

/**
 * icb_batches_begin() - initialize batches
 * @batches: the batches
 * @samples: number of samples that the run will take; 0 if not known
 * @percent: largest distance of the sought bounds from their percentile, per cent of it;
 *	0 if no bounds are sought
 * @sought: percentile whose bounds are sought, in 1/ICB_BOUNDS_WHOLE; 0 for both the
 *	median and the 99th
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
 * The mean of the percentiles of two batches. If no sample has such a value, as on a step
 * of the distribution, the first percentile stands for both.
 */
static u64 mean_of(const struct icb_hist *hist, u64 first, u64 second)
{
	u64 mean = (first + second) / 2;

	return hist->bucket[icb_hist_index(mean)] ? mean : first;
}

/* Join pairs of batches. The mean of two percentiles is taken as that of their pair. */
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
 * @index: index of the bucket
 * @below: number of samples of the batch in the buckets below this one
 * @count: number of samples of the batch in this bucket
 */
struct batch_bucket {
	unsigned int index;
	u64 below;
	u64 count;
};

/* Store the percentiles that lie in a bucket, not clamped to the range of the samples. */
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

/* Find the percentiles of the samples that were added since the last batch. */
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

static void find_bounds(struct icb_bounds *bounds,
			const struct icb_batches *batches,
			const struct icb_hist *hist, unsigned int p)
{
	icb_bounds_find(bounds, hist, batches->below, batches->percentile[p],
			batches->value[p], batches->count, batches->size);
}

/* True if both bounds are within batches->percent per cent of their percentile. */
static bool is_narrow(const struct icb_batches *batches,
		      const struct icb_hist *hist, unsigned int p)
{
	u64 value = icb_hist_quantile(hist, batches->percentile[p],
				      ICB_BOUNDS_WHOLE);
	struct icb_bounds bounds;
	u64 reach;

	find_bounds(&bounds, batches, hist, p);
	if (bounds.state != ICB_BOUNDS_KNOWN)
		return false;
	reach = max_t(u64, value - bounds.low, bounds.high - value);
	/* values are below 2^43, so this does not overflow */
	return reach * 100 <= value * batches->percent;
}

static bool are_narrow(const struct icb_batches *batches,
		       const struct icb_hist *hist)
{
	struct icb_bounds median;

	if (batches->percentile[ICB_BATCH_SOUGHT]) {
		if (!is_narrow(batches, hist, ICB_BATCH_SOUGHT))
			return false;
		/* dependent samples have no bounds at all, see confidence.c */
		find_bounds(&median, batches, hist, ICB_BATCH_P50);
		return median.state != ICB_BOUNDS_DEPENDENT;
	}
	return is_narrow(batches, hist, ICB_BATCH_P50) &&
	       is_narrow(batches, hist, ICB_BATCH_P99);
}

/*
 * Check the bounds. Dependent samples can have narrow bounds by chance, if the run is too
 * short to show their dependence. Therefore a run ends only if it has enough samples, and
 * if every check found narrow bounds while the number of samples doubled.
 */
static bool check(struct icb_batches *batches, const struct icb_hist *hist)
{
	if (!are_narrow(batches, hist)) {
		batches->since = 0;
		return false;
	}
	if (!batches->since)
		batches->since = hist->count;
	return hist->count >= ICB_BATCHES_LEAST_SAMPLES &&
	       hist->count >= ICB_BATCHES_CONFIRM * batches->since;
}

/**
 * icb_batches_end() - complete a batch
 * @batches: the batches
 * @hist: the distribution, with @batches->end samples
 *
 * Called outside of any sample, since it scans the histogram once. Bounds are checked
 * only after every ICB_BATCHES_LOOK batches. A run that checks them all the time would
 * end when they happen to be narrow. Batches are joined before the check, so that a run
 * that ends at this check reports the batches that were checked.
 *
 * Return: true if the sought bounds were checked, are narrow enough, and were narrow enough
 * at all checks while the number of samples doubled.
 */
bool icb_batches_end(struct icb_batches *batches, const struct icb_hist *hist)
{
	take(batches, hist);
	if (batches->count == ICB_BATCHES)
		join(batches, hist);
	batches->end += batches->size;
	return batches->percent && batches->count % ICB_BATCHES_LOOK == 0 &&
	       check(batches, hist);
}

/**
 * icb_batches_over() - check the bounds of a run that has ended
 * @batches: the batches; no more of them may be added
 * @hist: the distribution, with all samples of the run
 *
 * Sets @batches->narrow by the bounds that icbenchctl computes from the result. A run may
 * have ended at a limit, with more samples than the last check has seen.
 */
void icb_batches_over(struct icb_batches *batches, const struct icb_hist *hist)
{
	icb_hist_below(hist, batches->below);
	batches->narrow = batches->percent && are_narrow(batches, hist);
}
