/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs of samples whose true percentiles are known, taken as the module takes them
 * and judged as icbenchctl judges them.
 */
#ifndef SIMULATE_H
#define SIMULATE_H

#include "stats/confidence.h"

/**
 * enum sim_kind - what samples depend on
 * @SIM_INDEPENDENT: nothing
 * @SIM_AR: each on the one before it; @length is where that has faded to 1 / e
 * @SIM_NOISY_AR: half of their variance is that, and half is noise
 * @SIM_REGIMES: their level changes, after @length samples in the mean; a tenth of the
 *	variance is noise
 * @SIM_TICK: each @length-th takes half as long again, exactly
 * @SIM_BURSTS: 1 % takes half as long again: 1.5 % and 0.5 % of them in turn, for
 *	@length samples in the mean
 * @SIM_DRIFT: their level rises by a standard deviation in the run
 */
enum sim_kind {
	SIM_INDEPENDENT,
	SIM_AR,
	SIM_NOISY_AR,
	SIM_REGIMES,
	SIM_TICK,
	SIM_BURSTS,
	SIM_DRIFT,
};

/**
 * struct sim - a kind of runs
 * @kind: enum sim_kind
 * @sigma: of the logarithm of a sample, whose median is 20 us
 * @length: as @kind says
 * @samples: of a run
 * @timed: the run does not know how many samples it will have
 * @until: it ends when bounds are within so many per cent; 0 where it does not
 * @sought: the percentile that this is for, in 1/ICB_BOUNDS_WHOLE; 0 for both
 */
struct sim {
	enum sim_kind kind;
	double sigma;
	double length;
	u64 samples;
	bool timed;
	u32 until;
	u32 sought;
};

/**
 * struct sim_count - what came of many runs, of one percentile
 * @runs: how many
 * @known: those with an interval
 * @covered: of these, those whose interval has the true percentile in it
 * @dependent: those that were found to be not independent
 * @beyond: those whose interval would have reached beyond all samples
 * @steps: those that said that the percentile sits on a step
 * @reach: of @known, the mean of how far the interval reaches, per cent
 * @ended: those that ended before they had all samples
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
};

void sim_many(const struct sim *sim, unsigned int runs, u64 seed,
	      struct sim_count count[ICB_BATCH_PERCENTILES]);

/* Of those that have an interval; 1 where none has. */
static inline double sim_coverage(const struct sim_count *count)
{
	return count->known ? (double)count->covered / count->known : 1;
}

/* A false interval was printed: the share of all runs. */
static inline double sim_false(const struct sim_count *count)
{
	return (double)(count->known - count->covered) / count->runs;
}

#endif /* SIMULATE_H */
