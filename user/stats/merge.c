// SPDX-License-Identifier: GPL-2.0
/*
 * Merges the results of several runs, concurrent or successive, into one result. Metrics
 * that add up are added, and distributions become the distribution of all samples. Other
 * metrics are left out for concurrent runs, and become the mean of successive runs.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "merge.h"

/* Metrics that add up over concurrent runs. */
static const char *const sums[] = {
	"bandwidth", "message_rate", "own_message_rate",
	"peer_message_rate", "offered_rate", "lost", "peer_lost",
	"unanswered", "foreign", "torn", "delayed", "bytes", "peer_bytes",
};

/* Metrics besides counts that add up over successive runs. */
static const char *const amounts[] = {
	"bytes", "elapsed", "peer_bytes", "peer_elapsed",
};

/* Metrics of concurrent runs that are the quotient of two sums. */
static const struct quotient {
	const char *name;
	const char *over;
	const char *under;
} quotients[] = {
	{ "size_mean", "bandwidth", "message_rate" },
};

static bool adds_up(const struct metric *metric)
{
	unsigned int i;

	if (metric->kind == ICBENCH_METRIC_KIND_DISTURBANCE)
		return true;
	for (i = 0; i < ARRAY_SIZE(sums); i++)
		if (!strcmp(metric->name, sums[i]))
			return true;
	return false;
}

static bool ends_in(const struct metric *metric, const char *end)
{
	const size_t len = strlen(metric->name), least = strlen(end);

	return len >= least && !strcmp(metric->name + len - least, end);
}

/* True if the merged value is the least of the runs' values. */
static bool is_least(const struct metric *metric)
{
	return ends_in(metric, "_min") || !strcmp(metric->name, "warmup_steady");
}

/* True if the merged value is the greatest of the runs' values. */
static bool is_most(const struct metric *metric)
{
	return ends_in(metric, "_max") || !strcmp(metric->name, "warmup_made");
}

/* True for warm-up metrics. average() merges these for concurrent runs, too. */
static bool is_of_warmup(const struct metric *metric)
{
	return !strncmp(metric->name, "warmup_", strlen("warmup_"));
}

/* True if the metric adds up over successive runs. */
static bool accumulates(const struct metric *metric)
{
	unsigned int i;

	if (metric->kind == ICBENCH_METRIC_KIND_DISTURBANCE)
		return true;
	for (i = 0; i < ARRAY_SIZE(amounts); i++)
		if (!strcmp(metric->name, amounts[i]))
			return true;
	return metric->unit == ICBENCH_UNIT_COUNT && metric->divisor == 1 &&
	       !is_least(metric) && !is_most(metric);
}

/**
 * merge_hist() - add a distribution to another one
 * @hist: distribution to add to, not empty
 * @other: distribution to add, not empty
 *
 * The result is as if all values had been added to @hist: every number is exact.
 */
void merge_hist(struct icb_hist *hist, const struct icb_hist *other)
{
	/* unsigned, so that it wraps: stats_of() refuses sums that no values can have */
	const __uint128_t apart = (__uint128_t)(__int128_t)(s64)(other->origin -
								 hist->origin);
	const __uint128_t sum = (__uint128_t)other->sum;
	unsigned int i;

	hist->sum = (__int128_t)((__uint128_t)hist->sum + sum +
				 other->count * apart);
	hist->square += other->square + 2 * apart * sum +
			other->count * (apart * apart);
	hist->min = min_t(u64, hist->min, other->min);
	hist->max = max_t(u64, hist->max, other->max);
	hist->clipped += other->clipped;
	for (i = 0; i < ICB_HIST_BUCKETS; i++)
		if (other->bucket[i])
			icb_hist_merge(hist, i, other->bucket[i]);
}

static bool is_alike(const struct metric *a, const struct metric *b)
{
	return a->unit == b->unit && a->kind == b->kind &&
	       a->divisor == b->divisor && !a->hist == !b->hist;
}

/* Fails if the count of all samples overflows. */
static bool add_distribution(struct metric *metric, const struct metric *other)
{
	u64 count;

	if (__builtin_add_overflow(metric->hist->count, other->hist->count,
				   &count))
		return false;
	merge_hist(metric->hist, other->hist);
	/* the merged intervals are narrow if those of each run are */
	metric->sought |= other->sought;
	metric->narrow &= other->narrow;
	return true;
}

