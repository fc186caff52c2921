// SPDX-License-Identifier: GPL-2.0
#include "bench.h"
#include "clock.h"
#include "endpoint.h"

/* What a rate is divided by, and what it is a rate of is multiplied by. */
#define RATE_DIVISOR	1000
#define RATE_SECOND	(1000000000ULL * RATE_DIVISOR)

static const struct icb_bench_ops *const icb_bench_table[] = {
	[ICBENCH_TRIGGER_ECHO] = &icb_echo_ops,
	[ICBENCH_TRIGGER_COMPLETION] = &icb_stream_ops,
	[ICBENCH_TRIGGER_RETURN] = &icb_call_ops,
	[ICBENCH_TRIGGER_CLOCK] = &icb_openloop_ops,
};

/**
 * icb_bench_by_trigger() - find a loop
 * @trigger: enum icbench_trigger
 *
 * Return: the loop; NULL if there is none.
 */
const struct icb_bench_ops *icb_bench_by_trigger(u32 trigger)
{
	return trigger < ARRAY_SIZE(icb_bench_table) ?
		icb_bench_table[trigger] : NULL;
}

/**
 * icb_bench_check() - the rules that come with a loop
 * @params: that have passed icb_params_check()
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EOPNOTSUPP or what the loop says, with a reason.
 */
int icb_bench_check(const struct icb_params *params, struct icb_reason *why)
{
	const struct icb_bench_ops *ops = icb_bench_by_trigger(params->trigger);

	if (!ops)
		return icb_refuse(why, -EOPNOTSUPP,
				  "trigger: no loop for number %u",
				  params->trigger);
	return ops->check ? ops->check(params, why) : 0;
}

static bool memory_mode(const struct icb_run *run)
{
	return run->params->completion == ICBENCH_COMPLETION_MEMORY;
}

/* Each side sends another pattern: a stale buffer is not taken for an answer. */
static u64 payload_seed(const struct icb_run *run, bool initiator)
{
	return initiator ? run->params->seed : ~run->params->seed;
}

/* What is not made anew for each message tells the buffer that it is in. */
static u64 payload_number(const struct icb_run *run, u64 seq, u32 buffer)
{
	return run->params->verify && !run->verb->passive ? seq : buffer;
}

/* The word that atomics work on, after so many of them. */
static u64 atomic_word(const struct icb_run *run, u64 count)
{
	return run->params->seed + count;
}

static u64 read_word(const u8 *buf)
{
	u64 word;

	memcpy(&word, buf, sizeof(word));
	return word;
}

static void write_word(u8 *buf, u64 word)
{
	memcpy(buf, &word, sizeof(word));
}

/*
 * What the answer to operation seq lands on differs from it in each byte,
 * whatever was there before: what it does not bring is seen to be missing.
 */
static void spoil_answer(struct icb_run *run, u64 seq, u32 buffer)
{
	u8 *buf = icb_ep_rx(run->ep, buffer);

	if (run->verb->atomic)
		write_word(buf, atomic_word(run, seq - 1));
	else
		icb_segments_fill(&run->rx_layout, buf,
				  payload_seed(run, !run->initiator),
				  payload_number(run, seq, buffer));
	icb_segments_spoil(&run->rx_layout, buf);
}

/**
 * icb_run_hists() - distributions that an initiator gathers
 * @params: of its run
 *
 * Return: how many; their memory is all that samples take.
 */
unsigned int icb_run_hists(const struct icb_params *params)
{
	if (params->trigger == ICBENCH_TRIGGER_RETURN)
		return 1 + icb_verb_of(params)->calls;
	if (params->completion == ICBENCH_COMPLETION_TIMER)
		return ICB_HISTS;
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION)
		return ICB_HIST_INTERVAL + 1;
	if (params->trigger == ICBENCH_TRIGGER_CLOCK)
		return ICB_HIST_LATENESS + 1;
	return params->overhead ? ICB_HIST_OVERHEAD + 1 : ICB_HIST_POLL + 1;
}

/**
 * icb_run_samples() - samples that an initiator keeps as they are
 * @params: of its run
 *
 * Return: how many at most, of all its distributions together.
 */
u64 icb_run_samples(const struct icb_params *params)
{
	return (u64)icb_run_hists(params) * params->samples;
}

