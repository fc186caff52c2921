/* SPDX-License-Identifier: GPL-2.0 */
/* The state of one side of a run, and the functions that all loops share. */
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
#include "steady.h"
#include "warmup.h"

struct icb_ep;
struct icb_result;
struct icb_run;

/*
 * Where messages may be lost, each message carries the low bits of its number, and one
 * bit that is set if its sender measures it. The receiver does not know when the warm-up
 * of the sender ends.
 */
#define ICB_TOLD_BITS	31
#define ICB_TOLD_COUNTS	BIT(ICB_TOLD_BITS)

/**
 * icb_number_ahead() - get the distance of a message from a number
 * @told: number field that the message carries, with or without ICB_TOLD_COUNTS
 * @number: the number to compare it with
 *
 * Return: the message's number minus @number; negative for an older message.
 */
static inline s32 icb_number_ahead(u32 told, u64 number)
{
	/* the shift to the left drops ICB_TOLD_COUNTS */
	return (s32)((told - (u32)number) << 1) >> 1;
}

/**
 * struct icb_delivery - a responder's report of measured messages that may be lost
 * @count: number of measured messages that arrived
 * @bytes: bytes of these messages, where their sizes differ; else 0
 * @longest: longest time in which a window of these messages arrived, ns; 0 if such
 *	times are not recorded, or too few messages arrived
 * @slow: 99th percentile of these times, ns; approximate
 * @middle: median of these times, ns; approximate
 */
struct icb_delivery {
	u64 count;
	u64 bytes;
	u64 longest;
	u64 slow;
	u64 middle;
};

/**
 * struct icb_returns - a responder's report of its own stream
 * @sent: number of messages posted
 * @counted: number of messages posted as measured; where no message may be lost, number
 *	of all messages that have completed
 * @done: number of messages measured
 */
struct icb_returns {
	u64 sent;
	u64 counted;
	u64 done;
};

/**
 * struct icb_stamps - clock readings around one operation
 * @post: clock before the posting call
 * @posted: clock after the posting call
 * @poll: clock before the poll that found the answer; 0 where no CQ was polled
 * @end: clock when the answer was taken
 * @rearm: ticks that arming the CQ for the next answer took; 0 if it was not armed, or
 *	that time is not recorded
 * @empty: ticks that the first poll of the wait took, if it found nothing
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
 * enum icb_deferred - times that are recorded after the sample of an operation
 * @ICB_DEFERRED_OVERHEAD: sum of the times of the operation's calls
 * @ICB_DEFERRED_EMPTY: time of the first poll of a wait, which found nothing
 */
enum icb_deferred {
	ICB_DEFERRED_OVERHEAD = 1,
	ICB_DEFERRED_EMPTY = 2,
};

/**
 * enum icb_hists - the distributions of a run that moves messages, ns
 * @ICB_HIST_LATENCY: round trips of a ping-pong; of an open loop, times from when an
 *	operation is due until its completion is taken
 * @ICB_HIST_POST: posting calls
 * @ICB_HIST_POLL: polling calls that found a completion
 * @ICB_HIST_POLL_EMPTY: polling calls that found none: all of a stream, else the first
 *	of each wait
 * @ICB_HIST_INTERVAL: times between completions that are a window apart, of a stream
 * @ICB_HIST_OVERHEAD: sums of the calls of one operation, of a ping-pong
 * @ICB_HIST_LATENESS: delays of the timer by which a thread polls, or of the timer that
 *	posts an operation of an open loop
 * @ICB_HISTS: number of distributions without those of stages
 * @ICB_HIST_DELIVER: times from arrival to handler; the first distribution of the
 *	stages of a ping-pong
 * @ICB_HIST_HANDLER: times from the handler's entry to its wake-up call
 * @ICB_HIST_WAKE: times from the wake-up call until the thread, or callback, runs
 * @ICB_HIST_REAP: times from then until the thread has taken the completion
 * @ICB_HIST_REARM: times to arm the CQ for the next event
 * @ICB_HIST_INTERRUPT: times of all stages: from arrival, or else from the handler's
 *	entry, until the completion is taken
 * @ICB_HIST_RESIDUE: differences between that time and the sum of the stages
 * @ICB_HISTS_STAGES: number of distributions with those of stages
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
 * struct icb_beyond - a sample above the threshold
 * @number: number of the sample, 1 for the first measured one; 0 if there is none
 * @ns: duration of the sample before the division by icb_run_divisor(), ns
 * @causes: causes that have disturbed it, BIT() of each enum icb_cause
 * @chance: causes of @causes that are explained by the length of the sample alone
 */
