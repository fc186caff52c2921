// SPDX-License-Identifier: GPL-2.0
/*
 * Trigger completion (stream): a window of operations is in flight, and new operations
 * are posted as others complete.
 *
 * The side first posts a whole window. Each time that refill operations have completed,
 * it posts as many again, so that between window - refill and window operations are in
 * flight. The measured time starts before the first measured post, when all warm-up
 * operations have completed, and ends when the last completion has been taken.
 *
 * - With reply, the responder answers each window by an empty message. The initiator
 *   posts the next window upon that answer, and not upon its own completions.
 * - Where both sides stream, the initiator continues unmeasured until the responder has
 *   measured one window of operations.
 * - Runs that share a barrier extend the warm-up until all have warmed up. This does not
 *   apply with reply, where the responder knows the number of warm-up messages. A run
 *   that has measured continues unmeasured until all runs have measured.
 * - Where a message without a posted receive would break the connection, an operation is
 *   posted only if there is credit for it.
 * - A responder to which sends arrive reposts its receives. Any other responder has
 *   nothing to do, unless both sides stream.
 * - A thread that computes does so after each post, before it polls again.
 */
#include "account.h"
#include "bench.h"
#include "compute.h"
#include "host/clock.h"
#include "io/endpoint.h"
#include "message.h"
#include "phase.h"
#include "result.h"
#include "run.h"
#include "stream.h"
#include "stream_report.h"

/* Operations in flight. */
static u64 stream_flying(const struct icb_flow *flow)
{
	return flow->seq - flow->acked;
}

static bool stream_phase_over(const struct icb_run *run)
{
	return run->acked == run->mark;
}

static bool stream_checks(const struct icb_run *run)
{
	return unlikely(run->params->verify) && !run->verb->atomic;
}

/* Post the report of report_every writes right behind the last of them. */
static noinline void stream_report_writes(struct icb_run *run, unsigned int count)
{
	run->report_in -= count;
	if (run->report_in)
		return;
	run->report_in = run->report_every;
	icb_ep_prep(run->ep, count - 1, &(struct icb_operation) {
		.set = ICB_OPERATION_NOTIFY });
}

static int stream_post(struct icb_run *run, struct icb_flow *flow,
		       unsigned int count)
{
	/* decided before the post: a callback may begin the next phase during the call */
	struct icb_hist *post = run->timed && run->hist ?
		&run->hist[ICB_HIST_POST] : NULL;
	unsigned int i;
	bool signal;
	u64 before;
	int err;

	if (unlikely(run->flows > 1))
		icb_ep_prep(run->ep, 0, &(struct icb_operation) {
			.set = ICB_OPERATION_QP, .qp = flow->index });
	for (i = 0; i < count; i++) {
		icb_run_stage_op(run, i);
		if (stream_checks(run))
			icb_run_make(run);
		signal = !--flow->unsignalled || run->seq == run->mark;
		if (signal)
			flow->unsignalled = run->params->signal_every;
		icb_ep_prep(run->ep, i, &(struct icb_operation) {
			.set = ICB_OPERATION_SIGNAL,
			.signal = signal, .batched = true });
	}
	if (unlikely(run->report_every))
		stream_report_writes(run, count);
	flow->seq += count;
	before = icb_clock_read();
	run->posted = before;
	err = icb_ep_commit(run->ep, count);
	if (post)
		icb_hist_add(post, icb_clock_ns(icb_clock_read() - before));
	return err;
}

/*
 * Posts count as progress. A thread also yields its CPU to threads that wait for it.
 * Returns false if the run was stopped.
 */
static bool stream_goes_on(struct icb_run *run)
{
	if (!icb_run_callbacks(run))
		icb_ep_yield(run->ep, ICB_YIELD_OP, 0);
	run->since = icb_clock_read();
	return !READ_ONCE(run->consumer.stop);
}

/*
 * True if a window is filled in steps, with other completions handled in between: in a
 * callback, and in a thread that drives both sides.
 */
static bool stream_takes_turns(const struct icb_run *run)
{
	return icb_run_callbacks(run) || run->mate;
}