/* What the others have would take more time than a sample may. */
static bool keeps_samples(const struct icb_run *run, unsigned int hist)
{
	switch (run->params->trigger) {
	case ICBENCH_TRIGGER_ECHO:
		return hist == ICB_HIST_LATENCY || hist == ICB_HIST_OVERHEAD;
	case ICBENCH_TRIGGER_COMPLETION:
		return hist == ICB_HIST_POST || hist == ICB_HIST_INTERVAL;
	case ICBENCH_TRIGGER_CLOCK:
		return hist == ICB_HIST_LATENCY || hist == ICB_HIST_LATENESS;
	default:
		/* of a rehearsal, what either of these keeps */
		return run->params->verb != ICBENCH_VERB_CALIBRATE ||
		       run->hists != ICB_HISTS || hist == ICB_HIST_LATENCY ||
		       hist == ICB_HIST_POST;
	}
}

static void empty_hists(struct icb_run *run)
{
	size_t room = run->params->samples;
	unsigned int i;

	for (i = 0; i < run->hists; i++) {
		icb_hist_reset(&run->hist[i]);
		if (run->samples && keeps_samples(run, i))
			icb_hist_keep(&run->hist[i], run->samples + i * room,
				      room);
	}
}

/* Only where one answers the other: who streams has no answers to make. */
static bool answers(const struct icb_run *run)
{
	return run->params->trigger == ICBENCH_TRIGGER_ECHO &&
	       !icb_params_one_way(run->params);
}

/* Many buffers take their time: others run, and it may end meanwhile. */
static bool goes_on(const struct icb_run *run)
{
	cond_resched();
	return !READ_ONCE(run->stop);
}

static void prepare_buffers(struct icb_run *run)
{
	const struct icb_params *params = run->params;
	u32 sent = icb_buffers_sent(params, run->initiator);
	u32 filled = icb_buffers_filled(params, run->initiator), i;

	icb_buffers_start(&run->tx, params);
	icb_buffers_start(&run->rx, params);
	for (i = 0; i < sent && goes_on(run); i++)
		icb_segments_fill(&run->tx_layout, icb_ep_tx(run->ep, i),
				  payload_seed(run, run->initiator), i);
	if (run->verb->atomic)
		write_word(icb_ep_tx(run->ep, 0), atomic_word(run, 0));
	if (!run->verb->passive ||
	    !icb_params_begins(params, run->initiator))
		return;
	for (i = 0; i < filled && goes_on(run); i++)
		spoil_answer(run, 1, i);
}

/* Where nobody has made any, there is one. */
static void prepare_flows(struct icb_run *run)
{
	unsigned int i;

	if (!run->flow) {
		run->flow = &run->only;
		run->flows = 1;
	}
	for (i = 0; i < run->flows; i++) {
		memset(&run->flow[i], 0, sizeof(run->flow[i]));
		run->flow[i].index = i;
		run->flow[i].unsignalled = run->params->signal_every;
	}
	run->due = run->flow;
}

static void prepare_goal(struct icb_run *run, bool initiator)
{
	const struct icb_params *params = run->params;
	bool timed = icb_params_has(params, ICBENCH_A_PARAMS_DURATION);

	run->verb = icb_verb_of(params);
	run->ops = icb_bench_by_trigger(params->trigger);
	run->initiator = initiator;
	run->timeout = icb_clock_ticks(params->timeout);
	run->spin = icb_clock_ticks(params->spin);
	run->since = icb_clock_read();
	/* how much there is to measure is the initiator's to know */
	run->left = icb_params_begins(params, initiator) ? params->warmup : 0;
	run->goal = timed || !initiator ? U64_MAX : params->iterations;
	run->until = timed ? icb_clock_ticks(params->duration) : U64_MAX;
	run->deadline = U64_MAX;
	if (initiator)
		empty_hists(run);
}

static void prepare_phase(struct icb_run *run)
{
	WRITE_ONCE(run->phase, run->left && run->initiator ?
				       ICB_PHASE_WARMUP :
				       ICB_PHASE_MEASURING);
}

/**
 * icb_run_prepare() - make a side ready to run
 * @run: with @params, @ep, @mate and, for an initiator, the distributions set
 * @initiator: which side it is
 *
 * Before any message can arrive.
 */
void icb_run_prepare(struct icb_run *run, bool initiator)
{
	const struct icb_params *params = run->params;

	prepare_goal(run, initiator);
	icb_segments_of(params, &run->tx_layout, &run->rx_layout);
	run->unsignalled = params->signal_every;
	/* of a responder: when it answers the first window */
	run->lap = params->warmup ? min_t(u64, params->window, params->warmup) :
		   icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS) ?
		   min_t(u64, params->window, params->iterations) :
		   params->window;
	prepare_flows(run);
	icb_compute_prepare(run);
	prepare_buffers(run);
	/* with two buffers an answer is ready before it is asked for */
	if (!initiator && answers(run) && run->tx.ring > 1)
		icb_run_stage(run);
	prepare_phase(run);
}

