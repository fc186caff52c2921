// SPDX-License-Identifier: GPL-2.0
/* Waiting in virtual time: what kmod/verbs/events.c and yield.c do in the kernel. */
#include "engine/run.h"
#include "host/clock.h"
#include "queue.h"

static u32 completion_mode(const struct icb_ep *ep)
{
	return ep->own.net->params->completion;
}

static bool arm_cq(struct icb_ep *ep, struct vb_cq *cq)
{
	cq->armed = !cq->entries.count;
	if (cq->armed)
		return false;
	ep->own.missed++;
	ep->own.last_event.missed++;
	ep->own.event_pending = true;
	return true;
}

int icb_ep_arm(struct icb_ep *ep)
{
	u64 number = net_enter(ep, NET_ARM);
	unsigned int i;

	if (completion_mode(ep) != ICBENCH_COMPLETION_BLOCK &&
	    completion_mode(ep) != ICBENCH_COMPLETION_ADAPTIVE)
		net_wrong(ep->own.net, "side %u requests an event", ep->own.side);
	if (number == net_faults(ep)->arm)
		return net_leave(ep, NET_ARM, -EIO);
	for (i = 0; i < ep->plan.pairs; i++)
		arm_cq(ep, ep->plan.arms_one ? ep->rx_at->cqs->rcq : ep->cqs[i].rcq);
	return net_leave(ep, NET_ARM, 0);
}

/**
 * net_record_event() - record an event for the waiting thread or callback
 * @ep: the endpoint
 *
 * The handler of the event has just run.
 */
void net_record_event(struct icb_ep *ep)
{
	struct icb_event *event = &ep->own.last_event;

	event->issued = task_now() + ep->own.net->config.skew;
	event->entry = event->issued - NET_HANDLER;
	event->handled = event->number++ % ICB_HANDLED;
	event->same = event->number % 2;
	event->idle = event->number % 3 == 0;
	event->wakes = event->number % 5 == 0;
	event->known = !ep->own.net->config.idle_unknown;
}

static void raise_event(struct icb_ep *ep, struct vb_cq *cq)
{
	if (ep->own.net->callbacks) {
		net_record_event(ep);
		ep->own.last_event.slept = true;
	}
	if (cq->armed) {
		cq->armed = false;
		ep->own.event_pending = true;
		net_record_event(ep);
		task_wake(ep);
	}
	task_wake(&ep->own.in_callback);
}

/**
 * net_deliver() - put a completion in a CQ
 * @cq: the CQ
 * @cqe: the completion
 */
void net_deliver(struct vb_cq *cq, const struct net_cqe *cqe)
{
	struct icb_ep *ep = cq->ep;

	if (!ring_push(&cq->entries, cqe, sizeof(*cqe)))
		net_wrong(ep->own.net, "side %u lets its %s CQ overflow", ep->own.side,
			  cq->waited ? "receive" : "send");
	if (cq->waited)
		raise_event(ep, cq);
}

void icb_ep_event(struct icb_ep *ep, struct icb_event *event)
{
	if (!ep->own.net->params->stages || ep->own.side)
		net_wrong(ep->own.net, "side %u asks for stages", ep->own.side);
	*event = ep->own.last_event;
}

void icb_ep_watch(struct icb_ep *ep, const u8 *byte, u8 was)
{
	struct net *net = ep->own.net;

	task_lock();
	if (ep->own.side || ep->own.in_flight[0])
		net_wrong(net, "side %u watches while a message is in flight", ep->own.side);
	if (*byte != was)
		net_wrong(net, "side %u watches a byte that has changed already",
			  ep->own.side);
	ep->own.watched_byte = byte;
	ep->own.watched_value = was;
	ep->own.arrival_time = 0;
	task_unlock();
}

u64 icb_ep_arrival(struct icb_ep *ep)
{
	struct net *net = ep->own.net;
	u64 time;

	task_lock();
	time = ep->own.arrival_time;
	if (!time && ep->own.watched_byte && !net->config.unseen_arrivals)
		net_wrong(net, "side %u reads an arrival before the message arrived",
			  ep->own.side);
	task_unlock();
	return time;
}

/**
 * net_check_watch() - record the arrival once the watched byte has changed
 * @ep: the endpoint
 *
 * By chance, the arrival is not seen, or seen too late.
 */
void net_check_watch(struct icb_ep *ep)
{
	const struct net_config *config = &ep->own.net->config;
	bool counts = !ep->own.run->left;

	if (!ep->own.watched_byte || *ep->own.watched_byte == ep->own.watched_value)
		return;
	ep->own.watched_byte = NULL;
	ep->own.arrival_time = task_now() + config->skew - NET_HANDLER - NET_DELIVER;
	if (task_random(1000) < config->unseen_arrivals) {
		ep->own.arrival_time = 0;
		ep->own.unseen += counts;
	} else if (task_random(1000) < config->late_arrivals) {
		ep->own.arrival_time += 1000000;
		ep->own.unseen += counts;
	}
}

/* Return the time when a wait ends in any case: the answer may be lost. */
static u64 limit(const struct icb_ep *ep)
{
	return ep->plan.sleep_limit == VB_NO_LIMIT ? TASK_FOREVER :
						     task_now() + ep->plan.sleep_limit;
}

/* By chance, an event without a message. A pending event belongs to a message already. */
static void spurious_event(struct icb_ep *ep)
{
	unsigned int i, waiting = 0;

	if (task_random(1000) >= ep->own.net->config.spurious)
		return;
	for (i = 0; i < ep->plan.pairs; i++) {
		waiting += ep->cqs[i].rcq->entries.count;
		ep->cqs[i].rcq->armed = false;
	}
	if (!ep->own.event_pending) {
		net_record_event(ep);
		ep->own.spurious += !ep->own.run->left && !waiting;
	}
	ep->own.event_pending = true;
}

