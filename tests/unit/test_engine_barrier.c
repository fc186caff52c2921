// SPDX-License-Identifier: GPL-2.0
/*
 * A run that is measured together with another one. It warms up until the other run has
 * warmed up, and continues until the other run has measured; in any mode, with any number
 * of threads.
 */
#include <pthread.h>
#include <unistd.h>

#include "check.h"
#include "mode.h"
#include "model/rules.h"
#include "unit.h"

#define THREADS	16
#define ROUNDS	100

static struct pair pair;
static struct pair_config config;
static struct icb_params params;
static struct icb_barrier barrier;

/* Lost messages per 1000 messages, on a transport that does not report losses. */
static unsigned int loss;

/* Steps of the other run, by the number of messages of this run. */
static struct {
	u64 warms;
	u64 measures;
	u64 stops;
	bool gives_up;
	bool warm;
	bool measured;
	bool early;
	bool over;
} other;

static const struct mode open_modes[] = {
	{ .name = "open loop, poll", .trigger = ICBENCH_TRIGGER_CLOCK,
	  .verb = ICBENCH_VERB_SEND, .completion = ICBENCH_COMPLETION_POLL },
	{ .name = "open loop, one thread", .trigger = ICBENCH_TRIGGER_CLOCK,
	  .verb = ICBENCH_VERB_SEND, .completion = ICBENCH_COMPLETION_POLL,
	  .one_thread = true },
	{ .name = "open loop, block", .trigger = ICBENCH_TRIGGER_CLOCK,
	  .verb = ICBENCH_VERB_WRITE, .completion = ICBENCH_COMPLETION_BLOCK },
	{ .name = "open loop, softirq", .trigger = ICBENCH_TRIGGER_CLOCK,
	  .verb = ICBENCH_VERB_READ, .completion = ICBENCH_COMPLETION_SOFTIRQ },
};

static void warm(void)
{
	const struct icb_run *run = &pair.run[0];

	other.warm = true;
	other.early = run->done || run->consumer.phase != ICB_PHASE_WARMUP;
	icb_barrier_add_warm(&barrier);
}

static void measure(void)
{
	other.measured = true;
	other.over = pair.run[0].consumer.phase == ICB_PHASE_OVER;
	if (other.gives_up)
		icb_barrier_abort(&barrier);
	else
		icb_barrier_add_measured(&barrier);
}

/* Called before each call of this run. */
static void go_on(void *arg)
{
	const struct icb_run *run = &pair.run[0];

	(void)arg;
	/* not during the preparation */
	if (run->began || run->acked || run->seen || !other.warms) {
		if (run->seq >= other.stops)
			net_end(&pair.net.ep[0], ICB_STOP_REQUEST, 0);
		if (!other.warm && run->seq >= other.warms)
			warm();
		if (other.warm && !other.measured && run->seq >= other.measures)
			measure();
	}
	pair.net.config.hook_at = pair.net.calls + 1;
}

static void prepare(const struct mode *mode, u64 seed)
{
	mode_params(mode, &params);
	mode_config(mode, seed, &config);
	config.net.no_log = true;
	config.barrier = &barrier;
	config.net.hook_at = 1;
	config.net.hook = go_on;
	icb_barrier_init(&barrier, 2);
	params.workers = 2;
	params.seed = seed;
	params.warmup = seed % 3 * 5;
	params.iterations = 40;
	if (loss) {
		config.net.lenient = true;
		config.net.faults[0].loss = loss;
		config.net.faults[1].loss = loss;
		params.transport = ICBENCH_TRANSPORT_UD;
	}
	if (mode->trigger == ICBENCH_TRIGGER_CLOCK) {
		params.rate = 100000;
		params.window = 8;
		params.size = mode_size(mode, 8);
	}
}

