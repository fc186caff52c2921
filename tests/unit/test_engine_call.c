// SPDX-License-Identifier: GPL-2.0
/* The loop of trigger return: single calls of the verbs interface. */
#include "engine/bench.h"
#include "engine/echo.h"
#include "engine/prepare.h"
#include "engine/stream.h"
#include "unit.h"
#include <unistd.h>
#include "check.h"
#include "host/clock.h"
#include "mode.h"

static struct pair pair;
static struct pair_config config;
static struct icb_params params;

#define CALL_MODE(_name, _verb) {					\
	.name = (_name), .verb = ICBENCH_VERB_##_verb,			\
	.trigger = ICBENCH_TRIGGER_RETURN,				\
	.completion = ICBENCH_COMPLETION_POLL }

static const struct mode modes[] = {
	CALL_MODE("register", REGISTER),
	CALL_MODE("descriptor", DESCRIPTOR),
	CALL_MODE("connect", CONNECT),
	CALL_MODE("connect-cm", CONNECT_CM),
	CALL_MODE("calibrate", CALIBRATE),
};

#define for_each_call_mode(mode)					\
	for ((mode) = modes; (mode) < modes + ARRAY_SIZE(modes); (mode)++)

/* Prepare a run, which the caller may then damage. */
static void prepare(const struct mode *mode, u64 seed)
{
	mode_params(mode, &params);
	mode_config(mode, seed, &config);
	params.warmup = seed % 4;
	params.iterations = 1 + seed % 9;
}

/**
 * struct record - measured operations according to the log
 * @operations: completed operations, including the warm-up
 * @began: clock value before the first call of the first measured operation, ticks
 * @ended: clock value after the last call of the last operation, ticks
 * @hist: distributions of whole operations, and of each call
 */
static struct record {
	u64 operations;
	u64 began;
	u64 ended;
	struct icb_hist hist[PAIR_HISTS];
} record;

static bool is_clock(size_t i)
{
	return i < pair.net.logged && pair.net.log[i].call == NET_CLOCK;
}

/* Times of a call: the two clock reads around its last attempt. */
static void book_call(size_t i, unsigned int call, u64 *times)
{
	size_t before = i - 1;

	/* the model logs a post as a call of its own */
	if (pair.net.log[before].call == NET_POST_LIST)
		before--;
	assert_true(is_clock(before) && is_clock(i + 1));
	times[2 * call] = pair.net.log[before].time;
	times[2 * call + 1] = pair.net.log[i + 1].time;
}

static void book_operation(const u64 *times, unsigned int calls)
{
	u64 first = times[0], last = times[2 * calls - 1];
	unsigned int i;

	if (record.operations++ < params.warmup)
		return;
	if (record.operations == params.warmup + 1)
		record.began = first;
	record.ended = last;
	icb_hist_add(&record.hist[0], icb_clock_ns(last - first));
	for (i = 0; i < calls; i++)
		icb_hist_add(&record.hist[1 + i],
			     icb_clock_ns(times[2 * i + 1] - times[2 * i]));
}

/* Check the order of all calls, and derive the expected distributions from the log. */
static void read_log(const struct icb_verb *verb)
{
	u64 times[2 * ICB_CALLS_MAX];
	unsigned int call = 0;
	size_t i;

	memset(&record, 0, sizeof(record));
	for (i = 0; i < PAIR_HISTS; i++)
		icb_hist_reset(&record.hist[i]);
	for (i = 0; i < pair.net.logged; i++) {
		if (pair.net.log[i].call != NET_TIMED)
			continue;
		if (pair.net.log[i].result < 0)
			break;
		/* a call that finds nothing is repeated */
		if (pair.net.log[i].result != (int)verb->call[call].call)
			call--;
		assert_int_equal(pair.net.log[i].result,
				 verb->call[call].call);
		book_call(i, call, times);
		if (++call < verb->calls)
			continue;
		/* the last call of an operation is never a repeated one */
		assert_false(verb->call[call - 1].again);
		book_operation(times, verb->calls);
		call = 0;
	}
}