struct icb_beyond {
	u64 number;
	u64 ns;
	u32 causes;
	u32 chance;
};

/**
 * struct icb_side_ops - functions of the side of a run that the engine calls
 * @prepare: prepare the next operation of a verb that times calls, untimed. May sleep.
 *	Returns 0, or a negative error number.
 * @call: make one timed call, an enum icb_call_id; the calls of a verb come in their order.
 *	Reads the clock @before and @after the call: the cost of this pointer is not in the
 *	sample. May sleep. Returns 0; for ICB_CALL_POLL, the number of completions found; a
 *	negative error number.
 * @report_measured: notify the peer that this side has measured its stream. Any context.
 *	Returns true if the message was posted, false if the caller has to try again.
 */
struct icb_side_ops {
	int (*prepare)(struct icb_ep *ep);
	int (*call)(struct icb_ep *ep, u32 call, u64 *before, u64 *after);
	bool (*report_measured)(struct icb_ep *ep);
};

/**
 * struct icb_run - one side of one run
 * @consumer: the interface to the endpoint; first member, see icb_run_of()
 * @params: parameters of the run; constant while it runs
 * @verb: verb of the run
 * @ops: loop of the run's trigger
 * @ep: endpoint of this side
 * @side: functions of this side
 * @mate: run of the peer, where one thread drives both sides; else NULL
 * @err: negative error number of this side's own failure
 * @done: number of operations measured; of a responder without a stream of its own,
 *	number of messages that arrived
 * @timeout: longest time without progress, clock ticks
 * @spin: time to poll before sleeping, clock ticks
 * @spin_misses: number of waits in a row that took longer than @spin
 * @spin_backoff: number of waits to come that sleep without polling first
 * @since: clock when progress was last made
 * @posted: clock when the last post of a stream began
 * @stretch: longest time of filling windows before a stream yields, or of posting in a row
 *	in an open loop, clock ticks
 * @part: number of operations that a callback posts before it stops to fill windows
 * @part_end: @seq at which the present callback stops filling windows; U64_MAX in a thread
 * @began: clock at the start of the first measured operation
 * @ended: clock at the end of the last measured operation
 * @stamps: clock readings of the operation in flight, where callbacks drive a ping-pong;
 *	of an open loop, only @stamps.empty is used
 * @left: number of warm-up operations left
 * @warmup: state of a warm-up that lasts until its samples are steady
 * @goal: number of operations to measure; U64_MAX for a run by duration
 * @until: time to measure for, clock ticks; U64_MAX for a run by iterations
 * @deadline: clock when a stream has measured for @until; U64_MAX if there is none
 * @tx: buffer of this side's next operation
 * @rx: buffer of the peer's next message
 * @came: buffer of the last message that arrived
 * @buffer: index of the buffer of the operation that was staged last
 * @staged: true if a message is staged and not posted yet
 * @sets_buffer: true if the buffer or the size differs between operations
 * @tx_layout: layout of a message in the buffers that are sent from
 * @rx_layout: layout of a message in the buffers in which messages arrive
 * @unsignalled: number of posts of a ping-pong up to the next signalled one; with
 *	several QPs, number of rounds
 * @flow: operations on each QP; allocated by the owner of the run, or &@only
 * @flows: number of QPs
 * @only: the flow of a run with one QP
 * @due: flow of a stream whose operations completed last; posted to next
 * @fills: true while the windows of several QPs are filled together
 * @fill: number of operations that the windows from @fill_at on still lack, each
 * @fill_at: index of the flow that is filled next
 * @sweep: number of QPs that are still to be checked for a refill, after the filling was
 *	interrupted
 * @tx_turn: QP of this side's next message, of a ping-pong
 * @rx_turn: QP of the peer's next message, of a ping-pong
 * @initiator: true for the initiator, false for the responder
 * @seq: number of messages staged by this side. The n-th message is number n; it is sent
 *	from the buffer of icb_buffers_at(), into the peer's buffer with the same index
 * @seen: number of messages that arrived at this side; where a ping-pong waits for its
 *	own completions, number of completed operations
 * @acked: number of completed operations of this side, of a stream or an open loop
 * @base: @seq when the present phase of a stream began; of an open loop, number of
 *	operations before the first measured one
 * @mark: @seq at the end of the present phase; U64_MAX if it is not known yet
 * @lap: @acked at the end of the present interval; of a responder that answers windows,
 *	@seen at which it answers next
 * @laps: number of complete intervals of a responder's stream
 * @lapped: clock when the present interval, or the tail, began
 * @timed: true while a stream measures
 * @tail: true if this side has measured, and continues until its peer, and all runs of
 *	@barrier, have measured
 * @measured_reported: true if the responder has reported that it has measured
 * @report_every: number of writes of a stream per report of them; 0 if none is sent
 * @report_in: number of writes still to be posted before the next report
 * @looked: number of the peer's writes that were reported and checked
 * @peer_measured: true if the responder has reported that it has measured
 * @barrier: barrier of the runs that are measured at the same time; NULL for a single
 *	run, and of a responder
 * @warm: nonzero if this run has passed icb_barrier_add_warm(); set once, in any context
 * @measured: nonzero if this run has passed icb_barrier_add_measured(); set once, in
 *	any context
 * @held: true while a stream that has warmed up waits for the other runs of @barrier
 * @compute: state of computing between posting and polling
 * @open: state of an open loop
 * @stages: state of a ping-pong whose stages are measured
 * @busy: busy time of the host's CPUs at the start and at the end of the measured part;
 *	of an initiator
 * @idle: busy time of the host's CPUs other than @cpu, in @idle_ns before the run
 * @idle_ns: period in which @idle was measured, ns; 0 if it was not measured
 * @cpu: CPUs of this host on which threads of the run are driven; the same CPU twice if
 *	there is only one; of an initiator
 * @both: true if both sides are on this host
 * @peer_done: number of operations that the responder has measured in its own stream
 * @peer_elapsed: time in which the responder measured them, ns
 * @peer_even: number of operations of @peer_done in the steady part of the responder's
 *	stream; 0 if there is no such part
 * @peer_even_ns: length of that part, ns
 * @peer_before: operations that the responder measured before that part
 * @peer_means: batches that the responder reports: of its own stream, or of the messages
 *	that arrived, where messages of a one-way stream may be lost
 * @steady: ends of the windows of a stream, where both sides stream
 * @peer_sent: number of operations that the initiator reports to have posted; of a
 *	responder
 * @lossy: true if a message may be lost without notice
 * @mixed: true if completions have to be taken one by one, so that arrivals of messages
 *	and completions of own operations can be told apart
 * @returns: true if both sides stream and count the peer's messages
 * @number: greatest number of a message received, where messages may be lost
 * @most: greatest number that a message of the run can have; U64_MAX if unknown
 * @foreign: number of messages that may be from outside of the run, and were not counted
 * @peer_foreign: number of such messages that the responder reports
 * @last: number of the last counted message, where messages may be lost
 * @last_buffer: index of the buffer that holds it, if it is a send
 * @early: number of a message that arrived one operation early, and whose receive was not
 *	reposted yet; 0 if there is none; only where messages cross
 * @early_buffer: index of the buffer that holds the early message
 * @recv_buffer: buffer of the next receive that a message will consume
 * @marked: number of arrived messages that their sender marked as measured
 * @marked_bytes: bytes of these messages, where sizes differ
 * @steps: times in which a window of these messages arrived, ns; NULL if not recorded
 * @step_at: @marked at the end of the present one of these windows
 * @stepped: clock when the present one of these windows began
 * @stepped_first: clock when the first of these windows began
 * @delivered: number of measured operations whose message arrived, by the responder's
 *	report; of an initiator
 * @delivery: the responder's report of measured messages
 * @peer_lost: number of messages of the responder's stream that did not arrive
 * @patience: time to wait for an answer that may be lost, clock ticks
 * @give_up: clock when the present wait for an answer is given up; 0 for never
 * @turn: where callbacks drive a ping-pong and messages may be lost: twice the number of
 *	the operation in flight, plus 1 once its turn is taken, see echo_take_turn()
 * @kicked: true if the thread has prepared the first operation of a ping-pong that
 *	callbacks drive
 * @restarted: true if the operation in flight was posted by the thread, and is not
 *	measured, where callbacks drive a ping-pong
 * @unanswered: number of measured operations whose answer was given up
 * @lost: number of messages that the responder has not seen; of an initiator
 * @lost_known: true if the responder has reported the number of messages seen
 * @wakes: number of times that the thread has slept while it measured
 * @slept: true if the thread has slept for the present message, or has yielded instead
 * @disturbed: disturbances of the samples; NULL if they are not recorded
 * @disturb: counters of the thread by which disturbances are found
 * @causes: causes that have disturbed the last sample, BIT() of each enum icb_cause
 * @waits: statistics of the thread's waits for its CPU
 * @batches: batches of the first distribution; NULL if they are not wanted
 * @batch_end: number of samples at which a batch is complete next; 0 for never
 * @means: batches of the mean: of a stream, number of operations by the time of their
 *	windows; else, if there are @batches, sum of samples by number of samples
 * @settled: time to measure for before narrow bounds end the run, clock ticks
 * @deferred: times to record besides the next sample, enum icb_deferred
 * @limit: largest sample that does not end the run, ns; U64_MAX for no limit
 * @asker: identification of the run in kernel traces
 * @beyond: the sample above @limit, which ended the run
 * @sizes: sizes of the messages, where they differ
 * @payload: content of messages: [0] from the responder, [1] from the initiator
 * @first: number of the first measured operation of a stream or an open loop
 * @errors: number of messages with wrong content
 * @torn: number of messages whose last byte was seen before the rest had arrived
 * @wrong: number of the first message with wrong content
 * @wrong_byte: offset of the first wrong byte in it
 * @hist: distributions, indexed by enum icb_hists; of trigger return, [0] for all calls
 *	of an operation together and [1 + i] for call i
 * @hists: number of distributions
 * @samples: memory for the first samples, one distribution after the other; only the most
 *	important distributions use it; NULL if no samples are kept
 *
 * Only the context that drives the side writes the members, except for @consumer.stop,
 * @peer_measured, @warm and @measured. The distributions belong to the initiator; a
 * responder has NULL for @hist.
 */
