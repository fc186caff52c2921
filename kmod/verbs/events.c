// SPDX-License-Identifier: GPL-2.0
#include <linux/interrupt.h>
#include <linux/sched.h>
#include <linux/sched/stat.h>

#include "compat.h"
#include "events.h"
#include "host/abort.h"
#include "host/clock.h"
#include "host/idle.h"

static void wake_thread(struct icb_ep *ep)
{
	struct task_struct *task;

	smp_store_release(&ep->own.wait.event_raised, true); /* pairs with sleep_for_event() */
	task = READ_ONCE(ep->own.wait.task);
	if (task)
		wake_up_process(task);
}

static enum icb_handled handled_by(void)
{
	if (in_hardirq())
		return ICB_HANDLED_HARDIRQ;
	if (in_serving_softirq())
		return icb_ep_is_ksoftirqd(current) ?
			ICB_HANDLED_KSOFTIRQD : ICB_HANDLED_SOFTIRQ;
	return current->flags & PF_WQ_WORKER ? ICB_HANDLED_WORKQUEUE :
					       ICB_HANDLED_THREAD;
}

/*
 * Record an event and the context of its handler, where stages are measured. Needs no
 * lock: one event is pending at a time, and it wakes the thread that reads @ep->own.wait.event.
 */
static noinline void note_event(struct icb_ep *ep, u64 entry)
{
	struct icb_event *event = &ep->own.wait.event;

	event->entry = entry;
	event->number++;
	event->handled = handled_by();
	event->idle = is_idle_task(current);
	ep->own.wait.event_cpu = raw_smp_processor_id();
	event->known = ep->own.wait.event_cpu == ep->plan.cpu || ep->own.wait.idle_task;
	event->wakes = ep->own.wait.event_cpu == ep->plan.cpu ? event->idle :
		      ep->own.wait.idle_task && icb_idle_runs(ep->own.wait.idle_task);
	event->issued = icb_clock_read();
}

static u64 entered(const struct icb_ep *ep)
{
	return unlikely(ep->plan.stages) ? icb_clock_read() : 0;
}

/**
 * icb_ep_recv_event() - handle the event of a CQ that a thread waits for
 * @cq: the CQ
 * @context: the endpoint
 */
void icb_ep_recv_event(struct ib_cq *cq, void *context)
{
	struct icb_ep *ep = context;

	if (unlikely(ep->plan.stages))
		note_event(ep, icb_clock_read());
	wake_thread(ep);
}

/**
 * icb_ep_callback_event() - handle the event of a CQ that is served by callbacks
 * @cq: the CQ
 * @context: the endpoint, whose stages are measured
 *
 * Records the event, then calls the core's handler. The core runs the callbacks later, in
 * another context.
 */
void icb_ep_callback_event(struct ib_cq *cq, void *context)
{
	struct icb_ep *ep = context;

	note_event(ep, entered(ep));
	ep->own.wait.handler(cq, context);
}

/**
 * icb_ep_event() - return the record of the last event
 * @ep: endpoint of a run whose stages are measured
 * @event: receives the record
 *
 * Called by the thread, or in the callback, that the event has notified.
 */
void icb_ep_event(struct icb_ep *ep, struct icb_event *event)
{
	*event = ep->own.wait.event;
	event->same = ep->own.wait.event_cpu == raw_smp_processor_id();
}

static int arm(struct icb_ep *ep, struct ib_cq *cq)
{
	int n = ib_req_notify_cq(cq, IB_CQ_NEXT_COMP |
				     IB_CQ_REPORT_MISSED_EVENTS);

	if (n > 0) {
		WRITE_ONCE(ep->own.wait.event_raised, true);
		ep->own.wait.event.missed++;
	}
	return min(n, 0);
}

static int arm_all(struct icb_ep *ep)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ep->plan.pairs && !err; i++)
		err = arm(ep, ep->cqs[i].rcq);
	return err;
}

/**
 * icb_ep_arm() - ask for an event at the next arrival
 * @ep: the endpoint
 *
 * Return: 0; a negative error number.
 */
int icb_ep_arm(struct icb_ep *ep)
{
	/* a ping-pong expects its next message on one QP */
	if (likely(ep->plan.arms_one))
		return arm(ep, ep->rx_at->cqs->rcq);
	return arm_all(ep);
}

/* Sleep with a limit, for messages that may be lost, or record the stages. */
static noinline bool sleep_watched(struct icb_ep *ep, const int *stop)
{
	bool slept = false;

	for (;;) {
		set_current_state(TASK_IDLE);
		/* pairs with wake_thread() */
		if (smp_load_acquire(&ep->own.wait.event_raised) || READ_ONCE(*stop))
			break;
		slept = true;
		if (!schedule_timeout(ep->plan.sleep_limit))
			break;
	}
	if (ep->plan.stages) {
		ep->own.wait.event.running = icb_clock_read();
		ep->own.wait.event.slept = slept;
	}
	__set_current_state(TASK_RUNNING);
	WRITE_ONCE(ep->own.wait.event_raised, false);
	return slept;
}

