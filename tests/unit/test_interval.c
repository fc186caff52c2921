// SPDX-License-Identifier: GPL-2.0
/*
 * Coverage of the interval of a mean or a rate. Synthetic runs go through the module's
 * batches and icbenchctl's interval.
 */
#include <math.h>

#include "model/random.h"
#include "model/sizes.h"
#include "stats/interval.h"
#include "unit.h"

#define RUNS	500
/* Number of samples until an initially empty queue is in its steady state. */
#define SETTLED	20000
#define STALL_SAMPLES	10000
/* Where an interval is printed in fewer runs than this, these are too few to judge. */
#define PRINTED_SELDOM	0.03
/* Such a kind may have a false interval in this share of all runs. */
#define FALSE_MOST	0.01

struct source {
	u64 seed;
	u64 place;
	double state;
	double left;
};

/* Random number between 0 and 1, both excluded. */
static double uniform(struct source *source)
{
	return (icb_random_at((struct icb_random){ source->seed }, ++source->place) + 0.5) / 4294967296.0;
}

static double normal(struct source *source)
{
	double r = sqrt(-2 * log(uniform(source)));

	return r * cos(2 * M_PI * uniform(source));
}

/* Lognormal sample with mean 1000. */
static double lognormal(struct source *source, double spread)
{
	return 1000 * exp(spread * normal(source) - spread * spread / 2);
}

static double autoregressive(struct source *source, double phi)
{
	source->state = phi * source->state +
			sqrt(1 - phi * phi) * normal(source);
	return 1000 + 100 * source->state;
}

/* A random level for about @length samples, and then another one. */
static double regimes(struct source *source, double length)
{
	if (source->left-- < 1) {
		source->left = -log(uniform(source)) * length;
		source->state = uniform(source);
	}
	return 900 + 200 * source->state + 10 * normal(source);
}

/* Wait plus service in a queue with service time 1000, at load @rho. */
static double queue(struct source *source, double rho)
{
	double wait = source->state;

	source->state += 1000 + 1000 / rho * log(uniform(source));
	if (source->state < 0)
		source->state = 0;
	return wait + 1000;
}

static double queue_mean(double rho)
{
	return 1000 + rho * 1000 / 2 / (1 - rho);
}

/* A stall of 100 times as long in @expected of 10,000 samples. */
static double stalls(struct source *source, double expected)
{
	double value = lognormal(source, 0.02);

	return uniform(source) < expected / STALL_SAMPLES ? 100000 + value : value;
}

/* Rare stalls, whose length is random with an exponential distribution. */
static double random_stalls(struct source *source, double expected)
{
	double value = lognormal(source, 0.02);

	return uniform(source) < expected / STALL_SAMPLES ?
		value - 100000 * log(uniform(source)) : value;
}

/* Each stall makes the next 20 samples late, too, as in a queue. */
static double long_stalls(struct source *source, double expected)
{
	if (uniform(source) < expected / STALL_SAMPLES)
		source->state += 20 * 1000;
	source->state -= fmin(source->state, 1000);
	return lognormal(source, 0.02) + 20 * source->state;
}

static double stalls_mean(double expected)
{
	return 1000 + 100000 * expected / STALL_SAMPLES;
}

static double long_stalls_mean(double expected)
{
	const double p = expected / STALL_SAMPLES, load = 20 * p;
	/* mean of a queue that receives 20 units with probability p, and serves one */
	const double waiting = (400 * p * (1 - p) - load * (1 - load)) /
			       (2 * (1 - load));

	return 1000 + 20 * 1000 * waiting;
}

/* A number with separators, as the page prints it. */
static const char *thousands(char *buf, unsigned int number)
{
	if (number < 1000)
		sprintf(buf, "%u", number);
	else
		sprintf(buf, "%u,%03u", number / 1000, number % 1000);
	return buf;
}

static double flat(double parameter)
{
	(void)parameter;
	return 1000;
}

