/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random numbers that a seed decides, and the logarithm that shapes them.
 *
 * A stream belongs to one use at one side of one run. The numbers of any two streams
 * are independent, also where both sides and all uses have the same seed: only
 * icb_random_of() makes a stream, and it needs the use.
 */
#ifndef ICB_RANDOM_H
#define ICB_RANDOM_H

#include "engine.h"

/* The natural logarithm of 2, in 2^-32. */
#define ICB_LN2		2977044472ULL

/* Binary places of icb_log2(). */
#define ICB_LOG_BITS	20

/**
 * enum icb_random_use - what random numbers are drawn for
 * @ICB_RANDOM_ARRIVAL: the times between operations of an open loop
 * @ICB_RANDOM_SIZE: the sizes of messages
 * @ICB_RANDOM_PAYLOAD: the content of messages
 * @ICB_RANDOM_USES: how many there are
 *
 * Both sides of a run know these numbers: a new use goes to the end.
 */
enum icb_random_use {
	ICB_RANDOM_ARRIVAL,
	ICB_RANDOM_SIZE,
	ICB_RANDOM_PAYLOAD,
	ICB_RANDOM_USES,
};

/**
 * struct icb_random - a stream of random numbers
 * @key: decides them; of icb_random_of() or icb_random_part()
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
 * icb_random_word() - a random number by its place in its stream
 * @random: the stream
 * @place: which number
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
 * icb_random_at() - a shorter random number by its place in its stream
 * @random: the stream
 * @place: which number
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
 * icb_random_part() - a stream of its own for a number of another stream
 * @random: the other stream
 * @place: which of its numbers
 *
 * Any context.
 *
 * Return: the stream.
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