/* This function is inside a blocking sample: its common path has no extra step. */
static __always_inline bool sleep_for_event(struct icb_ep *ep, const int *stop)
{
	bool slept = false;

	if (unlikely(ep->plan.watched))
		return sleep_watched(ep, stop);
	for (;;) {
		set_current_state(TASK_IDLE);
		/* pairs with wake_thread() */
		if (smp_load_acquire(&ep->own.wait.event_raised) || READ_ONCE(*stop))
			break;
		slept = true;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	WRITE_ONCE(ep->own.wait.event_raised, false);
	return slept;
}

/**
 * icb_ep_sleep() - sleep until the requested event is raised
 * @ep: the endpoint
 * @stop: becomes true to end the sleep; the caller that sets it wakes @ep->own.wait.task
 *
 * Also returns after @ep->plan.sleep_limit, where a message may be lost.
 *
 * Return: true if the thread slept; false if the event had been raised before.
 */
bool icb_ep_sleep(struct icb_ep *ep, const int *stop)
{
	return sleep_for_event(ep, stop);
}

static enum hrtimer_restart poll_due(struct hrtimer *timer)
{
	struct icb_ep *ep = container_of(timer, struct icb_ep, own.wait.timer);
	u64 entry = entered(ep);
	s64 late = ktime_to_ns(ktime_sub(ktime_get(),
					 hrtimer_get_expires(timer)));

	ep->own.wait.timer_delay = max_t(s64, late, 0);
	if (unlikely(ep->plan.stages))
		note_event(ep, entry);
	wake_thread(ep);
	return HRTIMER_NORESTART;
}

/**
 * icb_ep_timer_wait() - sleep until it is time to poll again
 * @ep: the endpoint
 * @stop: becomes true to end the sleep; the caller that sets it wakes @ep->own.wait.task
 *
 * Expiries are one interval apart. An expiry that has already passed is replaced by one
 * that is an interval from now, so that the thread makes progress with any interval. The
 * thread polls, and not the timer's handler: where a driver's locks may sleep
 * (PREEMPT_RT), the handler could send nothing.
 *
 * Return: delay of the timer's last expiry, ns.
 */
u64 icb_ep_timer_wait(struct icb_ep *ep, const int *stop)
{
	ktime_t now = ktime_get();
	ktime_t due = ktime_add(hrtimer_get_expires(&ep->own.wait.timer), ep->plan.interval);

	if (ktime_before(due, now))
		due = ktime_add(now, ep->plan.interval);
	hrtimer_start(&ep->own.wait.timer, due, HRTIMER_MODE_ABS_PINNED_HARD);
	/* the timer may have expired before the thread could sleep */
	if (!sleep_for_event(ep, stop))
		icb_yield();
	hrtimer_cancel(&ep->own.wait.timer);
	return ep->own.wait.timer_delay;
}

/**
 * icb_ep_wait_over() - sleep while callbacks drive a run
 * @ep: endpoint of the run
 * @consumer: the run; the sleep ends when it is over or stopped
 *
 * Also returns after @ep->plan.sleep_limit, where a message may be lost.
 *
 * Return: true if the run is over or stopped.
 */
bool icb_ep_wait_over(struct icb_ep *ep, struct icb_consumer *consumer)
{
	return wait_event_idle_timeout(ep->abort->wait,
				       READ_ONCE(consumer->phase) ==
					       ICB_PHASE_OVER ||
				       READ_ONCE(consumer->stop), ep->plan.sleep_limit);
}

/**
 * icb_ep_over() - end a run from a callback
 * @ep: endpoint of the run
 * @consumer: the run
 */
void icb_ep_over(struct icb_ep *ep, struct icb_consumer *consumer)
{
	WRITE_ONCE(consumer->phase, ICB_PHASE_OVER);
	wake_up_all(&ep->abort->wait);
	/* where a timer posts, a thread may wait for the event of a completion */
	wake_thread(ep);
}

/**
 * icb_ep_events_init() - set up the events that this side waits for
 * @ep: the endpoint, with its plan
 */
void icb_ep_events_init(struct icb_ep *ep)
{
	icb_alarm_init(&ep->own.alarm);
	if (ep->plan.stages)
		ep->own.wait.idle_task = icb_idle_find(ep->plan.cpu);
	icb_hrtimer_init(&ep->own.wait.timer, poll_due, HRTIMER_MODE_ABS_PINNED_HARD);
}
