// SPDX-License-Identifier: GPL-2.0
/*
 * Trigger echo (ping-pong): each message answers the one before it. The responder takes
 * no part in a read or an atomic, so there the operation's own completion is the answer.
 *
 * A sample begins before the initiator posts and ends when the initiator has taken the
 * answer. It contains two messages, the responder's reaction, if any, and at the
 * initiator two clock reads and the last empty poll. Posting receives, taking send
 * completions, checking contents and recording the sample are not part of it.
 */
#include "account.h"
#include "bench.h"
#include "compute.h"
#include "echo.h"
#include "host/clock.h"
#include "io/endpoint.h"
#include "message.h"
#include "result.h"
#include "run.h"
#include "stages.h"

/* Polls of a CQ, and reads of a watched byte, between two calls of icb_run_idle(). */
#define POLLS_PER_IDLE	16
#define LOOKS_PER_IDLE	256

/* Error number: the answer did not arrive in time, or cannot arrive any more. */
#define UNANSWERED	(-ENODATA)

/*
 * Where callbacks drive a ping-pong and messages may be lost, the waiting thread detects
 * an overdue answer. An operation is continued once: by the callback of its answer, or
 * by that thread, whichever takes the turn of the operation first. Only the context that
 * has the turn touches operations. A callback that does not get it touches only the
 * state of receives, which no other context uses.
 */
static bool echo_take_turn(struct icb_run *run, unsigned long turn)
{
	return !(turn & 1) && cmpxchg(&run->turn, turn, turn | 1) == turn;
}

/* Open the turn of the last staged operation: it is in flight or about to be posted. */
static void echo_open_turn(struct icb_run *run, u64 post)
{
	WRITE_ONCE(run->give_up, post + run->patience);
	/* ORDER: the context that takes the turn sees all stores made before this */
	(void)cmpxchg(&run->turn, run->turn, 2 * run->seq);
}

/*
 * True once the initiator's thread has prepared the first operation, up to the call that
 * posts it. Callbacks check this, since a peer may send a message before.
 */
static bool echo_kicked(struct icb_run *run)
{
	/* ORDER: see all that the thread has prepared; pairs with echo_kick() */
	return likely(smp_load_acquire(&run->kicked));
}

/* True if both sides send at the same time, and then wait for each other's message. */
static bool echo_crossing(const struct icb_run *run)
{
	return run->params->direction == ICBENCH_DIRECTION_BI;
}

/*
 * Where messages cross, the message of the next operation may arrive before that of this
 * operation. Then the latter was lost, or was never sent because the message that it
 * would have followed was lost. Keep the early message for the next operation; its
 * receive is reposted only then.
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
 * Handle a received message where messages may be lost. A message and its answer carry
 * the same number, so a late answer is not taken for the answer to a later message.
 * Returns 1 for the awaited message, 0 for any other, UNANSWERED, or an error number.
 */
