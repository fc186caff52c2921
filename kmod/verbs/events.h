/* SPDX-License-Identifier: GPL-2.0 */
/* Events that a run waits for: of CQs, timers and callbacks. */
#ifndef ICB_EP_EVENTS_H
#define ICB_EP_EVENTS_H

#include "host/clock.h"
#include "model/endpoint.h"
#include "types.h"

void icb_ep_recv_event(struct ib_cq *cq, void *context);
void icb_ep_callback_event(struct ib_cq *cq, void *context);
void icb_ep_event(struct icb_ep *ep, struct icb_event *event);
int icb_ep_arm(struct icb_ep *ep);
bool icb_ep_sleep(struct icb_ep *ep, const int *stop);
u64 icb_ep_timer_wait(struct icb_ep *ep, const int *stop);
bool icb_ep_wait_over(struct icb_ep *ep, struct icb_consumer *consumer);
void icb_ep_over(struct icb_ep *ep, struct icb_consumer *consumer);
void icb_ep_events_init(struct icb_ep *ep);

/* A ksoftirqd thread can be recognized by nothing but its name. */
static inline bool icb_ep_is_ksoftirqd(const struct task_struct *task)
{
	return task->flags & PF_KTHREAD &&
	       !strncmp(task->comm, "ksoftirqd/", strlen("ksoftirqd/"));
}

/*
 * Wait, at most for &icb_plan.sleep_limit where a message may be lost. Ends when the run is
 * stopped, too; the caller that stops it wakes the thread. Returns for ICB_WAIT_EVENT: true
 * if the thread slept, false if the event had been raised before; for ICB_WAIT_TIMER: the
 * delay of the timer, ns; for ICB_WAIT_OVER: true if the run is over or stopped.
 */
static __always_inline u64 icb_ep_wait(struct icb_ep *ep,
				       struct icb_consumer *consumer,
				       const enum icb_wait wait)
{
	if (wait == ICB_WAIT_EVENT)
		return icb_ep_sleep(ep, &consumer->stop);
	if (wait == ICB_WAIT_TIMER)
		return icb_ep_timer_wait(ep, &consumer->stop);
	return icb_ep_wait_over(ep, consumer);
}

/*
 * Notify the run after this number of clock ticks; replaces an earlier alarm. Without a
 * run, cancel the alarm: this may sleep, and nothing may set the alarm meanwhile.
 */
static inline void icb_ep_alarm(struct icb_ep *ep,
				struct icb_consumer *consumer, u64 ticks)
{
	if (consumer)
		icb_alarm_set(&ep->own.alarm, consumer, icb_clock_ns(ticks));
	else
		icb_alarm_cancel(&ep->own.alarm);
}

/* Watch a byte that holds the value was now, and another one after the next arrival. */
static inline void icb_ep_watch(struct icb_ep *ep, const u8 *byte, u8 was)
{
	icb_shadow_watch(&ep->own.shadow, byte, was);
}

/* Return the clock when the watched byte changed; 0 if no change was seen. */
static inline u64 icb_ep_arrival(struct icb_ep *ep)
{
	return icb_shadow_seen(&ep->own.shadow);
}

#endif /* ICB_EP_EVENTS_H */
