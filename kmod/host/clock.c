// SPDX-License-Identifier: GPL-2.0
#include <linux/clocksource.h>
#include <linux/delay.h>
#include <linux/cpumask.h>
#include <linux/kernel_stat.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/tick.h>
#if IS_ENABLED(CONFIG_X86)
#include <asm/cpufeature.h>
#elif IS_ENABLED(CONFIG_ARM64)
#include <asm/arch_timer.h>
#endif

#include "clock.h"

struct icb_clock icb_clock __ro_after_init;
DEFINE_STATIC_KEY_FALSE(icb_clock_counter);

/* Batches, and clock reads per batch, that measure the cost of a clock read. */
#define COST_READS	64
#define COST_BATCHES	256

/**
 * icb_clock_ticks() - convert an interval to clock ticks
 * @ns: the interval, ns
 *
 * Return: ticks, rounded down.
 */
u64 icb_clock_ticks(u64 ns)
{
	return mul_u64_u64_div_u64(ns, icb_clock.khz, NSEC_PER_MSEC);
}

/**
 * icb_clock_count_irqs() - count the non-device interrupts of a CPU
 * @cpu: any possible CPU
 * @irqs: takes the counts; all 0 if the kernel does not count by kind
 *
 * Counts of another CPU may be slightly out of date. Any context.
 */
void icb_clock_count_irqs(unsigned int cpu, struct icb_irqs *irqs)
{
#if ICB_CLOCK_TELLS_IRQS
	const irq_cpustat_t *stat = per_cpu_ptr(&irq_stat, cpu);

	irqs->timer = READ_ONCE(stat->ICB_IRQS_TIMER);
	irqs->ipi = READ_ONCE(stat->ICB_IRQS_WORK);
	irqs->nmi = READ_ONCE(stat->ICB_IRQS_NMI);
	irqs->rare = 0;
#if IS_ENABLED(CONFIG_SMP)
	irqs->ipi += READ_ONCE(stat->ICB_IRQS_RESCHED) +
		     READ_ONCE(stat->ICB_IRQS_CALL);
#endif
#if IS_ENABLED(CONFIG_X86_THERMAL_VECTOR)
	irqs->rare += READ_ONCE(stat->ICB_IRQS_THERMAL);
#endif
#if IS_ENABLED(CONFIG_X86_MCE_THRESHOLD)
	irqs->rare += READ_ONCE(stat->ICB_IRQS_THRESHOLD);
#endif
#if IS_ENABLED(CONFIG_X86_MCE_AMD)
	irqs->rare += READ_ONCE(stat->ICB_IRQS_DEFERRED);
#endif
#if defined(ICB_IRQS_POLL) && IS_ENABLED(CONFIG_X86_MCE)
	irqs->rare += READ_ONCE(stat->ICB_IRQS_MCE) +
		      READ_ONCE(stat->ICB_IRQS_POLL);
#endif
#if IS_ENABLED(CONFIG_X86_HV_CALLBACK_VECTOR)
	irqs->rare += READ_ONCE(stat->ICB_IRQS_CALLBACK);
#endif
#if IS_ENABLED(CONFIG_HYPERV)
	irqs->rare += READ_ONCE(stat->ICB_IRQS_REENLIGHTEN);
	/* timer of Hyper-V guests whose CPUs have no other timer */
	irqs->timer += READ_ONCE(stat->ICB_IRQS_STIMER);
#endif
#else
	memset(irqs, 0, sizeof(*irqs));
#endif
}

/* Attempts to read the idle time of a CPU consistently. */
#define SLEPT_READS	16

/* Idle time including I/O wait, us; U64_MAX if the kernel does not count it. */
static u64 cpu_slept(unsigned int cpu)
{
	u64 idle = get_cpu_idle_time_us(cpu, NULL);
	u64 iowait = get_cpu_iowait_time_us(cpu, NULL);

	return idle == U64_MAX || iowait == U64_MAX ? U64_MAX : idle + iowait;
}

/*
 * If an idle period ends during a read, the period may count twice or not at all. Two
 * reads then differ by more than the time between them, and are repeated.
 */
static bool cpu_busy(unsigned int cpu, u64 *busy)
{
	u64 begin, first, second, end;
	unsigned int i;

	for (i = 0; i < SLEPT_READS; i++) {
		begin = ktime_get_ns();
		first = cpu_slept(cpu);
		second = cpu_slept(cpu);
		end = ktime_get_ns();
		if (second == U64_MAX)
			return false;
		if (second < first || (second - first) * NSEC_PER_USEC >
				      end - begin + 2 * NSEC_PER_USEC)
			continue;
		*busy += end - second * NSEC_PER_USEC;
		return true;
	}
	return false;
}

