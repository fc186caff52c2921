/* SPDX-License-Identifier: GPL-2.0 */
/* The event of a completion, and the times between the stages of a message. */
#ifndef ICB_SPANS_H
#define ICB_SPANS_H

#include "engine.h"

/**
 * enum icb_handled - the context in which the handler of an event ran
 * @ICB_HANDLED_HARDIRQ: interrupt
 * @ICB_HANDLED_SOFTIRQ: softirq, at the end of an interrupt or of a section that had
 *	disabled softirqs
 * @ICB_HANDLED_KSOFTIRQD: softirq in ksoftirqd
 * @ICB_HANDLED_WORKQUEUE: worker of a work queue
 * @ICB_HANDLED_THREAD: another thread
 * @ICB_HANDLED: number of contexts
 */
enum icb_handled {
	ICB_HANDLED_HARDIRQ,
	ICB_HANDLED_SOFTIRQ,
	ICB_HANDLED_KSOFTIRQD,
	ICB_HANDLED_WORKQUEUE,
	ICB_HANDLED_THREAD,
	ICB_HANDLED,
};

/**
 * struct icb_event - the last event, from its handler to the waiter (thread or callback)
 * @entry: clock when the handler was entered
 * @issued: clock when the handler notified the waiter
 * @running: clock when the waiting thread ran, or when the callback was called
 * @number: number of events so far
 * @missed: number of times so far that a CQ, when armed, already held a completion
 * @handled: enum icb_handled
 * @slept: true if the thread slept before the event; always true with callbacks
 * @same: true if the handler ran on the CPU of the waiter
 * @idle: true if the handler interrupted the idle task
 * @wakes: true if the CPU of the waiter was idle when the waiter was notified
 * @known: true if @wakes is known
 */
struct icb_event {
	u64 entry;
	u64 issued;
	u64 running;
	u32 number;
	u32 missed;
	u32 handled;
	bool slept;
	bool same;
	bool idle;
	bool wakes;
	bool known;
};

/**
 * struct icb_spans - the stages of one message, ns
 * @deliver: from the arrival to the entry of the handler; -1 without a shadow CPU
 * @handler: from the entry of the handler until it notified the waiter
 * @wake: from the notification until the waiter ran
 * @reap: from then to the end of the sample; -1 with callbacks, which are called after
 *	the completion was taken
 * @whole: from the start of the first known stage to the end of the last
 */
struct icb_spans {
	s64 deliver;
	s64 handler;
	s64 wake;
	s64 reap;
	u64 whole;
};

#endif /* ICB_SPANS_H */
