// SPDX-License-Identifier: GPL-2.0
/*
 * Use up time at known places: at each call of a function, or in a periodic interrupt on
 * one CPU. For tests alone.
 */
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/version.h>
#ifdef CONFIG_X86_64
#include <asm/nmi.h>
#endif

static char *function;
module_param(function, charp, 0);
MODULE_PARM_DESC(function, "each call of this function takes longer");

static char *woken;
module_param(woken, charp, 0);
MODULE_PARM_DESC(woken, "... whose first argument is a task of a name that begins so");

static char *by;
module_param(by, charp, 0);
MODULE_PARM_DESC(by, "... which a thread of a name that begins so calls");

static char *but;
module_param(but, charp, 0);
MODULE_PARM_DESC(but, "... and not the one of this name");

static bool returning;
module_param(returning, bool, 0);
MODULE_PARM_DESC(returning, "... of any of them, and at the end of each call");

static unsigned int skip;
module_param(skip, uint, 0);
MODULE_PARM_DESC(skip, "... after so many of these calls");

static unsigned int most = UINT_MAX;
module_param(most, uint, 0);
MODULE_PARM_DESC(most, "... and no more than so many of them");

static unsigned int us = 100;
module_param(us, uint, 0600);
MODULE_PARM_DESC(us, "by so much, or so long does each interrupt take; less ends what is long");

static unsigned int every;
module_param(every, uint, 0);
MODULE_PARM_DESC(every, "instead: microseconds between interrupts");

static unsigned int cpu;
module_param(cpu, uint, 0);
MODULE_PARM_DESC(cpu, "on this CPU");

static bool nmi;
module_param(nmi, bool, 0);
MODULE_PARM_DESC(nmi, "... each with a non-maskable interrupt in it (x86)");

static int calls;
module_param(calls, int, 0444);
MODULE_PARM_DESC(calls, "how many were delayed");

static bool begins(const struct task_struct *task, const char *name)
{
	return !name || !strncmp(task->comm, name, strlen(name));
}

/*
 * Long delays use the clock: if a hypervisor takes the CPU away, a delay made of many
 * short ones would also add the time lost in each.
 */
static void take_time(void)
{
	u64 begun = ktime_get_mono_fast_ns();

	WRITE_ONCE(calls, calls + 1);
	if (us <= 1000) {
		udelay(us);
		return;
	}
	while (ktime_get_mono_fast_ns() - begun < (u64)READ_ONCE(us) * NSEC_PER_USEC)
		cpu_relax();
}

static atomic_t seen = ATOMIC_INIT(0);

static bool is_due(void)
{
	unsigned int nth = atomic_fetch_inc(&seen);

	return nth >= skip && nth - skip < most;
}

static int before(struct kprobe *probe, struct pt_regs *regs)
{
	const struct task_struct *task =
		woken ? (void *)regs_get_kernel_argument(regs, 0) : NULL;

	if ((!task || begins(task, woken)) && begins(current, by) &&
	    (!but || strcmp(current->comm, but)) && is_due())
		take_time();
	return 0;
}

static struct kprobe probe = {
	.pre_handler = before,
};

static int after(struct kretprobe_instance *call, struct pt_regs *regs)
{
	take_time();
	return 0;
}

static struct kretprobe probe_after = {
	.handler = after,
};

static struct hrtimer timer;

#ifdef CONFIG_X86_64
static atomic_t pending = ATOMIC_INIT(0);

static int nmi_came(unsigned int type, struct pt_regs *regs)
{
	return atomic_xchg(&pending, 0) ? NMI_HANDLED : NMI_DONE;
}

static int nmi_begin(void)
{
	return register_nmi_handler(NMI_LOCAL, nmi_came, 0, "delay");
}

static void nmi_end(void)
{
	unregister_nmi_handler(NMI_LOCAL, "delay");
}

/* A non-maskable interrupt, as a hypervisor delivers it to its guest. */
static void nmi_take(void)
{
	atomic_set(&pending, 1);
	asm volatile("int $2");
}
#else
static int nmi_begin(void)
{
	return -EOPNOTSUPP;
}

static void nmi_end(void)
{
}

static void nmi_take(void)
{
}
#endif

static enum hrtimer_restart expired(struct hrtimer *it)
{
	if (nmi)
		nmi_take();
	take_time();
	hrtimer_forward_now(it, ns_to_ktime((u64)every * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static void start(void *unused)
{
	hrtimer_start(&timer, ns_to_ktime((u64)every * NSEC_PER_USEC), HRTIMER_MODE_REL_PINNED_HARD);
}

static int __init delay_init(void)
{
	if (every) {
#if KERNEL_VERSION(6, 13, 0) <= LINUX_VERSION_CODE
		hrtimer_setup(&timer, expired, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_PINNED_HARD);
#else
		hrtimer_init(&timer, CLOCK_MONOTONIC,
			     HRTIMER_MODE_REL_PINNED_HARD);
		timer.function = expired;
#endif
		if (nmi) {
			int err = nmi_begin();

			if (err)
				return err;
		}
		return smp_call_function_single(cpu, start, NULL, 1);
	}
	probe_after.kp.symbol_name = function;
	probe.symbol_name = function;
	return returning ? register_kretprobe(&probe_after) :
			   register_kprobe(&probe);
}

static void __exit delay_exit(void)
{
	if (every) {
		hrtimer_cancel(&timer);
		if (nmi)
			nmi_end();
	} else if (returning) {
		unregister_kretprobe(&probe_after);
	} else {
		unregister_kprobe(&probe);
	}
}

module_init(delay_init);
module_exit(delay_exit);

MODULE_DESCRIPTION("Take time where it is known to be taken");
MODULE_LICENSE("GPL");