/**
 * icb_clock_busy() - measure how long the CPUs of this host have been busy
 * @busy: takes the times
 * @run: CPUs of the run's threads; twice the same CPU if there is one thread
 *
 * Busy time is all time that is not idle: threads, interrupts and softirqs. Exact to 1 us
 * per CPU on a kernel without a tick in idle, unknown on a kernel with one. Any context.
 */
void icb_clock_busy(struct icb_busy *busy, const u32 run[2])
{
	unsigned int cpu;
	u64 before;

	busy->ns = 0;
	busy->cpus = 0;
	busy->run_ns = 0;
	for_each_online_cpu(cpu) {
		before = busy->ns;
		if (!cpu_busy(cpu, &busy->ns)) {
			busy->cpus = 0;
			return;
		}
		busy->cpus++;
		if (cpu == run[0] || cpu == run[1])
			busy->run_ns += busy->ns - before;
	}
}

/*
 * Rounds of questions and answers between two CPUs, the time for all of them, and the
 * most attempts. An attempt is repeated if a hypervisor took either CPU away meanwhile.
 */
#define MEETING_ROUNDS	64
#define MEETING_NS	(200 * NSEC_PER_USEC)
#define EXCHANGES	50

/**
 * struct clock_exchange - comparison of the clocks of two CPUs
 * @asked: number of the last question; written by the caller
 * @answered: number of the last answer; written by the other CPU
 * @at: clock of the other CPU at @answered; written by the other CPU
 * @over: true if the caller asks no more
 * @left: true if the other CPU accesses this no more
 */
struct clock_exchange {
	u32 asked;
	u32 answered;
	u64 at;
	bool over;
	bool left;
};

static void answer(struct clock_exchange *clock_exchange)
{
	u64 until = icb_clock_read() + icb_clock_ticks(MEETING_NS);
	u32 i;

	for (i = 1; i <= MEETING_ROUNDS; i++) {
		/* pairs with ask() */
		while (smp_load_acquire(&clock_exchange->asked) != i) {
			if (READ_ONCE(clock_exchange->over) ||
			    (s64)(icb_clock_read() - until) > 0)
				return;
			cpu_relax();
		}
		clock_exchange->at = icb_clock_read();
		smp_store_release(&clock_exchange->answered, i); /* pairs with ask() */
	}
}

/* Runs in an interrupt of the other CPU, until @over is set or MEETING_NS pass. */
static void exchange_remote(void *data)
{
	struct clock_exchange *clock_exchange = data;

	answer(clock_exchange);
	smp_store_release(&clock_exchange->left, true); /* pairs with exchange_clocks() */
}

/* Narrows the offset of a clock that was read between two reads of this CPU's clock. */
static void narrow(s64 *low, s64 *high, u64 before, u64 at, u64 after)
{
	*low = max_t(s64, *low, at - after);
	*high = min_t(s64, *high, at - before);
}

static bool ask(struct clock_exchange *clock_exchange, u32 number, u64 until, s64 *low,
		s64 *high)
{
	u64 before = icb_clock_read();

	smp_store_release(&clock_exchange->asked, number); /* pairs with answer() */
	while (smp_load_acquire(&clock_exchange->answered) != number) {
		if ((s64)(icb_clock_read() - until) > 0)
			return false;
		cpu_relax();
	}
	narrow(low, high, before, clock_exchange->at, icb_clock_read());
	return true;
}

static void read_time(void *at)
{
	*(u64 *)at = icb_clock_read();
}

/* Returns 1 if all rounds completed, 0 if not; negative if the CPU went offline. */
static int exchange_clocks(unsigned int cpu, s64 *low, s64 *high)
{
	struct clock_exchange clock_exchange = {};
	u64 until;
	u32 i;
	int err;

	err = smp_call_function_single(cpu, exchange_remote, &clock_exchange, 0);
	if (err)
		return err;
	until = icb_clock_read() + icb_clock_ticks(MEETING_NS);
	for (i = 1; i <= MEETING_ROUNDS; i++)
		if (!ask(&clock_exchange, i, until, low, high))
			break;
	WRITE_ONCE(clock_exchange.over, true);
	/* a CPU that goes offline runs exchange_remote() first, and needs this CPU for that */
	while (!smp_load_acquire(&clock_exchange.left)) /* pairs with exchange_remote() */
		cond_resched();
	return i > MEETING_ROUNDS;
}

