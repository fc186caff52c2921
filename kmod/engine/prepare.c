// SPDX-License-Identifier: GPL-2.0
#include "bench.h"
#include "compute.h"
#include "content.h"
#include "host/clock.h"
#include "io/endpoint.h"
#include "message.h"
#include "model/callbacks.h"
#include "model/triggers_table.h"
#include "prepare.h"
#include "run.h"
#include "stages.h"

/* Number of samples of the smallest batch of a mean. */
#define LEAST_MEANS	16

/**
 * icb_run_hists() - get the number of distributions of an initiator
 * @params: parameters of its run
 *
 * Return: number of distributions. Samples need no other memory, unless some are kept.
 */
unsigned int icb_run_hists(const struct icb_params *params)
{
	const struct icb_trigger *trigger = icb_trigger_of(params);

	if (trigger->times_calls)
		return 1 + icb_verb_of(params)->calls;
	if (params->stages)
		return ICB_HISTS_STAGES;
	if (params->completion == ICBENCH_COMPLETION_TIMER)
		return ICB_HISTS;
	if (trigger->refills)
		return ICB_HIST_INTERVAL + 1;
	if (trigger->scheduled)
		return ICB_HIST_LATENESS + 1;
	return params->overhead ? ICB_HIST_OVERHEAD + 1 :
				  ICB_HIST_POLL_EMPTY + 1;
}

/**
 * icb_run_samples() - get the number of raw samples that an initiator keeps
 * @params: parameters of its run
 *
 * Return: largest number for all its distributions together.
 */
u64 icb_run_samples(const struct icb_params *params)
{
	return (u64)icb_run_hists(params) * params->samples;
}

/* True if a distribution keeps raw samples. For the others, that would take too long. */
static bool keeps_samples(const struct icb_run *run, unsigned int hist)
{
	/* a rehearsal, which has no loop, keeps them as a ping-pong and a stream do */
	u32 kept = run->ops ? run->ops->kept :
			      BIT(ICB_HIST_LATENCY) | BIT(ICB_HIST_POST);

	return kept & BIT(hist);
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

/* True if the responder answers messages, as in a ping-pong. A stream has no answers. */
static bool answers(const struct icb_run *run)
{
	return icb_trigger_of(run->params)->answers &&
	       !icb_params_one_way(run->params);
}

static void prepare_buffers(struct icb_run *run)
{
	const struct icb_params *params = run->params;
	u32 sent = icb_buffers_sent(params, run->initiator);
	u32 filled = icb_buffers_filled(params, run->initiator), i;

	icb_buffers_start(&run->tx, params);
	icb_buffers_start(&run->rx, params);
	icb_buffers_start(&run->recv_buffer, params);
	icb_sizes_start(&run->sizes, params);
	for (i = 0; i < ARRAY_SIZE(run->payload); i++)
		run->payload[i] = icb_payload_of(params->seed, i);
	run->mixed = params->direction == ICBENCH_DIRECTION_BI && run->sizes.on;
	run->sets_buffer = run->tx.count > 1 || run->sizes.on;
	for (i = 0; i < sent && icb_run_goes_on(run); i++)
		icb_segments_fill(&run->tx_layout, icb_ep_buffer(run->ep, ICB_POOL_TX, i),
				  run->payload[run->initiator], i);
	if (run->verb->atomic)
		icb_word_write(icb_ep_buffer(run->ep, ICB_POOL_TX, 0), icb_atomic_word(run, 0));
	if (!run->verb->passive ||
	    !icb_params_begins(params, run->initiator))
		return;
	for (i = 0; i < filled && icb_run_goes_on(run); i++)
		icb_spoil_answer(run, 1, i);
}

/*
 * Longest time of posting before a stream yields, ns. In softirqs it is the longest time of
 * ICB_CALLBACKS_IN_ROW callbacks together.
 */
#define STRETCH_NS	20000000

/* True if operations are posted in callbacks, or in the handler of a timer. */
static bool posts_in_softirq(const struct icb_run *run)
{
	return icb_run_callbacks(run) ||
	       run->params->trigger == ICBENCH_TRIGGER_CLOCK;
}

/*
 * Number of operations after which a callback stops filling windows. With the rest of its
 * last batch, it posts at most icb_callback_messages(). It then posts up to the next
 * signalled operation: at most icb_callback_messages() again.
 */
static u64 part_of(const struct icb_params *params)
{
	u64 most = icb_callback_messages(params);
	u64 batch = icb_params_has(params, ICBENCH_A_PARAMS_BATCH) ?
		params->batch : 1;

	return most > batch ? most - batch + 1 : 1;
}

/* Set up the flows. Without allocated ones, the run has one QP and uses run->only. */
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
	run->stretch = icb_clock_ticks(STRETCH_NS /
				       (posts_in_softirq(run) ?
					ICB_CALLBACKS_IN_ROW : 1));
	run->part = part_of(run->params);
	run->part_end = U64_MAX;
}

