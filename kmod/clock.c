// SPDX-License-Identifier: GPL-2.0
#include <linux/clocksource.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/module.h>
#if IS_ENABLED(CONFIG_X86)
#include <asm/cpufeature.h>
#elif IS_ENABLED(CONFIG_ARM64)
#include <asm/arch_timer.h>
#endif

#include "clock.h"

struct icb_clock icb_clock __ro_after_init;
DEFINE_STATIC_KEY_FALSE(icb_clock_counter);

/* Reads of a batch, and batches, by which the cost of a read is found. */
#define COST_READS	64
#define COST_BATCHES	256

/**
 * icb_clock_ticks() - an interval in clock ticks
 * @ns: the interval
 *
 * Return: ticks, rounded down.
 */
u64 icb_clock_ticks(u64 ns)
{
	return mul_u64_u64_div_u64(ns, icb_clock.khz, NSEC_PER_MSEC);
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

/* Prefer the CPU's own counter where the kernel itself trusts it. */
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
 * icb_clock_init() - choose the time source and find out what it costs
 */
void __init icb_clock_init(void)
{
	if (use_counter()) {
		static_branch_enable(&icb_clock_counter);
	} else {
		icb_clock.name = "monotonic-raw";
		icb_clock.khz = NSEC_PER_SEC / 1000;
	}
	clocks_calc_mult_shift(&icb_clock.mult, &icb_clock.shift,
			       icb_clock.khz, NSEC_PER_MSEC, 60);
	icb_clock.read_ps = clock_cost();
}
