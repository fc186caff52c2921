// SPDX-License-Identifier: GPL-2.0
#include "engine/account.h"
#include "engine/message.h"
#include "engine/prepare.h"
#include "engine/run.h"
#include "host/clock.h"
#include "pair.h"

/* Checks for progress per timeout. */
#define CHECKS_PER_TIMEOUT	8

/*
 * Longest wait for the last messages of a run, ticks. In real time it is longer, since a
 * thread may have to wait for a CPU.
 */
#define DRAIN_TICKS		10000000
#define DRAIN_TICKS_REAL	10000000000

/* Derive the responder's parameters: those that the proposal does not carry are defaults. */
static void derive_params(struct icb_params *theirs, const struct icb_params *ours)
{
	*theirs = *ours;
	theirs->duration = 0;
	theirs->set &= ~BIT_ULL(ICBENCH_A_PARAMS_DURATION);
}

/* Return true if a side has to be checked for progress. */
static bool may_stall(const struct pair *pair, unsigned int side)
{
	/* a responder that another thread drives, or that only offers memory, counts nothing */
	bool no_view = side && (pair->config.one_thread ||
				icb_params_passive(&pair->params[0]));

	return !READ_ONCE(pair->side[side].over) &&
	       !READ_ONCE(pair->run[side].consumer.stop) && !no_view;
}

static void check_progress(struct pair *pair, unsigned int side)
{
	struct pair_side *result = &pair->side[side];
	u64 state = icb_run_progress(&pair->run[side]);

	if (state != result->progress_value || pair->prepared < NET_SIDES) {
		result->progress_value = state;
		result->progress_time = task_now();
	} else if (task_now() - result->progress_time > pair->run[side].timeout) {
		net_end(&pair->net.ep[side], ICB_STOP_TIMEOUT, 0);
	}
}

/*
 * As the module does, stop sides that make no progress. Loops that poll detect a timeout
 * themselves, but a sleeping task does not. This ends when each side has returned or was
 * stopped: the scheduler then reports a side that still sleeps.
 */
static void watch(void *arg)
{
	struct pair *pair = arg;
	u64 interval = icb_clock_ticks(pair->params[0].timeout) /
		       CHECKS_PER_TIMEOUT;
	unsigned int i;

	for (i = 0; i < NET_SIDES; i++)
		pair->side[i].progress_time = task_now();
	task_lock();
	while (may_stall(pair, 0) || may_stall(pair, 1)) {
		task_wait(pair->side, task_now() + interval);
		task_unlock();
		for (i = 0; i < NET_SIDES; i++)
			if (may_stall(pair, i))
				check_progress(pair, i);
		task_lock();
	}
	task_unlock();
}

static void wait_prepared(struct pair *pair, unsigned int prepared)
{
	task_lock();
	while (pair->prepared != prepared)
		task_wait(pair, TASK_FOREVER);
	task_unlock();
}

static void set_prepared(struct pair *pair, unsigned int prepared)
{
	task_lock();
	pair->prepared = prepared;
	task_wake(pair);
	task_unlock();
}

static void sleep_ticks(u64 ticks)
{
	u64 until = task_now() + ticks;

	task_lock();
	while (task_now() < until)
		task_wait(NULL, until);
	task_unlock();
}

/* Run the loop of a side, and derive its error as the module does. */
static void drive(struct pair *pair, unsigned int side,
		  int (*loop)(struct icb_run *run))
{
	struct icb_run *run = &pair->run[side];
	struct pair_side *result = &pair->side[side];

	result->ret = loop(run);
	result->stop = READ_ONCE(run->consumer.stop);
	result->ended = task_now();
	result->seen = READ_ONCE(run->seen);
	task_lock();
	WRITE_ONCE(result->over, true);
	task_wake(pair->side);
	task_unlock();
	result->err = result->ret;
	if (!result->err)
		result->err = pair->net.ep[side].own.err;
	if (!result->err && result->stop == ICB_STOP_REQUEST)
		result->err = -ECANCELED;
	if (!result->err && result->stop == ICB_STOP_TIMEOUT)
		result->err = -ETIMEDOUT;
}

/*
 * Count the last messages. The end of the run is reported over the control connection, and
 * may arrive before them.
 */