static bool add_part(struct metric *metric, const struct metric *other)
{
	if (!is_alike(metric, other))
		return false;
	return metric->hist ? add_distribution(metric, other) :
	       !__builtin_add_overflow(metric->value, other->value,
				       &metric->value);
}

/* Leaves out samples, batches and tails, which belong to one run. */
static void begin(struct metric *metric, const struct metric *first)
{
	memset(metric, 0, sizeof(*metric));
	memcpy(metric->name, first->name, sizeof(metric->name));
	metric->unit = first->unit;
	metric->kind = first->kind;
	metric->divisor = first->divisor;
	metric->value = first->value;
	metric->sought = first->sought;
	metric->narrow = first->narrow;
	if (!first->hist)
		return;
	metric->hist = alloc_zero(1, sizeof(*metric->hist));
	memcpy(metric->hist, first->hist, sizeof(*metric->hist));
}

/*
 * Returns the sum of a number over all parts that measured anything, and sets @divisor; 0
 * if one of these parts lacks the number.
 */
static __uint128_t sum_of(const struct metrics *const *part,
			  unsigned int parts, const char *name, u64 *divisor)
{
	const struct metric *metric;
	__uint128_t sum = 0;
	unsigned int i;

	for (i = 0; i < parts; i++) {
		if (!metrics_any(part[i]))
			continue;
		metric = metrics_find(part[i], name);
		if (!metric || metric->hist)
			return 0;
		*divisor = metric->divisor;
		sum += metric->value;
	}
	return sum;
}

static bool divide(struct metric *metric, const struct metric *first,
		   const struct metrics *const *part, unsigned int parts)
{
	u64 over_divisor = 1, under_divisor = 1;
	__uint128_t over = 0, under = 0, value;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(quotients); i++) {
		if (strcmp(first->name, quotients[i].name))
			continue;
		over = sum_of(part, parts, quotients[i].over, &over_divisor);
		under = sum_of(part, parts, quotients[i].under, &under_divisor);
	}
	if (first->hist || !over || !under)
		return false;
	if (__builtin_mul_overflow(over, (__uint128_t)under_divisor * first->divisor,
				   &over) ||
	    __builtin_mul_overflow(under, (__uint128_t)over_divisor, &under))
		return false;
	value = over / under;
	if (value > UINT64_MAX)
		return false;
	begin(metric, first);
	metric->value = value;
	return true;
}

/* Takes the mean, rounded to the nearest integer; or the least or the greatest value. */
static bool average(struct metric *metric, const struct metric *first,
		    const struct metrics *const *part, unsigned int parts)
{
	u64 least = U64_MAX, most = 0;
	const struct metric *other;
	unsigned int i, count = 0;
	__uint128_t sum = 0;

	for (i = 0; i < parts; i++) {
		if (!metrics_any(part[i]))
			continue;
		other = metrics_find(part[i], first->name);
		if (!other || !is_alike(first, other))
			return false;
		least = min_t(u64, least, other->value);
		most = max_t(u64, most, other->value);
		sum += other->value;
		count++;
	}
	if (!count)
		return false;
	begin(metric, first);
	metric->value = (u64)((sum + count / 2) / count);
	if (is_least(first))
		metric->value = least;
	else if (is_most(first))
		metric->value = most;
	return true;
}

/* Merges a number that does not add up. */
static bool combine(struct metric *metric, const struct metric *first,
		    const struct metrics *const *part, unsigned int parts,
		    bool repeated)
{
	return repeated || is_of_warmup(first) ?
		average(metric, first, part, parts) :
		divide(metric, first, part, parts);
}

/* True if a run leaves the metric out because its count is 0. */
static bool has_none(const struct metrics *metrics, const char *name)
{
	return !strcmp(name, "torn") ||
	       (!strcmp(name, "foreign") && metrics_find(metrics, "lost"));
}

/*
 * Merges a metric. If a run that measured anything lacks a number, there is no sum. A
 * distribution that a run lacks counts as empty.
 */
