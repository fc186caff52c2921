// SPDX-License-Identifier: GPL-2.0
/* Ping-pongs whose messages cross, with and without faults. */
#include "engine/bench.h"
#include "engine/message.h"
#include "engine/result.h"
#include "unit.h"
#include <unistd.h>
#include "check.h"
#include "host/clock.h"
#include "mode.h"
#include "pick.h"

static struct pair pair;

static void expect_complete(const struct mode *mode, const char *where,
			    u64 number)
{
	mode_expect(&pair, mode, check_complete(&pair), where, number);
}

/* CPU time of the measured part, with a small tolerance. */
static void expect_cpu(const struct icb_metric *metric, u64 messages)
{
	const struct icb_run *run = &pair.run[0];
	u64 busy = run->busy[1].ns - run->busy[0].ns, want;

	assert_string_equal(metric->name, "cpu_per_message");
	assert_int_equal(metric->unit, ICBENCH_UNIT_NS);
	assert_int_equal(metric->divisor, 1000);
	want = busy * 1000 / messages;
	assert_true(metric->value + want / 1000 + 1 >= want &&
		    metric->value <= want + want / 1000 + 1);
	assert_true(busy >= 3 * icb_clock_ns(run->ended - run->began) / 2);
}

#define for_each_crossing(mode)						\
	for ((mode) = crossing_table; (mode) < crossing_table + CROSSINGS; \
	     (mode)++)

/* Crossing messages, as early and as late as possible, each compared. */
static void test_crossing(void **state)
{
	struct pair_config config;
	struct icb_params params;
	const struct mode *mode;
	u64 seed, late;

	(void)state;
	for_each_crossing(mode) {
		late = 0;
		for (seed = 0; seed < 1000; seed++) {
			mode_params(mode, &params);
			mode_config(mode, seed, &config);
			params.seed = seed;
			params.verify = PICK(seed, 0, 1, 1);
			params.size = mode_size(mode, PICK(seed, 1, 2, 9, 64));
			params.iterations = PICK(seed, 1, 2, 5, 30);
			params.warmup = PICK(seed, 0, 1, 6);
			params.signal_every = PICK(seed, 1, 2, 5, 64);
			config.net.spurious = PICK(seed, 0, 300);
			config.net.delay = PICK(seed, 0, 500, 5000);
			config.net.jitter = PICK(seed, 0, 1500, 9000);
			config.task.preempt = PICK(seed, 0, 300, 3000);
			params.timeout = 1000000;
			pair_run(&pair, &params, &config);
			expect_complete(mode, "crossing", seed);
			assert_int_equal(pair.run[0].tx.count, 4);
			late += icb_run_sent(&pair.run[0]) - pair.side[1].seen;
		}
		/* a late last message is caught up with; with one thread none is late */
		mode_expect(&pair, mode, !late == mode->one_thread ? NULL :
			    "another number came late", "late", late);
	}
}

/* Wrong content is found in any buffer, at any time. */
static void test_crossing_corrupt(void **state)
{
	struct pair_config config;
	struct icb_params params;
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_crossing(mode)
		for (side = 0; side < 2; side++)
			for (n = 1; n <= 16; n++) {
				mode_params(mode, &params);
				mode_config(mode, n, &config);
				params.verify = 1;
				config.net.faults[side].corrupt = n;
				config.net.faults[side].corrupt_byte = n % 23;
				pair_run(&pair, &params, &config);
				mode_expect(&pair, mode, check_pair(&pair),
					    "corrupt", n);
				assert_true(pair.complete);
				assert_int_equal(pair.run[side].errors, 0);
				assert_int_equal(pair.run[!side].errors, 1);
				assert_int_equal(pair.side[!side].compared,
						 -EBADMSG);
			}
}

