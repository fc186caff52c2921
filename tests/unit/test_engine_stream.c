// SPDX-License-Identifier: GPL-2.0
/* The loops of trigger completion in runs without a fault: windows, both directions. */
#include "engine/account.h"
#include "engine/message.h"
#include "unit.h"
#include <unistd.h>
#include "host/clock.h"
#include "pick.h"
#include "streams.h"

/*
 * Each stream with random values of all parameters that affect the loop, with many
 * timings.
 */
static void test_seeds(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for_each_stream(mode)
		for (seed = 0; seed < 130; seed++) {
			prepare(mode, seed);
			params.seed = seed;
			params.size = mode_size(mode, PICK(seed, 1, 8, 24));
			params.sges = mode_sges(mode, params.size,
						PICK(seed, 1, 1, 2, 5));
			params.iterations = PICK(seed, 1, 2, 25, 101, 150);
			params.warmup = PICK(seed, 0, 1, 5, 64, 107);
			config.net.one_cpu = PICK(seed, 0, 1);
			config.net.spurious = PICK(seed, 0, 300);
			config.net.delay = PICK(seed, 0, 500, 5000);
			config.net.jitter = PICK(seed, 0, 1500, 5000);
			config.net.ack_jitter = PICK(seed, 0, 3000, 9000);
			config.task.khz = PICK(seed, 3000000, 25000);
			params.timeout = 1500000000000ULL / config.task.khz;
			run_complete(mode, "run", seed);
		}
}

/* Other tasks are scheduled after each post. */
static void test_turns(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for_each_stream(mode)
		for (seed = 0; seed < 60; seed++) {
			prepare(mode, seed);
			config.stretch = 1;
			params.iterations = PICK(seed, 1, 2, 25, 101, 150);
			params.warmup = PICK(seed, 0, 1, 5, 64, 107);
			config.net.delay = PICK(seed, 0, 500, 5000);
			config.net.jitter = PICK(seed, 0, 1500, 5000);
			config.net.ack_jitter = PICK(seed, 0, 3000, 9000);
			run_complete(mode, "turns", seed);
		}
}

/* Any number of operations, also if it fills no window, refill or batch. */
static void test_odd(void **state)
{
	const struct mode *mode;
	u64 ops;

	(void)state;
	for_each_stream(mode)
		for (ops = 1; ops < 60; ops++) {
			prepare(mode, ops);
			set_shape(&shapes[ops * 5 % ARRAY_SIZE(shapes)]);
			params.iterations = ops;
			params.warmup = ops * 7 % 11;
			run_complete(mode, "operations", ops);
		}
}

/* Number of windows of a phase; the last one may be shorter. */
static u64 windows(u64 operations)
{
	return (operations + params.window - 1) / params.window;
}

static void expect_answers(const struct mode *mode, u64 number)
{
	u64 total = params.warmup + params.iterations;
	u64 answers = windows(params.warmup) + windows(params.iterations);
	const struct icb_run *run = &pair.run[0];

	expect(mode, !pair.net.wrong[0], pair.net.wrong, "answers", number);
	expect(mode, !pair.side[0].err && !pair.side[1].err, "it failed",
	       "answers", number);
	expect(mode, run->seq == total && run->acked == total &&
		     pair.run[1].seen == total && pair.net.ep[1].own.taken == total,
	       "posted, answered, received", "answers", number);
	expect(mode, run->done == params.iterations, "done", "answers", number);
	expect(mode, pair.net.ep[0].own.taken == answers &&
		     pair.net.ep[1].own.calls[NET_REPLY] == answers,
	       "an answer for each window", "answers", number);
	expect(mode, run->hist[ICB_HIST_INTERVAL].count ==
		     params.iterations / params.window, "intervals",
	       "answers", number);
	expect(mode, !pair.side[0].compared && !pair.side[1].compared,
	       "content", "answers", number);
}

