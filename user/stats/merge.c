// SPDX-License-Identifier: GPL-2.0
/*
 * What several runs have measured, as one: runs at the same time, or one after the
 * other. What adds up is added, distributions become that of all their samples. Of the
 * rest, runs at the same time say nothing; runs one after the other have a mean.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "merge.h"

/* Numbers that are of the whole what the sum of its parts is. */
static const char *const sums[] = {
	"bandwidth", "message_rate", "offered_rate", "lost", "peer_lost",
	"unanswered", "foreign", "torn", "delayed", "bytes", "peer_bytes",
};

/* Numbers of one run after the other that add up, beside counts. */
static const char *const amounts[] = {
	"bytes", "elapsed", "peer_bytes", "peer_elapsed",
};

/* And what is of the whole the quotient of two such sums. */
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

/* Of several runs, that of the run with the least. */
static bool is_least(const struct metric *metric)
{
	return ends_in(metric, "_min") || !strcmp(metric->name, "warmup_steady");
}

/* Of several runs, that of the run with the most. */
static bool is_most(const struct metric *metric)
{
	return ends_in(metric, "_max") || !strcmp(metric->name, "warmup_made");
}

/* The longest warm-up, and whether each one got steady: also of runs at the same time. */
static bool is_of_warmup(const struct metric *metric)
{
	return !strncmp(metric->name, "warmup_", strlen("warmup_"));
}

/* Of runs one after the other: how often, and how much in all. */
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
 * @hist: where to, not empty
 * @other: what, not empty
 *
 * As if all values had been added to @hist: exact in every number.
 */
void merge_hist(struct icb_hist *hist, const struct icb_hist *other)
{
	/* unsigned: what cannot be of any values is found by stats_of() */
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

/* What a histogram has is finite; what several have may be more than it counts. */
static bool add_distribution(struct metric *metric, const struct metric *other)
{
	u64 count;

	if (__builtin_add_overflow(metric->hist->count, other->hist->count,
				   &count))
		return false;
	merge_hist(metric->hist, other->hist);
	/* of each by itself, and so of all */
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

/* Samples, batches and tails are those of one run. */
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

/* The sum of one of the numbers of all, of @divisor; 0 where one lacks it. */
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

/* Rounded to the nearest; the least and the greatest stay what they are. */
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

/* A number that does not add up. */
static bool combine(struct metric *metric, const struct metric *first,
		    const struct metrics *const *part, unsigned int parts,
		    bool repeated)
{
	return repeated || is_of_warmup(first) ?
		average(metric, first, part, parts) :
		divide(metric, first, part, parts);
}

/* A run says nothing of these where there were none. */
static bool has_none(const struct metrics *metrics, const char *name)
{
	return !strcmp(name, "torn") ||
	       (!strcmp(name, "foreign") && metrics_find(metrics, "lost"));
}

/*
 * Where one that has measured lacks a number, the sum of the others is none; a
 * distribution that it lacks is empty.
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

/* One of those before has had it, too. */
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

/* What has disturbed the samples of runs one after the other, each above its own percentile. */
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
 * merge_metrics() - what several runs have measured at the same time, as one
 * @all: where to, empty; metrics_free() it
 * @part: what each of them has measured
 * @parts: how many
 *
 * In the order in which the first one has it, and then the others.
 */
void merge_metrics(struct metrics *all, const struct metrics *const *part,
		   unsigned int parts)
{
	merge(all, part, parts, false);
}

/**
 * merge_repeats() - what several runs of the same kind have measured, one after the
 *	other, as one
 * @all: where to, empty; metrics_free() it
 * @part: what each of them has measured
 * @parts: how many
 *
 * Counts and amounts are those of all runs together. Rates, shares and times are the
 * mean of the runs, in which each run counts alike. What is the least or the greatest of
 * a run is that of all runs. In the order of merge_metrics().
 */
void merge_repeats(struct metrics *all, const struct metrics *const *part,
		   unsigned int parts)
{
	merge(all, part, parts, true);
}
