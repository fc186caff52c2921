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
#include <linux/types.h>
#if IS_ENABLED(CONFIG_X86)
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

u64 icb_clock_ticks(u64 ns);
void icb_clock_busy(struct icb_busy *busy);
void icb_clock_init(void);

#endif /* ICB_CLOCK_H */