/* Each window is answered, also the last one of a phase; without hang or loss. */
static void test_answers(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for (mode = answer_table; mode < answer_table + ANSWERS; mode++)
		for (seed = 0; seed < 150; seed++) {
			prepare(mode, seed);
			params.seed = seed;
			params.iterations = PICK(seed, 1, 2, 25, 101, 150);
			params.warmup = PICK(seed, 0, 1, 5, 64, 107);
			config.net.one_cpu = PICK(seed, 0, 1);
			config.net.jitter = PICK(seed, 0, 1500, 5000);
			config.net.ack_jitter = PICK(seed, 0, 3000);
			config.net.lenient = true;
			pair_run(&pair, &params, &config);
			expect_answers(mode, seed);
		}
}

/* A lost message is not answered: the run ends by its timeout, with a reason. */
static void test_answers_lost(void **state)
{
	const struct mode *mode;

	(void)state;
	for (mode = answer_table; mode < answer_table + ANSWERS; mode++) {
		prepare(mode, 3);
		config.net.faults[0].drop = 8;
		config.net.lenient = true;
		pair_run(&pair, &params, &config);
		expect(mode, pair.side[0].stop == ICB_STOP_TIMEOUT,
		       "it did not time out", "lost", 8);
		expect(mode, pair.run[1].seen < pair.run[0].seq,
		       "nothing was lost", "lost", 8);
	}
}

/* A run with a duration ends with a completion, and all work requests complete. */
static void test_duration(void **state)
{
	static const u64 durations[] = { 1, 1000, 30000, 100000 };
	const struct mode *mode;
	unsigned int i, j;

	(void)state;
	for_each_stream(mode)
		for (i = 0; i < ARRAY_SIZE(durations); i++)
			for (j = 0; j < ARRAY_SIZE(shapes); j++) {
				prepare(mode, j);
				params.set &= ~BIT_ULL(ICBENCH_A_PARAMS_ITERATIONS);
				icb_params_preset(&params,
						  ICBENCH_A_PARAMS_DURATION,
						  durations[i]);
				run_complete(mode, "duration", durations[i]);
				assert_true(pair.run[0].done);
			}
}

/* The timeout counts from the first message on, regardless of the time before. */
static void test_handshake(void **state)
{
	const struct mode *mode;

	(void)state;
	for_each_stream(mode) {
		prepare(mode, 9);
		config.handshake = 10000000;
		run_complete(mode, "handshake", 0);
	}
}

/* If a side is slow and its receives are used up, messages arrive later. */
static void test_slow(void **state)
{
	const struct mode *mode;
	u64 seed, waited = 0;

	(void)state;
	for_each_stream(mode)
		for (seed = 0; seed < 4; seed++) {
			prepare(mode, 11);
			config.task.seed = seed;
			/* more messages than a side has receives */
			params.iterations = 1200;
			params.timeout = 5000000;
			config.task.stall = 300000;
			config.task.preempt = 500;
			/* a stall would end the filling of a window in a callback */
			config.stretch = U64_MAX;
			config.net.delay = 0;
			config.net.jitter = 10;
			config.net.ack_jitter = 0;
			config.net.no_log = true;
			run_complete(mode, "slow", seed);
			waited += pair.net.ep[0].own.not_ready +
				  pair.net.ep[1].own.not_ready;
		}
	assert_true(waited);
}

/*
 * One thread for both sides, with one signaled completion for half a window. Arrivals are
 * processed in between, so that a receive is always available.
 */
static void test_abreast(void **state)
{
	const struct mode *mode;
	unsigned int i, tried = 0;

	(void)state;
	for_each_stream(mode) {
		if (!mode_verb(mode)->recv || !mode->one_thread)
			continue;
		for (i = 0; i < ARRAY_SIZE(shapes); i++) {
			prepare(mode, i);
			params.iterations = 3000;
			config.net.delay = 0;
			config.net.jitter = 0;
			config.net.ack_jitter = 0;
			run_complete(mode, "abreast", i);
			expect(mode, !pair.net.ep[0].own.not_ready &&
			       !pair.net.ep[1].own.not_ready,
			       "no receive was there", "abreast", i);
			tried++;
		}
	}
	assert_true(tried);
}

