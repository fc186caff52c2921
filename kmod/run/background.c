// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/ktime.h>

#include "background.h"
#include "model/triggers_table.h"
#include "side.h"

/*
 * The median of five slices is used: the start of a program is not background load, and
 * its CPU time would be missing from the load that the run is found to cause.
 */
#define SLICES		5
#define SLICE_JIFFIES	max_t(unsigned long, HZ / 100, 1)

struct slice {
	u64 busy;
	u64 ns;
	unsigned int cpus;
};

static void measure(struct icb_side *side, struct slice *slice)
{
	struct icb_busy before, after;
	u64 from = ktime_get_ns();

	icb_clock_busy(&before, side->run.cpu);
	/* only the end of the side ends this wait early */
	if (before.cpus)
		icb_abort_wait(&side->abort, false, SLICE_JIFFIES);
	icb_clock_busy(&after, side->run.cpu);
	slice->ns = ktime_get_ns() - from;
	slice->cpus = before.cpus == after.cpus ? after.cpus : 0;
	/* keep only the CPUs without a thread of the run */
	before.ns -= before.run_ns;
	after.ns -= after.run_ns;
	slice->busy = after.ns > before.ns ? after.ns - before.ns : 0;
}

/* Compares the busy fractions of two slices. */
static bool is_less(const struct slice *a, const struct slice *b)
{
	return a->busy * b->ns < b->busy * a->ns;
}

/**
 * icb_background_measure() - measure how busy this host's other CPUs are without a run
 * @side: side of the initiator, before it connects, with @side->run.cpu set; called by
 *	its thread
 *
 * icb_result_cpu() subtracts this load. Nothing is measured if no result needs it or if
 * the kernel does not account idle time. Sleeps for 50 ms, or until the side is ended.
 */
void icb_background_measure(struct icb_side *side)
{
	struct icb_run *run = &side->run;
	struct slice slice[SLICES], next;
	unsigned int i, at;

	if (icb_trigger_of(&side->params)->times_calls)
		return;
	for (i = 0; i < SLICES; i++) {
		measure(side, &next);
		if (!next.cpus || READ_ONCE(side->abort.over))
			return;
		for (at = i; at && is_less(&next, &slice[at - 1]); at--)
			slice[at] = slice[at - 1];
		slice[at] = next;
	}
	run->idle.cpus = slice[SLICES / 2].cpus;
	run->idle.ns = slice[SLICES / 2].busy;
	run->idle_ns = slice[SLICES / 2].ns;
}
