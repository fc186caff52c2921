// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/ktime.h>

#include "background.h"
#include "side.h"

/* Some ticks of any HZ, and little beside the time that a run takes. */
#define WINDOW_JIFFIES	(HZ / 20)

/**
 * icb_background_measure() - find out how busy this host's CPUs are without a run
 * @side: of the initiator, before it connects; its thread calls
 *
 * For icb_result_cpu(), which subtracts it. Nothing is measured where no result needs it
 * or the kernel has no account of idle time. Sleeps for 50 ms, or until the side is ended.
 */
void icb_background_measure(struct icb_side *side)
{
	struct icb_run *run = &side->run;
	u64 from;

	if (side->params.trigger == ICBENCH_TRIGGER_RETURN)
		return;
	from = ktime_get_ns();
	icb_clock_busy(&run->idle[0], run->cpu);
	if (!run->idle[0].cpus)
		return;
	icb_life_wait(&side->life, false, WINDOW_JIFFIES);
	icb_clock_busy(&run->idle[1], run->cpu);
	run->idle_ns = ktime_get_ns() - from;
}