/**
 * icb_run_prepare_local() - make a run ready that has no connection
 * @run: with @params and the distributions set
 */
void icb_run_prepare_local(struct icb_run *run)
{
	prepare_goal(run, true);
	prepare_phase(run);
}

/**
 * icb_run_rehearse() - make a run of nothing, to see what measuring takes
 * @run: zeroed; nobody watches or stops it, and it never ends
 * @params: as of any run
 * @hist: ICB_HISTS distributions for it
 * @samples: where each of them keeps samples, as the parameters say; or NULL
 */
void icb_run_rehearse(struct icb_run *run, const struct icb_params *params,
		      struct icb_hist *hist, u64 *samples)
{
	run->params = params;
	run->verb = icb_verb_of(params);
	run->initiator = true;
	run->goal = U64_MAX;
	run->until = U64_MAX;
	run->deadline = U64_MAX;
	run->mark = U64_MAX;
	run->lap = U64_MAX;
	run->timed = true;
	run->hist = hist;
	run->hists = ICB_HISTS;
	prepare_flows(run);
	run->only.seq = U64_MAX;
	icb_buffers_start(&run->tx, params);
	icb_buffers_start(&run->rx, params);
	run->samples = samples;
	empty_hists(run);
}

static bool stop_once(struct icb_run *run, enum icb_stop why)
{
	return !cmpxchg(&run->stop, ICB_STOP_NONE, why);
}

/**
 * icb_run_stop() - end a run early
 * @run: either side
 * @why: the reason; the first one given counts
 *
 * Any context. Does not wake a side that sleeps; the caller does. Where one
 * thread drives both sides, both end; but an initiator is not ended by having
 * ended its responder.
 *
 * Return: true if this was the first reason.
 */
bool icb_run_stop(struct icb_run *run, enum icb_stop why)
{
	struct icb_run *mate = READ_ONCE(run->mate);

	if (mate && why != ICB_STOP_END)
		stop_once(mate, why);
	return stop_once(run, why);
}

/**
 * icb_run_progress() - what changes while a run goes on
 * @run: either side
 *
 * A side that streams goes on by what it has begun itself, and not by what the
 * other side's stream brings to it.
 *
 * Return: a number that differs from an earlier one if it went on.
 */
u64 icb_run_progress(const struct icb_run *run)
{
	u64 progress = READ_ONCE(run->done) + READ_ONCE(run->acked) +
		       READ_ONCE(run->phase);

	return icb_run_streams(run) ? progress :
				      progress + READ_ONCE(run->seen);
}

/**
 * icb_run_measure() - from here on operations count
 * @run: of the side that begins them, none of which is on its way
 *
 * Any context.
 */
void icb_run_measure(struct icb_run *run)
{
	if (run->initiator)
		icb_clock_busy(&run->busy[0]);
	WRITE_ONCE(run->phase, ICB_PHASE_MEASURING);
}

/**
 * icb_run_over() - a loop has ended
 * @run: its side
 * @err: negative error number of the side's own failure; 0 for none
 *
 * A run that was stopped has not failed by what the stop broke.
 *
 * Return: the error that remains.
 */
int icb_run_over(struct icb_run *run, int err)
{
	if (run->initiator && !run->tail)
		icb_clock_busy(&run->busy[1]);
	if (err)
		icb_run_stop(run, ICB_STOP_ERROR);
	/* and why somebody else ended it, they know */
	if (READ_ONCE(run->stop) != ICB_STOP_ERROR || err == -ECANCELED)
		err = 0;
	run->err = err;
	WRITE_ONCE(run->phase, ICB_PHASE_OVER);
	return err;
}

/**
 * icb_run_idle() - what a loop does between polls that found nothing
 * @run: whose
 * @now: clock
 *
 * Gives way to others and to RCU. Process context.
 *
 * Return: 0 to go on; -ECANCELED if the run is to end.
 */
int icb_run_idle(struct icb_run *run, u64 now)
{
	/* signed: another CPU's clock may be a little behind */
	if (unlikely((s64)(now - run->since) > (s64)run->timeout))
		icb_run_stop(run, ICB_STOP_TIMEOUT);
	if (unlikely(READ_ONCE(run->stop)))
		return -ECANCELED;
	icb_ep_pause(run->ep, now - run->since);
	return 0;
}

