/* SPDX-License-Identifier: GPL-2.0 */
/* The event that tells of a completion, and the times between the stages of a message. */
#ifndef ICB_SPANS_H
#define ICB_SPANS_H

#include "engine.h"

/**
 * enum icb_handled - where the handler of an event has run
 * @ICB_HANDLED_HARDIRQ: in an interrupt
 * @ICB_HANDLED_SOFTIRQ: in a software interrupt, at the end of one, or of a
 *	section that had disabled them
 * @ICB_HANDLED_KSOFTIRQD: in a software interrupt, in the thread that catches up
 *	with them
 * @ICB_HANDLED_WORKQUEUE: in a worker of a work queue
 * @ICB_HANDLED_THREAD: in another thread
 * @ICB_HANDLED: how many there are
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
 * struct icb_event - how the last event has come to who waits
 * @entry: clock when its handler was entered
 * @issued: clock when this told who waits
 * @running: clock when that one ran; of a callback, when it was called
 * @number: events so far, each of which has had its handler entered
 * @missed: completions so far that were there before an event was asked for
 * @handled: enum icb_handled
 * @slept: who waits had gone to sleep before it was told
 * @same: the handler ran on its CPU
 * @idle: and had interrupted nothing but the idle loop
 * @wakes: the CPU of who waits idled when that was told
 * @known: so it is known whether
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
 * @deliver: from its arrival to its handler; -1 where no other CPU has watched
 * @handler: from there until who waits was told
 * @wake: from there until that one ran
 * @reap: from there to the end of the sample; -1 where it was over before
 * @whole: from the first of these to the end of the last
 */
struct icb_spans {
	s64 deliver;
	s64 handler;
	s64 wake;
	s64 reap;
	u64 whole;
};

#endif /* ICB_SPANS_H */
