// SPDX-License-Identifier: GPL-2.0
/*
 * Have one call of a function fail: the N-th one that comes from a range of
 * code, which is that of the module under test. Writing to "arm" says which one
 * is next, as often as one likes. For tests alone; x86-64.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>

static unsigned long low;
module_param(low, ulong, 0600);
MODULE_PARM_DESC(low, "where the calls come from: the first address");

static unsigned long high;
module_param(high, ulong, 0600);
MODULE_PARM_DESC(high, "... and the one after the last");

/**
 * struct site - function that is called from there
 * @probe: at its first instruction
 * @name: the function
 * @calls: how many came since something was armed
 */
struct site {
	struct kprobe probe;
	char name[64];
	atomic_t calls;
};

/* Probes stay: to make one takes longer than many a run. */
static struct site sites[64];
static unsigned int known;

static struct site *armed;
static int nth;
static long result;

/* Protects what is armed, and the sites, against two who write. */
static DEFINE_MUTEX(lock);

/* Entered instead of the function, with its result in place. */
static noinline notrace void return_now(void)
{
	barrier();
}

static int before(struct kprobe *probe, struct pt_regs *regs)
{
	struct site *site = container_of(probe, struct site, probe);
	unsigned long caller = *(unsigned long *)regs->sp;
	int number;

	if (caller < low || caller >= high)
		return 0;
	number = atomic_inc_return(&site->calls);
	if (READ_ONCE(armed) != site || number != nth)
		return 0;
	regs->ax = result;
	regs->ip = (unsigned long)return_now;
	return 1;
}

static struct site *find(const char *name)
{
	unsigned int i;

	for (i = 0; i < known; i++)
		if (!strcmp(sites[i].name, name))
			return &sites[i];
	return NULL;
}

static int add(const char *name)
{
	struct site *site = &sites[known];
	int err;

	if (known == ARRAY_SIZE(sites))
		return -ENOSPC;
	strscpy(site->name, name, sizeof(site->name));
	memset(&site->probe, 0, sizeof(site->probe));
	site->probe.symbol_name = site->name;
	site->probe.pre_handler = before;
	err = register_kprobe(&site->probe);
	if (!err)
		known++;
	return err;
}

static int arm(const char *value, const struct kernel_param *param)
{
	char name[sizeof(sites->name)];
	int number, err = 0;
	unsigned int i;
	long returned;

	if (sscanf(value, "%63s %d %ld", name, &number, &returned) != 3)
		return -EINVAL;
	mutex_lock(&lock);
	WRITE_ONCE(armed, NULL);
	if (!find(name))
		err = add(name);
	for (i = 0; i < known; i++)
		atomic_set(&sites[i].calls, 0);
	nth = number;
	result = returned;
	/* a handler that sees it sees which call, and the result, too */
	smp_wmb();
	if (!err)
		WRITE_ONCE(armed, find(name));
	mutex_unlock(&lock);
	return err;
}

static int tell(char *buffer, const struct kernel_param *param)
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < known; i++)
		len += sysfs_emit_at(buffer, len, "%s %d\n", sites[i].name,
				     atomic_read(&sites[i].calls));
	return len;
}

static const struct kernel_param_ops arm_ops = {
	.set = arm,
	.get = tell,
};
module_param_cb(arm, &arm_ops, NULL, 0600);
MODULE_PARM_DESC(arm, "FUNCTION N RESULT: its N-th call returns that (0: none); read: how many came of each");

static int __init fault_init(void)
{
	return 0;
}

static void __exit fault_exit(void)
{
	while (known)
		unregister_kprobe(&sites[--known].probe);
}

module_init(fault_init);
module_exit(fault_exit);

MODULE_DESCRIPTION("Have one call of a function fail");
MODULE_LICENSE("GPL");
