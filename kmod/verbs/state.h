/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of an endpoint that only this provider uses: waiting, timers, registrations.
 * Each provider of verbs has a file of this name.
 */
#ifndef VB_STATE_H
#define VB_STATE_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/sched.h>
#include <rdma/ib_verbs.h>

#include "cm/device.h"
#include "host/alarm.h"
#include "host/shadow.h"
#include "model/spans.h"
#include "promise.h"

/**
 * struct icb_waiting - state of the thread that waits for events
 * @event_raised: true if an event has been raised since the thread last waited for one
 * @task: thread that waits for events
 * @timer: timer that raises an event, where the run polls by a timer
 * @timer_delay: delay of the last expiry of @timer, ns
 * @event: times and context of the last event
 * @event_cpu: CPU that ran the handler of the last event
 * @idle_task: idle task of the thread's CPU; NULL if not known
 * @handler: completion handler of the RDMA core, which icb_ep_callback_event() calls
 * @next_throttle: time when icb_ep_rt_throttle() sleeps next, if other tasks wait for the
 *	CPU, jiffies
 * @next_freed: time when icb_ep_rt_throttle() next waits for RCU, too, jiffies
 */
struct icb_waiting {
	bool event_raised;
	struct task_struct *task;
	struct hrtimer timer;
	u64 timer_delay;
	struct icb_event event;
	unsigned int event_cpu;
	struct task_struct *idle_task;
	void (*handler)(struct ib_cq *cq, void *context);
	unsigned long next_throttle;
	unsigned long next_freed;
};

/**
 * struct icb_serving - work of callbacks since they last slept
 * @handled_bytes: bytes filled and checked since the work queue last slept
 * @served: completions served by the work queue or by ksoftirqd
 */
struct icb_serving {
	u64 handled_bytes;
	unsigned int served;
};

/**
 * struct icb_registering - registrations and invalidations of memory
 * @cqe: completion entry of registrations; valid after icb_ep_destroy(), too
 * @left: number of registrations and invalidations that have not completed
 * @err: negative error number of a failed registration; 0 for none
 * @qp: reliable QP that registers memory in place of &icb_rail.reg; or NULL
 */
struct icb_registering {
	struct ib_cqe cqe;
	atomic_t left;
	int err;
	struct ib_qp *qp;
};

/**
 * struct vb_rail_state - state of a device of an endpoint
 * @hold: hold on the device; empty on the first device, which the side holds itself
 */
struct vb_rail_state {
	struct icb_hold hold;
};

/**
 * struct vb_state - state of an endpoint
 * @wait: state of the thread that waits for events
 * @shadow: thread that watches memory for arrivals
 * @alarm: timer of an open loop
 * @serve: work of callbacks since they last slept
 * @promise: memory that is set aside for this endpoint and not allocated yet
 * @reg: registrations and invalidations of memory; the last member, because a part of it
 *	is valid after icb_ep_destroy()
 */
struct vb_state {
	struct icb_waiting wait;
	struct icb_shadow shadow;
	struct icb_alarm alarm;
	struct icb_serving serve;
	struct icb_promise promise;
	struct icb_registering reg;
};

#endif /* VB_STATE_H */
