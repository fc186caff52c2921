// SPDX-License-Identifier: GPL-2.0
#include "random.h"

/**
 * icb_random_of() - get the stream of random numbers of a use
 * @seed: seed of the run
 * @initiator: true if the numbers are for operations of the initiator
 * @use: use of the numbers
 *
 * Both sides of a run get the same stream from the same arguments. Keys of adjacent
 * seeds, sides and uses are unrelated.
 *
 * Return: the stream.
 */
struct icb_random icb_random_of(u64 seed, bool initiator,
				enum icb_random_use use)
{
	const struct icb_random run = { icb_random_mix(~seed) };

	return icb_random_part(run, 2 * use + initiator + 1);
}

/**
 * icb_log2() - calculate the logarithm to base 2, by squaring
 * @x: 1 to 2^32
 *
 * Any context; no division.
 *
 * Return: the logarithm, in 2^-ICB_LOG_BITS.
 */
u64 icb_log2(u64 x)
{
	unsigned int whole = fls64(x) - 1, i;
	u64 m = x << (32 - whole), bits = 0;

	/* m is 1 to 2, in 2^-32; squared, it is 1 to 4 */
	for (i = 0; i < ICB_LOG_BITS; i++) {
		/* one bit less, so that the square has room */
		m >>= 1;
		m = m * m >> 30;
		bits <<= 1;
		if (m >> 33) {
			m >>= 1;
			bits |= 1;
		}
	}
	return ((u64)whole << ICB_LOG_BITS) + bits;
}
