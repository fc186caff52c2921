// SPDX-License-Identifier: GPL-2.0
/* Computation between post and wait, and the share of time that it gets. */
#include "engine/compute.h"
#include "unit.h"
#include <unistd.h>
#include "check.h"
#include "host/clock.h"
#include "mode.h"

static struct pair pair;
static struct pair_config config;
static struct icb_params params;
static u64 stopped;

#define for_each_thread(mode)						\
	for ((mode) = stream_table; (mode) < stream_table + STREAMS; (mode)++) \
		if (!mode_callbacks(mode))

static void prepare(const struct mode *mode, u64 seed)
{
	mode_params(mode, &params);
	mode_config(mode, seed, &config);
	params.window = 8;
	params.refill = 4;
	params.signal_every = 2;
	params.batch = 1 + seed % 4;
	params.iterations = 200;
	params.warmup = 12;
	config.net.no_log = true;
}

static void run_complete(const struct mode *mode, const char *what, u64 number)
{
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, check_stream_complete(&pair), what, number);
}

/* Availability in thousandths of a per cent; U64_MAX if it is absent. */
static u64 availability(void)
{
	struct icb_result result = { 0 };
	unsigned int i;

	pair.run[0].ops->report(&pair.run[0], &result);
	for (i = 0; i < result.count; i++)
		if (!strcmp(result.metric[i].name, "availability")) {
			assert_int_equal(result.metric[i].unit,
					 ICBENCH_UNIT_PERCENT);
			assert_int_equal(result.metric[i].divisor, 1000);
			return result.metric[i].value;
		}
	return U64_MAX;
}

/* Number of computations: one after the first window and one after each refill. */
static u64 computations(void)
{
	return 1 + (params.iterations - params.window + params.refill - 1) /
		   params.refill;
}

/* One thread that drives both sides computes only for the initiator. */
static bool computes(const struct mode *mode, unsigned int side)
{
	return !side || (mode->direction == ICBENCH_DIRECTION_BI &&
			 !mode->one_thread);
}

static void expect(const struct mode *mode, bool condition, const char *words,
		   const char *what, u64 number)
{
	mode_expect(&pair, mode, condition ? NULL : words, what, number);
}

/*
 * The thread computes as often as it posts, for the given time, and at most one pass
 * longer.
 */
static void test_time(void **state)
{
	static const u64 times[] = { 0, 1, 300, 20000 };
	const struct mode *mode;
	u64 least, most, elapsed;
	size_t i;

	(void)state;
	for_each_thread(mode)
		for (i = 0; i < ARRAY_SIZE(times); i++) {
			prepare(mode, i);
			icb_params_preset(&params, ICBENCH_A_PARAMS_COMPUTE,
					  times[i]);
			run_complete(mode, "time", times[i]);
			least = computations() * icb_clock_ticks(times[i]);
			most = least + computations() *
			       pair.run[0].compute.gap * !!times[i];
			elapsed = pair.run[0].ended - pair.run[0].began;
			expect(mode, pair.run[0].compute.booked >= least,
			       "too little", "time", times[i]);
			expect(mode, pair.run[0].compute.booked <= most,
			       "too much", "time", times[i]);
			expect(mode, pair.run[0].compute.booked <= elapsed,
			       "more than there was", "time", times[i]);
			expect(mode, availability() ==
			       pair.run[0].compute.booked * 100000 / elapsed,
			       "another availability", "time", times[i]);
			/* the other side computes, too, if it has its own thread */
			expect(mode, !pair.run[1].compute.spent ==
			       !(computes(mode, 1) && times[i]),
			       "the other side", "time", times[i]);
		}
}

/*
 * The thread gets the requested share of the time that other tasks do not use. All tasks
 * here share one CPU, so other tasks use much of it.
 */
