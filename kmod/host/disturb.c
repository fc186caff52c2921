// SPDX-License-Identifier: GPL-2.0
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "compat.h"
#include "disturb.h"
#include "trace.h"

/*
 * Sum of the CPU times that a tick updates. With CONFIG_IRQ_TIME_ACCOUNTING the times of
 * interrupts and softirqs change without a tick, and are left out.
 */
static u64 accounted(unsigned int cpu)
{
	static const enum cpu_usage_stat kinds[] = {
		CPUTIME_USER, CPUTIME_NICE, CPUTIME_SYSTEM, CPUTIME_IDLE,
		CPUTIME_IOWAIT,
#ifndef CONFIG_IRQ_TIME_ACCOUNTING
		CPUTIME_SOFTIRQ, CPUTIME_IRQ,
#endif
	};
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		sum += kcpustat_cpu(cpu).cpustat[kinds[i]];
	return sum;
}

/*
 * Counts softirqs other than those of network devices, tasklets and irq_poll: a software
 * device raises these in each sample.
 */
static u32 count_softirqs(void)
{
	return raw_cpu_read(kstat.softirqs[TIMER_SOFTIRQ]) +
	       raw_cpu_read(kstat.softirqs[SCHED_SOFTIRQ]) +
	       raw_cpu_read(kstat.softirqs[HRTIMER_SOFTIRQ]) +
	       raw_cpu_read(kstat.softirqs[RCU_SOFTIRQ]);
}

/* Takes a consistent snapshot: repeats the reads until nothing happens in between. */
static void take(const struct icb_disturb *disturb, struct icb_disturb *now)
{
	do {
		now->sum = icb_disturb_sum();
		now->owned = READ_ONCE(disturb->own);
		now->cpu = raw_smp_processor_id();
		now->switches = current->nivcsw;
		icb_clock_count_irqs(now->cpu, &now->counted);
		now->irqs = (u32)raw_cpu_read(kstat.irqs_sum);
		now->softirqs = count_softirqs();
		now->ticks = accounted(now->cpu);
		now->steal = kcpustat_cpu(now->cpu).cpustat[CPUTIME_STEAL];
#ifdef CONFIG_IRQ_TIME_ACCOUNTING
		now->irq_ns = kcpustat_cpu(now->cpu).cpustat[CPUTIME_IRQ];
		now->softirq_ns = kcpustat_cpu(now->cpu).cpustat[CPUTIME_SOFTIRQ];
#endif
		barrier(); /* read the counters again */
	} while (icb_disturb_sum() != now->sum ||
		 raw_smp_processor_id() != now->cpu);
}

/*
 * The interrupt of a tick counts as a tick only: it is a timer interrupt if the kernel
 * counts these separately. Of the other timer interrupts and softirqs, as many as the
 * measurement's own timer has caused are no disturbance.
 */
static u32 interrupts(const struct icb_disturb *before,
		      const struct icb_disturb *now)
{
	const u32 ticked = now->ticks != before->ticks;
	const u32 own = now->owned - before->owned;
	u32 causes = 0, timer = now->counted.timer - before->counted.timer,
	    irqs = now->irqs - before->irqs,
	    rare = now->counted.rare - before->counted.rare,
	    softirqs = now->softirqs - before->softirqs;

	if (ticked && (timer || irqs || rare)) {
		causes |= BIT(ICB_CAUSE_TICK);
		if (timer) {
			timer--;
		} else if (!ICB_CLOCK_TELLS_IRQS || rare) {
			/* the tick is a hypervisor's timer, which may also count as a device */
			irqs -= !!irqs;
			rare -= !!rare;
		}
	}
	if (ICB_CLOCK_TELLS_IRQS)
		timer -= min(timer, own);
	else
		irqs -= min(irqs, own);
	softirqs -= min(softirqs, own);
	if (timer)
		causes |= BIT(ICB_CAUSE_TIMER);
	if (irqs || rare)
		causes |= BIT(ICB_CAUSE_INTERRUPT);
	if (now->counted.ipi != before->counted.ipi)
		causes |= BIT(ICB_CAUSE_IPI);
	if (now->counted.nmi != before->counted.nmi)
		causes |= BIT(ICB_CAUSE_NMI);
	if (softirqs)
		causes |= BIT(ICB_CAUSE_SOFTIRQ);
	if (now->steal != before->steal)
		causes |= BIT(ICB_CAUSE_STEAL);
	return causes;
}