static const char *told(void)
{
	const struct icb_run *run = &pair.run[0];
	const struct icb_ep *ep = &pair.net.ep[0];
	u64 least = params.warmup + params.iterations;
	bool stream = params.trigger == ICBENCH_TRIGGER_COMPLETION;
	const char *const wrong[] = {
		pair.net.wrong[0] ? pair.net.wrong : NULL,
		HOLDS(!pair.side[0].err && !pair.side[1].err),
		HOLDS(!pair.side[0].compared && !pair.side[1].compared),
		HOLDS(!other.early && !other.over),
		HOLDS(run->warm && run->measured),
		HOLDS(!barrier.cold && !barrier.left),
		HOLDS(run->done == params.iterations),
		HOLDS(run->seq >= least),
		HOLDS(run->seq >= other.measures),
		HOLDS(ep->own.posts >= run->seq),
		HOLDS(!stream || run->acked == run->seq),
		HOLDS(stream || run->hist[ICB_HIST_LATENCY].count ==
				params.iterations),
		HOLDS(run->ended > run->began),
		HOLDS(run->consumer.phase == ICB_PHASE_OVER),
		HOLDS(!loss || run->delivered + ep->own.dropped_measured == run->done),
		HOLDS(!loss || run->lost == ep->own.dropped),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

static void run_with(const struct mode *mode, u64 seed)
{
	static const u64 times[][2] = {
		{ 0, 0 }, { 0, 200 }, { 5, 20 }, { 70, 71 }, { 100, 300 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(times); i++) {
		memset(&other, 0, sizeof(other));
		other.warms = times[i][0];
		other.measures = times[i][1];
		other.stops = U64_MAX;
		other.gives_up = seed & 1;
		prepare(mode, seed);
		params.verify = !params.rate && seed & 2;
		pair_run(&pair, &params, &config);
		mode_expect(&pair, mode, told(), "in a crowd", i);
	}
}

static void test_echo(void **state)
{
	unsigned int i;
	u64 seed;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (seed = 0; seed < 4; seed++)
			run_with(&mode_table[i], seed);
}

static void test_streams(void **state)
{
	unsigned int i;
	u64 seed;

	(void)state;
	for (i = 0; i < STREAMS; i++)
		for (seed = 0; seed < 4; seed++)
			run_with(&stream_table[i], seed);
}

static void test_open(void **state)
{
	unsigned int i;
	u64 seed;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(open_modes); i++)
		for (seed = 0; seed < 6; seed++)
			run_with(&open_modes[i], seed);
}

/* If messages may be lost, both sides still agree which messages are measured. */
static void test_lossy(void **state)
{
	unsigned int i, tried = 0;
	u64 seed;

	(void)state;
	for (i = 0; i < STREAMS + ARRAY_SIZE(open_modes); i++) {
		const struct mode *mode = i < STREAMS ? &stream_table[i] :
						&open_modes[i - STREAMS];

		loss = 100;
		prepare(mode, 0);
		if (icb_params_check(&params, NULL))
			continue;
		tried++;
		for (seed = 0; seed < 6; seed++) {
			loss = 1 + seed % 3 * 150;
			run_with(mode, seed);
		}
	}
	loss = 0;
	assert_true(tried >= 9);
}

/* A stop request while the run waits for the other run, at the start or the end. */
static void expect_stopped(const struct mode *mode, bool cold)
{
	memset(&other, 0, sizeof(other));
	other.warms = cold ? U64_MAX : 0;
	other.measures = U64_MAX;
	other.stops = 150;
	prepare(mode, 1);
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, pair.net.wrong[0] ? pair.net.wrong : NULL,
		    "stopped in a crowd", cold);
	assert_int_equal(pair.side[0].err, -ECANCELED);
	assert_int_equal(pair.run[0].done, cold ? 0 : params.iterations);
}

static void test_stop(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < MODES + STREAMS + ARRAY_SIZE(open_modes); i++) {
		const struct mode *mode = i < MODES ? &mode_table[i] :
			i < MODES + STREAMS ? &stream_table[i - MODES] :
			&open_modes[i - MODES - STREAMS];

		expect_stopped(mode, true);
		expect_stopped(mode, false);
	}
}

static void *take(void *arg)
{
	(void)arg;
	icb_barrier_add_warm(&barrier);
	icb_barrier_add_measured(&barrier);
	return NULL;
}

/* Each run counts once, at any time; a barrier that is over stays over. */
static void test_count(void **state)
{
	pthread_t thread[THREADS];
	unsigned int round, i;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		icb_barrier_init(&barrier, THREADS);
		for (i = 0; i < THREADS; i++)
			assert_int_equal(pthread_create(&thread[i], NULL, take,
							NULL), 0);
		if (round % 4 == 3)
			icb_barrier_abort(&barrier);
		for (i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
		assert_true(icb_barrier_warm(&barrier));
		assert_true(icb_barrier_measured(&barrier));
		icb_barrier_add_measured(&barrier);
		assert_int_equal(barrier.left, 0);
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
		cmocka_unit_test(test_echo),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_lossy),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_count),
	};

	alarm(180);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