static void test_share(void **state)
{
	static const u32 shares[] = { 0, 1, 10, 105, 500, 800, 900 };
	const struct icb_compute *it = &pair.run[0].compute;
	const struct mode *mode;
	u64 have, want, share;
	size_t i;

	(void)state;
	for_each_thread(mode)
		for (i = 0; i < ARRAY_SIZE(shares); i++) {
			share = shares[i];
			/* two sides cannot both have most of the only CPU */
			if (computes(mode, 1) && share >= 500)
				continue;
			prepare(mode, i);
			params.timeout = 100000000;
			icb_params_preset(&params,
					  ICBENCH_A_PARAMS_COMPUTE_SHARE,
					  share);
			run_complete(mode, "share", share);
			have = it->spent * (1000 - share);
			want = it->waited * share;
			expect(mode, have >= want, "too little", "share",
			       share);
			expect(mode, have <= want + 1000 * it->gap, "too much",
			       "share", share);
			have = availability();
			expect(mode, have <= 100 * share + 1000 * !!share,
			       "too much is told", "share", share);
			expect(mode, have >= 30 * share || computes(mode, 1),
			       "too little is told", "share", share);
		}
}

/*
 * A thread that is interrupted compensates: time of other tasks does not count as
 * computation.
 */
static void test_interrupted(void **state)
{
	const struct mode *mode;
	u64 least, calm = 0, elapsed = 0;
	unsigned int i;

	(void)state;
	for_each_thread(mode) {
		if (!mode->one_thread)
			continue;
		for (i = 0; i < 2; i++) {
			prepare(mode, 1);
			config.task.preempt = i ? 300 : 0;
			config.task.stall = 200000;
			icb_params_preset(&params, ICBENCH_A_PARAMS_COMPUTE,
					  20000);
			params.timeout = 50000000;
			run_complete(mode, "interrupted", i);
			elapsed = pair.run[0].ended - pair.run[0].began;
			if (!i)
				calm = elapsed;
		}
		least = computations() * icb_clock_ticks(20000);
		expect(mode, pair.run[0].compute.booked >= least &&
		       pair.run[0].compute.booked <= 2 * least,
		       "counts what others take", "interrupted", 0);
		expect(mode, elapsed > calm + calm / 4,
		       "nothing interrupted", "interrupted", 0);
	}
}

static void stop(void *arg)
{
	(void)arg;
	if (pair.side[0].over)
		return;
	stopped = task_now();
	net_end(&pair.net.ep[0], ICB_STOP_REQUEST, 0);
}

/* A stop request does not wait for the end of a computation. */
static void test_stop(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for_each_thread(mode)
		for (seed = 0; seed < 8; seed++) {
			prepare(mode, seed);
			icb_params_preset(&params, ICBENCH_A_PARAMS_COMPUTE,
					  10000000);
			params.timeout = 100000000;
			config.net.hook = stop;
			config.net.hook_at = 2000 + 100 * seed;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, check_stream(&pair), "stop",
				    seed);
			expect(mode, pair.side[0].stop == ICB_STOP_REQUEST,
			       "not stopped", "stop", seed);
			expect(mode, pair.side[0].ended - stopped <
			       icb_clock_ticks(300000), "goes on", "stop", seed);
			/* a computation after the last completion is not counted */
			expect(mode, pair.run[0].compute.booked <=
			       pair.run[0].compute.spent, "too much", "stop",
			       seed);
		}
}

/* A share that cannot be reached ends after a quarter of the timeout. */
static void test_most(void **state)
{
	const struct mode *mode = &stream_table[0];

	(void)state;
	prepare(mode, 0);
	params.timeout = 400000;
	params.iterations = 8;
	params.warmup = 0;
	config.net.delay = 100000;
	icb_params_preset(&params, ICBENCH_A_PARAMS_COMPUTE_SHARE, 990);
	run_complete(mode, "most", 0);
	assert_true(availability() < 98000);
}

/* Without a request to compute, there is no computation and no metric of it. */
static void test_none(void **state)
{
	const struct mode *mode;

	(void)state;
	for_each_thread(mode) {
		prepare(mode, 2);
		run_complete(mode, "none", 0);
		assert_false(pair.run[0].compute.on);
		assert_true(availability() == U64_MAX);
	}
}

static int teardown(void **state)
{
	(void)state;
	pair_free(&pair);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_none),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