/* True if a step that began at clock reading @begun has to end. */
static bool stream_step_over(const struct icb_run *run, u64 begun)
{
	return run->seq >= run->part_end ||
	       icb_clock_read() - begun >= run->stretch;
}

/* Begin a step in a callback: it fills at most run->part operations of a window. */
static void stream_begin_part(struct icb_run *run)
{
	run->part_end = run->seq + run->part;
}

/*
 * A software device may send a message before the post call returns, so that posting a
 * large window of large messages takes seconds. A side that fills its window in steps
 * stops after run->stretch ticks, or in a callback at run->part_end, after the next
 * signalled post. The completion of this post starts the next step.
 */
static int stream_post_all(struct icb_run *run, struct icb_flow *flow,
			   u64 room)
{
	u64 count, rest, begun = 0;
	int err = 0;

	flow->fill = false;
	while (room && run->seq < run->mark && !err) {
		count = min_t(u64, run->params->batch,
			      min_t(u64, room, run->mark - run->seq));
		if (unlikely(run->report_every))
			count = min_t(u64, count, run->report_in);
		err = stream_post(run, flow, count);
		room -= count;
		if (!begun)
			begun = run->posted;
		if (likely(run->posted - begun < run->stretch &&
			   run->seq < run->part_end))
			continue;
		if (!stream_goes_on(run))
			return 0;
		if (!stream_takes_turns(run)) {
			begun = run->since;
			continue;
		}
		rest = flow->unsignalled % run->params->signal_every;
		if (room > rest) {
			flow->fill = true;
			room = rest;
		}
	}
	return err;
}

/*
 * True if there is credit for count operations. All of them or none are posted: a part
 * of them might contain no signalled post, and so raise no completion.
 */
static bool stream_may_post(const struct icb_run *run,
			    const struct icb_flow *flow, u64 count)
{
	count = min_t(u64, count, run->mark - run->seq);
	return icb_ep_may_post(run->ep, flow->index, flow->seq + count);
}

/*
 * Fill the window if refill operations have completed, or if a former step has not filled
 * it (flow->fill).
 */
static int stream_refill(struct icb_run *run, struct icb_flow *flow)
{
	u64 room = run->params->window - stream_flying(flow);

	if ((room < run->params->refill && !flow->fill) ||
	    !stream_may_post(run, flow, room))
		return 0;
	return stream_post_all(run, flow, room);
}

/*
 * Fill the windows of all QPs together, round robin: signal_every posts per QP and round.
 * A QP without credit is skipped, and is filled when credit arrives. Waiting for that
 * credit could deadlock: each side might wait for credit on a different QP. A side that
 * fills in steps and is interrupted sets run->sweep, so that stream_sweep() follows.
 */
static int stream_fill(struct icb_run *run)
{
	const u32 count = run->params->signal_every;
	const u64 begun = icb_clock_read(), seq = run->seq;
	struct icb_flow *flow;
	int err = 0;

	while (run->fill && run->seq < run->mark && !err) {
		if (stream_takes_turns(run) && run->seq != seq &&
		    stream_step_over(run, begun)) {
			run->sweep = run->flows;
			return 0;
		}
		flow = &run->flow[run->fill_at];
		if (stream_may_post(run, flow, count)) {
			err = stream_post_all(run, flow, count);
			if (!stream_goes_on(run))
				return err;
		}
		if (++run->fill_at == run->flows) {
			run->fill_at = 0;
			run->fill -= count;
		}
	}
	run->fill = 0;
	run->since = icb_clock_read();
	return err;
}

/*
 * Refill the QPs on which operations completed while the windows were filled in steps:
 * at least one QP per call, and more until the step is over. If no time is left for the QP
 * that is due, all QPs are visited once more. The step has posted, so a completion starts
 * the next step.
 */
static int stream_sweep(struct icb_run *run)
{
	const u64 begun = icb_clock_read(), seq = run->seq;
	bool over = false;
	int err = 0;

	while (run->sweep && !over && !err) {
		err = stream_refill(run, &run->flow[run->fill_at]);
		if (++run->fill_at == run->flows)
			run->fill_at = 0;
		run->sweep--;
		over = stream_step_over(run, begun);
	}
	if (over && run->seq != seq) {
		run->sweep = run->flows;
		return err;
	}
	return err ? : stream_refill(run, run->due);
}