/* The sum of the calls is at most the whole. */
static void expect_sums(const struct icb_verb *verb)
{
	const struct icb_hist *all = &pair.hist[0], *hist;
	u64 total = all->count * all->origin + (u64)all->sum, sum = 0;
	unsigned int i;

	for (i = 0; i < verb->calls; i++) {
		hist = &pair.hist[1 + i];
		assert_int_equal(hist->count, all->count);
		sum += hist->count * hist->origin + (u64)hist->sum;
	}
	assert_true(sum <= total);
}

static void run(const struct mode *mode, const char *what, u64 number)
{
	const struct icb_verb *verb = mode_verb(mode);
	const struct icb_run *it = &pair.run[0];
	unsigned int i;

	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, pair.net.wrong[0] ? pair.net.wrong : NULL,
		    what, number);
	read_log(verb);
	assert_int_equal(it->hists, 1 + verb->calls);
	assert_int_equal(it->done, it->hist[0].count);
	assert_int_equal(it->consumer.phase, ICB_PHASE_OVER);
	for (i = 0; i < it->hists; i++)
		assert_row(i, check_hist_equal(&record.hist[i], &pair.hist[i]));
	if (it->done) {
		assert_true(it->began == record.began);
		assert_true(it->ended == record.ended);
		expect_sums(verb);
	}
	assert_int_equal(pair.side[1].compared,
			 pair.complete ? 0 : -ENODATA);
}

static void run_complete(const struct mode *mode, const char *what, u64 number)
{
	run(mode, what, number);
	mode_expect(&pair, mode, pair.complete ? NULL : "was cut short", what,
		    number);
	assert_int_equal(pair.side[0].compared, 0);
	assert_int_equal(pair.net.ep[0].own.operations,
			 params.warmup + pair.run[0].done);
	assert_int_equal(pair.net.ep[0].own.calls[NET_PREPARE],
			 pair.net.ep[0].own.operations);
	assert_int_equal(pair.net.ep[0].own.calls[NET_YIELD_OP],
			 pair.net.ep[0].own.operations);
}

static void test_run(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for_each_call_mode(mode)
		for (seed = 0; seed < 200; seed++) {
			prepare(mode, seed);
			config.net.one_cpu = seed & 1;
			run_complete(mode, "run", seed);
			assert_int_equal(pair.run[0].done, params.iterations);
			assert_int_equal(pair.run[1].seen, 0);
		}
}

/* A run with a duration ends with the operation that reaches the duration. */
static void test_duration(void **state)
{
	const struct mode *mode;
	u64 ns;

	(void)state;
	for_each_call_mode(mode)
		for (ns = 1; ns < 200000; ns *= 7) {
			prepare(mode, ns);
			params.set &= ~BIT_ULL(ICBENCH_A_PARAMS_ITERATIONS);
			icb_params_preset(&params, ICBENCH_A_PARAMS_DURATION,
					  ns);
			run_complete(mode, "duration", ns);
			assert_true(pair.run[0].done);
			assert_true(pair.run[0].ended - pair.run[0].began >=
				    icb_clock_ticks(ns));
		}
}

/* A late completion is polled for until it arrives. */
static void test_again(void **state)
{
	const struct mode *mode = &modes[1];
	u64 delay, polls;

	(void)state;
	for (delay = 0; delay < 100000; delay += 9000) {
		prepare(mode, delay);
		params.iterations = 5;
		config.net.delay = delay;
		run_complete(mode, "delay", delay);
		polls = pair.net.ep[0].own.calls[NET_TIMED] -
			3 * pair.net.ep[0].own.operations;
		assert_true(polls >= pair.net.ep[0].own.operations);
		if (delay > 5000)
			assert_true(polls > 2 * pair.net.ep[0].own.operations);
	}
}

