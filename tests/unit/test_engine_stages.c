// SPDX-License-Identifier: GPL-2.0
/* Stages between the arrival of a message and the thread that waits for it. */
#include "unit.h"
#include <unistd.h>
#include "check.h"
#include "host/clock.h"
#include "mode.h"

static struct pair pair;

#define EVENTS	(BIT(ICBENCH_COMPLETION_SOFTIRQ) |	\
		 BIT(ICBENCH_COMPLETION_WORKQUEUE) |	\
		 BIT(ICBENCH_COMPLETION_BLOCK) |	\
		 BIT(ICBENCH_COMPLETION_ADAPTIVE) |	\
		 BIT(ICBENCH_COMPLETION_TIMER))

static bool has_events(const struct mode *mode)
{
	return EVENTS & BIT(mode->completion);
}

/* Sum of the values in a distribution. */
static u64 sum_of(const struct icb_hist *hist)
{
	return hist->count * hist->origin + (u64)hist->sum;
}

static void prepare(const struct mode *mode, u64 seed,
		    struct icb_params *params, struct pair_config *config)
{
	mode_params(mode, params);
	mode_config(mode, seed, config);
	params->stages = 1;
	params->iterations = 40;
	params->verify = seed % 2;
	params->signal_every = mode_signal(mode, 3);
	params->seed = seed;
	/* a tick is 1 ns: nothing is rounded */
	config->task.khz = 1000000;
	params->timeout = 1500000;
	if (params->completion == ICBENCH_COMPLETION_ADAPTIVE)
		params->spin = seed % 3 * 1000;
}

static void watch(struct icb_params *params)
{
	icb_params_preset(params, ICBENCH_A_PARAMS_SHADOW_CPU, 3);
}

static void run(const struct mode *mode, const struct icb_params *params,
		const struct pair_config *config, const char *where, u64 seed)
{
	memset(&disturb_stages, 0, sizeof(disturb_stages));
	pair_run(&pair, params, config);
	mode_expect(&pair, mode, check_complete(&pair), where, seed);
}

static const struct icb_metric *metric(const struct icb_result *result,
				       const char *name)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		if (!strcmp(result->metric[i].name, name))
			return &result->metric[i];
	return NULL;
}

static u64 handled(const struct icb_stages *stages)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < ICB_HANDLED; i++)
		sum += stages->handled[i];
	return sum;
}

/* The trace has the booked stages, and shows which stages are missing. */
static void expect_traced(const struct mode *mode, bool watched)
{
	const struct icb_spans *spans = &disturb_stages.spans;
	u64 count = pair.hist[ICB_HIST_INTERRUPT].count;

	assert_int_equal(disturb_stages.calls, count);
	if (!count)
		return;
	assert_in_range(disturb_stages.number, count, 40);
	assert_int_equal(spans->deliver == -1, !watched);
	assert_int_equal(spans->reap == -1, mode_callbacks(mode));
	assert_int_equal(max_t(s64, spans->deliver, 0) + spans->handler +
			 spans->wake + max_t(s64, spans->reap, 0), spans->whole);
}

/* Each message with an event is in all stages or in none. */
static void expect_sums(const struct mode *mode, bool watched)
{
	const struct icb_stages *stages = &pair.run[0].stages;
	const struct icb_hist *hist = pair.hist;
	u64 count = hist[ICB_HIST_INTERRUPT].count;

	assert_int_equal(count + stages->awake + stages->unseen +
			 stages->late, stages->with_event);
	assert_true(stages->with_event <= 40);
	assert_int_equal(hist[ICB_HIST_DELIVER].count, watched ? count : 0);
	assert_int_equal(hist[ICB_HIST_HANDLER].count, count);
	assert_int_equal(hist[ICB_HIST_WAKE].count, count);
	assert_int_equal(hist[ICB_HIST_REAP].count,
			 mode_callbacks(mode) ? 0 : count);
	assert_int_equal(hist[ICB_HIST_RESIDUE].count, count);
	assert_int_equal(handled(stages), count);
	assert_int_equal(stages->same + stages->cross, count);
	if (count) {
		assert_int_equal(hist[ICB_HIST_HANDLER].min, NET_HANDLER);
		assert_int_equal(hist[ICB_HIST_HANDLER].max, NET_HANDLER);
	}
}

