/* SPDX-License-Identifier: GPL-2.0 */
/* Runs of streams, for the tests of trigger completion. */
#ifndef STREAMS_H
#define STREAMS_H

#include "check.h"
#include "mode.h"

static struct pair pair;
static struct pair_config config;
static struct icb_params params;

/**
 * struct shape - parameters of a window
 * @window: operations in flight
 * @refill: operations that have to complete before as many are posted
 * @batch: operations posted by one call
 * @signal: operations per signaled completion
 */
static const struct shape {
	u32 window;
	u32 refill;
	u32 batch;
	u32 signal;
} shapes[] = {
	{ 1, 1, 1, 1 },
	{ 2, 1, 1, 1 },
	{ 2, 2, 2, 2 },
	{ 3, 2, 1, 2 },
	{ 5, 4, 3, 4 },
	{ 7, 3, 2, 3 },
	{ 7, 6, 4, 2 },
	{ 10, 5, 5, 1 },
	{ 16, 16, 16, 16 },
	{ 33, 12, 7, 6 },
	{ 64, 48, 64, 16 },
	{ 100, 50, 1, 50 },
	{ 100, 50, 10, 25 },
};

static inline void set_shape(const struct shape *shape)
{
	params.window = shape->window;
	params.refill = params.reply ? shape->window : shape->refill;
	params.batch = min_t(u32, shape->batch, shape->refill);
	params.signal_every = shape->signal;
}

/* Prepare a run, which the caller may then damage. */
static inline void prepare(const struct mode *mode, u64 seed)
{
	mode_params(mode, &params);
	mode_config(mode, seed, &config);
	set_shape(&shapes[seed % ARRAY_SIZE(shapes)]);
	params.iterations = 25;
	params.warmup = 6;
}

static inline void run(const struct mode *mode, const char *what, u64 number)
{
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, check_stream(&pair), what, number);
}

static inline void run_complete(const struct mode *mode, const char *what, u64 number)
{
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, check_stream_complete(&pair), what, number);
}

static inline void expect(const struct mode *mode, bool condition, const char *words,
		   const char *what, u64 number)
{
	mode_expect(&pair, mode, condition ? NULL : words, what, number);
}

#define for_each_stream(mode)						\
	for ((mode) = stream_table; (mode) < stream_table + STREAMS; (mode)++)

#endif /* STREAMS_H */
