// SPDX-License-Identifier: GPL-2.0
/* The loops of trigger echo in runs without a fault. */
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

/* Sum of the values in a distribution. */
static u64 sum_of(const struct icb_hist *hist)
{
	return hist->count * hist->origin + (u64)hist->sum;
}

static void expect_complete(const struct mode *mode, const char *where,
			    u64 number)
{
	mode_expect(&pair, mode, check_complete(&pair), where, number);
}

/*
 * Each mode with random values of all parameters that affect the loop, with many timings.
 */
static void test_seeds(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;
	u64 seed;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (seed = 0; seed < 1000; seed++) {
			mode_params(&mode_table[i], &params);
			mode_config(&mode_table[i], seed, &config);
			params.seed = seed;
			params.verify = PICK(seed, 0, 1);
			params.size = mode_size(&mode_table[i],
						PICK(seed, 1, 2, 7, 8, 9, 64,
						     1000));
			params.sges = mode_sges(&mode_table[i], params.size,
						PICK(seed, 1, 1, 2, 3, 7));
			params.iterations = PICK(seed, 1, 2, 12, 40);
			params.warmup = PICK(seed, 0, 1, 4, 9);
			params.signal_every = mode_signal(&mode_table[i],
							  PICK(seed, 1, 2, 5,
							       64));
			config.net.one_cpu = PICK(seed, 0, 1);
			config.net.spurious = PICK(seed, 0, 300);
			config.net.jitter = PICK(seed, 0, 1500, 5000);
			config.net.ack_jitter = PICK(seed, 0, 3000, 9000);
			config.task.khz = PICK(seed, 3000000, 1000000, 25000);
			/* the same number of ticks for each clock rate */
			params.timeout = 1500000000000ULL / config.task.khz;
			pair_run(&pair, &params, &config);
			expect_complete(&mode_table[i], "run", seed);
		}
}

/* A message may be empty, except where completion depends on its content. */
static void test_empty(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;
	u32 verify;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (verify = 0; verify < 2; verify++) {
			if (mode_verb(&mode_table[i])->min_size)
				continue;
			mode_params(&mode_table[i], &params);
			mode_config(&mode_table[i], verify, &config);
			params.size = 0;
			params.verify = verify;
			pair_run(&pair, &params, &config);
			expect_complete(&mode_table[i], "verify", verify);
		}
}

/* One-byte sequence numbers wrap around several times. */
static void test_long(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;
	u32 verify;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (verify = 0; verify < 2; verify++) {
			mode_params(&mode_table[i], &params);
			mode_config(&mode_table[i], verify, &config);
			params.iterations = 1500;
			params.signal_every = mode_signal(&mode_table[i], 64);
			params.verify = verify;
			pair_run(&pair, &params, &config);
			expect_complete(&mode_table[i], "verify", verify);
		}
}

/*
 * Modes in which all samples have to be equal: those of one thread and a network without
 * jitter. Neither the send completions with every third sample, nor the checks of the
 * contents with each, may lengthen one sample more than another.
 */
static bool steady(const struct mode *mode)
{
	return mode->one_thread || (mode_verb(mode)->passive &&
				    mode->completion == ICBENCH_COMPLETION_POLL);
}

static void test_steady(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;
	u32 verify;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (verify = 0; verify < 2; verify++) {
			if (!steady(&mode_table[i]))
				continue;
			mode_params(&mode_table[i], &params);
			mode_config(&mode_table[i], 1, &config);
			params.verify = verify;
			params.signal_every = mode_signal(&mode_table[i], 3);
			params.iterations = 100;
			config.task.preempt = 0;
			config.net.jitter = 0;
			config.net.ack_jitter = 0;
			pair_run(&pair, &params, &config);
			expect_complete(&mode_table[i], "verify", verify);
			assert_int_equal(pair.hist[0].min, pair.hist[0].max);
			assert_int_equal(pair.hist[1].min, pair.hist[1].max);
		}
}

