/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for kmod/host/disturb.h: a test sets the disturbances that the engine finds, and
 * reads what the engine has passed on.
 */
#ifndef ICB_DISTURB_H
#define ICB_DISTURB_H

#include "model/spans.h"
#include "model/tail.h"

/* Period of the scheduler's tick, ns. */
#define ICB_DISTURB_TICK_NS	4000000

/**
 * struct icb_disturb - disturbances of a thread
 * @begun: number of samples that have begun
 * @ended: number of samples that have ended
 * @waited: time that the thread has waited for its CPU in the last sample, ns
 * @spent: time that causes have taken of the last sample
 * @own: number of expirations of the measurement's own timer
 */
struct icb_disturb {
	u64 begun;
	u64 ended;
	u64 waited;
	struct icb_spent spent;
	u64 own;
};

/*
 * Returns the causes that disturb a sample, BIT() of each enum icb_cause. The first sample
 * has number 1. NULL: no sample is disturbed.
 */
extern u32 (*disturb_causes)(u64 sample);
/* Time that the thread waits for its CPU in each sample, for ICB_CAUSE_RUNQUEUE, ns. */
extern u64 disturb_waited;
/* Time that causes take of each sample. */
extern struct icb_spent disturb_spent;

/**
 * icb_disturb_own() - count an expiration of the measurement's own timer
 * @disturb: state of the measuring thread
 */
static inline void icb_disturb_own(struct icb_disturb *disturb)
{
	disturb->own++;
}

/**
 * icb_disturb_begin() - begin a sample
 * @disturb: state of this thread
 */
static inline void icb_disturb_begin(struct icb_disturb *disturb)
{
	disturb->begun++;
}

/**
 * icb_disturb_end() - end a sample, and return what has disturbed it
 * @disturb: state of icb_disturb_begin()
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

/* Arguments of the last icb_disturb_beyond(), and number of its calls. */
extern struct disturb_beyond {
	u64 number;
	u64 ns;
	u64 ago;
	unsigned int calls;
} disturb_beyond;

/**
 * icb_disturb_beyond() - record a sample above the threshold
 * @asker: identity of the run
 * @number: number of the sample among those measured
 * @ns: duration of the sample, ns
 * @ago: time since the end of the sample, ns
 */
static inline void icb_disturb_beyond(const struct icb_asker *asker, u64 number,
				      u64 ns, u64 ago)
{
	(void)asker;
	disturb_beyond = (struct disturb_beyond){ number, ns, ago,
						  disturb_beyond.calls + 1 };
}

/* Arguments of the last icb_disturb_stages(), and number of its calls. */
extern struct disturb_stages {
	u64 number;
	struct icb_spans spans;
	unsigned int calls;
} disturb_stages;

/**
 * icb_disturb_stages() - record the stages of a sample
 * @asker: identity of the run
 * @number: number of the sample among those measured
 * @spans: stages of the sample
 */
static inline void icb_disturb_stages(const struct icb_asker *asker, u64 number,
				      const struct icb_spans *spans)
{
	(void)asker;
	disturb_stages = (struct disturb_stages){ number, *spans,
						  disturb_stages.calls + 1 };
}

#endif /* ICB_DISTURB_H */
