// SPDX-License-Identifier: GPL-2.0
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/sched/rt.h>
#include <linux/sched/stat.h>

#include "host/clock.h"
#include "model/params.h"
#include "yield.h"

/*
 * A real-time thread that has polled in vain for this long lets others run:
 * whatever serves the device may be one of them. Longer than a nap of the other side.
 */
#define PATIENCE_NS	(2 * NSEC_PER_MSEC)

/* Its naps where others wait for its CPU: how long, and how often. */
#define NAP_US		1000
#define NAP_JIFFIES	(HZ / 50)

/*
 * How often it waits until RCU has come to what its calls have given back, and its nap
 * then, as RCU has taken those in between: a 20th of that time.
 */
#define FREED_JIFFIES	(HZ / 4)
#define FREED_NAP_US	12500

/**
 * icb_ep_yield_init() - see how a poller lets others run
 * @ep: whose
 */
void icb_ep_yield_init(struct icb_ep *ep)
{
	ep->one_cpu = num_online_cpus() == 1;
	ep->rt_throttled = ep->params->priority != ICBENCH_PRIORITY_NORMAL;
	ep->next_throttle = jiffies;
	ep->next_freed = jiffies + FREED_JIFFIES;
	ep->patience = icb_clock_ticks(PATIENCE_NS);
}

/**
 * icb_ep_poll_yield() - let others run between two polls
 * @ep: what is polled
 * @waited: ticks since something was found
 *
 * What serves the device may be waiting for this very CPU: a software device
 * does its work in ksoftirqd or in a work queue. The scheduler would give a
 * busy thread its whole slice first, which is milliseconds. Process context.
 */
void icb_ep_poll_yield(struct icb_ep *ep, u64 waited)
{
	if (rt_task(current) && (ep->one_cpu || waited > ep->patience))
		usleep_range(10, 50);
	else if (!single_task_running() || local_softirq_pending())
		yield();
	else
		icb_give_way();
}

/**
 * icb_ep_rt_throttle() - leave others some of the CPU between two operations, if it is time
 * @ep: what is driven, by a real-time thread
 *
 * A real-time thread that always finds what it polls for would leave others that wait
 * for its CPU nothing but what the scheduler keeps back for them, once a second, if it
 * does: on a machine with one CPU whoever wants to stop the run, and on any the threads
 * by which the kernel waits for all CPUs. To another worker of the same priority, and,
 * where preemption is real-time, to the threads of RCU, it would leave nothing at all.
 * Where nobody waits it goes on. RCU's threads free some of what its calls give back:
 * naps alone are too short for that, and nothing of them would be left for others.
 * Process context.
 */
void icb_ep_rt_throttle(struct icb_ep *ep)
{
	unsigned long nap = NAP_US;

	if (time_before(jiffies, ep->next_throttle))
		return;
	ep->next_throttle = jiffies + 1;
	if (single_task_running())
		return;
	if (ep->calls && time_after_eq(jiffies, ep->next_freed)) {
		rcu_barrier();
		nap = FREED_NAP_US;
		ep->next_freed = jiffies + FREED_JIFFIES;
	}
	usleep_range(nap, nap + nap / 10);
	ep->next_throttle = jiffies + NAP_JIFFIES;
}