static void test_sums(void **state)
{
	struct pair_config config;
	struct icb_params params;
	const struct mode *mode;
	u64 seed, told;

	(void)state;
	for (mode = mode_table; mode < mode_table + MODES; mode++) {
		if (!has_events(mode))
			continue;
		for (seed = 0, told = 0; seed < 60; seed++) {
			const struct icb_stages *stages = &pair.run[0].stages;
			const struct icb_hist *hist = pair.hist;
			bool watched = seed % 4 < 2;

			prepare(mode, seed, &params, &config);
			if (watched)
				watch(&params);
			run(mode, &params, &config, "stages", seed);
			expect_sums(mode, watched);
			expect_traced(mode, watched);
			assert_int_equal(sum_of(&hist[ICB_HIST_DELIVER]) +
					 sum_of(&hist[ICB_HIST_HANDLER]) +
					 sum_of(&hist[ICB_HIST_WAKE]) +
					 sum_of(&hist[ICB_HIST_REAP]),
					 sum_of(&hist[ICB_HIST_INTERRUPT]));
			assert_true(!hist[ICB_HIST_RESIDUE].max);
			assert_int_equal(stages->disagree, 0);
			assert_int_equal(stages->unseen, 0);
			assert_true(mode->completion ==
				    ICBENCH_COMPLETION_TIMER ||
				    (!stages->late && !stages->spurious));
			told += hist[ICB_HIST_INTERRUPT].count;
			if (!watched || !hist[ICB_HIST_DELIVER].count)
				continue;
			assert_true(hist[ICB_HIST_DELIVER].min >= NET_DELIVER);
			/*
			 * the last byte of an answer, or of a write that is notified of,
			 * is visible before its completion
			 */
			if (!mode_verb(mode)->passive && !mode_verb(mode)->note &&
			    mode->completion != ICBENCH_COMPLETION_TIMER)
				assert_int_equal(hist[ICB_HIST_DELIVER].max,
						 NET_DELIVER);
		}
		/* in most of these runs, the waiting thread does sleep */
		assert_true(told > 100);
	}
}

/* Events without a message, and none before a message. */
static void test_spurious(void **state)
{
	struct pair_config config;
	struct icb_params params;
	const struct mode *mode;
	u64 seed, spurious, missing;

	(void)state;
	for (mode = mode_table; mode < mode_table + MODES; mode++) {
		if (mode->completion != ICBENCH_COMPLETION_BLOCK)
			continue;
		for (seed = 0, spurious = 0, missing = 0; seed < 60; seed++) {
			const struct icb_stages *stages = &pair.run[0].stages;

			prepare(mode, seed, &params, &config);
			watch(&params);
			config.net.spurious = 300;
			run(mode, &params, &config, "spurious", seed);
			expect_sums(mode, true);
			assert_true(stages->spurious <=
				    pair.net.ep[0].own.spurious);
			assert_true(stages->missing <= pair.net.ep[0].own.missed);
			assert_true(stages->events >= stages->with_event);
			assert_int_equal(stages->disagree, 0);
			spurious += stages->spurious;
			missing += stages->missing;
		}
		assert_true(spurious > 100 && missing > 10);
	}
}

/* Arrivals that the shadow CPU does not see are not estimated. */
static void test_unseen(void **state)
{
	struct pair_config config;
	struct icb_params params;
	const struct mode *mode;
	unsigned int late;
	u64 seed, unseen;

	(void)state;
	for (mode = mode_table; mode < mode_table + MODES; mode++) {
		if (mode->completion != ICBENCH_COMPLETION_BLOCK)
			continue;
		for (seed = 0, unseen = 0; seed < 60; seed++) {
			const struct icb_stages *stages = &pair.run[0].stages;

			prepare(mode, seed, &params, &config);
			watch(&params);
			late = seed / 2 % 2;
			config.net.unseen_arrivals = late ? 0 : 300;
			config.net.late_arrivals = late ? 300 : 0;
			run(mode, &params, &config, "unseen", seed);
			expect_sums(mode, true);
			assert_true(stages->unseen + stages->late <=
				    pair.net.ep[0].own.unseen);
			assert_true(late ? !stages->unseen : !stages->late);
			/* and some arrived without an event */
			assert_true(stages->unseen + stages->late +
				    stages->awake +
				    40 - stages->with_event >=
				    pair.net.ep[0].own.unseen);
			assert_int_equal(stages->disagree, 0);
			unseen += stages->unseen + stages->late;
		}
		assert_true(unseen > 50);
	}
}

