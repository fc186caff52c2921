// SPDX-License-Identifier: GPL-2.0
/*
 * Trigger clock (open loop): operations are posted by a schedule, whether or not earlier
 * operations have completed.
 *
 * Rate, arrival process and seed determine when the n-th operation is due, before the run
 * begins. A timer posts the operation. A sample begins when the operation is due and ends
 * when its completion is taken. So it contains the delay of an operation that is posted
 * late because the timer was late or the window was full. No operation is left out.
 *
 * "lateness" is the time by which the timer posted an operation late. "delayed" counts
 * the operations that were due while another one was posted or the window was full.
 *
 * Runs that share a barrier extend the warm-up until all have warmed up, and continue
 * their schedules unmeasured until all have measured.
 *
 * Two contexts post: the timer, and the context that takes a completion, which makes room
 * for an operation that had to wait. A gate excludes them from each other. A context that
 * finds the gate shut makes its holder check again, and returns.
 */
#include "account.h"
#include "bench.h"
#include "flow.h"
#include "host/clock.h"
#include "io/endpoint.h"
#include "message.h"
#include "openloop.h"
#include "result.h"
#include "run.h"
#include "stream.h"

#define SECOND_NS	1000000000ULL

/* Operations posted in a row before the CPU is yielded; see also &icb_run.stretch. */
#define POSTS_PER_CALL	64

/* A shorter time than this is waited for without a timer. */
#define MOMENT_NS	500

enum gate {
	GATE_OPEN,
	GATE_SHUT,
	GATE_AGAIN,
	GATE_LOCKED,
};

/**
 * icb_openloop_slots() - get the number of due times that a run has to store
 * @params: parameters of the run
 *
 * Return: a power of two, at least the window; 0 for other triggers.
 */
u32 icb_openloop_slots(const struct icb_params *params)
{
	u32 slots = 1;

	if (params->trigger != ICBENCH_TRIGGER_CLOCK)
		return 0;
	while (slots < params->window)
		slots *= 2;
	return slots;
}

/* Enter the gate, or make its holder check again. Returns true if the gate is entered. */
static bool gate_enter(struct icb_openloop *open)
{
	int was;

	for (;;) {
		was = cmpxchg(&open->gate, GATE_OPEN, GATE_SHUT);
		if (was == GATE_OPEN)
			return true;
		if (was != GATE_SHUT)
			return false;
		if (cmpxchg(&open->gate, GATE_SHUT, GATE_AGAIN) != GATE_OPEN)
			return false;
	}
}

static bool gate_leave(struct icb_openloop *open)
{
	if (cmpxchg(&open->gate, GATE_SHUT, GATE_OPEN) == GATE_SHUT)
		return true;
	WRITE_ONCE(open->gate, GATE_SHUT);
	return false;
}

static bool has_room(const struct icb_run *run)
{
	return run->seq - READ_ONCE(run->acked) < run->params->window &&
	       icb_ep_may_post(run->ep, 0, run->seq + 1);
}

/* True if the operation of this number is measured. */
static bool counts(const struct icb_run *run, u64 number)
{
	return number > run->base && number <= READ_ONCE(run->open.last);
}

static bool all_acked(const struct icb_run *run)
{
	return READ_ONCE(run->acked) == READ_ONCE(run->mark);
}

/* End the schedule, at clock ended: no operation is posted any more. */
static void open_end(struct icb_run *run, u64 ended)
{
	struct icb_openloop *open = &run->open;

	open->ended = ended;
	open->over = true;
	WRITE_ONCE(run->mark, run->seq);
	/* pairs with open_acked(), which sees mark, or whose acked is seen here */
	smp_mb();
	if (all_acked(run))
		icb_ep_over(run->ep, &run->consumer);
}

/* All measured operations have completed at clock now: report that to the barrier. */
static void open_measured(struct icb_run *run, u64 now)
{
	u64 count = run->open.last - run->base;

	if (READ_ONCE(run->measured))
		return;
	if (run->done < count) {
		WRITE_ONCE(run->done, count);
		WRITE_ONCE(run->ended, now);
	}
	icb_run_lingers(run);
}

/*
 * The operation that is due next is the first unmeasured one: end the schedule, or begin
 * the tail. Returns true if the schedule has ended.
 */
