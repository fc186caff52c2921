/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time source of all measurements: ordered against the surrounding code, invariant if
 * the machine has an invariant clock, and of known cost.
 */
#ifndef ICB_CLOCK_H
#define ICB_CLOCK_H

#include <linux/build_bug.h>
#include <linux/jump_label.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/types.h>
#if IS_ENABLED(CONFIG_X86)
#include <asm/hardirq.h>
#include <asm/msr.h>
#include <asm/tsc.h>
#elif IS_ENABLED(CONFIG_ARM64)
#include <clocksource/arm_arch_timer.h>
#endif

/* A constant: each sample converts several intervals, and a variable shift costs more. */
#define ICB_CLOCK_SHIFT		32

/**
 * struct icb_clock - properties of the time source
 * @name: name of the time source
 * @invariant: true if it ticks at one rate on every CPU and in every idle state
 * @khz: frequency, kHz
 * @read_ps: least measured cost of one icb_clock_read(), ps
 * @step_ps: least difference between two unequal reads, ps
 * @mult: multiplier: ns = ticks * @mult >> ICB_CLOCK_SHIFT
 */
struct icb_clock {
	const char *name;
	bool invariant;
	u32 khz;
	u32 read_ps;
	u32 step_ps;
	u64 mult;
};

/**
 * struct icb_busy - busy time of the CPUs of this host
 * @ns: busy time of all CPUs since an arbitrary start, ns
 * @cpus: number of CPUs; 0 if the busy time is unknown
 * @run_ns: busy time of the run's CPUs since the same start, ns
 */
struct icb_busy {
	u64 ns;
	unsigned int cpus;
	u64 run_ns;
};

extern struct icb_clock icb_clock;
DECLARE_STATIC_KEY_FALSE(icb_clock_counter);

/**
 * icb_clock_read() - read the clock
 *
 * Neither the compiler nor the CPU moves loads across it. Any context.
 *
 * Return: clock ticks.
 */
static __always_inline u64 icb_clock_read(void)
{
#if IS_ENABLED(CONFIG_X86)
	if (static_branch_likely(&icb_clock_counter))
		return rdtsc_ordered();
#elif IS_ENABLED(CONFIG_ARM64)
	if (static_branch_likely(&icb_clock_counter))
		return arch_timer_read_counter();
#endif
	return ktime_get_raw_fast_ns();
}

/**
 * icb_clock_ns() - convert an interval to ns
 * @ticks: the interval, clock ticks
 *
 * Return: ns, rounded down.
 */
static inline u64 icb_clock_ns(u64 ticks)
{
	return mul_u64_u64_shr(ticks, icb_clock.mult, ICB_CLOCK_SHIFT);
}

/*
 * Adds a per-CPU variable of this CPU to a u64, in one instruction if the CPU has one:
 * each sample needs every such sum twice.
 */
#if IS_ENABLED(CONFIG_X86_64) && defined(__percpu_arg)
#ifdef __my_cpu_var
#define ICB_PERCPU(var)	__my_cpu_var(var)
#else
#define ICB_PERCPU(var)	(var)
#endif
#define icb_percpu_add(sum, var) do {					\
	BUILD_BUG_ON(sizeof(var) != sizeof(u64));			\
	asm volatile("addq " __percpu_arg(1) ", %0"			\
		     : "+r" (sum) : "m" (ICB_PERCPU(var)));		\
} while (0)
#else
#define icb_percpu_add(sum, var)	((sum) += raw_cpu_read(var))
#endif

/* True if the kernel counts timer interrupts and interrupts of other CPUs separately. */
#if IS_ENABLED(CONFIG_X86) && IS_ENABLED(CONFIG_X86_LOCAL_APIC)
#define ICB_CLOCK_TELLS_IRQS	1
/* kernels that define this have an array in place of the single fields */
#ifdef inc_perf_irq_stat
#define ICB_IRQS_NMI	counts[IRQ_COUNT_NMI]
#define ICB_IRQS_TIMER	counts[IRQ_COUNT_APIC_TIMER]
#define ICB_IRQS_WORK	counts[IRQ_COUNT_IRQ_WORK]
#define ICB_IRQS_RESCHED	counts[IRQ_COUNT_RESCHEDULE]
#define ICB_IRQS_CALL	counts[IRQ_COUNT_CALL_FUNCTION]
#define ICB_IRQS_TLB	counts[IRQ_COUNT_TLB]
#define ICB_IRQS_THERMAL	counts[IRQ_COUNT_THERMAL_APIC]
#define ICB_IRQS_THRESHOLD	counts[IRQ_COUNT_THRESHOLD_APIC]
#define ICB_IRQS_DEFERRED	counts[IRQ_COUNT_DEFERRED_ERROR]
#define ICB_IRQS_MCE	counts[IRQ_COUNT_MCE_EXCEPTION]
#define ICB_IRQS_POLL	counts[IRQ_COUNT_MCE_POLL]
#define ICB_IRQS_CALLBACK	counts[IRQ_COUNT_HYPERVISOR_CALLBACK]
#define ICB_IRQS_REENLIGHTEN	counts[IRQ_COUNT_HYPERV_REENLIGHTENMENT]
#define ICB_IRQS_STIMER	counts[IRQ_COUNT_HYPERV_STIMER0]
#else
#define ICB_IRQS_NMI	__nmi_count
#define ICB_IRQS_TIMER	apic_timer_irqs
#define ICB_IRQS_WORK	apic_irq_work_irqs
#define ICB_IRQS_RESCHED	irq_resched_count
#define ICB_IRQS_CALL	irq_call_count
#define ICB_IRQS_TLB	irq_tlb_count
#define ICB_IRQS_THERMAL	irq_thermal_count
#define ICB_IRQS_THRESHOLD	irq_threshold_count
#define ICB_IRQS_DEFERRED	irq_deferred_error_count
#define ICB_IRQS_CALLBACK	irq_hv_callback_count
#define ICB_IRQS_REENLIGHTEN	irq_hv_reenlightenment_count
#define ICB_IRQS_STIMER	hyperv_stimer0_count
#endif