/*
 * A side that is done before the other side has measured continues until that has
 * happened.
 */
static void test_first(void **state)
{
	const struct mode *mode;
	u64 seed, tails;

	(void)state;
	for_each_stream(mode) {
		if (mode->direction != ICBENCH_DIRECTION_BI || mode->one_thread)
			continue;
		tails = 0;
		for (seed = 0; seed < 200; seed++) {
			prepare(mode, 0);
			config.task.seed = seed;
			config.task.preempt = 5000;
			config.task.stall = 200000;
			config.net.delay = 0;
			config.net.jitter = 10;
			config.net.ack_jitter = 0;
			params.iterations = 1;
			params.warmup = 0;
			/* the tail ends after the timeout, too */
			params.timeout = 5000000;
			run_complete(mode, "first", seed);
			tails += pair.run[0].tail;
		}
		expect(mode, tails, "nobody goes on", "first", tails);
	}
}

/* The end overtakes messages, which are counted after the loop. */
static void test_catch_up(void **state)
{
	const struct mode *mode;
	u64 seed, late, total;

	(void)state;
	for_each_stream(mode) {
		if (!mode_verb(mode)->recv || mode->one_thread)
			continue;
		late = 0;
		for (seed = 0; seed < 150; seed++) {
			prepare(mode, 9);
			config.task.seed = seed;
			config.task.preempt = 2000;
			config.task.stall = 30000;
			run_complete(mode, "late", seed);
			total = icb_run_sent(&pair.run[0]);
			late += total - pair.side[1].seen;
		}
		expect(mode, late, "nothing came late", "late", late);
	}
}

/* The report of the other side's stream has to be consistent with the arrivals. */
static void test_returned(void **state)
{
	static const struct icb_returns lies[] = {
		{ .sent = -1, .counted = -1 },
		{ .sent = 1, .counted = 1 },
		{ .done = 1 },
	};
	const struct mode *mode;
	struct icb_returns told, lie;
	struct icb_reason why;
	unsigned int i, tried = 0;
	u64 seed, seen;

	(void)state;
	for_each_stream(mode) {
		if (mode->direction != ICBENCH_DIRECTION_BI ||
		    !mode_verb(mode)->recv)
			continue;
		tried++;
		for (seed = 0; seed < 40; seed++) {
			prepare(mode, seed);
			run_complete(mode, "returned", seed);
			told = pair.returns;
			seen = pair.run[0].seen;
			expect(mode, told.sent == pair.run[1].seq, "sent",
			       "returned", seed);
			expect(mode, told.counted <= seen && seen <= told.sent,
			       "received", "returned", seed);
			told.counted = seen;
			told.sent = seen;
			told.done = told.counted;
			assert_int_equal(icb_run_account_back(&pair.run[0],
							      &told, &why), 0);
			for (i = 0; i < ARRAY_SIZE(lies); i++) {
				lie.sent = told.sent + lies[i].sent;
				lie.counted = told.counted + lies[i].counted;
				lie.done = told.done + lies[i].done;
				assert_row(i, icb_run_account_back(&pair.run[0],
								   &lie, &why) ==
					      -EBADMSG);
			}
		}
	}
	assert_true(tried >= 3);
}

/* While the phase that userspace sees is warm-up, no operation is counted. */
static void look_at_phase(void *arg)
{
	const struct icb_run *it = &pair.run[0];

	(void)arg;
	if (!it->timed && it->done)
		net_wrong(&pair.net, "counts during the warm-up");
	if (it->timed && it->base != params.warmup + pair.net.callbacks)
		net_wrong(&pair.net, "measures before the end of the warm-up");
	if (it->timed && it->acked < it->base)
		net_wrong(&pair.net, "measures while others are on their way");
	if (pair.prepared == 2 && pair.run[1].consumer.phase == ICB_PHASE_WARMUP)
		net_wrong(&pair.net, "a responder is in no warm-up");
	pair.net.config.hook_at++;
}