static void expect_error(const struct mode *mode, int err, const char *what,
			 u64 number)
{
	run(mode, what, number);
	assert_int_equal(pair.side[0].err, err);
	assert_int_equal(pair.side[0].stop, ICB_STOP_ERROR);
	assert_int_equal(pair.side[1].err, -ECONNRESET);
	assert_false(pair.complete);
}

static u64 measured(u64 operations)
{
	return operations > params.warmup ? operations - params.warmup : 0;
}

/* Each call fails once: the run ends with its error. */
static void test_error(void **state)
{
	const struct mode *mode;
	u64 n;

	(void)state;
	for_each_call_mode(mode)
		for (n = 1; n < 3 * ICB_CALLS_MAX; n++) {
			prepare(mode, n);
			params.iterations = 100;
			config.net.faults[0].timed = n;
			expect_error(mode, -ENODEV, "call", n);
			assert_int_equal(pair.net.ep[0].own.calls[NET_TIMED], n);
			assert_int_equal(pair.run[0].done,
					 measured(pair.net.ep[0].own.operations));
		}
}

static void test_prepare(void **state)
{
	const struct mode *mode;
	u64 n;

	(void)state;
	for_each_call_mode(mode)
		for (n = 1; n < 10; n++) {
			prepare(mode, n);
			params.iterations = 100;
			config.net.faults[0].prepare = n;
			expect_error(mode, -EIO, "prepare", n);
			assert_int_equal(pair.net.ep[0].own.operations, n - 1);
			assert_int_equal(pair.run[0].done, measured(n - 1));
		}
}

/* A post is refused, or its completion has an error. */
static void test_descriptor(void **state)
{
	const struct mode *mode = &modes[1];
	u64 n;

	(void)state;
	for (n = 1; n < 10; n++) {
		prepare(mode, n);
		params.iterations = 100;
		config.net.faults[0].post = n;
		expect_error(mode, -ENOMEM, "post", n);
		assert_int_equal(pair.run[0].done, measured(n - 1));
		prepare(mode, n);
		params.iterations = 100;
		config.net.faults[0].send = n;
		expect_error(mode, -ECONNRESET, "send", n);
		assert_int_equal(pair.run[0].done, measured(n - 1));
		prepare(mode, n);
		params.iterations = 100;
		config.net.faults[0].no_cpl = n;
		run(mode, "lost", n);
		assert_int_equal(pair.side[0].err, -ETIMEDOUT);
		assert_int_equal(pair.run[0].done, measured(n - 1));
	}
}

static bool was_ended;

static void end(void *arg)
{
	(void)arg;
	if (pair.side[0].over)
		return;
	was_ended = true;
	net_end(&pair.net.ep[0], ICB_STOP_REQUEST, 0);
}

/* A stop request takes effect between two operations, or while the loop waits. */
static void test_stop(void **state)
{
	const struct mode *mode;
	const struct icb_ep *ep = &pair.net.ep[0];
	u64 at;

	(void)state;
	for_each_call_mode(mode)
		for (at = 1; at < 300; at++) {
			prepare(mode, at);
			params.iterations = 100;
			config.net.hook = end;
			config.net.hook_at = at;
			was_ended = false;
			run(mode, "stopped at call", at);
			assert_true(was_ended);
			assert_int_equal(pair.side[0].stop, ICB_STOP_REQUEST);
			assert_int_equal(pair.side[0].ret, 0);
			assert_int_equal(pair.side[0].err, -ECANCELED);
			assert_int_equal(pair.run[0].done,
					 measured(ep->own.operations));
			mode_expect(&pair, mode, !ep->own.calls_done ||
				    mode == &modes[1] ? NULL :
				    "in the middle of an operation",
				    "stopped at call", at);
		}
}

