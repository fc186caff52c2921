/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Causes that disturbed the samples of a distribution: the number of disturbed samples
 * in each bucket of its histogram, by cause. After the run they show which causes the
 * samples above a percentile have in common.
 */
#ifndef ICB_TAIL_H
#define ICB_TAIL_H

#include "hist.h"

/**
 * struct icb_asker - the job and owner of a run, as reported in trace events
 * @id: ID of the job
 * @owner: netlink port of the socket that owns the job
 */
struct icb_asker {
	u32 id;
	u32 owner;
};

/**
 * enum icb_cause - events that may delay a sample
 * @ICB_CAUSE_TICK: scheduler tick
 * @ICB_CAUSE_TIMER: timer interrupt without a tick
 * @ICB_CAUSE_INTERRUPT: device interrupt; where the kinds of interrupts are not counted
 *	separately, any interrupt without a tick
 * @ICB_CAUSE_IPI: interrupt from another CPU
 * @ICB_CAUSE_SOFTIRQ: softirq of timers, the scheduler or RCU; not softirqs in which a
 *	software device does its work
 * @ICB_CAUSE_PREEMPTION: involuntary context switch of the measuring thread
 * @ICB_CAUSE_MIGRATION: move of the measuring thread to another CPU
 * @ICB_CAUSE_STEAL: CPU time taken by a hypervisor
 * @ICB_CAUSE_RUNQUEUE: wait of a runnable thread for its CPU: of the measuring thread, of
 *	the peer's thread on this host, or of ksoftirqd on the CPU of either thread
 * @ICB_CAUSE_NMI: non-maskable interrupt
 * @ICB_CAUSE_PEER: interrupt on the CPU of the peer's thread on this host, or preemption
 *	of that thread; interrupts from other CPUs do not count
 * @ICB_CAUSES: number of causes
 *
 * Interrupts, softirqs and steal are those of the measuring thread's CPU, except with
 * ICB_CAUSE_PEER.
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

/* Causes whose time in a sample is known. They are dropped if that time is short. */
#define ICB_CAUSES_TIMED						\
	(BIT(ICB_CAUSE_PREEMPTION) | BIT(ICB_CAUSE_STEAL) |		\
	 BIT(ICB_CAUSE_RUNQUEUE))

/* Causes whose time is known where the kernel accounts for the time of interrupts. */
#define ICB_CAUSES_IRQ							\
	(BIT(ICB_CAUSE_TICK) | BIT(ICB_CAUSE_TIMER) |			\
	 BIT(ICB_CAUSE_INTERRUPT) | BIT(ICB_CAUSE_IPI))

/* Number of causes that often raise a softirq: ICB_CAUSE_TICK and ICB_CAUSE_TIMER. */
#define ICB_CAUSES_BARE	(ICB_CAUSE_TIMER + 1)

/**
 * struct icb_tail - the disturbed samples of a distribution
 * @by: disturbed samples in each bucket, by cause; a sample with several causes counts
 *	for each of them
 * @any: disturbed samples in each bucket, each counted once
 * @timed: samples in each bucket with at least one cause whose time is known
 * @bare: samples in each bucket with a tick or a timer interrupt, but without a softirq
 * @accounted: BIT() of each cause, besides ICB_CAUSES_TIMED, whose time the kernel
 *	accounts for
 * @alone: for each kind of interrupt, a moving average of its time in samples without
 *	another kind, ns; 0 of a kind that was in no such sample
 */
struct icb_tail {
	u64 by[ICB_CAUSES][ICB_HIST_BUCKETS];
	u64 any[ICB_HIST_BUCKETS];
	u64 timed[ICB_HIST_BUCKETS];
	u64 bare[ICB_CAUSES_BARE][ICB_HIST_BUCKETS];
	u32 accounted;
	u64 alone[ICB_CAUSES];
};

/**
 * struct icb_share - the causes of the samples above a percentile
 * @samples: number of samples above the percentile
 * @had: samples in which each cause occurred
 * @expected: samples in which each cause is expected by chance, from their length and its
 *	frequency in all samples; equal to @had if its time is known
 * @by: samples that each cause explains; equal to @had if its time is known, or if the
 *	share is of all samples
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
 * @stolen: time taken by a hypervisor
 * @irq: time in interrupts; 0 if the kernel does not account for it
 * @softirq: time in softirqs; 0 if the kernel does not account for it
 */
struct icb_spent {
	u64 stolen;
	u64 irq;
	u64 softirq;
};

/* Names of the causes in results. */
extern const char *const icb_cause_words[ICB_CAUSES];

/**
 * struct icb_waits - usual waits of a thread for its CPU
 * @sleeps: true if the thread sleeps during a sample, and waits after it is woken
 * @lost: samples with an involuntary context switch of the thread
 * @polled: moving average of its wait in such a sample, ns; 0 if there was none
 * @usual: least wait of a thread that sleeps, ns; U64_MAX if there was none
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