/*
 * Reads how long threads have waited for their CPUs. The other threads are checked only
 * here, and not in each sample: an event that takes a CPU from another thread comes with
 * an interrupt, and a thread that sleeps causes a call in each sample.
 */
static u32 waits(struct icb_disturb *disturb)
{
	u64 delay = icb_disturb_delay(current);
	unsigned int i;

	disturb->waited = disturb->sum + delay - disturb->mark;
	disturb->mark = disturb->sum + delay;
	for (i = 0; i < ICB_DISTURB_OTHERS; i++) {
		if (!disturb->other[i])
			continue;
		delay = icb_disturb_delay(disturb->other[i]);
		disturb->waited = max(disturb->waited,
				      delay - disturb->others[i]);
		disturb->others[i] = delay;
	}
	return disturb->waited ? BIT(ICB_CAUSE_RUNQUEUE) : 0;
}

/*
 * Counts events on the CPU of the peer's thread that do not come with its messages.
 * Interrupts of other CPUs are left out: one of them wakes a sleeping peer in each
 * sample.
 */
static u32 count_peer(const struct icb_disturb *disturb)
{
	struct icb_irqs irqs;

	icb_clock_count_irqs(disturb->peer_cpu, &irqs);
	return irqs.timer + irqs.nmi + irqs.rare +
	       (u32)READ_ONCE(per_cpu_ptr(&kstat, disturb->peer_cpu)->irqs_sum) +
	       (u32)READ_ONCE(disturb->other[0]->nivcsw);
}

static u32 look_at_peer(struct icb_disturb *disturb)
{
	u32 peer, causes;

	if (!disturb->watching)
		return 0;
	peer = count_peer(disturb);
	causes = peer == disturb->peer ? 0 : BIT(ICB_CAUSE_PEER);
	disturb->peer = peer;
	return causes;
}

/**
 * icb_disturb_note() - find out which counters have changed
 * @disturb: the last snapshot of the counters; updated
 *
 * Counters of different CPUs are not compared: if the thread has migrated, the interrupts
 * of the sample are unknown.
 *
 * Return: BIT() of each enum icb_cause; ICB_CAUSE_RUNQUEUE if a thread has waited for its
 * CPU at all, in which case @disturb->waited is the time, ns.
 */
u32 icb_disturb_note(struct icb_disturb *disturb)
{
	u32 causes = 0, waited = waits(disturb) | look_at_peer(disturb);
	struct icb_disturb now = {};

	memset(&disturb->spent, 0, sizeof(disturb->spent));
	if (icb_disturb_sum() + disturb->watching == disturb->sum)
		return waited;
	take(disturb, &now);
	if (now.cpu == disturb->cpu) {
		causes = interrupts(disturb, &now);
		disturb->spent.stolen = now.steal - disturb->steal;
		disturb->spent.irq = now.irq_ns - disturb->irq_ns;
		disturb->spent.softirq = now.softirq_ns - disturb->softirq_ns;
	} else {
		causes = BIT(ICB_CAUSE_MIGRATION);
	}
	if (now.switches != disturb->switches)
		causes |= BIT(ICB_CAUSE_PREEMPTION);
	disturb->mark += now.sum + disturb->watching - disturb->sum;
	disturb->sum = now.sum + disturb->watching;
	disturb->cpu = now.cpu;
	disturb->switches = now.switches;
	disturb->ticks = now.ticks;
	disturb->steal = now.steal;
	disturb->irq_ns = now.irq_ns;
	disturb->softirq_ns = now.softirq_ns;
	disturb->counted = now.counted;
	disturb->irqs = now.irqs;
	disturb->softirqs = now.softirqs;
	disturb->owned = now.owned;
	return causes | waited;
}

/* Finds the thread that runs a CPU's deferred softirqs. */
static struct task_struct *find_ksoftirqd(unsigned int cpu)
{
	struct task_struct *task, *found = NULL;
	char name[TASK_COMM_LEN];

