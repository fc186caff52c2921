// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of icbench's statistics by simulation, with the shipped code. usage: statistics
 * PART; prints TAP, with tables as comments. Seeds are fixed, so the result is the same
 * wherever doubles follow IEEE 754.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/arrival.h"
#include "model/payload.h"
#include "model/sizes.h"
#include "simulate.h"

/*
 * Least coverage of a 95 % interval; methods that use batches fall short by the
 * difference.
 */
#define COVERAGE	0.94
/* The same where samples depend on each other. */
#define DEPENDENT_COVERAGE	0.94
/* Where an interval is printed in fewer runs than this, these are too few to judge. */
#define PRINTED_SELDOM		0.03
/* Such a case may have a false interval in this share of all runs. */
#define FALSE_MOST		0.01
/* Least coverage where dependent samples decide when a run ends. */
#define UNTIL_COVERAGE		0.90
/* If at most this share of the runs ends, there are too few of these runs to judge. */
#define ENDED_SELDOM		0.05

static unsigned int tests;
static int status;

static void __printf(2, 3) report(bool good, const char *fmt, ...)
{
	va_list args;

	printf("%s %u - ", good ? "ok" : "not ok", ++tests);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	if (!good)
		status = 1;
}

/* A number with separators, as the page prints it. */
static const char *thousands(char *buf, u64 number)
{
	if (number < 1000)
		sprintf(buf, "%u", (unsigned int)number);
	else if (number < 1000000)
		sprintf(buf, "%u,%03u", (unsigned int)(number / 1000),
			(unsigned int)(number % 1000));
	else
		sprintf(buf, "%u,%03u,%03u", (unsigned int)(number / 1000000),
			(unsigned int)(number / 1000 % 1000),
			(unsigned int)(number % 1000));
	return buf;
}

/* Print two cells of a row of the page: a share of all runs, and a share of that share. */
static void print_shares(double share, double covered)
{
	printf(" %.3f ", share);
	if (share > 0)
		printf("%.3f", covered);
	else
		fputs("–", stdout);
}

static const u64 lengths[] = { 10000, 100000, 1000000 };

/* Try each sigma, each length and both percentiles. */
static void part_independent(const unsigned int runs[ARRAY_SIZE(lengths)],
			     bool timed)
{
	static const double sigmas[] = {
		0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1,
	};
	struct sim_count count[ICB_BATCH_PERCENTILES];
	double least = 1, known = 1;
	char samples[24], number[24];
	unsigned int s, n, p;
	struct sim sim;

	for (s = 0; s < ARRAY_SIZE(sigmas); s++) {
		for (n = 0; n < ARRAY_SIZE(lengths); n++) {
			sim = (struct sim){ .sigma = sigmas[s], .timed = timed,
					    .samples = lengths[n] };
			sim_many(&sim, runs[n], s * 10 + n + 1, count);
			/* the page has the runs whose number of samples is known */
			printf("# %s: %.1f %% %s %s", timed ? "by time" : "row",
			       sigmas[s] * 100, thousands(samples, lengths[n]),
			       thousands(number, runs[n]));
			for (p = 0; p <= ICB_BATCH_P99; p++) {
				printf(" %.3f %.2f %%",
				       sim_coverage(&count[p]), count[p].reach);
				least = fmin(least, sim_coverage(&count[p]));
				known = fmin(known, (double)count[p].known /
						    runs[n]);
			}
			putchar('\n');
		}
	}
	report(least >= COVERAGE, "independent%s: every interval covers, %.3f at least",
	       timed ? ", by time" : "", least);
	report(known >= 0.95, "... and is there in %.3f of all runs at least",
	       known);
}

static void test_counted(void)
{
	part_independent((const unsigned int[]){ 8000, 1000, 100 }, false);
}

static void test_timed(void)
{
	part_independent((const unsigned int[]){ 2000, 500, 50 }, true);
}

/**
 * struct dependent - a case of dependent samples
 * @name: name of the case
 * @sim: kind of the runs
 * @runs: number of runs
 * @unseen: where a run has so few changes that it may not show any: share of all runs that
 *	may have a false interval; else 0
 */
struct dependent {
	const char *name;
	struct sim sim;
	unsigned int runs;
	double unseen;
};

#define DEPENDENT(_name, _kind, _sigma, _length, _samples, _runs)	\
	{ (_name), { .kind = SIM_##_kind, .sigma = (_sigma),		\
		     .length = (_length), .samples = (_samples) }, (_runs), 0 }

