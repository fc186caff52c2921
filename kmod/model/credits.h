/* SPDX-License-Identifier: GPL-2.0 */
/* How far a stream may be ahead of who takes it. */
#ifndef ICB_CREDITS_H
#define ICB_CREDITS_H

#include "engine.h"

/* What gives credit and has not been heard, at most: so many parts the receives have. */
#define ICB_CREDITS_HEARD	8

/* And that was heard, of which who has sent it may not know yet. */
#define ICB_CREDITS_GRANTS	(2 * ICB_CREDITS_HEARD)

/**
 * struct icb_credits - how many receives there are for a stream
 * @ahead: messages that may be sent before any receive was given back
 * @each: messages that are taken before who sends them is told; each time it may send
 *	as many more
 */
struct icb_credits {
	u32 ahead;
	u32 each;
};

/**
 * icb_credits_plan() - how far the streams of a run may be ahead
 * @depth: receives of a QP, at least as many as two windows in whole batches
 * @window: what is posted at a time, at most
 * @credit_implicit: streams cross
 * @batch: of receives, so many are given back together; changed to fewer where those
 *	that wait for others would leave too little of @depth
 *
 * Where streams cross nobody tells anything. Who has taken so many messages, and sends
 * no more than @ahead beyond that, finds a receive for each: the other side does the same,
 * so that it has sent @ahead more than were taken here at most, and taken @ahead less
 * than that.
 *
 * Return: how far. All of a window may be posted once all before it has been taken,
 * also where the last part of that is too small to be told: so no stream waits for ever.
 */
static inline struct icb_credits icb_credits_plan(u32 depth, u32 window,
						  bool credit_implicit, u32 *batch)
{
	struct icb_credits credits;
	u32 room;

	for (;; *batch /= 2) {
		room = depth - (*batch - 1);
		credits.ahead = credit_implicit ? room / 2 : room;
		credits.each = credit_implicit ? 1 :
			(room + ICB_CREDITS_HEARD - 1) / ICB_CREDITS_HEARD;
		if (*batch == 1 ||
		    (!(depth % *batch) &&
		     credits.ahead >= window + credits.each - 1))
			return credits;
	}
}

#endif /* ICB_CREDITS_H */
