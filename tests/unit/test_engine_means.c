// SPDX-License-Identifier: GPL-2.0
/* Batches of means and rates: their sums are exactly those of the run. */
#include "check.h"
#include "engine/account.h"
#include "host/clock.h"
#include "mode.h"
#include "unit.h"

static struct pair pair;
static struct pair_config config;
static struct icb_params params;
static u32 dist = ICBENCH_SIZE_DIST_FIXED;
static u32 transport = ICBENCH_TRANSPORT_RC;

static u64 total(const u64 *value, u32 count)
{
	u64 sum = 0;

	while (count--)
		sum += *value++;
	return sum;
}

/* Batches are joined by addition; running totals may wrap. */
static void test_join(void **state)
{
	struct icb_means means;
	u64 over = U64_MAX - 100000, under = 0;
	unsigned int i;

	(void)state;
	icb_means_begin(&means, 3);
	means.over_before = over;
	for (i = 1; i <= 1000; i++) {
		over += i;
		under += 2;
		if (i == means.end)
			icb_means_end(&means, over, under);
	}
	assert_int_equal(means.size, 48);
	assert_int_equal(means.count, 1000 / 48);
	assert_int_equal(means.end, means.size * (means.count + 1));
	for (i = 0; i < means.count; i++) {
		assert_int_equal(means.under[i], 2 * 48);
		/* sum of the 48 numbers from 48 * i + 1 */
		assert_int_equal(means.over[i], 48 * (48 * i + 1) + 24 * 47);
	}
}

static void start(u32 trigger, u32 completion, u64 iterations)
{
	const struct mode mode = { .name = "means", .trigger = trigger,
		.verb = dist != ICBENCH_SIZE_DIST_FIXED ||
			transport != ICBENCH_TRANSPORT_RC ?
			ICBENCH_VERB_SEND : ICBENCH_VERB_WRITE,
		.completion = completion };

	mode_params(&mode, &params);
	params.size_dist = dist;
	params.transport = transport;
	params.size = dist != ICBENCH_SIZE_DIST_FIXED ? 64 : params.size;
	mode_config(&mode, 7, &config);
	config.net.no_log = true;
	config.net.jitter = 900;
	config.net.faults[0].loss = transport == ICBENCH_TRANSPORT_UD ? 5 : 0;
	params.iterations = iterations;
	params.warmup = 20;
	params.window = 8;
	params.refill = 4;
	params.batch = 1;
	params.signal_every = 2;
	params.rate = 400000;
	params.arrival = ICBENCH_ARRIVAL_EXPONENTIAL;
	pair_run(&pair, &params, &config);
	mode_expect(&pair, &mode, pair.complete ? NULL : "was cut short",
		    "means", iterations);
}

static const struct icb_metric *find(const struct icb_result *result,
				     const char *name)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		if (!strcmp(result->metric[i].name, name))
			return &result->metric[i];
	return NULL;
}

/* Stream: operations, and the time of the windows in the batches. */
static void test_stream(void **state)
{
	static const u32 completions[] = {
		ICBENCH_COMPLETION_POLL, ICBENCH_COMPLETION_SOFTIRQ };
	const struct icb_run *run = &pair.run[0];
	const struct icb_means *means = &run->means;
	struct icb_result result;
	unsigned int i;
	u64 done, ns;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(completions); i++) {
		start(ICBENCH_TRIGGER_COMPLETION, completions[i], 8 * 500);
		assert_int_equal(run->hist[ICB_HIST_INTERVAL].count, 500);
		assert_int_equal(means->size, 16);
		assert_int_equal(means->count, 500 / 16);
		done = total(means->over, means->count);
		ns = total(means->under, means->count);
		assert_in_range(done, 8 * 496, 8 * 500);
		assert_in_range(ns, 1, icb_clock_ns(run->ended - run->began));
		memset(&result, 0, sizeof(result));
		run->ops->report(run, &result);
		assert_ptr_equal(find(&result, "message_rate")->means, means);
		assert_null(find(&result, "bandwidth")->means);
	}
}

/* Messages that differ in size: the bandwidth has batches of its own, in bytes. */
static void test_sizes(void **state)
{
	const struct icb_run *run = &pair.run[0];
	const struct icb_means *means = &run->means, *bytes;
	struct icb_result result = {};
	u64 number, sum;
	unsigned int i;

	(void)state;
	dist = ICBENCH_SIZE_DIST_EXPONENTIAL;
	start(ICBENCH_TRIGGER_COMPLETION, ICBENCH_COMPLETION_POLL, 8 * 500);
	dist = ICBENCH_SIZE_DIST_FIXED;
	run->ops->report(run, &result);
	assert_ptr_equal(find(&result, "message_rate")->means, means);
	bytes = find(&result, "bandwidth")->means;
	assert_non_null(bytes);
	assert_int_equal(bytes->count, means->count);
	number = run->first;
	for (i = 0; i < means->count; i++) {
		sum = icb_run_bytes(run, true, number, means->over[i]);
		assert_int_equal(bytes->over[i], sum);
		assert_int_equal(bytes->under[i], means->under[i]);
		assert_true(bytes->over[i] != means->over[i] * params.size);
		number += means->over[i];
	}
	assert_in_range(number - run->first, 8 * 496, 8 * 500);
}

/*
 * Windows of an unreliable transport are batches only if no message was lost. Else the
 * responder's windows of messages that arrived are.
 */