static u64 catch_up(struct icb_run *run, u64 sent, bool threads)
{
	u64 until = task_now() + (threads ? DRAIN_TICKS_REAL : DRAIN_TICKS), seen;

	for (;;) {
		icb_run_catch_up(run);
		seen = icb_run_seen(run);
		if (seen >= sent || task_now() > until)
			break;
		sleep_ticks(1000);
	}
	WRITE_ONCE(run->consumer.phase, ICB_PHASE_OVER);
	return seen;
}

/* As icb_ep_settle() of the module: wait until this side's messages have arrived. */
static void settle(struct pair *pair)
{
	u64 until = task_now() +
		(pair->config.task.real ? DRAIN_TICKS_REAL : DRAIN_TICKS);

	/* wait for a callback that is running, too */
	while (net_in_callback(&pair->net.ep[1]) && task_now() < until)
		sleep_ticks(1000);
	while (!pair->net.verb->recv && !net_settled(&pair->net.ep[1]) &&
	       task_now() < until)
		sleep_ticks(1000);
}

/* Report what the responder has measured in its own stream. */
static void report_returns(struct pair *pair)
{
	const struct icb_run *run = &pair->run[1];
	struct icb_steady_part even;

	if (icb_params_peer_batches(&pair->params[1]))
		pair->run[0].peer_means = run->means;
	if (!icb_params_waits_own(&pair->params[1], false))
		return;
	pair->run[0].peer_done = run->done;
	pair->run[0].peer_elapsed = icb_clock_ns(run->ended - run->began);
	icb_steady_get(&run->steady, ICB_STEADY_TRAILING, &even);
	pair->run[0].peer_even = even.done;
	pair->run[0].peer_even_ns = icb_clock_ns(even.ticks);
	pair->run[0].peer_before = even.before;
	icb_run_counts(run, &pair->returns);
}

/* Account for the responder's stream on the initiator, where its messages arrive. */
static int account_back(struct pair *pair, struct icb_reason *why)
{
	struct icb_run *run = &pair->run[0];
	u64 until = task_now() +
		(pair->config.task.real ? DRAIN_TICKS_REAL : DRAIN_TICKS);

	for (;;) {
		icb_run_catch_up(run);
		if (READ_ONCE(run->seen) >= icb_run_owed(run, &pair->returns) ||
		    task_now() > until)
			break;
		sleep_ticks(1000);
	}
	WRITE_ONCE(run->consumer.listens, false);
	return icb_run_account_back(run, &pair->returns, why);
}

static void report(struct pair *pair)
{
	struct icb_run *run = &pair->run[1];
	struct pair_side *result = &pair->side[1];
	u64 sent = icb_run_sent(&pair->run[0]), seen = 0;

	result->compared = -ENODATA;
	if (!result->err) {
		run->peer_sent = sent;
		seen = catch_up(run, sent, pair->config.task.real);
		settle(pair);
		report_returns(pair);
		pair->peer_seen = seen;
		icb_run_delivery(run, &pair->delivery);
		pair->run[0].peer_foreign = run->foreign;
	}
	if (!result->err && pair->complete) {
		result->compared = icb_run_check_last(run, &result->why);
		if (!result->compared && sent != seen &&
		    !icb_params_lossy(&pair->params[1]))
			result->compared = icb_refuse(&result->why, -EBADMSG,
						      "%llu messages were sent, %llu arrived",
						      (unsigned long long)sent,
						      (unsigned long long)seen);
	}
	task_lock();
	pair->reported = true;
	task_wake(pair);
	task_unlock();
}

static void compare(struct pair *pair)
{
	struct pair_side *result = &pair->side[0];

	pair->complete = !result->err && !result->stop;
	/* the message of the control connection takes a while */
	sleep_ticks(task_random(2000));
	if (result->err)
		net_end(&pair->net.ep[1], ICB_STOP_ERROR, -ECONNRESET);
	else
		net_end(&pair->net.ep[1], ICB_STOP_END, 0);
	if (pair->config.one_thread)
		report(pair);
	task_lock();
	while (!pair->reported)
		task_wait(pair, TASK_FOREVER);
	task_unlock();
	result->compared = -ENODATA;
	if (pair->complete && icb_params_lossy(&pair->params[0]))
		result->compared = icb_run_account(&pair->run[0],
						   icb_run_sent(&pair->run[0]),
						   pair->peer_seen, &pair->delivery,
						   &result->why);
	if (pair->complete && result->compared != -EBADMSG &&
	    icb_params_returns(&pair->params[0]))
		result->compared = account_back(pair, &result->why);
	if (pair->complete && result->compared != -EBADMSG)
		result->compared = icb_run_check_last(&pair->run[0], &result->why);
}

