/* SPDX-License-Identifier: GPL-2.0 */
#ifndef NOW_H
#define NOW_H

#include <time.h>

#include "model/engine.h"

/**
 * now_ns() - get the time, for differences
 *
 * Return: time of the monotonic clock, ns.
 */
static inline u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

#endif /* NOW_H */