static bool open_over(struct icb_run *run, u64 ended)
{
	struct icb_openloop *open = &run->open;

	if (!run->barrier || run->beyond.number) {
		open_end(run, ended);
		return true;
	}
	open->ended = ended;
	WRITE_ONCE(open->last, run->seq);
	icb_clock_busy(&run->busy[1], run->cpu);
	WRITE_ONCE(run->tail, true);
	/* pairs with open_acked(), which sees tail, or whose acked is seen here */
	smp_mb();
	if (READ_ONCE(run->acked) >= open->last)
		open_measured(run, ended);
	return false;
}

/* True if the operation that is due next is not posted, since the schedule has ended. */
static bool open_complete(struct icb_run *run)
{
	u64 due = run->open.arrival.due;

	if (run->tail) {
		if (icb_barrier_measured(run->barrier))
			open_end(run, run->open.ended);
		return run->open.over;
	}
	/* extend the warm-up by an operation while other runs are warming up */
	if (run->seq == run->base && !icb_run_warm(run))
		run->base++;
	if (!counts(run, run->seq + 1))
		return false;
	if (run->seq == run->base)
		return false;
	if (run->seq - run->base >= READ_ONCE(run->goal))
		return open_over(run, due);
	if (due - run->began >= run->until)
		return open_over(run, run->began + run->until);
	return false;
}

/*
 * The run's own timer is no disturbance, since it begins samples. If it is much later
 * than usual, another timer was handled before it in the same interrupt. That timer is a
 * disturbance.
 */
static void open_alarmed(struct icb_run *run, u64 late)
{
	struct icb_openloop *open = &run->open;
	u64 most = 2 * open->usual;

	if (late <= most)
		icb_disturb_own(&run->disturb);
	if (open->usual)
		open->usual += (s64)(min_t(u64, late, most) - open->usual) / 16 + 1;
	else
		open->usual = late + 1;
}

static int open_post(struct icb_run *run, u64 now)
{
	struct icb_openloop *open = &run->open;
	u64 number = run->seq + 1, due = open->arrival.due, before;
	bool timed = counts(run, number);
	int err;

	if (unlikely(timed && run->seq == run->base)) {
		run->first = number;
		WRITE_ONCE(run->began, due);
		WRITE_ONCE(run->ended, due);
		icb_run_measure(run);
	}
	if (unlikely(open->alarmed) && open->awaited)
		open_alarmed(run, icb_clock_ns(now - due));
	if (timed && open->awaited)
		icb_hist_add(&run->hist[ICB_HIST_LATENESS],
			     icb_clock_ns(now - due));
	else if (timed)
		open->delayed++;
	open->awaited = false;
	open->due[number & open->mask] = due;
	open->counts = timed;
	/* all is stored before the post: a callback may run before the call returns */
	icb_run_stage_op(run, 0);
	icb_ep_prep(run->ep, 0, &(struct icb_operation) {
		.set = ICB_OPERATION_SIGNAL,
		.signal = true,
	});
	before = icb_clock_read();
	err = icb_ep_commit(run->ep, 1);
	if (timed)
		icb_hist_add(&run->hist[ICB_HIST_POST],
			     icb_clock_ns(icb_clock_read() - before));
	icb_arrival_next(&open->arrival);
	return err;
}

static void open_failed(struct icb_run *run, int err)
{
	run->err = err;
	icb_run_stop(run, ICB_STOP_ERROR);
	icb_ep_over(run->ep, &run->consumer);
}

/*
 * The window is full or credit is missing: let the next completion, or credit, continue
 * to post. Returns false if there is room by now.
 */
static bool stays_full(struct icb_run *run)
{
	struct icb_openloop *open = &run->open;

	open->awaited = false;
	WRITE_ONCE(open->full, true);
	/* pairs with open_acked() and open_heard(): they see full, or this sees room */
	smp_mb();
	if (!has_room(run))
		return true;
	WRITE_ONCE(open->full, false);
	return false;
}

/* Inside the gate: post the operations that are due, and set the timer for the next. */
static void open_go(struct icb_run *run)
{
	struct icb_openloop *open = &run->open;
	const u64 begun = icb_clock_read();
	unsigned int posts = 0;
	s64 left;
	u64 now;
	int err;

	WRITE_ONCE(open->full, false);
	while (!open->over && !READ_ONCE(run->consumer.stop)) {
		if (unlikely(open_complete(run)))
			return;
		now = icb_clock_read();
		left = open->arrival.due - now;
		if (left > 0)
			open->awaited = true;
		if (left > (s64)open->moment || posts == POSTS_PER_CALL ||
		    (posts && now - begun >= run->stretch)) {
			icb_ep_alarm(run->ep, &run->consumer, left > 0 ? left : 0);
			return;
		}
		if (left > 0) {
			cpu_relax();
			continue;
		}
		if (!has_room(run) && stays_full(run))
			return;
		err = open_post(run, now);
		if (unlikely(err)) {
			open_failed(run, err);
			return;
		}
		posts++;
	}
}

