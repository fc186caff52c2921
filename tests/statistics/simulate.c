// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>

#include "model/random.h"
#include "simulate.h"
#include "stats/merge.h"

#define MEDIAN		20000.0
/* Operations until an initially empty queue is in its steady state. */
#define SETTLED		5000
/* Longest wait for which the alternating sum of waits() is exact enough, service times. */
#define MOST_SERVICES	30

/*
 * A normal distribution as a table: the quantile function is linear between 2^16 points.
 * So samples are drawn fast, and their true percentiles are exact.
 */
#define TABLE_BITS	16
#define TABLE_SIZE	(1 << TABLE_BITS)

static double normal[TABLE_SIZE + 1];
static double value[TABLE_SIZE + 1];

/* State of the current run. */
static struct {
	u64 drawn;
	double z;
	double level;
	u64 left;
	u64 phase;
	double wait;
} now;

static u64 word(void)
{
	return icb_random_mix(now.drawn += 0x9e3779b97f4a7c15ULL);
}

/* Random number between 0 and 1, both excluded. */
static double uniform(void)
{
	return ((word() >> 12) + 0.5) / (1ULL << 52);
}

static double draw(const double *table)
{
	const u64 x = word();
	const unsigned int i = x >> (64 - TABLE_BITS);
	const double part = (x << TABLE_BITS >> 32) / 4294967296.0;

	return table[i] + part * (table[i + 1] - table[i]);
}

static double quantile(const double *table, double p)
{
	const unsigned int i = p * TABLE_SIZE;

	return table[i] + (p * TABLE_SIZE - i) * (table[i + 1] - table[i]);
}

/* Quantile of the normal distribution at p, by Newton's method from the median. */
static double normal_quantile(double p)
{
	double z = 0, step;
	int i;

	if (p > 0.5)
		return -normal_quantile(1 - p);
	for (i = 0; i < 60; i++) {
		step = (erfc(-z / M_SQRT2) / 2 - p) /
		       (exp(-z * z / 2) / sqrt(2 * M_PI));
		z -= fmax(fmin(step, 0.5), -0.5);
	}
	return z;
}

static void fill_tables(const struct sim *sim)
{
	static double sigma = -1;
	int i;

	for (i = 0; sigma < 0 && i <= TABLE_SIZE; i++)
		normal[i] = normal_quantile(fmin(fmax(i, 0.25),
						 TABLE_SIZE - 0.25) /
					    TABLE_SIZE);
	for (i = 0; sigma != sim->sigma && i <= TABLE_SIZE; i++)
		value[i] = MEDIAN * exp(sim->sigma * normal[i]);
	sigma = sim->sigma;
}

/* The service time is MEDIAN, and so is the mean time between arrivals at load 1. */
static double queue(const struct sim *sim)
{
	double wait = now.wait;

	now.wait = fmax(0, wait + MEDIAN + MEDIAN / sim->load * log(uniform()));
	return wait + MEDIAN;
}

static void begin(const struct sim *sim, u64 seed)
{
	int i;

	now.drawn = icb_random_mix(seed);
	now.z = draw(normal);
	now.left = 0;
	now.phase = sim->length > 1 ? word() % (u64)sim->length : 0;
	now.wait = 0;
	for (i = 0; sim->kind == SIM_QUEUE && i < SETTLED; i++)
		queue(sim);
}

/* Random number of samples until the level changes; exponential, at least 1. */
static u64 lasting(const struct sim *sim)
{
	return 1 + (u64)(-sim->length * log(uniform()));
}

static double ar(const struct sim *sim)
{
	const double phi = exp(-1 / sim->length);

	now.z = phi * now.z + sqrt(1 - phi * phi) * draw(normal);
	return now.z;
}

static double sample_as(const struct sim *sim, u64 i)
{
	switch (sim->kind) {
	case SIM_AR:
		return MEDIAN * exp(sim->sigma * ar(sim));
	case SIM_NOISY_AR:
		return MEDIAN * exp(sim->sigma * (M_SQRT1_2 * ar(sim) +
						  M_SQRT1_2 * draw(normal)));
	case SIM_REGIMES:
		if (!now.left--) {
			now.left = lasting(sim);
			now.level = draw(normal);
		}
		return MEDIAN * exp(sim->sigma * (sqrt(0.9) * now.level +
						  sqrt(0.1) * draw(normal)));
	case SIM_TICK:
		return draw(value) *
		       ((i + now.phase) % (u64)sim->length ? 1 : 1.5);
	case SIM_BURSTS:
		if (!now.left--) {
			now.left = lasting(sim);
			now.level = word() & 1 ? 0.015 : 0.005;
		}
		return draw(value) * (uniform() < now.level ? 1.5 : 1);
	case SIM_DRIFT:
		return draw(value) * exp(sim->sigma * i / sim->samples);
	case SIM_QUEUE:
		return queue(sim);
	default:
		return draw(value);
	}
}

