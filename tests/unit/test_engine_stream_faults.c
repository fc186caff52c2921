// SPDX-License-Identifier: GPL-2.0
/* The loops of trigger completion with faults, and with damaged messages. */
#include "engine/account.h"
#include "engine/message.h"
#include "unit.h"
#include <unistd.h>
#include "host/clock.h"
#include "pick.h"
#include "streams.h"

/* An error of one side ends both, and is reported with its own error number. */
static void expect_error(const struct mode *mode, unsigned int side, int err,
			 const char *what, u64 number)
{
	unsigned int driver = mode->one_thread ? 0 : side;

	expect(mode, pair.side[driver].err == err, "another error", what,
	       number);
	expect(mode, pair.side[driver].stop == ICB_STOP_ERROR,
	       "not ended by an error", what, number);
	if (!mode->one_thread)
		expect(mode, pair.side[!side].err == -ECONNRESET,
		       "the other side has another error", what, number);
	expect(mode, !pair.complete, "complete", what, number);
}

/* Check whether a side starts operations. */
static bool begins(const struct mode *mode, unsigned int side)
{
	return !side || mode->direction == ICBENCH_DIRECTION_BI;
}

/* Prepare a long run of both sides. */
static void prepare_long(const struct mode *mode, u64 number)
{
	prepare(mode, number);
	params.iterations = 2000;
	config.net.no_log = true;
}

#define for_each_side(mode, side)					\
	for_each_stream(mode)						\
		for ((side) = 0; (side) < 2; (side)++)

static void test_post(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_side(mode, side)
		for (n = 1; n < 50 && begins(mode, side); n++) {
			prepare_long(mode, n);
			config.net.faults[side].post = n;
			run(mode, "post", n);
			expect_error(mode, side, -ENOMEM, "post", n);
			assert_int_equal(pair.net.ep[side].own.posts, n - 1);
		}
}

/* A send that fails completes with an error, and so do all later ones. */
static void test_send(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n, booked;

	(void)state;
	for_each_side(mode, side)
		for (n = 1; n < 50 && begins(mode, side); n++) {
			prepare_long(mode, n);
			config.net.faults[side].send = n;
			run(mode, "send", n);
			expect_error(mode, side, -ECONNRESET, "send", n);
			booked = pair.run[side].acked;
			expect(mode, booked < n, "books it", "send", n);
		}
}

/* Check whether messages that use up receives arrive at a side. */
static bool receives(const struct mode *mode, unsigned int side)
{
	return mode_verb(mode)->recv && begins(mode, !side);
}

static void test_recv(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_side(mode, side)
		for (n = 1; n < 50; n++) {
			if (!receives(mode, side) &&
			    !(mode_verb(mode)->passive && begins(mode, side)))
				continue;
			prepare_long(mode, n);
			/* a side's own operations are all signaled */
			if (mode_verb(mode)->passive)
				params.signal_every = 1;
			config.net.faults[side].recv = n;
			run(mode, "receive", n);
			expect_error(mode, side, -ECONNRESET, "receive", n);
			/* callbacks count the messages that arrive later */
			assert_true(mode_callbacks(mode) ||
				    pair.run[side].seen < n);
		}
}

static void test_cut(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_side(mode, side)
		for (n = 1; n < 50 && receives(mode, !side); n++) {
			prepare_long(mode, n);
			config.net.faults[side].truncate = n;
			run(mode, "cut", n);
			expect_error(mode, !side, -EPROTO, "cut", n);
		}
}

static void test_refill(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_side(mode, side)
		for (n = 1; n < 50 && receives(mode, side); n++) {
			prepare_long(mode, n);
			config.net.faults[side].refill = n;
			run(mode, "refill", n);
			expect_error(mode, side, -ENOMEM, "refill", n);
		}
}

static void test_poll(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_side(mode, side)
		for (n = 1; n < 50; n++) {
			if (mode_callbacks(mode) ||
			    !(begins(mode, side) || receives(mode, side)))
				continue;
			prepare_long(mode, n);
			config.net.faults[side].poll = n;
			run(mode, "poll", n);
			expect_error(mode, side, -EIO, "poll", n);
		}
}

