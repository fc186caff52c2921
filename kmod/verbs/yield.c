// SPDX-License-Identifier: GPL-2.0
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/sched.h>
#include <linux/sched/rt.h>
#include <linux/sched/stat.h>

#include "events.h"
#include "model/callbacks.h"
#include "provider.h"
#include "yield.h"

/*
 * Sleeps of a real-time thread while other tasks wait for its CPU: length, interval. The
 * length is less than PATIENCE_NS of plan.c.
 */
#define NAP_US		1000
#define NAP_JIFFIES	(HZ / 50)

/*
 * Interval at which a thread that times calls waits until RCU has freed what the calls
 * have given back, and length of its sleep after that: a 20th of the interval. The sleep
 * is longer than the others because RCU's threads have used those in between.
 */
#define FREED_JIFFIES	(HZ / 4)
#define FREED_NAP_US	12500

/* Completions of several QPs that a work queue serves before it sleeps. */
#define SERVED		256

/* Bytes that a work queue fills and checks before it sleeps. */
#define YIELD_BYTES	((u64)ICB_CALLBACK_BYTES * ICB_CALLBACKS_IN_ROW)

/**
 * icb_ep_yield_init() - set up how the polling thread lets other tasks run
 * @ep: the endpoint
 */
void icb_ep_yield_init(struct icb_ep *ep)
{
	ep->own.wait.next_throttle = jiffies;
	ep->own.wait.next_freed = jiffies + FREED_JIFFIES;
}

/**
 * icb_ep_poll_yield() - let other tasks run between two polls
 * @ep: endpoint that is polled
 * @waited: time since a poll last found something, clock ticks
 *
 * A task that serves the device may be waiting for this CPU: a software device does its
 * work in ksoftirqd or in a work queue. The scheduler would first give a busy thread its
 * whole slice, which is milliseconds. Process context.
 */
void icb_ep_poll_yield(struct icb_ep *ep, u64 waited)
{
	if (rt_task(current) && (ep->plan.one_cpu || waited > ep->plan.patience))
		usleep_range(10, 50);
	else if (!single_task_running() || local_softirq_pending())
		yield();
	else
		icb_yield();
}

/**
 * icb_ep_rt_throttle() - leave some of the CPU to other tasks between two operations
 * @ep: endpoint that is driven by a real-time thread
 *
 * Sleeps if the next sleep is due and other tasks wait for the CPU. A real-time thread
 * that always finds what it polls for would leave other tasks on its CPU only what the
 * scheduler reserves for them once a second, if it does. On a machine with one CPU this
 * concerns whoever wants to stop the run. On any machine it concerns the threads by which
 * the kernel waits for all CPUs. Another worker of the same priority would get nothing at
 * all, and with PREEMPT_RT neither would the threads of RCU.
 *
 * The threads of RCU free some of what timed calls give back. The short sleeps are not
 * enough for that and would leave nothing to other tasks, hence rcu_barrier(). Process
 * context.
 */
void icb_ep_rt_throttle(struct icb_ep *ep)
{
	unsigned long nap = NAP_US;

	if (time_before(jiffies, ep->own.wait.next_throttle))
		return;
	ep->own.wait.next_throttle = jiffies + 1;
	if (single_task_running())
		return;
	if (ep->calls && time_after_eq(jiffies, ep->own.wait.next_freed)) {
		rcu_barrier();
		nap = FREED_NAP_US;
		ep->own.wait.next_freed = jiffies + FREED_JIFFIES;
	}
	usleep_range(nap, nap + nap / 10);
	ep->own.wait.next_throttle = jiffies + NAP_JIFFIES;
}

/*
 * Completions keep ksoftirqd busy as long as a stream lasts, and RCU waits for ksoftirqd
 * to yield. The kernel reports quiescent states of ksoftirqd, but not with PREEMPT_RT.
 */
static void let_rcu_pass(struct icb_ep *ep)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && !(++ep->own.serve.served % SERVED) &&
	    icb_ep_is_ksoftirqd(current))
		rcu_note_voluntary_context_switch(current);
}

/* Sleep now and then, so that other work of the queue can run. */
static noinline void yield_queue(struct icb_ep *ep)
{
	ep->own.serve.handled_bytes += ep->plan.callback_bytes;
	if (ep->own.serve.handled_bytes < YIELD_BYTES &&
	    (ep->plan.qps == 1 || ++ep->own.serve.served % SERVED)) {
		cond_resched_tasks_rcu_qs();
		return;
	}
	ep->own.serve.handled_bytes = 0;
	usleep_range(20, 100);
}

/**
 * icb_ep_callback_yield() - let other tasks and work items run behind a callback
 * @ep: the endpoint
 * @cq: CQ whose completions the callback takes
 *
 * A work item serves its CQ as long as there are completions: with many QPs, or with many
 * bytes to check, for long. The peer's CQ may be the next item in the queue of this CPU.
 * It is not served before this item sleeps: without sleeping, this item might never end.
 */
void icb_ep_callback_yield(struct icb_ep *ep, const struct vb_cq *cq)
{
	if (cq->poll_ctx != IB_POLL_WORKQUEUE) {
		let_rcu_pass(ep);
		return;
	}
	if (ep->plan.yields)
		yield_queue(ep);
	else
		cond_resched_tasks_rcu_qs();
}