/* Without verify, the last message is compared, whichever side counted it. */
static void test_crossing_last(void **state)
{
	struct pair_config config;
	struct icb_params params;
	const struct mode *mode;
	unsigned int side;
	u64 seed;

	(void)state;
	for_each_crossing(mode)
		for (side = 0; side < 2; side++)
			for (seed = 0; seed < 50; seed++) {
				mode_params(mode, &params);
				mode_config(mode, seed, &config);
				config.net.faults[side].corrupt =
					params.warmup + params.iterations;
				pair_run(&pair, &params, &config);
				mode_expect(&pair, mode, check_pair(&pair),
					    "corrupt last", seed);
				assert_true(pair.complete);
				assert_int_equal(pair.side[side].compared, 0);
				assert_int_equal(pair.side[!side].compared,
						 -EBADMSG);
			}
}

/*
 * The latency of a crossing is not divided by two, and the responder's messages count as
 * well.
 */
static void test_crossing_report(void **state)
{
	struct icb_result result = { 0 };
	struct pair_config config;
	struct icb_params params;
	const struct mode *mode;
	u64 elapsed;

	(void)state;
	for_each_crossing(mode) {
		mode_params(mode, &params);
		mode_config(mode, 3, &config);
		pair_run(&pair, &params, &config);
		expect_complete(mode, "report", 0);
		elapsed = icb_clock_ns(pair.run[0].ended - pair.run[0].began);
		memset(&result, 0, sizeof(result));
		pair.run[0].ops->report(&pair.run[0], &result);
		assert_string_equal(result.metric[0].name, "latency");
		assert_int_equal(result.metric[0].divisor, 1);
		assert_string_equal(result.metric[--result.count].name,
				    "wakeups_per_message");
		assert_int_equal(result.metric[result.count].value,
				 1000 * pair.run[0].wakes / 12);
		assert_string_equal(result.metric[result.count - 6].name,
				    "message_rate");
		assert_int_equal(result.metric[result.count - 6].value,
				 2 * 12 * 1000000000000ULL / elapsed);
		expect_cpu(&result.metric[result.count - 3], 2 * 12);
	}
}

static void stop_crossing(void *arg)
{
	(void)arg;
	if (!pair.side[0].over)
		net_end(&pair.net.ep[0], ICB_STOP_REQUEST, 0);
}

static bool is_fine(void)
{
	return pair.complete && !pair.side[0].compared &&
	       !pair.side[1].compared;
}

/* Any fault of either side at any message: the run ends, without a hang. */
static void test_crossing_faults(void **state)
{
	struct pair_config config;
	struct icb_params params;
	struct net_faults *faults;
	const struct mode *mode;
	unsigned int what;
	u64 n;

	(void)state;
	for_each_crossing(mode)
		for (what = 0; what < 18; what++)
			for (n = 1; n < 16; n++) {
				mode_params(mode, &params);
				mode_config(mode, n, &config);
				params.verify = n & 1;
				faults = &config.net.faults[what & 1];
				faults->post = what / 2 == 0 ? n : 0;
				faults->send = what / 2 == 1 ? n : 0;
				faults->recv = what / 2 == 2 ? n : 0;
				faults->truncate = what / 2 == 3 ? n : 0;
				faults->drop = what / 2 == 4 ? n : 0;
				faults->refill = what / 2 == 5 ? n : 0;
				faults->poll = what / 2 == 6 ? n : 0;
				faults->no_cpl_from = what / 2 == 7 ? n : 0;
				config.net.hook = stop_crossing;
				config.net.hook_at = what / 2 == 8 ?
					n * 20 + (what & 1) * 7 : 0;
				pair_run(&pair, &params, &config);
				mode_expect(&pair, mode, check_pair(&pair),
					    "fault", 100 * what + n);
				/*
				 * a run in which one message is missing continues on both
				 * sides; the count or the content shows it
				 */
				if (what / 2 == 0 ||
				    (what / 2 == 4 && (params.verify ||
						       !(what & 1))))
					mode_expect(&pair, mode, is_fine() ?
						    "nobody noticed" : NULL,
						    "fault", 100 * what + n);
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
		cmocka_unit_test(test_crossing),
		cmocka_unit_test(test_crossing_corrupt),
		cmocka_unit_test(test_crossing_last),
		cmocka_unit_test(test_crossing_report),
		cmocka_unit_test(test_crossing_faults),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