static void test_phase(void **state)
{
	const struct mode *mode;
	u64 warmup;

	(void)state;
	for_each_stream(mode)
		for (warmup = 0; warmup < 40; warmup += 13) {
			prepare(mode, warmup);
			params.warmup = warmup;
			config.net.hook = look_at_phase;
			/* after the preparation */
			config.net.hook_at = 12;
			run_complete(mode, "warmup", warmup);
		}
}

static const struct icb_metric *metric_of(const struct icb_result *result,
					  const char *name)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		if (!strcmp(result->metric[i].name, name))
			return &result->metric[i];
	return NULL;
}

static u64 rate_of(u64 amount, u64 elapsed)
{
	return elapsed ? (u64)((__uint128_t)amount * 1000000000000ULL /
			       elapsed) : 0;
}

/* Messages of a direction that its rate is of, and their time. */
struct rated {
	u64 done;
	u64 ns;
};

/* The steady parts if both sides have one, else the whole of each stream. */
static void find_rated(struct rated rated[2])
{
	bool both = params.direction == ICBENCH_DIRECTION_BI, steady = both;
	struct icb_steady_part part[2];
	const struct icb_run *run;
	unsigned int i;

	memset(rated, 0, 2 * sizeof(*rated));
	for (i = 0; i < 2; i++) {
		icb_steady_get(&pair.run[i].steady,
			       i ? ICB_STEADY_TRAILING : 0, &part[i]);
		steady &= part[i].done > 0;
	}
	for (i = 0; i < 1U + both; i++) {
		run = &pair.run[i];
		rated[i].done = steady ? part[i].done : run->done;
		if (rated[i].done)
			rated[i].ns = icb_clock_ns(steady ? part[i].ticks :
						   run->ended - run->began);
	}
	assert_true(!steady || part[0].before + part[0].done <= pair.run[0].done);
}

static void expect_rates(const struct icb_result *result)
{
	const struct icb_metric *bandwidth = metric_of(result, "bandwidth");
	const struct icb_metric *rate = metric_of(result, "message_rate");
	struct rated rated[2];

	find_rated(rated);
	assert_int_equal(bandwidth->unit, ICBENCH_UNIT_BYTES_PER_SECOND);
	assert_int_equal(bandwidth->divisor, 1000);
	assert_int_equal(bandwidth->value,
			 rate_of(rated[0].done * params.size, rated[0].ns) +
			 rate_of(rated[1].done * params.size, rated[1].ns));
	assert_int_equal(rate->unit, ICBENCH_UNIT_PER_SECOND);
	assert_int_equal(rate->divisor, 1000);
	assert_int_equal(rate->value, rate_of(rated[0].done, rated[0].ns) +
				      rate_of(rated[1].done, rated[1].ns));
}

static u64 value_of(const struct icb_result *result, const char *name, u32 unit)
{
	const struct icb_metric *metric = metric_of(result, name);

	if (!metric)
		return 0;
	assert_int_equal(metric->unit, unit);
	assert_int_equal(metric->divisor, 1);
	assert_int_equal(metric->kind, ICBENCH_METRIC_KIND_SCALAR);
	return metric->value;
}

/* Bandwidth x time = bytes, for each direction separately. */
static void expect_bytes(const struct icb_result *result)
{
	u64 bytes = value_of(result, "bytes", ICBENCH_UNIT_BYTES);
	u64 elapsed = value_of(result, "elapsed", ICBENCH_UNIT_NS);
	u64 peer_bytes = value_of(result, "peer_bytes", ICBENCH_UNIT_BYTES);
	u64 peer_elapsed = value_of(result, "peer_elapsed", ICBENCH_UNIT_NS);

	struct rated rated[2];

	find_rated(rated);
	assert_int_equal(bytes, rated[0].done * params.size);
	assert_int_equal(elapsed, rated[0].ns);
	assert_true(bytes && elapsed);
	assert_int_equal(metric_of(result, "bandwidth")->value,
			 rate_of(bytes, elapsed) +
			 rate_of(peer_bytes, peer_elapsed));
	if (params.direction == ICBENCH_DIRECTION_BI) {
		assert_int_equal(peer_bytes, rated[1].done * params.size);
		assert_int_equal(peer_elapsed, rated[1].ns);
		assert_true(peer_elapsed || !pair.run[1].done);
	} else {
		assert_null(metric_of(result, "peer_bytes"));
		assert_null(metric_of(result, "peer_elapsed"));
	}
}

