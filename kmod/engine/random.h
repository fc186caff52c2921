/* SPDX-License-Identifier: GPL-2.0 */
/* Random numbers that a seed decides, and the logarithm that shapes them. */
#ifndef ICB_RANDOM_H
#define ICB_RANDOM_H

#include "engine.h"

/* The natural logarithm of 2, in 2^-32. */
#define ICB_LN2		2977044472ULL

/* Binary places of icb_log2(). */
#define ICB_LOG_BITS	20

/**
 * icb_random_at() - a random number by its place in its row
 * @seed: of the row
 * @place: which one
 *
 * Any context.
 *
 * Return: 32 random bits.
 */
static inline u32 icb_random_at(u64 seed, u64 place)
{
	u64 z = seed + place * 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (z ^ (z >> 31)) >> 32;
}

u64 icb_log2(u64 x);

#endif /* ICB_RANDOM_H */
