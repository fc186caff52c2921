// SPDX-License-Identifier: GPL-2.0
/* Runs with a failure, at every possible point. */
#include "unit.h"
#include <unistd.h>
#include "check.h"
#include "host/clock.h"
#include "mode.h"

/* Longest time until a loop notices its timeout, ticks. */
#define REACTION	400000

static struct pair pair;
static struct pair_config config;
static struct icb_params params;

/* Prepare a run, which the caller may then damage. */
static void prepare(const struct mode *mode, u64 seed)
{
	mode_params(mode, &params);
	mode_config(mode, seed, &config);
}

static void run(const struct mode *mode, const char *what, u64 number)
{
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, check_pair(&pair), what, number);
}

static void expect_complete(const struct mode *mode, const char *what,
			    u64 number)
{
	mode_expect(&pair, mode, check_complete(&pair), what, number);
}

static void expect(const struct mode *mode, bool condition, const char *words,
		   const char *what, u64 number)
{
	mode_expect(&pair, mode, condition ? NULL : words, what, number);
}

/* Messages of each side before the measured ones. */
static u64 uncounted(void)
{
	return params.warmup + pair.net.callbacks;
}

static u64 total(const struct mode *mode)
{
	return params.warmup + params.iterations + mode_callbacks(mode);
}

/* Number of measured operations when the first n are answered. */
static u64 measured(u64 n)
{
	return n > uncounted() ? n - uncounted() : 0;
}

/* The side's own connection or call is the only reported reason of the end. */
static void expect_error(const struct mode *mode, unsigned int side, int err,
			 const char *what, u64 number)
{
	unsigned int driver = mode->one_thread ? 0 : side;

	expect(mode, pair.side[driver].err == err, "another error", what,
	       number);
	expect(mode, pair.side[driver].stop == ICB_STOP_ERROR,
	       "not ended by an error", what, number);
	expect(mode, pair.side[!driver].stop == ICB_STOP_ERROR,
	       "the other side was not told", what, number);
	if (!mode->one_thread)
		expect(mode, pair.side[!side].err == -ECONNRESET,
		       "the other side has another error", what, number);
}

/* Each message of each side in each mode, with the run prepared. */
#define for_each_message(mode, side, n)					\
	for ((mode) = mode_table; (mode) < mode_table + MODES; (mode)++)	\
		for ((side) = 0; (side) < 2; (side)++)			\
			for ((n) = 1; prepare(mode, n), (n) <= total(mode); (n)++)

static void test_post(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_message(mode, side, n) {
		if (!mode_acts(mode, side))
			continue;
		config.net.faults[side].post = n;
		params.verify = n & 1;
		run(mode, "post", n);
		expect_error(mode, side, -ENOMEM, "post", n);
		assert_int_equal(pair.run[0].done, measured(n - 1));
	}
}

/* Check whether the loop waits for a completion. */
static bool waits(const struct mode *mode)
{
	return mode->completion != ICBENCH_COMPLETION_MEMORY;
}

static void test_recv(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_message(mode, side, n) {
		if (!mode_acts(mode, side) || !waits(mode))
			continue;
		config.net.faults[side].recv = n;
		run(mode, "receive", n);
		expect_error(mode, side, -ECONNRESET, "receive", n);
		assert_int_equal(pair.run[0].done, measured(n - 1));
	}
}

/*
 * A failed send is found by the side that sent it. A thread that drives both sides may be
 * waiting for the other side: then the run times out.
 */
static void test_send(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_message(mode, side, n) {
		if (!mode_acts(mode, side))
			continue;
		config.net.faults[side].send = n;
		run(mode, "send", n);
		assert_int_equal(pair.run[0].done, measured(n - 1));
		if (pair.side[0].err == -ETIMEDOUT && mode->one_thread)
			continue;
		expect_error(mode, side, -ECONNRESET, "send", n);
	}
}

/* A message arrives with a wrong length. Without a receive, no side is notified of that. */
static void test_cut(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_message(mode, side, n) {
		if (!mode_verb(mode)->recv)
			continue;
		config.net.faults[side].truncate = n;
		run(mode, "cut", n);
		expect_error(mode, !side, -EPROTO, "cut", n);
		assert_int_equal(pair.run[0].done, measured(n - 1));
	}
}