/* Clocks that differ by more than their known uncertainty. */
static void test_skew(void **state)
{
	struct pair_config config;
	struct icb_params params;
	const struct mode *mode = mode_table;
	u64 seed, told = 0, disagree = 0;

	(void)state;
	while (mode->completion != ICBENCH_COMPLETION_BLOCK)
		mode++;
	for (seed = 0; seed < 60; seed++) {
		const struct icb_stages *stages = &pair.run[0].stages;
		const struct icb_hist *hist = pair.hist;

		prepare(mode, seed, &params, &config);
		config.net.skew = 1000000;
		pair.run[0].stages.error = 0;
		run(mode, &params, &config, "skew", seed);
		expect_sums(mode, false);
		assert_int_equal(stages->disagree,
				 hist[ICB_HIST_INTERRUPT].count);
		/* negative values are counted as 0 */
		assert_true(!hist[ICB_HIST_WAKE].max);
		disagree += stages->disagree;
		told += stages->with_event;
	}
	assert_true(disagree > 100);
}

static void test_off(void **state)
{
	static const char *const names[] = {
		"deliver", "handler", "wake", "reap", "rearm", "interrupt",
		"residue", "stages_disagree", "completions_per_event",
		"events_before_sleep", "spurious_wakeups", "missed_events",
		"arrivals_unseen", "arrivals_late", "clock_offset",
	};
	struct icb_result result;
	struct pair_config config;
	struct icb_params params;
	const struct mode *mode;
	unsigned int i;
	u64 on;

	(void)state;
	for (mode = mode_table; mode < mode_table + MODES; mode++)
		for (on = 0; on < 2; on++) {
			bool polled = mode_callbacks(mode);
			bool asks = mode->completion ==
				    ICBENCH_COMPLETION_BLOCK;

			if (!has_events(mode))
				continue;
			prepare(mode, 0, &params, &config);
			params.stages = on;
			if (on)
				watch(&params);
			run(mode, &params, &config, "report", on);
			memset(&result, 0, sizeof(result));
			pair.run[0].ops->report(&pair.run[0], &result);
			for (i = 0; !on && i < ARRAY_SIZE(names); i++)
				assert_null(metric(&result, names[i]));
			if (!on || !pair.hist[ICB_HIST_INTERRUPT].count)
				continue;
			assert_non_null(metric(&result, "deliver"));
			assert_non_null(metric(&result, "interrupt"));
			assert_true(!metric(&result, "reap") == polled);
			assert_true(!metric(&result, "rearm") != asks ||
				    mode->completion ==
				    ICBENCH_COMPLETION_ADAPTIVE);
			assert_non_null(metric(&result, "wakes_cross_cpu"));
			assert_non_null(metric(&result, "arrivals_unseen"));
			/* with one CPU there is no offset */
			assert_null(metric(&result, "clock_offset"));
		}
}

/* Idle CPUs of the waiting thread are counted only if the state is known for each event. */
static void test_idle(void **state)
{
	struct icb_result result;
	struct pair_config config;
	struct icb_params params;
	const struct icb_metric *wakes;
	const struct mode *mode;
	u64 vague, all = 0;

	(void)state;
	for (mode = mode_table; mode < mode_table + MODES; mode++)
		for (vague = 0; vague < 2; vague++) {
			if (!has_events(mode))
				continue;
			prepare(mode, 0, &params, &config);
			params.stages = 1;
			config.net.idle_unknown = vague;
			run(mode, &params, &config, "idle", vague);
			memset(&result, 0, sizeof(result));
			pair.run[0].ops->report(&pair.run[0], &result);
			wakes = metric(&result, "wakes_from_idle");
			if (vague || mode_callbacks(mode) ||
			    !pair.hist[ICB_HIST_INTERRUPT].count) {
				assert_null(wakes);
				continue;
			}
			assert_non_null(wakes);
			assert_true(wakes->value <=
				    pair.hist[ICB_HIST_INTERRUPT].count);
			all += wakes->value;
		}
	assert_true(all);
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
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_spurious),
		cmocka_unit_test(test_unseen),
		cmocka_unit_test(test_skew),
		cmocka_unit_test(test_off),
		cmocka_unit_test(test_idle),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
