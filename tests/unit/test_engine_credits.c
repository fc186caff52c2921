// SPDX-License-Identifier: GPL-2.0
/* How far a stream may be ahead of its receiver, and that it does not exceed this. */
#include "check.h"
#include "host/clock.h"
#include "mode.h"
#include "model/credits.h"
#include "unit.h"

static struct pair pair;
static struct pair_config config;
static struct icb_params params;

/* Depths of the receive queue for a window: see icb_ep_recv_depth(). */
static void check_plan(u32 window, u32 most, u32 depth, bool paired)
{
	u32 batch = most, flying;
	const struct icb_credits credits = icb_credits_plan(depth, window,
							    paired, &batch);

	assert_true(batch >= 1 && batch <= most);
	assert_int_equal(depth % batch, 0);
	/* all messages in flight, and the receives that wait to be posted with others */
	flying = paired ? 2 * credits.ahead : credits.ahead;
	assert_true(flying + batch - 1 <= depth);
	/* a window can be posted, however many grants are pending */
	assert_true(credits.each >= 1);
	assert_true(credits.ahead >= window + credits.each - 1);
	assert_true(paired ||
		    credits.ahead / credits.each <= ICB_CREDITS_HEARD);
}

/* Two windows, in whole batches. */
static u32 depth_of(u32 window, u32 batch)
{
	return 2 * ((window + batch - 1) / batch) * batch;
}

static void test_plan(void **state)
{
	u32 window, batch, depth;
	int paired;

	(void)state;
	for (window = 1; window <= ICBENCH_MAX_WINDOW; window++)
		for (paired = 0; paired < 2; paired++) {
			/* one QP, with and without checked messages; and several QPs */
			depth = depth_of(window, 16);
			check_plan(window, 16, depth, paired);
			check_plan(window, 16, max_t(u32, depth, 512), paired);
			batch = min_t(u32, window, 16);
			check_plan(window, batch, depth_of(window, batch),
				   paired);
		}
}

#define OPEN(_name, _completion, _one_thread) {				\
	.name = "open loop, " _name, .trigger = ICBENCH_TRIGGER_CLOCK,	\
	.completion = ICBENCH_COMPLETION_##_completion,			\
	.one_thread = (_one_thread) }

static const struct mode open_modes[] = {
	OPEN("poll", POLL, false),
	OPEN("block", BLOCK, false),
	OPEN("softirq", SOFTIRQ, false),
	OPEN("workqueue", WORKQUEUE, false),
	OPEN("in one thread", POLL, true),
};

/* Iterate over streams whose messages use up receives, and over open loops. */
static const struct mode *next_mode(const struct mode *mode)
{
	const struct mode *last = open_modes + ARRAY_SIZE(open_modes);

	if (!mode)
		mode = stream_table;
	else
		mode++;
	while (mode >= stream_table && mode < stream_table + STREAMS) {
		if (mode_verb(mode)->recv)
			return mode;
		mode++;
	}
	if (mode == stream_table + STREAMS)
		return open_modes;
	return mode == last ? NULL : mode;
}

#define for_each_mode(mode)						\
	for ((mode) = next_mode(NULL); (mode); (mode) = next_mode(mode))

static bool is_open(const struct mode *mode)
{
	return mode->trigger == ICBENCH_TRIGGER_CLOCK;
}

static void set_window(const struct mode *mode, u32 window, u32 refill,
		       u32 batch, u32 signal)
{
	params.window = window;
	if (is_open(mode))
		return;
	params.refill = refill;
	params.batch = batch;
	params.signal_every = signal;
}

/* A network that breaks without a receive, and a receiver that often pauses for long. */
static void prepare(const struct mode *mode, u64 seed)
{
	static const struct {
		u32 window;
		u32 refill;
		u32 batch;
		u32 signal;
	} shapes[] = {
		{ 1, 1, 1, 1 },
		{ 2, 2, 2, 2 },
		{ 7, 6, 4, 2 },
		{ 16, 16, 16, 16 },
		{ 33, 12, 7, 6 },
		{ 100, 50, 10, 25 },
	};
	const size_t i = seed % ARRAY_SIZE(shapes);

	mode_params(mode, &params);
	mode_config(mode, seed, &config);
	set_window(mode, shapes[i].window, shapes[i].refill, shapes[i].batch,
		   shapes[i].signal);
	if (is_open(mode)) {
		params.rate = seed % 2 ? 100000000 : 1000000;
		params.arrival = seed % 3;
	}
	params.seed = seed;
	params.size = mode_size(mode, 8);
	params.iterations = 700;
	params.warmup = seed % 3 * 50;
	params.timeout = 50000000;
	config.net.iwarp = true;
	config.net.no_log = true;
	config.net.delay = seed % 4 * 1000;
	config.net.jitter = seed % 5 * 1000;
	config.net.ack_jitter = 0;
	config.task.preempt = 500;
	config.task.stall = 300000;
}

