// SPDX-License-Identifier: GPL-2.0
/*
 * The loops with real threads and real time, which show what scheduled virtual tasks
 * cannot. All durations depend on the machine.
 */
#include "unit.h"
#include <unistd.h>
#include "check.h"
#include "host/clock.h"
#include "mode.h"

#define MS	1000000ULL

static struct pair pair;
static struct pair_config config;
static struct icb_params params;

static void prepare(const struct mode *mode, u64 seed)
{
	mode_params(mode, &params);
	mode_config(mode, seed, &config);
	config.task.real = true;
	/* a busy host may keep a thread from its CPU for longer than a window takes to fill */
	config.stretch = U64_MAX;
	/* each fifth call yields */
	config.task.preempt = 200000;
	config.net.no_log = true;
	/* up to 10 us, plus delays of the machine */
	config.net.delay = 0;
	config.net.jitter = 30000;
	config.net.ack_jitter = 60000;
	params.timeout = 30000 * MS;
	/* an operation of a passive verb takes as long as two others */
	params.iterations = mode_verb(mode)->passive ? 150 : 300;
	params.warmup = 10;
}

static void test_run(void **state)
{
	unsigned int i;
	u64 seed;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (seed = 0; seed < 4; seed++) {
			prepare(&mode_table[i], seed);
			params.verify = seed & 1;
			config.net.one_cpu = seed & 2;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, &mode_table[i],
				    check_complete(&pair), "run", seed);
		}
}

static void test_duration(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < MODES; i++) {
		prepare(&mode_table[i], i);
		params.set &= ~BIT_ULL(ICBENCH_A_PARAMS_ITERATIONS);
		icb_params_preset(&params, ICBENCH_A_PARAMS_DURATION, 20 * MS);
		pair_run(&pair, &params, &config);
		mode_expect(&pair, &mode_table[i], check_complete(&pair),
			    "duration", 0);
	}
}

/* Streams, with all operations in flight, and crossing messages. */
static void test_streams(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for (mode = stream_table; mode < stream_table + STREAMS; mode++)
		for (seed = 0; seed < 2; seed++) {
			prepare(mode, seed);
			params.window = seed ? 20 : 7;
			params.refill = seed ? 10 : 6;
			params.batch = seed ? 4 : 3;
			params.signal_every = seed ? 5 : 2;
			params.iterations = 200;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, check_stream_complete(&pair),
				    "stream", seed);
		}
}

static void test_crossing(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for (mode = crossing_table; mode < crossing_table + CROSSINGS; mode++)
		for (seed = 0; seed < 4; seed++) {
			prepare(mode, seed);
			params.verify = seed & 1;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, check_complete(&pair),
				    "crossing", seed);
		}
}

static void end(void *arg)
{
	(void)arg;
	net_end(&pair.net.ep[0], ICB_STOP_REQUEST, 0);
}

static void test_stop(void **state)
{
	unsigned int i;
	u64 at;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (at = 100; at <= 3000; at += 700) {
			prepare(&mode_table[i], at);
			params.iterations = U64_MAX;
			config.net.hook_at = at;
			config.net.hook = end;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, &mode_table[i], check_pair(&pair),
				    "stopped at call", at);
			assert_int_equal(pair.side[0].stop, ICB_STOP_REQUEST);
			assert_int_equal(pair.side[0].err, -ECANCELED);
		}
}

static void test_drop(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < MODES; i++) {
		prepare(&mode_table[i], i);
		params.timeout = 100 * MS;
		config.net.faults[i & 1].drop = 100;
		pair_run(&pair, &params, &config);
		mode_expect(&pair, &mode_table[i], check_pair(&pair), "drop",
			    0);
		assert_true(pair.side[0].err == -ETIMEDOUT ||
			    pair.side[1].err == -ETIMEDOUT);
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
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_crossing),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_drop),
	};

	/* on a busy host, threads run one at a time */
	alarm(600);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
