// SPDX-License-Identifier: GPL-2.0
/*
 * Sleep until a time, as clock_nanosleep() does, and remember when the thread ran
 * again: what way_out.c then takes until it reads its clock is the way out of the
 * kernel. For tests alone.
 */
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#include "return.h"

/* When the last one ran again; there is but one reader. */
static u64 ran;

static void begin(struct hrtimer_sleeper *sleeper)
{
#if KERNEL_VERSION(6, 13, 0) <= LINUX_VERSION_CODE
	hrtimer_setup_sleeper_on_stack(sleeper, CLOCK_MONOTONIC,
				       HRTIMER_MODE_ABS);
#else
	hrtimer_init_sleeper_on_stack(sleeper, CLOCK_MONOTONIC,
				      HRTIMER_MODE_ABS);
#endif
}

static long sleep_until(u64 ns)
{
	struct hrtimer_sleeper sleeper;

	begin(&sleeper);
	hrtimer_set_expires(&sleeper.timer, ns_to_ktime(ns));
	do {
		set_current_state(TASK_INTERRUPTIBLE);
		hrtimer_sleeper_start_expires(&sleeper, HRTIMER_MODE_ABS);
		if (sleeper.task)
			schedule();
		ran = ktime_get_ns();
		hrtimer_cancel(&sleeper.timer);
	} while (sleeper.task && !signal_pending(current));
	__set_current_state(TASK_RUNNING);
	destroy_hrtimer_on_stack(&sleeper.timer);
	return sleeper.task ? -EINTR : 0;
}

static long return_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	u64 ns;

	switch (cmd) {
	case RETURN_SLEEP:
		if (get_user(ns, (u64 __user *)arg))
			return -EFAULT;
		return sleep_until(ns);
	case RETURN_RAN:
		return put_user(ran, (u64 __user *)arg);
	default:
		return -ENOTTY;
	}
}

static const struct proc_ops return_ops = {
	.proc_ioctl = return_ioctl,
	.proc_lseek = noop_llseek,
};

static int __init return_init(void)
{
	return proc_create(RETURN_NAME, 0600, NULL, &return_ops) ? 0 : -ENOMEM;
}

static void __exit return_exit(void)
{
	remove_proc_entry(RETURN_NAME, NULL);
}

module_init(return_init);
module_exit(return_exit);

MODULE_DESCRIPTION("Remember when a thread that slept ran again");
MODULE_LICENSE("GPL");
