/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages that are cut into pieces, one for each device: the place of a piece in its
 * message, and the number of messages that have arrived completely.
 */
#ifndef ICB_STRIPE_H
#define ICB_STRIPE_H

#include "engine.h"

/**
 * struct icb_stripes - counts of pieces that have completed, in one direction
 * @count: number of pieces of each message
 * @whole: messages that icb_stripes_take() has found complete
 * @piece: pieces that have completed on each device
 *
 * A device keeps the order of its own pieces. Therefore as many messages are complete as
 * pieces have completed on the device with the fewest of them.
 */
struct icb_stripes {
	u32 count;
	u64 whole;
	u64 piece[ICBENCH_MAX_DEVICES];
};

void icb_stripe_cut(u32 size, u32 count, u32 index, u32 *begin, u32 *end);
u32 icb_stripes_take(struct icb_stripes *stripes);

#endif /* ICB_STRIPE_H */