static bool make(struct metric *metric, const struct metric *first,
		 const struct metrics *const *part, unsigned int parts,
		 bool repeated)
{
	const struct metric *other;
	bool begun = false;
	unsigned int i;

	if (!first->hist &&
	    !(repeated ? accumulates(first) : adds_up(first)))
		return combine(metric, first, part, parts, repeated);
	for (i = 0; i < parts; i++) {
		other = metrics_find(part[i], first->name);
		if (!other && (first->hist || !metrics_any(part[i]) ||
			       has_none(part[i], first->name)))
			continue;
		if (!other || !begun) {
			if (!other)
				break;
			begin(metric, other);
			begun = true;
		} else if (!add_part(metric, other)) {
			break;
		}
	}
	if (i == parts && begun &&
	    (!metric->hist ||
	     !stats_of(&metric->stats, metric->hist, metric->divisor)))
		return true;
	if (begun)
		free(metric->hist);
	return false;
}

/* True if a part has the metric. */
static bool seen(const struct metrics *const *part, unsigned int parts,
		 const char *name)
{
	unsigned int i;

	for (i = 0; i < parts; i++)
		if (metrics_find(part[i], name))
			return true;
	return false;
}

static void add_tail_counts(struct tail_counts *counts,
			    const struct tail_counts *other)
{
	unsigned int i;

	counts->has &= other->has;
	for (i = 0; i < TAIL_CAUSES; i++)
		counts->by[i] += other->by[i];
}

static void add_tail(struct tail *tail, const struct tail *other)
{
	unsigned int i;

	tail->has &= other->has;
	tail->samples += other->samples;
	tail->unexplained += other->unexplained;
	for (i = 0; i < TAIL_CAUSES; i++)
		tail->by[i] += other->by[i];
	add_tail_counts(&tail->present, &other->present);
	add_tail_counts(&tail->by_length, &other->by_length);
}

static struct tail *find_tail(struct metric *metric, u32 percentile)
{
	unsigned int i;

	for (i = 0; i < metric->tails; i++)
		if (metric->tail[i].percentile == percentile)
			return &metric->tail[i];
	return NULL;
}

/*
 * Adds the tails of successive runs; each run's tail is above the run's own percentile.
 */
static void add_tails(struct metric *metric, const struct metrics *const *part,
		      unsigned int parts)
{
	const struct metric *other;
	struct tail *tail;
	unsigned int i, j;

	for (i = 0; i < parts; i++) {
		other = metrics_find(part[i], metric->name);
		for (j = 0; other && j < other->tails; j++) {
			tail = find_tail(metric, other->tail[j].percentile);
			if (tail)
				add_tail(tail, &other->tail[j]);
			else if (metric->tails < TAIL_MAX)
				metric->tail[metric->tails++] = other->tail[j];
		}
	}
}

static void merge(struct metrics *all, const struct metrics *const *part,
		  unsigned int parts, bool repeated)
{
	struct metric metric;
	unsigned int i, j;

	for (i = 0; i < parts; i++) {
		for (j = 0; j < part[i]->count; j++) {
			if (seen(part, i, part[i]->metric[j].name) ||
			    !make(&metric, &part[i]->metric[j], part, parts,
				  repeated))
				continue;
			if (repeated && metric.hist)
				add_tails(&metric, part, parts);
			all->metric = alloc_grow(all->metric, all->count,
						 sizeof(*all->metric));
			all->metric[all->count++] = metric;
		}
	}
}

/**
 * merge_metrics() - merge the metrics of concurrent runs
 * @all: takes the merged metrics; empty; to be freed by metrics_free()
 * @part: metrics of each run
 * @parts: number of runs
 *
 * The merged metrics are in the order of the first run, followed by those of later runs.
 */
void merge_metrics(struct metrics *all, const struct metrics *const *part,
		   unsigned int parts)
{
	merge(all, part, parts, false);
}

/**
 * merge_repeats() - merge the metrics of successive runs of the same kind
 * @all: takes the merged metrics; empty; to be freed by metrics_free()
 * @part: metrics of each run
 * @parts: number of runs
 *
 * Counts and amounts are sums over all runs. Rates, shares and times are the mean of the
 * runs, with equal weights. A minimum or maximum is that of all runs. The metrics are in
 * the order of merge_metrics().
 */
void merge_repeats(struct metrics *all, const struct metrics *const *part,
		   unsigned int parts)
{
	merge(all, part, parts, true);
}