static double sample(const struct sim *sim, u64 i)
{
	return sample_as(sim, i) * (1 + sim->slower);
}

/*
 * Percentile of samples of which a share (more) takes 1.5 times as long: the value up to
 * which the shares of both distributions add up to p.
 */
static double mixed(const struct sim *sim, double p, double more)
{
	double low = 0, high = 10 * MEDIAN, x, z;
	int i;

	for (i = 0; i < 100; i++) {
		x = (low + high) / 2;
		z = log(x / MEDIAN) / sim->sigma;
		if ((1 - more) * erfc(-z / M_SQRT2) / 2 +
		    more * erfc(-(z - log(1.5) / sim->sigma) / M_SQRT2) / 2 < p)
			low = x;
		else
			high = x;
	}
	return low;
}

/* Share of waits in an M/D/1 queue that are at most @services service times, by Erlang. */
static double waits(double load, double services)
{
	long double sum = 0, term, x;
	int k, i;

	for (k = 0; k <= services; k++) {
		x = load * (k - services);
		term = expl(-x);
		for (i = 1; i <= k; i++)
			term *= x / i;
		sum += term;
	}
	return (1 - load) * sum;
}

static double queue_quantile(double load, double p)
{
	double low = 0, high = MOST_SERVICES, middle;
	int i;

	for (i = 0; i < 60 && waits(load, 0) < p; i++) {
		middle = (low + high) / 2;
		if (waits(load, middle) < p)
			low = middle;
		else
			high = middle;
	}
	return MEDIAN * (1 + low);
}

static double truth(const struct sim *sim, double p)
{
	switch (sim->kind) {
	case SIM_QUEUE:
		return queue_quantile(sim->load, p);
	case SIM_TICK:
		return mixed(sim, p, 1 / sim->length);
	case SIM_BURSTS:
		return mixed(sim, p, 0.01);
	case SIM_AR:
	case SIM_NOISY_AR:
	case SIM_REGIMES:
		return MEDIAN * exp(sim->sigma * normal_quantile(p));
	default:
		return quantile(value, p);
	}
}

/* Take samples as the module does, and hand the result over as icbenchctl reads it. */
static bool take(const struct sim *sim, struct metric *metric)
{
	static struct icb_batches batches;
	bool ended = false;
	u64 i = 0, stop;

	icb_hist_reset(metric->hist);
	icb_batches_begin(&batches, sim->timed ? 0 : sim->samples, sim->until,
			  sim->sought);
	while (i < sim->samples && !ended) {
		stop = min_t(u64, sim->samples, batches.end);
		/* the most frequent kind, without a choice in its loop */
		if (sim->kind == SIM_INDEPENDENT && !(sim->slower > 0))
			for (; i < stop; i++)
				icb_hist_add(metric->hist, (u64)draw(value));
		for (; i < stop; i++)
			icb_hist_add(metric->hist, (u64)sample(sim, i));
		if (i == batches.end)
			ended = icb_batches_end(&batches, metric->hist);
	}
	metric->divisor = 1;
	metric->batch_size = batches.size;
	metric->batches = batches.count;
	metric->batch_percentile = batches.percentile[ICB_BATCH_SOUGHT];
	memcpy(metric->batch, batches.value, sizeof(metric->batch));
	return ended;
}

static void judge(const struct sim *sim, const struct metric *metric,
		  unsigned int p, bool ended, double (*truth)(const struct sim *sim, double p),
		  struct sim_count *count)
{
	struct confidence confidence;
	double is;
	bool covers;