static noinline int stream_fill_up(struct icb_run *run)
{
	int err = 0;

	if (run->fill) {
		err = stream_fill(run);
		if (run->fill)
			return err;
		run->fill_at = 0;
	}
	if (run->sweep && !err)
		err = stream_sweep(run);
	run->fills = run->sweep;
	return err;
}

/* Post the operations that the windows have room for. */
static int stream_go_on(struct icb_run *run)
{
	return unlikely(run->fills) ? stream_fill_up(run) :
				      stream_refill(run, run->due);
}

/* Report to the initiator that the responder has measured enough for a rate. */
static void stream_report_measured(struct icb_run *run)
{
	if (run->mate)
		WRITE_ONCE(run->mate->peer_measured, true);
	else if (!run->side->report_measured(run->ep))
		return;
	run->measured_reported = true;
}

/* Record an interval. The next one begins at its end, so no disturbance is missed. */
static void stream_book(struct icb_run *run, u64 ns, u64 now)
{
	struct icb_hist *interval = &run->hist[ICB_HIST_INTERVAL];

	icb_run_disturbed(run);
	if (unlikely(ns > run->limit)) {
		icb_run_exceed(run, interval, interval->count + 1, ns, now);
		icb_stream_end(run);
	}
	if (unlikely(run->causes))
		icb_run_attribute(run, interval, ns);
	icb_hist_add(interval, ns);
	if (unlikely(interval->count == run->means.end))
		icb_means_end(&run->means, run->done,
			      icb_clock_ns(now - run->began));
}

/* True if a responder has measured enough for a rate. */
static bool stream_has_measured(const struct icb_run *run)
{
	const struct icb_params *params = run->params;
	const u64 least = ICB_STEADY_LEAST * run->steady.window;

	/* no more operations than the initiator measures */
	if (icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS) &&
	    params->iterations < least)
		return true;
	return !least || run->steady.count >= ICB_STEADY_LEAST;
}

/* End a window of a responder's stream. */
static void stream_lap_responder(struct icb_run *run, u64 now)
{
	if (++run->laps == run->means.end)
		icb_means_end(&run->means, run->done,
			      icb_clock_ns(now - run->began));
	if (!run->measured_reported && stream_has_measured(run))
		stream_report_measured(run);
}

static void stream_lap(struct icb_run *run, u64 now)
{
	run->lap += run->params->window;
	/* with the last operation posted, the window drains */
	if (run->seq < run->mark)
		icb_steady_add(&run->steady, run->done, now);
	if (!run->initiator) {
		stream_lap_responder(run, now);
		return;
	}
	stream_book(run, icb_clock_ns(now - run->lapped), now);
	run->lapped = now;
}

/*
 * End the tail once all runs of the barrier have measured, and the peer has measured or
 * did not do so within the timeout. Each run of the barrier has a timeout of its own.
 */
static void stream_linger(struct icb_run *run, u64 now)
{
	if (run->mark != U64_MAX ||
	    (run->barrier && !icb_barrier_measured(run->barrier)))
		return;
	if (!icb_stream_peer_behind(run) || now - run->lapped > run->timeout)
		icb_stream_end(run);
}

/* End the extended warm-up once all runs of the barrier have warmed up. */
static void stream_hold(struct icb_run *run)
{
	if (run->mark == U64_MAX && icb_barrier_warm(run->barrier))
		icb_stream_end(run);
}

/*
 * Check the messages above number from, up to number to, before their buffers are used
 * again.
 */
static void stream_check(struct icb_run *run, u64 from, u64 to)
{
	while (from < to)
		icb_run_check(run, ++from);
}

/* Record that acked operations have completed in all, at clock now. */
static __always_inline void stream_acked(struct icb_run *run, u64 acked,
					 u64 now)
{
	WRITE_ONCE(run->acked, acked);
	if (!run->timed) {
		if (unlikely(run->tail))
			stream_linger(run, now);
		else if (unlikely(run->held))
			stream_hold(run);
		return;
	}
	WRITE_ONCE(run->done, run->acked - run->base);
	WRITE_ONCE(run->ended, now);
	run->compute.booked = run->compute.spent;
	if (run->acked >= run->lap)
		stream_lap(run, now);
	if (unlikely(now >= run->deadline))
		icb_stream_end(run);
}

