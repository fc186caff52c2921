// SPDX-License-Identifier: GPL-2.0
#include "seed.h"

/**
 * seed_is_drawn_from() - check whether a run draws random numbers that affect its results
 * @params: parameters of the run
 *
 * Return: true if it draws the times of its operations or the sizes of its messages.
 */
bool seed_is_drawn_from(const struct icb_params *params)
{
	return params->trigger == ICBENCH_TRIGGER_CLOCK ||
	       params->size_dist != ICBENCH_SIZE_DIST_FIXED;
}

static void set_seed(struct icb_params *params, u64 seed)
{
	params->seed = seed;
	params->given |= BIT_ULL(ICBENCH_A_PARAMS_SEED);
}

/**
 * seed_load() - give a load another seed than the run beside the load
 * @load: parameters of the load
 * @params: parameters of the run
 *
 * A seed that the user gave the load stays.
 */
void seed_load(struct icb_params *load, const struct icb_params *params)
{
	if (!icb_params_given(load, ICBENCH_A_PARAMS_SEED))
		set_seed(load, seed_of(params->seed, 0, true, 0));
}

/**
 * seed_worker() - give a worker another seed than the other workers
 * @params: parameters of the worker, with the seed of the run
 * @worker: index of the worker
 *
 * The first worker keeps the seed, and so does a worker that draws no number.
 */
void seed_worker(struct icb_params *params, u32 worker)
{
	if (worker && seed_is_drawn_from(params))
		set_seed(params, seed_of(params->seed, 0, false, worker));
}

/**
 * seed_repeat() - give a repeat of a point another seed than the other repeats
 * @params: parameters of the run
 * @load: parameters of the load beside the run; may be NULL
 * @repeat: index of the repeat
 *
 * Runs with one seed have one schedule and one sequence of sizes: an interval of their means
 * would lack the variance of these. The first repeat keeps the seed, and so does a run whose
 * seed the user gave. The seed of a load follows that of its run, unless the user gave one.
 */
void seed_repeat(struct icb_params *params, struct icb_params *load, u32 repeat)
{
	const u64 seed = params->seed;

	if (!repeat || icb_params_given(params, ICBENCH_A_PARAMS_SEED))
		return;
	if (seed_is_drawn_from(params))
		set_seed(params, seed_of(seed, repeat, false, 0));
	if (load && seed_is_drawn_from(load) &&
	    load->seed == seed_of(seed, 0, true, 0))
		set_seed(load, seed_of(seed, repeat, true, 0));
}