/*
 * The intervals that are printed cover. A case that prints hardly any has too few to
 * tell: there it is the share of false ones in all runs.
 */
static bool is_honest(const struct sim_count *count, double unseen)
{
	if (unseen > 0)
		return sim_false(count) <= unseen;
	if (count->known > PRINTED_SELDOM * count->runs)
		return sim_coverage(count) >= DEPENDENT_COVERAGE;
	return sim_false(count) <= FALSE_MOST;
}

/* Of runs by iterations and by time, whether all percentiles are as is_honest() asks. */
static bool run_dependent(const struct dependent *one, u64 seed)
{
	struct sim_count count[2][ICB_BATCH_PERCENTILES];
	struct sim sim = one->sim;
	unsigned int timed, p;
	char samples[24];
	bool good = true;

	for (timed = 0; timed < 2; timed++) {
		sim.timed = timed;
		sim_many(&sim, one->runs, seed + timed, count[timed]);
	}
	printf("# row: %s %s", one->name, thousands(samples, sim.samples));
	for (p = 0; p <= ICB_BATCH_P99; p++)
		for (timed = 0; timed < 2; timed++) {
			good &= is_honest(&count[timed][p], one->unseen);
			print_shares((double)count[timed][p].known / one->runs,
				     sim_coverage(&count[timed][p]));
		}
	putchar('\n');
	return good;
}

/*
 * An interval is right or is not printed. A run with only a few changes of a slow process
 * cannot detect it, so each run here has at least ten changes.
 */
static void test_dependent(void)
{
	static const struct dependent table[] = {
		DEPENDENT("AR, length 10", AR, 0.05, 10, 10000, 2000),
		DEPENDENT("AR, length 100", AR, 0.05, 100, 10000, 2000),
		DEPENDENT("AR, length 300", AR, 0.05, 300, 10000, 2000),
		DEPENDENT("AR, length 300, sigma 30 %", AR, 0.3, 300, 10000, 2000),
		DEPENDENT("AR, length 1000", AR, 0.05, 1000, 10000, 2000),
		DEPENDENT("AR, length 1000", AR, 0.05, 1000, 100000, 300),
		DEPENDENT("AR, length 1000", AR, 0.05, 1000, 1000000, 50),
		DEPENDENT("AR and noise, length 100", NOISY_AR, 0.05, 100, 10000, 2000),
		DEPENDENT("AR and noise, length 1000", NOISY_AR, 0.05, 1000, 10000, 2000),
		DEPENDENT("AR and noise, length 1000", NOISY_AR, 0.05, 1000, 100000, 300),
		DEPENDENT("regimes of 300", REGIMES, 0.05, 300, 10000, 2000),
		DEPENDENT("regimes of 300, sigma 30 %", REGIMES, 0.3, 300, 10000, 2000),
		DEPENDENT("regimes of 1000", REGIMES, 0.05, 1000, 10000, 2000),
		DEPENDENT("regimes of 300", REGIMES, 0.05, 300, 100000, 300),
		DEPENDENT("regimes of 3000", REGIMES, 0.05, 3000, 100000, 600),
		DEPENDENT("regimes of 3000", REGIMES, 0.05, 3000, 1000000, 50),
		DEPENDENT("bursts of 1000", BURSTS, 0.05, 1000, 100000, 300),
		DEPENDENT("bursts of 1000", BURSTS, 0.05, 1000, 1000000, 50),
		DEPENDENT("AR, length 1000, sigma 0.2 %", AR, 0.002, 1000, 10000, 2000),
		DEPENDENT("regimes of 3000, sigma 0.2 %", REGIMES, 0.002, 3000, 10000, 2000),
		/* 1 of 28 of these runs has no change at all */
		{ "regimes of 3000, sigma 1 %", { .kind = SIM_REGIMES, .sigma = 0.01,
				       .length = 3000, .samples = 10000 },
		  2000, .unseen = 0.09 },
		{ "regimes of 3000", { .kind = SIM_REGIMES, .sigma = 0.05,
				       .length = 3000, .samples = 10000 },
		  2000, .unseen = 0.06 },
		{ "regimes of 3000, sigma 30 %", { .kind = SIM_REGIMES, .sigma = 0.3,
				       .length = 3000, .samples = 10000 },
		  2000, .unseen = 0.06 },
	};
	const struct dependent *one;
	bool good;

	for (one = table; one < table + ARRAY_SIZE(table); one++) {
		good = run_dependent(one, 2 * (one - table) + 1);
		report(good, "%s, %llu samples: %s", one->name,
		       (unsigned long long)one->sim.samples, one->unseen > 0 ?
		       "false intervals are few" : "intervals that are printed cover");
	}
}