struct icb_run {
	struct icb_consumer consumer;
	const struct icb_params *params;
	const struct icb_verb *verb;
	const struct icb_bench_ops *ops;
	struct icb_ep *ep;
	const struct icb_side_ops *side;
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
	u64 part;
	u64 part_end;
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
	u32 sweep;
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
	u64 laps;
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
	u64 peer_even;
	u64 peer_even_ns;
	u64 peer_before;
	struct icb_means peer_means;
	struct icb_steady steady;
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
	u64 stepped_first;
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
 * @name: name of the trigger
 * @help: description of the loop, one line
 * @kept: BIT() of each distribution that keeps raw samples
 * @run: run the initiator, from the first warm-up operation to the last measured one.
 *	Called in a thread that may sleep. Returns when everything is measured or
 *	@icb_consumer.stop is set, with the last operation answered or given up. Returns
 *	0, also when stopped, or a negative error number on failure.
 * @respond: run the responder until it is stopped; otherwise as @run. NULL if there is
 *	no responder.
 * @consumer: functions that the endpoint calls
 * @catch_up: count messages that arrive after @respond has ended; NULL where there are
 *	none.
 * @report: convert the measurements of the initiator to metrics; called after @run.
 */
struct icb_bench_ops {
	const char *name;
	const char *help;
	u32 kept;
	int (*run)(struct icb_run *run);
	int (*respond)(struct icb_run *run);
	struct icb_consumer_ops consumer;
	void (*catch_up)(struct icb_run *run);
	void (*report)(const struct icb_run *run, struct icb_result *result);
};

/* The run that a consumer is part of. */
static __always_inline struct icb_run *icb_run_of(struct icb_consumer *consumer)
{
	return container_of(consumer, struct icb_run, consumer);
}

/**
 * icb_run_goes_on() - yield the CPU between two buffers, which take long to process
 * @run: either side
 *
 * May sleep.
 *
 * Return: false if the run was stopped.
 */
static inline bool icb_run_goes_on(const struct icb_run *run)
{
	cond_resched();
	return !READ_ONCE(run->consumer.stop);
}

/**
 * icb_run_callbacks() - test if callbacks drive a run, and not a thread
 * @run: either side
 *
 * Return: true if callbacks drive it.
 */
static inline bool icb_run_callbacks(const struct icb_run *run)
{
	return BIT(run->params->completion) & ICB_COMPLETIONS_CALLBACK;
}

/*
 * After ICB_SPIN_MISSES waits in a row in which polling found nothing, only one of
 * ICB_SPIN_BACKOFF waits polls before it sleeps.
 */
#define ICB_SPIN_MISSES	8
#define ICB_SPIN_BACKOFF	64

/**
 * icb_run_spins() - decide between polling on and sleeping after an empty poll
 * @run: run of completion mode adaptive
 * @waited: time since the wait began, clock ticks
 *
 * Return: true to poll on; false to sleep.
 */
static inline bool icb_run_spins(const struct icb_run *run, u64 waited)
{
	/* signed: another CPU's clock may be a little behind */
	return !run->spin_backoff && (s64)waited < (s64)run->spin;
}

/**
 * icb_run_waited() - adapt the polling to the duration of a wait
 * @run: run of completion mode adaptive
 * @waited: duration of the wait, including a wake-up, clock ticks
 *
 * Where messages are far apart, polling for each of them wastes CPU time. One wait that
 * was short enough for polling turns it on again for all waits.
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
 * icb_run_undisturbed() - begin to watch for disturbances of a sample
 * @run: run of the initiator, in its thread
 */
static __always_inline void icb_run_undisturbed(struct icb_run *run)
{
	if (run->disturbed)
		icb_disturb_begin(&run->disturb);
}

/**
 * icb_run_disturbed() - store the causes that have disturbed a sample in @run->causes
 * @run: run of the initiator, in its thread
 */
static __always_inline void icb_run_disturbed(struct icb_run *run)
{
	if (run->disturbed)
		run->causes = icb_disturb_end(&run->disturb);
}

/**
 * icb_run_streams() - test if a side posts the operations of a stream
 * @run: either side
 *
 * Return: true if it does.
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
 * icb_run_book() - record a sample in the first distribution of a run
 * @run: run of the initiator
 * @ns: the sample, ns
 * @end: clock when it ended
 *
 * The first sample above the threshold ends the run, so it is also a new maximum. Only a
 * new maximum is compared with the threshold.
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
