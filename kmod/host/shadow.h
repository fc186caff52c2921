/* SPDX-License-Identifier: GPL-2.0 */
/* A thread that watches memory from another CPU, to find when a message arrives. */
#ifndef ICB_SHADOW_H
#define ICB_SHADOW_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "pin.h"

struct icb_reason;
struct task_struct;

/**
 * struct icb_shadow - a watcher for message arrivals
 * @task: thread of the watcher; NULL for none
 * @byte: byte to watch; written by the run
 * @was: value of @byte before the arrival; written by the run
 * @asked: number of arrivals to watch for so far; written by the run
 * @at: clock when @byte had changed; written by the thread
 * @seen: value of @asked for the last arrival that was seen; written by the thread
 * @cpu: CPU of the thread
 * @pins: pinned threads of its side
 * @pin: pin of the thread, in @pins
 */
struct icb_shadow {
	struct task_struct *task;
	const u8 *byte;
	u8 was;
	u32 asked;
	u64 at;
	u32 seen;
	unsigned int cpu;
	struct icb_pins *pins;
	struct icb_pin pin;
};

/**
 * icb_shadow_watch() - watch for the next arrival
 * @shadow: the watcher
 * @byte: byte that the arrival changes, in memory that outlives the thread
 * @was: value of the byte before the arrival
 *
 * Any context, for one arrival at a time.
 */
static inline void icb_shadow_watch(struct icb_shadow *shadow, const u8 *byte,
				    u8 was)
{
	shadow->byte = byte;
	shadow->was = was;
	/* pairs with look(), which reads @asked before @byte and @was */
	smp_store_release(&shadow->asked, shadow->asked + 1);
}

/**
 * icb_shadow_seen() - the time of the last arrival that was watched for
 * @shadow: the watcher
 *
 * Return: clock ticks; 0 if the arrival was not seen, or not yet.
 */
static inline u64 icb_shadow_seen(const struct icb_shadow *shadow)
{
	/* pairs with look(), which writes @seen after @at */
	return smp_load_acquire(&shadow->seen) == shadow->asked ? shadow->at : 0;
}

int icb_shadow_start(struct icb_shadow *shadow, struct icb_pins *pins,
		     unsigned int cpu, struct icb_reason *why);
void icb_shadow_stop(struct icb_shadow *shadow);

#endif /* ICB_SHADOW_H */