/* Returns the most that a CPU's clock may differ from this CPU's, ticks; 0 if offline. */
static u64 clock_offset(unsigned int cpu, const int *stop)
{
	s64 low = S64_MIN, high = S64_MAX;
	u64 before = icb_clock_read(), at;
	unsigned int i;

	if (smp_call_function_single(cpu, read_time, &at, 1))
		return 0;
	narrow(&low, &high, before, at, icb_clock_read());
	for (i = 0; i < EXCHANGES && !READ_ONCE(*stop) &&
	     !exchange_clocks(cpu, &low, &high); i++)
		usleep_range(1000, 2000);
	return max_t(u64, abs(low), abs(high));
}

/**
 * icb_clock_spread() - the most that the clocks of two CPUs of this host may differ
 * @stop: set if the caller no longer needs the result
 *
 * Exchanges questions and answers with each other CPU, which answers in a short
 * interrupt. The other CPU reads its clock after the question and before the answer. The
 * calling thread has to stay on its CPU. May sleep.
 *
 * Return: ticks; 0 if there is one CPU.
 */
u64 icb_clock_spread(const int *stop)
{
	u64 most = 0, next = 0, offset;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		if (READ_ONCE(*stop))
			break;
		if (cpu == raw_smp_processor_id())
			continue;
		offset = clock_offset(cpu, stop);
		if (offset > most) {
			next = most;
			most = offset;
		} else {
			next = max(next, offset);
		}
		cond_resched();
	}
	/* two other CPUs differ by at most the sum of their offsets from this CPU */
	return most + next;
}

static u32 clock_cost(void)
{
	u64 least = U64_MAX, begin;
	unsigned int batch, i;

	for (batch = 0; batch < COST_BATCHES; batch++) {
		begin = icb_clock_read();
		for (i = 0; i < COST_READS; i++)
			icb_clock_read();
		least = min(least, icb_clock_read() - begin);
	}
	return icb_clock_ns(least * 1000) / (COST_READS + 1);
}

/* Reads that find the step of a clock; enough for a coarse clock to advance. */
#define STEP_READS	100000

/*
 * A CPU counter has a step of one tick. The kernel's clock has the step of its source:
 * the least increase between two reads if some reads are equal, else 1 ns.
 */
static u32 __init clock_step(void)
{
	u64 least = U64_MAX, last = icb_clock_read(), now;
	bool stood = false;
	unsigned int i;

	if (static_key_enabled(&icb_clock_counter))
		return max_t(u32, NSEC_PER_SEC / icb_clock.khz, 1);
	for (i = 0; i < STEP_READS; i++) {
		now = icb_clock_read();
		if (now == last)
			stood = true;
		else
			least = min(least, now - last);
		last = now;
	}
	if (!stood || least == U64_MAX)
		least = 1;
	return min_t(u64, least * 1000, U32_MAX);
}

/* Prefers the CPU's own counter if the kernel trusts it. */
static bool __init use_counter(void)
{
#if IS_ENABLED(CONFIG_X86)
	if (!boot_cpu_has(X86_FEATURE_TSC) || check_tsc_unstable() || !tsc_khz)
		return false;
	icb_clock.name = "tsc";
	icb_clock.khz = tsc_khz;
	icb_clock.invariant =
		boot_cpu_has(X86_FEATURE_TSC_RELIABLE) ||
		(boot_cpu_has(X86_FEATURE_CONSTANT_TSC) &&
		 boot_cpu_has(X86_FEATURE_NONSTOP_TSC));
	return true;
#elif IS_ENABLED(CONFIG_ARM64)
	if (!arch_timer_get_cntfrq())
		return false;
	icb_clock.name = "arch_sys_counter";
	icb_clock.khz = arch_timer_get_cntfrq() / 1000;
	icb_clock.invariant = true;
	return true;
#else
	return false;
#endif
}

/**
 * icb_clock_init() - choose the time source and measure its cost
 */
void __init icb_clock_init(void)
{
	if (use_counter()) {
		static_branch_enable(&icb_clock_counter);
	} else {
		icb_clock.name = "monotonic-raw";
		icb_clock.khz = NSEC_PER_SEC / 1000;
	}
	icb_clock.mult = DIV_ROUND_CLOSEST_ULL((u64)NSEC_PER_MSEC << ICB_CLOCK_SHIFT,
					       icb_clock.khz);
	icb_clock.read_ps = clock_cost();
	icb_clock.step_ps = clock_step();
}
