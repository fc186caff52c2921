// SPDX-License-Identifier: GPL-2.0
/*
 * At load, ask for a callback when each task has scheduled voluntarily. Code that changes
 * the kernel's text waits for the same: kprobes, ftrace and BPF. For tests alone.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>

static int passed;
module_param(passed, int, 0444);
MODULE_PARM_DESC(passed, "whether each task has given way since");

static void pass(struct rcu_head *head)
{
	WRITE_ONCE(passed, 1);
}

static struct rcu_head head;

static int __init grace_init(void)
{
	call_rcu_tasks(&head, pass);
	return 0;
}

static void __exit grace_exit(void)
{
#ifdef CONFIG_TASKS_RCU
	rcu_barrier_tasks();
#else
	rcu_barrier();
#endif
}

module_init(grace_init);
module_exit(grace_exit);

MODULE_DESCRIPTION("Grace periods of tasks");
MODULE_LICENSE("GPL");