/**
 * struct kind - kind of samples
 * @draw: draws the next sample
 * @parameter: parameter of @draw
 * @mean: returns the true mean
 * @samples: samples of a run
 * @batch: samples of the smallest batch
 * @least: least permitted coverage of the intervals
 * @told: least permitted share of runs with an interval
 */
static const struct kind {
	const char *name;
	double (*draw)(struct source *source, double parameter);
	double parameter;
	double (*mean)(double parameter);
	unsigned int samples;
	unsigned int batch;
	double least;
	double told;
} kinds[] = {
	{ "spread of 0.2 %", lognormal, 0.002, flat, 1000, 1, 0.95, 0.9 },
	{ "spread of 5 %", lognormal, 0.05, flat, 100, 1, 0.95, 0.9 },
	{ "spread of 5 %", lognormal, 0.05, flat, 10000, 1, 0.95, 0.9 },
	{ "spread of 60 %", lognormal, 0.6, flat, 2000, 1, 0.95, 0.9 },
	{ "phi 0.9", autoregressive, 0.9, flat, 5000, 1, 0.95, 0.9 },
	{ "phi 0.99", autoregressive, 0.99, flat, 20000, 1, 0.95, 0.8 },
	{ "phi 0.999", autoregressive, 0.999, flat, 20000, 1, 0.94, 0.8 },
	{ "regimes of 300", regimes, 300, flat, 10000, 1, 0.95, 0.9 },
	{ "regimes of 300", regimes, 300, flat, 50000, 1, 0.95, 0.8 },
	{ "M/D/1, 0.5", queue, 0.5, queue_mean, 50000, 16, 0.95, 0.9 },
	{ "M/D/1, 0.8", queue, 0.8, queue_mean, 50000, 16, 0.95, 0.9 },
	{ "M/D/1, 0.9", queue, 0.9, queue_mean, 100000, 16, 0.94, 0.9 },
	{ "stalls, 5", stalls, 5, stalls_mean, STALL_SAMPLES, 16, 0.94, 0 },
	{ "stalls, 10", stalls, 10, stalls_mean, STALL_SAMPLES, 16, 0.94, 0 },
	{ "stalls, 20", stalls, 20, stalls_mean, STALL_SAMPLES, 16, 0.94, 0 },
	{ "stalls, 40", stalls, 40, stalls_mean, STALL_SAMPLES, 16, 0.94, 0 },
	{ "stalls, 100", stalls, 100, stalls_mean, STALL_SAMPLES, 16, 0.94, 0 },
	{ "stalls of random length, 10", random_stalls, 10, stalls_mean, STALL_SAMPLES, 16, 0.94, 0 },
	{ "stalls of random length, 100", random_stalls, 100, stalls_mean, STALL_SAMPLES, 16, 0.94, 0 },
	{ "long stalls, 5", long_stalls, 5, long_stalls_mean, STALL_SAMPLES, 16, 0.94, 0 },
	{ "long stalls, 20", long_stalls, 20, long_stalls_mean, STALL_SAMPLES, 16, 0.94, 0 },
};

static void set_batches(struct metric *metric, const struct icb_means *means)
{
	metric->means = means->count;
	memcpy(metric->over, means->over, sizeof(means->over));
	memcpy(metric->under, means->under, sizeof(means->under));
}

/*
 * Make a mean (sum and count of samples), and a rate (count and duration of windows), of the
 * same samples.
 */
static void make(struct metric *mean, struct metric *rate,
		 const struct kind *kind, u64 seed)
{
	struct source source = { .seed = seed };
	struct icb_means means, windows;
	u64 sum = 0, count = 0, value;
	unsigned int i;

	/* use a queue only once it is in its steady state */
	for (i = 0; kind->draw == queue && i < SETTLED; i++)
		kind->draw(&source, kind->parameter);
	icb_means_begin(&means, kind->batch);
	icb_means_begin(&windows, kind->batch);
	icb_hist_reset(mean->hist);
	for (i = 0; i < kind->samples; i++) {
		value = llround(kind->draw(&source, kind->parameter) * 1024);
		icb_hist_add(mean->hist, value);
		sum += value;
		if (++count != means.end)
			continue;
		icb_means_end(&means, sum, count);
		icb_means_end(&windows, count * 64, sum);
	}
	mean->divisor = 1;
	mean->stats.mean = (double)sum / count;
	set_batches(mean, &means);
	rate->divisor = 1000;
	rate->value = llround(64.0 * count / sum * 1e9 * 1000);
	set_batches(rate, &windows);
}

