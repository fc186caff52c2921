/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks and their time. There are two modes.
 *
 * Virtual: the tasks take turns in one thread. A seed determines their order. Time is a
 * counter that task_step() advances. Two runs with equal seeds are equal in each step. A
 * deadlock is detected at once.
 *
 * Real: the tasks are threads, and time is that of CLOCK_MONOTONIC.
 */
#ifndef TASK_H
#define TASK_H

#include "model/engine.h"

#define TASK_MAX	8
#define TASK_FOREVER	U64_MAX

/**
 * struct task_config - parameters of the tasks
 * @seed: seed of task_random(), and of the order of virtual tasks
 * @real: tasks are threads in real time
 * @khz: ticks per ms
 * @preempt: chance that the running task is preempted, per million ticks of virtual time;
 *	in real time, per million calls of task_step()
 * @stall: longest time for which a preempted task is blocked, ticks; one preemption in
 *	four blocks; virtual time only
 * @steps: number of task_step() after which virtual tasks are aborted
 */
struct task_config {
	u64 seed;
	bool real;
	u64 khz;
	unsigned int preempt;
	u64 stall;
	u64 steps;
};

void task_init(const struct task_config *config);
void task_start(const char *name, void (*fn)(void *arg), void *arg,
		bool urgent);
const char *task_run(void);

u64 task_now(void);
u64 task_ticks(u64 ns);
u64 task_ns(u64 ticks);
u64 task_random(u64 below);
unsigned int task_self(void);

void task_step(u64 cost);
void task_yield(void);
void task_lock(void);
void task_unlock(void);
void task_wait(const void *key, u64 until);
void task_wake(const void *key);

#endif /* TASK_H */
