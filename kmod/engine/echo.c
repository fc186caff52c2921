// SPDX-License-Identifier: GPL-2.0
/*
 * Trigger echo: each message answers the one before it (ping-pong). Of a read or
 * an atomic, in which the other side takes no part, its own completion is the
 * answer.
 *
 * A sample begins before the initiator posts and ends when it holds the
 * answer; what lies between is two messages, the responder's reaction, if any, and
 * two clock reads and the poll that came too early at the initiator. Posting
 * receives, taking send completions, checking contents and booking the sample
 * lie outside.
 */
#include "bench.h"
#include "clock.h"
#include "endpoint.h"

/* Polls of a CQ, and looks at a byte, between two calls of icb_run_idle(). */
#define POLLS_PER_IDLE	16
#define LOOKS_PER_IDLE	256

static int await_poll(struct icb_run *run, u64 from, struct icb_stamps *stamps)
{
	unsigned int polls = 0;
	u64 now;
	int n;

	stamps->poll = from;
	for (;;) {
		n = icb_ep_poll(run->ep);
		now = icb_clock_read();
		if (likely(n))
			break;
		if (unlikely(READ_ONCE(run->stop)))
			return -ECANCELED;
		if (unlikely(!(++polls % POLLS_PER_IDLE)) ||
		    icb_ep_crowded(run->ep)) {
			n = icb_run_idle(run, now);
			if (unlikely(n))
				return n;
			now = icb_clock_read();
		}
		stamps->poll = now;
	}
	stamps->end = now;
	return n < 0 ? n : 0;
}

/* The byte by which the next message is noticed. */
static const u8 *echo_last_byte(struct icb_run *run)
{
	return icb_ep_rx(run->ep, run->rx.index) + run->params->size - 1;
}

static int await_memory(struct icb_run *run, struct icb_stamps *stamps)
{
	const u8 *last = echo_last_byte(run);
	const u8 mark = run->rx.mark;
	unsigned int looks = 0;
	int err;

	stamps->poll = 0;
	while (READ_ONCE(*last) != mark) {
		if (unlikely(READ_ONCE(run->stop)))
			return -ECANCELED;
		if (unlikely(!(++looks % LOOKS_PER_IDLE)) ||
		    icb_ep_crowded(run->ep)) {
			err = icb_run_idle(run, icb_clock_read());
			/* A write raises no completion, but its failure does. */
			if (!err)
				err = icb_ep_check(run->ep);
			if (unlikely(err))
				return err;
		} else {
			cpu_relax();
		}
	}
	smp_rmb(); /* the rest of the message was there before its last byte */
	stamps->end = icb_clock_read();
	return 0;
}

/* One look after a sleep: 1 for a message, 0 for none, or an error. */
static int look(struct icb_run *run, struct icb_stamps *stamps)
{
	int n;

	if (unlikely(READ_ONCE(run->stop)))
		return -ECANCELED;
	stamps->poll = icb_clock_read();
	n = icb_ep_poll(run->ep);
	stamps->end = icb_clock_read();
	return n;
}

static int await_event(struct icb_run *run, struct icb_stamps *stamps)
{
	int n;

	for (;;) {
		icb_run_sleep(run, !run->left);
		n = look(run, stamps);
		if (likely(n))
			return n < 0 ? n : 0;
		n = icb_ep_arm(run->ep);
		if (unlikely(n))
			return n;
	}
}

/*
 * Polling for some time, and then as await_event(). Only who goes to sleep asks
 * for an event.
 */
static int await_adaptive(struct icb_run *run, u64 from,
			  struct icb_stamps *stamps)
{
	unsigned int polls = 0;
	u64 now = from;
	int n;

	stamps->rearm = 0;
	do {
		stamps->poll = now;
		n = icb_ep_poll(run->ep);
		now = icb_clock_read();
		stamps->end = now;
		if (n)
			return n < 0 ? n : 0;
		if (unlikely(READ_ONCE(run->stop)))
			return -ECANCELED;
		if (unlikely(!(++polls % POLLS_PER_IDLE)) ||
		    icb_ep_crowded(run->ep)) {
			n = icb_run_idle(run, now);
			if (unlikely(n))
				return n;
			now = icb_clock_read();
		}
	} while ((s64)(now - from) < (s64)run->spin);
	n = icb_ep_arm(run->ep);
	stamps->rearm = icb_clock_read() - now;
	return n ? : await_event(run, stamps);
}

/* A look at each tick of a timer. */
static int await_timer(struct icb_run *run, struct icb_stamps *stamps)
{
	int n;

	for (;;) {
		icb_run_doze(run, !run->left);
		n = look(run, stamps);
		if (n)
			return n < 0 ? n : 0;
	}
}

