/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A run of a loop, and the table of loops: one for each answer to "what
 * triggers the next operation?".
 */
#ifndef ICB_BENCH_H
#define ICB_BENCH_H

#include "buffers.h"
#include "clock.h"
#include "compute.h"
#include "engine.h"
#include "flow.h"
#include "hist.h"
#include "openloop.h"
#include "params.h"
#include "segments.h"
#include "trigger.h"
#include "verbs_table.h"

struct icb_ep;
struct icb_run;

/**
 * enum icb_stop - why a run is to end before it is complete
 * @ICB_STOP_NONE: it is not
 * @ICB_STOP_REQUEST: somebody asked for it
 * @ICB_STOP_END: responder only: the initiator is done
 * @ICB_STOP_TIMEOUT: no progress for the time that the parameters allow
 * @ICB_STOP_ERROR: the connection or the device failed
 */
enum icb_stop {
	ICB_STOP_NONE,
	ICB_STOP_REQUEST,
	ICB_STOP_END,
	ICB_STOP_TIMEOUT,
	ICB_STOP_ERROR,
};

/**
 * enum icb_phase - what a run is doing, for those who watch it
 * @ICB_PHASE_WARMUP: operations that do not count
 * @ICB_PHASE_MEASURING: operations that count
 * @ICB_PHASE_OVER: none any more
 */
enum icb_phase {
	ICB_PHASE_WARMUP,
	ICB_PHASE_MEASURING,
	ICB_PHASE_OVER,
};

/**
 * struct icb_stamps - the clock around one operation
 * @post: before the posting call
 * @posted: after it
 * @poll: before the poll that found the answer; 0 where nothing was polled
 * @end: when the answer was there
 * @rearm: ticks that asking for the event of the next answer took; 0 where
 *	nothing was asked for, or nobody wants to know
 */
struct icb_stamps {
	u64 post;
	u64 posted;
	u64 poll;
	u64 end;
	u64 rearm;
};

/**
 * enum icb_hists - the distributions of a run that moves messages, ns
 * @ICB_HIST_LATENCY: round trips; of a ping-pong
 * @ICB_HIST_POST: posting calls
 * @ICB_HIST_POLL: polling calls that found a completion
 * @ICB_HIST_POLL_EMPTY: those that found none; of a stream
 * @ICB_HIST_INTERVAL: times between completions a window apart; of a stream
 * @ICB_HIST_OVERHEAD: the calls of an operation, together; of a ping-pong
 * @ICB_HIST_LATENESS: how late the timer was: by which a thread polls, or which
 *	was set for an operation of an open loop
 * @ICB_HISTS: how many there are
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
};

/**
 * struct icb_run - one side of one run
 * @params: what to do; not changed while it runs
 * @verb: its verb
 * @ops: its loop
 * @ep: its end of the connection
 * @mate: the other side, where this side's thread drives both; else NULL
 * @stop: enum icb_stop; set once, by icb_run_stop(), from any context
 * @phase: enum icb_phase
 * @err: negative error number of the side's own failure
 * @done: operations measured; a responder: messages answered
 * @timeout: longest time without progress, clock ticks
 * @spin: how long to poll before sleeping, clock ticks
 * @since: clock when progress was last made
 * @began: clock at the start of the first measured operation
 * @ended: clock at the end of the last one
 * @stamps: of the operation that waits for its answer
 * @left: warm-up operations to go
 * @goal: operations to measure; U64_MAX for a run by duration
 * @until: clock ticks to measure for; U64_MAX for a run by iterations
 * @deadline: of a stream: clock when it has measured for that; U64_MAX where time
 *	does not tell
 * @tx: the buffer that the next operation of this side takes
 * @rx: the buffer that the next message of the other side arrives in
 * @came: the one that the last message arrived in
 * @buffer: the one that the operation last staged has taken
 * @staged: a message is made that was not posted
 * @tx_layout: how a message lies in the buffers that are sent from
 * @rx_layout: and in those where messages arrive
 * @unsignalled: posts until the next one that asks for a send completion, of a
 *	ping-pong; rounds, where there are several QPs
 * @flow: what it has begun on each QP; set by whoever makes the run, or none for
 *	a run of one
 * @flows: how many QPs
 * @only: the one
 * @due: of a stream: the one that has last got on
 * @fill: all windows are to be filled
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
 * @tail: it has, and goes on until the other side has, too
 * @told: the other side was told that this one has measured; a responder
 * @peer_measured: the other side has told
 * @compute: what it does between posting and waiting
 * @open: of an open loop
 * @busy: how busy the host's CPUs had been before the measured part, and had
 *	been after it; of an initiator
 * @peer_done: what the other side of a stream in both directions has measured
 * @peer_elapsed: in this time, ns
 * @peer_sent: operations that the other side of a stream says to have posted,
 *	which nothing else tells of; of a responder
 * @wakes: how often the thread has slept while it measured
 * @errors: messages whose content was not what was sent
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
	const struct icb_params *params;
	const struct icb_verb *verb;
	const struct icb_bench_ops *ops;
	struct icb_ep *ep;
	struct icb_run *mate;

	int stop;
	int phase;
	int err;
	u64 done;

	u64 timeout;
	u64 spin;
	u64 since;
	u64 began;
	u64 ended;
	struct icb_stamps stamps;
	u64 left;
	u64 goal;
	u64 until;
	u64 deadline;
	struct icb_buffers tx;
	struct icb_buffers rx;
	struct icb_buffer came;
	u32 buffer;
	bool staged;
	struct icb_segments tx_layout;
	struct icb_segments rx_layout;
	unsigned int unsignalled;
	struct icb_flow *flow;
	unsigned int flows;
	struct icb_flow only;
	struct icb_flow *due;
	bool fill;
	struct icb_turn tx_turn;
	struct icb_turn rx_turn;
	bool initiator;
	u64 seq;
	u64 seen;
	u64 wakes;
	u64 errors;
	u64 acked;
	u64 base;
	u64 mark;
	u64 lap;
	u64 lapped;
	bool timed;
	bool tail;
	bool peer_measured;
	bool told;
	struct icb_compute compute;
	struct icb_openloop open;
	struct icb_busy busy[2];
	u64 peer_done;
	u64 peer_elapsed;
	u64 peer_sent;
	u64 wrong;
	u64 wrong_byte;

	struct icb_hist *hist;
	unsigned int hists;
	u64 *samples;
};

/**
 * struct icb_metric - one number, or distribution, of a result
 * @name: its name in the result
 * @unit: enum icbench_unit
 * @kind: enum icbench_metric_kind
 * @divisor: what every value is to be divided by
 * @value: of a scalar
 * @hist: of a distribution; owned by the run
 */