/*
 * The latency of an open loop: operations wait in a queue, so that samples depend on each
 * other. An interval covers, or is not printed.
 */
static void test_queue_percentiles(void)
{
	static const struct {
		double load;
		u64 samples;
		unsigned int runs;
	} table[] = {
		{ 0.5, 10000, 1000 }, { 0.5, 100000, 200 }, { 0.8, 10000, 1000 },
		{ 0.8, 100000, 200 }, { 0.9, 10000, 1000 }, { 0.9, 100000, 200 },
		{ 0.9, 1000000, 50 },
	};
	struct sim_count count[ICB_BATCH_PERCENTILES];
	struct sim sim = { .kind = SIM_QUEUE, .timed = true };
	char samples[24];
	unsigned int i, p;
	bool good;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		sim.load = table[i].load;
		sim.samples = table[i].samples;
		sim_many(&sim, table[i].runs, i + 1, count);
		printf("# row: M/D/1, %g %s", sim.load,
		       thousands(samples, sim.samples));
		for (p = 0, good = true; p <= ICB_BATCH_P99; p++) {
			good &= is_honest(&count[p], 0);
			print_shares((double)count[p].known / count[p].runs,
				     sim_coverage(&count[p]));
		}
		putchar('\n');
		report(good, "queue, load %g, %s samples: intervals of percentiles that are printed cover",
		       sim.load, samples);
	}
}

static void test_drift(void)
{
	const struct sim sim = { .kind = SIM_DRIFT, .sigma = 0.05,
				 .samples = 100000 };
	struct sim_count count[ICB_BATCH_PERCENTILES];

	sim_many(&sim, 200, 1, count);
	report(count[ICB_BATCH_P50].known <= 10,
	       "a drift of a standard deviation: the median has no interval in %u of 200 runs",
	       200 - count[ICB_BATCH_P50].known);
}

/* A tick whose period is a multiple of the sample length, with any phase. */
static void test_tick(void)
{
	struct sim sim = { .kind = SIM_TICK, .sigma = 0.01, .length = 100 };
	struct sim_count count[ICB_BATCH_PERCENTILES], *p99;
	unsigned int n;

	p99 = &count[ICB_BATCH_P99];
	for (n = 0; n < ARRAY_SIZE(lengths) * 2; n++) {
		sim.samples = lengths[n / 2];
		sim.timed = n % 2;
		sim_many(&sim, 100, n + 1, count);
		report(p99->covered >= COVERAGE * p99->known &&
		       p99->steps == p99->runs && p99->known >= 50,
		       "each 100th takes longer, %llu samples%s: p99 has an interval in %u of 100, covers in %u, sits on a step in %u",
		       (unsigned long long)sim.samples,
		       sim.timed ? " by time" : "", p99->known, p99->covered,
		       p99->steps);
	}
	/* far enough from 1 % for this number of samples */
	sim.samples = 1000000;
	for (sim.length = 90; sim.length <= 112; sim.length += 22) {
		sim_many(&sim, 100, sim.length, count);
		report(p99->covered >= COVERAGE * p99->known && !p99->steps &&
		       p99->known >= 50,
		       "each %g-th takes longer: no step, covers in %u of %u",
		       sim.length, p99->covered, p99->known);
	}
}