/**
 * icb_run_sleep() - sleep until the event that was asked for comes
 * @run: whose
 * @counts: it measures
 */
void icb_run_sleep(struct icb_run *run, bool counts)
{
	run->wakes += counts;
	icb_ep_sleep(run->ep, &run->stop);
}

/**
 * icb_run_doze() - sleep until it is time to poll again
 * @run: whose completion mode is timer
 * @counts: how late that was is to be booked
 */
void icb_run_doze(struct icb_run *run, bool counts)
{
	u64 late = icb_ep_doze(run->ep, &run->stop);

	run->wakes += counts;
	if (counts && run->hist && !READ_ONCE(run->stop))
		icb_hist_add(&run->hist[ICB_HIST_LATENESS], late);
}

/**
 * icb_run_stage_op() - make the next operation, whose message is there
 * @run: of this side
 * @op: the work request that will be posted for it
 *
 * Return: the mark of the use of its buffer, as in &struct icb_buffers.
 */
u8 icb_run_stage_op(struct icb_run *run, unsigned int op)
{
	bool swap = run->params->verb == ICBENCH_VERB_CMP_SWAP;
	u8 mark = run->tx.mark;

	run->seq++;
	run->buffer = run->tx.index;
	if (unlikely(run->tx.count > 1))
		icb_ep_aim(run->ep, op, run->buffer);
	icb_buffers_next(&run->tx);
	if (run->verb->atomic)
		icb_ep_operand(run->ep, op,
			       swap ? atomic_word(run, run->seq - 1) : 1,
			       atomic_word(run, run->seq));
	return mark;
}

/**
 * icb_run_make() - give the operation that was made last a content of its own
 * @run: of this side
 *
 * What is to be sent; or, where an answer is to bring content, other content at
 * the place where this is due. Its buffer is in no other use.
 */
void icb_run_make(struct icb_run *run)
{
	if (run->verb->passive)
		spoil_answer(run, run->seq, run->buffer);
	else
		icb_segments_fill(&run->tx_layout,
				  icb_ep_tx(run->ep, run->buffer),
				  payload_seed(run, run->initiator), run->seq);
}

/**
 * icb_run_stage() - make the next message
 * @run: of this side
 *
 * Its buffer must not be in use by a message that may still be on its way. What
 * brings content from the other side is checked for having brought it.
 */
void icb_run_stage(struct icb_run *run)
{
	const struct icb_params *params = run->params;
	u8 *buf, mark;

	mark = icb_run_stage_op(run, 0);
	run->staged = true;
	if (params->verify)
		icb_run_make(run);
	if (run->verb->passive)
		return;
	buf = icb_ep_tx(run->ep, run->buffer);
	if (memory_mode(run))
		WRITE_ONCE(buf[run->tx_layout.extent - 1], mark);
}

static bool is_signalled(struct icb_run *run)
{
	bool signal = !--run->unsignalled;

	if (signal)
		run->unsignalled = run->params->signal_every;
	return signal;
}

static void turn(struct icb_turn *turn, unsigned int flows)
{
	if (++turn->index == flows)
		turn->index = 0;
}

/* To the next QP. A completion frees what its own QP has sent, and no other. */
static bool take_turn(struct icb_run *run)
{
	struct icb_turn *tx = &run->tx_turn;

	if (!tx->index)
		tx->signal = is_signalled(run);
	icb_ep_send_on(run->ep, tx->index);
	turn(tx, run->flows);
	return tx->signal;
}

/**
 * icb_run_post() - post the message that icb_run_stage() made
 * @run: of this side
 *
 * Return: 0, or the device's negative error number.
 */
int icb_run_post(struct icb_run *run)
{
	bool signal = likely(run->flows == 1) ? is_signalled(run) :
						take_turn(run);

	/* before the call: with callbacks, others may go on before it returns */
	run->staged = false;
	return icb_ep_post(run->ep, signal);
}

/* Where the content of message number seq differs; the size if nowhere. */
static size_t check_content(struct icb_run *run, u64 seq,
			    struct icb_buffer buffer)
{
	const u8 *buf = icb_ep_rx(run->ep, buffer.index);
	size_t size = run->params->size, len = size - memory_mode(run);
	size_t bad;

	if (run->verb->atomic)
		return read_word(buf) == atomic_word(run, seq - 1) ? size : 0;
	bad = icb_segments_check(&run->rx_layout, buf, len,
				 payload_seed(run, !run->initiator),
				 payload_number(run, seq, buffer.index));
	/* what is written to lies in one piece */
	if (bad == len && len < size && buf[len] == buffer.mark)
		bad = size;
	return bad;
}

