// SPDX-License-Identifier: GPL-2.0
#include "bench.h"
#include "host/clock.h"
#include "model/payload.h"
#include "verbs/endpoint.h"

/* Samples of the smallest batch of a mean. */
#define LEAST_MEANS	16

/* What a rate is divided by, and what it is a rate of is multiplied by. */
#define RATE_DIVISOR	1000
#define RATE_SECOND	(1000000000ULL * RATE_DIVISOR)

/* A CPU that is busy all the time is so for that part of a rate, per cent. */
#define RATE_PERCENT	(1000000000ULL / 100)

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

/* How many bytes a side's message has. */
static u32 size_of(const struct icb_run *run, bool initiator, u64 seq)
{
	return likely(!run->sizes.on) ? run->params->size :
		icb_sizes_at(&run->sizes, initiator, seq);
}

/* Who has posted what brings content to this side. */
static bool filler(const struct icb_run *run)
{
	return run->verb->passive ? run->initiator : !run->initiator;
}

/**
 * icb_run_due() - how many bytes a message from the other side has
 * @run: of a side that receives it
 * @seq: its number
 *
 * Return: bytes.
 */
u32 icb_run_due(const struct icb_run *run, u64 seq)
{
	return size_of(run, !run->initiator, seq);
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
				  run->payload[!run->initiator],
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
	if (params->stages)
		return ICB_HISTS_STAGES;
	if (params->completion == ICBENCH_COMPLETION_TIMER)
		return ICB_HISTS;
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION)
		return ICB_HIST_INTERVAL + 1;
	if (params->trigger == ICBENCH_TRIGGER_CLOCK)
		return ICB_HIST_LATENESS + 1;
	return params->overhead ? ICB_HIST_OVERHEAD + 1 :
				  ICB_HIST_POLL_EMPTY + 1;
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
		return hist == ICB_HIST_LATENCY || hist == ICB_HIST_OVERHEAD ||
		       hist >= ICB_HISTS;
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

	if (run->disturbed)
		memset(run->disturbed, 0, sizeof(*run->disturbed));
	for (i = 0; i < run->hists; i++) {
		icb_hist_reset(&run->hist[i]);
		if (run->samples && keeps_samples(run, i))
			icb_hist_keep(&run->hist[i], run->samples + i * room,
				      room);
	}
}

/* Looks for what has come behind the last message. */
#define LATE_LOOKS	16

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
	return !READ_ONCE(run->consumer.stop);
}

static void prepare_buffers(struct icb_run *run)
{
	const struct icb_params *params = run->params;
	u32 sent = icb_buffers_sent(params, run->initiator);
	u32 filled = icb_buffers_filled(params, run->initiator), i;

	icb_buffers_start(&run->tx, params);
	icb_buffers_start(&run->rx, params);
	icb_buffers_start(&run->landing, params);
	icb_sizes_start(&run->sizes, params);
	for (i = 0; i < ARRAY_SIZE(run->payload); i++)
		run->payload[i] = icb_payload_of(params->seed, i);
	run->mixed = params->direction == ICBENCH_DIRECTION_BI && run->sizes.on;
	run->aims = run->tx.count > 1 || run->sizes.on;
	for (i = 0; i < sent && goes_on(run); i++)
		icb_segments_fill(&run->tx_layout, icb_ep_tx(run->ep, i),
				  run->payload[run->initiator], i);
	if (run->verb->atomic)
		write_word(icb_ep_tx(run->ep, 0), atomic_word(run, 0));
	if (!run->verb->passive ||
	    !icb_params_begins(params, run->initiator))
		return;
	for (i = 0; i < filled && goes_on(run); i++)
		spoil_answer(run, 1, i);
}

/* Where nobody has made any, there is one. */
/* For how long a window is filled at a stretch. */
#define STRETCH_NS	20000000

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
	run->stretch = icb_clock_ticks(STRETCH_NS);
}

/* Callbacks drive a ping-pong that a thread starts again when an answer is lost. */
static bool restarts(const struct icb_params *params)
{
	return icb_params_lossy(params) &&
	       params->trigger == ICBENCH_TRIGGER_ECHO &&
	       BIT(params->completion) & ICB_COMPLETIONS_CALLBACK;
}

/*
 * Who is not connected may say any number: not one that the run never comes to. Who
 * goes on until others have measured comes to any, and so may who starts callbacks
 * again.
 */
static u64 most_number(const struct icb_params *params)
{
	if (!icb_params_datagrams(params) || icb_params_returns(params) ||
	    restarts(params) ||
	    params->workers > 1 ||
	    !icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS))
		return U64_MAX;
	return icb_buffers_warmup(params) + params->iterations;
}

/* A warm-up that nobody asked for lasts no longer than this, steady or not. */
#define WARMUP_NS	1000000000ULL

/*
 * Whether a warm-up may last longer than its parameter says. The other side must not
 * know how long it is, nor is the sequence of buffers to begin at another operation.
 */
static bool warms_until_steady(const struct icb_run *run)
{
	const struct icb_params *params = run->params;

	return run->initiator && icb_run_batched(params) && !run->lossy &&
	       params->buffers == 1 &&
	       !icb_params_given(params, ICBENCH_A_PARAMS_WARMUP) &&
	       params->warmup >= ICB_WARMUP_LEAST;
}