/**
 * icb_openloop_due() - post the operations that are due
 * @run: run of the initiator
 *
 * Softirq context, or any context in which the run's completions are taken.
 */
void icb_openloop_due(struct icb_run *run)
{
	struct icb_openloop *open = &run->open;

	if (!gate_enter(open))
		return;
	do {
		open_go(run);
	} while (!gate_leave(open));
}

/* Call icb_openloop_due() when the timer expires. */
static void open_due(struct icb_consumer *consumer)
{
	struct icb_run *run = icb_run_of(consumer);

	run->open.alarmed = run->disturbed;
	icb_openloop_due(run);
	run->open.alarmed = false;
}

/* Prevent all further posts and stop the timer. Process context. */
static void open_lock(struct icb_run *run)
{
	struct icb_openloop *open = &run->open;

	while (cmpxchg(&open->gate, GATE_OPEN, GATE_LOCKED) != GATE_OPEN)
		icb_ep_yield(run->ep, ICB_YIELD_POLL, run->timeout);
	icb_ep_alarm(run->ep, NULL, 0);
}

/*
 * Samples overlap: the time when each cause was last seen is stored. The cause has
 * disturbed each operation that was due by that time and had not completed.
 */
static noinline void open_note(struct icb_run *run, u64 now)
{
	struct icb_openloop *open = &run->open;
	unsigned int cause;

	for (cause = 0; cause < ICB_CAUSES; cause++)
		if (run->causes & BIT(cause))
			open->seen[cause] = now;
	open->noted = now;
	run->causes = 0;
}

static noinline void open_attribute(struct icb_run *run, u64 due)
{
	const struct icb_openloop *open = &run->open;
	unsigned int cause;

	for (cause = 0; cause < ICB_CAUSES; cause++)
		if (open->seen[cause] && (s64)(open->seen[cause] - due) >= 0)
			run->causes |= BIT(cause);
}

/* Record a completed operation. After a sample above the threshold, no more is posted. */
static void open_book(struct icb_run *run, u64 number, u64 now)
{
	struct icb_openloop *open = &run->open;
	u64 due = open->due[number & open->mask];
	u64 ns = icb_clock_ns(now - due);

	if (!counts(run, number))
		return;
	if (unlikely((s64)(open->noted - due) >= 0))
		open_attribute(run, due);
	if (unlikely(ns > run->limit))
		icb_run_exceed(run, run->hist, number - run->base, ns, now);
	if (unlikely(run->causes)) {
		icb_run_attribute(run, run->hist, ns);
		run->causes = 0;
	}
	icb_hist_add(&run->hist[ICB_HIST_LATENCY], ns);
	if (unlikely(run->hist->count == run->batch_end))
		icb_run_batch(run);
}

static void open_acked(struct icb_run *run, unsigned int completions, u64 now)
{
	u64 acked = run->acked;

	run->since = now;
	while (completions--)
		open_book(run, ++acked, now);
	/* from here on the slots of their due times may be reused */
	WRITE_ONCE(run->acked, acked);
	if (counts(run, acked)) {
		WRITE_ONCE(run->done, acked - run->base);
		WRITE_ONCE(run->ended, now);
	}
	smp_mb(); /* pairs with stays_full(), open_over() and open_end() */
	if (unlikely(READ_ONCE(run->tail)) && acked >= run->open.last)
		open_measured(run, now);
	if (READ_ONCE(run->open.full))
		icb_openloop_due(run);
}

/* Handle new credit from the peer. */
static void open_heard(struct icb_consumer *consumer, int err)
{
	struct icb_run *run = icb_run_of(consumer);

	if (unlikely(READ_ONCE(run->consumer.stop)))
		return;
	if (unlikely(err)) {
		open_failed(run, err);
		return;
	}
	smp_mb(); /* pairs with stays_full() */
	if (READ_ONCE(run->open.full))
		icb_openloop_due(run);
}

/* Note the time of a wait's first, empty poll. The next completion records it. */
static void open_empty(struct icb_run *run, u64 ticks)
{
	run->stamps.empty = ticks;
	run->deferred = ICB_DEFERRED_EMPTY;
}

