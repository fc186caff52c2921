/* SPDX-License-Identifier: GPL-2.0 */
/* Reproducible random numbers: splitmix64. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Random number from 0 to n - 1; n is not 0. */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
	return random_next(state) % n;
}

static inline uint64_t random_within(uint64_t *state, uint64_t low, uint64_t high)
{
	return high - low == UINT64_MAX ? random_next(state) :
		low + random_below(state, high - low + 1);
}

static inline bool random_percent(uint64_t *state, unsigned int percent)
{
	return random_below(state, 100) < percent;
}

static inline void random_fill(uint64_t *state, void *to, size_t len)
{
	unsigned char *p = to;

	while (len--)
		*p++ = random_next(state);
}

#endif /* RANDOM_H */
