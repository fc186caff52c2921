// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/ktime.h>

#include "background.h"
#include "model/slices.h"
#include "model/triggers_table.h"
#include "side.h"

#define SLICE_JIFFIES	max_t(unsigned long, HZ / 100, 1)

static void measure(struct icb_side *side, struct icb_slice *slice)
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
	struct icb_slice slice[ICB_SLICES], median;
	unsigned int i;

	if (icb_trigger_of(&side->params)->times_calls)
		return;
	for (i = 0; i < ICB_SLICES; i++) {
		measure(side, &slice[i]);
		if (!slice[i].cpus || READ_ONCE(side->abort.over))
			return;
	}
	if (!icb_slices_median(slice, &median))
		return;
	run->idle.cpus = median.cpus;
	run->idle.ns = median.busy;
	run->idle_ns = median.ns;
}
