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
#include "account.h"
#include "bench.h"
#include "compute.h"
#include "echo.h"
#include "host/clock.h"
#include "message.h"
#include "result.h"
#include "run.h"
#include "stages.h"
#include "verbs/endpoint.h"

/* Polls of a CQ, and looks at a byte, between two calls of icb_run_idle(). */
#define POLLS_PER_IDLE	16
#define LOOKS_PER_IDLE	256

/* The answer was not there in time, or is known not to come. */
#define UNANSWERED	(-ENODATA)

/*
 * Where callbacks drive a ping-pong whose messages may be lost, the thread that
 * waits for its end sees that no answer comes. Either the callback that brings the
 * answer goes on from an operation, or that thread: who takes the turn, which is
 * there once for each. Nobody else touches the operations meanwhile, and a callback
 * that does not get it has what belongs to receives alone.
 */
static bool echo_take_turn(struct icb_run *run, unsigned long turn)
{
	return !(turn & 1) && cmpxchg(&run->turn, turn, turn | 1) == turn;
}

/* The operation made last is, or will be, on its way: whose turn it is, is open. */
static void echo_open_turn(struct icb_run *run, u64 post)
{
	WRITE_ONCE(run->give_up, post + run->patience);
	/* ORDER: whoever takes it sees all that was done before */
	(void)cmpxchg(&run->turn, run->turn, 2 * run->seq);
}

/*
 * Of an initiator's callbacks: whether its thread has made the first operation, and is
 * done with all but the call that posts it. A peer may send before.
 */
static bool echo_kicked(struct icb_run *run)
{
	/* ORDER: all that the thread has prepared, see echo_kick() */
	return likely(smp_load_acquire(&run->kicked));
}

/* Both sides send at once, and then each waits for the other's message. */
static bool echo_crossing(const struct icb_run *run)
{
	return run->params->direction == ICBENCH_DIRECTION_BI;
}

/*
 * Of messages that cross, the next one before this one: this one was lost, or the
 * one was that it would have followed. That one is of the next operation, and its
 * receive is not given back before.
 */
static bool echo_came_early(struct icb_run *run, s32 ahead, u32 buffer)
{
	if (!run->initiator || !echo_crossing(run) || ahead != 1)
		return false;
	run->early = run->seq + 1;
	run->early_buffer = buffer;
	return true;
}

/*
 * Where messages may be lost each one tells its number, and its answer the same
 * one: what comes late is no answer to the next one.
 */
static int echo_sort(struct icb_run *run)
{
	u32 received = icb_ep_number_of(run->ep, 0), buffer = icb_run_land(run);
	bool turns = run->initiator && icb_run_callbacks(run);
	unsigned long turn = READ_ONCE(run->turn);
	s32 ahead = icb_number_ahead(received, turns ? turn >> 1 : run->seq);

	/* nobody's turn is known: the receive goes back, and the answer, from where it came */
	if (run->flows > 1)
		icb_ep_recv_on(run->ep, icb_ep_qp_of(run->ep, 0));
	if (icb_ep_foreign(run->ep, 0)) {
		run->foreign++;
		return icb_ep_refill(run->ep);
	}
	/* before the first operation nothing is due, and its turn is nobody's */
	if (turns && !echo_kicked(run)) {
		if (!icb_params_datagrams(run->params))
			return icb_ep_unexpected_msg(run->ep);
		run->foreign++;
		return icb_ep_refill(run->ep);
	}
	if (run->initiator && !ahead &&
	    (!turns || echo_take_turn(run, turn))) {
		icb_run_last(run, run->seq, buffer);
		return 1;
	}
	if (!run->initiator && icb_run_number(run, received, buffer)) {
		if (run->flows > 1)
			run->tx_turn.index = icb_ep_qp_of(run->ep, 0);
		return 1;
	}
	if (echo_came_early(run, ahead, buffer))
		return UNANSWERED;
	if (run->initiator) {
		/* of a connection it is the peer's; a datagram may be anybody's */
		if (ahead > 0 && !icb_params_datagrams(run->params))
			return icb_ep_unexpected_msg(run->ep);
		run->foreign++;
	}
	return icb_ep_refill(run->ep);
}

static noinline int echo_poll_lossy(struct icb_run *run)
{
	int n;

	if (run->early) {
		icb_run_last(run, run->early, run->early_buffer);
		run->early = 0;
		return 1;
	}
	n = icb_ep_poll(run->ep);
	return n > 0 ? echo_sort(run) : n;
}

static __always_inline int echo_poll(struct icb_run *run)
{
	return unlikely(run->lossy) ? echo_poll_lossy(run) :
				      icb_ep_poll(run->ep);
}

