/* SPDX-License-Identifier: GPL-2.0 */
/* A thread that watches memory from another CPU: when does a message arrive? */
#ifndef ICB_SHADOW_H
#define ICB_SHADOW_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "pin.h"

struct icb_reason;
struct task_struct;

/**
 * struct icb_shadow - one that watches for a run
 * @task: its thread; NULL where there is none
 * @byte: what it watches; the run's, as are
 * @was: the value that is to change, and
 * @asked: how often it was told to watch
 * @at: clock when the byte had changed; the thread's, as is
 * @seen: what @asked was when it was told to watch what then changed
 * @cpu: where the thread is to stay
 * @pins: of its side, of which one is
 * @pin: that it does
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
 * @shadow: who is to
 * @byte: changes when it comes; memory that outlives the thread
 * @was: from this
 *
 * Any context, for one arrival at a time.
 */
static inline void icb_shadow_watch(struct icb_shadow *shadow, const u8 *byte,
				    u8 was)
{
	shadow->byte = byte;
	shadow->was = was;
	/* the thread reads it before them */
	smp_store_release(&shadow->asked, shadow->asked + 1);
}

/**
 * icb_shadow_seen() - when the arrival was that was watched for
 * @shadow: who was to
 *
 * Return: clock ticks; 0 where it was not seen, or not yet.
 */
static inline u64 icb_shadow_seen(const struct icb_shadow *shadow)
{
	/* pairs with the thread, which writes it after the time */
	return smp_load_acquire(&shadow->seen) == shadow->asked ? shadow->at : 0;
}

int icb_shadow_start(struct icb_shadow *shadow, struct icb_pins *pins,
		     unsigned int cpu, struct icb_reason *why);
void icb_shadow_stop(struct icb_shadow *shadow);

#endif /* ICB_SHADOW_H */
