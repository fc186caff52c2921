// SPDX-License-Identifier: GPL-2.0
/* Decodes a metric, whose histogram and samples may be split over several replies. */
#include <netlink/attr.h>

#include "base/alloc.h"
#include "decode.h"
#include "metric_decode.h"
#include "nl.h"
#include "stats/metric.h"

struct bucket {
	u64 has;
	u64 low;
	u64 high;
	u64 count;
};

static const struct field bucket_fields[] = {
	{ FIELD(struct bucket, low, BUCKET_LOW), U64, .needed = true },
	{ FIELD(struct bucket, high, BUCKET_HIGH), U64, .needed = true },
	{ FIELD(struct bucket, count, BUCKET_COUNT), U64, .needed = true },
	{ .name = NULL }
};

static const struct field tail_fields[] = {
	{ FIELD(struct tail, percentile, TAIL_PERCENTILE), U32,
	  .needed = true },
	{ FIELD(struct tail, samples, TAIL_SAMPLES), U64, .needed = true },
	{ FIELD(struct tail, by[0], TAIL_TICK), U64 },
	{ FIELD(struct tail, by[1], TAIL_TIMER), U64 },
	{ FIELD(struct tail, by[2], TAIL_INTERRUPT), U64 },
	{ FIELD(struct tail, by[3], TAIL_IPI), U64 },
	{ FIELD(struct tail, by[4], TAIL_SOFTIRQ), U64 },
	{ FIELD(struct tail, by[5], TAIL_PREEMPTION), U64 },
	{ FIELD(struct tail, by[6], TAIL_MIGRATION), U64 },
	{ FIELD(struct tail, by[7], TAIL_STEAL), U64 },
	{ FIELD(struct tail, by[8], TAIL_RUNQUEUE), U64 },
	{ FIELD(struct tail, by[9], TAIL_NMI), U64 },
	{ FIELD(struct tail, by[10], TAIL_PEER), U64 },
	{ FIELD(struct tail, unexplained, TAIL_UNEXPLAINED), U64,
	  .needed = true },
	{ .name = NULL }
};

/* The causes of tail_fields, as in the nests "present" and "by-length". */
static const struct field counts_fields[] = {
	{ FIELD(struct tail_counts, by[0], TAIL_TICK), U64 },
	{ FIELD(struct tail_counts, by[1], TAIL_TIMER), U64 },
	{ FIELD(struct tail_counts, by[2], TAIL_INTERRUPT), U64 },
	{ FIELD(struct tail_counts, by[3], TAIL_IPI), U64 },
	{ FIELD(struct tail_counts, by[4], TAIL_SOFTIRQ), U64 },
	{ FIELD(struct tail_counts, by[5], TAIL_PREEMPTION), U64 },
	{ FIELD(struct tail_counts, by[6], TAIL_MIGRATION), U64 },
	{ FIELD(struct tail_counts, by[7], TAIL_STEAL), U64 },
	{ FIELD(struct tail_counts, by[8], TAIL_RUNQUEUE), U64 },
	{ FIELD(struct tail_counts, by[9], TAIL_NMI), U64 },
	{ FIELD(struct tail_counts, by[10], TAIL_PEER), U64 },
	{ .name = NULL }
};

struct metric_attrs {
	u64 has;
	char name[64];
	u32 unit;
	u32 kind;
	u64 value;
	u64 count;
	u32 divisor;
	u64 least;
	u64 greatest;
	u64 origin;
	u64 sum_low;
	u64 sum_high;
	u64 square_low;
	u64 square_high;
	u64 kept;
	u64 batch_size;
	u32 batch_percentile;
	u32 narrow;
};

