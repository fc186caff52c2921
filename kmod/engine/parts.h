/* SPDX-License-Identifier: GPL-2.0 */
/* What a run knows of its QPs, its computing, its schedule and its stages. */
#ifndef ICB_PARTS_H
#define ICB_PARTS_H

#include "model/arrival.h"
#include "model/engine.h"
#include "model/spans.h"
#include "model/tail.h"

/**
 * struct icb_flow - the operations of a side on one QP
 * @index: of the QP
 * @unsignalled: posts until the next one that asks for a completion
 * @seq: operations begun
 * @acked: those that have completed
 * @base: @seq when the present phase began
 * @done: those that were measured, once it is behind that
 * @fill: its window is to be filled, however little room there is
 */
struct icb_flow {
	u32 index;
	u32 unsignalled;
	u64 seq;
	u64 acked;
	u64 base;
	u64 done;
	bool fill;
};

/**
 * struct icb_turn - the QPs of a run, one after the other
 * @index: the one whose turn it is
 * @signal: what is posted in this round asks for its completion
 */
struct icb_turn {
	u32 index;
	bool signal;
};

/**
 * struct icb_compute - how a side computes
 * @on: it does
 * @share: per mille of its time; where this is 0, for @time
 * @time: ticks at a time
 * @most: ticks that it may take at a time, whatever the share
 * @gap: what takes longer than this between two clock reads is not computing:
 *	somebody else had the CPU
 * @ended: clock when it last ended, or the phase began
 * @waited: ticks between computing, in this phase
 * @spent: ticks computed in it
 * @booked: ticks computed in it until the last completion that was taken
 */
struct icb_compute {
	bool on;
	u32 share;
	u64 time;
	u64 most;
	u64 gap;
	u64 ended;
	u64 waited;
	u64 spent;
	u64 booked;
};

/**
 * struct icb_openloop - the operations of an open loop
 * @arrival: when the next one is due
 * @due: when each of those on their way was; owned by who made the run
 * @mask: of an index of these
 * @gate: who posts: 0 nobody, 1 somebody, 2 somebody who has to look again, 3
 *	nobody any more
 * @full: an operation is due, and the window has no room
 * @awaited: somebody has waited for the operation that is due next
 * @delayed: measured operations that were due while nobody could post them
 * @last: number of the last operation that counts; U64_MAX until it is known
 * @ended: clock at which the schedule of the measured operations ends
 * @moment: ticks that are waited for without a timer
 * @alarmed: the timer has gone off, and somebody wants to know what disturbs
 * @usual: how late it usually is then, ns
 * @over: all of them are posted
 * @counts: the one that is posted counts
 * @noted: clock when it was last seen that something had disturbed the thread; 0
 *	where nothing has
 * @seen: and by cause
 */
struct icb_openloop {
	struct icb_arrival arrival;
	u64 *due;
	u32 mask;
	int gate;
	bool full;
	bool awaited;
	u64 delayed;
	u64 last;
	u64 ended;
	u64 moment;
	bool alarmed;
	u64 usual;
	bool over;
	bool counts;
	u64 noted;
	u64 seen[ICB_CAUSES];
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
 * @with_event: messages that came with one
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
	u64 with_event;
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

#endif /* ICB_PARTS_H */
