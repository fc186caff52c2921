/* SPDX-License-Identifier: GPL-2.0 */
/* One side of a run: its state, and what all loops do with it. */
#ifndef ICB_RUN_H
#define ICB_RUN_H

#include "barrier.h"
#include "batch.h"
#include "host/clock.h"
#include "host/disturb.h"
#include "means.h"
#include "model/buffers.h"
#include "model/consumer.h"
#include "model/derived.h"
#include "model/engine.h"
#include "model/hist.h"
#include "model/params.h"
#include "model/payload.h"
#include "model/segments.h"
#include "model/sizes.h"
#include "model/tail.h"
#include "model/verbs_table.h"
#include "parts.h"
#include "warmup.h"

struct icb_ep;
struct icb_result;
struct icb_run;

/*
 * Where messages may be lost each one tells the low bits of its number, and whether
 * it counts where it comes from: its receiver does not know when warm-up ends there.
 */
#define ICB_TOLD_BITS	31
#define ICB_TOLD_COUNTS	BIT(ICB_TOLD_BITS)

/**
 * icb_number_ahead() - how far ahead of a number a message is
 * @told: what it tells
 * @number: the number
 *
 * Return: by how many; negative for one behind it.
 */
static inline s32 icb_number_ahead(u32 told, u64 number)
{
	/* the bit above the number falls off */
	return (s32)((told - (u32)number) << 1) >> 1;
}

/**
 * struct icb_delivery - what a responder says of messages that may be lost
 * @count: those that it has seen, of those that count
 * @bytes: of these, where their sizes differ; else 0
 * @longest: the longest of the times in which a window of them came, ns; 0 where nobody
 *	wants to know, or too few have come
 * @slow: what 99 of 100 of these times do not exceed, about
 * @middle: and half of them
 */
struct icb_delivery {
	u64 count;
	u64 bytes;
	u64 longest;
	u64 slow;
	u64 middle;
};

/**
 * struct icb_returns - what a responder says of its own stream
 * @sent: that it has posted
 * @counted: those of them that it told to count; where none may be lost, those that
 *	have completed
 * @done: those that it has measured
 */
struct icb_returns {
	u64 sent;
	u64 counted;
	u64 done;
};

/**
 * struct icb_stamps - the clock around one operation
 * @post: before the posting call
 * @posted: after it
 * @poll: before the poll that found the answer; 0 where nothing was polled
 * @end: when the answer was there
 * @rearm: ticks that asking for the event of the next answer took; 0 where
 *	nothing was asked for, or nobody wants to know
 * @empty: ticks that the first poll took, where it found none
 */
struct icb_stamps {
	u64 post;
	u64 posted;
	u64 poll;
	u64 end;
	u64 rearm;
	u64 empty;
};

/**
 * enum icb_deferred - what is booked besides the sample, once its operation is over
 * @ICB_DEFERRED_OVERHEAD: the calls, together
 * @ICB_DEFERRED_EMPTY: a poll that found nothing, the first of a wait
 */
enum icb_deferred {
	ICB_DEFERRED_OVERHEAD = 1,
	ICB_DEFERRED_EMPTY = 2,
};

/**
 * enum icb_hists - the distributions of a run that moves messages, ns
 * @ICB_HIST_LATENCY: round trips; of a ping-pong
 * @ICB_HIST_POST: posting calls
 * @ICB_HIST_POLL: polling calls that found a completion
 * @ICB_HIST_POLL_EMPTY: those that found none; of a stream all, else the first of
 *	each wait
 * @ICB_HIST_INTERVAL: times between completions a window apart; of a stream
 * @ICB_HIST_OVERHEAD: the calls of an operation, together; of a ping-pong
 * @ICB_HIST_LATENESS: how late the timer was: by which a thread polls, or which
 *	was set for an operation of an open loop
 * @ICB_HISTS: how many there are of any run
 * @ICB_HIST_DELIVER: arrival to handler; the first of those of a ping-pong whose
 *	stages are measured
 * @ICB_HIST_HANDLER: handler to wake-up
 * @ICB_HIST_WAKE: wake-up to thread, or callback
 * @ICB_HIST_REAP: thread to completion in hand
 * @ICB_HIST_REARM: asking for the next event
 * @ICB_HIST_INTERRUPT: the whole: from arrival, or handler, to completion in hand
 * @ICB_HIST_RESIDUE: by how much the stages differ from that
 * @ICB_HISTS_STAGES: how many there are with these
 */
