// SPDX-License-Identifier: GPL-2.0
/* Only a sample above the threshold ends the run, apart from its usual end. */
#include "check.h"
#include "engine/prepare.h"
#include "engine/run.h"
#include "mode.h"
#include "unit.h"

#define ITERATIONS	120

static struct pair pair;
static struct pair_config config;
static struct icb_params params;

static const struct mode calls[] = {
	{ .name = "register", .verb = ICBENCH_VERB_REGISTER,
	  .trigger = ICBENCH_TRIGGER_RETURN,
	  .completion = ICBENCH_COMPLETION_POLL },
	{ .name = "connect", .verb = ICBENCH_VERB_CONNECT,
	  .trigger = ICBENCH_TRIGGER_RETURN,
	  .completion = ICBENCH_COMPLETION_POLL },
};

static void run(const struct mode *mode, u64 threshold)
{
	mode_params(mode, &params);
	mode_config(mode, 5, &config);
	params.warmup = 9;
	params.iterations = ITERATIONS;
	if (threshold)
		assert_int_equal(icb_params_set_number(&params,
						       icb_param_by_name("threshold"),
						       threshold, NULL), 0);
	memset(&disturb_beyond, 0, sizeof(disturb_beyond));
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, pair.complete ? NULL : "was cut short",
		    "threshold", threshold);
}

static void expect_none(const struct mode *mode)
{
	struct icb_reason why = { "as it was" };

	mode_expect(&pair, mode, pair.run[0].beyond.number ||
		    disturb_beyond.calls ? "a sample is beyond" : NULL,
		    "threshold", params.threshold);
	assert_int_equal(pair.run[0].done, ITERATIONS);
	assert_false(icb_run_beyond_words(&pair.run[0], &why));
	assert_string_equal(why.text, "as it was");
}

/* The last sample is the first one above the threshold, and is booked like any other. */
static void expect_beyond(const struct mode *mode, u64 limit)
{
	const struct icb_run *run = &pair.run[0];

	mode_expect(&pair, mode, run->beyond.number ? NULL :
		    "no sample is beyond", "threshold", params.threshold);
	assert_int_equal(run->beyond.number, run->done);
	assert_int_equal(run->hist[0].count, run->done);
	assert_int_equal(run->hist[0].max, run->beyond.ns);
	assert_true(run->beyond.ns > limit);
	assert_int_equal(run->consumer.stop, ICB_STOP_NONE);
	assert_int_equal(disturb_beyond.calls, 1);
	assert_int_equal(disturb_beyond.number, run->beyond.number);
	assert_int_equal(disturb_beyond.ns, run->beyond.ns);
}

/* A threshold above all samples ends nothing; a lower one ends the run. */
static void expect_threshold(const struct mode *mode)
{
	u64 max, min;
	u32 divisor;

	run(mode, 0);
	expect_none(mode);
	divisor = icb_run_divisor(&pair.run[0]);
	max = pair.run[0].hist[0].max;
	min = pair.run[0].hist[0].min;
	run(mode, max / divisor * 2 + 1);
	expect_none(mode);
	if (min < divisor * 2)
		return;
	run(mode, min / divisor - 1);
	expect_beyond(mode, (min / divisor - 1) * divisor);
	assert_int_equal(pair.run[0].done, 1);
	/* here the clock gives the same samples each time */
	if (max / divisor > 1 && max % divisor == 0 && max > min) {
		run(mode, max / divisor - 1);
		expect_beyond(mode, max - divisor);
	}
}

static void test_loops(void **state)
{
	const struct mode *mode;
	unsigned int i;

	(void)state;
	for (mode = mode_table; mode < mode_table + MODES; mode++)
		if (mode->trigger == ICBENCH_TRIGGER_ECHO)
			expect_threshold(mode);
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		expect_threshold(&calls[i]);
}

/*
 * In a stream, the sample is an interval. Operations in flight then complete, and belong
 * to the run.
 */
static void expect_stream(const struct mode *mode)
{
	const struct icb_hist *interval = &pair.hist[ICB_HIST_INTERVAL];
	const struct icb_run *run = &pair.run[0];

	mode_expect(&pair, mode, pair.complete ? NULL : "was cut short",
		    "threshold", params.threshold);
	assert_int_equal(run->beyond.number, 1);
	assert_true(run->beyond.ns > params.threshold);
	assert_int_equal(disturb_beyond.calls, 1);
	assert_true(interval->count >= 1);
	assert_true(run->done < 600);
	assert_int_equal(run->acked, run->seq);
}

