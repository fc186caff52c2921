/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks, and the time that they live in, of two kinds.
 *
 * Virtual: the tasks take turns in one thread, in an order that a seed decides,
 * and time is a counter that calls advance. The same seed gives the same run to
 * the last step; a wait that nothing ends is found at once.
 *
 * Real: the tasks are threads, and time is the machine's.
 */
#ifndef TASK_H
#define TASK_H

#include "model/engine.h"

#define TASK_MAX	8
#define TASK_FOREVER	U64_MAX

/**
 * struct task_config - how tasks run
 * @seed: decides who is next, and all that task_random() gives
 * @real: threads and real time
 * @khz: ticks per ms
 * @preempt: how often a task that runs is interrupted, per million ticks; in
 *	real time, per million calls
 * @stall: ticks that it stays away at most, one time in four; in virtual time
 * @steps: after so many the tasks are given up; for virtual tasks
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