/**
 * struct covered - results of the runs of a kind
 * @told: runs with an interval
 * @held: runs in @told whose interval contains the true value
 */
struct covered {
	unsigned int told;
	unsigned int held;
};

static void judge(struct covered *covered, const struct metric *metric,
		  double truth)
{
	struct interval interval;

	if (interval_find(&interval, metric) != INTERVAL_KNOWN)
		return;
	covered->told++;
	covered->held += interval.low <= truth && truth <= interval.high;
}

/*
 * The intervals that are printed cover. A kind that prints hardly any has too few to tell:
 * then few of all runs have a false one, such as those without a stall.
 */
static bool is_honest(const struct kind *kind, const struct covered *covered)
{
	if (covered->told > PRINTED_SELDOM * RUNS)
		return covered->held >= kind->least * covered->told &&
		       covered->told >= kind->told * RUNS;
	return covered->told - covered->held <= FALSE_MOST * RUNS &&
	       covered->told >= kind->told * RUNS;
}

static void print_covered(const struct covered *covered)
{
	if (covered->told)
		print_message(" %.3f %.3f", (double)covered->told / RUNS,
			      (double)covered->held / covered->told);
	else
		print_message(" %.3f –", 0.0);
}

/* Print a row of the page's table, and check it. */
static void cover(const struct kind *kind)
{
	const double truth = kind->mean(kind->parameter) * 1024;
	struct covered mean = {}, rate = {};
	static struct icb_hist hist;
	char samples[24];
	unsigned int run;

	for (run = 0; run < RUNS; run++) {
		struct metric means = { .hist = &hist }, rates = {};

		make(&means, &rates, kind, 1000003 * run + 17);
		judge(&mean, &means, truth);
		judge(&rate, &rates, 64 / truth * 1e9);
	}
	print_message("# row: %s %s", kind->name,
		      thousands(samples, kind->samples));
	print_covered(&mean);
	print_covered(&rate);
	print_message("\n");
	if (!is_honest(kind, &mean) || !is_honest(kind, &rate))
		fail_msg("%s: covers too little", kind->name);
}

static void test_coverage(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		cover(&kinds[i]);
}

/**
 * struct streams - a stream of messages that differ in size
 * @per_byte: time of a byte, ns
 * @per_message: time of a message, ns, of which half varies
 */
static const struct streams {
	double per_byte;
	double per_message;
} streams[] = {
	{ 1, 0 }, { 1, 50 }, { 1, 2000 }, { 0, 2000 },
};

/* A bandwidth in batches of bytes, as the module makes them from the messages' sizes. */
static double make_sizes(struct metric *metric, const struct streams *stream,
			 u64 seed)
{
	const struct icb_params params = { .seed = seed, .size = 1000,
		.size_dist = ICBENCH_SIZE_DIST_EXPONENTIAL };
	struct source source = { .seed = ~seed };
	u64 bytes = 0, windows = 0, number;
	static struct icb_sizes sizes;
	struct icb_means means;
	double time = 0;
	u32 size;

	icb_sizes_start(&sizes, &params);
	icb_means_begin(&means, 1);
	for (number = 1; number <= 16 * 200; number++) {
		size = icb_sizes_at(&sizes, true, number);
		bytes += size;
		time += size * stream->per_byte +
			stream->per_message * (0.5 + uniform(&source));
		if (number % 16)
			continue;
		if (++windows == means.end)
			icb_means_end(&means, bytes, llround(time));
	}
	metric->divisor = 1000;
	metric->value = llround(bytes / time * 1e9 * 1000);
	metric->means = means.count;
	memcpy(metric->over, means.over, sizeof(means.over));
	memcpy(metric->under, means.under, sizeof(means.under));
	return 1000 / (1000 * stream->per_byte + stream->per_message) * 1e9;
}