enum icb_hists {
	ICB_HIST_LATENCY,
	ICB_HIST_POST,
	ICB_HIST_POLL,
	ICB_HIST_POLL_EMPTY,
	ICB_HIST_INTERVAL,
	ICB_HIST_OVERHEAD,
	ICB_HIST_LATENESS,
	ICB_HISTS,
	ICB_HIST_DELIVER = ICB_HISTS,
	ICB_HIST_HANDLER,
	ICB_HIST_WAKE,
	ICB_HIST_REAP,
	ICB_HIST_REARM,
	ICB_HIST_INTERRUPT,
	ICB_HIST_RESIDUE,
	ICB_HISTS_STAGES,
};

/**
 * struct icb_beyond - a sample that was larger than it might be
 * @number: which of those measured, the first one is 1; 0 for none
 * @ns: how large, as the clock has it
 * @causes: what has disturbed it, BIT() of each enum icb_cause
 * @chance: those of @causes that its length alone explains
 */
struct icb_beyond {
	u64 number;
	u64 ns;
	u32 causes;
	u32 chance;
};

/**
 * struct icb_run - one side of one run
 * @consumer: what its endpoint knows of it; the first member: icb_run_of()
 * @params: what to do; not changed while it runs
 * @verb: its verb
 * @ops: its loop
 * @ep: its end of the connection
 * @mate: the other side, where this side's thread drives both; else NULL
 * @err: negative error number of the side's own failure
 * @done: operations measured; a responder: messages answered
 * @timeout: longest time without progress, clock ticks
 * @spin: how long to poll before sleeping, clock ticks
 * @spin_misses: how many waits in a row have taken longer than that
 * @spin_backoff: how many of the next waits are to sleep without polling before
 * @since: clock when progress was last made
 * @posted: of a stream: clock when the last post began
 * @stretch: ... and for how long others are not given their turn, ticks
 * @began: clock at the start of the first measured operation
 * @ended: clock at the end of the last one
 * @stamps: of the operation that waits for its answer
 * @left: warm-up operations to go
 * @warmup: how steady they are, where it lasts until they are
 * @goal: operations to measure; U64_MAX for a run by duration
 * @until: clock ticks to measure for; U64_MAX for a run by iterations
 * @deadline: of a stream: clock when it has measured for that; U64_MAX where time
 *	does not tell
 * @tx: the buffer that the next operation of this side takes
 * @rx: the buffer that the next message of the other side arrives in
 * @came: the one that the last message arrived in
 * @buffer: the one that the operation last staged has taken
 * @staged: a message is made that was not posted
 * @sets_buffer: not all operations are of the same buffer and size
 * @tx_layout: how a message lies in the buffers that are sent from
 * @rx_layout: and in those where messages arrive
 * @unsignalled: posts until the next one that asks for a send completion, of a
 *	ping-pong; rounds, where there are several QPs
 * @flow: what it has begun on each QP; set by whoever makes the run, or none for
 *	a run of one
 * @flows: how many QPs
 * @only: the one
 * @due: of a stream: the one that has last got on
 * @fills: all windows are to be filled, of several QPs
 * @fill: what each of them is still to get, from
 * @fill_at: this one on
 * @split: others have had their turn meanwhile
 * @tx_turn: of a ping-pong: the QP of this side's next message
 * @rx_turn: and of the other side's
 * @initiator: whether it is the active side
 * @seq: messages staged by this side; the n-th one is number n, from the buffer
 *	that icb_buffers_at() says into the other side's one of the same number
 * @seen: messages that arrived at this side; operations that have completed,
 *	where that is what it waits for
 * @acked: operations of this side that have completed; of a stream
 * @base: @seq when the present phase of a stream began; of an open loop, when
 *	operations began to count
 * @mark: @seq at which it is over; U64_MAX where only time will tell
 * @lap: @acked at which the present interval is over; of a responder that answers
 *	windows, @seen at which the present one is
 * @lapped: clock when it, or the tail, began
 * @timed: a stream measures
 * @tail: it has, and goes on until the other side, and its crowd, have, too
 * @measured_reported: the other side was told that this one has measured; a responder
 * @report_every: writes that a note of this stream tells of; 0 where none is sent
 * @report_in: those that are still to be posted before the next note
 * @looked: of the other side: those that were told of, and checked
 * @peer_measured: the other side has told
 * @barrier: those with which it is measured, it among them; NULL for a run by
 *	itself; of an initiator
 * @warm: it has told them that it has warmed up; set once, from any context
 * @measured: and that it has measured; likewise
 * @held: a stream has warmed up, and goes on until all of its crowd have
 * @compute: what it does between posting and waiting
 * @open: of an open loop
 * @stages: of a ping-pong whose stages are measured
 * @busy: how busy the host's CPUs had been before the measured part, and had
 *	been after it; of an initiator
 * @idle: how long those other than @cpu were busy in some time before the run
 * @idle_ns: that time; 0 where nothing was measured
 * @cpu: CPUs of this host by which the run's threads are driven, twice the same one
 *	where there is one; of an initiator
 * @both: the other side is on this host, too
 * @peer_done: what the other side of a stream in both directions has measured
 * @peer_elapsed: in this time, ns
 * @peer_sent: operations that the other side of a stream says to have posted,
 *	which nothing else tells of; of a responder
 * @lossy: a message may be lost without anybody being told
 * @mixed: completions are taken one by one: it has to be known whose each is
 * @returns: both sides stream messages that the other one sees
 * @number: of a side that is lossy: the greatest number that a message told
 * @most: the greatest that one can have, as far as that is known
 * @foreign: messages that may be of nobody in this run, and were not counted
 * @peer_foreign: those of the other side, as it says
 * @last: number of the message that was counted last
 * @last_buffer: the buffer that it lies in, of a send
 * @early: number of the next message, where that has come, and its receive was not
 *	given back yet; 0 for none. Of a crossing
 * @early_buffer: the buffer that it lies in
 * @recv_buffer: the buffer of the next receive
 * @marked: messages that arrived and that count where they come from
 * @marked_bytes: of them, where sizes differ
 * @steps: times in which a window of them came; NULL where nobody wants to know
 * @step_at: @marked at which the present one is over
 * @stepped: clock when it began
 * @delivered: of those that the other side has measured, the ones that this side's
 *	operations brought it; of an initiator
 * @delivery: what the other side says of them
 * @peer_lost: messages of the other side's stream that this side has not seen
 * @patience: how long an answer that may be lost is waited for, clock ticks
 * @give_up: clock when the present one is given up; 0 for never
 * @turn: where callbacks drive a ping-pong of these: twice the number of the
 *	operation that is on its way, and one more once somebody goes on from it
 * @kicked: where callbacks drive a ping-pong, the thread has made its first operation
 * @restarted: there, that operation was posted by a thread, and does not count
 * @unanswered: measured operations whose answer was given up
 * @lost: messages that the other side has not seen; of an initiator
 * @lost_known: it has said so
 * @wakes: how often the thread has slept while it measured
 * @slept: it has for the present message, or let others run where it could not
 * @disturbed: by what its samples were; NULL where they are not to know
 * @disturb: what its thread sees of that
 * @causes: what has disturbed the last sample, BIT() of each enum icb_cause
 * @waits: what is usual of its thread's waits for its CPU
 * @batches: of its first distribution; NULL where nobody wants to know
 * @batch_end: samples at which the present one is complete; 0 for never
 * @means: batches of its mean: of a stream, operations over the time of their
 *	windows; else, where it has @batches, their samples over how many these are
 * @settled: clock ticks before which narrow intervals do not end it
 * @deferred: what is booked besides the next sample, enum icb_deferred
 * @limit: the largest sample that does not end it, ns; U64_MAX where none does
 * @asker: whose it is, for the kernel's trace
 * @beyond: the sample that was larger; it is the last one
 * @sizes: of its messages, where these differ
 * @payload: the content of messages, of the responder and of the initiator
 * @first: number of the first operation that counts, of a stream or an open loop
 * @errors: messages whose content was not what was sent
 * @torn: messages that were noticed by their last byte before the rest was there
 * @wrong: the first of them
 * @wrong_byte: and the first of its bytes
 * @hist: the distributions, as enum icb_hists; those of calls one after the
 *	other, after that of all of them together
 * @hists: how many
 * @samples: where those of them that tell most keep the first of their samples,
 *	one distribution after the other; NULL where none are kept
 *
 * Writable by the side's driver alone, but for @stop. The distributions
 * belong to the initiator; a responder has none, and NULL for @hist.
 */