/* The last counter after ICB_IRQS_TLB that this kernel has. */
#if IS_ENABLED(CONFIG_HYPERV)
#define ICB_IRQS_LAST	ICB_IRQS_STIMER
#elif IS_ENABLED(CONFIG_X86_HV_CALLBACK_VECTOR)
#define ICB_IRQS_LAST	ICB_IRQS_CALLBACK
#elif defined(ICB_IRQS_POLL) && IS_ENABLED(CONFIG_X86_MCE)
#define ICB_IRQS_LAST	ICB_IRQS_POLL
#elif IS_ENABLED(CONFIG_X86_MCE_AMD)
#define ICB_IRQS_LAST	ICB_IRQS_DEFERRED
#elif IS_ENABLED(CONFIG_X86_MCE_THRESHOLD)
#define ICB_IRQS_LAST	ICB_IRQS_THRESHOLD
#elif IS_ENABLED(CONFIG_X86_THERMAL_VECTOR)
#define ICB_IRQS_LAST	ICB_IRQS_THERMAL
#else
#define ICB_IRQS_LAST	ICB_IRQS_TLB
#endif

#define icb_irqs_at(member)	offsetof(irq_cpustat_t, member)
/* Offset after the TLB counter, which rises only together with another counter. */
#define ICB_IRQS_RARE	(icb_irqs_at(ICB_IRQS_TLB) + sizeof(u32))
#define ICB_IRQS_END	(icb_irqs_at(ICB_IRQS_LAST) + sizeof(u32))

/* Two adjacent counters as one number, which changes if either counter changes. */
#define icb_irq_pair(offset)						\
	(*(u64 __percpu *)((char __percpu *)&irq_stat + (offset)))

#define ICB_IRQS_PAIRS	DIV_ROUND_UP(ICB_IRQS_END - ICB_IRQS_RARE, 8)

/* Offset of pair n of the rare counters; the last counter may be in two pairs. */
#define ICB_IRQS_PAIR_AT(n)						\
	min_t(size_t, ICB_IRQS_RARE + 8 * (n), ICB_IRQS_END - 8)
#else
#define ICB_CLOCK_TELLS_IRQS	0
#endif

/**
 * icb_clock_irqs() - a number that each non-device interrupt of this CPU changes
 *
 * Interrupts that only devices raise are not counted. Counters are read in pairs to save
 * time: each sample reads this number twice.
 *
 * Return: the number; 0 if the kernel does not count interrupts by kind.
 */
static __always_inline u64 icb_clock_irqs(void)
{
	u64 sum = 0;

#if ICB_CLOCK_TELLS_IRQS
	BUILD_BUG_ON(icb_irqs_at(ICB_IRQS_NMI) + sizeof(u32) !=
		     icb_irqs_at(ICB_IRQS_TIMER));
	BUILD_BUG_ON(ICB_IRQS_PAIRS > 4);
	sum = raw_cpu_read(icb_irq_pair(icb_irqs_at(ICB_IRQS_NMI)));
	/* read together with the counter before it */
	icb_percpu_add(sum, icb_irq_pair(icb_irqs_at(ICB_IRQS_WORK) - 4));
#if IS_ENABLED(CONFIG_SMP)
	BUILD_BUG_ON(icb_irqs_at(ICB_IRQS_RESCHED) + sizeof(u32) !=
		     icb_irqs_at(ICB_IRQS_CALL));
	icb_percpu_add(sum, icb_irq_pair(icb_irqs_at(ICB_IRQS_RESCHED)));
#endif
	/* only the pairs that this kernel has */
	if (ICB_IRQS_PAIRS > 0)
		icb_percpu_add(sum, icb_irq_pair(ICB_IRQS_PAIR_AT(0)));
	if (ICB_IRQS_PAIRS > 1)
		icb_percpu_add(sum, icb_irq_pair(ICB_IRQS_PAIR_AT(1)));
	if (ICB_IRQS_PAIRS > 2)
		icb_percpu_add(sum, icb_irq_pair(ICB_IRQS_PAIR_AT(2)));
	if (ICB_IRQS_PAIRS > 3)
		icb_percpu_add(sum, icb_irq_pair(ICB_IRQS_PAIR_AT(3)));
#endif
	return sum;
}

/**
 * struct icb_irqs - non-device interrupts of a CPU
 * @timer: interrupts of the CPU's timer, or of a hypervisor's timer in its place
 * @ipi: interrupts that other CPUs, or the CPU itself, sent to have work done
 * @nmi: non-maskable interrupts
 * @rare: thermal, machine-check and hypervisor interrupts
 */
struct icb_irqs {
	u32 timer;
	u32 ipi;
	u32 nmi;
	u32 rare;
};

void icb_clock_count_irqs(unsigned int cpu, struct icb_irqs *irqs);
u64 icb_clock_ticks(u64 ns);
void icb_clock_busy(struct icb_busy *busy, const u32 run[2]);
u64 icb_clock_spread(const int *stop);
void icb_clock_init(void);

#endif /* ICB_CLOCK_H */
