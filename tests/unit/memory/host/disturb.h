/* SPDX-License-Identifier: GPL-2.0 */
/* What disturbs a thread in memory: what a test says. */
#ifndef ICB_DISTURB_H
#define ICB_DISTURB_H

#include "model/spans.h"
#include "model/tail.h"

/* Period of the scheduler's tick, ns. */
#define ICB_DISTURB_TICK_NS	4000000

/**
 * struct icb_disturb - what has disturbed a thread
 * @begun: samples that have begun
 * @ended: and that have ended
 * @waited: how long the last one that waited for its CPU did, ns
 * @spent: what causes have taken of the last one
 * @own: timers of the measurement itself
 */
struct icb_disturb {
	u64 begun;
	u64 ended;
	u64 waited;
	struct icb_spent spent;
	u64 own;
};

/* BIT() of each enum icb_cause of a sample; the first has number 1. NULL: none. */
extern u32 (*disturb_causes)(u64 sample);
/* How long each that has ICB_CAUSE_RUNQUEUE waited, ns. */
extern u64 disturb_waited;
/* What causes have taken of each. */
extern struct icb_spent disturb_spent;

/**
 * icb_disturb_own() - a timer has gone off that belongs to the measurement
 * @disturb: of its thread
 */
static inline void icb_disturb_own(struct icb_disturb *disturb)
{
	disturb->own++;
}

/**
 * icb_disturb_begin() - a sample begins
 * @disturb: of this thread
 */
static inline void icb_disturb_begin(struct icb_disturb *disturb)
{
	disturb->begun++;
}

/**
 * icb_disturb_end() - what has come in the way of a sample that ends
 * @disturb: as it was given to icb_disturb_begin()
 *
 * Return: BIT() of each enum icb_cause.
 */
static inline u32 icb_disturb_end(struct icb_disturb *disturb)
{
	disturb->ended++;
	disturb->waited = disturb_waited;
	disturb->spent = disturb_spent;
	return disturb_causes ? disturb_causes(disturb->ended) : 0;
}

/* What icb_disturb_beyond() was last told, and how often it was told anything. */
extern struct disturb_beyond {
	u64 number;
	u64 ns;
	u64 ago;
	unsigned int told;
} disturb_beyond;

/**
 * icb_disturb_beyond() - a sample is larger than it might be
 * @asker: whose run it is
 * @number: which of those measured
 * @ns: how large
 * @ago: how long ago it ended, ns
 */
static inline void icb_disturb_beyond(const struct icb_asker *asker, u64 number,
				      u64 ns, u64 ago)
{
	(void)asker;
	disturb_beyond = (struct disturb_beyond){ number, ns, ago,
						  disturb_beyond.told + 1 };
}

/* What icb_disturb_stages() was last told, and how often it was told anything. */
extern struct disturb_stages {
	u64 number;
	struct icb_spans spans;
	unsigned int told;
} disturb_stages;

/**
 * icb_disturb_stages() - the stages of a sample are known
 * @asker: whose run it is
 * @number: which of those measured
 * @spans: its stages
 */
static inline void icb_disturb_stages(const struct icb_asker *asker, u64 number,
				      const struct icb_spans *spans)
{
	(void)asker;
	disturb_stages = (struct disturb_stages){ number, *spans,
						  disturb_stages.told + 1 };
}

#endif /* ICB_DISTURB_H */
