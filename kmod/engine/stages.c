// SPDX-License-Identifier: GPL-2.0
#include "host/clock.h"
#include "host/disturb.h"
#include "io/endpoint.h"
#include "message.h"
#include "result.h"
#include "run.h"
#include "stages.h"

/* Largest difference by rounding, ns: each stage and the total are rounded down. */
#define ROUNDING	4

/* Numbers per event are stored in units of 1/FRACTION. */
#define FRACTION	1000

static const char *const handled_names[] = {
	[ICB_HANDLED_HARDIRQ] = "delivered_hardirq",
	[ICB_HANDLED_SOFTIRQ] = "delivered_softirq",
	[ICB_HANDLED_KSOFTIRQD] = "delivered_ksoftirqd",
	[ICB_HANDLED_WORKQUEUE] = "delivered_workqueue",
	[ICB_HANDLED_THREAD] = "delivered_thread",
};

/**
 * icb_stages_prepare() - reset the stages of a run
 * @run: a side that is being prepared
 */
void icb_stages_prepare(struct icb_run *run)
{
	const struct icb_params *params = run->params;
	u64 error = run->stages.error;

	memset(&run->stages, 0, sizeof(run->stages));
	run->stages.error = error;
	run->stages.on = run->initiator && params->stages;
	run->stages.shadow = run->stages.on &&
		icb_params_has(params, ICBENCH_A_PARAMS_SHADOW_CPU);
}

/**
 * icb_stages_begin() - let the shadow CPU watch for the answer to the next operation
 * @run: a run whose stages are measured
 *
 * Sets the last byte of the receive buffer to a value that the answer will change. The
 * shadow CPU watches this byte. Called outside of the sample.
 */
void icb_stages_begin(struct icb_run *run)
{
	u8 *last;

	if (!run->stages.shadow)
		return;
	last = icb_ep_buffer(run->ep, ICB_POOL_RX, run->rx.index) + run->rx_layout.extent - 1;
	WRITE_ONCE(*last, ~icb_run_due_byte(run));
	icb_ep_watch(run->ep, last, READ_ONCE(*last));
}

/**
 * icb_stages_spurious() - account for a wake-up by an event without a message
 * @run: any run
 */
void icb_stages_spurious(struct icb_run *run)
{
	struct icb_stages *stages = &run->stages;
	u32 events = stages->event.number - stages->number;

	stages->number = stages->event.number;
	/* no event: the CQ held a completion when it was armed, which ends a wait, too */
	if (run->left || !events)
		return;
	stages->events += events;
	stages->spurious++;
}

/* Time between two clock reads, ns; 0 if another CPU's clock is a little behind. */
static u64 span(u64 from, u64 to)
{
	s64 ticks = to - from;

	return icb_clock_ns(max_t(s64, ticks, 0));
}

static void count_event(struct icb_stages *stages)
{
	const struct icb_event *event = &stages->event;

	stages->handled[event->handled]++;
	stages->idle += event->idle;
	stages->wakes += event->wakes;
	stages->unknown += !event->known;
	if (event->same)
		stages->same++;
	else
		stages->cross++;
}

/* Clock at the arrival, or without shadow CPU at the handler's entry; 0 if unknown. */
static u64 beginning(struct icb_run *run)
{
	struct icb_stages *stages = &run->stages;
	u64 at;

	if (!stages->shadow)
		return stages->event.entry;
	at = icb_ep_arrival(run->ep);
	if (!at) {
		stages->unseen++;
		return 0;
	}
	if ((s64)(at - stages->event.entry) > (s64)stages->error) {
		stages->late++;
		return 0;
	}
	return at;
}

static void book(struct icb_run *run, u64 from, u64 end)
{
	const struct icb_event *event = &run->stages.event;
	struct icb_spans spans = { .deliver = -1, .reap = -1 };
	struct icb_hist *hist = run->hist;
	u64 sum, ns;

	spans.handler = span(event->entry, event->issued);
	spans.wake = span(event->issued, event->running);
	spans.whole = span(from, end);
	sum = spans.handler + spans.wake;
	if (run->stages.shadow) {
		spans.deliver = span(from, event->entry);
		sum += spans.deliver;
		icb_hist_add(&hist[ICB_HIST_DELIVER], spans.deliver);
	}
	icb_hist_add(&hist[ICB_HIST_HANDLER], spans.handler);
	icb_hist_add(&hist[ICB_HIST_WAKE], spans.wake);
	/* a completion has been taken before its callback is called */
	if (!icb_run_callbacks(run)) {
		spans.reap = span(event->running, end);
		sum += spans.reap;
		icb_hist_add(&hist[ICB_HIST_REAP], spans.reap);
	}
	icb_hist_add(&hist[ICB_HIST_INTERRUPT], spans.whole);
	ns = sum > spans.whole ? sum - spans.whole : spans.whole - sum;
	icb_hist_add(&hist[ICB_HIST_RESIDUE], ns);
	if (ns > icb_clock_ns(run->stages.error) + ROUNDING)
		run->stages.disagree++;
	icb_disturb_stages(&run->asker, run->done + 1, &spans);
}