/* A run with a duration ends with the operation that reaches the duration. */
static void test_duration(void **state)
{
	static const u64 durations[] = { 1, 1000, 30000, 200000 };
	struct pair_config config;
	struct icb_params params;
	unsigned int i, j;
	u64 last = 0;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (j = 0; j < ARRAY_SIZE(durations); j++) {
			mode_params(&mode_table[i], &params);
			mode_config(&mode_table[i], j, &config);
			params.set &= ~BIT_ULL(ICBENCH_A_PARAMS_ITERATIONS);
			icb_params_preset(&params, ICBENCH_A_PARAMS_DURATION,
					  durations[j]);
			pair_run(&pair, &params, &config);
			expect_complete(&mode_table[i], "duration",
					durations[j]);
			if (!j)
				assert_int_equal(pair.run[0].done, 1);
			else
				assert_true(pair.run[0].done >= last);
			last = pair.run[0].done;
		}
}

/*
 * The handshake after the initiator's preparation may take up to its timeout. The time
 * without progress is measured from the first message.
 */
static void test_handshake(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;

	(void)state;
	for (i = 0; i < MODES; i++) {
		mode_params(&mode_table[i], &params);
		mode_config(&mode_table[i], i, &config);
		config.handshake = 10000000;
		pair_run(&pair, &params, &config);
		expect_complete(&mode_table[i], "handshake", 0);
	}
}

/*
 * Events that arrived before they were armed must not be waited for. There are none in
 * modes whose work requests are posted later.
 */
static void test_missed(void **state)
{
	struct pair_config config;
	struct icb_params params;
	const struct mode *mode;
	u64 seed, missed;
	bool good;

	(void)state;
	for (mode = mode_table; mode < mode_table + MODES; mode++) {
		if (mode->completion != ICBENCH_COMPLETION_BLOCK)
			continue;
		missed = 0;
		for (seed = 0; seed < 100; seed++) {
			mode_params(mode, &params);
			mode_config(mode, seed, &config);
			config.net.delay = 0;
			config.net.jitter = 100;
			pair_run(&pair, &params, &config);
			expect_complete(mode, "run", seed);
			missed += pair.net.ep[0].own.missed +
				  pair.net.ep[1].own.missed;
		}
		good = mode_verb(mode)->passive ? !missed : missed > 100;
		mode_expect(&pair, mode, good ? NULL : "missed others",
			    "missed", missed);
	}
}

/* Send completions that arrive late, but early enough for the send queue. */
static void test_late(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;

	(void)state;
	for (i = 0; i < MODES; i++) {
		mode_params(&mode_table[i], &params);
		mode_config(&mode_table[i], i, &config);
		params.iterations = 100;
		params.signal_every = mode_signal(&mode_table[i], 20);
		config.net.ack_delay = 50000;
		pair_run(&pair, &params, &config);
		expect_complete(&mode_table[i], "late", 0);
		assert_int_equal(pair.net.ep[0].own.sq_full, 0);
	}
}

/* While the phase that userspace sees is warm-up, no operation is counted. */
static void look_at_phase(void *arg)
{
	const struct icb_run *run = &pair.run[0];

	(void)arg;
	if (pair.prepared == 2 && pair.run[1].consumer.phase == ICB_PHASE_WARMUP)
		net_wrong(&pair.net, "a responder knows of no warm-up");
	if (run->consumer.phase == ICB_PHASE_WARMUP && (run->done || !run->left))
		net_wrong(&pair.net, "counts during the warm-up");
	if (run->consumer.phase == ICB_PHASE_MEASURING && run->left &&
	    !pair.net.callbacks)
		net_wrong(&pair.net, "measures before the end of the warm-up");
	pair.net.config.hook_at++;
}

static void test_phase(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (params.warmup = 0; params.warmup < 3; params.warmup++) {
			u64 warmup = params.warmup;

			mode_params(&mode_table[i], &params);
			mode_config(&mode_table[i], i, &config);
			params.warmup = warmup;
			config.net.hook = look_at_phase;
			/* after the preparation */
			config.net.hook_at = 8;
			pair_run(&pair, &params, &config);
			expect_complete(&mode_table[i], "warmup", warmup);
		}
}

/*
 * After the run: any wrong byte of the last message is found, and a side's own data is
 * not taken for the message.
 */
