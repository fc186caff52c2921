/* SPDX-License-Identifier: GPL-2.0 */
/* Parts of struct icb_run: its QPs, computing, the open loop's schedule and stages. */
#ifndef ICB_PARTS_H
#define ICB_PARTS_H

#include "model/arrival.h"
#include "model/engine.h"
#include "model/spans.h"
#include "model/tail.h"

/**
 * struct icb_flow - the operations of a side on one QP
 * @index: index of the QP
 * @unsignalled: number of posts up to the next signalled one
 * @seq: number of operations posted
 * @acked: number of operations completed
 * @base: @seq when the present phase began
 * @done: number of operations completed in the phase before the present one; in the
 *	tail, number of measured operations
 * @fill: true if the window is to be filled even if fewer than refill operations fit
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
 * struct icb_turn - round-robin use of the QPs of a run
 * @index: index of the QP that is used next
 * @signal: true if the posts of this round are signalled
 */
struct icb_turn {
	u32 index;
	bool signal;
};

/**
 * struct icb_compute - state of a side that computes between posting and polling
 * @on: true if the side computes
 * @share: share of the time to compute, per mille; 0 to compute for @time
 * @time: time to compute after each post, ticks
 * @most: longest time to compute after a post, whatever @share is, ticks
 * @gap: longest time between two clock reads that counts as computing, ticks; in a
 *	longer one, an interrupt or another thread had the CPU
 * @ended: clock when computing last ended, or the phase began
 * @waited: time not computed in this phase, ticks
 * @spent: time computed in this phase, ticks
 * @booked: time computed in this phase up to the last completion taken, ticks
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
 * @arrival: due time of the next operation
 * @due: due times of the operations in flight; memory of the owner of the run
 * @mask: mask of an operation's number that gives its index in @due
 * @gate: state of the gate to posting, enum gate: open, shut (a context posts), again
 *	(that context has to check again), or locked (no context posts any more)
 * @full: true if an operation is due, and the window has no room or credit is missing
 * @awaited: true if the next operation was waited for until it was due
 * @delayed: number of measured operations that were due while they could not be posted
 * @last: number of the last measured operation; U64_MAX if not known yet
 * @ended: clock at the end of the schedule of measured operations
 * @moment: longest time to wait without a timer, ticks
 * @alarmed: true while the timer's handler posts, if disturbances are recorded
 * @usual: usual delay of the timer, ns
 * @over: true if no more operations are posted
 * @counts: true if the operation that is being posted is measured
 * @noted: clock when a disturbance of the thread was last seen; 0 for never
 * @seen: clock when each cause was last seen; 0 for never
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
 * struct icb_stages - stages of the messages of a run
 * @on: true if stages are measured
 * @shadow: true if another CPU, the shadow CPU, watches for arrivals
 * @error: largest difference between two CPUs' clocks, ticks; 0 if there is one CPU; set
 *	by the owner of the run
 * @event: the last event
 * @number: @event.number when a message was last recorded
 * @missed: @event.missed when a message was last recorded
 * @events: number of events while messages were measured
 * @with_event: number of messages that raised an event
 * @awake: number of messages whose event was raised before the thread slept
 * @spurious: number of wake-ups by events without a message
 * @missing: number of completions that were present before the CQ was armed
 * @unseen: number of messages whose arrival the shadow CPU did not see
 * @late: number of messages whose arrival the shadow CPU saw after the handler was
 *	entered: they arrived later, or the shadow CPU did not look
 * @handled: number of messages by the context of their handler, enum icb_handled
 * @same: number of messages whose handler ran on the CPU of the thread or callback
 * @cross: number of messages whose handler ran on another CPU
 * @idle: number of messages whose handler interrupted the idle loop
 * @wakes: number of messages for which the CPU of the waiting thread was idle
 * @unknown: number of messages for which it is not known if that CPU was idle
 * @disagree: number of messages whose stages do not add up to their total
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
