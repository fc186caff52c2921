/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The steady part of a stream: the measured time without its start and its end, where both
 * sides stream. At its start a side fills its window, at its end it drains the window, and
 * in these times the two sides do not share the link as they do in between.
 */
#ifndef ICB_STEADY_H
#define ICB_STEADY_H

#include "model/engine.h"

/*
 * Windows that the responder leaves out at the end. The initiator drains its window in one
 * of them; the responder streams alone in the other, until it is notified.
 */
#define ICB_STEADY_TRAILING	2

/* Windows that each side leaves out at the start: those after which QPs are in turn. */
#define ICB_STEADY_LEADING	2

/* Windows after which a responder has a steady part. */
#define ICB_STEADY_LEAST	(ICB_STEADY_LEADING + ICB_STEADY_TRAILING + 1)

/**
 * struct icb_steady - ends of the windows of a stream
 * @window: number of operations of a window; 0 if ends are not recorded
 * @next: number of measured operations at the end of the present window
 * @count: number of recorded ends; the window was full at each of them
 * @first_done: measured operations at the start of the steady part
 * @first: clock at the start of the steady part
 * @done: measured operations at the last ends, the newest at index 0
 * @at: clock at these ends
 */
struct icb_steady {
	u64 window;
	u64 next;
	u64 count;
	u64 first_done;
	u64 first;
	u64 done[ICB_STEADY_TRAILING + 1];
	u64 at[ICB_STEADY_TRAILING + 1];
};

/**
 * struct icb_steady_part - the steady part of a stream
 * @before: measured operations before it
 * @done: operations in it; 0 if there is no such part
 * @ticks: length of the steady part, clock ticks
 */
struct icb_steady_part {
	u64 before;
	u64 done;
	u64 ticks;
};

void icb_steady_begin(struct icb_steady *steady, u64 window);
void icb_steady_add(struct icb_steady *steady, u64 done, u64 now);
void icb_steady_get(const struct icb_steady *steady, unsigned int trailing,
		    struct icb_steady_part *part);

#endif /* ICB_STEADY_H */