static void test_last(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i, side;
	struct icb_reason why;
	struct icb_buffer last;
	struct icb_run *run;
	char words[64];
	bool atomic;
	u32 byte;
	u8 *buf;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (side = 0; side < 4; side++) {
			if (!mode_acts(&mode_table[i], side % 2))
				continue;
			atomic = mode_verb(&mode_table[i])->atomic;
			mode_params(&mode_table[i], &params);
			mode_config(&mode_table[i], side, &config);
			params.verify = side / 2;
			pair_run(&pair, &params, &config);
			expect_complete(&mode_table[i], "side", side);
			run = &pair.run[side % 2];
			last = icb_buffers_at(&params, run->seen);
			buf = net_rx(&pair.net.ep[side % 2], last.index);
			assert_int_equal(icb_run_check_last(run, &why), 0);
			for (byte = 0; byte < params.size; byte++) {
				buf[byte] ^= 1;
				assert_int_equal(icb_run_check_last(run, &why),
						 -EBADMSG);
				assert_int_equal(icb_run_check_last(run, NULL),
						 -EBADMSG);
				/*
				 * an atomic's value is compared as a whole, and reported
				 * at byte 0
				 */
				snprintf(words, sizeof(words),
					 "verify: byte %u of the last message",
					 atomic ? 0 : byte);
				assert_non_null(strstr(why.text, words));
				buf[byte] ^= 1;
			}
			memcpy(buf, net_tx(&pair.net.ep[side % 2], 0), params.size);
			assert_int_equal(icb_run_check_last(run, &why),
					 -EBADMSG);
			run->seen = 0;
			assert_int_equal(icb_run_check_last(run, &why), 0);
		}
}

/* A peer's message before the first operation must not start a callback loop. */
static void test_too_soon(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i, tried = 0;
	struct icb_run *run = &pair.run[0];
	u64 seq;

	(void)state;
	for (i = 0; i < MODES; i++) {
		if (!(BIT(mode_table[i].completion) & ICB_COMPLETIONS_CALLBACK) ||
		    mode_verb(&mode_table[i])->passive)
			continue;
		mode_params(&mode_table[i], &params);
		mode_config(&mode_table[i], 0, &config);
		pair_run(&pair, &params, &config);
		expect_complete(&mode_table[i], "seed", 0);
		/* the state before the first operation */
		run->kicked = false;
		run->consumer.stop = ICB_STOP_NONE;
		run->consumer.phase = ICB_PHASE_WARMUP;
		seq = run->seq;
		run->consumer.ops->arrived(&run->consumer, 0);
		mode_expect(&pair, &mode_table[i],
			    run->err == -EPROTO && run->seq == seq ? NULL :
			    "it goes on from a message that answers nothing",
			    "mode", i);
		tried++;
	}
	assert_true(tried);
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

/* Values of the CPUs that are unknown, or not of the measured part, are absent. */
static void test_busy(void **state)
{
	struct pair_config config;
	struct icb_params params;
	struct icb_result result;
	struct icb_run *run = &pair.run[0];
	const struct icb_busy was = { .ns = 1000, .cpus = 2 };
	static const struct {
		struct icb_busy after;
		int stop;
		unsigned int count;
	} rows[] = {
		{ { 2000, 2, 0 }, ICB_STOP_NONE, 2 },
		{ { 2000, 2, 0 }, ICB_STOP_REQUEST, 2 },
		{ { 2000, 2, 1 }, ICB_STOP_NONE, 3 },
		{ { 2000, 2, 0 }, ICB_STOP_TIMEOUT, 0 },
		{ { 2000, 2, 0 }, ICB_STOP_ERROR, 0 },
		{ { 1000, 2, 0 }, ICB_STOP_NONE, 0 },
		{ { 999, 2, 0 }, ICB_STOP_NONE, 0 },
		{ { 2000, 1, 0 }, ICB_STOP_NONE, 0 },
		{ { 2000, 0, 0 }, ICB_STOP_NONE, 0 },
		{ { U64_MAX, 2, 0 }, ICB_STOP_NONE, 0 },
	};
	size_t i;

	(void)state;
	mode_params(&mode_table[0], &params);
	mode_config(&mode_table[0], 1, &config);
	pair_run(&pair, &params, &config);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		run->busy[0] = was;
		run->busy[1] = rows[i].after;
		run->consumer.stop = rows[i].stop;
		memset(&result, 0, sizeof(result));
		icb_result_cpu(&result, run, 24);
		assert_row(i, result.count == rows[i].count);
		memset(&result, 0, sizeof(result));
		icb_result_cpu(&result, run, 0);
		assert_row(i, !result.count);
	}
	run->busy[0].cpus = 0;
	run->busy[1].cpus = 0;
	icb_result_cpu(&result, run, 24);
	assert_int_equal(result.count, 0);
}

