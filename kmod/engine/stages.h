/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What lies between a message's arrival and whoever waits for it, stage by stage:
 * arrival, handler, wake-up, thread, completion in hand.
 */
#ifndef ICB_STAGES_H
#define ICB_STAGES_H

#include "model/engine.h"

struct icb_result;
struct icb_run;
struct icb_stamps;

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

/**
 * struct icb_stages - of a run whose stages are measured
 * @on: it is one
 * @shadow: another CPU watches for arrivals
 * @error: most that two CPUs' clocks differ by, ticks; 0 where there is one CPU.
 *	Set by whoever makes the run
 * @event: the last one
 * @number: @event.number when a message was booked last
 * @missed: and its @missed
 * @events: that came while messages were measured
 * @told: messages that came with one
 * @awake: of these, who waited had not gone to sleep yet
 * @spurious: events without a message
 * @missing: completions that were there before an event was asked for
 * @unseen: messages whose arrival the other CPU has not seen, and
 * @late: those that it has seen after the handler had been entered: they came
 *	after it, or it was not looking
 * @handled: messages by where their handler ran
 * @same: those whose handler ran on the CPU of who waited
 * @cross: and those whose did not
 * @idle: those whose handler has interrupted the idle loop
 * @wakes: those where the CPU of who waited idled
 * @unknown: those of which that is not known
 * @disagree: those whose stages do not add up to the whole
 */
struct icb_stages {
	bool on;
	bool shadow;
	u64 error;
	struct icb_event event;
	u32 number;
	u32 missed;
	u64 events;
	u64 told;
	u64 awake;
	u64 spurious;
	u64 missing;
	u64 unseen;
	u64 late;
	u64 handled[ICB_HANDLED];
	u64 same;
	u64 cross;
	u64 idle;
	u64 wakes;
	u64 unknown;
	u64 disagree;
};

void icb_stages_prepare(struct icb_run *run);
void icb_stages_begin(struct icb_run *run);
void icb_stages_spurious(struct icb_run *run);
void icb_stages_book(struct icb_run *run, const struct icb_stamps *stamps);
void icb_stages_report(const struct icb_run *run, struct icb_result *result);

#endif /* ICB_STAGES_H */