/* Count a message whose content is not what was sent, and keep the first one. */
static void check_message(struct icb_run *run, u64 seq,
			  struct icb_buffer buffer)
{
	size_t bad = check_content(run, seq, buffer);

	if (likely(bad == run->params->size))
		return;
	if (!run->errors) {
		run->wrong = seq;
		run->wrong_byte = bad;
	}
	run->errors++;
}

/**
 * icb_run_check() - check the next message of a stream
 * @run: of the side where it arrived, in whose buffer nothing arrives before the
 *	next post or receive
 * @seq: its number
 */
void icb_run_check(struct icb_run *run, u64 seq)
{
	const struct icb_buffer buffer = {
		.index = run->rx.index,
		.mark = run->rx.mark,
	};

	icb_buffers_next(&run->rx);
	check_message(run, seq, buffer);
}

/**
 * icb_run_arrived() - count a message
 * @run: of the side where it arrived
 *
 * A responder does so before it answers: with the answer to the last message
 * the initiator is done, and asks how many have arrived.
 */
void icb_run_arrived(struct icb_run *run)
{
	WRITE_ONCE(run->seen, run->seen + 1);
	run->came.index = run->rx.index;
	run->came.mark = run->rx.mark;
	icb_buffers_next(&run->rx);
	if (!run->initiator)
		WRITE_ONCE(run->done, run->seen);
}

/**
 * icb_run_settle() - what is to be done once a message has arrived
 * @run: of the side where it arrived, and was counted
 *
 * Checks its content where that is wanted, gives its receive back to the
 * device and takes send completions: all that belongs to no timed interval.
 * Where the completion itself was waited for there is nothing to give or take.
 *
 * Return: 0, or a negative error number.
 */
int icb_run_settle(struct icb_run *run)
{
	int err;

	if (unlikely(run->params->verify))
		check_message(run, run->seen, run->came);
	if (run->verb->recv) {
		err = icb_ep_refill(run->ep);
		if (unlikely(err))
			return err;
	}
	err = run->verb->passive ? 0 : icb_ep_reap(run->ep);
	if (unlikely(run->flows > 1)) {
		turn(&run->rx_turn, run->flows);
		icb_ep_recv_on(run->ep, run->rx_turn.index);
	}
	return err;
}

/* One message was posted and another one polled: the work of both its ends. */
static void book_calls(struct icb_run *run, const struct icb_stamps *stamps)
{
	u64 ticks = stamps->posted - stamps->post + stamps->rearm;

	if (stamps->poll)
		ticks += stamps->end - stamps->poll;
	icb_hist_add(&run->hist[ICB_HIST_OVERHEAD], icb_clock_ns(ticks));
}

/**
 * icb_run_count() - book one finished operation
 * @run: of the initiator
 * @stamps: of the operation
 *
 * Return: true if it was the last one.
 */
bool icb_run_count(struct icb_run *run, const struct icb_stamps *stamps)
{
	run->since = stamps->end;
	if (unlikely(run->left)) {
		if (!--run->left)
			icb_run_measure(run);
		return READ_ONCE(run->stop);
	}
	if (unlikely(!run->done))
		WRITE_ONCE(run->began, stamps->post);
	icb_hist_add(&run->hist[ICB_HIST_LATENCY],
		     icb_clock_ns(stamps->end - stamps->post));
	icb_hist_add(&run->hist[ICB_HIST_POST],
		     icb_clock_ns(stamps->posted - stamps->post));
	if (stamps->poll)
		icb_hist_add(&run->hist[ICB_HIST_POLL],
			     icb_clock_ns(stamps->end - stamps->poll));
	if (run->params->overhead)
		book_calls(run, stamps);
	WRITE_ONCE(run->ended, stamps->end);
	WRITE_ONCE(run->done, run->done + 1);
	return run->done >= run->goal ||
	       stamps->end - run->began >= run->until ||
	       READ_ONCE(run->stop);
}

/**
 * icb_run_catch_up() - count what has arrived by the end
 * @run: of the responder, over
 */
void icb_run_catch_up(struct icb_run *run)
{
	if (run->ops->catch_up)
		run->ops->catch_up(run);
}

/* A stream that its target neither takes part in nor asks for. */
static bool is_blind(const struct icb_run *run)
{
	return icb_params_windowed(run->params) &&
	       !run->verb->passive && !icb_params_counts(run->params);
}