/* Bandwidth of messages that differ in size, with the module's sizes. */
static void test_sizes(void **state)
{
	unsigned int told, held, run;
	struct interval interval;
	double truth;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(streams); i++) {
		told = 0;
		held = 0;
		for (run = 0; run < RUNS; run++) {
			struct metric metric = { .name = "bandwidth" };

			truth = make_sizes(&metric, &streams[i],
					   1000003 * run + 17);
			if (interval_find(&interval, &metric) != INTERVAL_KNOWN)
				continue;
			told++;
			/* sizes are whole bytes */
			held += interval.low * 0.9998 <= truth &&
				truth <= interval.high * 1.0002;
		}
		print_message("sizes, %g ns a byte, %g ns a message: %.3f of %.3f\n",
			      streams[i].per_byte, streams[i].per_message,
			      (double)held / told, (double)told / RUNS);
		assert_row(i, held >= 0.94 * told && told >= 0.9 * RUNS);
	}
}

#define WORKERS	3

/*
 * Workers that share a link: each window takes a time of its own, and one that all workers
 * have together; @shared is the part of the variance of the latter.
 */
static bool share(double shared, unsigned int run, bool *held)
{
	struct source source[WORKERS + 1] = {};
	struct metric rate[WORKERS] = {}, sum = { .name = "message_rate",
						   .divisor = 1000 };
	struct metrics metrics[WORKERS];
	const struct metrics *part[WORKERS];
	struct icb_means means[WORKERS];
	double time[WORKERS] = {}, common;
	struct interval interval;
	unsigned int i, n;

	for (i = 0; i <= WORKERS; i++)
		source[i].seed = 7919 * run + 131 * i + 5;
	for (i = 0; i < WORKERS; i++)
		icb_means_begin(&means[i], 1);
	for (n = 1; n <= 500; n++) {
		common = autoregressive(&source[WORKERS], 0.9) - 1000;
		for (i = 0; i < WORKERS; i++) {
			time[i] += 1000 + 300 * i + sqrt(shared) * common +
				   sqrt(1 - shared) * 100 * normal(&source[i]);
			if (n == means[i].end)
				icb_means_end(&means[i], n * 64, llround(time[i] * 1024));
		}
	}
	for (i = 0; i < WORKERS; i++) {
		strcpy(rate[i].name, "message_rate");
		rate[i].divisor = 1000;
		rate[i].value = llround(500 * 64 / (time[i] * 1024) * 1e12);
		rate[i].means = means[i].count;
		memcpy(rate[i].over, means[i].over, sizeof(means[i].over));
		memcpy(rate[i].under, means[i].under, sizeof(means[i].under));
		sum.value += rate[i].value;
		metrics[i] = (struct metrics){ .metric = &rate[i], .count = 1 };
		part[i] = &metrics[i];
	}
	interval_merge(&sum, part, WORKERS);
	common = 64e9 / 1024 * (1.0 / 1000 + 1.0 / 1300 + 1.0 / 1600);
	*held = interval_find(&interval, &sum) == INTERVAL_KNOWN &&
		interval.low <= common && common <= interval.high;
	return sum.reach_batches;
}

/* The sum of workers' rates: covered, however much they depend on each other. */
static void test_workers(void **state)
{
	static const double shared[] = { 0, 0.5, 1 };
	unsigned int told, covered, run;
	bool held;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(shared); i++) {
		told = 0;
		covered = 0;
		for (run = 0; run < RUNS; run++) {
			if (!share(shared[i], run, &held))
				continue;
			told++;
			covered += held;
		}
		print_message("3 workers, %g shared: %.3f of %.3f\n", shared[i],
			      (double)covered / told, (double)told / RUNS);
		assert_row(i, covered >= 0.94 * told && told >= 0.8 * RUNS);
	}
}

/*
 * Two streams in opposite directions. Each window takes a time of its own and one that both
 * have together, @shared of the variance; with @opposite one is fast while the other is slow.
 * The rates are of the steady part, without two windows at each end, in which a window takes
 * half as long.
 */
