// SPDX-License-Identifier: GPL-2.0
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/stat.h>

#include "cause.h"
#include "clock.h"
#include "compat.h"
#include "model/engine.h"
#include "shadow.h"

/* Number of checks of the byte before other threads may run. */
#define LOOKS	64

static void let_others_run(void)
{
	/* the code that delivers the message may need this very CPU */
	if (!single_task_running() || local_softirq_pending())
		yield();
	else
		icb_yield();
}

static void look(struct icb_shadow *shadow)
{
	/* pairs with icb_shadow_watch() */
	u32 asked = smp_load_acquire(&shadow->asked);

	if (asked == shadow->seen ||
	    READ_ONCE(*READ_ONCE(shadow->byte)) == READ_ONCE(shadow->was)) {
		cpu_relax();
		return;
	}
	shadow->at = icb_clock_read();
	smp_store_release(&shadow->seen, asked); /* pairs with icb_shadow_seen() */
}

static int watch(void *data)
{
	struct icb_shadow *shadow = data;
	unsigned int looks = 0;
	bool is_there = !icb_pin_take(&shadow->pin, shadow->pins, shadow->cpu);

	while (!kthread_should_stop()) {
		look(shadow);
		if (!(++looks % LOOKS))
			let_others_run();
	}
	if (is_there)
		icb_pin_give(&shadow->pin, shadow->pins);
	return 0;
}

/**
 * icb_shadow_start() - start a thread that watches for arrivals
 * @shadow: the watcher, zeroed
 * @pins: pinned threads of its side
 * @cpu: CPU of the thread, online and not used by the run
 * @why: reason of a failure
 *
 * May sleep. Undone by icb_shadow_stop().
 *
 * Return: 0; a negative error number.
 */
int icb_shadow_start(struct icb_shadow *shadow, struct icb_pins *pins,
		     unsigned int cpu, struct icb_reason *why)
{
	struct task_struct *task =
		kthread_create(watch, shadow, "icbench/shadow");

	if (IS_ERR(task))
		return icb_refuse(why, PTR_ERR(task),
				  "no thread for shadow-cpu: %s (%ld)",
				  icb_cause_of_device(PTR_ERR(task)),
				  PTR_ERR(task));
	kthread_bind(task, cpu);
	shadow->pins = pins;
	shadow->cpu = cpu;
	shadow->task = task;
	wake_up_process(task);
	return 0;
}

/**
 * icb_shadow_stop() - stop the thread
 * @shadow: the watcher; may be one that was not started
 *
 * May sleep.
 */
void icb_shadow_stop(struct icb_shadow *shadow)
{
	if (shadow->task)
		kthread_stop(shadow->task);
	shadow->task = NULL;
}