/*
 * CPU time that the host uses without the run is not attributed to messages. The metric's
 * name shows whether it counts both sides, or only the CPUs of the run.
 */
static void test_background(void **state)
{
	static const struct {
		struct icb_busy idle;
		u64 idle_ns;
		bool both;
		const char *names[4];
		u64 value[4];
	} rows[] = {
		/* no idle measurement, or one of other CPUs */
		{ { 0, 0, 0 }, 0, false, { "cpu_per_message", "cpu_per_message_one",
		  "cpu_per_message_run" }, { 2000000, 2000000, 500000 } },
		{ { 256000, 127, 0 }, 1000000, false,
		  { "cpu_per_message", "cpu_per_message_one",
		    "cpu_per_message_run" }, { 2000000, 2000000, 500000 } },
		/* 128 CPUs, each busy for 0.2 per cent */
		{ { 256000, 128, 0 }, 1000000, true,
		  { "cpu_per_message", "cpu_per_message_both",
		    "cpu_per_message_run", "cpu_background" },
		  { 1744000, 1744000, 500000, 25600 } },
		{ { 256000, 128, 0 }, 1000000, false,
		  { "cpu_per_message", "cpu_per_message_one",
		    "cpu_per_message_run", "cpu_background" },
		  { 1744000, 1744000, 500000, 25600 } },
		/*
		 * an idle host; and a host that was busier before: only the CPU time of
		 * the run's CPUs remains
		 */
		{ { 0, 128, 0 }, 1000000, true,
		  { "cpu_per_message", "cpu_per_message_both",
		    "cpu_per_message_run", "cpu_background" },
		  { 2000000, 2000000, 500000, 0 } },
		{ { 9000000, 128, 0 }, 1000000, true,
		  { "cpu_per_message", "cpu_per_message_both",
		    "cpu_per_message_run", "cpu_background" },
		  { 500000, 500000, 500000, 900000 } },
	};
	struct pair_config config;
	struct icb_params params;
	struct icb_result result;
	struct icb_run *run = &pair.run[0];
	size_t i, j;

	(void)state;
	mode_params(&mode_table[0], &params);
	mode_config(&mode_table[0], 1, &config);
	pair_run(&pair, &params, &config);
	/*
	 * 1000 messages in 1 ms, 2 CPUs busy, one of them for a quarter of its time in
	 * the run
	 */
	run->ended = run->began + icb_clock_ticks(1000000);
	run->busy[0] = (struct icb_busy){ 1000, 128, 100 };
	run->busy[1] = (struct icb_busy){ 2001000, 128, 500100 };
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		run->idle = rows[i].idle;
		run->idle_ns = rows[i].idle_ns;
		run->both = rows[i].both;
		memset(&result, 0, sizeof(result));
		icb_result_cpu(&result, run, 1000);
		for (j = 0; j < 4 && rows[i].names[j]; j++) {
			assert_true(j < result.count);
			assert_string_equal(result.metric[j].name,
					    rows[i].names[j]);
			assert_row(i, result.metric[j].value ==
				      rows[i].value[j]);
			assert_int_equal(result.metric[j].divisor, 1000);
		}
		assert_row(i, result.count == j);
	}
	assert_int_equal(result.metric[3].unit, ICBENCH_UNIT_PERCENT);
}