static bool sleep_for_event(struct icb_ep *ep, const int *stop)
{
	bool slept = false;
	u64 until;

	net_enter(ep, NET_SLEEP);
	if (completion_mode(ep) != ICBENCH_COMPLETION_BLOCK &&
	    completion_mode(ep) != ICBENCH_COMPLETION_ADAPTIVE)
		net_wrong(ep->own.net, "side %u sleeps", ep->own.side);
	spurious_event(ep);
	until = limit(ep);
	while (!ep->own.event_pending && !READ_ONCE(*stop) && task_now() < until) {
		task_wait(ep, until);
		slept = true;
	}
	ep->own.event_pending = false;
	ep->own.last_event.running = task_now();
	ep->own.last_event.slept = slept;
	/* the run counts the sleeps of the measured part, too */
	if (slept && !ep->own.run->left)
		ep->own.sleeps++;
	net_leave(ep, NET_SLEEP, 0);
	return slept;
}

/* Interval of the timer, and delay of its expiration, ticks. */
#define TIMER_TICKS	300
#define TIMER_LATE	7

static u64 wait_timer(struct icb_ep *ep, const int *stop)
{
	u64 due;

	net_enter(ep, NET_SLEEP);
	if (completion_mode(ep) != ICBENCH_COMPLETION_TIMER)
		net_wrong(ep->own.net, "side %u waits for a timer", ep->own.side);
	due = task_now() + TIMER_TICKS;
	while (task_now() < due && !READ_ONCE(*stop))
		task_wait(ep, due);
	net_record_event(ep);
	ep->own.last_event.running = task_now();
	ep->own.last_event.slept = true;
	net_leave(ep, NET_SLEEP, 0);
	return TIMER_LATE;
}

static void yield_poll(struct icb_ep *ep, u64 waited)
{
	net_enter(ep, NET_YIELD_POLL);
	if (ep->own.net->callbacks && !ep->own.net->clock)
		net_wrong(ep->own.net, "side %u yields in a callback", ep->own.side);
	if (waited > ep->own.run->timeout)
		net_wrong(ep->own.net, "side %u continues after its timeout",
			  ep->own.side);
	net_leave(ep, NET_YIELD_POLL, 0);
	task_yield();
}

static void yield_op(struct icb_ep *ep)
{
	net_enter(ep, NET_YIELD_OP);
	if (ep->own.net->callbacks)
		net_wrong(ep->own.net, "side %u yields in a callback", ep->own.side);
	net_leave(ep, NET_YIELD_OP, 0);
}

void icb_ep_yield(struct icb_ep *ep, enum icb_yield when, u64 waited)
{
	if (when == ICB_YIELD_OP)
		yield_op(ep);
	else
		yield_poll(ep, waited);
}

/* The callbacks of a side are a task of their own: nothing has to yield. */
void icb_ep_callback_yield(struct icb_ep *ep, const struct vb_cq *cq)
{
}

static bool is_over(const struct icb_consumer *consumer)
{
	return READ_ONCE(consumer->phase) == ICB_PHASE_OVER || READ_ONCE(consumer->stop);
}

static bool wait_over(struct icb_ep *ep, struct icb_consumer *consumer)
{
	u64 until;
	bool over;

	net_enter(ep, NET_WAIT_OVER);
	if (!ep->own.net->callbacks)
		net_wrong(ep->own.net, "side %u waits for callbacks", ep->own.side);
	until = limit(ep);
	while (!is_over(consumer) && task_now() < until)
		task_wait(ep, until);
	over = is_over(consumer);
	net_leave(ep, NET_WAIT_OVER, 0);
	return over;
}

u64 icb_ep_wait(struct icb_ep *ep, struct icb_consumer *consumer,
		enum icb_wait wait)
{
	if (wait == ICB_WAIT_EVENT)
		return sleep_for_event(ep, &consumer->stop);
	if (wait == ICB_WAIT_TIMER)
		return wait_timer(ep, &consumer->stop);
	return wait_over(ep, consumer);
}

void icb_ep_over(struct icb_ep *ep, struct icb_consumer *consumer)
{
	net_enter(ep, NET_OVER);
	WRITE_ONCE(consumer->phase, ICB_PHASE_OVER);
	ep->own.event_pending = true;
	task_wake(ep);
	net_leave(ep, NET_OVER, 0);
}

static void cancel_alarm(struct icb_ep *ep)
{
	net_enter(ep, NET_CANCEL_ALARM);
	ep->own.alarm = TASK_FOREVER;
	while (ep->own.in_alarm)
		task_wait(&ep->own.in_alarm, TASK_FOREVER);
	net_leave(ep, NET_CANCEL_ALARM, 0);
}

void icb_ep_alarm(struct icb_ep *ep, struct icb_consumer *consumer, u64 ticks)
{
	struct net *net = ep->own.net;

	if (!consumer) {
		cancel_alarm(ep);
		return;
	}
	net_enter(ep, NET_SET_ALARM);
	if (icb_run_of(consumer) != ep->own.run || !net->clock)
		net_wrong(net, "side %u sets an alarm", ep->own.side);
	ep->own.alarm = task_now() + ticks + task_random(net->config.alarm_jitter + 1);
	task_wake(&ep->own.alarm);
	net_leave(ep, NET_SET_ALARM, 0);
}