struct icb_run {
	struct icb_consumer consumer;
	const struct icb_params *params;
	const struct icb_verb *verb;
	const struct icb_bench_ops *ops;
	struct icb_ep *ep;
	struct icb_run *mate;

	int err;
	u64 done;

	u64 timeout;
	u64 spin;
	u32 spin_misses;
	u32 spin_backoff;
	u64 since;
	u64 posted;
	u64 stretch;
	u64 began;
	u64 ended;
	struct icb_stamps stamps;
	u64 left;
	struct icb_warmup warmup;
	u64 goal;
	u64 until;
	u64 deadline;
	struct icb_buffers tx;
	struct icb_buffers rx;
	struct icb_buffer came;
	u32 buffer;
	bool staged;
	bool sets_buffer;
	struct icb_segments tx_layout;
	struct icb_segments rx_layout;
	unsigned int unsignalled;
	struct icb_flow *flow;
	unsigned int flows;
	struct icb_flow only;
	struct icb_flow *due;
	bool fills;
	u32 fill;
	u32 fill_at;
	bool split;
	struct icb_turn tx_turn;
	struct icb_turn rx_turn;
	bool initiator;
	u64 seq;
	u64 seen;
	u64 wakes;
	bool slept;
	u64 errors;
	u64 torn;
	u64 acked;
	u64 base;
	u64 mark;
	u64 lap;
	u64 lapped;
	bool timed;
	bool tail;
	bool peer_measured;
	bool measured_reported;
	u32 report_every;
	u32 report_in;
	u64 looked;
	struct icb_barrier *barrier;
	int warm;
	int measured;
	bool held;
	struct icb_compute compute;
	struct icb_openloop open;
	struct icb_stages stages;
	struct icb_busy busy[2];
	struct icb_busy idle;
	u64 idle_ns;
	u32 cpu[2];
	bool both;
	u64 peer_done;
	u64 peer_elapsed;
	u64 peer_sent;
	bool lossy;
	bool mixed;
	bool returns;
	bool lost_known;
	u64 number;
	u64 most;
	u64 foreign;
	u64 peer_foreign;
	u64 last;
	u32 last_buffer;
	u64 early;
	u32 early_buffer;
	struct icb_buffers recv_buffer;
	u64 marked;
	u64 marked_bytes;
	struct icb_hist *steps;
	u64 step_at;
	u64 stepped;
	u64 delivered;
	struct icb_delivery delivery;
	u64 peer_lost;
	u64 patience;
	u64 give_up;
	unsigned long turn;
	bool kicked;
	bool restarted;
	u64 unanswered;
	u64 lost;
	u64 wrong;
	u64 wrong_byte;