/* Wait for the next message of the other side; the clock reads from. */
static int echo_await(struct icb_run *run, u64 from, struct icb_stamps *stamps)
{
	switch (run->params->completion) {
	case ICBENCH_COMPLETION_POLL:
		return await_poll(run, from, stamps);
	case ICBENCH_COMPLETION_MEMORY:
		return await_memory(run, stamps);
	case ICBENCH_COMPLETION_ADAPTIVE:
		return await_adaptive(run, from, stamps);
	case ICBENCH_COMPLETION_TIMER:
		return await_timer(run, stamps);
	default:
		return await_event(run, stamps);
	}
}

/*
 * The event of the next message is asked for before that message is; the time
 * that this takes goes to rearm, where it is wanted.
 */
static int echo_settle(struct icb_run *run, u64 *rearm)
{
	int err = icb_run_settle(run);
	u64 before;

	if (err || run->params->completion != ICBENCH_COMPLETION_BLOCK)
		return err;
	if (!rearm)
		return icb_ep_arm(run->ep);
	before = icb_clock_read();
	err = icb_ep_arm(run->ep);
	*rearm = icb_clock_read() - before;
	return err;
}

/* Both sides send at once, and then each waits for the other's message. */
static bool echo_crossing(const struct icb_run *run)
{
	return run->params->direction == ICBENCH_DIRECTION_BI;
}

/*
 * In the buffer of the answer before it, an answer is made when the message is
 * there, which proves that the one before has been read; in another buffer,
 * ahead of time, unless messages cross: then it proves no more than the same one
 * does.
 */
static bool echo_ahead(const struct icb_run *run)
{
	return run->tx.index != run->buffer && !echo_crossing(run);
}

static int echo_answer(struct icb_run *run)
{
	icb_run_arrived(run);
	if (!run->staged)
		icb_run_stage(run);
	return icb_run_post(run);
}

static int echo_settle_answer(struct icb_run *run)
{
	if (echo_ahead(run))
		icb_run_stage(run);
	return echo_settle(run, NULL);
}

/*
 * A thread that always finds what it polls for would never let others run; one
 * that sleeps for each message does so anyway.
 */
static void echo_breathe(struct icb_run *run)
{
	if (BIT(run->params->completion) &
	    (ICB_COMPLETIONS_BUSY | BIT(ICBENCH_COMPLETION_ADAPTIVE)))
		icb_ep_breathe(run->ep);
}

/*
 * The message that starts the ball rolling is posted in this thread while its
 * answer may already be handled elsewhere: it is one more that does not count,
 * and nothing of it is written down.
 */
static int echo_kick(struct icb_run *run)
{
	int err;

	run->left++;
	icb_run_stage(run);
	err = icb_run_post(run);
	if (err)
		return err;
	icb_ep_wait_over(run->ep, run);
	return run->err;
}

/* One thread drives both sides: the other side's part of an operation. */
static int echo_mate(struct icb_run *mate, u64 now)
{
	struct icb_stamps stamps;
	int err;

	mate->since = now;
	err = echo_await(mate, now, &stamps);
	return err ? : echo_answer(mate);
}

/**
 * icb_echo_rehearse() - measure an operation of a ping-pong that does nothing
 * @run: from icb_run_rehearse()
 *
 * The clock reads and the bookkeeping of echo_loop() with completion poll, which
 * take three samples: latency, post and poll.
 */
void icb_echo_rehearse(struct icb_run *run)
{
	struct icb_stamps stamps;

	stamps.post = icb_clock_read();
	stamps.posted = icb_clock_read();
	stamps.poll = stamps.posted;
	stamps.end = icb_clock_read();
	icb_run_arrived(run);
	icb_run_count(run, &stamps);
}

static int echo_loop(struct icb_run *run)
{
	struct icb_run *mate = run->mate;
	struct icb_stamps stamps = {};
	u64 *rearm = run->params->overhead ? &stamps.rearm : NULL;
	u64 from;
	int err;

	do {
		icb_run_stage(run);
		stamps.post = icb_clock_read();
		err = icb_run_post(run);
		stamps.posted = icb_clock_read();
		from = stamps.posted;
		if (mate && likely(!err)) {
			err = echo_mate(mate, from);
			from = icb_clock_read();
		}
		if (likely(!err))
			err = echo_await(run, from, &stamps);
		if (likely(!err)) {
			icb_run_arrived(run);
			err = echo_settle(run, rearm);
		}
		if (mate && likely(!err))
			err = echo_settle_answer(mate);
		if (unlikely(err))
			return err;
		echo_breathe(run);
	} while (!icb_run_count(run, &stamps));
	return 0;
}