static __always_inline void stream_own(struct icb_run *run,
				       struct icb_flow *flow,
				       unsigned int completions, u64 now)
{
	u64 more = (u64)completions * run->params->signal_every;

	/* the last completion of a phase may stand for fewer operations */
	more = min_t(u64, more, stream_flying(flow));
	if (run->verb->passive && stream_checks(run))
		stream_check(run, run->acked, run->acked + more);
	flow->acked += more;
	run->due = flow;
	stream_acked(run, run->acked + more, now);
}

/* Record the duration of a poll in the distribution for its outcome. */
static void stream_polled(struct icb_run *run, bool found, u64 ticks)
{
	if (run->timed && run->hist)
		icb_hist_add(&run->hist[found ? ICB_HIST_POLL :
						ICB_HIST_POLL_EMPTY],
			     icb_clock_ns(ticks));
}

/**
 * icb_stream_rehearse() - execute a stream operation without its verbs calls
 * @run: from icb_run_rehearse()
 *
 * Only the clock reads and the bookkeeping of one post and of the poll that finds its
 * completion, on the QP of @run->due. Records two samples.
 */
void icb_stream_rehearse(struct icb_run *run)
{
	u64 before = icb_clock_read(), now;

	icb_hist_add(&run->hist[ICB_HIST_POST],
		     icb_clock_ns(icb_clock_read() - before));
	before = icb_clock_read();
	now = icb_clock_read();
	stream_polled(run, true, now - before);
	stream_own(run, run->due, 1, now);
	run->since = now;
}

/* Value of run->seen at which the responder answers the next window. */
static u64 stream_answer_at(const struct icb_run *run)
{
	const struct icb_params *params = run->params;
	u64 seen = run->seen, end = U64_MAX;

	if (seen < params->warmup)
		end = params->warmup;
	else if (icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS))
		end = params->warmup + params->iterations;
	/* a peer that sends more messages than agreed is answered, too */
	return end <= seen ? seen + params->window :
			     min_t(u64, seen + params->window, end);
}

/* Answer a window. The caller has reposted the receives for the next window before. */
static int stream_answer(struct icb_run *run)
{
	int err = icb_ep_reap(run->ep, true);

	if (!err)
		err = icb_ep_reply(run->ep);
	run->lap = stream_answer_at(run);
	return err;
}

/* Handle the responder's answer: it has received the whole window. */
static int stream_answered(struct icb_run *run, unsigned int answers, u64 now)
{
	int err = 0;

	if (run->acked == run->seq)
		return icb_ep_reject(run->ep, ICB_WRONG_UNEXPECTED, 0, 0);
	run->flow->acked = run->flow->seq;
	run->due = run->flow;
	stream_acked(run, run->seq, now);
	while (answers-- && !err)
		err = icb_ep_refill(run->ep);
	return err ? : icb_ep_reap(run->ep, true);
}

/* Check a message's length. Where sizes differ, the number determines the length. */
static int stream_measure(struct icb_run *run, unsigned int i, u64 number)
{
	u32 due = icb_run_due(run, number), len = icb_ep_cpl(run->ep, i).len;

	if (likely(len == due))
		return 0;
	/* a datagram may come from a sender outside of the run */
	return icb_params_datagrams(run->params) ? -EAGAIN :
		icb_ep_reject(run->ep, ICB_WRONG_LENGTH, len, due);
}

static int stream_measure_told(struct icb_run *run, unsigned int i)
{
	u32 received = icb_ep_cpl(run->ep, i).number;

	if (likely(!run->sizes.on))
		return 0;
	return stream_measure(run, i, run->number +
				      icb_number_ahead(received, run->number));
}

/*
 * Count the arrived messages where messages may be lost. Each one carries its number.
 * Foreign messages, and completions of own work requests, are left out. No receive has
 * been reposted yet, so a buffer cannot change while it is checked. Returns the number of
 * counted messages, or an error number.
 */
