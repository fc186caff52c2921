/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one time source of every measurement: ordered against the code around
 * it, invariant where the machine has such a one, and of known cost.
 */
#ifndef ICB_CLOCK_H
#define ICB_CLOCK_H

#include <linux/jump_label.h>
#include <linux/math64.h>
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

/**
 * struct icb_clock - what is known of the time source
 * @name: its name
 * @invariant: it ticks at one rate, on every CPU, in every idle state
 * @khz: its frequency
 * @read_ps: cost of one icb_clock_read(), least of many, picoseconds
 * @mult: ns = ticks * @mult >> @shift
 * @shift: as above
 */
struct icb_clock {
	const char *name;
	bool invariant;
	u32 khz;
	u32 read_ps;
	u32 mult;
	u32 shift;
};

/**
 * struct icb_busy - how long the CPUs of this host have been busy
 * @ns: all of them together, since some moment
 * @cpus: how many there are; 0 where it is not known
 */
struct icb_busy {
	u64 ns;
	unsigned int cpus;
};

extern struct icb_clock icb_clock;
DECLARE_STATIC_KEY_FALSE(icb_clock_counter);

/**
 * icb_clock_read() - the time now
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
 * icb_clock_ns() - an interval in ns
 * @ticks: the interval in clock ticks
 *
 * Return: ns, rounded down.
 */
static inline u64 icb_clock_ns(u64 ticks)
{
	return mul_u64_u32_shr(ticks, icb_clock.mult, icb_clock.shift);
}

/* Whether interrupts of the timer and of other CPUs are counted apart. */
#if IS_ENABLED(CONFIG_X86) && IS_ENABLED(CONFIG_X86_LOCAL_APIC)
#define ICB_CLOCK_TELLS_IRQS	1
/* what was a field each became an array, and this came with it */
#ifdef inc_perf_irq_stat
#define ICB_IRQS_TIMER	counts[IRQ_COUNT_APIC_TIMER]
#define ICB_IRQS_WORK	counts[IRQ_COUNT_IRQ_WORK]
#define ICB_IRQS_RESCHED	counts[IRQ_COUNT_RESCHEDULE]
#define ICB_IRQS_CALL	counts[IRQ_COUNT_CALL_FUNCTION]
#else
#define ICB_IRQS_TIMER	apic_timer_irqs
#define ICB_IRQS_WORK	apic_irq_work_irqs
#define ICB_IRQS_RESCHED	irq_resched_count
#define ICB_IRQS_CALL	irq_call_count
#endif
#else
#define ICB_CLOCK_TELLS_IRQS	0
#endif

/**
 * icb_clock_timer_irqs() - interrupts of this CPU's timer
 *
 * Return: how many there were; 0 where they are not counted apart.
 */
static __always_inline u32 icb_clock_timer_irqs(void)
{
#if ICB_CLOCK_TELLS_IRQS
	return raw_cpu_read(irq_stat.ICB_IRQS_TIMER);
#else
	return 0;
#endif
}

/**
 * icb_clock_ipis() - interrupts that other CPUs have sent to this one
 *
 * Also those that it has sent to itself, to have work done.
 *
 * Return: how many there were; 0 where they are not counted apart.
 */
static __always_inline u32 icb_clock_ipis(void)
{
	u32 count = 0;

#if ICB_CLOCK_TELLS_IRQS
	count += raw_cpu_read(irq_stat.ICB_IRQS_WORK);
#if IS_ENABLED(CONFIG_SMP)
	count += raw_cpu_read(irq_stat.ICB_IRQS_RESCHED) +
		 raw_cpu_read(irq_stat.ICB_IRQS_CALL);
#endif
#endif
	return count;
}

u64 icb_clock_ticks(u64 ns);
void icb_clock_busy(struct icb_busy *busy);
u64 icb_clock_spread(const int *stop);
void icb_clock_init(void);

#endif /* ICB_CLOCK_H */