/* All calls of an operation, and nothing else, are measured by the clock. */
static void test_overhead(void **state)
{
	struct icb_result result;
	struct pair_config config;
	struct icb_params params;
	const struct mode *mode;
	u64 seed, sum, total;

	(void)state;
	for (mode = mode_table; mode < mode_table + MODES; mode++)
		for (seed = 0; seed < 30; seed++) {
			if (mode_callbacks(mode))
				continue;
			mode_params(mode, &params);
			mode_config(mode, seed, &config);
			params.overhead = 1;
			params.iterations = 40;
			config.net.spurious = seed % 2 * 300;
			pair_run(&pair, &params, &config);
			expect_complete(mode, "overhead", seed);
			memset(&result, 0, sizeof(result));
			pair.run[0].ops->report(&pair.run[0], &result);
			assert_string_equal(result.metric[0].name, "overhead");
			assert_string_equal(result.metric[1].name, "latency");
			assert_int_equal(result.metric[0].divisor, 1);
			assert_int_equal(result.metric[0].hist->count, 40);
			sum = sum_of(&pair.hist[ICB_HIST_POST]) +
			      sum_of(&pair.hist[ICB_HIST_POLL]);
			total = sum_of(&pair.hist[ICB_HIST_OVERHEAD]);
			/* each is rounded down to a nanosecond */
			if (mode->completion == ICBENCH_COMPLETION_BLOCK)
				assert_true(total > sum + 40);
			else
				assert_true(total >= sum && total <= sum + 40);
		}
}

/* Metrics of a run with a given number of operations and a given time. */
static void test_report(void **state)
{
	static const char *const names[] = {
		"latency", "post", "poll", "poll_empty", "bandwidth",
		"message_rate", "bytes", "elapsed", "cpu_per_message",
		"cpu_per_message_one", "cpu_per_message_run",
	};
	struct icb_result result = { 0 };
	const struct icb_verb *verb;
	struct pair_config config;
	struct icb_params params;
	unsigned int i, j, n;
	u64 elapsed, messages, polled = 0;

	(void)state;
	for (i = 0; i < MODES; i++) {
		mode_params(&mode_table[i], &params);
		mode_config(&mode_table[i], i, &config);
		pair_run(&pair, &params, &config);
		expect_complete(&mode_table[i], "report", 0);
		elapsed = icb_clock_ns(pair.run[0].ended - pair.run[0].began);
		/* if the other side answers, its messages count, too */
		verb = mode_verb(&mode_table[i]);
		messages = verb->passive ? 12 : 2 * 12;
		memset(&result, 0, sizeof(result));
		pair.run[0].ops->report(&pair.run[0], &result);
		/* only timers have a lateness, one for each expiry */
		if (mode_table[i].completion == ICBENCH_COMPLETION_TIMER) {
			n = 3 + !!pair.hist[ICB_HIST_POLL_EMPTY].count;
			assert_string_equal(result.metric[n].name, "lateness");
			assert_true(result.metric[n].hist->count >= 12);
			memmove(&result.metric[n], &result.metric[n + 1],
				(--result.count - n) *
				sizeof(result.metric[0]));
		}
		/* sleeping threads have wake-ups; those of a work queue are not counted */
		if (mode_table[i].completion != ICBENCH_COMPLETION_WORKQUEUE) {
			result.count--;
			assert_string_equal(result.metric[result.count].name,
					    "wakeups_per_message");
			/* each operation is waited for once */
			assert_int_equal(result.metric[result.count].value,
					 1000 * pair.run[0].wakes / 12);
			assert_int_equal(result.metric[result.count].divisor,
					 1000);
			/* no sleep if the event was there already */
			if (mode_table[i].completion !=
			    ICBENCH_COMPLETION_TIMER)
				assert_int_equal(pair.run[0].wakes,
						 pair.net.ep[0].own.sleeps);
		}
		/* only the first poll of a wait, if a thread polls */
		assert_true(pair.hist[ICB_HIST_POLL_EMPTY].count <= 12);
		if (BIT(mode_table[i].completion) &
		    (ICB_COMPLETIONS_CALLBACK |
		     BIT(ICBENCH_COMPLETION_MEMORY)))
			assert_int_equal(pair.hist[ICB_HIST_POLL_EMPTY].count,
					 0);
		if (mode_table[i].completion == ICBENCH_COMPLETION_POLL)
			polled += pair.hist[ICB_HIST_POLL_EMPTY].count;
		/* a metric that was not measured is absent */
		for (n = 0, j = 0; j < ARRAY_SIZE(names); j++) {
			if ((j == 2 || j == 3) && !pair.hist[j].count)
				continue;
			assert_true(n < result.count);
			assert_string_equal(result.metric[n++].name, names[j]);
		}
		assert_int_equal(result.count, n);
		assert_ptr_equal(result.metric[0].hist, &pair.hist[0]);
		assert_int_equal(result.metric[0].divisor,
				 verb->passive ? 1 : 2);
		assert_int_equal(result.metric[1].divisor, 1);
		assert_int_equal(result.metric[0].kind,
				 ICBENCH_METRIC_KIND_DISTRIBUTION);
		assert_int_equal(result.metric[0].unit, ICBENCH_UNIT_NS);
		n = result.count - 7;
		assert_int_equal(result.metric[n].unit,
				 ICBENCH_UNIT_BYTES_PER_SECOND);
		assert_int_equal(result.metric[n].kind,
				 ICBENCH_METRIC_KIND_SCALAR);
		assert_int_equal(result.metric[n].value,
				 messages * params.size * 1000000000000ULL /
				 elapsed);
		assert_int_equal(result.metric[n].divisor, 1000);
		assert_int_equal(result.metric[n + 1].unit,
				 ICBENCH_UNIT_PER_SECOND);
		assert_int_equal(result.metric[n + 1].value,
				 messages * 1000000000000ULL / elapsed);
		assert_int_equal(result.metric[n + 1].divisor, 1000);
		assert_int_equal(result.metric[n + 2].unit, ICBENCH_UNIT_BYTES);
		assert_int_equal(result.metric[n + 2].value,
				 messages * params.size);
		assert_int_equal(result.metric[n + 3].unit, ICBENCH_UNIT_NS);
		assert_int_equal(result.metric[n + 3].value, elapsed);
		expect_cpu(&result.metric[n + 4], messages);
	}
	assert_true(polled);
}