static int stream_sort(struct icb_run *run, unsigned int count)
{
	int seen = 0, err;
	unsigned int i;
	u32 buffer;

	for (i = 0; count; i++) {
		if (!icb_ep_cpl(run->ep, i).recv)
			continue;
		count--;
		buffer = icb_run_land(run);
		err = icb_ep_cpl(run->ep, i).foreign ? -EAGAIN :
						   stream_measure_told(run, i);
		if (err == -EAGAIN) {
			run->foreign++;
			continue;
		}
		if (unlikely(err))
			return err;
		if (!icb_run_number(run, icb_ep_cpl(run->ep, i).number, buffer))
			continue;
		if (stream_checks(run))
			icb_run_check_landed(run);
		seen++;
	}
	return seen;
}

/*
 * Handle reports of writes, see icb_params_report_every(). The reported writes are
 * checked before the receive of their report is reposted.
 */
static noinline int stream_notes(struct icb_run *run, unsigned int count)
{
	int err = 0;

	while (count-- && !err) {
		stream_check(run, run->looked, run->looked + run->report_every);
		WRITE_ONCE(run->looked, run->looked + run->report_every);
		err = icb_ep_refill(run->ep);
	}
	return err;
}

static int stream_arrivals(struct icb_run *run, unsigned int count)
{
	int seen = count, err = 0;
	unsigned int i;

	if (unlikely(run->report_every))
		return stream_notes(run, count);
	if (unlikely(run->lossy))
		seen = stream_sort(run, count);
	if (unlikely(seen < 0))
		return seen;
	WRITE_ONCE(run->seen, run->seen + seen);
	if (icb_params_one_way(run->params))
		WRITE_ONCE(run->done, run->seen);
	for (i = 0; i < count && !err; i++) {
		if (unlikely(run->sizes.on) && !run->lossy)
			err = stream_measure(run, i, run->seen - count + i + 1);
		if (unlikely(err))
			break;
		if (stream_checks(run) && !run->lossy)
			icb_run_check(run, run->seen - count + i + 1);
		if (unlikely(run->flows > 1))
			icb_ep_recv_on(run->ep, icb_ep_cpl(run->ep, i).qp);
		err = icb_ep_refill(run->ep);
	}
	if (run->params->reply && run->seen >= run->lap && !err)
		err = stream_answer(run);
	return err;
}

/* The flow of the QP whose completion was taken last, or is handled by this callback. */
static struct icb_flow *stream_flow(struct icb_run *run)
{
	return likely(run->flows == 1) ? run->flow :
		&run->flow[icb_ep_cpl(run->ep, 0).qp];
}

/*
 * The most completions to take in one poll. They must not free more than refill
 * operations, or the window would fall below its lower edge. With several QPs, or
 * mixed completions, it is one: the QP of the next completion is not known before.
 */
static unsigned int stream_limit(const struct icb_run *run)
{
	const struct icb_params *params = run->params;
	u64 room = params->window - stream_flying(run->flow);

	if (unlikely(run->mark && (run->flows > 1 || run->mixed)))
		return 1;
	return !run->mark || room + (u64)ICB_EP_TAKE * params->signal_every <=
				     params->refill ? ICB_EP_TAKE : 1;
}

static int stream_take(struct icb_run *run, u64 *now)
{
	struct icb_taken taken = {};
	u64 before = icb_clock_read();
	int n, err = 0;

	n = icb_ep_poll(run->ep, stream_limit(run), &taken);
	*now = icb_clock_read();
	if (unlikely(n < 0))
		return n;
	stream_polled(run, n, *now - before);
	if (taken.own)
		stream_own(run, stream_flow(run), taken.own, *now);
	if (taken.arrived && run->params->reply && run->initiator)
		err = stream_answered(run, taken.arrived, *now);
	else if (taken.arrived)
		err = stream_arrivals(run, taken.arrived);
	/* any completion may have brought credit */
	if (unlikely(icb_ep_plan(run->ep)->credited) && n)
		run->due = stream_flow(run);
	if (n && (taken.own || !icb_run_streams(run) || run->params->reply)) {
		if (unlikely(run->spin))
			icb_run_waited(run, *now - run->since);
		run->since = *now;
	}
	return err ? : n;
}