/*
 * Of these the target does not know the number where there are no iterations, or
 * the other side goes on beyond them.
 */
static bool is_told(const struct icb_run *run)
{
	return is_blind(run) &&
	       (run->params->direction == ICBENCH_DIRECTION_BI ||
		!icb_params_has(run->params, ICBENCH_A_PARAMS_ITERATIONS));
}

/*
 * The last message that can be compared; 0 if there is none. Writes of a stream
 * are counted by nobody: those of the initiator have completed when the
 * responder is asked; those of the responder, as far as it says so.
 */
static u64 last_message(const struct icb_run *run)
{
	const struct icb_params *params = run->params;

	if (run->verb->passive)
		return max_t(u64, run->seen, run->acked);
	if (icb_params_counts(params))
		return run->seen;
	if (run->initiator)
		return run->peer_done ?
			icb_buffers_warmup(params) + run->peer_done : 0;
	return is_told(run) ? run->peer_sent :
			      icb_buffers_warmup(params) + params->iterations;
}

static int refuse_message(struct icb_reason *why, u64 byte, u64 seq)
{
	return icb_refuse(why, -EBADMSG,
			  "verify: byte %llu of message %llu is not what was sent",
			  (unsigned long long)byte, (unsigned long long)seq);
}

/*
 * Whether a buffer holds what message seq brought; or a later one that is known
 * to nobody here: of those that a responder has posted and that had not completed
 * when it was told to stop.
 */
static int check_state(struct icb_run *run, u64 seq, struct icb_reason *why)
{
	const struct icb_params *params = run->params;
	struct icb_buffer buffer = icb_buffers_at(params, seq);
	size_t bad = check_content(run, seq, buffer);
	u64 later = seq + icb_buffers_ring(params);

	if (bad == params->size)
		return 0;
	if (is_blind(run) && run->initiator &&
	    check_content(run, later, buffer) == params->size)
		return 0;
	return refuse_message(why, bad, seq);
}

/* The last state of each buffer of a stream that was used. */
static int check_buffers(struct icb_run *run, u64 last, struct icb_reason *why)
{
	const u32 ring = icb_buffers_ring(run->params);
	bool fresh = run->params->reuse < ICB_BUFFERS_WHOLE;
	u32 turns = 0;
	u64 seq;
	int err;

	/* a responder was told that this is the end */
	for (seq = last; seq && (goes_on(run) || run->stop == ICB_STOP_END);
	     seq--) {
		if (icb_buffers_at(run->params, seq).index < ring) {
			if (turns == ring)
				continue;
			turns++;
		}
		err = check_state(run, seq, why);
		if (err)
			return err;
		if (!fresh && turns == ring)
			break;
	}
	return 0;
}

static bool checks_buffers(const struct icb_run *run)
{
	return icb_params_windowed(run->params) && !run->verb->atomic;
}

/*
 * Each message that was seen has been compared. It is not looked at again: one
 * that has no receive yet may have come into its buffer in part.
 */
static bool has_checked(const struct icb_run *run)
{
	return checks_buffers(run) && run->params->verify && !is_blind(run);
}

/**
 * icb_run_check_last() - compare the last message with what was sent
 * @run: a side that is over and was not cut short
 * @why: where its content differs
 *
 * Return: 0; -EBADMSG if this message, or one during the run, was not what was
 * sent.
 */
int icb_run_check_last(struct icb_run *run, struct icb_reason *why)
{
	size_t bad;
	u64 last;

	if (run->errors)
		return icb_refuse(why, -EBADMSG,
				  "verify: %llu of %llu messages arrived with other content than was sent; the first, number %llu, from byte %llu on",
				  (unsigned long long)run->errors,
				  (unsigned long long)(run->verb->passive ?
					max_t(u64, run->seen, run->acked) :
					run->seen),
				  (unsigned long long)run->wrong,
				  (unsigned long long)run->wrong_byte);
	/* an atomic that was on its way when it was cut short may have come since */
	if (!icb_params_fills(run->params, run->initiator) ||
	    (run->verb->atomic && !run->initiator) || has_checked(run))
		return 0;
	/* which one of those of several QPs was served last, nobody knows */
	if (run->verb->atomic && run->flows > 1 && icb_run_streams(run))
		return 0;
	last = last_message(run);
	if (!last)
		return 0;
	if (checks_buffers(run))
		return check_buffers(run, last, why);
	bad = check_content(run, last, icb_buffers_at(run->params, last));
	if (bad == run->params->size)
		return 0;
	return icb_refuse(why, -EBADMSG,
			  "verify: byte %llu of the last message is not what was sent",
			  (unsigned long long)bad);
}