/* True if callbacks drive a ping-pong that a thread restarts after a lost answer. */
static bool restarts(const struct icb_params *params)
{
	return icb_params_lossy(params) &&
	       icb_trigger_of(params)->answers &&
	       BIT(params->completion) & ICB_COMPLETIONS_CALLBACK;
}

/*
 * Greatest number of a message in the run. A datagram from any sender may carry any
 * number, and greater ones are rejected. There is no such limit for a side that continues
 * until others have measured, or whose thread restarts callbacks.
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

/* Longest warm-up whose length is not given by a parameter, ns. */
#define WARMUP_NS	1000000000ULL

/*
 * True if a warm-up may last longer than its parameter says. This is not possible where
 * the peer relies on its length, or the sequence of buffers begins at its end.
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
	const struct icb_trigger *trigger = icb_trigger_of(params);
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
	run->spin_misses = 0;
	run->spin_backoff = 0;
	run->deferred = params->overhead ? ICB_DEFERRED_OVERHEAD : 0;
	run->lossy = icb_params_lossy(params);
	run->returns = icb_params_returns(params);
	run->consumer.listens = initiator && (run->returns || restarts(params));
	run->most = most_number(params);
	run->patience = icb_clock_ticks(icb_params_patience(params));
	run->step_at = 1;
	if (run->steps)
		icb_hist_reset(run->steps);
	run->since = icb_clock_read();
	run->left = icb_params_begins(params, initiator) ? params->warmup : 0;
	run->warmup.on = false;
	if (warms_until_steady(run))
		icb_warmup_begin(&run->warmup, params->warmup,
				 icb_clock_ticks(WARMUP_NS));
	/* a run waits for the other runs of its barrier in a warm-up */
	if (run->barrier && !run->left && !trigger->refills)
		run->left = 1;
	/* only the initiator limits what is measured */
	run->goal = timed || !initiator ? U64_MAX : params->iterations;
	run->until = timed ? icb_clock_ticks(params->duration) : U64_MAX;
	run->limit = icb_params_has(params, ICBENCH_A_PARAMS_THRESHOLD) ?
		params->threshold * icb_run_divisor(run) : U64_MAX;
	run->deadline = U64_MAX;
	if (initiator)
		empty_hists(run);
	icb_means_begin(&run->means, trigger->refills || !initiator ? 1 : LEAST_MEANS);
	icb_steady_begin(&run->steady, icb_params_steady(params) ?
			 (u64)params->window * icb_params_total_qps(params) : 0);
	if (!run->batches)
		return;
	/* samples of an open loop overlap: avoid small batches, whose ends take time */
	icb_batches_begin(run->batches,
			  timed || trigger->scheduled ? 0 : params->iterations,
			  params->until,
			  icb_percentile_parts(params->until_percentile));
	run->settled = icb_clock_ticks(params->until_time);
	run->batch_end = min_t(u64, run->batches->end, run->means.end);
}

static void prepare_phase(struct icb_run *run)
{
	WRITE_ONCE(run->consumer.phase, (run->left || run->barrier) && run->initiator ?
				       ICB_PHASE_WARMUP :
				       ICB_PHASE_MEASURING);
}

/**
 * icb_run_prepare() - prepare a side to run
 * @run: with @params, @ep, @mate and, for an initiator, the distributions set
 * @initiator: true for the initiator, false for the responder
 *
 * Must be called before a message can arrive.
 */
void icb_run_prepare(struct icb_run *run, bool initiator)
{
	const struct icb_params *params = run->params;

	prepare_goal(run, initiator);
	icb_segments_of(params, &run->tx_layout, &run->rx_layout);
	run->unsignalled = params->signal_every;
	/* number of messages at which a responder answers the first window */
	run->lap = params->warmup ? min_t(u64, params->window, params->warmup) :
		   icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS) ?
		   min_t(u64, params->window, params->iterations) :
		   params->window;
	run->report_every = icb_params_report_every(params);
	run->report_in = run->report_every;
	run->looked = 0;
	prepare_flows(run);
	icb_compute_prepare(run);
	icb_stages_prepare(run);
	prepare_buffers(run);
	/* with two buffers the first answer is staged before its message arrives */
	if (!initiator && answers(run) && run->tx.ring > 1)
		icb_run_stage(run);
	prepare_phase(run);
}

/**
 * icb_run_prepare_local() - prepare a run that has no connection
 * @run: with @params and the distributions set
 */
void icb_run_prepare_local(struct icb_run *run)
{
	prepare_goal(run, true);
	prepare_phase(run);
}

/**
 * icb_run_rehearse() - prepare a run without operations, to time the measurement itself
 * @run: zeroed, except for @run->flow and @run->flows if there are several QPs
 * @params: parameters, as of any run
 * @hist: ICB_HISTS distributions for it
 * @samples: memory for the samples that are kept, @params->samples of each distribution;
 *	or NULL
 *
 * The run is neither watched nor stopped, and does not end.
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