/**
 * icb_stages_book() - record the stages of a message
 * @run: a run whose stages are measured
 * @stamps: clock readings of its operation, which is over and is not recorded yet
 *
 * Leaves out a message that was found by polling, and one that arrived before the thread
 * slept: their stages cannot be compared with those of other messages.
 */
void icb_stages_book(struct icb_run *run, const struct icb_stamps *stamps)
{
	struct icb_stages *stages = &run->stages;
	const struct icb_event *event = &stages->event;
	u32 events = event->number - stages->number;
	u32 missed = event->missed - stages->missed;
	u64 from;

	stages->number = event->number;
	stages->missed = event->missed;
	if (unlikely(run->left || run->restarted))
		return;
	stages->events += events;
	stages->missing += missed;
	if (stamps->rearm)
		icb_hist_add(&run->hist[ICB_HIST_REARM],
			     icb_clock_ns(stamps->rearm));
	if (!events)
		return;
	stages->with_event++;
	if (!event->slept) {
		stages->awake++;
		return;
	}
	from = beginning(run);
	if (!from)
		return;
	count_event(stages);
	book(run, from, stamps->end);
}

static void add_count(struct icb_result *result, const char *name, u64 value)
{
	icb_result_scalar(result, name, ICBENCH_UNIT_COUNT,
			  ICBENCH_METRIC_KIND_SCALAR, value);
}

static void add_per_event(const struct icb_run *run, struct icb_result *result)
{
	const struct icb_stages *stages = &run->stages;
	u64 messages = icb_run_callbacks(run) ? run->done : stages->with_event;

	if (!stages->events || messages > U64_MAX / FRACTION)
		return;
	add_count(result, "completions_per_event",
		  div64_u64(messages * FRACTION, stages->events));
	result->metric[result->count - 1].divisor = FRACTION;
}

/* True if the thread arms the CQ: it waits for an event of the CQ, not for a timer. */
static bool asks(const struct icb_run *run)
{
	return BIT(run->params->completion) &
	       (BIT(ICBENCH_COMPLETION_BLOCK) |
		BIT(ICBENCH_COMPLETION_ADAPTIVE));
}

static void report_counts(const struct icb_run *run, struct icb_result *result)
{
	const struct icb_stages *stages = &run->stages;
	unsigned int i;

	for (i = 0; i < ICB_HANDLED; i++)
		if (stages->handled[i])
			add_count(result, handled_names[i], stages->handled[i]);
	add_count(result, "wakes_same_cpu", stages->same);
	add_count(result, "wakes_cross_cpu", stages->cross);
	/* a handler that runs in a worker or a thread cannot interrupt the idle loop */
	if (stages->handled[ICB_HANDLED_HARDIRQ] ||
	    stages->handled[ICB_HANDLED_SOFTIRQ])
		add_count(result, "events_from_idle", stages->idle);
	if (!icb_run_callbacks(run) && !stages->unknown)
		add_count(result, "wakes_from_idle", stages->wakes);
	add_count(result, "stages_disagree", stages->disagree);
}

/**
 * icb_stages_report() - add the stages to a result
 * @run: the initiator, after the run
 * @result: the result
 *
 * Adds nothing if stages were not measured.
 */
void icb_stages_report(const struct icb_run *run, struct icb_result *result)
{
	const struct icb_stages *stages = &run->stages;

	if (!stages->on || !run->done)
		return;
	icb_result_dist(result, "deliver", &run->hist[ICB_HIST_DELIVER], 1);
	icb_result_dist(result, "handler", &run->hist[ICB_HIST_HANDLER], 1);
	icb_result_dist(result, "wake", &run->hist[ICB_HIST_WAKE], 1);
	icb_result_dist(result, "reap", &run->hist[ICB_HIST_REAP], 1);
	icb_result_dist(result, "rearm", &run->hist[ICB_HIST_REARM], 1);
	icb_result_dist(result, "interrupt", &run->hist[ICB_HIST_INTERRUPT], 1);
	icb_result_dist(result, "residue", &run->hist[ICB_HIST_RESIDUE], 1);
	if (run->hist[ICB_HIST_INTERRUPT].count)
		report_counts(run, result);
	add_per_event(run, result);
	if (!icb_run_callbacks(run))
		add_count(result, "events_before_sleep", stages->awake);
	if (asks(run)) {
		add_count(result, "spurious_wakeups", stages->spurious);
		add_count(result, "missed_events", stages->missing);
	}
	if (stages->shadow) {
		add_count(result, "arrivals_unseen", stages->unseen);
		add_count(result, "arrivals_late", stages->late);
	}
	if (stages->error)
		icb_result_scalar(result, "clock_offset", ICBENCH_UNIT_NS,
				  ICBENCH_METRIC_KIND_SCALAR,
				  icb_clock_ns(stages->error));
}