static bool stream_both(double shared, bool opposite, unsigned int run, bool *held)
{
	enum { BOTH = 2, WINDOWS = 400, EDGE = 2 };
	struct source source[BOTH + 1] = {};
	struct metric list[2 + BOTH] = {};
	struct metrics metrics = { .metric = list, .count = 2 + BOTH };
	struct icb_means means[BOTH];
	double time[BOTH] = {}, from[BOTH], till[BOTH], common, is;
	struct interval interval;
	struct metric *rate;
	unsigned int i, n;

	for (i = 0; i <= BOTH; i++)
		source[i].seed = 7919 * run + 131 * i + 17;
	for (i = 0; i < BOTH; i++)
		icb_means_begin(&means[i], 1);
	for (n = 1; n <= WINDOWS; n++) {
		common = autoregressive(&source[BOTH], 0.9) - 1000;
		for (i = 0; i < BOTH; i++) {
			time[i] += (n <= EDGE || n > WINDOWS - EDGE ? 500 : 1000) +
				   (opposite && i ? -1 : 1) * sqrt(shared) * common +
				   sqrt(1 - shared) * 100 * normal(&source[i]);
			if (n == EDGE)
				from[i] = time[i];
			if (n == WINDOWS - EDGE)
				till[i] = time[i];
			if (n == means[i].end)
				icb_means_end(&means[i], n * 64, llround(time[i] * 1024));
		}
	}
	for (i = 0; i < 2; i++) {
		strcpy(list[i].name, i ? "message_rate" : "bandwidth");
		list[i].divisor = 1000;
	}
	for (i = 0; i < BOTH; i++) {
		rate = &list[2 + i];
		strcpy(rate->name, i ? "peer_message_rate" : "own_message_rate");
		rate->divisor = 1000;
		rate->value = llround((WINDOWS - 2 * EDGE) * 64 /
				      ((till[i] - from[i]) * 1024) * 1e12);
		rate->means = means[i].count;
		memcpy(rate->over, means[i].over, sizeof(means[i].over));
		memcpy(rate->under, means[i].under, sizeof(means[i].under));
		list[1].value += rate->value;
	}
	list[0].value = 100 * list[1].value;
	is = 2 * 100 * 64e9 / 1024 / 1000;
	if (interval_of(&interval, &metrics, "bandwidth") != INTERVAL_KNOWN)
		return false;
	*held = interval.low <= is && is <= interval.high;
	return true;
}

static void test_both_directions(void **state)
{
	static const double shared[] = { 0, 0.5, 1 };
	unsigned int told, covered, run, i;
	bool held;

	(void)state;
	for (i = 0; i < 2 * ARRAY_SIZE(shared); i++) {
		told = 0;
		covered = 0;
		for (run = 0; run < RUNS; run++) {
			if (!stream_both(shared[i / 2], i % 2, run, &held))
				continue;
			told++;
			covered += held;
		}
		print_message("both directions, %g shared, %s: %.3f of %.3f\n",
			      shared[i / 2], i % 2 ? "opposite" : "alike",
			      (double)covered / told, (double)told / RUNS);
		assert_row(i, covered >= 0.94 * told && told >= 0.8 * RUNS);
	}
}

/*
 * Messages that may be lost: the batches are windows of messages that arrived, the rate is of
 * those that arrived in the initiator's time. Messages are lost at random, or in bursts of
 * @burst on average.
 */
