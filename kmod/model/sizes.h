/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sizes of the messages of a stream: all equal, or drawn from a distribution whose
 * mean is the parameter size. The distribution is divided into equally likely parts, and
 * a table holds the mean of each part. Therefore the overall mean is exact, and there is
 * a largest size, for which buffers have room. Both sides calculate the size of any
 * message from its number.
 */
#ifndef ICB_SIZES_H
#define ICB_SIZES_H

#include "engine.h"
#include "params.h"
#include "random.h"

/* Number of parts of a distribution, and its logarithm. */
#define ICB_SIZES_BITS	8
#define ICB_SIZES	BIT(ICB_SIZES_BITS)

/**
 * struct icb_sizes - the sizes of a run's messages
 * @on: true if the sizes differ
 * @random: random numbers that select the sizes, for the responder and the initiator
 * @size: all possible sizes, bytes, each equally likely
 */
struct icb_sizes {
	bool on;
	struct icb_random random[2];
	u32 size[ICB_SIZES];
};

/**
 * icb_sizes_at() - get the size of a message
 * @sizes: sizes of a run whose messages differ in size
 * @initiator: true if the initiator posts the message
 * @number: number of the message, from 1
 *
 * Any context.
 *
 * Return: size, bytes.
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