static void prepare(struct pair *pair, struct icb_run *run, bool initiator)
{
	icb_run_prepare(run, initiator);
	if (pair->config.stretch)
		run->stretch = pair->config.stretch;
}

static void initiator(void *arg)
{
	struct pair *pair = arg;
	struct icb_run *run = &pair->run[0];

	prepare(pair, run, true);
	if (pair->config.one_thread) {
		prepare(pair, &pair->run[1], false);
		sleep_ticks(pair->config.handshake);
		run->mate = &pair->run[1];
		pair->run[1].mate = run;
		set_prepared(pair, 2);
	} else {
		sleep_ticks(pair->config.handshake);
		set_prepared(pair, 1);
		wait_prepared(pair, 2);
	}
	drive(pair, 0, run->ops->run);
	if (pair->config.one_thread) {
		WRITE_ONCE(pair->run[1].mate, NULL);
		WRITE_ONCE(run->mate, NULL);
		WRITE_ONCE(pair->side[1].over, true);
		pair->side[1].stop = READ_ONCE(pair->run[1].consumer.stop);
		pair->side[1].err = pair->net.ep[1].own.err;
		pair->side[1].seen = pair->run[1].seen;
	}
	compare(pair);
	net_close(&pair->net);
}

/* Wait for the stop: in place of a loop, for a responder that only offers memory. */
static int wait_stop(struct icb_run *run)
{
	task_lock();
	while (!READ_ONCE(run->consumer.stop))
		task_wait(run->ep, TASK_FOREVER);
	task_unlock();
	return 0;
}

static void responder(void *arg)
{
	struct pair *pair = arg;
	struct icb_run *run = &pair->run[1];

	wait_prepared(pair, 1);
	prepare(pair, run, false);
	set_prepared(pair, 2);
	drive(pair, 1, icb_params_passive(run->params) ? wait_stop :
							 run->ops->respond);
	/* a failed side closes its connections, unless the other side is done */
	if (pair->side[1].err && !READ_ONCE(pair->side[0].over))
		net_end(&pair->net.ep[0], ICB_STOP_ERROR, -ECONNRESET);
	report(pair);
}

/**
 * pair_free() - undo pair_run()
 * @pair: the pair; nothing is freed if pair_run() was not called
 */
void pair_free(struct pair *pair)
{
	if (pair->net.params)
		net_free(&pair->net);
	pair->net.params = NULL;
}

/**
 * pair_run() - run two sides until both have ended
 * @pair: the pair: zeroed, or used by an earlier run, which is freed. The caller has to
 *	call pair_free().
 * @params: parameters of the initiator, checked
 * @config: parameters of the pair
 *
 * Tasks that do not end are aborted, and @pair->net.wrong is set.
 */
void pair_run(struct pair *pair, const struct icb_params *params,
	      const struct pair_config *config)
{
	const char *stuck;
	unsigned int i;

	pair_free(pair);
	memset(pair, 0, offsetof(struct pair, hist));
	pair->config = *config;
	pair->params[0] = *params;
	derive_params(&pair->params[1], params);
	for (i = 0; i < NET_SIDES; i++)
		pair->run[i].params = &pair->params[i];
	for (i = 0; params->qps > 1 && i < NET_SIDES; i++) {
		pair->run[i].flow = pair->flow[i];
		pair->run[i].flows = params->qps;
	}
	pair->run[0].hist = pair->hist;
	if (icb_params_steps(params))
		pair->run[1].steps = &pair->steps;
	pair->run[0].hists = icb_run_hists(params);
	pair->run[0].open.due = pair->due;
	pair->run[0].barrier = config->barrier;
	if (icb_run_batched(params))
		pair->run[0].batches = &pair->batches;
	if (params->attribute)
		pair->run[0].disturbed = &pair->tail;
	task_init(&config->task);
	net_open(&pair->net, &config->net, &pair->params[0], pair->run);
	task_start("initiator", initiator, pair, false);
	if (!config->one_thread)
		task_start("responder", responder, pair, false);
	task_start("watch", watch, pair, false);
	net_start(&pair->net);
	stuck = task_run();
	if (stuck)
		net_wrong(&pair->net, "%s", stuck);
}

