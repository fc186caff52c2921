/* SPDX-License-Identifier: GPL-2.0 */
/* Credit: how many messages a stream may be ahead of its receiver. */
#ifndef ICB_CREDITS_H
#define ICB_CREDITS_H

#include "engine.h"

/*
 * Most grants that are sent and not yet received by the sender of the stream: a grant is
 * for at least 1 / ICB_CREDITS_HEARD of the receives.
 */
#define ICB_CREDITS_HEARD	8

/*
 * Most grants that the receiver of a stream has posted without taking their completions:
 * ICB_CREDITS_HEARD that are not yet received, and as many that were received.
 */
#define ICB_CREDITS_GRANTS	(2 * ICB_CREDITS_HEARD)

/**
 * struct icb_credits - the credit of a stream
 * @ahead: messages that may be sent before any receive was posted again
 * @each: messages per grant: the receiver sends a grant after so many messages, and the
 *	sender may send as many more
 */
struct icb_credits {
	u32 ahead;
	u32 each;
};

/**
 * icb_credits_plan() - calculate the credit of the streams of a run
 * @depth: receives of a QP, at least two windows in whole batches
 * @window: most operations that are posted at a time
 * @credit_implicit: true if both sides stream, so that no grants are sent
 * @batch: receives that are posted again together; reduced if receives that wait for
 *	their batch would leave too few of @depth
 *
 * With implicit credit, a side that has received n messages sends at most n + ahead. Its
 * peer follows the same rule: as it has sent n messages, it has received n - ahead or
 * more. So at most 2 * ahead messages are in flight to it, and all of them find receives.
 *
 * Return: the credit. A whole window may be posted once all messages before it have been
 * received, even if the last of these are too few for a grant: no stream waits forever.
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