	struct icb_hist *hist;
	unsigned int hists;
	u64 *samples;
	struct icb_tail *disturbed;
	struct icb_disturb disturb;
	u32 causes;
	struct icb_waits waits;
	struct icb_batches *batches;
	u64 batch_end;
	u64 settled;
	u32 deferred;
	u64 limit;
	struct icb_asker asker;
	struct icb_beyond beyond;
	struct icb_sizes sizes;
	struct icb_random payload[2];
	u64 first;
	struct icb_means means;
};

/**
 * struct icb_bench_ops - one loop
 * @name: the trigger
 * @help: what it does, in a line
 * @verbs: BIT() of each verb that it takes
 * @check: rules between parameters that only this loop has; may be NULL.
 *	Return: 0, or a negative error number with a reason.
 * @run: the active side, from the first warm-up operation to the last measured
 *	one. In a thread that may sleep; returns when everything is measured or
 *	@icb_consumer.stop is set, with the last operation answered or given up.
 *	Return: 0 also when stopped; a negative error number on failure.
 * @respond: the passive side, until stopped; NULL if there is none. As @run.
 * @consumer: its functions for what an endpoint tells of
 * @catch_up: count what has arrived and was not seen by @respond any more; NULL
 *	where each message is answered.
 * @report: turn what the active side has gathered into metrics; after @run.
 */
struct icb_bench_ops {
	const char *name;
	const char *help;
	u32 verbs;
	int (*check)(const struct icb_params *params, struct icb_reason *why);
	int (*run)(struct icb_run *run);
	int (*respond)(struct icb_run *run);
	struct icb_consumer_ops consumer;
	void (*catch_up)(struct icb_run *run);
	void (*report)(const struct icb_run *run, struct icb_result *result);
};

/* The run whose endpoint tells it of something. */
static __always_inline struct icb_run *icb_run_of(struct icb_consumer *consumer)
{
	return container_of(consumer, struct icb_run, consumer);
}

/**
 * icb_run_goes_on() - let others run between buffers, which take their time
 * @run: either side
 *
 * May sleep.
 *
 * Return: false where the run was stopped meanwhile.
 */
static inline bool icb_run_goes_on(const struct icb_run *run)
{
	cond_resched();
	return !READ_ONCE(run->consumer.stop);
}

