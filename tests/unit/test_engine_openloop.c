// SPDX-License-Identifier: GPL-2.0
/* The loop of trigger clock, its schedule, and faults. */
#include "unit.h"
#include <math.h>
#include "check.h"
#include "host/clock.h"
#include "mode.h"

static struct pair pair;
static struct pair_config config;
static struct icb_params params;

#define OPEN(_name, _verb, _completion, _one_thread) {			\
	.name = "open loop of " _name, .trigger = ICBENCH_TRIGGER_CLOCK, \
	.verb = ICBENCH_VERB_##_verb,					\
	.completion = ICBENCH_COMPLETION_##_completion,			\
	.one_thread = (_one_thread) }

#define WAYS(_name, _verb)						\
	OPEN(_name ", poll", _verb, POLL, false),			\
	OPEN(_name ", block", _verb, BLOCK, false),			\
	OPEN(_name ", softirq", _verb, SOFTIRQ, false),			\
	OPEN(_name ", workqueue", _verb, WORKQUEUE, false)

static const struct mode modes[] = {
	WAYS("send", SEND),
	OPEN("send in one thread", SEND, POLL, true),
	WAYS("write", WRITE),
	WAYS("write-imm", WRITE_IMM),
	WAYS("read", READ),
	WAYS("fetch-add", FETCH_ADD),
};

#define for_each_mode(mode)						\
	for ((mode) = modes; (mode) < modes + ARRAY_SIZE(modes); (mode)++)

static void prepare(const struct mode *mode, u64 seed, u64 rate)
{
	mode_params(mode, &params);
	mode_config(mode, seed, &config);
	config.net.no_log = true;
	params.seed = seed;
	params.rate = rate;
	params.arrival = seed % 3;
	params.window = (const u32[]){ 1, 2, 3, 8, 100 }[seed / 3 % 5];
	params.size = mode_size(mode, 8);
	params.iterations = 40;
	params.warmup = seed % 4 * 3;
	config.net.alarm_jitter = (const u64[]){ 0, 3000 }[seed / 15 % 2];
}

/* Each operation was posted once, and has a sample if it was measured. */
static const char *conserved(void)
{
	const struct icb_run *run = &pair.run[0];
	const struct icb_ep *ep = &pair.net.ep[0];
	u64 total = params.warmup + run->done;
	const char *const wrong[] = {
		pair.net.wrong[0] ? pair.net.wrong : NULL,
		HOLDS(!pair.side[0].err && !pair.side[1].err),
		HOLDS(!pair.side[0].compared && !pair.side[1].compared),
		HOLDS(run->seq == total),
		HOLDS(run->acked == total),
		HOLDS(ep->own.posts == total),
		HOLDS(run->hist[ICB_HIST_LATENCY].count == run->done),
		HOLDS(run->hist[ICB_HIST_POST].count == run->done),
		HOLDS(run->hist[ICB_HIST_LATENESS].count +
		      run->open.delayed == run->done),
		HOLDS(!pair.net.verb->recv || pair.run[1].seen == total),
		HOLDS(run->ended >= run->open.ended),
		HOLDS(ep->own.alarm == TASK_FOREVER),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

static void run(const struct mode *mode, const char *what, u64 number)
{
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, conserved(), what, number);
}

static void test_seeds(void **state)
{
	static const u64 rates[] = { 20000, 1000000, 100000000 };
	const struct mode *mode;
	unsigned int i;
	u64 seed;

	(void)state;
	for_each_mode(mode)
		for (i = 0; i < ARRAY_SIZE(rates); i++)
			for (seed = 0; seed < 60; seed++) {
				prepare(mode, seed, rates[i]);
				run(mode, "seed", seed);
				assert_int_equal(pair.run[0].done, 40);
			}
}

/* A run with a duration has exactly the operations that were due in it. */
static void test_duration(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for_each_mode(mode)
		for (seed = 0; seed < 30; seed++) {
			prepare(mode, seed, 500000);
			params.arrival = ICBENCH_ARRIVAL_FIXED;
			/* the default for a run without a number of operations */
			params.iterations = 10000;
			params.set &= ~BIT_ULL(ICBENCH_A_PARAMS_ITERATIONS);
			icb_params_preset(&params, ICBENCH_A_PARAMS_DURATION,
					  100000);
			/* more buffers than operations: some are never used */
			if (seed & 1 && !mode_verb(mode)->atomic)
				icb_params_set_number(&params,
						      icb_param_by_name("buffers"),
						      70, NULL);
			run(mode, "duration", seed);
			assert_int_equal(pair.run[0].done, 50);
		}
}

/* The schedule does not depend on the completion of operations. */
static void test_no_omission(void **state)
{
	u64 first = 0, second;
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		prepare(&modes[5], 4, 1000000);
		params.window = i ? 1 : 100;
		params.iterations = 200;
		/* one operation at a time takes three times the available time */
		config.net.delay = 9000;
		run(&modes[5], "window", params.window);
		second = pair.run[0].open.ended - pair.run[0].began;
		if (!i)
			first = second;
	}
	assert_int_equal(first, second);
	assert_true(pair.run[0].open.delayed > 190);
	/* each operation waits for all earlier ones */
	assert_true(pair.run[0].hist[ICB_HIST_LATENCY].max >
		    icb_clock_ns(200 * 9000 / 2));
}