struct icb_metric {
	const char *name;
	u32 unit;
	u32 kind;
	u32 divisor;
	u64 value;
	const struct icb_hist *hist;
};

#define ICB_RESULT_METRICS	24

/**
 * struct icb_result - the metrics of a run
 * @count: how many
 * @metric: they
 */
struct icb_result {
	unsigned int count;
	struct icb_metric metric[ICB_RESULT_METRICS];
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
 *	@icb_run.stop is set, with the last operation answered or given up.
 *	Return: 0 also when stopped; a negative error number on failure.
 * @respond: the passive side, until stopped; NULL if there is none. As @run.
 * @arrived: a message has arrived, in the modes that callbacks drive: in the
 *	context of the callback, never for two messages of one side at a time.
 * @completed: the same for a work request of the side's own, where it waits for
 *	these; NULL if it never does.
 * @due: the time that icb_ep_alarm() was told has come; softirq context. NULL
 *	where nobody is told any.
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
	void (*arrived)(struct icb_run *run, int err);
	void (*completed)(struct icb_run *run, int err);
	void (*due)(struct icb_run *run);
	void (*catch_up)(struct icb_run *run);
	void (*report)(const struct icb_run *run, struct icb_result *result);
};

extern const struct icb_bench_ops icb_echo_ops;
extern const struct icb_bench_ops icb_stream_ops;
extern const struct icb_bench_ops icb_call_ops;
extern const struct icb_bench_ops icb_openloop_ops;

const struct icb_bench_ops *icb_bench_by_trigger(u32 trigger);
int icb_bench_check(const struct icb_params *params, struct icb_reason *why);

void icb_run_prepare(struct icb_run *run, bool initiator);
void icb_run_prepare_local(struct icb_run *run);
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
void icb_run_rehearse(struct icb_run *run, const struct icb_params *params,
		      struct icb_hist *hist, u64 *samples);
void icb_echo_rehearse(struct icb_run *run);
void icb_stream_rehearse(struct icb_run *run);
int icb_stream_step(struct icb_run *run, u64 *now);
int icb_stream_wait(struct icb_run *run, unsigned int *polls, u64 now);
int icb_stream_respond(struct icb_run *run);
void icb_stream_arrived(struct icb_run *run, int err);
void icb_stream_catch_up(struct icb_run *run);
int icb_run_idle(struct icb_run *run, u64 now);
void icb_run_sleep(struct icb_run *run, bool counts);
void icb_run_doze(struct icb_run *run, bool counts);
void icb_run_stage(struct icb_run *run);
u8 icb_run_stage_op(struct icb_run *run, unsigned int op);
void icb_run_make(struct icb_run *run);
void icb_run_check(struct icb_run *run, u64 seq);
int icb_run_post(struct icb_run *run);
void icb_run_arrived(struct icb_run *run);
int icb_run_settle(struct icb_run *run);
unsigned int icb_run_hists(const struct icb_params *params);
u64 icb_run_samples(const struct icb_params *params);
bool icb_run_count(struct icb_run *run, const struct icb_stamps *stamps);
void icb_run_catch_up(struct icb_run *run);
int icb_run_check_last(struct icb_run *run, struct icb_reason *why);
u64 icb_run_sent(const struct icb_run *run);
u64 icb_run_seen(struct icb_run *run);

void icb_result_scalar(struct icb_result *result, const char *name, u32 unit,
		       u32 kind, u64 value);
void icb_result_dist(struct icb_result *result, const char *name,
		     const struct icb_hist *hist, u32 divisor);
void icb_result_rates(struct icb_result *result, const struct icb_run *run,
		      u64 messages);
void icb_result_offered(struct icb_result *result, const struct icb_run *run,
			u64 messages, u64 span);
void icb_result_cpu(struct icb_result *result, const struct icb_run *run,
		    u64 messages);
void icb_result_wakes(struct icb_result *result, const struct icb_run *run,
		      u64 messages);
void icb_result_availability(struct icb_result *result,
			     const struct icb_run *run);
void icb_result_spread(struct icb_result *result, const struct icb_hist *hist,
		       u64 bytes);

#endif /* ICB_BENCH_H */
