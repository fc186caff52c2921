/* SPDX-License-Identifier: GPL-2.0 */
/* Pins threads to the CPUs that a run's result reports. */
#ifndef ICB_PIN_H
#define ICB_PIN_H

#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct icb_reason;
struct task_struct;

/**
 * struct icb_pins - the pinned threads of a side of a run
 * @lock: protects @list and @lost
 * @list: list of icb_pin.list
 * @lost: CPU that a thread did not stay on; -1 for none
 */
struct icb_pins {
	struct mutex lock; /* @list and @lost */
	struct list_head list;
	int lost;
};

/**
 * struct icb_pin - a thread pinned to a CPU
 * @list: entry in icb_pins.list
 * @task: the thread
 * @cpu: CPU of the thread
 * @moves: migrations of the thread when it was pinned, or at the last resume
 * @sleeps: counter of suspends and resumes when the thread was last bound to @cpu
 * @before: CPUs that the thread could run on before
 */
struct icb_pin {
	struct list_head list;
	struct task_struct *task;
	unsigned int cpu;
	u64 moves;
	unsigned int sleeps;
	struct cpumask before;
};

int icb_pin_init(void);
void icb_pin_exit(void);
bool icb_pin_sleeps(void);
void icb_pins_init(struct icb_pins *pins);
int icb_pins_check(struct icb_pins *pins, struct icb_reason *why);
int icb_pin_take(struct icb_pin *pin, struct icb_pins *pins, unsigned int cpu);
void icb_pin_give(struct icb_pin *pin, struct icb_pins *pins);

#endif /* ICB_PIN_H */