static const struct field moments_fields[] = {
	{ FIELD(struct metric_attrs, name, METRIC_NAME),
	  TEXT(struct metric_attrs, name), .needed = true },
	{ FIELD(struct metric_attrs, unit, METRIC_UNIT), U32 },
	{ FIELD(struct metric_attrs, kind, METRIC_KIND), U32 },
	{ FIELD(struct metric_attrs, value, METRIC_VALUE), U64 },
	{ FIELD(struct metric_attrs, count, METRIC_COUNT), U64 },
	{ FIELD(struct metric_attrs, divisor, METRIC_DIVISOR), U32 },
	{ FIELD(struct metric_attrs, least, METRIC_LEAST), U64 },
	{ FIELD(struct metric_attrs, greatest, METRIC_GREATEST), U64 },
	{ FIELD(struct metric_attrs, origin, METRIC_ORIGIN), U64 },
	{ FIELD(struct metric_attrs, sum_low, METRIC_SUM_LOW), U64 },
	{ FIELD(struct metric_attrs, sum_high, METRIC_SUM_HIGH), U64 },
	{ FIELD(struct metric_attrs, square_low, METRIC_SQUARE_LOW), U64 },
	{ FIELD(struct metric_attrs, square_high, METRIC_SQUARE_HIGH), U64 },
	{ FIELD(struct metric_attrs, kept, METRIC_KEPT), U64 },
	{ FIELD(struct metric_attrs, batch_size, METRIC_BATCH_SIZE), U64 },
	{ FIELD(struct metric_attrs, batch_percentile, METRIC_BATCH_PERCENTILE), U32 },
	{ FIELD(struct metric_attrs, narrow, METRIC_NARROW), U32 },
	{ .name = NULL }
};

#define DISTRIBUTION	(BIT_ULL(ICBENCH_A_METRIC_COUNT) |		\
			 BIT_ULL(ICBENCH_A_METRIC_LEAST) |		\
			 BIT_ULL(ICBENCH_A_METRIC_GREATEST) |		\
			 BIT_ULL(ICBENCH_A_METRIC_ORIGIN) |		\
			 BIT_ULL(ICBENCH_A_METRIC_SUM_LOW) |		\
			 BIT_ULL(ICBENCH_A_METRIC_SUM_HIGH) |		\
			 BIT_ULL(ICBENCH_A_METRIC_SQUARE_LOW) |		\
			 BIT_ULL(ICBENCH_A_METRIC_SQUARE_HIGH))

static int add_bucket(struct metric *metric, const struct bucket *bucket,
		      struct icb_reason *why)
{
	unsigned int index;
	u64 count;

	if (bucket->low > ICB_HIST_LIMIT)
		return decode_refuse(why, "has a bucket out of range");
	index = icb_hist_index(bucket->low);
	if (icb_hist_low(index) != bucket->low ||
	    icb_hist_high(index) != bucket->high ||
	    metric->hist->bucket[index] || !bucket->count ||
	    __builtin_add_overflow(metric->hist->count, bucket->count, &count))
		return decode_refuse(why, "has an impossible bucket");
	icb_hist_merge(metric->hist, index, bucket->count);
	return 0;
}

static int add_buckets(struct metric *metric, struct nlattr *attrs, int len,
		       struct icb_reason *why)
{
	struct nlattr *attr;
	int left, err;

	nla_for_each_attr(attr, attrs, len, left) {
		struct bucket bucket = { 0 };

		if (nla_type(attr) != ICBENCH_A_METRIC_BUCKETS)
			continue;
		if (!metric->hist)
			return decode_refuse(why, "has buckets without a distribution");
		err = decode(&bucket, bucket_fields, nla_data(attr),
			     nla_len(attr), why);
		if (!err)
			err = add_bucket(metric, &bucket, why);
		if (err)
			return err;
	}
	return 0;
}

/* @stats.count is the reported count; metric_finish() compares the histogram with it. */
static void begin_distribution(struct metric *metric,
			       const struct metric_attrs *metric_attrs)
{
	struct icb_hist *hist = alloc_zero(1, sizeof(*hist));

	hist->min = metric_attrs->least;
	hist->max = metric_attrs->greatest;
	hist->origin = metric_attrs->origin;
	hist->sum = (__int128_t)((__uint128_t)metric_attrs->sum_high << 64 |
			       metric_attrs->sum_low);
	hist->square = (__uint128_t)metric_attrs->square_high << 64 |
		       metric_attrs->square_low;
	metric->hist = hist;
	metric->stats.count = metric_attrs->count;
	metric->kept = metric_attrs->kept;
	metric->batch_size = metric_attrs->batch_size;
	metric->batch_percentile = metric_attrs->batch_percentile;
	metric->sought = NL_HAS(metric_attrs, ICBENCH_A_METRIC_NARROW);
	metric->narrow = metric_attrs->narrow;
}

static int begin_metric(struct metrics *metrics, const struct metric_attrs *metric_attrs,
			struct icb_reason *why)
{
	const u64 basics = BIT_ULL(ICBENCH_A_METRIC_UNIT) |
			   BIT_ULL(ICBENCH_A_METRIC_KIND);
	struct metric *metric;

