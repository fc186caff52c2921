/* SPDX-License-Identifier: GPL-2.0 */
/* Detects whether another CPU is idle. */
#ifndef ICB_IDLE_H
#define ICB_IDLE_H

#include <linux/sched.h>

struct task_struct *icb_idle_find(unsigned int cpu);

/**
 * icb_idle_runs() - check whether a CPU is idle
 * @idle: idle thread of icb_idle_find(), of another CPU than this one
 *
 * Any context. Reflects this moment only: the CPU may be about to run something else.
 *
 * Return: true if the CPU is idle.
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