/* Without a measured operation, there is no metric. */
static void test_report_nothing(void **state)
{
	struct icb_result result = { 0 };
	struct icb_params params;
	struct icb_run run = {
		.params = &params,
		.hist = pair.hist,
		.hists = ICB_HIST_POLL + 1,
		.verb = &icb_verb_table[ICBENCH_VERB_SEND],
	};

	(void)state;
	icb_params_init(&params);
	params.size = 1;
	memset(pair.hist, 0, sizeof(pair.hist));
	icb_echo_ops.report(&run, &result);
	assert_int_equal(result.count, 0);
	/* no rate without elapsed time */
	icb_result_rates(&result, &run, 1);
	assert_int_equal(result.count, 0);
	run.ended = icb_clock_ticks(1000000000);
	icb_result_rates(&result, &run, U64_MAX / 2000);
	assert_true(result.metric[0].value == U64_MAX / 2000 * 1000);
	assert_true(result.metric[1].value == U64_MAX / 2000 * 1000);
	/* the value saturates instead of overflowing; a division would trap */
	run.ended = icb_clock_ticks(2);
	icb_result_rates(&result, &run, 1ULL << 40);
	assert_true(result.metric[4].value == U64_MAX);
}

static void test_table(void **state)
{
	struct icb_params params;
	struct icb_reason why;

	(void)state;
	assert_ptr_equal(icb_bench_by_trigger(ICBENCH_TRIGGER_ECHO),
			 &icb_echo_ops);
	assert_null(icb_bench_by_trigger(1000));
	assert_string_equal(icb_echo_ops.name, "echo");
	assert_non_null(icb_echo_ops.help);
	icb_params_init(&params);
	assert_int_equal(icb_bench_check(&params, &why), 0);
	params.trigger = 1000;
	assert_int_equal(icb_bench_check(&params, &why), -EOPNOTSUPP);
	assert_non_null(strstr(why.text, "trigger"));
	assert_non_null(strstr(why.text, "1000"));
	assert_int_equal(icb_bench_check(&params, NULL), -EOPNOTSUPP);
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
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_steady),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_handshake),
		cmocka_unit_test(test_missed),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_phase),
		cmocka_unit_test(test_last),
		cmocka_unit_test(test_too_soon),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_busy),
		cmocka_unit_test(test_background),
		cmocka_unit_test(test_overhead),
		cmocka_unit_test(test_report_nothing),
		cmocka_unit_test(test_table),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
