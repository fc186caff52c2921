// SPDX-License-Identifier: GPL-2.0
#include "engine/account.h"
#include "engine/message.h"
#include "engine/prepare.h"
#include "engine/run.h"
#include "host/clock.h"
#include "pair.h"

/* How often somebody looks for progress, of each timeout. */
#define LOOKS_PER_TIMEOUT	8

/* How long the last messages of a run may take, ticks; threads may get no CPU. */
#define LATE		10000000
#define LATE_THREADS	10000000000

/* What the proposal does not carry is the responder's own. */
static void derive(struct icb_params *theirs, const struct icb_params *ours)
{
	*theirs = *ours;
	theirs->duration = 0;
	theirs->set &= ~BIT_ULL(ICBENCH_A_PARAMS_DURATION);
}

static bool watched(const struct pair *pair, unsigned int side)
{
	/* who sees nothing of a run does not see that nothing moves */
	bool blind = side && (pair->config.one_thread ||
			      icb_params_passive(&pair->params[0]));

	return !READ_ONCE(pair->side[side].over) &&
	       !READ_ONCE(pair->run[side].consumer.stop) && !blind;
}

static void look(struct pair *pair, unsigned int side)
{
	struct pair_side *it = &pair->side[side];
	u64 state = icb_run_progress(&pair->run[side]);

	if (state != it->state || pair->prepared < NET_SIDES) {
		it->state = state;
		it->progress = task_now();
	} else if (task_now() - it->progress > pair->run[side].timeout) {
		net_end(&pair->net.ep[side], ICB_STOP_TIMEOUT, 0);
	}
}

/*
 * The module's watch: loops that poll see for themselves that nothing comes;
 * what sleeps does not. It ends once every side was told to: a side that then
 * still sleeps is found to do so.
 */
static void watch(void *arg)
{
	struct pair *pair = arg;
	u64 interval = icb_clock_ticks(pair->params[0].timeout) /
		       LOOKS_PER_TIMEOUT;
	unsigned int i;

	for (i = 0; i < NET_SIDES; i++)
		pair->side[i].progress = task_now();
	task_lock();
	while (watched(pair, 0) || watched(pair, 1)) {
		task_wait(pair->side, task_now() + interval);
		task_unlock();
		for (i = 0; i < NET_SIDES; i++)
			if (watched(pair, i))
				look(pair, i);
		task_lock();
	}
	task_unlock();
}

static void await(struct pair *pair, unsigned int prepared)
{
	task_lock();
	while (pair->prepared != prepared)
		task_wait(pair, TASK_FOREVER);
	task_unlock();
}

static void announce(struct pair *pair, unsigned int prepared)
{
	task_lock();
	pair->prepared = prepared;
	task_wake(pair);
	task_unlock();
}

static void linger(u64 ticks)
{
	u64 until = task_now() + ticks;

	task_lock();
	while (task_now() < until)
		task_wait(NULL, until);
	task_unlock();
}

/* The loop has returned: what the module makes of it. */
static void drive(struct pair *pair, unsigned int side,
		  int (*loop)(struct icb_run *run))
{
	struct icb_run *run = &pair->run[side];
	struct pair_side *it = &pair->side[side];

	it->ret = loop(run);
	it->stop = READ_ONCE(run->consumer.stop);
	it->ended = task_now();
	it->seen = READ_ONCE(run->seen);
	task_lock();
	WRITE_ONCE(it->over, true);
	task_wake(pair->side);
	task_unlock();
	it->err = it->ret;
	if (!it->err)
		it->err = pair->net.ep[side].err;
	if (!it->err && it->stop == ICB_STOP_REQUEST)
		it->err = -ECANCELED;
	if (!it->err && it->stop == ICB_STOP_TIMEOUT)
		it->err = -ETIMEDOUT;
}

/* The end may overtake what was sent before it by another connection. */
static u64 catch_up(struct icb_run *run, u64 sent, bool threads)
{
	u64 until = task_now() + (threads ? LATE_THREADS : LATE), seen;

	for (;;) {
		icb_run_catch_up(run);
		seen = icb_run_seen(run);
		if (seen >= sent || task_now() > until)
			break;
		linger(1000);
	}
	WRITE_ONCE(run->consumer.phase, ICB_PHASE_OVER);
	return seen;
}

/* The module's icb_ep_settle(), as far as the other side takes no part in it. */
static void settle(struct pair *pair)
{
	u64 until = task_now() +
		(pair->config.task.real ? LATE_THREADS : LATE);

	/* and a callback that has begun */
	while (net_in_callback(&pair->net.ep[1]) && task_now() < until)
		linger(1000);
	while (!pair->net.verb->recv && !net_settled(&pair->net.ep[1]) &&
	       task_now() < until)
		linger(1000);
}

