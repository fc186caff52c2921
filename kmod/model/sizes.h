/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How large each message of a stream is: all the same, or drawn from a
 * distribution whose mean is size. A distribution is cut in as many equally
 * likely parts as a table has entries, and each part is its mean: so the mean of
 * all is exact, there is a largest one, for which buffers have room, and both
 * sides know the size of any message by its number.
 */
#ifndef ICB_SIZES_H
#define ICB_SIZES_H

#include "engine.h"
#include "params.h"
#include "random.h"

/* Parts of a distribution. */
#define ICB_SIZES_BITS	8
#define ICB_SIZES	BIT(ICB_SIZES_BITS)

/**
 * struct icb_sizes - the sizes of a run's messages
 * @on: they differ
 * @random: what draws them, for the responder and for the initiator
 * @size: those there are, bytes, each as likely as the others
 */
struct icb_sizes {
	bool on;
	struct icb_random random[2];
	u32 size[ICB_SIZES];
};

/**
 * icb_sizes_at() - how large a message is
 * @sizes: of a run whose sizes differ
 * @initiator: the side that posts it
 * @number: of the message, from 1
 *
 * Any context.
 *
 * Return: bytes.
 */
static inline u32 icb_sizes_at(const struct icb_sizes *sizes, bool initiator,
			       u64 number)
{
	return sizes->size[icb_random_at(sizes->random[initiator], number) >>
			   (32 - ICB_SIZES_BITS)];
}

void icb_sizes_start(struct icb_sizes *sizes, const struct icb_params *params);
u64 icb_sizes_sum(const struct icb_sizes *sizes, bool initiator, u64 number,
		  u64 count);
u32 icb_sizes_room(const struct icb_params *params);
u64 icb_sizes_largest(const struct icb_params *params);

#endif /* ICB_SIZES_H */
