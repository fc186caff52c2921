/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reliability of a mean, or of a rate. A run is divided into successive batches. The
 * mean of each batch is stored as dividend and divisor, which are exact sums: two batches
 * are joined by addition.
 */
#ifndef ICB_MEANS_H
#define ICB_MEANS_H

#include "model/engine.h"

/* Number of batches at which pairs of them are joined. */
#define ICB_MEANS	32

/**
 * struct icb_means - the batches of a mean
 * @size: increase of the caller's count in a batch
 * @end: the caller's count at which the present batch is complete
 * @count: number of complete batches
 * @over_before: running total of the dividend when the present batch began
 * @under_before: running total of the divisor when the present batch began
 * @over: dividend of each complete batch
 * @under: divisor of each complete batch
 */
struct icb_means {
	u64 size;
	u64 end;
	u32 count;
	u64 over_before;
	u64 under_before;
	u64 over[ICB_MEANS];
	u64 under[ICB_MEANS];
};

void icb_means_begin(struct icb_means *means, u64 size);
void icb_means_end(struct icb_means *means, u64 over, u64 under);
bool icb_means_plausible(const struct icb_means *means, u64 over, u64 under);

#endif /* ICB_MEANS_H */