static void test_arm(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_side(mode, side)
		for (n = 1; n < 20; n++) {
			if (mode->completion != ICBENCH_COMPLETION_BLOCK ||
			    !(begins(mode, side) || receives(mode, side)))
				continue;
			prepare_long(mode, n);
			config.net.delay = 5000;
			config.net.faults[side].arm = n;
			run(mode, "arm", n);
			/* a side that always finds a completion arms no event */
			if (pair.net.ep[side].own.calls[NET_ARM] >= n)
				expect_error(mode, side, -EIO, "arm", n);
		}
}

/*
 * A completion never arrives, with or without its message. No later one is taken for it,
 * and the run ends by its timeout, unless the request was unsignaled. A responder
 * continues with a smaller window, or ends by its timeout.
 */
static void try_lost(const struct mode *mode, unsigned int side, u64 n,
		     bool message)
{
	const struct icb_run *it = &pair.run[side];
	bool due;

	prepare(mode, n);
	params.iterations = side ? 500 : 100;
	config.net.no_log = true;
	if (message)
		config.net.faults[side].drop = n;
	else
		config.net.faults[side].no_cpl = n;
	run(mode, message ? "dropped" : "lost", n);
	due = !(n % params.signal_every);
	/* phases change which requests are signaled */
	if (params.signal_every > 1 && (params.warmup || mode_callbacks(mode)))
		due = pair.side[0].err;
	if (!due || side)
		return;
	expect(mode, !pair.complete, "complete", "lost", n);
	expect(mode, it->acked < it->mark, "books all of it", "lost", n);
	expect(mode, pair.side[0].stop == ICB_STOP_TIMEOUT ||
		     pair.side[1].stop == ICB_STOP_TIMEOUT,
	       "its time is not up", "lost", n);
}

static void test_lost(void **state)
{
	const struct mode *mode;
	unsigned int side;
	u64 n;

	(void)state;
	for_each_side(mode, side)
		for (n = 1; n < 40 && begins(mode, side); n += 3) {
			try_lost(mode, side, n, false);
			try_lost(mode, side, n, true);
		}
}

static u64 ended_at;

static void end(void *arg)
{
	struct icb_ep *ep = arg;

	/* the module does not start to drive a side that is over */
	if (pair.side[ep->own.side].over || ep->own.run->consumer.stop ||
	    (pair.config.one_thread && ep->own.side && !ep->own.run->mate))
		return;
	ended_at = task_now();
	net_end(ep, ICB_STOP_REQUEST, 0);
}

/* A stop request, at each call of the run. */
static void test_stop(void **state)
{
	const struct mode *mode;
	unsigned int side, stopped = 0;
	u64 at;

	(void)state;
	for_each_side(mode, side)
		for (at = 1; at < 2000; at += 1 + at / 8) {
			prepare(mode, at);
			params.iterations = 1000;
			config.net.hook = end;
			config.net.hook_arg = &pair.net.ep[side];
			config.net.hook_at = at;
			ended_at = 0;
			run(mode, "stopped at call", at);
			if (!ended_at)
				continue;
			stopped++;
			expect(mode, !pair.complete, "goes on",
			       "stopped at call", at);
			expect(mode, pair.side[side].stop == ICB_STOP_REQUEST ||
			       (side && mode->one_thread),
			       "another end", "stopped at call", at);
			/* a side that only offers memory is notified by its peer */
			expect(mode, pair.side[0].ended < ended_at + 500000,
			       "it took long", "stopped at call", at);
		}
	assert_true(stopped > 1000);
}

/* Any fault at any time: the run ends, and its invariants hold. */
static void test_chaos(void **state)
{
	struct net_faults *faults;
	const struct mode *mode;
	u64 seed, n;

	(void)state;
	for_each_stream(mode)
		for (seed = 0; seed < 100; seed++) {
			prepare(mode, seed);
			n = 1 + seed * 7 % 60;
			faults = &config.net.faults[seed & 1];
			faults->post = seed % 3 ? 0 : n;
			faults->send = seed % 7 ? 0 : n;
			faults->no_cpl_from = seed % 13 ? 0 : n;
			faults->no_cpl = seed % 5 ? 0 : n;
			faults = &config.net.faults[!(seed & 1)];
			faults->poll = seed % 4 ? 0 : n;
			faults->refill = seed % 6 ? 0 : n;
			faults->arm = seed % 9 ? 0 : n;
			faults->drop = seed % 10 ? 0 : n;
			faults->recv = seed % 11 ? 0 : n;
			config.net.spurious = 200;
			config.net.one_cpu = seed / 4 & 1;
			config.net.hook = end;
			config.net.hook_arg = &pair.net.ep[seed / 2 & 1];
			config.net.hook_at = seed % 6 ? 0 : 20 * seed;
			run(mode, "chaos", seed);
		}
}

