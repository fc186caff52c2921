// SPDX-License-Identifier: GPL-2.0
/*
 * Hold up the next call of a function of icbench's for some time, asleep, so that
 * whoever waits for what follows it stays in a state that else lasts for no more
 * than a moment. Writing to "function" arms it, once. For tests alone; x86-64.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>

static unsigned int ms = 300;
module_param(ms, uint, 0644);
MODULE_PARM_DESC(ms, "for how long");

static atomic_t armed = ATOMIC_INIT(0);
static struct kprobe probe;
static char name[64];

/* Protects the probe against two who write. */
static DEFINE_MUTEX(lock);

/* Entered instead of the function, which none of those held has more arguments than. */
static noinline long held(long first, long second)
{
	long (*function)(long first, long second) = (void *)probe.addr;

	msleep(ms);
	return function(first, second);
}

/* Nothing is armed any more when it gets to be called from there. */
static int before(struct kprobe *it, struct pt_regs *regs)
{
	if (atomic_cmpxchg(&armed, 1, 0) != 1)
		return 0;
	regs->ip = (unsigned long)held;
	return 1;
}

static void forget(void)
{
	atomic_set(&armed, 0);
	if (probe.symbol_name)
		unregister_kprobe(&probe);
	memset(&probe, 0, sizeof(probe));
}

/* Anew each time: the function may have gone with its module, and come back. */
static int arm(const char *value, const struct kernel_param *param)
{
	int err = 0;

	mutex_lock(&lock);
	forget();
	strscpy(name, value, sizeof(name));
	strim(name);
	if (name[0]) {
		probe.symbol_name = name;
		probe.pre_handler = before;
		err = register_kprobe(&probe);
		if (err)
			memset(&probe, 0, sizeof(probe));
		else
			atomic_set(&armed, 1);
	}
	mutex_unlock(&lock);
	return err;
}

/* Whether it waits for a call still. */
static int tell(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%d\n", atomic_read(&armed));
}

static const struct kernel_param_ops function_ops = {
	.set = arm,
	.get = tell,
};
module_param_cb(function, &function_ops, NULL, 0600);
MODULE_PARM_DESC(function, "whose next call is held; read: whether it has yet to come");

static int __init hold_init(void)
{
	return 0;
}

static void __exit hold_exit(void)
{
	forget();
}

module_init(hold_init);
module_exit(hold_exit);

MODULE_DESCRIPTION("Hold up a call");
MODULE_LICENSE("GPL");
