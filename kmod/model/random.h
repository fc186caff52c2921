/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random numbers from a seed, and the logarithm that gives them a distribution.
 *
 * A stream belongs to one use at one side of one run. Any two streams are independent,
 * although both sides and all uses have the same seed: each stream is made by
 * icb_random_of(), which takes side and use as arguments, or derived from such a stream
 * by icb_random_part().
 */
#ifndef ICB_RANDOM_H
#define ICB_RANDOM_H

#include "engine.h"

/* The natural logarithm of 2, in 2^-32. */
#define ICB_LN2		2977044472ULL

/* Binary places of the result of icb_log2(). */
#define ICB_LOG_BITS	20

/**
 * enum icb_random_use - the use of a stream of random numbers
 * @ICB_RANDOM_ARRIVAL: the times between operations of an open loop
 * @ICB_RANDOM_SIZE: the sizes of messages
 * @ICB_RANDOM_PAYLOAD: the content of messages
 * @ICB_RANDOM_USES: number of uses
 *
 * Both sides of a run must use the same values: a new use is added at the end.
 */
enum icb_random_use {
	ICB_RANDOM_ARRIVAL,
	ICB_RANDOM_SIZE,
	ICB_RANDOM_PAYLOAD,
	ICB_RANDOM_USES,
};

/**
 * struct icb_random - a stream of random numbers
 * @key: determines the numbers; from icb_random_of() or icb_random_part()
 */
struct icb_random {
	u64 key;
};

/* A bijection in which each bit of the result depends on each bit of @z. */
static inline u64 icb_random_mix(u64 z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/**
 * icb_random_word() - get a random number by its place in a stream
 * @random: the stream
 * @place: index of the number in the stream
 *
 * Any context.
 *
 * Return: 64 random bits.
 */
static inline u64 icb_random_word(struct icb_random random, u64 place)
{
	return icb_random_mix(random.key + place * 0x9e3779b97f4a7c15ULL);
}

/**
 * icb_random_at() - get a 32-bit random number by its place in a stream
 * @random: the stream
 * @place: index of the number in the stream
 *
 * Any context.
 *
 * Return: 32 random bits.
 */
static inline u32 icb_random_at(struct icb_random random, u64 place)
{
	return icb_random_word(random, place) >> 32;
}

/**
 * icb_random_part() - derive a stream from a number of another stream
 * @random: the other stream
 * @place: index of the number in @random
 *
 * Any context.
 *
 * Return: the derived stream.
 */
static inline struct icb_random icb_random_part(struct icb_random random,
						u64 place)
{
	return (struct icb_random){ icb_random_word(random, place) };
}

struct icb_random icb_random_of(u64 seed, bool initiator,
				enum icb_random_use use);
u64 icb_log2(u64 x);

#endif /* ICB_RANDOM_H */