static u64 value_of(const struct icb_result *result, const char *name)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		if (!strcmp(result->metric[i].name, name))
			return result->metric[i].value;
	return U64_MAX;
}

/* Metrics of wake-ups, bytes and elapsed time. */
static void test_report(void **state)
{
	const struct icb_run *it = &pair.run[0];
	u64 seed, sleeps, empty, elapsed;
	const struct mode *mode;
	struct icb_result result;

	(void)state;
	for_each_mode(mode) {
		sleeps = 0;
		empty = 0;
		for (seed = 0; seed < 30; seed++) {
			prepare(mode, seed, 200000);
			run(mode, "report", seed);
			memset(&result, 0, sizeof(result));
			it->ops->report(it, &result);
			assert_true(result.count <= ICB_RESULT_METRICS);
			if (mode->completion == ICBENCH_COMPLETION_WORKQUEUE)
				assert_true(value_of(&result, "wakeups_per_message") ==
					    U64_MAX);
			else
				assert_int_equal(value_of(&result, "wakeups_per_message"),
						 1000 * it->wakes / it->done);
			/* wake-ups of the warm-up are not counted */
			assert_true(it->wakes <= pair.net.ep[0].own.sleeps);
			sleeps += it->wakes;
			/*
			 * at most one empty poll per wait, and no wait without an
			 * operation
			 */
			assert_true(it->hist[ICB_HIST_POLL_EMPTY].count <=
				    it->hist[ICB_HIST_POLL].count);
			empty += it->hist[ICB_HIST_POLL_EMPTY].count;
			elapsed = icb_clock_ns(it->ended - it->began);
			assert_int_equal(value_of(&result, "elapsed"), elapsed);
			assert_int_equal(value_of(&result, "bytes"),
					 it->done * params.size);
			assert_int_equal(value_of(&result, "bandwidth"),
					 it->done * params.size *
					 1000000000000ULL / elapsed);
		}
		assert_int_equal(!sleeps, mode->completion !=
					  ICBENCH_COMPLETION_BLOCK);
		assert_int_equal(!empty, !!(BIT(mode->completion) &
					    ICB_COMPLETIONS_CALLBACK));
	}
}

static void stop(void *arg)
{
	(void)arg;
	net_end(&pair.net.ep[0], ICB_STOP_REQUEST, 0);
}

