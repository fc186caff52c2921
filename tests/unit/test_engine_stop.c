// SPDX-License-Identifier: GPL-2.0
/* Runs that are ended from outside, at every possible point. */
#include "engine/run.h"
#include "unit.h"
#include <unistd.h>
#include "check.h"
#include "host/clock.h"
#include "mode.h"

/* Number of points at which runs are ended; the others are skipped. */
#define POINTS		150

/* Longest time from the request to end until the loop has ended, ticks. */
#define REACTION	400000

static struct pair pair;

/**
 * struct ending - end of a run from outside
 * @side: side that is ended
 * @why: reason of the end
 * @err: error of the connection
 * @late: true if the loop had ended already
 * @mates: true if one thread drove both sides
 * @done: operations measured before the end
 * @time: time of the end, ticks
 */
static struct ending {
	unsigned int side;
	enum icb_stop why;
	int err;
	bool late;
	bool mates;
	u64 done;
	u64 time;
} ending;

static void end(void *arg)
{
	(void)arg;
	ending.late = pair.side[ending.side].over ||
		      pair.run[ending.side].consumer.stop;
	ending.mates = pair.run[0].mate;
	ending.done = pair.run[0].done;
	ending.time = task_now();
	/* the module does not start to drive a side that is over */
	if (pair.config.one_thread && ending.side && !ending.mates)
		ending.late = true;
	if (!ending.late)
		net_end(&pair.net.ep[ending.side], ending.why, ending.err);
}

/* Result of a side's script for a reason to stop. */
static int meaning(enum icb_stop why)
{
	switch (why) {
	case ICB_STOP_REQUEST:
		return -ECANCELED;
	case ICB_STOP_TIMEOUT:
		return -ETIMEDOUT;
	case ICB_STOP_ERROR:
		return -ENODEV;
	default:
		return 0;
	}
}

/* Check the initiator after the end of a passive responder. */
static const char *check_left(const struct pair_side *it)
{
	if (pair.side[1].err != meaning(ending.why))
		return "its script does not know why";
	if (!it->over)
		return "the other side goes on";
	/* it may have been complete before */
	if (it->err != -ECONNRESET && !pair.complete)
		return "the other side has another error";
	return it->ended - ending.time > REACTION ? "it took long" : NULL;
}

static const char *check_ended(const struct mode *mode)
{
	const struct pair_side *it = &pair.side[ending.side];
	const struct pair_side *other = &pair.side[!ending.side];
	const char *wrong = check_pair(&pair);

	if (wrong)
		return wrong;
	if (ending.late)
		return check_complete(&pair);
	if (it->stop != (int)ending.why)
		return "it was not that which stopped it";
	/* the end of a passive side is noticed only by the end of its connection */
	if (!mode_acts(mode, ending.side))
		return check_left(other);
	/* the operation in flight may still be counted, and that of its answer */
	if (pair.run[0].done > ending.done + 1 + ending.side)
		return "it went on measuring";
	if (ending.mates && other->stop != it->stop)
		return "one thread's two sides ended for two reasons";
	if (mode->one_thread)
		it = &pair.side[0];
	if (it->ended - ending.time > REACTION)
		return "it took long";
	/* the other side is notified by its connection, later */
	if (mode->one_thread && ending.side && ending.why == ICB_STOP_ERROR)
		return NULL;
	if (it->err != meaning(ending.why))
		return "its script does not know why";
	if (!mode->one_thread && !other->over)
		return "the other side goes on";
	return NULL;
}

static void try_all(enum icb_stop why, unsigned int side, u32 verify)
{
	struct pair_config config;
	struct icb_params params;
	u64 calls, at;
	unsigned int i;

	for (i = 0; i < MODES; i++) {
		/* a passive side has no timeout */
		if (why == ICB_STOP_TIMEOUT && !mode_acts(&mode_table[i], side))
			continue;
		mode_params(&mode_table[i], &params);
		mode_config(&mode_table[i], 7 * why + side, &config);
		params.verify = verify;
		pair_run(&pair, &params, &config);
		mode_expect(&pair, &mode_table[i], check_complete(&pair),
			    "not ended", 0);
		calls = pair.net.calls;
		assert_true(calls > POINTS / 3);
		config.net.hook = end;
		for (at = 1; at <= calls; at += 1 + calls / POINTS) {
			config.net.hook_at = at;
			ending = (struct ending) {
				.side = side,
				.why = why,
				.err = why == ICB_STOP_ERROR ? -ENODEV : 0,
			};
			pair_run(&pair, &params, &config);
			mode_expect(&pair, &mode_table[i],
				    check_ended(&mode_table[i]),
				    "ended at call", at);
		}
	}
}

static void test_request(void **state)
{
	(void)state;
	try_all(ICB_STOP_REQUEST, 0, 0);
	try_all(ICB_STOP_REQUEST, 0, 1);
	try_all(ICB_STOP_REQUEST, 1, 0);
}

static void test_timeout(void **state)
{
	(void)state;
	try_all(ICB_STOP_TIMEOUT, 0, 0);
	try_all(ICB_STOP_TIMEOUT, 1, 1);
}