static void test_poll(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_message(mode, side, n) {
		if (!mode_acts(mode, side) || !waits(mode) ||
		    mode_callbacks(mode))
			continue;
		config.net.faults[side].poll = n;
		run(mode, "poll", n);
		expect_error(mode, side, -EIO, "poll", n);
	}
}

/* The answer to a message is posted before its receive is posted again. */
static void test_refill(void **state)
{
	unsigned int i, side;
	u64 n;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (side = 0; side < 2; side++)
			for (n = 1; prepare(&mode_table[i], n),
			     n < total(&mode_table[i]); n++) {
				if (!mode_verb(&mode_table[i])->recv)
					continue;
				config.net.faults[side].refill = n;
				run(&mode_table[i], "refill", n);
				expect_error(&mode_table[i], side, -ENOMEM,
					     "refill", n);
				assert_in_range(pair.run[0].done,
						measured(n - 1),
						measured(n - 1 + side));
			}
}

static void test_arm(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_message(mode, side, n) {
		if (!mode_acts(mode, side) ||
		    mode->completion != ICBENCH_COMPLETION_BLOCK)
			continue;
		config.net.faults[side].arm = n;
		run(mode, "arm", n);
		expect_error(mode, side, -EIO, "arm", n);
	}
}

/*
 * A request or an answer is lost without notification. A loop that polls detects the
 * timeout itself; a sleeping one is woken by the watchdog, which checks periodically.
 */
static void expect_timeout(const struct mode *mode, u64 n)
{
	u64 timeout = icb_clock_ticks(params.timeout), waited;
	bool busy = BIT(mode->completion) & ICB_COMPLETIONS_BUSY, noticed;
	unsigned int i;

	noticed = pair.side[0].err == -ETIMEDOUT ||
		  pair.side[1].err == -ETIMEDOUT;
	expect(mode, noticed, "nobody's time is up", "drop", n);
	for (i = 0; i < 2; i++) {
		if (pair.side[i].stop != ICB_STOP_TIMEOUT ||
		    (i && mode->one_thread))
			continue;
		expect(mode, !pair.side[i].ret, "a failure", "drop", n);
		waited = pair.side[i].ended - pair.side[i].progress_time;
		if (busy && pair.run[i].since < pair.side[i].progress_time)
			waited = pair.side[i].ended - pair.run[i].since;
		expect(mode, waited > timeout, "too early", "drop", n);
		expect(mode, waited < timeout + REACTION +
				      (busy ? 0 : timeout / 8),
		       "too late", "drop", n);
	}
}

static void test_drop(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_message(mode, side, n) {
		config.net.faults[side].drop = n;
		config.net.one_cpu = n & 1;
		run(mode, "drop", n);
		expect_timeout(mode, n);
		assert_int_equal(pair.run[0].done, measured(n - 1));
	}
}

/*
 * With a passive verb only the initiator receives data. Corrupted requests are in
 * test_engine_passive.c.
 */
static unsigned int sender(const struct mode *mode, unsigned int side)
{
	return mode_verb(mode)->passive ? 1 : side;
}

/* With verify, every byte of every message is compared. */
static void test_corrupt_verified(void **state)
{
	unsigned int i, side, finder;
	size_t byte, last;
	u64 n;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (n = 1; prepare(&mode_table[i], n),
		     n <= total(&mode_table[i]); n++)
			for (byte = 0; byte < params.size; byte += 1 + n % 5) {
				side = sender(&mode_table[i], (n + byte) & 1);
				finder = !side;
				last = params.size - 1;
				prepare(&mode_table[i], n);
				params.verify = 1;
				config.net.faults[side].corrupt = n;
				config.net.faults[side].corrupt_byte = byte;
				run(&mode_table[i], "corrupt", n);
				/* the byte that is polled never arrives */
				if (!waits(&mode_table[i]) && byte == last) {
					expect_timeout(&mode_table[i], n);
					continue;
				}
				assert_true(pair.complete);
				assert_int_equal(pair.run[finder].errors, 1);
				assert_int_equal(pair.run[side].errors, 0);
				assert_int_equal(pair.side[finder].compared,
						 -EBADMSG);
				assert_int_equal(pair.side[side].compared, 0);
				assert_non_null(strstr(pair.side[finder].why.text,
						       "verify: 1 of "));
			}
}