/* A thread that drives both sides computes only for the initiator. */
static bool stream_computes(const struct icb_run *run)
{
	return run->compute.on && (run->initiator || !run->mate);
}

/*
 * Poll until all completions are taken, or it is time to post. With a single poll per
 * step, receives would run out in two cases: nothing slows down a peer whose messages may
 * be lost; and a thread that drives both sides posts a whole window upon one completion.
 * With credit, stream_take() is used instead: credit slows down the peer, and each
 * completion may bring credit for a different QP.
 */
static noinline int stream_take_all(struct icb_run *run, u64 *now)
{
	u32 left = run->params->window;
	u64 acked = run->acked;
	unsigned int limit;
	int n, found = 0;

	do {
		limit = stream_limit(run);
		n = stream_take(run, now);
		if (n < 0)
			return n;
		found += n;
	} while (n >= (int)limit && run->acked == acked && --left);
	return found;
}

/**
 * icb_stream_step() - post operations that the window has room for, then poll
 * @run: either side
 * @now: set to the clock after the poll
 *
 * Return: number of completions, or a negative error number; -ECANCELED after the last
 * phase.
 */
int icb_stream_step(struct icb_run *run, u64 *now)
{
	u64 seq;
	int err;

	if (run->mark) {
		if (stream_phase_over(run) && !icb_stream_next(run))
			return -ECANCELED;
		seq = run->seq;
		err = stream_go_on(run);
		if (unlikely(err))
			return err;
		if (stream_computes(run) && run->seq != seq)
			icb_compute(run);
	}
	if (unlikely(icb_ep_plan(run->ep)->credited))
		return stream_take(run, now);
	return run->mate || unlikely(run->lossy) ? stream_take_all(run, now) :
						   stream_take(run, now);
}

static int stream_drive(struct icb_run *run)
{
	struct icb_run *mate = run->mate;
	unsigned int polls = 0;
	int found, other = 0;
	u64 now;

	run->since = icb_clock_read();
	if (mate)
		mate->since = run->since;
	while (!READ_ONCE(run->consumer.stop)) {
		found = icb_stream_step(run, &now);
		if (unlikely(found < 0))
			return found;
		/* the mate's step would no longer belong to the measurement */
		if (unlikely((run->timed || run->tail) &&
			     stream_phase_over(run)) && !icb_stream_next(run))
			return -ECANCELED;
		if (mate)
			other = icb_stream_step(mate, &now);
		if (unlikely(other < 0))
			return other;
		if (found || other)
			icb_ep_yield(run->ep, ICB_YIELD_OP, 0);
		else
			found = icb_stream_wait(run, &polls, now);
		if (unlikely(found < 0))
			return found;
	}
	return -ECANCELED;
}

/*
 * Post the first operation, whose completion starts the callbacks. It is a phase of its
 * own, since a callback may handle its completion before this thread's call returns.
 */
static int stream_kick(struct icb_run *run)
{
	int err;

	run->base = run->seq;
	run->mark = run->seq + 1;
	run->acked = run->seq;
	err = stream_post(run, run->flow, 1);
	if (!err)
		icb_ep_wait(run->ep, &run->consumer, ICB_WAIT_OVER);
	return err ? : run->err;
}

static int stream_run(struct icb_run *run)
{
	int err;

	if (icb_run_callbacks(run))
		return icb_run_over(run, stream_kick(run));
	icb_stream_next(run);
	if (run->mate && icb_params_begins(run->params, false))
		icb_stream_next(run->mate);
	err = stream_drive(run);
	return icb_run_over(run, err == -ECANCELED && !READ_ONCE(run->consumer.stop) ?
				 0 : err);
}

static int stream_respond_callbacks(struct icb_run *run, bool begins)
{
	int err;

	if (begins) {
		err = stream_kick(run);
	} else {
		icb_ep_wait(run->ep, &run->consumer, ICB_WAIT_OVER);
		err = run->err;
	}
	/* after ICB_STOP_END late messages still count, so the run is not over yet */
	return READ_ONCE(run->consumer.stop) == ICB_STOP_END ? 0 :
						      icb_run_over(run, err);
}

