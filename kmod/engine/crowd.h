/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs that are measured at the same time: who has warmed up goes on until all
 * have, and who has measured goes on, unmeasured, until all have, so that what each
 * one measured was moved while all others moved something, too.
 */
#ifndef ICB_CROWD_H
#define ICB_CROWD_H

#include "model/engine.h"

/**
 * struct icb_crowd - runs that are measured at the same time
 * @cold: how many of them have not warmed up yet
 * @left: how many of them have not measured yet
 *
 * Both are 0, too, where one of them never will.
 */
struct icb_crowd {
	int cold;
	int left;
};

/**
 * icb_crowd_warm() - whether all have warmed up
 * @crowd: which
 *
 * Any context.
 *
 * Return: true if so.
 */
static inline bool icb_crowd_warm(const struct icb_crowd *crowd)
{
	return !READ_ONCE(crowd->cold);
}

/**
 * icb_crowd_over() - whether nobody is waited for any more
 * @crowd: which
 *
 * Any context.
 *
 * Return: true if so.
 */
static inline bool icb_crowd_over(const struct icb_crowd *crowd)
{
	return !READ_ONCE(crowd->left);
}

void icb_crowd_begin(struct icb_crowd *crowd, int runs);
void icb_crowd_warmed(struct icb_crowd *crowd);
void icb_crowd_measured(struct icb_crowd *crowd);
void icb_crowd_end(struct icb_crowd *crowd);

#endif /* ICB_CROWD_H */