static int echo_sort(struct icb_run *run)
{
	u32 received = icb_ep_cpl(run->ep, 0).number, buffer = icb_run_land(run);
	bool turns = run->initiator && icb_run_callbacks(run);
	unsigned long turn = READ_ONCE(run->turn);
	s32 ahead = icb_number_ahead(received, turns ? turn >> 1 : run->seq);

	/* a message may use any QP: repost the receive, and answer, on that QP */
	if (run->flows > 1)
		icb_ep_recv_on(run->ep, icb_ep_cpl(run->ep, 0).qp);
	if (icb_ep_cpl(run->ep, 0).foreign) {
		run->foreign++;
		return icb_ep_refill(run->ep);
	}
	/* before the first operation no answer is due, and there is no turn to take */
	if (turns && !echo_kicked(run)) {
		if (!icb_params_datagrams(run->params))
			return icb_ep_reject(run->ep, ICB_WRONG_UNEXPECTED, 0, 0);
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
			run->tx_turn.index = icb_ep_cpl(run->ep, 0).qp;
		return 1;
	}
	if (echo_came_early(run, ahead, buffer))
		return UNANSWERED;
	if (run->initiator) {
		/* only the peer sends on a connection; a datagram may have any sender */
		if (ahead > 0 && !icb_params_datagrams(run->params))
			return icb_ep_reject(run->ep, ICB_WRONG_UNEXPECTED, 0, 0);
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
	n = icb_ep_poll(run->ep, 1, NULL);
	return n > 0 ? echo_sort(run) : n;
}

static __always_inline int echo_poll(struct icb_run *run)
{
	return unlikely(run->lossy) ? echo_poll_lossy(run) :
				      icb_ep_poll(run->ep, 1, NULL);
}

/* True if the time to wait for an answer that may be lost has passed. */
static bool echo_gives_up(const struct icb_run *run)
{
	return unlikely(run->give_up) &&
	       (s64)(icb_clock_read() - run->give_up) >= 0;
}

/* Note the time of a wait's first, empty poll; it is recorded after the sample. */
static __always_inline void note_empty(struct icb_run *run,
				       struct icb_stamps *stamps, u64 ticks)
{
	stamps->empty = ticks;
	run->deferred |= ICB_DEFERRED_EMPTY;
}

/*
 * Each completion mode waits in a function of its own, so that none saves and restores
 * registers that only another mode needs: such code would be inside the sample.
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
		    icb_ep_plan(run->ep)->one_cpu) {
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

/* The last byte of the next message: its change shows that the message has arrived. */
static const u8 *echo_last_byte(struct icb_run *run)
{
	return icb_ep_buffer(run->ep, ICB_POOL_RX, run->rx.index) + run->params->size - 1;
}

/*
 * A responder accepts any new message, since earlier ones may be lost. The mark in the
 * last byte shows how many were lost, as long as they are fewer than 256.
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
		    icb_ep_plan(run->ep)->one_cpu) {
			err = icb_run_idle(run, icb_clock_read());
			/* A write raises no completion, but its failure does. */
			if (!err)
				err = icb_ep_reap(run->ep, true);
			if (!err && echo_gives_up(run))
				err = UNANSWERED;
			if (unlikely(err))
				return err;
		} else {
			cpu_relax();
		}
	}
	smp_rmb(); /* read the rest of the message after its last byte */
	if (any)
		echo_resume(run, byte);
	else if (unlikely(run->lossy))
		icb_run_last(run, run->seq, 0);
	stamps->end = icb_clock_read();
	return 0;
}

/* Poll once after a sleep: returns 1 for a message, 0 for none, or an error number. */
static __always_inline int look(struct icb_run *run, struct icb_stamps *stamps)
{
	int n;

	if (unlikely(READ_ONCE(run->consumer.stop)))
		return -ECANCELED;
	/* a responder does not record the time of its polls */
	if (run->hist)
		stamps->poll = icb_clock_read();
	n = echo_poll(run);
	stamps->end = icb_clock_read();
	if (!n && run->hist && !(run->deferred & ICB_DEFERRED_EMPTY))
		note_empty(run, stamps, stamps->end - stamps->poll);
	return n;
}

/* As icb_run_sleep(), inlined: a function call would be inside the sample. */
static __always_inline void echo_sleep(struct icb_run *run)
{
	run->slept = icb_ep_wait(run->ep, &run->consumer, ICB_WAIT_EVENT);
	run->wakes += run->slept && !run->left;
	if (unlikely(run->stages.on))
		icb_ep_event(run->ep, &run->stages.event);
}

/* Take an early message, see echo_came_early(). It raises no further event. */
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
		/* events of foreign messages may keep the thread from ever sleeping */
		if (!n && unlikely(!(++spurious % POLLS_PER_IDLE)))
			n = icb_run_idle(run, icb_clock_read());
		if (!n && echo_gives_up(run))
			n = UNANSWERED;
		if (unlikely(n))
			return n;
	}
}