	if ((metric_attrs->has & basics) != basics)
		return decode_refuse(why, "lacks a metric's unit or kind");
	metrics->metric = alloc_grow(metrics->metric, metrics->count,
				     sizeof(*metrics->metric));
	metric = &metrics->metric[metrics->count++];
	snprintf(metric->name, sizeof(metric->name), "%s", metric_attrs->name);
	metric->unit = metric_attrs->unit;
	metric->kind = metric_attrs->kind;
	metric->value = metric_attrs->value;
	metric->divisor = NL_HAS(metric_attrs, ICBENCH_A_METRIC_DIVISOR) ?
		metric_attrs->divisor : 1;
	if (!metric->divisor)
		return decode_refuse(why, "has a divisor of 0");
	if (metric->kind != ICBENCH_METRIC_KIND_DISTRIBUTION) {
		if (!NL_HAS(metric_attrs, ICBENCH_A_METRIC_VALUE))
			return decode_refuse(why, "lacks a metric's value");
		return 0;
	}
	if ((metric_attrs->has & DISTRIBUTION) != DISTRIBUTION)
		return decode_refuse(why, "lacks a distribution's moments");
	if (metric_attrs->kept > metric_attrs->count ||
	    metric_attrs->kept > ICBENCH_MAX_SAMPLES)
		return decode_refuse(why, "has more samples than there can be");
	begin_distribution(metric, metric_attrs);
	return 0;
}

static int add_samples(struct metric *metric, struct nlattr *attrs, int len,
		       struct icb_reason *why)
{
	struct nlattr *attr;
	int left;

	nla_for_each_attr(attr, attrs, len, left) {
		if (nla_type(attr) != ICBENCH_A_METRIC_SAMPLE)
			continue;
		if (metric->samples == metric->kept ||
		    nla_len(attr) != sizeof(u64))
			return decode_refuse(why, "has impossible samples");
		if (!metric->sample)
			metric->sample = alloc_zero(metric->kept,
						    sizeof(*metric->sample));
		metric->sample[metric->samples++] = nla_get_u64(attr);
	}
	return 0;
}

/* Decode an attribute of a tail if it is a nest with one number for each cause. */
static int add_counts(struct tail *tail, struct nlattr *attr,
		      struct icb_reason *why)
{
	struct tail_counts *counts = NULL;

	if (nla_type(attr) == ICBENCH_A_TAIL_PRESENT)
		counts = &tail->present;
	else if (nla_type(attr) == ICBENCH_A_TAIL_BY_LENGTH)
		counts = &tail->by_length;
	return counts ? decode(counts, counts_fields, nla_data(attr),
			       nla_len(attr), why) : 0;
}

static int add_tails(struct metric *metric, struct nlattr *attrs, int len,
		     struct icb_reason *why)
{
	struct nlattr *attr, *inner;
	struct tail *tail;
	int left, inner_left, err;

	nla_for_each_attr(attr, attrs, len, left) {
		if (nla_type(attr) != ICBENCH_A_METRIC_TAIL)
			continue;
		if (!metric->hist || metric->tails == TAIL_MAX)
			return decode_refuse(why, "has impossible tails");
		tail = &metric->tail[metric->tails++];
		err = decode(tail, tail_fields, nla_data(attr), nla_len(attr),
			     why);
		nla_for_each_nested(inner, attr, inner_left)
			if (!err)
				err = add_counts(tail, inner, why);
		if (err)
			return err;
		if (!tail_is_sound(tail, metric->stats.count))
			return decode_refuse(why, "has an impossible tail");
	}
	return 0;
}

static int add_batch(struct metric *metric, unsigned int percentile,
		     unsigned int index, const struct nlattr *attr,
		     struct icb_reason *why)
{
	u64 value;

	if (!metric->hist || !metric->batch_size || index >= ICB_BATCHES ||
	    nla_len(attr) != sizeof(u64))
		return decode_refuse(why, "has impossible batches");
	memcpy(&value, nla_data(attr), sizeof(value));
	if (value > ICB_HIST_LIMIT)
		return decode_refuse(why, "has impossible batches");
	metric->batch[percentile][index] = value;
	return 0;
}

static int add_batches(struct metric *metric, struct nlattr *attrs, int len,
		       struct icb_reason *why)
{
	static const int attrs_of[ICB_BATCH_PERCENTILES] = {
		[ICB_BATCH_P50] = ICBENCH_A_METRIC_BATCH_P50,
		[ICB_BATCH_P99] = ICBENCH_A_METRIC_BATCH_P99,
		[ICB_BATCH_SOUGHT] = ICBENCH_A_METRIC_BATCH_SOUGHT,
	};
	unsigned int count[ICB_BATCH_PERCENTILES] = { 0 }, p;
	struct nlattr *attr;
	int left, err;