static int echo_run(struct icb_run *run)
{
	int err = 0;

	if (icb_run_callbacks(run))
		return icb_run_over(run, echo_kick(run));
	if (run->params->completion == ICBENCH_COMPLETION_BLOCK)
		err = icb_ep_arm(run->ep);
	if (!err && run->mate && echo_crossing(run))
		err = icb_run_post(run->mate);
	if (!run->left)
		icb_run_measure(run);
	/* not since it was prepared: the handshake has its own timeouts */
	run->since = icb_clock_read();
	return icb_run_over(run, err ? : echo_loop(run));
}

static int echo_respond(struct icb_run *run)
{
	struct icb_stamps stamps;
	int err = 0;

	if (icb_run_callbacks(run)) {
		icb_ep_wait_over(run->ep, run);
		return icb_run_over(run, run->err);
	}
	if (run->params->completion == ICBENCH_COMPLETION_BLOCK)
		err = icb_ep_arm(run->ep);
	if (!err && echo_crossing(run))
		err = icb_run_post(run);
	run->since = icb_clock_read();
	/* where the next message is always there, waiting never sees a stop */
	while (!err && !READ_ONCE(run->stop)) {
		err = echo_await(run, run->since, &stamps);
		if (unlikely(err))
			break;
		run->since = stamps.end;
		err = echo_answer(run);
		if (likely(!err))
			err = echo_settle_answer(run);
		echo_breathe(run);
	}
	return icb_run_over(run, err);
}

/* The answer to the operation in flight is there: book it, start the next. */
static int echo_advance(struct icb_run *run, u64 now)
{
	int err;

	run->stamps.end = now;
	icb_run_arrived(run);
	err = icb_run_settle(run);
	if (unlikely(err))
		return err;
	if (icb_run_count(run, &run->stamps)) {
		icb_ep_over(run->ep, run);
		return 0;
	}
	icb_run_stage(run);
	run->stamps.post = icb_clock_read();
	err = icb_run_post(run);
	run->stamps.posted = icb_clock_read();
	return err;
}

static void echo_arrived(struct icb_run *run, int err)
{
	u64 now = icb_clock_read();

	if (unlikely(READ_ONCE(run->stop) ||
		     READ_ONCE(run->phase) == ICB_PHASE_OVER))
		return;
	if (unlikely(err))
		goto failed;
	if (run->initiator) {
		err = echo_advance(run, now);
	} else {
		run->since = now;
		err = echo_answer(run);
		if (likely(!err))
			err = echo_settle_answer(run);
	}
	if (likely(!err))
		return;
failed:
	run->err = err;
	icb_run_stop(run, ICB_STOP_ERROR);
	icb_ep_over(run->ep, run);
}

/* The initiator's last message crosses one that answers it no more. */
static void echo_catch_up(struct icb_run *run)
{
	if (!echo_crossing(run))
		return;
	if (run->params->completion == ICBENCH_COMPLETION_MEMORY) {
		if (READ_ONCE(*echo_last_byte(run)) != run->rx.mark)
			return;
		smp_rmb(); /* as in await_memory() */
	} else if (icb_ep_poll(run->ep) <= 0) {
		return;
	}
	icb_run_arrived(run);
	icb_run_settle(run);
}

/* A message has gone one way in half of a round trip, or while another came. */
static void echo_report(const struct icb_run *run, struct icb_result *result)
{
	u32 divisor = echo_crossing(run) ? 1 : run->verb->divisor;

	if (run->params->overhead)
		icb_result_dist(result, "overhead",
				&run->hist[ICB_HIST_OVERHEAD], 1);
	icb_result_dist(result, "latency", &run->hist[ICB_HIST_LATENCY],
			divisor);
	icb_result_dist(result, "post", &run->hist[ICB_HIST_POST], 1);
	icb_result_dist(result, "poll", &run->hist[ICB_HIST_POLL], 1);
	if (run->params->completion == ICBENCH_COMPLETION_TIMER)
		icb_result_dist(result, "lateness",
				&run->hist[ICB_HIST_LATENESS], 1);
	icb_result_rates(result, run, run->verb->divisor * run->done);
	icb_result_cpu(result, run, run->verb->divisor * run->done);
	icb_result_wakes(result, run, run->verb->divisor * run->done);
}

const struct icb_bench_ops icb_echo_ops = {
	.name = "echo",
	.help = "ping-pong: each message answers the one before it",
	.verbs = ICB_VERBS_DATA,
	.run = echo_run,
	.respond = echo_respond,
	.arrived = echo_arrived,
	.catch_up = echo_catch_up,
	.report = echo_report,
};
