/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What disturbs a thread while it measures: counters of its CPU, and of the
 * thread, before a sample and after it. They are summed: as long as the sum stays
 * what it is, nothing has happened, and nothing else is looked at.
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

/* The other side's thread, and where software interrupts of either side run. */
#define ICB_DISTURB_OTHERS	3

/**
 * struct icb_disturb - the counters, as they were when their sum last changed
 * @sum: icb_disturb_sum(), and @watching
 * @mark: @sum, and how long the thread had waited for its CPU when the sample
 *	began, ns
 * @watching: 0; else a number so large that @sum is never icb_disturb_sum(), and
 *	each sample is looked at, since another CPU is looked at, too
 * @cpu: of this CPU
 * @switches: involuntary context switches of the thread
 * @ticks: time that ticks have accounted for
 * @steal: time that a hypervisor took
 * @counted: interrupts that are not a device's; 0 where that is not known
 * @irqs: those of devices; of all kinds, where they are not told apart
 * @irq_ns: time that the kernel has accounted for interrupts
 * @softirq_ns: and for software interrupts
 * @softirqs: software interrupts
 * @own: how often a timer of the measurement itself has gone off on this CPU; by
 *	whom it tells, in a software interrupt
 * @owned: and had by then
 * @other: threads of this host that its samples depend on, too; the first of them
 *	may be NULL
 * @others: how long each of these had waited for its CPU when it was last looked at
 * @waited: the longest of what they, and the thread, have waited since
 * @spent: what else causes have taken since
 * @knows_peer: the CPU of the other side's thread has been looked at
 * @peer_cpu: that CPU
 * @peer: icb_disturb_peer()
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
 * Each of these only rises, and so does how long a thread has waited: so the sum of
 * all stays the same only if each does. The rest needs no place here: ticks and steal are
 * accounted for in an interrupt, which raises these software interrupts, too; and
 * a thread is taken to another CPU by a switch, or while it sleeps, and finds the
 * counters of that CPU.
 */
static __always_inline u64 icb_disturb_sum(void)
{
	u64 sum = icb_clock_irqs();

	icb_percpu_add(sum, kstat.irqs_sum);
	return sum + current->nivcsw;
}

/*
 * How long a thread could run, and did not: since it was woken, or had lost its
 * CPU. It is not in the sum, since it rises whenever a thread is woken.
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

/* Only this thread writes its counter. */
static __always_inline u64 icb_disturb_own_delay(void)
{
#ifdef CONFIG_SCHED_INFO
	return current->sched_info.run_delay;
#else
	return 0;
#endif
}

/**
 * icb_disturb_stages() - tell the kernel's trace of a sample's stages
 * @asker: whose run it is
 * @number: which of those measured
 * @spans: its stages
 *
 * Costs a jump that is not taken where nobody traces them. Any context.
 */
static __always_inline void icb_disturb_stages(const struct icb_asker *asker,
					       u64 number,
					       const struct icb_spans *spans)
{
	if (tracepoint_enabled(icb_stages))
		icb_disturb_stages_traced(asker, number, spans);
}

/**
 * icb_disturb_own() - a timer has gone off that belongs to the measurement
 * @disturb: of its thread
 *
 * In the software interrupt of that timer, on the thread's CPU.
 */
static __always_inline void icb_disturb_own(struct icb_disturb *disturb)
{
	WRITE_ONCE(disturb->own, disturb->own + 1);
}

/**
 * icb_disturb_begin() - a sample begins
 * @disturb: of this thread
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
 * icb_disturb_end() - what has come in the way of a sample that ends
 * @disturb: as it was given to icb_disturb_begin()
 *
 * If the next sample begins here, it need not be said.
 *
 * Return: BIT() of each enum icb_cause; ICB_CAUSE_RUNQUEUE where a thread has
 * waited for its CPU at all, @disturb->waited says how long.
 */
static __always_inline u32 icb_disturb_end(struct icb_disturb *disturb)
{
	return likely(icb_disturb_sum() + icb_disturb_own_delay() ==
		      disturb->mark) ?
		0 : icb_disturb_note(disturb);
}

#endif /* ICB_DISTURB_H */