/**
 * icb_run_sent() - messages that the other side ought to have seen
 * @run: of the initiator
 *
 * Return: all that it sent; 0 where the other side sees nothing.
 */
u64 icb_run_sent(const struct icb_run *run)
{
	return icb_params_counts(run->params) || run->verb->atomic ||
	       is_told(run) ? run->seq : 0;
}

/**
 * icb_run_seen() - messages that a responder has seen
 * @run: of the responder, over
 *
 * Return: those that arrived; atomics by what they left in its memory; what the
 * other side says where only this tells which messages to look for.
 */
u64 icb_run_seen(struct icb_run *run)
{
	if (is_told(run))
		return run->peer_sent;
	return run->verb->atomic ?
		read_word(icb_ep_tx(run->ep, 0)) - atomic_word(run, 0) :
		run->seen;
}

static struct icb_metric *next_metric(struct icb_result *result)
{
	struct icb_metric *metric = &result->metric[result->count++];

	memset(metric, 0, sizeof(*metric));
	metric->divisor = 1;
	return metric;
}

/**
 * icb_result_scalar() - add a number to a result
 * @result: where to
 * @name: its name
 * @unit: enum icbench_unit
 * @kind: enum icbench_metric_kind, not a distribution
 * @value: the number
 */
void icb_result_scalar(struct icb_result *result, const char *name, u32 unit,
		       u32 kind, u64 value)
{
	struct icb_metric *metric = next_metric(result);

	metric->name = name;
	metric->unit = unit;
	metric->kind = kind;
	metric->value = value;
}

/**
 * icb_result_dist() - add a distribution of times to a result
 * @result: where to
 * @name: its name
 * @hist: the distribution, ns; left out where it is empty
 * @divisor: what its values are to be divided by
 */
void icb_result_dist(struct icb_result *result, const char *name,
		     const struct icb_hist *hist, u32 divisor)
{
	struct icb_metric *metric;

	if (!hist->count)
		return;
	metric = next_metric(result);
	metric->name = name;
	metric->unit = ICBENCH_UNIT_NS;
	metric->kind = ICBENCH_METRIC_KIND_DISTRIBUTION;
	metric->divisor = divisor;
	metric->hist = hist;
}

/* In thousandths, so that a slow device has a rate, too. */
static u64 rate(u64 amount, u64 elapsed)
{
	/* what no link carries, but a clock that jumps may claim */
	if (amount / elapsed >= U64_MAX / RATE_SECOND)
		return U64_MAX;
	return mul_u64_u64_div_u64(amount, RATE_SECOND, elapsed);
}

static void add_value(struct icb_result *result, const char *name, u32 unit,
		      u64 value)
{
	icb_result_scalar(result, name, unit, ICBENCH_METRIC_KIND_SCALAR,
			  value);
	result->metric[result->count - 1].divisor = RATE_DIVISOR;
}

/* In thousandths; of both sides, where both stream. */
static u64 total_rate(const struct icb_run *run, u64 messages, u32 size)
{
	u64 elapsed = icb_clock_ns(run->ended - run->began);
	u64 sum = elapsed ? rate(messages * size, elapsed) : 0, peer = 0;

	if (run->peer_elapsed)
		peer = rate(run->peer_done * size, run->peer_elapsed);
	return sum > U64_MAX - peer ? U64_MAX : sum + peer;
}

static void add_rate(struct icb_result *result, const char *name, u32 unit,
		     const struct icb_run *run, u64 messages, u32 size)
{
	if (run->ended == run->began && !run->peer_elapsed)
		return;
	add_value(result, name, unit, total_rate(run, messages, size));
}

/* Whether busy times are of a whole run, and of the same CPUs. */
static bool is_busy_known(const struct icb_run *run)
{
	const struct icb_busy *before = &run->busy[0], *after = &run->busy[1];
	int stop = READ_ONCE(run->stop);

	/* who waited in vain was busy with nothing that was measured */
	if (stop == ICB_STOP_TIMEOUT || stop == ICB_STOP_ERROR)
		return false;
	return before->cpus && before->cpus == after->cpus &&
	       after->ns > before->ns;
}

/**
 * icb_result_cpu() - add what a message has cost this host's CPUs
 * @result: where to
 * @run: of the initiator, over
 * @messages: that it has measured; none if no time has passed
 *
 * Nothing is added where the host does not know how busy it is.
 */
