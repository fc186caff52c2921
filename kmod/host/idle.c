// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "idle.h"
#include "pin.h"

/* Attempts to find a CPU idle, and the time between them. */
#define LOOKS		20
#define BETWEEN_US	100

/* Idle threads found so far; they exist as long as the kernel. */
static DEFINE_PER_CPU(struct task_struct *, idler);

/* Runs in an interrupt of the CPU. */
static void look(void *data)
{
	struct task_struct **found = data;

	/* a thread that injects idle time has a pid, and may exit */
	if (is_idle_task(current) && !current->pid)
		*found = current;
}

/**
 * icb_idle_find() - find the idle thread of a CPU
 * @cpu: the CPU
 *
 * A module can ask the kernel whether the current CPU is idle, but not whether another
 * CPU is; the idle thread shows that. If the thread was not found before, the caller runs
 * on another CPU than @cpu for a few milliseconds at most. May sleep.
 *
 * Return: the thread; NULL if @cpu is the only CPU, went offline or was always busy, or
 * there is no memory.
 */
struct task_struct *icb_idle_find(unsigned int cpu)
{
	struct task_struct *found = READ_ONCE(per_cpu(idler, cpu));
	unsigned int i, other;
	struct icb_pin *pin;

	if (found)
		return found;
	other = cpumask_any_but(cpu_online_mask, cpu);
	if (other >= nr_cpu_ids)
		return NULL;
	pin = kmalloc(sizeof(*pin), GFP_KERNEL);
	if (!pin || icb_pin_take(pin, NULL, other))
		goto free;
	for (i = 0; i < LOOKS && !found; i++) {
		if (i)
			usleep_range(BETWEEN_US, 2 * BETWEEN_US);
		if (smp_call_function_single(cpu, look, &found, 1))
			break;
	}
	icb_pin_give(pin, NULL);
	WRITE_ONCE(per_cpu(idler, cpu), found);
free:
	kfree(pin);
	return found;
}