static bool lose(double lost, double burst, unsigned int run, bool *held)
{
	enum { SENT = 64 * 400 };
	struct source source = { .seed = 7919 * run + 3 };
	struct source losses = { .seed = 104729 * run + 7 };
	struct metric rate = { .name = "message_rate", .divisor = 1000 };
	struct icb_means means;
	struct interval interval;
	double time = 0, first = 0, is;
	u64 arrived = 0, windows = 0, n;
	bool gone = false;

	icb_means_begin(&means, 1);
	for (n = 0; n < SENT; n++) {
		time += 1000 + 100 * normal(&source);
		if (burst > 1)
			gone = uniform(&losses) < (gone ? 1 - 1 / burst :
						   lost / (1 - lost) / burst);
		else
			gone = uniform(&losses) < lost;
		if (gone)
			continue;
		arrived++;
		if (arrived == 1)
			first = time;
		if (arrived % 64 != 1 || arrived == 1 || ++windows != means.end)
			continue;
		icb_means_end(&means, arrived - 1, llround(time - first));
	}
	rate.value = llround(arrived / time * 1e12);
	rate.means = means.count;
	memcpy(rate.over, means.over, sizeof(means.over));
	memcpy(rate.under, means.under, sizeof(means.under));
	is = (1 - lost) * 1e9 / 1000;
	if (interval_find(&interval, &rate) != INTERVAL_KNOWN)
		return false;
	*held = interval.low <= is && is <= interval.high;
	return true;
}

/* A rate of messages that arrived is covered, losses included. */
static void test_losses(void **state)
{
	static const struct {
		double lost;
		double burst;
	} rows[] = { { 0.001, 1 }, { 0.01, 1 }, { 0.2, 1 }, { 0.01, 5 }, { 0.1, 50 },
		     { 0.5, 20 } };
	unsigned int told, covered, run, i;
	bool held;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		told = 0;
		covered = 0;
		for (run = 0; run < RUNS; run++) {
			if (!lose(rows[i].lost, rows[i].burst, run, &held))
				continue;
			told++;
			covered += held;
		}
		print_message("losses of %g %%, bursts of %g: %.3f of %.3f\n",
			      100 * rows[i].lost, rows[i].burst,
			      (double)covered / told, (double)told / RUNS);
		assert_row(i, covered >= 0.94 * told && told >= 0.5 * RUNS);
	}
}

/* One worker without an interval leaves the sum without one. */
static void test_merge_none(void **state)
{
	struct metric list[2] = {
		{ .name = "bandwidth", .divisor = 1, .value = 100, .means = 8 },
		{ .name = "bandwidth", .divisor = 1, .value = 100, .means = 7 },
	};
	const struct metrics first = { .metric = list, .count = 1 };
	const struct metrics second = { .metric = list + 1, .count = 1 };
	const struct metrics *part[] = { &first, &second };
	struct metric sum = { .name = "bandwidth", .divisor = 1, .value = 200 };
	struct interval interval;
	unsigned int i, j;

	(void)state;
	for (j = 0; j < 2; j++)
		for (i = 0; i < 8; i++) {
			list[j].over[i] = 100 + i % 2;
			list[j].under[i] = 1000000000;
		}
	interval_merge(&sum, part, 2);
	assert_int_equal(interval_find(&interval, &sum), INTERVAL_NONE);
	interval_merge(&sum, part, 1);
	assert_int_equal(interval_find(&interval, &sum), INTERVAL_KNOWN);
	list[1].means = 8;
	interval_merge(&sum, part, 2);
	assert_int_equal(interval_find(&interval, &sum), INTERVAL_KNOWN);
	assert_true(interval.value == 200 && interval.low < 200);
	assert_int_equal(interval.batches, 8);
}