	nla_for_each_attr(attr, attrs, len, left)
		for (p = 0; p < ICB_BATCH_PERCENTILES; p++) {
			if (nla_type(attr) != attrs_of[p])
				continue;
			err = add_batch(metric, p, count[p]++, attr, why);
			if (err)
				return err;
		}
	if (count[ICB_BATCH_P50] != count[ICB_BATCH_P99] ||
	    metric->batch_percentile >= ICB_BOUNDS_WHOLE ||
	    count[ICB_BATCH_SOUGHT] != (metric->batch_percentile ?
					count[ICB_BATCH_P50] : 0) ||
	    (count[0] && metric->batch_size >
			 metric->stats.count / count[0]))
		return decode_refuse(why, "has impossible batches");
	metric->batches = count[0];
	return 0;
}

static int add_mean(u64 *value, unsigned int index, const struct nlattr *attr,
		    struct icb_reason *why)
{
	if (index >= ICB_MEANS || nla_len(attr) != sizeof(u64))
		return decode_refuse(why, "has impossible means");
	memcpy(&value[index], nla_data(attr), sizeof(u64));
	return 0;
}

static int add_means(struct metric *metric, struct nlattr *attrs, int len,
		     struct icb_reason *why)
{
	unsigned int over = 0, under = 0, i;
	struct nlattr *attr;
	int left, err = 0;

	nla_for_each_attr(attr, attrs, len, left) {
		if (nla_type(attr) == ICBENCH_A_METRIC_MEAN_OVER)
			err = add_mean(metric->over, over++, attr, why);
		else if (nla_type(attr) == ICBENCH_A_METRIC_MEAN_UNDER)
			err = add_mean(metric->under, under++, attr, why);
		if (err)
			return err;
	}
	for (i = 0; i < under; i++)
		if (!metric->under[i])
			return decode_refuse(why, "has impossible means");
	if (over != under)
		return decode_refuse(why, "has impossible means");
	metric->means = over;
	return 0;
}

/**
 * metric_decode() - decode a metric, or a further part of its histogram or samples
 * @to: struct metrics to which the metric or the part is added
 * @msg: a reply
 * @why: the reason of a refusal
 *
 * Return: 0; -EPROTO with a reason.
 */
int metric_decode(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct metrics *metrics = to;
	struct metric_attrs metric_attrs = { 0 };
	struct nlattr *attrs;
	int len, err;

	attrs = decode_message(msg, &len);
	if (!attrs)
		return decode_refuse(why, "is too short");
	err = decode(&metric_attrs, moments_fields, attrs, len, why);
	if (err)
		return err;
	if (!metrics_find(metrics, metric_attrs.name)) {
		err = begin_metric(metrics, &metric_attrs, why);
		if (!err)
			err = add_tails(metrics_find(metrics, metric_attrs.name),
					attrs, len, why);
		if (!err)
			err = add_batches(metrics_find(metrics, metric_attrs.name),
					  attrs, len, why);
		if (!err)
			err = add_means(metrics_find(metrics, metric_attrs.name),
					attrs, len, why);
		if (err)
			return err;
	}
	err = add_buckets(metrics_find(metrics, metric_attrs.name), attrs, len, why);
	return err ? : add_samples(metrics_find(metrics, metric_attrs.name), attrs,
				   len, why);
}

static bool is_sound(const struct icb_hist *hist)
{
	return hist->min <= hist->max && hist->max <= ICB_HIST_LIMIT &&
	       hist->origin >= hist->min && hist->origin <= hist->max &&
	       hist->bucket[icb_hist_index(hist->min)] &&
	       hist->bucket[icb_hist_index(hist->max)];
}

/**
 * metric_finish() - check a metric whose parts are all decoded, and compute its
 *	statistics
 * @metric: the metric
 * @why: the reason of a refusal
 *
 * Return: 0; -EPROTO with a reason.
 */
int metric_finish(struct metric *metric, struct icb_reason *why)
{
	if (!metric->hist)
		return 0;
	if (metric->hist->count != metric->stats.count)
		return decode_refuse(why, "has a histogram of %s that does not add up",
				     metric->name);
	if (!is_sound(metric->hist) ||
	    stats_of(&metric->stats, metric->hist, metric->divisor))
		return decode_refuse(why, "has impossible moments of %s",
				     metric->name);
	return 0;
}