	count->runs++;
	count->ended += ended;
	count->ended_wide += ended;
	if (!confidence_find(&confidence, metric, p))
		return;
	count->dependent += confidence.state == ICB_BOUNDS_DEPENDENT;
	count->steps += confidence.step;
	count->beyond += confidence.state == ICB_BOUNDS_BEYOND;
	if (confidence.state != ICB_BOUNDS_KNOWN)
		return;
	/* samples are whole ns */
	is = floor(truth(sim, confidence.percent / 100));
	covers = confidence.low <= is && is <= confidence.high;
	count->known++;
	count->covered += covers;
	count->ended_covered += ended && covers;
	count->ended_wide -= ended && confidence_percent(&confidence) <= sim->until;
	count->reach += confidence_percent(&confidence);
}

/**
 * sim_many() - simulate runs of a kind
 * @sim: kind of runs
 * @runs: number of runs
 * @seed: seed; another seed gives other runs of the same kind
 * @count: results, for each percentile of a batch
 */
void sim_many(const struct sim *sim, unsigned int runs, u64 seed,
	      struct sim_count count[ICB_BATCH_PERCENTILES])
{
	static struct icb_hist hist;
	struct metric metric = { .hist = &hist };
	unsigned int i, p;
	bool ended;

	memset(count, 0, ICB_BATCH_PERCENTILES * sizeof(*count));
	fill_tables(sim);
	for (i = 0; i < runs; i++) {
		begin(sim, seed << 32 | i);
		ended = take(sim, &metric);
		for (p = 0; p < ICB_BATCH_PERCENTILES; p++)
			judge(sim, &metric, p, ended, truth, &count[p]);
	}
	for (p = 0; p < ICB_BATCH_PERCENTILES; p++)
		if (count[p].known)
			count[p].reach /= count[p].known;
}

/* The workers of the current run, whose samples have lognormal distributions. */
static struct {
	const struct sim *sim;
	unsigned int count;
} all;

/* Percentile of the samples of all workers, which have equally many. */
static double truth_of_all(const struct sim *sim, double p)
{
	double low = 0, high = 100 * MEDIAN, x, share;
	unsigned int i, w;

	(void)sim;
	for (i = 0; i < 100; i++) {
		x = (low + high) / 2;
		share = 0;
		for (w = 0; w < all.count; w++)
			share += erfc(-log(x / MEDIAN / (1 + all.sim[w].slower)) /
				      all.sim[w].sigma / M_SQRT2) / 2 / all.count;
		if (share < p)
			low = x;
		else
			high = x;
	}
	return low;
}

/**
 * sim_workers() - simulate runs of several workers, whose results are merged
 * @sim: kind of each worker's samples; all have the same number of samples
 * @workers: number of workers, at most SIM_WORKERS
 * @alike: true if all workers draw the same numbers, so that they fully depend on each other
 * @runs: number of runs
 * @seed: seed; another seed gives other runs of the same kind
 * @count: results of all samples together, for each percentile of a batch
 */
void sim_workers(const struct sim *sim, unsigned int workers, bool alike,
		 unsigned int runs, u64 seed,
		 struct sim_count count[ICB_BATCH_PERCENTILES])
{
	static struct icb_hist hist[SIM_WORKERS + 1];
	static struct metric metric[SIM_WORKERS + 1];
	struct metrics metrics[SIM_WORKERS];
	const struct metrics *part[SIM_WORKERS];
	struct metric *merged = &metric[workers];
	unsigned int i, w, p;

	memset(count, 0, ICB_BATCH_PERCENTILES * sizeof(*count));
	all.sim = sim;
	all.count = workers;
	for (i = 0; i < runs; i++) {
		memset(metric, 0, sizeof(metric));
		for (w = 0; w <= workers; w++)
			metric[w].hist = &hist[w];
		for (w = 0; w < workers; w++) {
			fill_tables(&sim[w]);
			begin(&sim[w], seed << 32 | (u64)i * SIM_WORKERS | (alike ? 0 : w));
			take(&sim[w], &metric[w]);
			metrics[w] = (struct metrics){ &metric[w], 1 };
			part[w] = &metrics[w];
		}
		hist[workers] = hist[0];
		for (w = 1; w < workers; w++)
			merge_hist(&hist[workers], &hist[w]);
		merged->divisor = 1;
		confidence_merge(merged, part, workers);
		for (p = 0; p < ICB_BATCH_PERCENTILES; p++)
			judge(sim, merged, p, false, truth_of_all, &count[p]);
	}
	for (p = 0; p < ICB_BATCH_PERCENTILES; p++)
		if (count[p].known)
			count[p].reach /= count[p].known;
}