/* What the other side has measured of its own is in the report. */
static void tell(struct pair *pair)
{
	const struct icb_run *run = &pair->run[1];

	if (!icb_params_waits_own(&pair->params[1], false))
		return;
	pair->run[0].peer_done = run->done;
	pair->run[0].peer_elapsed = icb_clock_ns(run->ended - run->began);
	icb_run_counts(run, &pair->returns);
}

/* What has come of it, where it is seen. */
static int account_back(struct pair *pair, struct icb_reason *why)
{
	struct icb_run *run = &pair->run[0];
	u64 until = task_now() +
		(pair->config.task.real ? LATE_THREADS : LATE);

	for (;;) {
		icb_run_catch_up(run);
		if (READ_ONCE(run->seen) >= icb_run_owed(run, &pair->returns) ||
		    task_now() > until)
			break;
		linger(1000);
	}
	WRITE_ONCE(run->consumer.listens, false);
	return icb_run_account_back(run, &pair->returns, why);
}

static void report(struct pair *pair)
{
	struct icb_run *run = &pair->run[1];
	struct pair_side *it = &pair->side[1];
	u64 sent = icb_run_sent(&pair->run[0]), seen = 0;

	it->compared = -ENODATA;
	if (!it->err) {
		run->peer_sent = sent;
		seen = catch_up(run, sent, pair->config.task.real);
		settle(pair);
		tell(pair);
		pair->seen = seen;
		icb_run_delivery(run, &pair->delivery);
		pair->run[0].peer_foreign = run->foreign;
	}
	if (!it->err && pair->complete) {
		it->compared = icb_run_check_last(run, &it->why);
		if (!it->compared && sent != seen &&
		    !icb_params_lossy(&pair->params[1]))
			it->compared = icb_refuse(&it->why, -EBADMSG,
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
	struct pair_side *it = &pair->side[0];

	pair->complete = !it->err && !it->stop;
	/* the message of the control connection takes its time */
	linger(task_random(2000));
	if (it->err)
		net_end(&pair->net.ep[1], ICB_STOP_ERROR, -ECONNRESET);
	else
		net_end(&pair->net.ep[1], ICB_STOP_END, 0);
	if (pair->config.one_thread)
		report(pair);
	task_lock();
	while (!pair->reported)
		task_wait(pair, TASK_FOREVER);
	task_unlock();
	it->compared = -ENODATA;
	if (pair->complete && icb_params_lossy(&pair->params[0]))
		it->compared = icb_run_account(&pair->run[0],
					       icb_run_sent(&pair->run[0]),
					       pair->seen, &pair->delivery,
					       &it->why);
	if (pair->complete && it->compared != -EBADMSG &&
	    icb_params_returns(&pair->params[0]))
		it->compared = account_back(pair, &it->why);
	if (pair->complete && it->compared != -EBADMSG)
		it->compared = icb_run_check_last(&pair->run[0], &it->why);
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
		linger(pair->config.handshake);
		run->mate = &pair->run[1];
		pair->run[1].mate = run;
		announce(pair, 2);
	} else {
		linger(pair->config.handshake);
		announce(pair, 1);
		await(pair, 2);
	}
	drive(pair, 0, run->ops->run);
	if (pair->config.one_thread) {
		WRITE_ONCE(pair->run[1].mate, NULL);
		WRITE_ONCE(run->mate, NULL);
		WRITE_ONCE(pair->side[1].over, true);
		pair->side[1].stop = READ_ONCE(pair->run[1].consumer.stop);
		pair->side[1].err = pair->net.ep[1].err;
		pair->side[1].seen = pair->run[1].seen;
	}
	compare(pair);
	net_close(&pair->net);
}

/* Who only holds memory ready: in the place of its loop. */
static int attend(struct icb_run *run)
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

	await(pair, 1);
	prepare(pair, run, false);
	announce(pair, 2);
	drive(pair, 1, icb_params_passive(run->params) ? attend :
							 run->ops->respond);
	/* it goes, and with it its connections, unless the other side is done */
	if (pair->side[1].err && !READ_ONCE(pair->side[0].over))
		net_end(&pair->net.ep[0], ICB_STOP_ERROR, -ECONNRESET);
	report(pair);
}

/**
 * pair_free() - undo pair_run()
 * @pair: of this; nothing happens where it was not called
 */
void pair_free(struct pair *pair)
{
	if (pair->net.params)
		net_free(&pair->net);
	pair->net.params = NULL;
}

/**
 * pair_run() - let two sides run until both are over
 * @pair: where to; zeroed, or of an earlier run, which is freed; to be freed by
 *	pair_free()
 * @params: the initiator's, checked
 * @config: how they run
 *
 * What does not end is given up and told in @pair->net.wrong.
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
	derive(&pair->params[1], params);
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