/* A metric that was not measured is absent; all others have the name of their call. */
static void test_report(void **state)
{
	struct icb_result result;
	const struct icb_verb *verb;
	const struct mode *mode;
	unsigned int i;

	(void)state;
	for_each_call_mode(mode) {
		verb = mode_verb(mode);
		prepare(mode, 7);
		run_complete(mode, "report", 0);
		memset(&result, 0, sizeof(result));
		pair.run[0].ops->report(&pair.run[0], &result);
		assert_int_equal(result.count, 1 + verb->calls);
		assert_string_equal(result.metric[0].name, mode->name);
		for (i = 0; i < result.count; i++) {
			if (i)
				assert_string_equal(result.metric[i].name,
						    verb->call[i - 1].name);
			assert_ptr_equal(result.metric[i].hist, &pair.hist[i]);
			assert_int_equal(result.metric[i].kind,
					 ICBENCH_METRIC_KIND_DISTRIBUTION);
			assert_int_equal(result.metric[i].unit,
					 ICBENCH_UNIT_NS);
			if (mode->verb != ICBENCH_VERB_CALIBRATE)
				assert_int_equal(result.metric[i].divisor, 1);
		}
		assert_true(result.count <= ICB_RESULT_METRICS);
		icb_hist_reset(&pair.hist[0]);
		memset(&result, 0, sizeof(result));
		pair.run[0].ops->report(&pair.run[0], &result);
		assert_int_equal(result.count, verb->calls);
	}
}

/*
 * A rehearsal books all samples of an operation; their number is the divisor of its call.
 */
static void test_rehearse(void **state)
{
	static struct icb_hist hist[ICB_HISTS];
	const struct icb_call *call =
		icb_verb_table[ICBENCH_VERB_CALIBRATE].call;
	struct icb_run run = { 0 };
	unsigned int i;

	(void)state;
	prepare(&modes[3], 7);
	run_complete(&modes[3], "rehearse", 0);
	icb_run_rehearse(&run, &params, hist, NULL);
	for (i = 0; i < ICB_CALL_TIMES; i++)
		icb_echo_rehearse(&run);
	assert_int_equal(hist[ICB_HIST_LATENCY].count, ICB_CALL_TIMES);
	assert_int_equal(hist[ICB_HIST_LATENCY].count +
			 hist[ICB_HIST_POST].count + hist[ICB_HIST_POLL].count,
			 call[0].parts);
	assert_int_equal(run.done, ICB_CALL_TIMES);
	memset(&run, 0, sizeof(run));
	icb_run_rehearse(&run, &params, hist, NULL);
	for (i = 0; i < ICB_CALL_TIMES; i++)
		icb_stream_rehearse(&run);
	assert_int_equal(hist[ICB_HIST_POST].count, ICB_CALL_TIMES);
	assert_int_equal(hist[ICB_HIST_POST].count + hist[ICB_HIST_POLL].count,
			 call[1].parts);
	assert_int_equal(hist[ICB_HIST_POLL_EMPTY].count, 0);
	assert_int_equal(hist[ICB_HIST_INTERVAL].count, 0);
}

static void test_table(void **state)
{
	(void)state;
	assert_ptr_equal(icb_bench_by_trigger(ICBENCH_TRIGGER_RETURN),
			 &icb_call_ops);
	assert_ptr_equal(icb_bench_by_trigger(ICBENCH_TRIGGER_COMPLETION),
			 &icb_stream_ops);
	assert_string_equal(icb_call_ops.name, "return");
	assert_string_equal(icb_stream_ops.name, "completion");
	assert_int_equal(icb_verbs(true) & icb_verbs(false), 0);
	assert_int_equal(icb_verbs(true) | icb_verbs(false),
			 BIT(icb_param_by_attr(ICBENCH_A_PARAMS_VERB)->max +
			     1) - 1);
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
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_prepare),
		cmocka_unit_test(test_descriptor),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_rehearse),
		cmocka_unit_test(test_table),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