void icb_result_cpu(struct icb_result *result, const struct icb_run *run,
		    u64 messages)
{
	u64 elapsed = icb_clock_ns(run->ended - run->began), cpu, all;

	if (!messages || !elapsed || !is_busy_known(run))
		return;
	/* in as much time as the rate is of: ns of the CPUs in a second */
	cpu = rate(run->busy[1].ns - run->busy[0].ns, elapsed);
	all = total_rate(run, messages, 1);
	if (!all || cpu > U64_MAX / RATE_DIVISOR)
		return;
	add_value(result, "cpu_per_message", ICBENCH_UNIT_NS,
		  div64_u64(cpu * RATE_DIVISOR, all));
}

/**
 * icb_result_wakes() - add how often a side's thread slept for a message
 * @result: where to
 * @run: of the initiator, over
 * @messages: that it has measured
 *
 * Nothing is added where no thread waits, or a thread that does not sleep for it.
 */
void icb_result_wakes(struct icb_result *result, const struct icb_run *run,
		      u64 messages)
{
	if (!messages || run->wakes > U64_MAX / RATE_DIVISOR ||
	    BIT(run->params->completion) &
	    (ICB_COMPLETIONS_CALLBACK | ICB_COMPLETIONS_BUSY))
		return;
	add_value(result, "wakeups_per_message", ICBENCH_UNIT_COUNT,
		  div64_u64(run->wakes * RATE_DIVISOR, messages));
}

/**
 * icb_result_availability() - add how much of its time a side has computed
 * @result: where to
 * @run: of the initiator, over
 *
 * Nothing is added where it was not to compute, or no time has passed.
 */
void icb_result_availability(struct icb_result *result,
			     const struct icb_run *run)
{
	u64 elapsed = run->ended - run->began;

	if (!run->compute.on || !run->done || !elapsed)
		return;
	add_value(result, "availability", ICBENCH_UNIT_PERCENT,
		  mul_u64_u64_div_u64(min_t(u64, run->compute.booked, elapsed),
				      100 * RATE_DIVISOR, elapsed));
}

/**
 * icb_result_spread() - add how steady a bandwidth was
 * @result: where to
 * @hist: times that it took, ns; nothing is added where it is empty
 * @bytes: to move this much
 *
 * The least, the first percentile and the median.
 */
void icb_result_spread(struct icb_result *result, const struct icb_hist *hist,
		       u64 bytes)
{
	const u32 unit = ICBENCH_UNIT_BYTES_PER_SECOND;

	if (!hist->count || !hist->min)
		return;
	add_value(result, "bandwidth_min", unit, rate(bytes, hist->max));
	add_value(result, "bandwidth_p1", unit,
		  rate(bytes, icb_hist_quantile(hist, 99, 100)));
	add_value(result, "bandwidth_median", unit,
		  rate(bytes, icb_hist_quantile(hist, 1, 2)));
}

/**
 * icb_result_rates() - add bandwidth and message rate to a result
 * @result: where to
 * @run: of the initiator, over
 * @messages: that it has measured; none if no time has passed
 *
 * Where the other side has measured a stream of its own, the sum of both.
 */
void icb_result_rates(struct icb_result *result, const struct icb_run *run,
		      u64 messages)
{
	if (!messages)
		return;
	add_rate(result, "bandwidth", ICBENCH_UNIT_BYTES_PER_SECOND, run,
		 messages, run->params->size);
	add_rate(result, "message_rate", ICBENCH_UNIT_PER_SECOND, run,
		 messages, 1);
}

/**
 * icb_result_offered() - add the load that a schedule has offered to a result
 * @result: where to
 * @run: of the initiator, over
 * @messages: that were due
 * @span: in this time, ticks; nothing is added if none has passed
 *
 * Also the part of it, in per cent, that was accepted.
 */
void icb_result_offered(struct icb_result *result, const struct icb_run *run,
			u64 messages, u64 span)
{
	u64 ns = icb_clock_ns(span), offered, accepted;

	if (!ns || run->ended == run->began)
		return;
	offered = rate(messages, ns);
	accepted = total_rate(run, run->done, 1);
	add_value(result, "offered_rate", ICBENCH_UNIT_PER_SECOND, offered);
	if (offered)
		add_value(result, "accepted", ICBENCH_UNIT_PERCENT,
			  mul_u64_u64_div_u64(min_t(u64, accepted, offered),
					      100 * RATE_DIVISOR, offered));
}