static int open_take(struct icb_run *run, u64 *now)
{
	struct icb_taken taken = {};
	u64 before = icb_clock_read();
	bool timed;
	int n;

	n = icb_ep_poll(run->ep, ICB_EP_TAKE, &taken);
	*now = icb_clock_read();
	if (unlikely(n < 0))
		return n;
	icb_run_disturbed(run);
	if (unlikely(run->causes))
		open_note(run, *now);
	if (unlikely(n && !taken.own)) {
		open_heard(&run->consumer, 0);
		return n;
	}
	if (!taken.own) {
		if (!run->deferred)
			open_empty(run, *now - before);
		return 0;
	}
	timed = counts(run, run->acked + 1);
	if (timed)
		icb_hist_add(&run->hist[ICB_HIST_POLL],
			     icb_clock_ns(*now - before));
	if (unlikely(run->spin))
		icb_run_waited(run, *now - run->since);
	open_acked(run, taken.own, *now);
	if (run->deferred && timed)
		icb_hist_add(&run->hist[ICB_HIST_POLL_EMPTY],
			     icb_clock_ns(run->stamps.empty));
	run->deferred = 0;
	return n;
}

static int open_drive(struct icb_run *run)
{
	struct icb_run *mate = run->mate;
	unsigned int polls = 0;
	int found, other = 0;
	u64 now;

	while (!READ_ONCE(run->consumer.stop)) {
		if (unlikely(all_acked(run)))
			return 0;
		found = open_take(run, &now);
		if (unlikely(found < 0))
			return found;
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

static int open_run(struct icb_run *run)
{
	struct icb_openloop *open = &run->open;
	int err;

	open->mask = icb_openloop_slots(run->params) - 1;
	open->moment = icb_clock_ticks(MOMENT_NS);
	open->last = U64_MAX;
	run->base = run->params->warmup;
	run->left = 0;
	run->mark = U64_MAX;
	run->since = icb_clock_read();
	if (run->mate)
		run->mate->since = run->since;
	icb_run_undisturbed(run);
	icb_arrival_start(&open->arrival, run->params, run->since,
			  icb_clock_ticks(SECOND_NS));
	icb_openloop_due(run);
	if (icb_run_callbacks(run)) {
		icb_ep_wait(run->ep, &run->consumer, ICB_WAIT_OVER);
		err = run->err;
	} else {
		err = open_drive(run);
	}
	open_lock(run);
	if ((open->over || run->tail) && (s64)(open->ended - run->ended) > 0)
		run->ended = open->ended;
	return icb_run_over(run, run->err ? : err);
}

static void open_completed(struct icb_consumer *consumer, int err)
{
	struct icb_run *run = icb_run_of(consumer);

	if (unlikely(READ_ONCE(run->consumer.stop)))
		return;
	if (unlikely(err)) {
		open_failed(run, err);
		return;
	}
	open_acked(run, 1, icb_clock_read());
	if (all_acked(run))
		icb_ep_over(run->ep, &run->consumer);
}

static void open_report(const struct icb_run *run, struct icb_result *result)
{
	const struct icb_openloop *open = &run->open;
	u64 last = min_t(u64, run->seq, open->last), span;
	u64 posted = last > run->base ? last - run->base : 0;

	icb_result_dist(result, "latency", &run->hist[ICB_HIST_LATENCY], 1);
	icb_result_trust(result, run);
	icb_result_rates(result, run, icb_run_moved(run));
	icb_result_lost(result, run);
	if (posted) {
		span = (open->over || run->tail ? open->ended :
						  open->arrival.due) -
		       run->began;
		icb_result_offered(result, run, posted, span);
		icb_result_scalar(result, "delayed", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, open->delayed);
	}
	icb_result_cpu(result, run, icb_run_moved(run));
	icb_result_wakes(result, run, run->done);
	icb_result_dist(result, "lateness", &run->hist[ICB_HIST_LATENESS], 1);
	icb_result_dist(result, "post", &run->hist[ICB_HIST_POST], 1);
	icb_result_dist(result, "poll", &run->hist[ICB_HIST_POLL], 1);
	icb_result_dist(result, "poll_empty", &run->hist[ICB_HIST_POLL_EMPTY],
			1);
}

const struct icb_bench_ops icb_openloop_ops = {
	.name = "clock",
	.help = "open loop: operations posted on a schedule",
	.kept = BIT(ICB_HIST_LATENCY) | BIT(ICB_HIST_LATENESS),
	.run = open_run,
	.respond = icb_stream_respond,
	.consumer.arrived = icb_stream_arrived,
	.consumer.completed = open_completed,
	.consumer.heard = open_heard,
	.consumer.due = open_due,
	.catch_up = icb_stream_catch_up,
	.report = open_report,
};