/* The run is complete, and all messages have arrived. */
static const char *check_ended(void)
{
	const struct icb_run *run = &pair.run[0];
	const char *const wrong[] = {
		pair.net.wrong[0] ? pair.net.wrong : NULL,
		HOLDS(!pair.side[0].err && !pair.side[1].err),
		HOLDS(!pair.side[0].stop),
		HOLDS(pair.complete),
		HOLDS(run->done == params.iterations),
		HOLDS(run->acked == run->seq),
		HOLDS(pair.run[1].seen == run->seq),
		HOLDS(!pair.side[0].compared && !pair.side[1].compared),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

static void run_complete(const struct mode *mode, const char *what, u64 number)
{
	const char *wrong;

	pair_run(&pair, &params, &config);
	wrong = check_ended();
	if (!wrong && !is_open(mode) && params.qps == 1)
		wrong = check_stream_complete(&pair);
	mode_expect(&pair, mode, wrong, what, number);
}

/*
 * However slow the receiver is, each message finds a receive, and the sender never waits
 * for ever.
 */
static void test_slow(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for_each_mode(mode)
		for (seed = 0; seed < 30; seed++) {
			prepare(mode, seed);
			run_complete(mode, "slow", seed);
		}
}

/* Without credit, each mode breaks, unless one thread drives both sides. */
static void test_uncredited(void **state)
{
	const struct mode *mode;
	u64 seed, broken;

	(void)state;
	for_each_mode(mode) {
		broken = 0;
		for (seed = 0; seed < 30 && !broken; seed++) {
			prepare(mode, seed);
			config.net.no_credit = true;
			/* rare pauses in which the sender uses up all receives */
			config.task.preempt = 5;
			config.task.stall = 3000000;
			params.iterations = 3000;
			pair_run(&pair, &params, &config);
			broken += pair.net.wrong[0];
		}
		mode_expect(&pair, mode, broken || mode->one_thread ? NULL :
			    "nothing would have broken", "uncredited", seed);
	}
}

/* Several QPs, also if the two sides wait for different ones. */
static void test_qps(void **state)
{
	static const u32 qps[] = { 2, 3, 8 };
	const struct mode *mode;
	unsigned int i;
	u64 seed;

	(void)state;
	for_each_mode(mode) {
		if (is_open(mode) || mode->notify == ICBENCH_NOTIFY_MESSAGE)
			continue;
		for (i = 0; i < ARRAY_SIZE(qps); i++)
			for (seed = 0; seed < 12; seed++) {
				prepare(mode, seed);
				config.stretch = seed / 3 % 2;
				icb_params_preset(&params,
						  ICBENCH_A_PARAMS_QPS, qps[i]);
				if (seed % 3)
					set_window(mode, 4, 2, 1, 2);
				else
					set_window(mode, 1, 1, 1, 1);
				run_complete(mode, "QPs", qps[i]);
			}
	}
}

/* Each direction has its own QP, so data and credit use different QPs. */
static void test_channels(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for_each_mode(mode) {
		if (is_open(mode) || mode->direction != ICBENCH_DIRECTION_BI ||
		    mode_callbacks(mode))
			continue;
		for (seed = 0; seed < 12; seed++) {
			prepare(mode, seed);
			params.devices = 2;
			params.policy = ICBENCH_POLICY_CHANNELS;
			run_complete(mode, "channels", seed);
		}
	}
}

/* A sender without credit ends by its timeout, and has not overrun the receiver. */
static void test_mute(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for_each_mode(mode) {
		if (mode->direction == ICBENCH_DIRECTION_BI)
			continue;
		for (seed = 0; seed < 6; seed++) {
			prepare(mode, seed);
			params.timeout = 500000;
			config.net.no_grants = true;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, pair.net.wrong[0] ?
				    pair.net.wrong : NULL, "mute", seed);
			/* the receiver may time out first */
			mode_expect(&pair, mode, pair.side[0].stop ==
				    ICB_STOP_TIMEOUT || pair.side[1].stop ==
				    ICB_STOP_TIMEOUT ? NULL :
				    "it did not time out", "mute", seed);
		}
	}
}

static void stop(void *arg)
{
	(void)arg;
	net_end(&pair.net.ep[0], ICB_STOP_REQUEST, 0);
}

/* A sender that waits for credit can be stopped at any point. */
static void test_stop(void **state)
{
	const struct mode *mode;
	u64 at;

	(void)state;
	for_each_mode(mode)
		for (at = 1; at < 3000; at += 1 + at / 4) {
			prepare(mode, at);
			params.iterations = 1000000;
			config.net.no_grants = at % 2;
			config.net.hook = stop;
			config.net.hook_at = at;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, pair.net.wrong[0] ?
				    pair.net.wrong : NULL, "stopped at", at);
			/* a run that can make no progress has timed out */
			mode_expect(&pair, mode, pair.net.calls < at ||
				    pair.side[0].stop == ICB_STOP_REQUEST ?
				    NULL : "it was not stopped", "stopped at",
				    at);
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
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_slow),
		cmocka_unit_test(test_uncredited),
		cmocka_unit_test(test_qps),
		cmocka_unit_test(test_channels),
		cmocka_unit_test(test_mute),
		cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}
