/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Simulated runs whose true percentiles are known. The module's code takes the samples
 * and icbenchctl's code judges them.
 */
#ifndef SIMULATE_H
#define SIMULATE_H

#include "stats/confidence.h"

/**
 * enum sim_kind - dependence between samples
 * @SIM_INDEPENDENT: samples are independent
 * @SIM_AR: autoregressive; the correlation falls to 1 / e in @length samples
 * @SIM_NOISY_AR: as SIM_AR for half of the variance; the other half is noise
 * @SIM_REGIMES: the level changes after @length samples on average; a tenth of the
 *	variance is noise
 * @SIM_TICK: each @length-th sample takes 1.5 times as long
 * @SIM_BURSTS: 1 % of samples takes 1.5 times as long: 1.5 % or 0.5 % of them, at random,
 *	for
 *	@length samples on average
 * @SIM_DRIFT: the level rises by one standard deviation during the run
 * @SIM_QUEUE: wait and service in a queue of exponential arrivals, with a constant service
 *	time, at load @load; in its steady state
 */
enum sim_kind {
	SIM_INDEPENDENT,
	SIM_AR,
	SIM_NOISY_AR,
	SIM_REGIMES,
	SIM_TICK,
	SIM_BURSTS,
	SIM_DRIFT,
	SIM_QUEUE,
};

/**
 * struct sim - kind of runs
 * @kind: enum sim_kind
 * @sigma: standard deviation of a sample's logarithm; the median is 20 us
 * @length: length in samples, see @kind
 * @load: load of a queue
 * @slower: share by which samples take longer; for workers only
 * @samples: samples of a run
 * @timed: true if the number of samples is not known in advance
 * @until: the run ends when bounds are within this number of per cent; 0 for never
 * @sought: percentile for @until, in 1/ICB_BOUNDS_WHOLE; 0 for both
 */
struct sim {
	enum sim_kind kind;
	double sigma;
	double length;
	double load;
	double slower;
	u64 samples;
	bool timed;
	u32 until;
	u32 sought;
};

/**
 * struct sim_count - results of many runs, for one percentile
 * @runs: number of runs
 * @known: runs with an interval
 * @covered: runs in @known whose interval contains the true percentile
 * @dependent: runs whose samples were found to depend on each other
 * @beyond: runs whose interval would have exceeded all samples
 * @steps: runs that reported the percentile to be on a step
 * @reach: mean width of the intervals of @known, per cent
 * @ended: runs that ended because bounds were narrow
 * @ended_covered: runs in @ended whose interval contains the true percentile
 * @ended_wide: runs in @ended whose interval is missing, or wider than requested
 */
struct sim_count {
	unsigned int runs;
	unsigned int known;
	unsigned int covered;
	unsigned int dependent;
	unsigned int beyond;
	unsigned int steps;
	double reach;
	unsigned int ended;
	unsigned int ended_covered;
	unsigned int ended_wide;
};

/* Largest number of workers of a simulated run. */
#define SIM_WORKERS	8

void sim_workers(const struct sim *sim, unsigned int workers, bool alike,
		 unsigned int runs, u64 seed,
		 struct sim_count count[ICB_BATCH_PERCENTILES]);
void sim_many(const struct sim *sim, unsigned int runs, u64 seed,
	      struct sim_count count[ICB_BATCH_PERCENTILES]);

/* Share of correct intervals among all intervals; 1 if there is none. */
static inline double sim_coverage(const struct sim_count *count)
{
	return count->known ? (double)count->covered / count->known : 1;
}

/* Share of runs with a wrong interval among all runs. */
static inline double sim_false(const struct sim_count *count)
{
	return (double)(count->known - count->covered) / count->runs;
}

#endif /* SIMULATE_H */
