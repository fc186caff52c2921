/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What lies between a message's arrival and whoever waits for it, stage by stage:
 * arrival, handler, wake-up, thread, completion in hand.
 */
#ifndef ICB_STAGES_H
#define ICB_STAGES_H

#include "model/engine.h"
#include "model/spans.h"

struct icb_result;
struct icb_run;
struct icb_stamps;

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