/* Use as many buffers as a window needs if each message is checked. */
static void verify(void)
{
	params.verify = 1;
	icb_params_preset(&params, ICBENCH_A_PARAMS_BUFFERS,
			  icb_buffers_ring(&params));
}

/* Correct messages are never reported as damaged, in whatever order they arrive. */
static void test_verified(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for_each_stream(mode)
		for (seed = 0; seed < 40; seed++) {
			prepare(mode, seed);
			params.seed = seed;
			params.size = mode_size(mode, PICK(seed, 1, 8, 24));
			params.sges = mode_sges(mode, params.size,
						PICK(seed, 1, 1, 2, 5));
			params.iterations = PICK(seed, 1, 2, 25, 101, 150);
			params.warmup = PICK(seed, 0, 1, 5, 64, 107);
			config.net.ack_jitter = PICK(seed, 0, 3000, 9000);
			if (seed % 3 == 2) {
				params.set &= ~BIT_ULL(ICBENCH_A_PARAMS_ITERATIONS);
				icb_params_preset(&params,
						  ICBENCH_A_PARAMS_DURATION,
						  PICK(seed, 1, 1000, 30000));
			}
			verify();
			run_complete(mode, "verified", seed);
			assert_int_equal(pair.run[0].errors, 0);
			assert_int_equal(pair.run[1].errors, 0);
		}
}

/* Side that sends the message contents: the initiator, or the responder of a read. */
static unsigned int corrupter(const struct mode *mode)
{
	return mode_verb(mode)->passive;
}

/* A flipped bit in any byte of any message: the report names the message. */
static void test_damaged(void **state)
{
	unsigned int from, finder;
	const struct mode *mode;
	u64 n, total;
	char words[80];
	bool late;

	(void)state;
	for_each_stream(mode)
		for (n = 1; n < 32; n++) {
			if (mode_verb(mode)->atomic)
				continue;
			from = corrupter(mode);
			finder = !from;
			prepare(mode, n);
			verify();
			total = params.iterations + params.warmup +
				mode_callbacks(mode);
			if (n > total)
				continue;
			config.net.faults[from].corrupt = n;
			config.net.faults[from].corrupt_byte = n % params.size;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, pair.net.wrong[0] ?
				    pair.net.wrong : NULL, "damaged", n);
			expect(mode, pair.complete, "incomplete", "damaged", n);
			/* messages behind the last notify message are checked at the end */
			late = pair.net.report_every && n > pair.run[finder].looked;
			expect(mode, pair.side[finder].compared == -EBADMSG,
			       "not found", "damaged", n);
			expect(mode, !pair.side[from].compared,
			       "found elsewhere", "damaged", n);
			snprintf(words, sizeof(words),
				 late ? "byte %llu of message %llu is not" :
					 "first, number %2$llu, from byte %1$llu on",
				 (unsigned long long)(n % params.size),
				 (unsigned long long)n);
			expect(mode, strstr(pair.side[finder].why.text, words),
			       pair.side[finder].why.text, "damaged", n);
		}
}

/* A single answer without data is noticed, although others follow. */
static void test_empty(void **state)
{
	const struct mode *mode;
	u64 n;

	(void)state;
	for_each_stream(mode)
		for (n = 1; n < 32; n++) {
			if (mode->verb != ICBENCH_VERB_READ)
				continue;
			prepare(mode, n);
			verify();
			config.net.faults[1].empty = n;
			pair_run(&pair, &params, &config);
			if (n > params.iterations + params.warmup)
				continue;
			expect(mode, pair.run[0].errors == 1, "not found",
			       "empty", n);
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
		cmocka_unit_test(test_post),
		cmocka_unit_test(test_send),
		cmocka_unit_test(test_recv),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_refill),
		cmocka_unit_test(test_poll),
		cmocka_unit_test(test_arm),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_chaos),
		cmocka_unit_test(test_verified),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_empty),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