/**
 * icb_stream_respond() - run the responder of a stream
 * @run: run of a responder
 *
 * Return: as &icb_bench_ops.respond.
 */
int icb_stream_respond(struct icb_run *run)
{
	bool begins = icb_params_begins(run->params, false);
	int err;

	if (icb_run_callbacks(run))
		return stream_respond_callbacks(run, begins);
	if (begins)
		icb_stream_next(run);
	err = stream_drive(run);
	return icb_run_over(run, err);
}

static void stream_failed(struct icb_run *run, int err)
{
	run->err = err;
	icb_run_stop(run, ICB_STOP_ERROR);
	icb_ep_over(run->ep, &run->consumer);
}

/*
 * Continue posting, since a callback may have brought credit. Until the first operation
 * has completed, only the thread posts: see stream_kick().
 */
static int stream_credited(struct icb_run *run)
{
	if (!run->acked || READ_ONCE(run->consumer.stop))
		return 0;
	stream_begin_part(run);
	run->due = stream_flow(run);
	return stream_go_on(run);
}

/**
 * icb_stream_arrived() - handle a message of the peer, in a callback
 * @consumer: consumer of either side
 * @err: negative error number if its completion is not as expected; else 0
 */
void icb_stream_arrived(struct icb_consumer *consumer, int err)
{
	struct icb_run *run = icb_run_of(consumer);

	if (likely(!err)) {
		run->since = icb_clock_read();
		err = stream_arrivals(run, 1);
	}
	if (unlikely(icb_ep_plan(run->ep)->credited) && !err)
		err = stream_credited(run);
	if (unlikely(err) && !READ_ONCE(run->consumer.stop))
		stream_failed(run, err);
}

static void stream_heard(struct icb_consumer *consumer, int err)
{
	struct icb_run *run = icb_run_of(consumer);

	if (likely(!err))
		err = stream_credited(run);
	if (unlikely(err) && !READ_ONCE(run->consumer.stop))
		stream_failed(run, err);
}

static void stream_completed(struct icb_consumer *consumer, int err)
{
	struct icb_run *run = icb_run_of(consumer);
	u64 now = icb_clock_read();

	if (unlikely(READ_ONCE(run->consumer.stop)))
		return;
	if (likely(!err)) {
		run->since = now;
		stream_begin_part(run);
		stream_own(run, stream_flow(run), 1, now);
		if (stream_phase_over(run) && !icb_stream_next(run)) {
			icb_ep_over(run->ep, &run->consumer);
			return;
		}
		err = stream_go_on(run);
	}
	if (unlikely(err))
		stream_failed(run, err);
}

/**
 * icb_stream_catch_up() - count messages that arrived after the loop ended
 * @run: run of a responder, or of an initiator that receives a stream; its loop has ended
 */
void icb_stream_catch_up(struct icb_run *run)
{
	unsigned int limit = run->flows > 1 || run->mixed ? 1 : ICB_EP_TAKE;
	u64 left = (u64)run->params->window * run->flows;
	struct icb_taken taken = {};
	int n;

	if (icb_run_callbacks(run))
		return;
	/* bounded, since a peer may send without end */
	do {
		taken.arrived = 0;
		n = icb_ep_poll(run->ep, limit, &taken);
		if (taken.arrived)
			stream_arrivals(run, taken.arrived);
		left -= min_t(u64, left, taken.arrived);
	} while (n > 0 && left);
}

const struct icb_bench_ops icb_stream_ops = {
	.name = "completion",
	.help = "stream: a window of operations, posted as others complete",
	.kept = BIT(ICB_HIST_POST) | BIT(ICB_HIST_INTERVAL),
	.run = stream_run,
	.respond = icb_stream_respond,
	.consumer.arrived = icb_stream_arrived,
	.consumer.completed = stream_completed,
	.consumer.heard = stream_heard,
	.catch_up = icb_stream_catch_up,
	.report = icb_stream_report,
};
