/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What has disturbed the samples of a distribution: for each bucket of its
 * histogram how many of them, by cause. Who looks at the samples above a
 * percentile afterwards sees what they had in common.
 */
#ifndef ICB_TAIL_H
#define ICB_TAIL_H

#include "hist.h"

/**
 * struct icb_asker - whose run it is, as the kernel's trace says
 * @id: of its job
 * @owner: netlink port of who runs it
 */
struct icb_asker {
	u32 id;
	u32 owner;
};

/**
 * enum icb_cause - what may come in the way of a sample
 * @ICB_CAUSE_TICK: the scheduler's tick, on the CPU that measures; as all of them
 * @ICB_CAUSE_TIMER: an interrupt of its timer that brought no tick
 * @ICB_CAUSE_INTERRUPT: one of a device; where a machine does not tell interrupts
 *	apart, any but a tick
 * @ICB_CAUSE_IPI: one of another CPU
 * @ICB_CAUSE_SOFTIRQ: a software interrupt that no network device lives from
 * @ICB_CAUSE_PREEMPTION: the thread lost its CPU and did not sleep
 * @ICB_CAUSE_MIGRATION: it came to another CPU
 * @ICB_CAUSE_STEAL: a hypervisor took the CPU away
 * @ICB_CAUSE_RUNQUEUE: the thread could run, and waited for its CPU; or that of
 *	the other side, on the same host
 * @ICB_CAUSE_NMI: a non-maskable interrupt
 * @ICB_CAUSE_PEER: an interrupt of the CPU of the other side's thread, on the same
 *	host, or that thread lost its CPU
 * @ICB_CAUSES: how many there are
 */
enum icb_cause {
	ICB_CAUSE_TICK,
	ICB_CAUSE_TIMER,
	ICB_CAUSE_INTERRUPT,
	ICB_CAUSE_IPI,
	ICB_CAUSE_SOFTIRQ,
	ICB_CAUSE_PREEMPTION,
	ICB_CAUSE_MIGRATION,
	ICB_CAUSE_STEAL,
	ICB_CAUSE_RUNQUEUE,
	ICB_CAUSE_NMI,
	ICB_CAUSE_PEER,
	ICB_CAUSES,
};

/* Causes whose time in a sample is known, and which are dropped where it is short. */
#define ICB_CAUSES_TIMED						\
	(BIT(ICB_CAUSE_PREEMPTION) | BIT(ICB_CAUSE_STEAL) |		\
	 BIT(ICB_CAUSE_RUNQUEUE))

/* Causes whose time is known where the kernel accounts for the time of interrupts. */
#define ICB_CAUSES_IRQ							\
	(BIT(ICB_CAUSE_TICK) | BIT(ICB_CAUSE_TIMER) |			\
	 BIT(ICB_CAUSE_INTERRUPT) | BIT(ICB_CAUSE_IPI))

/**
 * struct icb_tail - the samples of a distribution that something has disturbed
 * @by: how many fell into each bucket, by cause; one with several causes counts
 *	for each
 * @any: and all of them together, each once
 * @timed: samples with at least one cause whose time is known
 * @accounted: BIT() of each other cause whose time the kernel accounts for
 * @alone: time of each kind of interrupt in samples that have no other kind, ns, on
 *	the whole of late; 0 of a kind that was in no such sample
 */
struct icb_tail {
	u64 by[ICB_CAUSES][ICB_HIST_BUCKETS];
	u64 any[ICB_HIST_BUCKETS];
	u64 timed[ICB_HIST_BUCKETS];
	u32 accounted;
	u64 alone[ICB_CAUSES];
};

/**
 * struct icb_share - what has disturbed the samples above a percentile
 * @samples: how many are above it
 * @had: samples in which each cause has occurred
 * @expected: samples in which it occurs by their length alone: by chance, as often
 *	as in all samples; as @had where its time is known
 * @by: samples that each cause explains; as @had for all samples
 * @unexplained: samples that no cause explains
 */
struct icb_share {
	u64 samples;
	u64 had[ICB_CAUSES];
	u64 expected[ICB_CAUSES];
	u64 by[ICB_CAUSES];
	u64 unexplained;
};

/**
 * struct icb_spent - time that causes have taken of a sample, ns
 * @stolen: taken by a hypervisor
 * @irq: inside interrupts; 0 where the kernel does not account for it
 * @softirq: inside software interrupts; 0 as above
 */
struct icb_spent {
	u64 stolen;
	u64 irq;
	u64 softirq;
};

/* Their words. */
extern const char *const icb_cause_words[ICB_CAUSES];

/**
 * struct icb_waits - what is usual of a thread's waits for its CPU
 * @sleeps: it sleeps for a sample, and waits once it is woken
 * @lost: samples in which it has lost its CPU and did not sleep
 * @polled: how long it was without it in such a sample, ns, on the whole of late; 0
 *	where there was none
 * @usual: the least wait of a thread that sleeps; U64_MAX where there was none
 */
struct icb_waits {
	bool sleeps;
	u64 lost;
	u64 polled;
	u64 usual;
};

u32 icb_tail_causes(struct icb_waits *waits, u32 causes, u64 waited, u64 ns,
		    const struct icb_hist *hist);
bool icb_tail_waited(u64 *usual, u64 waited, u64 ns, u64 least);
u32 icb_tail_weigh(struct icb_tail *tail, const struct icb_spent *spent,
		   u32 causes, u64 waited, u64 ns, u64 least);
u32 icb_tail_timed(const struct icb_tail *tail);
u32 icb_tail_chance(const struct icb_tail *tail, const struct icb_hist *hist,
		    u32 causes, u64 ns, u64 tick);
void icb_tail_add(struct icb_tail *tail, u64 value, u32 causes);
void icb_tail_share(const struct icb_tail *tail, const struct icb_hist *hist,
		    u32 num, u32 den, struct icb_share *share);

#endif /* ICB_TAIL_H */