static void test_lossy(void **state)
{
	struct icb_run *run = &pair.run[0];
	struct icb_result result = {};
	u64 arrived, ns;

	(void)state;
	transport = ICBENCH_TRANSPORT_UD;
	start(ICBENCH_TRIGGER_COMPLETION, ICBENCH_COMPLETION_POLL, 8 * 500);
	transport = ICBENCH_TRANSPORT_RC;
	assert_true(run->lossy && run->lost_known);
	assert_true(run->delivered && run->delivered < run->done);
	run->ops->report(run, &result);
	assert_ptr_equal(find(&result, "message_rate")->means, &run->peer_means);
	assert_in_range(run->peer_means.count, 8, ICB_MEANS - 1);
	arrived = total(run->peer_means.over, run->peer_means.count);
	assert_in_range(arrived, run->delivered * 9 / 10, run->delivered - 1);
	ns = total(run->peer_means.under, run->peer_means.count);
	assert_in_range(ns, 1, icb_clock_ns(run->ended - run->began) + 10000);
	run->delivered = run->done;
	memset(&result, 0, sizeof(result));
	run->ops->report(run, &result);
	assert_ptr_equal(find(&result, "message_rate")->means, &run->means);
	run->lost_known = false;
	memset(&result, 0, sizeof(result));
	run->ops->report(run, &result);
	assert_null(find(&result, "message_rate")->means);
}

/* Open loop: latencies, and percentiles of sufficiently large batches. */
static void test_openloop(void **state)
{
	const struct icb_run *run = &pair.run[0];
	const struct icb_hist *hist = run->hist;
	struct icb_result result = {};

	(void)state;
	start(ICBENCH_TRIGGER_CLOCK, ICBENCH_COMPLETION_POLL, 512 * 10);
	hist = &run->hist[ICB_HIST_LATENCY];
	assert_int_equal(pair.batches.size, 512);
	assert_int_equal(pair.batches.count, 10);
	assert_int_equal(run->means.size, 256);
	assert_int_equal(run->means.count, 20);
	assert_int_equal(total(run->means.under, 20), hist->count);
	assert_int_equal(total(run->means.over, 20),
			 (u64)hist->sum + hist->origin * hist->count);
	run->ops->report(run, &result);
	assert_string_equal(result.metric[0].name, "latency");
	assert_ptr_equal(result.metric[0].means, &run->means);
	assert_ptr_equal(result.metric[0].batches, &pair.batches);
	assert_null(find(&result, "message_rate")->means);
}

/* Ping-pong: the batches of percentiles have other sizes, 64 and then 16. */
static void test_echo(void **state)
{
	const struct icb_run *run = &pair.run[0];

	(void)state;
	start(ICBENCH_TRIGGER_ECHO, ICBENCH_COMPLETION_MEMORY, 1000);
	assert_int_equal(pair.batches.size, 64);
	assert_int_equal(pair.batches.count, 1000 / 64);
	assert_int_equal(run->means.size, 32);
	assert_int_equal(run->means.count, 1000 / 32);
	assert_int_equal(total(run->means.under, run->means.count), 992);
}

/*
 * The rate of both directions together has no batches: each direction has its own.
 */
static void test_both_ways(void **state)
{
	const struct mode mode = { .name = "both ways",
		.trigger = ICBENCH_TRIGGER_COMPLETION,
		.verb = ICBENCH_VERB_WRITE, .direction = ICBENCH_DIRECTION_BI,
		.completion = ICBENCH_COMPLETION_POLL };
	struct icb_result result = {};

	(void)state;
	mode_params(&mode, &params);
	mode_config(&mode, 3, &config);
	params.window = 8;
	params.refill = 4;
	params.batch = 1;
	params.signal_every = 2;
	params.iterations = 400;
	pair_run(&pair, &params, &config);
	pair.run[0].ops->report(&pair.run[0], &result);
	assert_null(find(&result, "message_rate")->means);
	assert_ptr_equal(find(&result, "own_message_rate")->means,
			 &pair.run[0].means);
	assert_ptr_equal(find(&result, "peer_message_rate")->means,
			 &pair.run[0].peer_means);
	assert_in_range(pair.run[0].peer_means.count, 8, ICB_MEANS - 1);
	assert_in_range(total(pair.run[0].peer_means.over,
			      pair.run[0].peer_means.count), 1,
			pair.run[1].done);
	/* the sum, but for rounding */
	assert_in_range(find(&result, "own_message_rate")->value +
			find(&result, "peer_message_rate")->value,
			find(&result, "message_rate")->value - 1,
			find(&result, "message_rate")->value + 1);
}

/* A report is refused if its parts are greater than its whole. */
static void test_plausible(void **state)
{
	static const struct {
		struct icb_means means;
		bool good;
	} rows[] = {
		{ { .count = 0 }, true },
		{ { .count = 2, .over = { 4, 6 }, .under = { 50, 50 } }, true },
		{ { .count = 2, .over = { 4, 7 }, .under = { 50, 50 } }, false },
		{ { .count = 2, .over = { 4, 6 }, .under = { 50, 51 } }, false },
		{ { .count = 2, .over = { 0, 6 }, .under = { 50, 50 } }, false },
		{ { .count = 2, .over = { 4, 6 }, .under = { 50, 0 } }, false },
		/* the sum wraps */
		{ { .count = 2, .over = { U64_MAX, 2 }, .under = { 1, 1 } }, false },
		{ { .count = 2, .over = { 1, 1 }, .under = { U64_MAX, 2 } }, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		assert_row(i, icb_means_plausible(&rows[i].means, 10, 100) ==
			      rows[i].good);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_lossy),
		cmocka_unit_test(test_openloop),
		cmocka_unit_test(test_echo),
		cmocka_unit_test(test_both_ways),
		cmocka_unit_test(test_plausible),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	pair_free(&pair);
	return failed;
}