/* An error from elsewhere, as of a connection that is closed. */
static void test_error(void **state)
{
	(void)state;
	try_all(ICB_STOP_ERROR, 0, 0);
	try_all(ICB_STOP_ERROR, 1, 1);
}

/* A sleeping thread is woken by its end, and by nothing else. */
static void end_asleep(void *arg)
{
	const struct icb_ep *ep = &pair.net.ep[ending.side];
	bool event = pair.net.callbacks ? ep->own.calls[NET_WAIT_OVER] :
					  ep->own.calls[NET_SLEEP];

	pair.net.config.hook_at++;
	/* the third message was lost: no further event occurs */
	if (event && ep->own.net->ep[0].own.posts == 3 && !ending.time)
		end(arg);
}

static void test_asleep(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;

	(void)state;
	for (i = 0; i < MODES; i++) {
		mode_params(&mode_table[i], &params);
		/* a thread that polls before it sleeps makes the last calls */
		if (BIT(params.completion) &
		    (ICB_COMPLETIONS_BUSY | BIT(ICBENCH_COMPLETION_ADAPTIVE)))
			continue;
		mode_config(&mode_table[i], i, &config);
		config.net.faults[0].drop = 3;
		config.net.hook = end_asleep;
		config.net.hook_at = 1;
		ending = (struct ending) { .why = ICB_STOP_REQUEST };
		pair_run(&pair, &params, &config);
		mode_expect(&pair, &mode_table[i],
			    check_ended(&mode_table[i]), "asleep", 0);
	}
}

/* The responder ends because of a message end, although the initiator continues. */
static void test_end(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;
	u64 at;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (at = 20; !mode_table[i].one_thread && at < 200; at += 9) {
			mode_params(&mode_table[i], &params);
			mode_config(&mode_table[i], at, &config);
			config.net.hook = end;
			config.net.hook_at = at;
			ending = (struct ending) {
				.side = 1, .why = ICB_STOP_END,
			};
			pair_run(&pair, &params, &config);
			mode_expect(&pair, &mode_table[i], check_pair(&pair),
				    "end at call", at);
			assert_int_equal(pair.side[1].stop, ICB_STOP_END);
			assert_int_equal(pair.side[1].err, 0);
			/* the network still has the other side's memory */
			if (!mode_acts(&mode_table[i], 1)) {
				assert_int_equal(pair.side[0].err, 0);
				continue;
			}
			/* the initiator is not notified, and times out */
			assert_int_equal(pair.side[0].stop, ICB_STOP_TIMEOUT);
		}
}

/* Which side's end also ends the other side. */
static void test_mates(void **state)
{
	static const struct {
		unsigned int side;
		enum icb_stop why;
		int initiator;
		int responder;
	} rows[] = {
		{ 0, ICB_STOP_REQUEST, ICB_STOP_REQUEST, ICB_STOP_REQUEST },
		{ 1, ICB_STOP_REQUEST, ICB_STOP_REQUEST, ICB_STOP_REQUEST },
		{ 0, ICB_STOP_TIMEOUT, ICB_STOP_TIMEOUT, ICB_STOP_TIMEOUT },
		{ 1, ICB_STOP_TIMEOUT, ICB_STOP_TIMEOUT, ICB_STOP_TIMEOUT },
		{ 0, ICB_STOP_ERROR, ICB_STOP_ERROR, ICB_STOP_ERROR },
		{ 1, ICB_STOP_ERROR, ICB_STOP_ERROR, ICB_STOP_ERROR },
		{ 1, ICB_STOP_END, ICB_STOP_NONE, ICB_STOP_END },
	};
	struct icb_run run[2];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memset(run, 0, sizeof(run));
		/* two threads */
		assert_row(i, icb_run_stop(&run[rows[i].side], rows[i].why));
		assert_row(i, run[rows[i].side].consumer.stop == (int)rows[i].why);
		assert_row(i, !run[!rows[i].side].consumer.stop);
		/* the first reason is kept */
		assert_row(i, !icb_run_stop(&run[rows[i].side],
					    ICB_STOP_REQUEST));
		assert_row(i, run[rows[i].side].consumer.stop == (int)rows[i].why);
		/* one thread for both sides */
		memset(run, 0, sizeof(run));
		run[0].mate = &run[1];
		run[1].mate = &run[0];
		assert_row(i, icb_run_stop(&run[rows[i].side], rows[i].why));
		assert_row(i, run[0].consumer.stop == rows[i].initiator);
		assert_row(i, run[1].consumer.stop == rows[i].responder);
		assert_row(i, !icb_run_stop(&run[rows[i].side],
					    ICB_STOP_REQUEST));
		/* a second end of either side: a request reaches both */
		assert_row(i, run[1].consumer.stop == rows[i].responder);
		assert_row(i, run[0].consumer.stop == (rows[i].initiator ?
					      rows[i].initiator :
					      ICB_STOP_REQUEST));
	}
}

/*
 * A loop that always finds a completion never waits, and so checks for its end only
 * between two operations.
 */
