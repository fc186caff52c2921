// SPDX-License-Identifier: GPL-2.0
/* Rates of two streams: only the part of the time counts in which both sides stream. */
#include <math.h>

#include "engine/steady.h"
#include "unit.h"
#include "check.h"
#include "mode.h"

static struct pair pair;
static struct pair_config config;
static struct icb_params params;

static double value_of(const struct icb_result *result, const char *name)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		if (!strcmp(result->metric[i].name, name))
			return (double)result->metric[i].value /
			       result->metric[i].divisor;
	return 0;
}

/* The part between the second end and one of the last three. */
static void test_parts(void **state)
{
	struct icb_steady_part part;
	struct icb_steady steady;
	unsigned int i;

	(void)state;
	icb_steady_begin(&steady, 0);
	icb_steady_add(&steady, 1000, 1);
	assert_int_equal(steady.count, 0);
	icb_steady_begin(&steady, 10);
	for (i = 1; i <= 20; i++) {
		/* not yet at the end of a window */
		icb_steady_add(&steady, 11 * i - 2, 100 * i - 1);
		assert_int_equal(steady.count, i - 1);
		icb_steady_add(&steady, 11 * i, 100 * i);
		assert_int_equal(steady.count, i);
		icb_steady_get(&steady, 0, &part);
		assert_int_equal(part.done, i > 2 ? 11 * (i - 2) : 0);
		assert_int_equal(part.ticks, i > 2 ? 100 * (i - 2) : 0);
		assert_int_equal(part.before, i > 2 ? 22 : 0);
		icb_steady_get(&steady, ICB_STEADY_TRAILING, &part);
		assert_int_equal(part.done, i >= ICB_STEADY_LEAST ?
				 11 * (i - 4) : 0);
		assert_int_equal(part.ticks, i >= ICB_STEADY_LEAST ?
				 100 * (i - 4) : 0);
	}
}

/**
 * struct world - what two streams share
 * @name: name of the world
 * @fast: true if the network takes no time, so that the CPU limits the streams
 * @one_thread: true if one thread, and so one CPU, drives both sides
 * @qps: number of QPs
 */
static const struct world {
	const char *name;
	bool fast;
	bool one_thread;
	u32 qps;
} worlds[] = {
	{ "two threads", false, false, 1 },
	{ "one thread", false, true, 1 },
	{ "two threads, 4 QPs", false, false, 4 },
	{ "one thread, 4 QPs", false, true, 4 },
	{ "a fast network, two threads", true, false, 1 },
	{ "a fast network, one thread", true, true, 1 },
	{ "a fast network, two threads, 4 QPs", true, false, 4 },
	{ "a fast network, one thread, 4 QPs", true, true, 4 },
};

static void run_both(const struct world *world, u64 windows, u64 seed)
{
	const struct mode mode = { .name = "both ways",
		.trigger = ICBENCH_TRIGGER_COMPLETION,
		.verb = ICBENCH_VERB_WRITE, .direction = ICBENCH_DIRECTION_BI,
		.one_thread = world->one_thread,
		.completion = ICBENCH_COMPLETION_POLL };

	mode_params(&mode, &params);
	mode_config(&mode, seed, &config);
	config.net.no_log = true;
	config.task.preempt = 0;
	if (world->fast) {
		config.net.delay = 10;
		config.net.jitter = 10;
		config.net.ack_jitter = 10;
	}
	params.window = 16;
	params.refill = 8;
	params.batch = 1;
	params.signal_every = 2;
	params.qps = world->qps;
	params.warmup = 4 * 16 * world->qps;
	params.iterations = windows * 16 * world->qps;
	pair_run(&pair, &params, &config);
	mode_expect(&pair, &mode, pair.complete ? NULL : "was cut short",
		    world->name, windows);
}

/* Messages of both directions per second of the whole measured time, with both edges. */
static double whole(void)
{
	double rate = 0;
	unsigned int i;

	for (i = 0; i < 2; i++)
		rate += pair.run[i].done * 1e9 /
			icb_clock_ns(pair.run[i].ended - pair.run[i].began);
	return rate;
}

/*
 * The rates of short runs, compared with that of a long one, whose edges do not matter.
 * With eight windows they are within 1 %, on average over the seeds, in all worlds. The
 * rates of the whole time are off by several per cent.
 */
static void test_short_runs(void **state)
{
	static const struct {
		u64 windows;
		double most;
	} rows[] = { { 6, 2 }, { 8, 1.5 }, { 16, 1 }, { 64, 0.6 } };
	const struct world *world;
	double steady, edges, of_long, worst = 0;
	struct icb_result result;
	enum { SEEDS = 20 };
	unsigned int i;
	u64 seed;

	(void)state;
	for (world = worlds; world < worlds + ARRAY_SIZE(worlds); world++) {
		run_both(world, 2000 / world->qps, 1);
		of_long = whole();
		for (i = 0; i < ARRAY_SIZE(rows); i++) {
			steady = 0;
			edges = 0;
			for (seed = 0; seed < SEEDS; seed++) {
				run_both(world, rows[i].windows, seed);
				memset(&result, 0, sizeof(result));
				pair.run[0].ops->report(&pair.run[0], &result);
				steady += value_of(&result, "message_rate") / SEEDS;
				edges += whole() / SEEDS;
			}
			steady = 100 * (steady / of_long - 1);
			edges = 100 * (edges / of_long - 1);
			worst = fmax(worst, fabs(edges));
			print_message("# %s, %llu windows: %+.2f %%, of the whole time %+.2f %%\n",
				      world->name, (unsigned long long)rows[i].windows,
				      steady, edges);
			if (fabs(steady) > rows[i].most)
				fail_msg("%s, %llu windows: %.2f %%", world->name,
					 (unsigned long long)rows[i].windows, steady);
		}
	}
	/* the edges do distort the rate of short runs */
	assert_true(worst > 5);
}

/* With too few windows the rates are those of the whole time. */
static void test_few(void **state)
{
	struct icb_result result = {};

	(void)state;
	run_both(&worlds[1], 2, 1);
	assert_true(!pair.run[0].peer_even || pair.run[0].steady.count <= 2);
	pair.run[0].ops->report(&pair.run[0], &result);
	assert_true(fabs(value_of(&result, "message_rate") / whole() - 1) < 1e-6);
	assert_true(value_of(&result, "bytes") == pair.run[0].done * params.size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_short_runs),
		cmocka_unit_test(test_few),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	pair_free(&pair);
	return failed;
}
