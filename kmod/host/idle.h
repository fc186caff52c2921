/* SPDX-License-Identifier: GPL-2.0 */
/* What runs on a CPU where nothing else does. */
#ifndef ICB_IDLE_H
#define ICB_IDLE_H

#include <linux/sched.h>

struct task_struct *icb_idle_find(unsigned int cpu);

/**
 * icb_idle_runs() - whether a CPU idles
 * @idle: of icb_idle_find(), of another CPU than this one
 *
 * Any context. As of now: it may have been told to do something else.
 *
 * Return: true if so.
 */
static inline bool icb_idle_runs(const struct task_struct *idle)
{
#ifdef CONFIG_SMP
	return READ_ONCE(idle->on_cpu);
#else
	return false;
#endif
}

#endif /* ICB_IDLE_H */