/* A message whose last byte arrives before the rest is waited for, and counted as torn. */
static void test_torn(void **state)
{
	unsigned int side, torn = 0;
	const struct mode *mode;
	u64 n;

	(void)state;
	for_each_message(mode, side, n) {
		if (waits(mode))
			continue;
		config.net.faults[side].torn = n;
		params.verify = 1;
		run(mode, "torn", n);
		expect_complete(mode, "torn", n);
		assert_int_equal(pair.run[!side].errors, 0);
		assert_in_range(pair.run[!side].torn, 0, 1);
		assert_int_equal(pair.run[side].torn, 0);
		assert_int_equal(pair.side[!side].compared, 0);
		torn += pair.run[!side].torn;
	}
	assert_int_not_equal(torn, 0);
}

/* Without verify, the last message is compared. */
static void test_corrupt_last(void **state)
{
	unsigned int i, side, from, finder;
	const struct icb_verb *verb;
	char words[64];
	size_t byte;
	u64 n;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (side = 0; side < 2; side++)
			for (byte = 0; prepare(&mode_table[i], byte),
			     byte < params.size; byte++) {
				n = total(&mode_table[i]) - (byte == 5);
				verb = mode_verb(&mode_table[i]);
				from = sender(&mode_table[i], side);
				finder = !from;
				config.net.faults[from].corrupt = n;
				config.net.faults[from].corrupt_byte = byte;
				run(&mode_table[i], "corrupt byte", byte);
				if (!waits(&mode_table[i]) &&
				    byte == params.size - 1) {
					expect_timeout(&mode_table[i], n);
					continue;
				}
				assert_true(pair.complete);
				if (byte == 5) {
					expect_complete(&mode_table[i],
							"not the last", n);
					continue;
				}
				assert_int_equal(pair.side[finder].compared,
						 -EBADMSG);
				assert_int_equal(pair.side[from].compared, 0);
				snprintf(words, sizeof(words),
					 "verify: byte %zu of the last message",
					 verb->atomic ? 0 : byte);
				assert_non_null(strstr(pair.side[finder].why.text,
						       words));
			}
}

static bool noticed_by_any(void)
{
	return pair.side[0].compared == -EBADMSG ||
	       pair.side[1].compared == -EBADMSG;
}

/*
 * A message arrives twice, so that all later ones are shifted by one. For verbs with a
 * remote address the right message may have arrived by then.
 */
static void test_twice(void **state)
{
	unsigned int i, side;
	u64 n;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (side = 0; side < 2; side++)
			for (n = 1; prepare(&mode_table[i], n),
			     n < total(&mode_table[i]); n++) {
				if (!mode_verb(&mode_table[i])->recv)
					continue;
				params.verify = n & 1;
				config.net.faults[side].duplicate = n;
				config.net.lenient = true;
				run(&mode_table[i], "twice", n);
				/* without verify, it may arrive after the last check */
				if (mode_verb(&mode_table[i])->remote)
					continue;
				if (pair.complete && params.verify)
					expect(&mode_table[i], noticed_by_any(),
					       "nobody noticed", "twice", n);
			}
}

/*
 * Sends never complete: the run ends when the send queue is full. A loop that waits for
 * this very completion does not send again.
 */
static void test_full(void **state)
{
	unsigned int i, side, depth, wrs;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (side = 0; side < 2; side++) {
			prepare(&mode_table[i], side);
			params.iterations = 100;
			params.signal_every = mode_signal(&mode_table[i], 32);
			config.net.faults[side].no_cpl_from = 1;
			if (!mode_acts(&mode_table[i], side))
				continue;
			run(&mode_table[i], "late", side);
			if (mode_verb(&mode_table[i])->passive) {
				expect_timeout(&mode_table[i], 1);
				assert_int_equal(pair.net.ep[0].own.posts, 1);
				continue;
			}
			/* a write with a message is two WRs; of the last one, only the write may fit */
			wrs = mode_table[i].notify ? 2 : 1;
			depth = pair.net.ep[side].own.full_depth;
			assert_int_equal(pair.net.ep[side].own.sq_full, 1);
			assert_int_equal(pair.net.ep[side].own.posts, DIV_ROUND_UP(depth, wrs));
			expect_error(&mode_table[i], side, -ENOMEM, "late",
				     side);
			assert_int_equal(pair.run[0].done, measured(depth / wrs));
			/* the queue has room for two groups of unsignaled sends */
			assert_true(depth >= 2 * params.signal_every);
		}
}