static void test_never_waits(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i, warm;

	(void)state;
	for (i = 0; i < MODES; i++)
		for (warm = 0; warm < 2; warm++) {
			mode_params(&mode_table[i], &params);
			mode_config(&mode_table[i], i, &config);
			params.iterations = warm ? 1 : 1000000;
			params.warmup = warm ? 1000000 : 0;
			config.task.preempt = 0;
			config.net.delay = 0;
			config.net.jitter = 0;
			config.net.ack_jitter = 0;
			config.net.no_log = true;
			config.net.hook = end;
			config.net.hook_at = 3000;
			ending = (struct ending) { .why = ICB_STOP_REQUEST };
			pair_run(&pair, &params, &config);
			mode_expect(&pair, &mode_table[i],
				    check_ended(&mode_table[i]), "warm-up",
				    warm);
			assert_int_equal(!pair.run[0].done, warm);
		}
}

/* The same for a responder: the next message has always arrived already. */
static void end_flooded(void *arg)
{
	pair.net.config.hook_at++;
	if (pair.net.ep[1].own.taken == 4 && !ending.time)
		end(arg);
}

static void test_flooded(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;

	(void)state;
	for (i = 0; i < MODES; i++) {
		mode_params(&mode_table[i], &params);
		mode_config(&mode_table[i], i, &config);
		if (!mode_verb(&mode_table[i])->recv)
			continue;
		config.net.lenient = true;
		config.net.faults[0].duplicate = 3;
		config.net.faults[0].copies = 4;
		config.net.hook = end_flooded;
		config.net.hook_at = 1;
		ending = (struct ending) { .side = 1, .why = ICB_STOP_REQUEST };
		pair_run(&pair, &params, &config);
		mode_expect(&pair, &mode_table[i], check_pair(&pair), "flood",
			    0);
		assert_true(ending.time && !ending.late);
		mode_expect(&pair, &mode_table[i],
			    pair.run[1].seen <= 5 ? NULL : "it goes on",
			    "messages", pair.run[1].seen);
	}
}

/* A message arrives at a side that is stopped, and has not noticed it yet. */
static void arrive_stopped(void *arg)
{
	struct icb_run *run = &pair.run[0];
	u64 posts = pair.net.ep[0].own.posts;

	/* in the thread, not in a callback: it is about to wait */
	if (task_self() || posts != 1) {
		pair.net.config.hook_at++;
		return;
	}
	end(arg);
	run->consumer.ops->arrived(&run->consumer, 0);
	run->consumer.ops->arrived(&run->consumer, -EIO);
	if (run->seen || run->err || pair.net.ep[0].own.posts != posts)
		net_wrong(&pair.net, "it goes on when it was stopped");
}

static void test_stopped(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;

	(void)state;
	for (i = 0; i < MODES; i++) {
		mode_params(&mode_table[i], &params);
		mode_config(&mode_table[i], i, &config);
		if (!(BIT(params.completion) & ICB_COMPLETIONS_CALLBACK))
			continue;
		config.task.preempt = 0;
		config.net.delay = 100000;
		config.net.hook = arrive_stopped;
		config.net.hook_at = 1;
		ending = (struct ending) { .why = ICB_STOP_REQUEST };
		pair_run(&pair, &params, &config);
		assert_true(ending.time);
		mode_expect(&pair, &mode_table[i],
			    check_ended(&mode_table[i]), "arrival", 0);
	}
}

/* A message that arrives after the end of a run changes nothing. */
static void arrive_late(void *arg)
{
	struct icb_run before;
	u64 posts;
	int i;

	(void)arg;
	pair.net.config.hook_at++;
	for (i = 0; i < 2; i++) {
		if (!pair.side[i].over)
			continue;
		before = pair.run[i];
		posts = pair.net.ep[i].own.posts;
		/* disable this hook for the following calls */
		pair.net.config.hook_at = 0;
		pair.run[i].ops->consumer.arrived(&pair.run[i].consumer, 0);
		pair.run[i].ops->consumer.arrived(&pair.run[i].consumer, -EIO);
		pair.net.config.hook_at = pair.net.calls + 1;
		if (memcmp(&before, &pair.run[i], sizeof(before)) ||
		    posts != pair.net.ep[i].own.posts)
			net_wrong(&pair.net, "side %d lives on", i);
	}
}

static void test_afterlife(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;

	(void)state;
	for (i = 0; i < MODES; i++) {
		mode_params(&mode_table[i], &params);
		mode_config(&mode_table[i], i, &config);
		if (!(BIT(params.completion) & ICB_COMPLETIONS_CALLBACK))
			continue;
		config.task.preempt = 0;
		config.net.hook = arrive_late;
		config.net.hook_at = 1;
		pair_run(&pair, &params, &config);
		mode_expect(&pair, &mode_table[i], check_complete(&pair),
			    "afterlife", 0);
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
		cmocka_unit_test(test_request),
		cmocka_unit_test(test_timeout),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_asleep),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_mates),
		cmocka_unit_test(test_never_waits),
		cmocka_unit_test(test_flooded),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_afterlife),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