/* A few long samples, or batches, that decide the value leave it without an interval. */
static void test_few(void **state)
{
	static struct icb_hist hist;
	struct metric metric = { .hist = &hist, .divisor = 1, .means = 16 };
	struct metric rate = { .divisor = 1000, .means = 16 };
	struct interval interval;
	unsigned int i, stalls;
	u64 value;

	(void)state;
	for (stalls = 1; stalls <= 64; stalls *= 2) {
		icb_hist_reset(&hist);
		memset(metric.over, 0, sizeof(metric.over));
		for (i = 0; i < 1600; i++) {
			value = 1000 + i % 7 +
				(i % (1600 / stalls) == 7 ? 50000 : 0);
			icb_hist_add(&hist, value);
			metric.over[i / 100] += value;
			metric.under[i / 100] = 100;
		}
		metric.stats.mean = (double)hist.sum / hist.count + hist.origin;
		assert_row(stalls, interval_find(&interval, &metric) ==
			   (stalls < 20 ? INTERVAL_FEW_DECIDE :
					  INTERVAL_KNOWN));
	}
	/* a rate has the batches only: a pause in one of them, and in half of them */
	for (stalls = 1; stalls <= 8; stalls += 7) {
		for (i = 0; i < 16; i++) {
			rate.over[i] = 100;
			rate.under[i] = 1000000 + i % 3 * 100 +
					(i * stalls % 16 < stalls ? 500000 : 0);
		}
		rate.value = llround(1600e12 / (16000000 + stalls * 500000));
		assert_row(stalls, interval_find(&interval, &rate) ==
			   (stalls == 1 ? INTERVAL_FEW_DECIDE :
					  INTERVAL_KNOWN));
	}
	/* a rate with the fewest batches that have an interval: a pause in one batch */
	for (i = 0; i < 8; i++)
		rate.under[i] = 1000000 + (i == 3 ? 500000 : 0);
	rate.means = 8;
	rate.value = llround(800e12 / 8500000);
	assert_int_equal(interval_find(&interval, &rate), INTERVAL_FEW_DECIDE);
}

/* A run that drifts has no interval, and neither has one with too few batches. */
static void test_none(void **state)
{
	static struct icb_hist hist;
	struct metric metric = { .hist = &hist, .divisor = 1, .means = 32 };
	struct interval interval;
	unsigned int i;

	(void)state;
	for (i = 0; i < 32; i++) {
		metric.under[i] = 100;
		metric.over[i] = 100 * (1000 + i);
	}
	metric.stats.mean = 1015.5;
	assert_int_equal(interval_find(&interval, &metric), INTERVAL_DEPENDENT);
	for (i = 0; i < 32; i++)
		metric.over[i] = 100 * (1000 + 31 * (i % 2));
	assert_int_equal(interval_find(&interval, &metric), INTERVAL_KNOWN);
	assert_true(interval.low > 1000 && interval.high < 1031);
	assert_int_equal(interval.batches, 32);
	metric.means = 7;
	assert_int_equal(interval_find(&interval, &metric), INTERVAL_NONE);
	/* without any spread, the width is 0 */
	metric.means = 8;
	for (i = 0; i < 8; i++)
		metric.over[i] = 100 * 500;
	metric.stats.mean = 500;
	assert_int_equal(interval_find(&interval, &metric), INTERVAL_KNOWN);
	assert_true(interval.low == 500 && interval.high == 500);
}

/* The interval of a bandwidth follows from the message rate, unless sizes differ. */
static void test_bandwidth(void **state)
{
	struct metric list[3] = {
		{ .name = "bandwidth", .divisor = 1000, .value = 64000000 },
		{ .name = "message_rate", .divisor = 1000, .value = 1000000,
		  .means = 8 },
		{ .name = "size_mean", .divisor = 1000, .value = 64000 },
	};
	struct metrics metrics = { .metric = list, .count = 2 };
	struct interval rate, bandwidth;
	unsigned int i;

	(void)state;
	for (i = 0; i < 8; i++) {
		list[1].over[i] = 50;
		list[1].under[i] = 50000000 + (i % 2 ? 100000 : -100000);
	}
	assert_int_equal(interval_of(&rate, &metrics, "message_rate"),
			 INTERVAL_KNOWN);
	assert_int_equal(interval_of(&bandwidth, &metrics, "bandwidth"),
			 INTERVAL_KNOWN);
	assert_true(rate.low < 1000 && rate.low > 997 && rate.high < 1003);
	assert_true(fabs(bandwidth.low - 64 * rate.low) < 1e-6);
	assert_true(fabs(bandwidth.high - 64 * rate.high) < 1e-6);
	assert_true(bandwidth.value == 64000);
	metrics.count = 3;
	assert_int_equal(interval_of(&bandwidth, &metrics, "bandwidth"),
			 INTERVAL_NONE);
	assert_int_equal(interval_of(&bandwidth, &metrics, "other"),
			 INTERVAL_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_workers),
		cmocka_unit_test(test_both_directions),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_merge_none),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_bandwidth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