/* After a stop request, later failures do not change the reason. */
static void request(void *arg)
{
	(void)arg;
	net_end(&pair.net.ep[0], ICB_STOP_REQUEST, 0);
}

static void test_stopped(void **state)
{
	unsigned int i, stopped;
	u64 at;

	(void)state;
	for (i = 0; i < MODES; i++) {
		stopped = 0;
		for (at = 20; at < 1000; at += 3) {
			prepare(&mode_table[i], 1);
			config.net.faults[0].post = 6;
			config.net.faults[0].refill = 6;
			config.net.hook = request;
			config.net.hook_at = at;
			run(&mode_table[i], "stopped at call", at);
			if (pair.side[0].stop != ICB_STOP_REQUEST)
				continue;
			stopped++;
			assert_int_equal(pair.side[0].ret, 0);
		}
		expect(&mode_table[i], stopped, "never stopped", "stops", 0);
	}
}

/* A layer reports a failure to a run, without having ended it. */
static void arrive_failed(void *arg)
{
	(void)arg;
	/* in the thread, not in a callback: it is about to wait */
	if (task_self() || pair.net.ep[0].own.posts != 1)
		pair.net.config.hook_at++;
	else
		pair.run[0].consumer.ops->arrived(&pair.run[0].consumer, -EIO);
}

static void test_told(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < MODES; i++) {
		prepare(&mode_table[i], i);
		if (!(BIT(params.completion) & ICB_COMPLETIONS_CALLBACK))
			continue;
		config.task.preempt = 0;
		config.net.delay = 100000;
		config.net.hook = arrive_failed;
		config.net.hook_at = 1;
		run(&mode_table[i], "told", 0);
		expect_error(&mode_table[i], 0, -EIO, "told", 0);
		assert_int_equal(pair.run[0].done, 0);
	}
}

/* Any fault at any time: the run ends, and its invariants hold. */
static void test_chaos(void **state)
{
	struct net_faults *faults;
	unsigned int i, complete = 0;
	u64 seed, n;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (seed = 0; seed < 500; seed++) {
			prepare(&mode_table[i], seed);
			n = 1 + seed * 7 % 40;
			faults = &config.net.faults[seed & 1];
			faults->post = seed % 3 ? 0 : n;
			faults->recv = seed % 5 ? 0 : n;
			faults->send = seed % 7 ? 0 : n;
			faults->truncate = seed % 11 ? 0 : n;
			faults->no_cpl_from = seed % 13 ? 0 : n;
			faults = &config.net.faults[!(seed & 1)];
			n = 1 + seed * 11 % 40;
			faults->poll = seed % 4 ? 0 : n;
			faults->refill = seed % 6 ? 0 : n;
			faults->arm = seed % 9 ? 0 : n;
			faults->empty = seed % 12 ? 0 : n;
			faults->drop = seed % 10 ? 0 : n;
			faults->corrupt = seed % 8 ? 0 : n;
			params.verify = seed / 2 & 1;
				config.net.spurious = 200;
			config.net.one_cpu = seed / 4 & 1;
			config.net.hook = request;
			config.net.hook_at = seed % 6 ? 0 : seed;
			run(&mode_table[i], "chaos", seed);
			if (!pair.complete)
				continue;
			complete++;
			assert_int_equal(pair.run[0].done, params.iterations);
		}
	assert_in_range(complete, 1, MODES * 500 - 1);
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
		cmocka_unit_test(test_post),
		cmocka_unit_test(test_recv),
		cmocka_unit_test(test_send),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_poll),
		cmocka_unit_test(test_refill),
		cmocka_unit_test(test_arm),
		cmocka_unit_test(test_drop),
		cmocka_unit_test(test_corrupt_verified),
		cmocka_unit_test(test_corrupt_last),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_chaos),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