/* Checking the bounds repeatedly ends a run slightly early, but not visibly so. */
static void test_until(void)
{
	static const struct {
		double sigma;
		u32 percent;
		u32 sought;
		unsigned int runs;
	} table[] = {
		{ 0.05, 1, 0, 500 }, { 0.2, 5, 0, 1000 }, { 0.5, 5, 0, 300 },
		{ 1, 10, 0, 300 }, { 1, 20, 0, 500 }, { 0.2, 2, 5000, 500 },
		{ 0.2, 5, 9990, 300 }, { 0.5, 10, 9000, 500 },
		{ 0.2, 10, 9999, 100 },
	};
	struct sim_count count[ICB_BATCH_PERCENTILES], *last = count;
	struct sim sim = { .samples = 4000000 };
	unsigned int i, p, missed;
	double least;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		sim.sigma = table[i].sigma;
		sim.until = table[i].percent;
		sim.sought = table[i].sought;
		sim_many(&sim, table[i].runs, i + 1, count);
		for (p = sim.sought ? ICB_BATCH_SOUGHT : 0, least = 1, missed = 0;
		     p <= (sim.sought ? ICB_BATCH_SOUGHT : ICB_BATCH_P99); p++) {
			last = &count[p];
			least = fmin(least, sim_coverage(last));
			missed += last->known < last->runs;
			missed += last->ended_wide;
		}
		report(least >= COVERAGE && !missed && last->ended == last->runs,
		       "until %u %%, sigma %g %%, p%g: %u of %u runs ended, each interval covers, %.3f at least",
		       sim.until, sim.sigma * 100,
		       sim.sought ? sim.sought / 100.0 : 50, last->ended,
		       last->runs, least);
	}
}

/*
 * Dependent samples: a run that ends has an interval that covers and is as narrow as
 * requested, or at most ENDED_SELDOM of the runs end. No run ends early because its interval
 * happens to be narrow. The runs that do not end report that the precision was not reached.
 */
static void test_until_dependent(void)
{
	static const struct {
		const char *name;
		struct sim sim;
	} table[] = {
#define UNTIL(_name, _kind, _sigma, _length, _percent, _sought, _samples) \
		{ (_name), { .kind = SIM_##_kind, .sigma = (_sigma),	\
			     .length = (_length), .samples = (_samples), \
			     .until = (_percent), .sought = (_sought) } }
		UNTIL("regimes of 300", REGIMES, 0.05, 300, 2, 5000, 400000),
		UNTIL("regimes of 300", REGIMES, 0.05, 300, 5, 0, 200000),
		UNTIL("regimes of 3000", REGIMES, 0.05, 3000, 5, 5000, 800000),
		UNTIL("regimes of 3000", REGIMES, 0.05, 3000, 5, 0, 200000),
		UNTIL("regimes of 3000, sigma 2 %", REGIMES, 0.02, 3000, 2, 0, 200000),
		UNTIL("regimes of 3000, sigma 30 %", REGIMES, 0.3, 3000, 20, 0, 200000),
		UNTIL("bursts of 300", BURSTS, 0.05, 300, 20, 0, 400000),
		UNTIL("bursts of 1000", BURSTS, 0.05, 1000, 20, 0, 400000),
		UNTIL("bursts of 3000", BURSTS, 0.05, 3000, 5, 0, 200000),
		UNTIL("bursts of 3000", BURSTS, 0.05, 3000, 20, 0, 800000),
		UNTIL("AR, length 1000", AR, 0.05, 1000, 2, 5000, 400000),
#undef UNTIL
	};
	enum { RUNS = 100 };
	struct sim_count count[ICB_BATCH_PERCENTILES], *p;
	unsigned int i, first, wide;
	double covered;
	u32 sought;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		sought = table[i].sim.sought;
		sim_many(&table[i].sim, RUNS, i + 1, count);
		first = sought ? ICB_BATCH_SOUGHT : ICB_BATCH_P50;
		covered = 1;
		wide = 0;
		for (p = count + first;
		     p <= count + (sought ? ICB_BATCH_SOUGHT : ICB_BATCH_P99);
		     p++) {
			wide += p->ended_wide;
			if (p->ended)
				covered = fmin(covered, (double)p->ended_covered /
							p->ended);
		}
		p = count + first;
		printf("# row: %s %s %u %%", table[i].name,
		       sought ? "p50" : "p50, p99", table[i].sim.until);
		print_shares((double)p->ended / RUNS, covered);
		putchar('\n');
		report(!wide && (p->ended > ENDED_SELDOM * RUNS ?
				 covered >= UNTIL_COVERAGE : true),
		       "%s, until %u %%: %u of %u runs ended, intervals are narrow and cover",
		       table[i].name, table[i].sim.until, p->ended, RUNS);
	}
}

/**
 * struct workers - a run of several workers
 * @name: name of the case
 * @kind: enum sim_kind of each worker's samples
 * @length: length in samples, see @kind
 * @sigma: standard deviation of a sample's logarithm, by worker; 0 behind the last worker
 * @slower: share by which samples take longer, by worker
 * @alike: true if the samples of all workers depend on each other
 */