/* Wake-ups per measured operation; none if the loop does not sleep. */
static void expect_wakes(const struct icb_result *result)
{
	const struct icb_metric *metric = metric_of(result,
						    "wakeups_per_message");
	const struct icb_run *it = &pair.run[0];

	assert_int_equal(!metric, params.completion ==
				  ICBENCH_COMPLETION_WORKQUEUE);
	if (!metric)
		return;
	assert_int_equal(metric->value, 1000 * it->wakes / it->done);
	if (BIT(params.completion) &
	    (ICB_COMPLETIONS_BUSY | ICB_COMPLETIONS_CALLBACK))
		assert_int_equal(metric->value, 0);
}

static void expect_spread(const struct icb_result *result, bool there)
{
	static const char *const names[] = {
		"bandwidth_min", "bandwidth_p1", "bandwidth_median",
	};
	const struct icb_hist *lap = &pair.hist[ICB_HIST_INTERVAL];
	u64 bytes = (u64)params.window * params.size;
	const struct icb_metric *metric;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		metric = metric_of(result, names[i]);
		assert_int_equal(!metric, !there);
	}
	if (!there)
		return;
	assert_int_equal(metric_of(result, names[0])->value,
			 rate_of(bytes, lap->max));
	assert_int_equal(metric_of(result, names[1])->value,
			 rate_of(bytes, icb_hist_quantile(lap, 99, 100)));
	assert_int_equal(metric_of(result, names[2])->value,
			 rate_of(bytes, icb_hist_quantile(lap, 1, 2)));
}

static void expect_dists(const struct icb_result *result)
{
	static const struct {
		const char *name;
		enum icb_hists hist;
	} rows[] = {
		{ "post", ICB_HIST_POST },
		{ "poll", ICB_HIST_POLL },
		{ "poll_empty", ICB_HIST_POLL_EMPTY },
		{ "interval", ICB_HIST_INTERVAL },
	};
	const struct icb_metric *metric;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		metric = metric_of(result, rows[i].name);
		/* a metric that was not measured is absent */
		assert_row(i, !metric == !pair.hist[rows[i].hist].count);
		if (!metric)
			continue;
		assert_row(i, metric->hist == &pair.hist[rows[i].hist]);
		assert_row(i, metric->divisor == 1);
		assert_row(i, metric->unit == ICBENCH_UNIT_NS);
	}
	assert_null(metric_of(result, "latency"));
}

static void test_report(void **state)
{
	struct icb_result result;
	const struct mode *mode;
	bool both;
	size_t i;

	(void)state;
	for_each_stream(mode)
		for (i = 0; i < ARRAY_SIZE(shapes); i++) {
			prepare(mode, i);
			params.iterations = 70;
			run_complete(mode, "report", i);
			memset(&result, 0, sizeof(result));
			pair.run[0].ops->report(&pair.run[0], &result);
			assert_true(result.count <= ICB_RESULT_METRICS);
			expect_rates(&result);
			expect_bytes(&result);
			expect_wakes(&result);
			both = params.direction == ICBENCH_DIRECTION_BI;
			expect_spread(&result, !both && params.window <= 70);
			expect_dists(&result);
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
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_odd),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_answers_lost),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_handshake),
		cmocka_unit_test(test_slow),
		cmocka_unit_test(test_abreast),
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_catch_up),
		cmocka_unit_test(test_returned),
		cmocka_unit_test(test_phase),
		cmocka_unit_test(test_report),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