	snprintf(name, sizeof(name), "ksoftirqd/%u", cpu);
	rcu_read_lock();
	for_each_process(task) {
		if (!(task->flags & PF_KTHREAD) || strcmp(task->comm, name))
			continue;
		found = get_task_struct(task);
		break;
	}
	rcu_read_unlock();
	return found;
}

/**
 * icb_disturb_join() - set the threads of this host that samples depend on
 * @disturb: state of a run that has not begun
 * @peer: thread of the peer; NULL if it is on another host, or there is none
 * @cpu: CPU of the measuring thread
 * @peer_cpu: CPU of @peer
 *
 * While these threads wait for their CPUs, the measuring thread waits for them. If @peer
 * has another CPU of this host, the interrupts of that CPU are checked, too, and each
 * sample calls icb_disturb_note(). Undone by icb_disturb_part().
 */
void icb_disturb_join(struct icb_disturb *disturb, struct task_struct *peer,
		      unsigned int cpu, unsigned int peer_cpu)
{
	unsigned int i;

	disturb->other[0] = peer ? get_task_struct(peer) : NULL;
	disturb->other[1] = find_ksoftirqd(cpu);
	disturb->other[2] = peer && peer_cpu != cpu ? find_ksoftirqd(peer_cpu) :
						      NULL;
	for (i = 0; i < ICB_DISTURB_OTHERS; i++)
		if (disturb->other[i])
			disturb->others[i] =
				icb_disturb_delay(disturb->other[i]);
	disturb->knows_peer = peer && peer_cpu != cpu && peer_cpu < nr_cpu_ids &&
			      cpu_online(peer_cpu);
	if (!disturb->knows_peer)
		return;
	disturb->peer_cpu = peer_cpu;
	disturb->watching = BIT_ULL(63);
}

/**
 * icb_disturb_part() - undo icb_disturb_join()
 * @disturb: state of a run that is over
 */
void icb_disturb_part(struct icb_disturb *disturb)
{
	unsigned int i;

	disturb->watching = 0;
	for (i = 0; i < ICB_DISTURB_OTHERS; i++) {
		if (disturb->other[i])
			put_task_struct(disturb->other[i]);
		disturb->other[i] = NULL;
	}
}

/**
 * icb_disturb_known() - the causes that this machine can tell apart
 * @disturb: state of a run
 *
 * Return: BIT() of each enum icb_cause.
 */
u32 icb_disturb_known(const struct icb_disturb *disturb)
{
	u32 all = BIT(ICB_CAUSES) - 1;

	if (!ICB_CLOCK_TELLS_IRQS)
		all &= ~(BIT(ICB_CAUSE_TIMER) | BIT(ICB_CAUSE_IPI) |
			 BIT(ICB_CAUSE_NMI));
	if (!disturb->knows_peer)
		all &= ~BIT(ICB_CAUSE_PEER);
	if (!IS_ENABLED(CONFIG_SCHED_INFO))
		all &= ~BIT(ICB_CAUSE_RUNQUEUE);
	return all;
}

/**
 * icb_disturb_beyond() - trace a sample above the threshold
 * @asker: identity of the run
 * @number: number of the sample among those measured
 * @ns: duration of the sample, ns
 * @ago: time since the end of the sample, ns
 *
 * Any context. The user stops a trace with a trigger on this event: the module must not
 * stop the traces of other users.
 */
void icb_disturb_beyond(const struct icb_asker *asker, u64 number, u64 ns,
			u64 ago)
{
	trace_icb_beyond(asker->id, asker->owner, number, ns, ago);
}

/**
 * icb_disturb_stages_traced() - trace the stages of a sample
 * @asker: identity of the run
 * @number: number of the sample among those measured
 * @spans: stages of the sample
 *
 * Called through icb_disturb_stages().
 */
void icb_disturb_stages_traced(const struct icb_asker *asker, u64 number,
			       const struct icb_spans *spans)
{
	trace_icb_stages(asker->id, number, spans->deliver, spans->handler, spans->wake,
			 spans->reap, spans->whole);
}
