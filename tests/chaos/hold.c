// SPDX-License-Identifier: GPL-2.0
/*
 * Hold the next call of an icbench function asleep, or the next "most" calls. A task that
 * waits for what follows the call then stays in a state that otherwise lasts only a
 * moment. Writing the function's name to "function" arms it once; writing an empty name
 * releases all held calls. For tests alone; x86-64.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/wait.h>

static atomic_t armed = ATOMIC_INIT(0);	/* calls still to be held */
static atomic_t inside = ATOMIC_INIT(0);	/* calls that are held */
static unsigned long turn;			/* number of releases */
static DECLARE_WAIT_QUEUE_HEAD(changed);
static struct kprobe probe;
static char name[64];

static unsigned int most = 1;
module_param(most, uint, 0600);
MODULE_PARM_DESC(most, "how many calls are held of the function that is written next");

/* Protects @probe and @turn against concurrent writers. */
static DEFINE_MUTEX(lock);

/*
 * Called instead of the function. The functions that are held have at most two arguments.
 */
static noinline long held(long first, long second,
			  long (*function)(long first, long second),
			  unsigned long mine)
{
	wait_event_idle(changed, READ_ONCE(turn) != mine);
	if (atomic_dec_and_test(&inside))
		wake_up_all(&changed);
	return function(first, second);
}

/* Disarmed before held() calls the function. */
static int before(struct kprobe *it, struct pt_regs *regs)
{
	if (atomic_dec_if_positive(&armed) < 0)
		return 0;
	atomic_inc(&inside);
	regs->dx = (unsigned long)it->addr;
	regs->cx = turn;
	regs->ip = (unsigned long)held;
	return 1;
}

/*
 * A probe without a post handler may become a jump, which ignores the change of regs->ip.
 */
static void after(struct kprobe *it, struct pt_regs *regs, unsigned long flags)
{
}

static void disarm(void)
{
	atomic_set(&armed, 0);
	if (probe.symbol_name)
		unregister_kprobe(&probe);
	memset(&probe, 0, sizeof(probe));
}

static void let_go(void)
{
	disarm();
	WRITE_ONCE(turn, turn + 1);
	wake_up_all(&changed);
	wait_event_idle(changed, !atomic_read(&inside));
}

/* Register a new probe each time: the function's module may have been reloaded. */
static int arm(const char *value, const struct kernel_param *param)
{
	int err = 0;

	mutex_lock(&lock);
	strscpy(name, value, sizeof(name));
	strim(name);
	if (!name[0]) {
		let_go();
		goto unlock;
	}
	disarm();
	probe.symbol_name = name;
	probe.pre_handler = before;
	probe.post_handler = after;
	err = register_kprobe(&probe);
	if (err)
		memset(&probe, 0, sizeof(probe));
	else
		atomic_set(&armed, most);
unlock:
	mutex_unlock(&lock);
	return err;
}

/* Report how many calls are held. */
static int tell(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%d\n", atomic_read(&inside));
}

static const struct kernel_param_ops function_ops = {
	.set = arm,
	.get = tell,
};
module_param_cb(function, &function_ops, NULL, 0600);
MODULE_PARM_DESC(function, "whose next call is held; nothing: let go; read: how many are held");

static int __init hold_init(void)
{
	return 0;
}

static void __exit hold_exit(void)
{
	let_go();
}

module_init(hold_init);
module_exit(hold_exit);

MODULE_DESCRIPTION("Hold up a call");
MODULE_LICENSE("GPL");