static void test_streams(void **state)
{
	const struct mode *mode;
	unsigned int i;

	(void)state;
	for (mode = stream_table; mode < stream_table + STREAMS; mode++)
		for (i = 1; i <= 7; i += 3) {
			mode_params(mode, &params);
			mode_config(mode, i, &config);
			params.window = 10;
			params.refill = i;
			params.batch = 1;
			params.signal_every = i == 7 ? 3 : 1;
			params.iterations = 600;
			params.threshold = 1;
			icb_params_preset(&params, ICBENCH_A_PARAMS_THRESHOLD, 1);
			memset(&disturb_beyond, 0, sizeof(disturb_beyond));
			pair_run(&pair, &params, &config);
			expect_stream(mode);
		}
}

/* In an open loop, no further operation is posted; those in flight are samples, too. */
static void test_open(void **state)
{
	static const u32 completions[] = {
		ICBENCH_COMPLETION_POLL, ICBENCH_COMPLETION_BLOCK,
		ICBENCH_COMPLETION_SOFTIRQ, ICBENCH_COMPLETION_WORKQUEUE };
	struct mode mode = {
		.name = "open loop", .verb = ICBENCH_VERB_SEND,
		.trigger = ICBENCH_TRIGGER_CLOCK };
	const struct icb_run *run = &pair.run[0];
	unsigned int i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(completions); i++)
		for (j = 0; j < 3; j++) {
			mode.completion = completions[i];
			mode_params(&mode, &params);
			mode_config(&mode, j, &config);
			config.net.no_log = true;
			params.rate = (const u64[]){ 20000, 1000000,
						     100000000 }[j];
			params.window = 8;
			params.iterations = 500;
			icb_params_preset(&params, ICBENCH_A_PARAMS_THRESHOLD, 1);
			memset(&disturb_beyond, 0, sizeof(disturb_beyond));
			pair_run(&pair, &params, &config);
			mode_expect(&pair, &mode,
				    pair.complete ? NULL : "was cut short",
				    "threshold", j);
			assert_int_equal(run->beyond.number, 1);
			assert_int_equal(disturb_beyond.calls, 1);
			assert_true(run->done >= 1 && run->done < 200);
			assert_int_equal(run->hist[0].count, run->done);
			assert_int_equal(run->acked, run->seq);
		}
}

/* Warm-up operations are not samples. */
static u32 first_measured(u64 sample)
{
	return sample == 10 ? BIT(ICB_CAUSE_TICK) | BIT(ICB_CAUSE_STEAL) : 0;
}

static u32 every_cause(u64 sample)
{
	(void)sample;
	return BIT(ICB_CAUSES) - 1;
}

static void expect_words(bool attribute, const char *causes)
{
	static const struct mode mode = {
		.name = "send poll", .verb = ICBENCH_VERB_SEND,
		.completion = ICBENCH_COMPLETION_POLL };
	struct icb_reason why, expected;

	mode_params(&mode, &params);
	mode_config(&mode, 6, &config);
	params.warmup = 9;
	params.attribute = attribute;
	icb_params_preset(&params, ICBENCH_A_PARAMS_THRESHOLD, 1);
	pair_run(&pair, &params, &config);
	assert_true(icb_run_beyond_words(&pair.run[0], &why));
	icb_refuse(&expected, 0, "sample 1 took %llu ns, threshold 1 ns%s",
		   (unsigned long long)pair.run[0].beyond.ns / 2, causes);
	assert_string_equal(why.text, expected.text);
}

static void test_words(void **state)
{
	(void)state;
	expect_words(false, "");
	expect_words(true, "; disturbed by nothing known");
	disturb_causes = first_measured;
	expect_words(true, "; disturbed by tick, steal");
	disturb_causes = every_cause;
	expect_words(true, "; disturbed by tick, timer, interrupt, ipi, softirq, preemption, migration, steal, nmi, peer");
	disturb_waited = 3000;
	expect_words(true, "; disturbed by tick, timer, interrupt, ipi, softirq, preemption, migration, steal, runqueue, nmi, peer");
	disturb_waited = 0;
	disturb_causes = NULL;
}

/* A run without such samples, or without a threshold, is not ended. */
static void test_prepared(void **state)
{
	struct icb_run none = { .params = &params };

	(void)state;
	memset(&params, 0, sizeof(params));
	icb_params_init(&params);
	icb_run_prepare_local(&none);
	assert_true(none.limit == U64_MAX);
	icb_params_preset(&params, ICBENCH_A_PARAMS_THRESHOLD,
			  ICBENCH_MAX_THRESHOLD);
	icb_run_prepare_local(&none);
	assert_true(none.limit == ICBENCH_MAX_THRESHOLD * 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_prepared),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	pair_free(&pair);
	return failed;
}
