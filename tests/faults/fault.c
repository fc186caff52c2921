// SPDX-License-Identifier: GPL-2.0
/*
 * Have one call of a function fail: the N-th one that comes from a range of
 * code, which is that of the module under test. For tests alone; x86-64.
 */
#include <linux/kprobes.h>
#include <linux/module.h>

static char *function;
module_param(function, charp, 0);
MODULE_PARM_DESC(function, "the function");

static unsigned long low;
module_param(low, ulong, 0);
MODULE_PARM_DESC(low, "where the calls come from: the first address");

static unsigned long high;
module_param(high, ulong, 0);
MODULE_PARM_DESC(high, "... and the one after the last");

static int nth = 1;
module_param(nth, int, 0);
MODULE_PARM_DESC(nth, "which call fails");

static long result;
module_param(result, long, 0);
MODULE_PARM_DESC(result, "what it returns instead of being called");

static int calls;
module_param(calls, int, 0444);
MODULE_PARM_DESC(calls, "how many came");

static atomic_t counter;

/* Entered instead of the function, with its result in place. */
static noinline notrace void return_now(void)
{
	barrier();
}

static int before(struct kprobe *probe, struct pt_regs *regs)
{
	unsigned long caller = *(unsigned long *)regs->sp;
	int number;

	if (caller < low || caller >= high)
		return 0;
	number = atomic_inc_return(&counter);
	WRITE_ONCE(calls, number);
	if (number != nth)
		return 0;
	regs->ax = result;
	regs->ip = (unsigned long)return_now;
	return 1;
}

static struct kprobe probe = {
	.pre_handler = before,
};

static int __init fault_init(void)
{
	probe.symbol_name = function;
	return register_kprobe(&probe);
}

static void __exit fault_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(fault_init);
module_exit(fault_exit);

MODULE_DESCRIPTION("Have one call of a function fail");
MODULE_LICENSE("GPL");
