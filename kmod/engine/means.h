/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far a mean, or a rate, can be trusted: a run in batches, one after the other,
 * and of each batch the two sums that the mean is the quotient of. They are exact:
 * two batches are joined by adding.
 */
#ifndef ICB_MEANS_H
#define ICB_MEANS_H

#include "model/engine.h"

/* Most batches that there are; then each two become one. */
#define ICB_MEANS	32

/**
 * struct icb_means - the batches of a mean
 * @size: by how much the caller's count grows in a batch
 * @end: the caller's count at which the present batch is complete
 * @count: complete batches
 * @over_before: running total of what is divided, when the present batch began
 * @under_before: running total of what it is divided by, likewise
 * @over: of each complete batch, what is divided
 * @under: of each complete batch, what it is divided by
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

#endif /* ICB_MEANS_H */
