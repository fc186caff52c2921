/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs that are measured at the same time: who has warmed up goes on until all
 * have, and who has measured goes on, unmeasured, until all have, so that what each
 * one measured was moved while all others moved something, too.
 */
#ifndef ICB_BARRIER_H
#define ICB_BARRIER_H

#include "model/engine.h"

/**
 * struct icb_barrier - runs that are measured at the same time
 * @cold: how many of them have not warmed up yet
 * @left: how many of them have not measured yet
 *
 * Both are 0, too, where one of them never will.
 */
struct icb_barrier {
	int cold;
	int left;
};

/**
 * icb_barrier_warm() - whether all have warmed up
 * @barrier: which
 *
 * Any context.
 *
 * Return: true if so.
 */
static inline bool icb_barrier_warm(const struct icb_barrier *barrier)
{
	return !READ_ONCE(barrier->cold);
}

/**
 * icb_barrier_measured() - whether nobody is waited for any more
 * @barrier: which
 *
 * Any context.
 *
 * Return: true if so.
 */
static inline bool icb_barrier_measured(const struct icb_barrier *barrier)
{
	return !READ_ONCE(barrier->left);
}

void icb_barrier_init(struct icb_barrier *barrier, int runs);
void icb_barrier_add_warm(struct icb_barrier *barrier);
void icb_barrier_add_measured(struct icb_barrier *barrier);
void icb_barrier_abort(struct icb_barrier *barrier);

#endif /* ICB_BARRIER_H */