/* Whether what may be lost is not waited for any more. */
static bool echo_gives_up(const struct icb_run *run)
{
	return unlikely(run->give_up) &&
	       (s64)(icb_clock_read() - run->give_up) >= 0;
}

/* The first poll of a wait has found nothing: that is booked once the sample is over. */
static __always_inline void note_empty(struct icb_run *run,
				       struct icb_stamps *stamps, u64 ticks)
{
	stamps->empty = ticks;
	run->deferred |= ICB_DEFERRED_EMPTY;
}

/*
 * Each way of waiting is a function of its own, so that none saves and restores
 * what only another one needs: all of it is inside a sample.
 */
static noinline int await_poll(struct icb_run *run, u64 from,
			       struct icb_stamps *stamps)
{
	unsigned int polls = 0;
	u64 now;
	int n;

	stamps->poll = from;
	for (;;) {
		n = echo_poll(run);
		now = icb_clock_read();
		if (likely(n))
			break;
		if (!polls)
			note_empty(run, stamps, now - from);
		if (unlikely(READ_ONCE(run->consumer.stop)))
			return -ECANCELED;
		if (unlikely(!(++polls % POLLS_PER_IDLE)) ||
		    icb_ep_one_cpu(run->ep)) {
			n = icb_run_idle(run, now);
			if (unlikely(n))
				return n;
			if (echo_gives_up(run))
				return UNANSWERED;
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

/*
 * Who answers takes any message, since those before it may be lost: the byte tells
 * how many are, as long as these are less than 256.
 */
static void echo_resume(struct icb_run *run, u8 mark)
{
	run->number += (u8)(mark - run->rx.mark + 1);
	run->rx.mark = mark;
	icb_run_last(run, run->number, 0);
}

static noinline int await_memory(struct icb_run *run, struct icb_stamps *stamps)
{
	const bool any = unlikely(run->lossy) && !run->initiator;
	const u8 *last = echo_last_byte(run);
	const u8 mark = run->rx.mark;
	unsigned int looks = 0;
	u8 byte;
	int err;

	stamps->poll = 0;
	while ((byte = READ_ONCE(*last)) != mark) {
		if (any && byte != (u8)(mark - 1))
			break;
		if (unlikely(READ_ONCE(run->consumer.stop)))
			return -ECANCELED;
		if (unlikely(!(++looks % LOOKS_PER_IDLE)) ||
		    icb_ep_one_cpu(run->ep)) {
			err = icb_run_idle(run, icb_clock_read());
			/* A write raises no completion, but its failure does. */
			if (!err)
				err = icb_ep_check(run->ep);
			if (!err && echo_gives_up(run))
				err = UNANSWERED;
			if (unlikely(err))
				return err;
		} else {
			cpu_relax();
		}
	}
	smp_rmb(); /* the rest of the message was there before its last byte */
	if (any)
		echo_resume(run, byte);
	else if (unlikely(run->lossy))
		icb_run_last(run, run->seq, 0);
	stamps->end = icb_clock_read();
	return 0;
}

/* One look after a sleep: 1 for a message, 0 for none, or an error. */
static __always_inline int look(struct icb_run *run, struct icb_stamps *stamps)
{
	int n;

	if (unlikely(READ_ONCE(run->consumer.stop)))
		return -ECANCELED;
	/* nobody asks who only answers how long his poll took */
	if (run->hist)
		stamps->poll = icb_clock_read();
	n = echo_poll(run);
	stamps->end = icb_clock_read();
	if (!n && run->hist && !(run->deferred & ICB_DEFERRED_EMPTY))
		note_empty(run, stamps, stamps->end - stamps->poll);
	return n;
}

/* icb_run_sleep() without the call, which would be inside the sample. */
static __always_inline void echo_sleep(struct icb_run *run)
{
	run->slept = icb_ep_sleep(run->ep, &run->consumer.stop);
	run->wakes += run->slept && !run->left;
	if (unlikely(run->stages.on))
		icb_ep_event(run->ep, &run->stages.event);
}

/* It is there, and no event tells of it any more. */
static noinline int await_early(struct icb_run *run, struct icb_stamps *stamps)
{
	int n = look(run, stamps);

	run->slept = false;
	return n < 0 ? n : 0;
}

static noinline int await_event(struct icb_run *run, struct icb_stamps *stamps)
{
	unsigned int spurious = 0;
	int n;

	if (unlikely(run->early))
		return await_early(run, stamps);
	for (;;) {
		echo_sleep(run);
		n = look(run, stamps);
		if (likely(n))
			return n < 0 ? n : 0;
		icb_stages_spurious(run);
		n = icb_ep_arm(run->ep);
		/* it may be told of what is not for it again and again, and never sleep */
		if (!n && unlikely(!(++spurious % POLLS_PER_IDLE)))
			n = icb_run_idle(run, icb_clock_read());
		if (!n && echo_gives_up(run))
			n = UNANSWERED;
		if (unlikely(n))
			return n;
	}
}

/*
 * Polling for some time, and then as await_event(). Only who goes to sleep asks
 * for an event.
 */
static int spin_or_sleep(struct icb_run *run, u64 from,
			 struct icb_stamps *stamps)
{
	unsigned int polls = 0;
	u64 now = from;
	int n;

	stamps->rearm = 0;
	do {
		stamps->poll = now;
		n = echo_poll(run);
		now = icb_clock_read();
		stamps->end = now;
		if (n)
			return n < 0 ? n : 0;
		if (!polls)
			note_empty(run, stamps, now - from);
		if (unlikely(READ_ONCE(run->consumer.stop)))
			return -ECANCELED;
		if (unlikely(!(++polls % POLLS_PER_IDLE)) ||
		    icb_ep_one_cpu(run->ep)) {
			n = icb_run_idle(run, now);
			if (!n && echo_gives_up(run))
				n = UNANSWERED;
			if (unlikely(n))
				return n;
			now = icb_clock_read();
		}
	} while (icb_run_spins(run, now - from));
	n = icb_ep_arm(run->ep);
	stamps->rearm = icb_clock_read() - now;
	return n ? : await_event(run, stamps);
}

static noinline int await_adaptive(struct icb_run *run, u64 from,
				   struct icb_stamps *stamps)
{
	int err = spin_or_sleep(run, from, stamps);

	if (likely(!err))
		icb_run_waited(run, stamps->end - from);
	return err;
}

/* A look at each tick of a timer. */
static noinline int await_timer(struct icb_run *run, struct icb_stamps *stamps)
{
	int n;

	if (unlikely(run->early))
		return await_early(run, stamps);
	for (;;) {
		icb_run_timer_wait(run, !run->left);
		n = look(run, stamps);
		if (n)
			return n < 0 ? n : 0;
		if (echo_gives_up(run))
			return UNANSWERED;
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
	if (unlikely(run->lossy))
		icb_run_resume(run);
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
 * A thread that always finds what it polls for would never let others run; one that
 * has slept for the message has done so. What would have woken it may have come first.
 */
static void echo_op_yield(struct icb_run *run)
{
	if (BIT(run->params->completion) &
	    (ICB_COMPLETIONS_BUSY | BIT(ICBENCH_COMPLETION_ADAPTIVE)) ||
	    !run->slept)
		icb_ep_op_yield(run->ep);
}

/*
 * Nobody knows what has become of the present operation: it is given up, and the
 * next one goes. As that which starts the ball rolling it is posted in this thread,
 * and does not count, whether it is answered or not.
 */
static int echo_restart(struct icb_run *run)
{
	int err = icb_ep_reap(run->ep);

	if (err)
		return err;
	if (run->restarted) {
		icb_buffers_next(&run->rx);
	} else if (icb_run_skip(run)) {
		icb_ep_over(run->ep, &run->consumer);
		return 0;
	}
	run->restarted = true;
	icb_run_stage(run);
	if (run->stages.on)
		icb_stages_begin(run);
	/* before it is posted: its answer may be there before the call returns */
	echo_open_turn(run, icb_clock_read());
	return icb_run_post(run);
}

/* Until the run is over; what is given up meanwhile is for this thread to see. */
static int echo_watch(struct icb_run *run)
{
	unsigned long turn;
	int err = 0;

	while (!err && !icb_ep_wait_over(run->ep, &run->consumer)) {
		turn = READ_ONCE(run->turn);
		smp_rmb(); /* pairs with echo_open_turn() */
		if ((s64)(icb_clock_read() - READ_ONCE(run->give_up)) >= 0 &&
		    echo_take_turn(run, turn))
			err = echo_restart(run);
	}
	return err ? : run->err;
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
	if (run->stages.on)
		icb_stages_begin(run);
	if (run->lossy)
		echo_open_turn(run, icb_clock_read());
	/* ORDER: pairs with echo_kicked() */
	smp_store_release(&run->kicked, true);
	err = icb_run_post(run);
	return err ? : echo_watch(run);
}

/*
 * One thread drives both sides: the other side's part of an operation. What comes
 * late is answered, too, and that answer is of no use.
 */
static int echo_mate(struct icb_run *run, struct icb_run *mate, u64 now)
{
	struct icb_stamps stamps;
	int err;

	mate->since = now;
	mate->give_up = run->give_up;
	for (;;) {
		err = echo_await(mate, now, &stamps);
		if (likely(!err))
			err = echo_answer(mate);
		if (likely(!run->lossy) || err || mate->last == run->seq)
			return err;
		err = echo_settle_answer(mate);
		if (err)
			return err;
	}
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

	icb_run_undisturbed(run);
	stamps.post = icb_clock_read();
	stamps.posted = icb_clock_read();
	stamps.poll = stamps.posted;
	stamps.end = icb_clock_read();
	icb_run_disturbed(run);
	icb_run_arrived(run);
	icb_run_count(run, &stamps);
}

/*
 * One thread drives both sides of a crossing, and this side's message has not come to
 * the other one: that one's may be there all the same, and is of no use.
 */
static int echo_put_by(struct icb_run *run)
{
	unsigned int polls = 0;
	int n;

	/* a stranger's may be there before it */
	do {
		n = echo_poll(run);
	} while (!n && ++polls < POLLS_PER_IDLE);
	if (n > 0)
		return icb_run_settle(run);
	return n == UNANSWERED ? 0 : n;
}

static int echo_loop(struct icb_run *run)
{
	struct icb_run *mate = run->mate;
	struct icb_stamps stamps = {};
	u64 *rearm = run->params->overhead || run->stages.on ? &stamps.rearm :
							       NULL;
	bool answered = false, early = false, lost;
	u64 from;
	int err;

	do {
		icb_run_stage(run);
		icb_run_undisturbed(run);
		if (unlikely(run->stages.on))
			icb_stages_begin(run);
		stamps.post = icb_clock_read();
		err = icb_run_post(run);
		stamps.posted = icb_clock_read();
		from = stamps.posted;
		if (unlikely(run->lossy)) {
			run->give_up = stamps.post + run->patience;
			early = run->early;
		}
		if (mate && likely(!err)) {
			err = echo_mate(run, mate, from);
			answered = !err;
			from = icb_clock_read();
		}
		if (likely(!err))
			err = echo_await(run, from, &stamps);
		icb_run_disturbed(run);
		/* it was polled for in the operation before */
		if (unlikely(early))
			stamps.poll = 0;
		lost = unlikely(err == UNANSWERED);
		if (likely(!err)) {
			icb_run_arrived(run);
			err = echo_settle(run, rearm);
		} else if (lost) {
			/* nobody knows what has become of it: the next one goes */
			err = icb_ep_reap(run->ep);
			if (!err && mate && !answered && echo_crossing(run))
				err = echo_put_by(run);
		}
		if (answered && likely(!err))
			err = echo_settle_answer(mate);
		if (unlikely(err))
			return err;
		if (unlikely(run->stages.on))
			icb_stages_book(run, &stamps);
		echo_op_yield(run);
	} while (!(unlikely(lost) ? icb_run_skip(run) :
				    icb_run_count(run, &stamps)));
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
		icb_ep_wait_over(run->ep, &run->consumer);
		/* what arrives late is not lost */
		return run->lossy && READ_ONCE(run->consumer.stop) == ICB_STOP_END ?
			0 : icb_run_over(run, run->err);
	}
	if (run->params->completion == ICBENCH_COMPLETION_BLOCK)
		err = icb_ep_arm(run->ep);
	if (!err && echo_crossing(run))
		err = icb_run_post(run);
	run->since = icb_clock_read();
	/* where the next message is always there, waiting never sees a stop */
	while (!err && !READ_ONCE(run->consumer.stop)) {
		err = echo_await(run, run->since, &stamps);
		if (unlikely(err))
			break;
		run->since = stamps.end;
		err = echo_answer(run);
		if (likely(!err))
			err = echo_settle_answer(run);
		echo_op_yield(run);
	}
	return icb_run_over(run, err);
}

/* One that a thread has posted is as those of the warm-up are. */
static bool echo_restarted(struct icb_run *run)
{
	run->restarted = false;
	run->since = run->stamps.end;
	return READ_ONCE(run->consumer.stop);
}

/*
 * The answer to the operation in flight is there: book it, start the next. Where
 * nothing may be lost, none of this is for what may be.
 */
static __always_inline int echo_advance(struct icb_run *run, u64 now,
					const bool lossy)
{
	int err;

	run->stamps.end = now;
	if (unlikely(run->stages.on)) {
		icb_ep_event(run->ep, &run->stages.event);
		run->stages.event.running = now;
		icb_stages_book(run, &run->stamps);
	}
	icb_run_arrived(run);
	err = icb_run_settle(run);
	if (unlikely(err))
		return err;
	if (lossy && run->restarted ? echo_restarted(run) :
				      icb_run_count(run, &run->stamps)) {
		icb_ep_over(run->ep, &run->consumer);
		return 0;
	}
	icb_run_stage(run);
	if (unlikely(run->stages.on))
		icb_stages_begin(run);
	run->stamps.post = icb_clock_read();
	err = icb_run_post(run);
	run->stamps.posted = icb_clock_read();
	/* behind it: no other callback comes before this one has returned */
	if (lossy && likely(!err))
		echo_open_turn(run, run->stamps.post);
	return err;
}

/*
 * What may be lost may be late. Of a responder it counts until that says how many
 * have come; to an initiator that is over it is a stranger's, and may lie where the
 * last message did.
 */
static noinline void echo_arrived_late(struct icb_run *run, int err)
{
	const int stop = READ_ONCE(run->consumer.stop);

	if (err || !run->lossy ||
	    stop != (run->initiator ? ICB_STOP_NONE : ICB_STOP_END))
		return;
	if (echo_sort(run) <= 0 || run->initiator)
		return;
	icb_run_arrived(run);
	icb_run_settle(run);
}

static noinline int echo_arrived_lossy(struct icb_run *run, u64 now)
{
	int err = echo_sort(run);

	if (err <= 0)
		return err;
	if (run->initiator)
		return echo_advance(run, now, true);
	run->since = now;
	err = echo_answer(run);
	return err ? : echo_settle_answer(run);
}

static void echo_arrived(struct icb_consumer *consumer, int err)
{
	struct icb_run *run = icb_run_of(consumer);
	u64 now = icb_clock_read();

	if (unlikely(READ_ONCE(run->consumer.stop) ||
		     READ_ONCE(run->consumer.phase) == ICB_PHASE_OVER)) {
		echo_arrived_late(run, err);
		return;
	}
	if (unlikely(err))
		goto failed;
	if (unlikely(run->lossy)) {
		err = echo_arrived_lossy(run, now);
	} else if (run->initiator) {
		err = echo_kicked(run) ? echo_advance(run, now, false) :
					 icb_ep_unexpected_msg(run->ep);
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
	icb_ep_over(run->ep, &run->consumer);
}

/* What was taken for lost may still come. */
static void echo_catch_late(struct icb_run *run)
{
	u8 byte;

	if (icb_run_callbacks(run))
		return;
	if (run->params->completion == ICBENCH_COMPLETION_MEMORY) {
		byte = READ_ONCE(*echo_last_byte(run));
		if (byte == (u8)(run->rx.mark - 1))
			return;
		smp_rmb(); /* as in await_memory() */
		echo_resume(run, byte);
	} else if (echo_poll(run) <= 0) {
		return;
	}
	icb_run_arrived(run);
	icb_run_settle(run);
}

/* The initiator's last message crosses one that answers it no more. */
static void echo_catch_up(struct icb_run *run)
{
	if (run->lossy) {
		echo_catch_late(run);
		return;
	}
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

static void echo_report(const struct icb_run *run, struct icb_result *result)
{
	if (run->params->overhead)
		icb_result_dist(result, "overhead",
				&run->hist[ICB_HIST_OVERHEAD], 1);
	icb_result_dist(result, "latency", &run->hist[ICB_HIST_LATENCY],
			icb_run_divisor(run));
	icb_result_trust(result, run);
	icb_result_dist(result, "post", &run->hist[ICB_HIST_POST], 1);
	icb_result_dist(result, "poll", &run->hist[ICB_HIST_POLL], 1);
	icb_result_dist(result, "poll_empty", &run->hist[ICB_HIST_POLL_EMPTY],
			1);
	if (run->params->completion == ICBENCH_COMPLETION_TIMER)
		icb_result_dist(result, "lateness",
				&run->hist[ICB_HIST_LATENESS], 1);
	icb_stages_report(run, result);
	icb_result_rates(result, run, run->verb->divisor * run->done);
	icb_result_lost(result, run);
	icb_result_torn(result, run);
	icb_result_cpu(result, run, run->verb->divisor * run->done);
	icb_result_wakes(result, run, run->done + run->unanswered);
	icb_result_warmup(result, run);
}

const struct icb_bench_ops icb_echo_ops = {
	.name = "echo",
	.help = "ping-pong: each message answers the one before it",
	.verbs = ICB_VERBS_DATA,
	.run = echo_run,
	.respond = echo_respond,
	.consumer.arrived = echo_arrived,
	.catch_up = echo_catch_up,
	.report = echo_report,
};
