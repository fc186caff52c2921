/* SPDX-License-Identifier: GPL-2.0 */
/* The seeds of the random streams of runs that must not draw the same numbers. */
#ifndef PLAN_SEED_H
#define PLAN_SEED_H

#include "model/params.h"

/* Seeds from that of one repeat of a point to that of the next one. */
#define SEEDS_PER_REPEAT	(2 * ICBENCH_MAX_WORKERS)

/**
 * seed_of() - seed of one of the runs that a point consists of
 * @seed: seed of the point
 * @repeat: index of the repeat
 * @load: true for the load that runs beside the point
 * @worker: index of the worker, less than ICBENCH_MAX_WORKERS
 *
 * Return: the seed; @seed for the first worker of the first repeat.
 */
static inline u64 seed_of(u64 seed, u32 repeat, bool load, u32 worker)
{
	return seed + (u64)repeat * SEEDS_PER_REPEAT +
	       (load ? ICBENCH_MAX_WORKERS : 0) + worker;
}

bool seed_is_drawn_from(const struct icb_params *params);
void seed_load(struct icb_params *load, const struct icb_params *params);
void seed_worker(struct icb_params *params, u32 worker);
void seed_repeat(struct icb_params *params, struct icb_params *load, u32 repeat);

#endif /* PLAN_SEED_H */
