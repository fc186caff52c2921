/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Detects what disturbs a measuring thread, from counters of its CPU and of the thread
 * before and after a sample. The fast path reads only the sum of the counters: while the
 * sum is unchanged, nothing has happened, and nothing else is read.
 */
#ifndef ICB_DISTURB_H
#define ICB_DISTURB_H

#include <linux/jiffies.h>
#include <linux/kernel_stat.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/tracepoint-defs.h>

#include "clock.h"
#include "model/spans.h"
#include "model/tail.h"

DECLARE_TRACEPOINT(icb_stages);

/* The peer's thread, and ksoftirqd on the CPU of each side. */
#define ICB_DISTURB_OTHERS	3

/**
 * struct icb_disturb - snapshot of the counters when their sum last changed
 * @sum: icb_disturb_sum() plus @watching
 * @mark: @sum plus the run-queue delay of the thread when the sample began, ns
 * @watching: 0; or BIT_ULL(63) while @peer_cpu is watched, so that @sum never equals
 *	icb_disturb_sum() and each sample calls icb_disturb_note()
 * @cpu: CPU that the counters belong to
 * @switches: involuntary context switches of the thread
 * @ticks: CPU time that ticks have accounted for, ns
 * @steal: time that a hypervisor took, ns
 * @counted: interrupts that are not of devices; 0 if unknown
 * @irqs: interrupts of devices; of all kinds if the kernel does not count by kind
 * @irq_ns: time that the kernel has accounted for interrupts, ns
 * @softirq_ns: time that the kernel has accounted for softirqs, ns
 * @softirqs: number of softirqs, as of count_softirqs()
 * @own: expirations of the measurement's own timer on this CPU; written in the softirq of
 *	that timer
 * @owned: @own at the time of the snapshot
 * @other: other threads of this host that the samples depend on, the peer's first; each
 *	may be NULL
 * @others: run-queue delay of each thread in @other at the last check, ns
 * @waited: longest time that the thread or one of @other waited between the last two
 *	checks, ns
 * @spent: time that other causes took between the last two checks, ns
 * @knows_peer: true if @peer_cpu is watched, or was until icb_disturb_part()
 * @peer_cpu: CPU of the peer's thread
 * @peer: count_peer() at the last check
 */
struct icb_disturb {
	u64 sum;
	u64 mark;
	u64 watching;
	unsigned int cpu;
	unsigned long switches;
	u64 ticks;
	u64 steal;
	u64 irq_ns;
	u64 softirq_ns;
	struct icb_irqs counted;
	u32 irqs;
	u32 softirqs;
	u32 own;
	u32 owned;
	struct task_struct *other[ICB_DISTURB_OTHERS];
	u64 others[ICB_DISTURB_OTHERS];
	u64 waited;
	struct icb_spent spent;
	bool knows_peer;
	unsigned int peer_cpu;
	u32 peer;
};

/* Period of the scheduler's tick, ns. */
#define ICB_DISTURB_TICK_NS	TICK_NSEC

/*
 * Each counter here only rises, as does a thread's run-queue delay: the sum is unchanged
 * only if each counter is. The other counters are not needed in the sum. Ticks and steal
 * time are accounted for in an interrupt, which also raises the softirqs of
 * count_softirqs(). A thread migrates by a context switch or while it sleeps, and then
 * reads the counters of another CPU.
 */
static __always_inline u64 icb_disturb_sum(void)
{
	u64 sum = icb_clock_irqs();

	icb_percpu_add(sum, kstat.irqs_sum);
	return sum + current->nivcsw;
}

/*
 * Time that a thread was runnable without a CPU, since it was woken or preempted, ns. It
 * is not in the sum, since it rises whenever the thread is woken.
 */
static __always_inline u64 icb_disturb_delay(const struct task_struct *task)
{
#ifdef CONFIG_SCHED_INFO
	return READ_ONCE(task->sched_info.run_delay);
#else
	return 0;
#endif
}

u32 icb_disturb_note(struct icb_disturb *disturb);
u32 icb_disturb_known(const struct icb_disturb *disturb);
void icb_disturb_join(struct icb_disturb *disturb, struct task_struct *peer,
		      unsigned int cpu, unsigned int peer_cpu);
void icb_disturb_part(struct icb_disturb *disturb);
void icb_disturb_beyond(const struct icb_asker *asker, u64 number, u64 ns,
			u64 ago);
void icb_disturb_stages_traced(const struct icb_asker *asker, u64 number,
			       const struct icb_spans *spans);

/* No READ_ONCE(): only this thread writes its own counter. */
static __always_inline u64 icb_disturb_own_delay(void)
{
#ifdef CONFIG_SCHED_INFO
	return current->sched_info.run_delay;
#else
	return 0;
#endif
}

/**
 * icb_disturb_stages() - trace the stages of a sample, if the event is enabled
 * @asker: identity of the run
 * @number: number of the sample among those measured
 * @spans: stages of the sample
 *
 * Costs one jump that is not taken while the event is disabled. Any context.
 */
static __always_inline void icb_disturb_stages(const struct icb_asker *asker,
					       u64 number,
					       const struct icb_spans *spans)
{
	if (tracepoint_enabled(icb_stages))
		icb_disturb_stages_traced(asker, number, spans);
}

/**
 * icb_disturb_own() - count an expiration of the measurement's own timer
 * @disturb: state of the measuring thread
 *
 * Called in the softirq of that timer, on the thread's CPU.
 */
static __always_inline void icb_disturb_own(struct icb_disturb *disturb)
{
	WRITE_ONCE(disturb->own, disturb->own + 1);
}

/**
 * icb_disturb_begin() - begin a sample
 * @disturb: state of this thread
 *
 * Process context.
 */
static __always_inline void icb_disturb_begin(struct icb_disturb *disturb)
{
	u64 sum = icb_disturb_sum();

	if (unlikely(sum != disturb->sum))
		icb_disturb_note(disturb);
	else
		disturb->mark = sum + icb_disturb_own_delay();
}

/**
 * icb_disturb_end() - end a sample, and return what has disturbed it
 * @disturb: state of icb_disturb_begin()
 *
 * If the next sample begins here, icb_disturb_begin() need not be called again.
 *
 * Return: BIT() of each enum icb_cause; ICB_CAUSE_RUNQUEUE if a thread has waited for its
 * CPU at all, in which case @disturb->waited is the time, ns.
 */
static __always_inline u32 icb_disturb_end(struct icb_disturb *disturb)
{
	return likely(icb_disturb_sum() + icb_disturb_own_delay() ==
		      disturb->mark) ?
		0 : icb_disturb_note(disturb);
}

#endif /* ICB_DISTURB_H */
