/* SPDX-License-Identifier: GPL-2.0 */
/* Threads that stay on the CPU that a run's result names. */
#ifndef ICB_PIN_H
#define ICB_PIN_H

#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct icb_reason;
struct task_struct;

/**
 * struct icb_pins - those of a side of a run
 * @lock: held while they are looked at
 * @list: their icb_pin.list
 * @lost: the CPU that one of them did not stay on; -1 for none
 */
struct icb_pins {
	struct mutex lock; /* @list and @lost */
	struct list_head list;
	int lost;
};

/**
 * struct icb_pin - a thread on its CPU
 * @list: among those of its side
 * @task: the thread
 * @cpu: where it is to stay
 * @moves: how often it had been moved by then
 * @sleeps: how often the machine had slept by then
 * @before: where it might run before
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
