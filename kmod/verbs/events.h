/* SPDX-License-Identifier: GPL-2.0 */
/* Events that a run waits for: of CQs, timers and callbacks. */
#ifndef ICB_EP_EVENTS_H
#define ICB_EP_EVENTS_H

#include "host/clock.h"
#include "types.h"

void icb_ep_recv_event(struct ib_cq *cq, void *context);
void icb_ep_callback_event(struct ib_cq *cq, void *context);
void icb_ep_event(struct icb_ep *ep, struct icb_event *event);
int icb_ep_arm(struct icb_ep *ep);
bool icb_ep_sleep(struct icb_ep *ep, const int *stop);
u64 icb_ep_timer_wait(struct icb_ep *ep, const int *stop);
bool icb_ep_wait_over(struct icb_ep *ep, struct icb_consumer *consumer);
void icb_ep_over(struct icb_ep *ep, struct icb_consumer *consumer);
void icb_ep_quiet(struct icb_ep *ep);
void icb_ep_events_init(struct icb_ep *ep);

/* A ksoftirqd thread can be recognized by nothing but its name. */
static inline bool icb_ep_is_ksoftirqd(const struct task_struct *task)
{
	return task->flags & PF_KTHREAD &&
	       !strncmp(task->comm, "ksoftirqd/", strlen("ksoftirqd/"));
}

/* Notify the run after this number of clock ticks; replaces an earlier alarm. */
static inline void icb_ep_alarm(struct icb_ep *ep,
				struct icb_consumer *consumer, u64 ticks)
{
	icb_alarm_set(&ep->alarm, consumer, icb_clock_ns(ticks));
}

/* Watch a byte that holds the value was now, and another one after the next arrival. */
static inline void icb_ep_watch(struct icb_ep *ep, const u8 *byte, u8 was)
{
	icb_shadow_watch(&ep->shadow, byte, was);
}

/* Return the clock when the watched byte changed; 0 if no change was seen. */
static inline u64 icb_ep_arrival(struct icb_ep *ep)
{
	return icb_shadow_seen(&ep->shadow);
}

#endif /* ICB_EP_EVENTS_H */