/* A run may be stopped at each of its calls; it posts nothing afterwards. */
static void test_stop(void **state)
{
	const struct mode *mode;
	u64 at;

	(void)state;
	for_each_mode(mode)
		for (at = 1; at < 400; at += 3) {
			prepare(mode, at, 1000000);
			params.iterations = 1000000;
			config.net.hook = stop;
			config.net.hook_at = at;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, pair.net.wrong[0] ?
				    pair.net.wrong : NULL, "stopped at", at);
			assert_int_equal(pair.side[0].stop, ICB_STOP_REQUEST);
			assert_true(pair.net.ep[0].own.alarm == TASK_FOREVER);
		}
}

static void test_faults(void **state)
{
	const struct mode *mode;
	u64 at;

	(void)state;
	for_each_mode(mode)
		for (at = 1; at < 20; at++) {
			prepare(mode, at, 1000000);
			config.net.faults[0].post = at;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, pair.net.wrong[0] ?
				    pair.net.wrong : NULL, "post fails", at);
			assert_int_equal(pair.side[0].ret, -ENOMEM);
			prepare(mode, at, 1000000);
			config.net.lenient = true;
			config.net.faults[0].send = at;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, pair.net.wrong[0] ?
				    pair.net.wrong : NULL, "send fails", at);
			assert_int_equal(pair.side[0].err, -ECONNRESET);
		}
}

static double below(double x, u32 kind)
{
	switch (kind) {
	case ICBENCH_ARRIVAL_UNIFORM:
		return x < 2 ? x / 2 : 1;
	case ICBENCH_ARRIVAL_EXPONENTIAL:
		return 1 - exp(-x);
	default:
		return x > 1;
	}
}

#define DRAWS	400000

/* The gaps have the mean of the rate and the distribution of the parameter. */
static void test_arrival(void **state)
{
	static const double points[] = { 0.01, 0.1, 0.5, 0.9, 1.1, 1.9, 3, 6 };
	unsigned int found[ARRAY_SIZE(points)], i, j;
	struct icb_arrival arrival;
	u64 began, last;
	double mean, gap;

	(void)state;
	prepare(modes, 1, 7);
	task_init(&config.task);
	for (params.arrival = 0; params.arrival < 3; params.arrival++) {
		memset(found, 0, sizeof(found));
		icb_arrival_start(&arrival, &params, 0, icb_clock_ticks(1000000000));
		began = arrival.due;
		mean = icb_clock_ticks(1000000000) / 7.0;
		for (i = 0; i < DRAWS; i++) {
			last = arrival.due;
			icb_arrival_next(&arrival);
			gap = (arrival.due - last) / mean;
			assert_true(gap <= ICB_ARRIVAL_MOST);
			for (j = 0; j < ARRAY_SIZE(points); j++)
				found[j] += gap < points[j];
		}
		mean = (arrival.due - began) / mean / DRAWS;
		assert_true(fabs(mean - 1) < (params.arrival ? 0.006 : 1e-6));
		for (j = 0; j < ARRAY_SIZE(points); j++)
			assert_true(fabs(found[j] / (double)DRAWS -
					 below(points[j], params.arrival)) <
				    0.004);
	}
}

/* The same seed gives the same times, and another seed gives others. */
static void test_seeded(void **state)
{
	struct icb_arrival a, b, c;
	unsigned int i, same = 0;

	(void)state;
	prepare(modes, 2, 1000);
	task_init(&config.task);
	params.arrival = ICBENCH_ARRIVAL_EXPONENTIAL;
	icb_arrival_start(&a, &params, 5, icb_clock_ticks(1000000000));
	icb_arrival_start(&b, &params, 5, icb_clock_ticks(1000000000));
	params.seed++;
	icb_arrival_start(&c, &params, 5, icb_clock_ticks(1000000000));
	for (i = 0; i < 1000; i++) {
		icb_arrival_next(&a);
		icb_arrival_next(&b);
		icb_arrival_next(&c);
		assert_int_equal(a.due, b.due);
		same += a.due == c.due;
	}
	assert_true(same < 5);
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
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_no_omission),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_arrival),
		cmocka_unit_test(test_seeded),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}