struct workers {
	const char *name;
	enum sim_kind kind;
	double length;
	double sigma[SIM_WORKERS];
	double slower[SIM_WORKERS];
	bool alike;
};

/*
 * Percentiles of all samples of several workers: an interval around those of the workers
 * covers, whether the workers are equal or not, independent or not.
 */
static void test_workers(void)
{
	static const struct workers table[] = {
		{ "2 equal workers", SIM_INDEPENDENT, 0, { 0.2, 0.2 }, {}, false },
		{ "8 equal workers", SIM_INDEPENDENT, 0,
		  { 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2 }, {}, false },
		{ "4 workers, the same samples", SIM_INDEPENDENT, 0, { 0.2, 0.2, 0.2, 0.2 },
		  {}, true },
		{ "one of 4 workers 5 % slower", SIM_INDEPENDENT, 0, { 0.2, 0.2, 0.2, 0.2 },
		  { 0, 0, 0, 0.05 }, false },
		{ "2 workers, one twice as slow", SIM_INDEPENDENT, 0, { 0.05, 0.05 },
		  { 0, 1 }, false },
		{ "2 workers, sigma 5 % and 50 %", SIM_INDEPENDENT, 0, { 0.05, 0.5 }, {},
		  false },
		{ "4 workers, AR, length 100", SIM_AR, 100, { 0.05, 0.05, 0.05, 0.05 }, {},
		  false },
		{ "4 workers, the same AR, length 100", SIM_AR, 100,
		  { 0.05, 0.05, 0.05, 0.05 }, {}, true },
	};
	enum { RUNS = 500, SAMPLES = 10000 };
	struct sim_count count[ICB_BATCH_PERCENTILES];
	struct sim sim[SIM_WORKERS];
	unsigned int i, w, p;
	bool good;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		for (w = 0; w < SIM_WORKERS && table[i].sigma[w] > 0; w++)
			sim[w] = (struct sim){ .kind = table[i].kind,
					       .sigma = table[i].sigma[w],
					       .slower = table[i].slower[w],
					       .length = table[i].length,
					       .samples = SAMPLES };
		sim_workers(sim, w, table[i].alike, RUNS, i + 1, count);
		printf("# row: %s", table[i].name);
		for (p = 0, good = true; p <= ICB_BATCH_P99; p++) {
			good &= is_honest(&count[p], 0);
			print_shares((double)count[p].known / RUNS,
				     sim_coverage(&count[p]));
		}
		putchar('\n');
		report(good, "%s: intervals around those of the workers cover",
		       table[i].name);
	}
}

#define DRAWS	1000000

/* Numbers that are added as floats before they are added as doubles; divides DRAWS. */
#define BLOCK	64
/* Sums that are independent of each other, so that a CPU adds them at the same time. */
#define LANES	8

typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

/* Make the mean 0 and the mean square 1. */
static void standardize(float *x)
{
	double mean = 0, square = 0;
	unsigned int i;

	for (i = 0; i < DRAWS; i++)
		mean += x[i];
	mean /= DRAWS;
	for (i = 0; i < DRAWS; i++)
		square += (x[i] - mean) * (x[i] - mean);
	for (i = 0; i < DRAWS; i++)
		x[i] = (x[i] - mean) / sqrt(square / DRAWS);
}

/*
 * Correlation of two standardized streams, of which @y may begin one number later: the last
 * block is left out.
 */
static double correlation(const float *x, const float *y)
{
	const unsigned int count = DRAWS - BLOCK;
	unsigned int i, j;
	double xy = 0;
	lanes sum;

	for (i = 0; i < count; i += BLOCK) {
		sum = (lanes){};
		for (j = i; j < i + BLOCK; j += LANES)
			sum += *(const lanes *)(x + j) * *(const lanes *)(y + j);
		for (j = 0; j < LANES; j++)
			xy += sum[j];
	}
	return xy / count;
}

