/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages that are cut in pieces, one for each device: where a piece lies, and
 * which messages are there as a whole.
 */
#ifndef ICB_STRIPE_H
#define ICB_STRIPE_H

#include "engine.h"

/**
 * struct icb_stripes - the pieces that have come, of messages in their order
 * @count: pieces of each message
 * @whole: messages of which all pieces have been seen to be there
 * @piece: pieces that have come by each device
 *
 * A device keeps the order of its own pieces: as many messages are there as
 * pieces by the device that is behind.
 */
struct icb_stripes {
	u32 count;
	u64 whole;
	u64 piece[ICBENCH_MAX_DEVICES];
};

void icb_stripe_cut(u32 size, u32 count, u32 index, u32 *begin, u32 *end);
u32 icb_stripes_take(struct icb_stripes *stripes);

#endif /* ICB_STRIPE_H */