/* Poll for run->spin ticks, then arm the CQ and continue as await_event(). */
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
		    icb_ep_plan(run->ep)->one_cpu) {
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

/* Poll once each time that a timer expires. */
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

/* Wait for the peer's next message. The wait starts at clock from. */
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
 * Settle a message. With completion block, also arm the CQ, which has to be done before
 * the post that the peer's next message answers. The ticks of arming are stored in
 * *rearm, unless rearm is NULL.
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
 * True if the next answer may be staged before its message arrives. In the buffer of the
 * previous answer it may not: only that message proves that the previous answer has been
 * read. Where messages cross, the message proves this only of the answer before the
 * previous one, so an answer in another buffer has to wait for it, too.
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
 * Yield the CPU after an operation. A thread that always finds a message at once would
 * never let others run. A thread that has slept for the message has yielded already, but
 * in a sleeping mode, too, the event may have been raised before the thread slept.
 */
static void echo_op_yield(struct icb_run *run)
{
	if (BIT(run->params->completion) &
	    (ICB_COMPLETIONS_BUSY | BIT(ICBENCH_COMPLETION_ADAPTIVE)) ||
	    !run->slept)
		icb_ep_yield(run->ep, ICB_YIELD_OP, 0);
}

/*
 * Give up the present operation, whose answer is overdue, and post the next one. Like the
 * first operation, see echo_kick(), it is posted in this thread and is not measured,
 * whether it is answered or not.
 */
static int echo_restart(struct icb_run *run)
{
	int err = icb_ep_reap(run->ep, false);

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
	/* before the post: the answer may arrive before the call returns */
	echo_open_turn(run, icb_clock_read());
	return icb_run_post(run);
}

/* Wait until the run is over. Restart it whenever an answer is overdue. */
static int echo_watch(struct icb_run *run)
{
	unsigned long turn;
	int err = 0;

	while (!err && !icb_ep_wait(run->ep, &run->consumer, ICB_WAIT_OVER)) {
		turn = READ_ONCE(run->turn);
		smp_rmb(); /* pairs with echo_open_turn() */
		if ((s64)(icb_clock_read() - READ_ONCE(run->give_up)) >= 0 &&
		    echo_take_turn(run, turn))
			err = echo_restart(run);
	}
	return err ? : run->err;
}

/*
 * Post the first message, whose answer starts the callbacks. It is an additional,
 * unmeasured operation without stamps, since a callback may handle its answer before
 * this thread's call returns.
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
 * Do the responder's part of an operation, where one thread drives both sides. Late
 * messages of earlier operations are answered, too; those answers are discarded.
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
 * icb_echo_rehearse() - execute a ping-pong operation without its verbs calls
 * @run: from icb_run_rehearse()
 *
 * Only the clock reads and the bookkeeping of echo_loop() with completion poll. Records
 * three samples: latency, post and poll.
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
 * Discard the responder's message of an operation that was given up. It may have arrived
 * where messages cross, although the initiator's message did not reach the responder.
 * One thread drives both sides here.
 */
static int echo_put_by(struct icb_run *run)
{
	unsigned int polls = 0;
	int n;

	/* a foreign message may be taken first */
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
		/* an early message was polled for in the previous operation */
		if (unlikely(early))
			stamps.poll = 0;
		lost = unlikely(err == UNANSWERED);
		if (likely(!err)) {
			icb_run_arrived(run);
			err = echo_settle(run, rearm);
		} else if (lost) {
			/* the operation is given up: continue with the next one */
			err = icb_ep_reap(run->ep, false);
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
	/* the run's timeout starts here: the handshake has timeouts of its own */
	run->since = icb_clock_read();
	return icb_run_over(run, err ? : echo_loop(run));
}

static int echo_respond(struct icb_run *run)
{
	struct icb_stamps stamps;
	int err = 0;

	if (icb_run_callbacks(run)) {
		icb_ep_wait(run->ep, &run->consumer, ICB_WAIT_OVER);
		/* after ICB_STOP_END late messages still count, so the run is not over */
		return run->lossy && READ_ONCE(run->consumer.stop) == ICB_STOP_END ?
			0 : icb_run_over(run, run->err);
	}
	if (run->params->completion == ICBENCH_COMPLETION_BLOCK)
		err = icb_ep_arm(run->ep);
	if (!err && echo_crossing(run))
		err = icb_run_post(run);
	run->since = icb_clock_read();
	/* a wait that finds its message at once does not check for a stop */
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

/* End an unmeasured operation of echo_restart(). Returns true if the run was stopped. */
static bool echo_restarted(struct icb_run *run)
{
	run->restarted = false;
	run->since = run->stamps.end;
	return READ_ONCE(run->consumer.stop);
}

/*
 * The answer has arrived: record the operation and start the next one. With lossy being
 * constant, a run on a reliable transport executes no code for lost messages.
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
	/* after the post: no other callback runs before this one has returned */
	if (lossy && likely(!err))
		echo_open_turn(run, run->stamps.post);
	return err;
}

/*
 * Handle a message that arrives after the end, where messages may be lost. A responder
 * counts it until it has reported the number of received messages. An initiator that is
 * over counts it as foreign, since it may have overwritten the last message.
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
					 icb_ep_reject(run->ep, ICB_WRONG_UNEXPECTED, 0, 0);
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

/* Count a late message that was taken for lost. */
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

/* Where messages cross, the initiator's last message is not answered: count it here. */
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
	} else if (icb_ep_poll(run->ep, 1, NULL) <= 0) {
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
	.kept = BIT(ICB_HIST_LATENCY) | BIT(ICB_HIST_OVERHEAD) |
		~(u32)(BIT(ICB_HISTS) - 1),
	.run = echo_run,
	.respond = echo_respond,
	.consumer.arrived = echo_arrived,
	.catch_up = echo_catch_up,
	.report = echo_report,
};