/* All streams of random numbers of consecutive seeds, as workers use them. */
static void test_streams(void)
{
	enum { SEEDS = 4, STREAMS = SEEDS * 2 * ICB_RANDOM_USES };
	static float stream[STREAMS][DRAWS];
	struct icb_random random;
	unsigned int a, b, i, pairs = 0;
	double most = 0;

	for (a = 0; a < STREAMS; a++) {
		random = icb_random_of(1 + a / 2 / ICB_RANDOM_USES, a % 2,
				       a / 2 % ICB_RANDOM_USES);
		for (i = 0; i < DRAWS; i++)
			stream[a][i] = icb_random_at(random, i + 1) / 0x1p32;
		standardize(stream[a]);
	}
	for (a = 0; a < STREAMS; a++)
		for (b = 0; b < STREAMS; b++) {
			if (a < b)
				most = fmax(most, fabs(correlation(stream[a],
								   stream[b])));
			most = fmax(most, fabs(correlation(stream[a],
							   stream[b] + 1)));
			pairs++;
		}
	/* the standard error for one pair is 1 / sqrt(DRAWS) */
	report(most < 5 / sqrt(DRAWS), "streams: of %u pairs, the same place and the next, no correlation exceeds %.4f",
	       pairs, most);
}

/* Single-server queue whose service time is 1 ns per byte. */
static void queue(u32 arrival_kind, u32 size_kind, double load, double seen[2])
{
	const u64 count = 10000000;
	struct icb_arrival arrival;
	struct icb_params params;
	double wait = 0, sum = 0, mean = 0, square = 0;
	struct icb_sizes sizes;
	u64 n, last;
	u32 i;

	icb_params_init(&params);
	params.trigger = ICBENCH_TRIGGER_CLOCK;
	params.seed = 1;
	params.size = 100000;
	params.rate = load * 1e9 / params.size;
	params.arrival = arrival_kind;
	params.size_dist = size_kind;
	icb_arrival_start(&arrival, &params, 0, 1000000000);
	icb_sizes_start(&sizes, &params);
	for (n = 1; n <= count; n++) {
		last = arrival.due;
		icb_arrival_next(&arrival);
		wait += sizes.on ? icb_sizes_at(&sizes, true, n) : params.size;
		wait = fmax(0, wait - (arrival.due - last));
		sum += wait;
	}
	seen[0] = sum / count / params.size;
	for (i = 0; i < ICB_SIZES; i++) {
		double size = sizes.on ? sizes.size[i] : params.size;

		mean += size / ICB_SIZES;
		square += size * size / ICB_SIZES;
	}
	/* Pollaczek-Khinchine formula */
	load = params.rate * mean / 1e9;
	seen[1] = load / (1 - load) * square / mean / mean / 2 * mean /
		  params.size;
}

/* With exponential arrivals, the mean wait is known. */
static void test_queues(void)
{
	static const double loads[] = { 0.5, 0.8, 0.9 };
	unsigned int i, kind;
	double seen[2];

	for (kind = ICBENCH_SIZE_DIST_FIXED;
	     kind <= ICBENCH_SIZE_DIST_EXPONENTIAL; kind++)
		for (i = 0; i < ARRAY_SIZE(loads); i++) {
			queue(ICBENCH_ARRIVAL_EXPONENTIAL, kind, loads[i], seen);
			report(fabs(seen[0] / seen[1] - 1) < 0.03,
			       "queue, exponential arrivals, %s sizes, load %g: a mean wait of %.3f services, by the formula %.3f",
			       (const char *const[]){ "fixed", "uniform",
						      "exponential" }[kind],
			       loads[i], seen[0], seen[1]);
		}
	/* it would be less if short gaps came with small messages */
	queue(ICBENCH_ARRIVAL_UNIFORM, ICBENCH_SIZE_DIST_UNIFORM, 0.9, seen);
	report(seen[0] > 2.5 && seen[0] < 3.5,
	       "queue, uniform arrivals and sizes, load 0.9: a mean wait of %.3f services",
	       seen[0]);
}

static const struct part {
	const char *name;
	void (*test[4])(void);
} parts[] = {
	{ "independent", { test_counted } },
	{ "dependent", { test_dependent, test_drift, test_tick,
			  test_queue_percentiles } },
	{ "until", { test_until, test_until_dependent } },
	{ "timed", { test_timed } },
	{ "workers", { test_workers } },
	{ "random", { test_streams, test_queues } },
};

int main(int argc, char **argv)
{
	unsigned int i, t;

	for (i = 0; i < ARRAY_SIZE(parts) && argc == 2; i++) {
		if (strcmp(parts[i].name, argv[1]))
			continue;
		for (t = 0; t < ARRAY_SIZE(parts[i].test); t++)
			if (parts[i].test[t])
				parts[i].test[t]();
		printf("1..%u\n", tests);
		return status;
	}
	fprintf(stderr, "usage: statistics independent|dependent|until|timed|workers|random\n");
	return 2;
}