/**
 * icb_run_callbacks() - whether callbacks, and no thread, drive a run
 * @run: either side
 *
 * Return: true if so.
 */
static inline bool icb_run_callbacks(const struct icb_run *run)
{
	return BIT(run->params->completion) & ICB_COMPLETIONS_CALLBACK;
}

/* Who has polled in vain so often in a row does so in one wait of so many. */
#define ICB_SPIN_MISSES	8
#define ICB_SPIN_BACKOFF	64

/**
 * icb_run_spins() - whether who has found nothing is to poll on, and not to sleep
 * @run: of completion mode adaptive
 * @waited: for so long, clock ticks
 *
 * Return: true if so.
 */
static inline bool icb_run_spins(const struct icb_run *run, u64 waited)
{
	/* signed: another CPU's clock may be a little behind */
	return !run->spin_backoff && (s64)waited < (s64)run->spin;
}

/**
 * icb_run_waited() - a wait has ended: see whether polling is worth its while
 * @run: of completion mode adaptive
 * @waited: after so long, clock ticks, with what waking took
 *
 * Where messages are far apart, polling for each of them first is CPU time lost. One
 * that would have been found by polling makes good for all before it.
 */
static inline void icb_run_waited(struct icb_run *run, u64 waited)
{
	if ((s64)waited <= (s64)run->spin) {
		run->spin_misses = 0;
		run->spin_backoff = 0;
	} else if (run->spin_backoff) {
		run->spin_backoff--;
	} else if (++run->spin_misses >= ICB_SPIN_MISSES) {
		run->spin_misses = ICB_SPIN_MISSES;
		run->spin_backoff = ICB_SPIN_BACKOFF - 1;
	}
}

/**
 * icb_run_undisturbed() - a sample begins: what happens from here on disturbs it
 * @run: of the initiator, in its thread
 */
static __always_inline void icb_run_undisturbed(struct icb_run *run)
{
	if (run->disturbed)
		icb_disturb_begin(&run->disturb);
}

/**
 * icb_run_disturbed() - a sample has ended: see what has disturbed it
 * @run: as above
 */
static __always_inline void icb_run_disturbed(struct icb_run *run)
{
	if (run->disturbed)
		run->causes = icb_disturb_end(&run->disturb);
}

/**
 * icb_run_streams() - whether a side begins the operations of a stream
 * @run: either side
 *
 * Return: true if so.
 */
static inline bool icb_run_streams(const struct icb_run *run)
{
	return run->params->trigger == ICBENCH_TRIGGER_COMPLETION &&
	       icb_params_begins(run->params, run->initiator);
}

u64 icb_run_progress(const struct icb_run *run);
void icb_run_measure(struct icb_run *run);
int icb_run_over(struct icb_run *run, int err);
bool icb_run_stop(struct icb_run *run, enum icb_stop why);
int icb_run_idle(struct icb_run *run, u64 now);
void icb_run_sleep(struct icb_run *run, bool counts);
void icb_run_timer_wait(struct icb_run *run, bool counts);
bool icb_run_warm(struct icb_run *run);
bool icb_run_lingers(struct icb_run *run);
bool icb_run_ends(struct icb_run *run);
bool icb_run_unmeasured(struct icb_run *run, u64 ticks);
bool icb_run_skip(struct icb_run *run);
bool icb_run_batched(const struct icb_params *params);
void icb_run_batch(struct icb_run *run);
bool icb_run_count(struct icb_run *run, const struct icb_stamps *stamps);
u32 icb_run_divisor(const struct icb_run *run);
u64 icb_run_peak(struct icb_run *run, u64 ns, u64 end);
void icb_run_exceed(struct icb_run *run, const struct icb_hist *hist,
		    u64 number, u64 ns, u64 end);
void icb_run_attribute(struct icb_run *run, const struct icb_hist *hist, u64 ns);

/**
 * icb_run_book() - book a sample in the distribution that a run is for
 * @run: of the initiator
 * @ns: the sample
 * @end: clock when it ended
 *
 * What is beyond the threshold is above the greatest so far, too: so there is
 * nothing to compare with it in any other sample.
 */
static __always_inline void icb_run_book(struct icb_run *run, u64 ns, u64 end)
{
	if (unlikely(ns > run->hist->max))
		ns = icb_run_peak(run, ns, end);
	icb_hist_book(run->hist, ns);
}

bool icb_run_beyond_words(const struct icb_run *run, struct icb_reason *why);
void icb_run_catch_up(struct icb_run *run);

#endif /* ICB_RUN_H */
