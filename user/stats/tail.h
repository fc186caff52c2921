/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TAIL_H
#define TAIL_H

#include "model/engine.h"

#define TAIL_CAUSES	11
/* Most tails of a distribution: of all samples, and above two percentiles. */
#define TAIL_MAX	3

/**
 * struct tail_counts - a number of samples for each cause
 * @has: BIT_ULL(ICBENCH_A_TAIL_…) of each known count
 * @by: samples by cause, in the order of tail_causes
 */
struct tail_counts {
	u64 has;
	u64 by[TAIL_CAUSES];
};

/**
 * struct tail - what has disturbed the samples above a percentile
 * @has: BIT_ULL(ICBENCH_A_TAIL_…) of each known count
 * @percentile: hundredths of a percent; 0 for all samples
 * @samples: number of samples above the percentile
 * @by: samples that each cause explains, in the order of tail_causes
 * @unexplained: samples that no known cause explains
 * @present: samples in which each cause occurred
 * @by_length: samples in which each cause would occur by chance, by their length alone
 */
struct tail {
	u64 has;
	u32 percentile;
	u64 samples;
	u64 by[TAIL_CAUSES];
	u64 unexplained;
	struct tail_counts present;
	struct tail_counts by_length;
};

/**
 * struct tail_cause - a possible cause of disturbance
 * @name: name in results
 * @attr: ICBENCH_A_TAIL_…
 */
struct tail_cause {
	const char *name;
	u16 attr;
};

extern const struct tail_cause tail_causes[TAIL_CAUSES];

bool tail_knows(const struct tail *tail, unsigned int cause);
bool tail_names(const struct tail *tail, unsigned int cause);
bool tail_is_sound(const struct tail *tail, u64 count);
void tail_name(const struct tail *tail, char *buf, size_t size);

#endif /* TAIL_H */
