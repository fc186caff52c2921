/* SPDX-License-Identifier: GPL-2.0 */
/* What an open loop knows of itself. */
#ifndef ICB_OPENLOOP_H
#define ICB_OPENLOOP_H

#include "model/arrival.h"
#include "model/engine.h"
#include "model/tail.h"

struct icb_run;

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

u32 icb_openloop_slots(const struct icb_params *params);
void icb_openloop_due(struct icb_run *run);

#endif /* ICB_OPENLOOP_H */