static void prepare_goal(struct icb_run *run, bool initiator)
{
	const struct icb_params *params = run->params;
	bool timed = icb_params_has(params, ICBENCH_A_PARAMS_DURATION);

	run->verb = icb_verb_of(params);
	run->ops = icb_bench_by_trigger(params->trigger);
	run->consumer.ops = &run->ops->consumer;
	run->initiator = initiator;
	run->timeout = icb_clock_ticks(params->timeout);
	run->spin = icb_clock_ticks(params->spin);
	run->waits.sleeps = !(BIT(params->completion) & ICB_COMPLETIONS_BUSY);
	run->waits.lost = 0;
	run->waits.polled = 0;
	run->waits.usual = U64_MAX;
	run->vain = 0;
	run->skip = 0;
	run->besides = params->overhead ? ICB_BESIDES_OVERHEAD : 0;
	run->lossy = icb_params_lossy(params);
	run->returns = icb_params_returns(params);
	run->consumer.listens = initiator && (run->returns || restarts(params));
	run->most = most_number(params);
	run->patience = icb_clock_ticks(icb_params_patience(params));
	run->step_at = 1;
	if (run->steps)
		icb_hist_reset(run->steps);
	run->since = icb_clock_read();
	/* how much there is to measure is the initiator's to know */
	run->left = icb_params_begins(params, initiator) ? params->warmup : 0;
	run->warmup.on = false;
	if (warms_until_steady(run))
		icb_warmup_begin(&run->warmup, params->warmup,
				 icb_clock_ticks(WARMUP_NS));
	/* who is to wait for others does so in a warm-up */
	if (run->crowd && !run->left &&
	    params->trigger != ICBENCH_TRIGGER_COMPLETION)
		run->left = 1;
	run->goal = timed || !initiator ? U64_MAX : params->iterations;
	run->until = timed ? icb_clock_ticks(params->duration) : U64_MAX;
	run->limit = icb_params_has(params, ICBENCH_A_PARAMS_THRESHOLD) ?
		params->threshold * icb_run_divisor(run) : U64_MAX;
	run->deadline = U64_MAX;
	if (initiator)
		empty_hists(run);
	icb_means_begin(&run->means, params->trigger ==
			ICBENCH_TRIGGER_COMPLETION ? 1 : LEAST_MEANS);
	if (!run->batches)
		return;
	/* the samples of an open loop overlap: no small batches, whose ends take time */
	icb_batches_begin(run->batches, timed ||
			  params->trigger == ICBENCH_TRIGGER_CLOCK ?
				  0 : params->iterations,
			  params->until,
			  params->until_percentile * (ICB_BOUNDS_WHOLE / 1000));
	run->settled = icb_clock_ticks(params->until_time);
	run->batch_end = min_t(u64, run->batches->end, run->means.end);
}

static void prepare_phase(struct icb_run *run)
{
	WRITE_ONCE(run->consumer.phase, (run->left || run->crowd) && run->initiator ?
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
	run->told_of = icb_params_told(params);
	run->untold = run->told_of;
	run->looked = 0;
	prepare_flows(run);
	icb_compute_prepare(run);
	icb_stages_prepare(run);
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
 * @run: zeroed, but for @run->flow and @run->flows where there are several QPs;
 *	nobody watches or stops it, and it never ends
 * @params: as of any run
 * @hist: ICB_HISTS distributions for it
 * @samples: where each of them keeps samples, as the parameters say; or NULL
 */
void icb_run_rehearse(struct icb_run *run, const struct icb_params *params,
		      struct icb_hist *hist, u64 *samples)
{
	unsigned int i;

	run->params = params;
	run->verb = icb_verb_of(params);
	run->initiator = true;
	run->goal = U64_MAX;
	run->until = U64_MAX;
	run->limit = U64_MAX;
	run->deadline = U64_MAX;
	run->mark = U64_MAX;
	run->lap = U64_MAX;
	run->timed = true;
	run->hist = hist;
	run->hists = ICB_HISTS;
	prepare_flows(run);
	for (i = 0; i < run->flows; i++)
		run->flow[i].seq = U64_MAX;
	icb_buffers_start(&run->tx, params);
	icb_buffers_start(&run->rx, params);
	run->samples = samples;
	empty_hists(run);
}

static bool stop_once(struct icb_run *run, enum icb_stop why)
{
	return !cmpxchg(&run->consumer.stop, ICB_STOP_NONE, why);
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
	bool first = stop_once(run, why);
	struct icb_run *mate;

	/* ORDER: pairs with icb_job_take(), whose mate looks then */
	smp_mb();
	mate = READ_ONCE(run->mate);
	if (mate && why != ICB_STOP_END)
		stop_once(mate, why);
	return first;
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
		       READ_ONCE(run->consumer.phase);

	return icb_run_streams(run) ? progress + READ_ONCE(run->seq) :
				      progress + READ_ONCE(run->seen) +
				      READ_ONCE(run->looked);
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
		icb_clock_busy(&run->busy[0], run->cpu);
	WRITE_ONCE(run->consumer.phase, ICB_PHASE_MEASURING);
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
		icb_clock_busy(&run->busy[1], run->cpu);
	if (err)
		icb_run_stop(run, ICB_STOP_ERROR);
	/* and why somebody else ended it, they know */
	if (READ_ONCE(run->consumer.stop) != ICB_STOP_ERROR || err == -ECANCELED)
		err = 0;
	run->err = err;
	WRITE_ONCE(run->consumer.phase, ICB_PHASE_OVER);
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
	if (unlikely(READ_ONCE(run->consumer.stop)))
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
	run->wakes += icb_ep_sleep(run->ep, &run->consumer.stop) && counts;
	if (unlikely(run->stages.on))
		icb_ep_event(run->ep, &run->stages.event);
}

/**
 * icb_run_doze() - sleep until it is time to poll again
 * @run: whose completion mode is timer
 * @counts: it measures
 *
 * How late it was is booked, but for an open loop, whose lateness is its schedule's.
 */
void icb_run_doze(struct icb_run *run, bool counts)
{
	u64 late = icb_ep_doze(run->ep, &run->consumer.stop);

	run->slept = true;
	if (unlikely(run->stages.on))
		icb_ep_event(run->ep, &run->stages.event);
	run->wakes += counts;
	if (counts && run->hist && !READ_ONCE(run->consumer.stop) &&
	    run->params->trigger != ICBENCH_TRIGGER_CLOCK)
		icb_hist_add(&run->hist[ICB_HIST_LATENESS], late);
}

/**
 * icb_run_due_byte() - the last byte of the answer that is due next
 * @run: of a ping-pong's initiator, whose next operation is staged
 *
 * Return: its value.
 */
u8 icb_run_due_byte(const struct icb_run *run)
{
	u64 seq = run->seen + 1;
	u64 word = atomic_word(run, seq - 1);

	if (run->verb->atomic)
		return ((const u8 *)&word)[sizeof(word) - 1];
	return icb_payload_at(run->payload[!run->initiator],
			      payload_number(run, seq, run->rx.index),
			      run->params->size - 1);
}

static void aim_op(struct icb_run *run, unsigned int op)
{
	if (run->sizes.on)
		icb_ep_cut(run->ep, op, run->buffer,
			   size_of(run, run->initiator, run->seq));
	else
		icb_ep_aim(run->ep, op, run->buffer);
}

static noinline void tell_number(struct icb_run *run, unsigned int op)
{
	const u32 counts = run->timed || run->open.counts ? ICB_TOLD_COUNTS : 0;

	icb_ep_number(run->ep, op, (run->seq & (ICB_TOLD_COUNTS - 1)) | counts);
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

	WRITE_ONCE(run->seq, run->seq + 1);
	run->buffer = run->tx.index;
	if (unlikely(run->aims))
		aim_op(run, op);
	icb_buffers_next(&run->tx);
	if (unlikely(run->lossy))
		tell_number(run, op);
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
				  run->payload[run->initiator], run->seq);
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

/*
 * Where an answer goes the way of what it answers, a QP may not be served in a
 * round. Datagrams have operations of their own on each.
 */
static noinline bool take_lossy_turn(struct icb_run *run)
{
	struct icb_flow *flow = &run->flow[run->tx_turn.index];
	bool signal = !--flow->unsignalled;

	if (signal)
		flow->unsignalled = run->params->signal_every;
	icb_ep_send_on(run->ep, flow->index);
	tell_number(run, 0);
	turn(&run->tx_turn, run->flows);
	return signal;
}

/* To the next QP. A completion frees what its own QP has sent, and no other. */
static bool take_turn(struct icb_run *run)
{
	struct icb_turn *tx = &run->tx_turn;

	if (unlikely(run->lossy))
		return take_lossy_turn(run);
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
	size_t size = size_of(run, filler(run), seq);
	size_t len = size - memory_mode(run), bad;

	if (run->verb->atomic)
		return read_word(buf) == atomic_word(run, seq - 1) ? size : 0;
	bad = icb_segments_check(&run->rx_layout, buf, len,
				 run->payload[!run->initiator],
				 payload_number(run, seq, buffer.index));
	/* what is written to lies in one piece */
	if (bad == len && len < size && buf[len] == buffer.mark)
		bad = size;
	return bad;
}

/* A message whose content is not what was sent; the first one is kept. */
static void note_wrong(struct icb_run *run, u64 seq, size_t byte)
{
	if (!run->errors) {
		run->wrong = seq;
		run->wrong_byte = byte;
	}
	run->errors++;
}

/*
 * Where the content of the last message differs, of those that may be lost; the size
 * if nowhere. It has come out of the buffer of its number; and into that one, or of
 * a send into that of the receive that it found. Its last byte may tell its number,
 * and has done so.
 */
static size_t check_landed(struct icb_run *run)
{
	u32 from = icb_buffers_at(run->params, run->last).index;
	u32 at = run->verb->remote ? from : run->lay;
	size_t size = icb_run_due(run, run->last);
	size_t len = size - memory_mode(run), bad;

	bad = icb_segments_check(&run->rx_layout, icb_ep_rx(run->ep, at), len,
				 run->payload[!run->initiator],
				 payload_number(run, run->last, from));
	return bad == len ? size : bad;
}

/* The rest of a message may take so long, where a host has taken the CPU from who copies. */
#define REST_NS		100000000ULL

/* Of it, so much of what the other side waits at most. */
#define REST_SHARE	4

/* Where a message differs; the size if nowhere. */
static size_t find_wrong(struct icb_run *run, u64 seq,
			 const struct icb_buffer *buffer)
{
	return buffer ? check_content(run, seq, *buffer) : check_landed(run);
}

/*
 * Whether the rest of a message comes behind its last byte, by which it was noticed. A
 * device may write them in any order: rxe's is that of memcpy(), which begins with the
 * end by where both addresses are.
 */
static bool rest_comes(struct icb_run *run, u64 seq,
		       const struct icb_buffer *buffer)
{
	const size_t size = size_of(run, filler(run), seq);
	const u64 from = icb_clock_read();
	u64 most = min_t(u64, icb_clock_ticks(REST_NS),
			 run->timeout / REST_SHARE), waited = 0;

	/* a run that has failed is not held up by each of its messages */
	if (!memory_mode(run) || run->errors)
		return false;
	do {
		icb_ep_pause(run->ep, waited);
		if (find_wrong(run, seq, buffer) == size) {
			run->torn++;
			return true;
		}
		waited = icb_clock_read() - from;
	} while (waited < most);
	return false;
}

/* The buffer is that of its turn; NULL where any message may be the next one. */
static void check_message(struct icb_run *run, u64 seq,
			  const struct icb_buffer *buffer)
{
	size_t bad = find_wrong(run, seq, buffer);

	if (likely(bad == size_of(run, filler(run), seq)) ||
	    rest_comes(run, seq, buffer))
		return;
	note_wrong(run, seq, bad);
}

/**
 * icb_run_check_landed() - check the last message that was counted
 * @run: of the side where it arrived, where some may be lost, before its receive is
 *	given back
 */
void icb_run_check_landed(struct icb_run *run)
{
	check_message(run, run->last, NULL);
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
	check_message(run, seq, &buffer);
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

static noinline void check_arrived(struct icb_run *run)
{
	if (run->lossy)
		icb_run_check_landed(run);
	else
		check_message(run, run->seen, &run->came);
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
		check_arrived(run);
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

/**
 * icb_run_land() - a message has taken a receive
 * @run: of the side where it arrived, whose messages may be lost
 *
 * It may be of anybody. Receives take the buffers in their order, whichever
 * messages come.
 *
 * Return: the buffer that it lies in, of a send.
 */
u32 icb_run_land(struct icb_run *run)
{
	u32 buffer = run->landing.index;

	icb_buffers_next(&run->landing);
	return buffer;
}

/**
 * icb_run_last() - keep what the last message is that counts
 * @run: of the side where it arrived, whose messages may be lost
 * @number: of it
 * @buffer: from icb_run_land(); of a send
 */
void icb_run_last(struct icb_run *run, u64 number, u32 buffer)
{
	run->last = number;
	run->lay = buffer;
}

/**
 * icb_run_resume() - make the answer to a message, where others before it were lost
 * @run: of a responder to whom it has come
 *
 * As if those had been answered, too. Nothing is done where none was lost. Where
 * messages cross, the one with that number went before it came.
 */
void icb_run_resume(struct icb_run *run)
{
	bool crossing = run->params->direction == ICBENCH_DIRECTION_BI;
	u64 number = run->last + crossing;

	if (likely(run->seq + !run->staged == number))
		return;
	run->seq = number - 1;
	run->staged = false;
	icb_buffers_seek(&run->tx, run->params, number);
}

/* The last message that was counted is one of those that count. */
static void note_marked(struct icb_run *run)
{
	u64 now;

	run->marked++;
	if (unlikely(run->sizes.on))
		run->marked_bytes += icb_run_due(run, run->last);
	if (!run->steps || run->marked != run->step_at)
		return;
	now = icb_clock_read();
	if (run->marked > 1)
		icb_hist_add(run->steps, icb_clock_ns(now - run->stepped));
	run->stepped = now;
	run->step_at += run->params->window;
}

/**
 * icb_run_number() - sort a message that tells its number
 * @run: of a side whose messages may be lost
 * @told: what it tells
 * @buffer: from icb_run_land()
 *
 * Return: true if it comes behind those that were seen; a message that comes twice,
 * or that others have overtaken, does not, nor does one that cannot be. Of several QPs
 * any other does.
 */
bool icb_run_number(struct icb_run *run, u32 told, u32 buffer)
{
	s32 ahead = icb_told_ahead(told, run->number);

	/* numbers begin at 1 */
	if ((ahead <= 0 && run->flows == 1) ||
	    run->number + ahead - 1 >= run->most) {
		run->foreign++;
		return false;
	}
	icb_run_last(run, run->number + ahead, buffer);
	if (told >> ICB_TOLD_BITS)
		note_marked(run);
	if (ahead > 0)
		run->number += ahead;
	return true;
}

/**
 * icb_run_warm() - a run has warmed up: see whether it is to measure now
 * @run: of the initiator; once or more often, from any context
 *
 * Return: false as long as another run of its crowd is still warming up.
 */
bool icb_run_warm(struct icb_run *run)
{
	struct icb_crowd *crowd = run->crowd;

	if (!crowd)
		return true;
	if (!cmpxchg(&run->warm, 0, 1))
		icb_crowd_warmed(crowd);
	return icb_crowd_warm(crowd);
}

/**
 * icb_run_lingers() - a run has measured: see whether it is to go on all the same
 * @run: of the initiator; once or more often, from any context
 *
 * Return: true as long as another run of its crowd has not measured.
 */
bool icb_run_lingers(struct icb_run *run)
{
	struct icb_crowd *crowd = run->crowd;

	/* a sample beyond the threshold ends all of them, at once */
	if (!crowd || run->beyond.number)
		return false;
	if (!cmpxchg(&run->measured, 0, 1))
		icb_crowd_measured(crowd);
	return !icb_crowd_over(crowd);
}

/**
 * icb_run_ends() - the last operation has been booked
 * @run: of the initiator, whose operations come one after the other
 *
 * Return: true if it was the very last one; false where others follow that do not
 * count.
 */
bool icb_run_ends(struct icb_run *run)
{
	if (READ_ONCE(run->consumer.stop) || !icb_run_lingers(run))
		return true;
	icb_clock_busy(&run->busy[1], run->cpu);
	run->tail = true;
	run->left = 1;
	return false;
}

/* All operations of the warm-up were made; steady or not, it is told to others once. */
static bool is_warm(const struct icb_run *run)
{
	return !run->warmup.on || READ_ONCE(run->warm) ||
	       icb_warmup_over(&run->warmup, run->since);
}

/**
 * icb_run_unmeasured() - an operation is over that does not count
 * @run: as above, its @left not 0
 * @ticks: that it took, until run->since
 *
 * Return: true if it was the last one.
 */
bool icb_run_unmeasured(struct icb_run *run, u64 ticks)
{
	struct icb_warmup *warmup = &run->warmup;

	run->besides &= ~ICB_BESIDES_EMPTY;
	if (run->tail)
		return icb_crowd_over(run->crowd) || READ_ONCE(run->consumer.stop);
	if (warmup->on)
		icb_warmup_add(warmup, ticks, run->since);
	/* the last one of the warm-up, again and again */
	if (run->left > 1 || (is_warm(run) && icb_run_warm(run)))
		run->left--;
	if (!run->left)
		icb_run_measure(run);
	return READ_ONCE(run->consumer.stop);
}

/**
 * icb_run_skip() - book an operation whose answer was given up
 * @run: of the initiator
 *
 * Return: true if it was the last one.
 */
bool icb_run_skip(struct icb_run *run)
{
	/* the next answer is that of the next operation */
	icb_buffers_next(&run->rx);
	if (run->left)
		return icb_run_unmeasured(run, 0);
	run->besides &= ~ICB_BESIDES_EMPTY;
	if (!run->done && !run->unanswered)
		WRITE_ONCE(run->began, run->give_up - run->patience);
	WRITE_ONCE(run->unanswered, run->unanswered + 1);
	/* it may be known before the time is over that there is none */
	WRITE_ONCE(run->ended, min_t(u64, run->give_up, icb_clock_read()));
	return (run->done + run->unanswered >= run->goal ||
		run->ended - run->began >= run->until ||
		READ_ONCE(run->consumer.stop)) && icb_run_ends(run);
}

/* One message was posted and another one polled: the work of both its ends. */
static void book_calls(struct icb_run *run, const struct icb_stamps *stamps)
{
	u64 ticks = stamps->posted - stamps->post + stamps->rearm;

	if (stamps->poll)
		ticks += stamps->end - stamps->poll;
	icb_hist_add(&run->hist[ICB_HIST_OVERHEAD], icb_clock_ns(ticks));
}

static noinline void book_besides(struct icb_run *run,
				  const struct icb_stamps *stamps)
{
	if (run->besides & ICB_BESIDES_EMPTY)
		icb_hist_add(&run->hist[ICB_HIST_POLL_EMPTY],
			     icb_clock_ns(stamps->empty));
	if (run->besides & ICB_BESIDES_OVERHEAD)
		book_calls(run, stamps);
	run->besides &= ~ICB_BESIDES_EMPTY;
}

/**
 * icb_run_batched() - whether a run takes its samples in batches
 * @params: of the run
 *
 * Return: true where it is about a distribution that a loop books.
 */
bool icb_run_batched(const struct icb_params *params)
{
	return !icb_verb_of(params)->local &&
	       params->trigger != ICBENCH_TRIGGER_COMPLETION;
}

/* Of all samples; may have wrapped. */
static u64 sum_of(const struct icb_hist *hist)
{
	return (u64)hist->sum + hist->origin * hist->count;
}

/**
 * icb_run_batch() - a batch of samples is complete
 * @run: of the initiator, whose samples are as many as its @batch_end
 *
 * Between two samples, but in an open loop, where they overlap. Where the intervals are as
 * narrow as they are to be, and the least time is over, the run has measured enough.
 */
void icb_run_batch(struct icb_run *run)
{
	const u64 count = run->hist->count;

	if (count == run->means.end)
		icb_means_end(&run->means, sum_of(run->hist), count);
	if (count == run->batches->end &&
	    icb_batches_end(run->batches, &run->hist[0]) &&
	    run->ended - run->began >= run->settled)
		run->goal = run->done;
	run->batch_end = min_t(u64, run->batches->end, run->means.end);
}

/**
 * icb_run_divisor() - what a sample is divided by in the result
 * @run: of trigger echo or return
 *
 * A message has gone one way in half of a round trip, or while another came; an
 * operation of calls may do the same thing several times.
 *
 * Return: the divisor, 1 and more.
 */
u32 icb_run_divisor(const struct icb_run *run)
{
	u32 parts = 0, i;

	if (run->params->trigger == ICBENCH_TRIGGER_ECHO)
		return run->params->direction == ICBENCH_DIRECTION_BI ?
			1 : run->verb->divisor;
	for (i = 0; i < run->verb->calls; i++)
		parts += run->verb->call[i].parts;
	return parts ? : 1;
}

static u32 causes_of(struct icb_run *run, const struct icb_hist *hist, u64 ns)
{
	const u64 waited = run->disturb.waited;
	u32 causes = icb_tail_causes(&run->waits, run->causes, waited, ns, hist);

	/* where samples overlap, the times are not of this one */
	if (run->params->trigger == ICBENCH_TRIGGER_CLOCK)
		return causes;
	return icb_tail_weigh(run->disturbed, &run->disturb.spent, causes,
			      waited, ns, hist->min);
}

/**
 * icb_run_blame() - book what has disturbed a sample
 * @run: of the initiator, whose @causes are not 0
 * @hist: the distribution of the sample
 * @ns: the sample
 */
noinline void icb_run_blame(struct icb_run *run, const struct icb_hist *hist,
			    u64 ns)
{
	u32 causes = causes_of(run, hist, ns);

	if (causes)
		icb_tail_add(run->disturbed, ns, causes);
}

/**
 * icb_run_exceed() - a sample is beyond the threshold: the run ends with it
 * @run: of the initiator
 * @hist: the distribution of the sample, which is not booked yet
 * @number: which of those measured it is, from 1
 * @ns: the sample
 * @end: clock when it ended
 *
 * Once. Any context of the side's driver.
 */
void icb_run_exceed(struct icb_run *run, const struct icb_hist *hist,
		    u64 number, u64 ns, u64 end)
{
	run->beyond.number = number;
	run->beyond.ns = ns;
	icb_disturb_beyond(&run->asker, number, ns,
			   icb_clock_ns(icb_clock_read() - end));
	/* takes long: the trace has ended */
	if (run->disturbed) {
		run->beyond.causes = causes_of(run, hist, ns);
		run->beyond.chance = icb_tail_chance(run->disturbed, hist,
						     run->beyond.causes, ns,
						     ICB_DISTURB_TICK_NS);
	}
	/* others are on their way where samples overlap */
	run->limit = U64_MAX;
	WRITE_ONCE(run->goal, 0);
}

/**
 * icb_run_peak() - a sample is the greatest so far
 * @run: of the initiator
 * @ns: the sample; it is not booked yet
 * @end: clock when it ended
 *
 * One that is beyond the threshold is the last one. Any context of the side's
 * driver.
 *
 * Return: what icb_hist_book() is to be given.
 */
noinline u64 icb_run_peak(struct icb_run *run, u64 ns, u64 end)
{
	if (ns > run->limit)
		icb_run_exceed(run, run->hist, run->done + 1, ns, end);
	return icb_hist_raise(run->hist, ns);
}

/* Append the words of causes at @len of @text; returns where they end. */
static size_t name_causes(char *text, size_t size, size_t len,
			  const char *before, u32 causes)
{
	u32 i;

	for (i = 0; i < ICB_CAUSES && len < size; i++) {
		if (!(causes & BIT(i)))
			continue;
		len += snprintf(text + len, size - len, "%s%s", before,
				icb_cause_words[i]);
		before = ", ";
	}
	return len;
}

/**
 * icb_run_beyond_words() - say which sample has ended a run
 * @run: of the initiator, over
 * @why: where to
 *
 * Return: false where none did.
 */
bool icb_run_beyond_words(const struct icb_run *run, struct icb_reason *why)
{
	const struct icb_beyond *beyond = &run->beyond;
	char causes[128] = "";
	size_t len;

	if (!beyond->number)
		return false;
	len = name_causes(causes, sizeof(causes), 0, "; disturbed by ",
			  beyond->causes & ~beyond->chance);
	if (run->disturbed && !len)
		len = snprintf(causes, sizeof(causes),
			       "; disturbed by nothing known");
	name_causes(causes, sizeof(causes), len, "; by its length alone: ",
		    beyond->chance);
	icb_refuse(why, 0, "sample %llu took %llu ns, threshold %llu ns%s",
		   (unsigned long long)beyond->number,
		   (unsigned long long)div64_u64(beyond->ns,
						 icb_run_divisor(run)),
		   (unsigned long long)run->params->threshold, causes);
	return true;
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
	if (unlikely(run->left))
		return icb_run_unmeasured(run,
					  stamps->end - stamps->post);
	if (unlikely(!run->done && !run->unanswered))
		WRITE_ONCE(run->began, stamps->post);
	icb_run_book(run, icb_clock_ns(stamps->end - stamps->post),
		     stamps->end);
	if (unlikely(run->causes))
		icb_run_blame(run, run->hist,
			      icb_clock_ns(stamps->end - stamps->post));
	icb_hist_add(&run->hist[ICB_HIST_POST],
		     icb_clock_ns(stamps->posted - stamps->post));
	if (stamps->poll)
		icb_hist_add(&run->hist[ICB_HIST_POLL],
			     icb_clock_ns(stamps->end - stamps->poll));
	if (run->besides)
		book_besides(run, stamps);
	WRITE_ONCE(run->ended, stamps->end);
	WRITE_ONCE(run->done, run->done + 1);
	if (unlikely(run->done == run->batch_end))
		icb_run_batch(run);
	return (run->done + run->unanswered >= run->goal ||
		stamps->end - run->began >= run->until ||
		READ_ONCE(run->consumer.stop)) && icb_run_ends(run);
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
		run->params->workers > 1 ||
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

	if (bad == size_of(run, filler(run), seq))
		return 0;
	if (is_blind(run) && run->initiator &&
	    check_content(run, later, buffer) ==
	    size_of(run, filler(run), later))
		return 0;
	return refuse_message(why, bad, seq);
}

/*
 * The last state of each buffer of a stream that was used. The peer says which message was
 * the last one: no number of its makes this longer than the run's own buffers do.
 */
static int check_buffers(struct icb_run *run, u64 last, struct icb_reason *why)
{
	const u64 newest = icb_buffers_newest(run->params);
	const u64 warmup = icb_buffers_warmup(run->params);
	const u32 ring = icb_buffers_ring(run->params);
	u32 turns = 0;
	u64 seq;
	int err;

	/* a responder was told that this is the end */
	for (seq = last; seq && (goes_on(run) || run->consumer.stop == ICB_STOP_END);
	     seq--) {
		/* those taken in turn have been seen: new ones are left */
		if (turns == ring)
			seq = min_t(u64, seq, newest);
		if (turns == ring && seq <= warmup)
			break;
		if (icb_buffers_at(run->params, seq).index < ring) {
			if (turns == ring)
				continue;
			turns++;
		}
		err = check_state(run, seq, why);
		if (err)
			return err;
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

/*
 * Whether a stranger's message may lie where the last one did: datagrams share a
 * buffer. It may have come since the last look.
 */
static bool is_overwritten(struct icb_run *run)
{
	unsigned int i;

	if (!icb_params_datagrams(run->params))
		return false;
	for (i = 0; i < LATE_LOOKS && !run->foreign; i++)
		icb_run_catch_up(run);
	return run->foreign;
}

static int check_one(struct icb_run *run, u64 last, struct icb_reason *why)
{
	size_t bad = run->lossy ? check_landed(run) :
		check_content(run, last, icb_buffers_at(run->params, last));

	if (bad == size_of(run, filler(run), last))
		return 0;
	return icb_refuse(why, -EBADMSG,
			  "verify: byte %llu of the last message is not what was sent",
			  (unsigned long long)bad);
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
	struct icb_reason found;
	u64 last;
	int err;

	if (run->errors)
		return icb_refuse(why, -EBADMSG,
				  "verify: %llu of %llu messages arrived with other content than was sent; the first, number %llu, from byte %llu on",
				  (unsigned long long)run->errors,
				  (unsigned long long)(run->verb->passive ?
					max_t(u64, run->seen, run->acked) :
					run->seen + run->looked),
				  (unsigned long long)run->wrong,
				  (unsigned long long)run->wrong_byte);
	/* an atomic that was on its way when it was cut short may have come since */
	if (!icb_params_fills(run->params, run->initiator) ||
	    (run->verb->atomic && !run->initiator) || has_checked(run))
		return 0;
	/* which one of those of several QPs was served last, nobody knows */
	if (run->verb->atomic && run->flows > 1 && icb_run_streams(run))
		return 0;
	last = run->lossy ? run->last : last_message(run);
	if (!last)
		return 0;
	err = checks_buffers(run) && !run->lossy ?
				    check_buffers(run, last, &found) :
				    check_one(run, last, &found);
	if (!err || is_overwritten(run))
		return 0;
	return icb_refuse(why, err, "%s", found.text);
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

/* Of messages of a side, from one on. */
static u64 bytes_of(const struct icb_run *run, bool initiator, u64 number,
		    u64 messages)
{
	if (likely(!run->sizes.on))
		return messages * run->params->size;
	return icb_sizes_sum(&run->sizes, initiator, number, messages);
}

/**
 * icb_run_account() - compare what was sent with what the other side says
 * @run: of the initiator, over
 * @sent: by this side
 * @seen: by the other side
 * @told: of those of them that count, of a stream that may lose some
 * @why: the reason of a refusal
 *
 * What was lost is no error where that may be.
 *
 * Return: 0; -EBADMSG.
 */
int icb_run_account(struct icb_run *run, u64 sent, u64 seen,
		    const struct icb_delivery *told, struct icb_reason *why)
{
	u64 most;

	if (!run->lossy)
		return seen == sent ? 0 :
			icb_refuse(why, -EBADMSG,
				   "%llu messages were sent, the peer reports %llu",
				   (unsigned long long)sent,
				   (unsigned long long)seen);
	if (seen > sent || told->count > seen)
		return icb_refuse(why, -EBADMSG,
				  "%llu messages were sent, the peer reports %llu, and %llu that count",
				  (unsigned long long)sent,
				  (unsigned long long)seen,
				  (unsigned long long)told->count);
	if (told->middle > told->slow || told->slow > told->longest)
		return icb_refuse(why, -EBADMSG,
				  "the peer reports windows that came in %llu, %llu and %llu ns, in this order",
				  (unsigned long long)told->middle,
				  (unsigned long long)told->slow,
				  (unsigned long long)told->longest);
	run->delivery = *told;
	if (run->sizes.on) {
		most = run->first ? bytes_of(run, true, run->first,
					     run->seq - run->first + 1) : 0;
		if (told->bytes > most || told->bytes < told->count)
			return icb_refuse(why, -EBADMSG,
					  "messages of %llu bytes were sent, the peer reports %llu with %llu bytes",
					  (unsigned long long)most,
					  (unsigned long long)told->count,
					  (unsigned long long)told->bytes);
		/* as those below */
		run->delivery.bytes = min_t(u64, told->bytes,
					    bytes_of(run, true, run->first,
						     run->done));
	}
	run->lost = sent - seen;
	/* of a run that was cut short more may have come than is known to be sent */
	run->delivered = min_t(u64, told->count, run->done);
	run->lost_known = true;
	return 0;
}

/**
 * icb_run_delivery() - say what has come of the messages that count
 * @run: of a responder, whose messages may be lost, over
 * @told: where to
 */
void icb_run_delivery(const struct icb_run *run, struct icb_delivery *told)
{
	memset(told, 0, sizeof(*told));
	told->count = run->marked;
	told->bytes = run->marked_bytes;
	if (!run->steps || !run->steps->count)
		return;
	told->longest = run->steps->max;
	told->slow = icb_hist_quantile(run->steps, 99, 100);
	told->middle = icb_hist_quantile(run->steps, 1, 2);
}

/**
 * icb_run_tell() - say what became of the stream of this side
 * @run: of a responder that streams messages that the other side sees, over
 * @told: where to
 */
void icb_run_tell(const struct icb_run *run, struct icb_returns *told)
{
	told->sent = run->seq;
	told->done = run->done;
	if (run->lossy)
		told->counted = run->timed ? run->seq - run->base : 0;
	else
		told->counted = run->acked;
}

/**
 * icb_run_owed() - messages of the other side's stream that are waited for
 * @run: of the initiator, over
 * @told: by the other side
 *
 * Return: how many are to be seen at least; of those that may be lost, all.
 */
u64 icb_run_owed(const struct icb_run *run, const struct icb_returns *told)
{
	return run->lossy ? told->sent : told->counted;
}

/*
 * What has completed there has arrived here, and nothing arrives that was not sent.
 * What had not completed when that side was told to stop may have come or not.
 */
static int account_returned(struct icb_run *run, const struct icb_returns *told,
			    struct icb_reason *why)
{
	u64 seen = READ_ONCE(run->seen);

	if (told->done <= told->counted && told->counted <= seen &&
	    seen <= told->sent)
		return 0;
	return icb_refuse(why, -EBADMSG,
			  "%llu messages of the peer's arrived; it reports that it sent %llu, %llu of which completed, and measured %llu",
			  (unsigned long long)seen,
			  (unsigned long long)told->sent,
			  (unsigned long long)told->counted,
			  (unsigned long long)told->done);
}

/**
 * icb_run_account_back() - compare what has come with what the other side says
 * @run: of the initiator, where what the other side sent has come
 * @told: by the other side
 * @why: the reason of a refusal
 *
 * Of the messages that count there some had not completed when that side was told to
 * stop, and which of them have come nobody knows: all, as far as its rate goes, so
 * that this is none too high.
 *
 * Return: 0; -EBADMSG.
 */
int icb_run_account_back(struct icb_run *run, const struct icb_returns *told,
			 struct icb_reason *why)
{
	u64 seen = READ_ONCE(run->seen), marked = run->marked, late;

	if (!run->lossy)
		return account_returned(run, told, why);
	if (told->counted > told->sent || told->done > told->counted ||
	    seen > told->sent || marked > told->counted)
		return icb_refuse(why, -EBADMSG,
				  "%llu messages of the peer's arrived, and %llu that count; it reports %llu, and %llu that count",
				  (unsigned long long)seen,
				  (unsigned long long)marked,
				  (unsigned long long)told->sent,
				  (unsigned long long)told->counted);
	late = told->counted - told->done;
	run->peer_lost = told->sent - seen;
	run->peer_done = marked > late ? marked - late : 0;
	return 0;
}

/**
 * icb_run_moved() - operations of a window that a rate is of
 * @run: of the initiator, over
 *
 * Return: those measured; where messages may be lost, those that have arrived.
 */
u64 icb_run_moved(const struct icb_run *run)
{
	return run->lossy ? run->delivered : run->done;
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
 * icb_result_lost() - add what was lost to a result
 * @result: where to
 * @run: of the initiator, over
 *
 * Nothing is added where nothing can be lost, or the other side did not tell.
 */
void icb_result_lost(struct icb_result *result, const struct icb_run *run)
{
	u64 foreign;

	if (!run->lossy)
		return;
	if (run->lost_known)
		icb_result_scalar(result, "lost", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, run->lost);
	if (run->lost_known && icb_params_returns(run->params))
		icb_result_scalar(result, "peer_lost", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, run->peer_lost);
	if (run->params->trigger == ICBENCH_TRIGGER_ECHO)
		icb_result_scalar(result, "unanswered", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, run->unanswered);
	foreign = run->foreign + run->peer_foreign;
	if (run->lost_known && (foreign || icb_params_datagrams(run->params)))
		icb_result_scalar(result, "foreign", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, foreign);
}

/**
 * icb_result_torn() - add how many messages were noticed too early to a result
 * @result: where to
 * @run: of the initiator, over
 *
 * Of those that it has checked; nothing is added where there were none.
 */
void icb_result_torn(struct icb_result *result, const struct icb_run *run)
{
	if (run->torn)
		icb_result_scalar(result, "torn", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, run->torn);
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

/**
 * icb_result_trust() - say how far a distribution can be trusted
 * @result: whose last metric is that distribution, what the run is about, if it is
 *	there at all
 * @run: of the initiator, over
 *
 * What has disturbed its samples, and the percentiles of its batches.
 */
void icb_result_trust(struct icb_result *result, const struct icb_run *run)
{
	struct icb_metric *metric;

	if (!result->count)
		return;
	metric = &result->metric[result->count - 1];
	metric->tail = run->disturbed;
	metric->batches = run->batches;
	if (run->batches)
		metric->means = &run->means;
}

/* What exceeds a u64 no link carries, but a clock that jumps, or a peer, may claim it. */
static u64 scaled(u64 amount, u64 by, u64 of)
{
	if (amount / of >= U64_MAX / by)
		return U64_MAX;
	return mul_u64_u64_div_u64(amount, by, of);
}

/* In thousandths, so that a slow device has a rate, too. */
static u64 rate(u64 amount, u64 elapsed)
{
	return scaled(amount, RATE_SECOND, elapsed);
}

static void add_value(struct icb_result *result, const char *name, u32 unit,
		      u64 value)
{
	icb_result_scalar(result, name, unit, ICBENCH_METRIC_KIND_SCALAR,
			  value);
	result->metric[result->count - 1].divisor = RATE_DIVISOR;
}

/* In thousandths; of both sides, where both stream. */
static u64 total_rate(const struct icb_run *run, u64 own, u64 others)
{
	u64 elapsed = icb_clock_ns(run->ended - run->began);
	u64 sum = elapsed ? rate(own, elapsed) : 0, peer = 0;

	if (run->peer_elapsed)
		peer = rate(others, run->peer_elapsed);
	return sum > U64_MAX - peer ? U64_MAX : sum + peer;
}

static void add_rate(struct icb_result *result, const char *name, u32 unit,
		     const struct icb_run *run, u64 own, u64 others)
{
	if (run->ended == run->began && !run->peer_elapsed)
		return;
	add_value(result, name, unit, total_rate(run, own, others));
}

/* What a bandwidth is the quotient of; nothing where no time has passed. */
static void add_quotient(struct icb_result *result, const char *bytes_name,
			 u64 bytes, const char *elapsed_name, u64 elapsed)
{
	if (!elapsed)
		return;
	icb_result_scalar(result, bytes_name, ICBENCH_UNIT_BYTES,
			  ICBENCH_METRIC_KIND_SCALAR, bytes);
	icb_result_scalar(result, elapsed_name, ICBENCH_UNIT_NS,
			  ICBENCH_METRIC_KIND_SCALAR, elapsed);
}

/* Whether busy times are of a whole run, and of the same CPUs. */
static bool is_busy_known(const struct icb_run *run)
{
	const struct icb_busy *before = &run->busy[0], *after = &run->busy[1];
	int stop = READ_ONCE(run->consumer.stop);

	/* who waited in vain was busy with nothing that was measured */
	if (stop == ICB_STOP_TIMEOUT || stop == ICB_STOP_ERROR)
		return false;
	return before->cpus && before->cpus == after->cpus &&
	       after->ns > before->ns;
}

/* How busy the other CPUs are without the run, as a rate; nothing where that is not known. */
static bool background(const struct icb_run *run, u64 *idle)
{
	if (!run->idle_ns || run->idle.cpus != run->busy[0].cpus)
		return false;
	*idle = rate(run->idle.ns, run->idle_ns);
	return true;
}

static void add_cpu_time(struct icb_result *result, const char *name,
			 u64 cpu, u64 messages)
{
	add_value(result, name, ICBENCH_UNIT_NS,
		  div64_u64(cpu * RATE_DIVISOR, messages));
}

/**
 * icb_result_cpu() - add what a message has cost this host's CPUs
 * @result: where to
 * @run: of the initiator, over
 * @messages: that it has measured; none if no time has passed
 *
 * All of the CPUs of the run's threads, and of the others what they did not do before
 * the run, as far as that is known. Once more by a name that says whether this is of both
 * sides or of one; and of the CPUs of the run's threads alone. Nothing is added where the
 * host does not know how busy it is.
 */
void icb_result_cpu(struct icb_result *result, const struct icb_run *run,
		    u64 messages)
{
	const struct icb_busy *before = &run->busy[0], *after = &run->busy[1];
	u64 elapsed = icb_clock_ns(run->ended - run->began), cpu, all, idle = 0,
	    own = 0;
	bool known = background(run, &idle);

	if (!messages || !elapsed || !is_busy_known(run))
		return;
	/* in as much time as the rate is of: ns of the CPUs in a second */
	cpu = rate(after->ns - before->ns, elapsed);
	all = total_rate(run, messages, run->peer_done);
	if (!all || cpu > U64_MAX / RATE_DIVISOR)
		return;
	if (after->run_ns > before->run_ns)
		own = min_t(u64, cpu, rate(after->run_ns - before->run_ns,
					   elapsed));
	cpu -= min_t(u64, cpu - own, idle);
	add_cpu_time(result, "cpu_per_message", cpu, all);
	add_cpu_time(result, run->both ? "cpu_per_message_both" :
					 "cpu_per_message_one", cpu, all);
	if (own)
		add_cpu_time(result, "cpu_per_message_run", own, all);
	/* per cent of one CPU */
	if (known)
		add_value(result, "cpu_background", ICBENCH_UNIT_PERCENT,
			  div64_u64(idle, RATE_PERCENT));
}

/**
 * icb_result_warmup() - add how long a run has warmed up to a result
 * @result: where to
 * @run: of the initiator, over
 *
 * Nothing is added where that was to be as long as its parameter says.
 */
void icb_result_warmup(struct icb_result *result, const struct icb_run *run)
{
	if (!run->warmup.on)
		return;
	icb_result_scalar(result, "warmup_made", ICBENCH_UNIT_COUNT,
			  ICBENCH_METRIC_KIND_SCALAR, run->warmup.made);
	icb_result_scalar(result, "warmup_steady", ICBENCH_UNIT_COUNT,
			  ICBENCH_METRIC_KIND_SCALAR, run->warmup.steady);
}

/**
 * icb_result_wakes() - add how often a thread was woken for a message
 * @result: where to
 * @run: of the initiator, over
 * @messages: that it has waited for while it measured
 *
 * Who polls all the time never is, nor is anybody for a callback in softirq context.
 * Nothing is added where the thread that is woken is a work queue's.
 */
void icb_result_wakes(struct icb_result *result, const struct icb_run *run,
		      u64 messages)
{
	if (!messages || run->wakes > U64_MAX / RATE_DIVISOR ||
	    run->params->completion == ICBENCH_COMPLETION_WORKQUEUE)
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
 * @longest: of the times that it took, ns
 * @slow: what 99 of 100 of them do not exceed
 * @middle: and half of them; nothing is added where this is 0
 * @bytes: to move this much
 *
 * The least, the first percentile and the median.
 */
void icb_result_spread(struct icb_result *result, u64 longest, u64 slow,
		       u64 middle, u64 bytes)
{
	const u32 unit = ICBENCH_UNIT_BYTES_PER_SECOND;

	if (!middle)
		return;
	add_value(result, "bandwidth_min", unit, rate(bytes, longest));
	add_value(result, "bandwidth_p1", unit, rate(bytes, slow));
	add_value(result, "bandwidth_median", unit, rate(bytes, middle));
}

/*
 * The windows of a stream are batches of what its rate is the quotient of, unless
 * another stream is in it, too, or it is of what has arrived.
 */
static void trust_rate(struct icb_result *result, const struct icb_run *run)
{
	if (icb_run_streams(run) && icb_params_one_way(run->params) &&
	    !run->lossy && result->count)
		result->metric[result->count - 1].means = &run->means;
}

/**
 * icb_result_rates() - add bandwidth and message rate to a result
 * @result: where to
 * @run: of the initiator, over
 * @messages: that it has measured; none if no time has passed
 *
 * Where the other side has measured a stream of its own, the sum of both. Beside the
 * bandwidth are the bytes and the time that it is made of, of each side.
 */
void icb_result_rates(struct icb_result *result, const struct icb_run *run,
		      u64 messages)
{
	u64 bytes, others;

	if (!messages)
		return;
	bytes = unlikely(run->lossy && run->sizes.on) ?
		run->delivery.bytes :
		bytes_of(run, true, run->first, messages);
	others = bytes_of(run, false, icb_buffers_warmup(run->params) + 1,
			  run->peer_done);
	add_rate(result, "bandwidth", ICBENCH_UNIT_BYTES_PER_SECOND, run, bytes,
		 others);
	add_rate(result, "message_rate", ICBENCH_UNIT_PER_SECOND, run,
		 messages, run->peer_done);
	trust_rate(result, run);
	add_quotient(result, "bytes", bytes, "elapsed",
		     icb_clock_ns(run->ended - run->began));
	add_quotient(result, "peer_bytes", others, "peer_elapsed",
		     run->peer_elapsed);
	if (run->sizes.on)
		add_value(result, "size_mean", ICBENCH_UNIT_BYTES,
			  scaled(bytes + others, RATE_DIVISOR,
				 messages + run->peer_done));
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
	accepted = total_rate(run, icb_run_moved(run), run->peer_done);
	add_value(result, "offered_rate", ICBENCH_UNIT_PER_SECOND, offered);
	if (offered)
		add_value(result, "accepted", ICBENCH_UNIT_PERCENT,
			  mul_u64_u64_div_u64(min_t(u64, accepted, offered),
					      100 * RATE_DIVISOR, offered));
}
