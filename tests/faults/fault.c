// SPDX-License-Identifier: GPL-2.0
/*
 * Have one call of a function fail: the N-th one that comes from a range of
 * code, which is that of the module under test. Writing to "arm" says which one
 * is next, as often as one likes. And have the first allocation fail, below any
 * such call, that comes by a way by which none has failed so far: writing to
 * "ways" arms that. For tests alone; x86-64.
 */
#include <linux/gfp.h>
#include <linux/jhash.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/spinlock.h>
#include <linux/stacktrace.h>
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

/* How often something has failed in place of a call. */
static atomic_t taken;

/* Entered instead of the function, with its result in place. */
static noinline notrace void return_now(void)
{
	barrier();
}

static void divert(struct pt_regs *regs, long value)
{
	atomic_inc(&taken);
	regs->ax = value;
	regs->ip = (unsigned long)return_now;
}

/* A probe without one may become a jump, and then what divert() did is ignored. */
static void after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
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
	divert(regs, result);
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
	site->probe.post_handler = after;
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

/**
 * struct way - how the module came to allocate something
 * @hash: of all return addresses, from the allocator to the module's outermost; or 0
 * @failed: how many of a run have failed so, each after those before had been made
 * @now: how many there have been since something was armed
 */
struct way {
	u32 hash;
	unsigned int failed;
	unsigned int now;
};

static struct way ways[1 << 14];
static unsigned int ways_known;

/* How many of each way are to fail, one by one; 0 for none to. */
static unsigned int ways_each;
/* Where the last one failed that did: in the module, and whom it had called. */
static unsigned long way_inner, way_callee;

/*
 * Protects all of that. Taken in probes, and so around nothing that allocates; these
 * look like NMIs, in which lockdep wants no locks that are taken elsewhere.
 */
static arch_spinlock_t ways_lock = __ARCH_SPIN_LOCK_UNLOCKED;

static unsigned long lock_ways(void)
{
	unsigned long flags;

	local_irq_save(flags);
	arch_spin_lock(&ways_lock);
	return flags;
}

static void unlock_ways(unsigned long flags)
{
	arch_spin_unlock(&ways_lock);
	local_irq_restore(flags);
}

static struct way *find_way(u32 hash)
{
	u32 i;

	for (i = hash;; i++) {
		struct way *way = &ways[i % ARRAY_SIZE(ways)];

		if (way->hash == hash)
			return way;
		if (way->hash)
			continue;
		if (ways_known == ARRAY_SIZE(ways) - 1)
			return NULL;
		ways_known++;
		way->hash = hash;
		return way;
	}
}

/* A probe's own context looks like an interrupt. */
static bool in_thread(void)
{
	return hardirq_count() == (in_nmi() ? HARDIRQ_OFFSET : 0) && !in_serving_softirq();
}

/* Whether what is being allocated here fails. */
static bool fails(const struct pt_regs *regs)
{
	unsigned long stack[64], flags;
	unsigned int n, i, inner = 0, outer = 0;
	struct way *way;
	bool found = false;
	u32 hash;

	if (!READ_ONCE(ways_each) || !in_thread())
		return false;
	n = stack_trace_save(stack, ARRAY_SIZE(stack), 0);
	for (i = 1; i < n; i++) {
		if (stack[i] < low || stack[i] >= high)
			continue;
		inner = inner ? inner : i;
		outer = i;
	}
	if (!outer)
		return false;
	hash = jhash(stack, (outer + 1) * sizeof(*stack), regs->ip) | 1;
	flags = lock_ways();
	way = ways_each ? find_way(hash) : NULL;
	if (way && ++way->now > way->failed && way->failed < ways_each) {
		found = true;
		way->failed++;
		way_inner = stack[inner];
		way_callee = stack[inner - 1];
		ways_each = 0;
	}
	unlock_ways(flags);
	return found;
}

static int before_slab(struct kprobe *probe, struct pt_regs *regs)
{
	if (regs->si & __GFP_NOFAIL || !fails(regs))
		return 0;
	divert(regs, -ENOMEM);
	return 1;
}

static int before_pages(struct kprobe *probe, struct pt_regs *regs)
{
	if (regs->di & __GFP_NOFAIL || !fails(regs))
		return 0;
	divert(regs, true);
	return 1;
}

static struct kprobe allocators[] = {
	{ .symbol_name = "should_failslab", .pre_handler = before_slab, .post_handler = after },
	{ .symbol_name = "should_fail_alloc_page", .pre_handler = before_pages,
	  .post_handler = after },
};

static int arm_ways(const char *value, const struct kernel_param *param)
{
	unsigned long flags;
	unsigned int each, i;
	int err = kstrtouint(value, 0, &each);

	if (err)
		return err;
	flags = lock_ways();
	ways_each = each;
	/* what has failed is kept where it stopped */
	if (each) {
		way_inner = 0;
		way_callee = 0;
		for (i = 0; i < ARRAY_SIZE(ways); i++)
			ways[i].now = 0;
	}
	unlock_ways(flags);
	return 0;
}

static int tell_ways(char *buffer, const struct kernel_param *param)
{
	unsigned int i, more = 0;

	for (i = 0; i < ARRAY_SIZE(ways); i++)
		more += ways[i].now > ways[i].failed;
	if (!way_inner)
		return sysfs_emit(buffer, "%u %u -\n", ways_known, more);
	return sysfs_emit(buffer, "%u %u %pS in %pS\n", ways_known, more,
			  (void *)way_inner, (void *)way_callee);
}

static const struct kernel_param_ops ways_ops = {
	.set = arm_ways,
	.get = tell_ways,
};
module_param_cb(ways, &ways_ops, NULL, 0600);
MODULE_PARM_DESC(ways, "so many allocations of each way fail, the first that has not yet (0: none); read: how many ways are known, of how many more came, and what failed");

static int tell_taken(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%d\n", atomic_read(&taken));
}

static const struct kernel_param_ops taken_ops = {
	.get = tell_taken,
};
module_param_cb(taken, &taken_ops, NULL, 0400);
MODULE_PARM_DESC(taken, "how many calls and allocations have failed");

/* Not every kernel asks whether an allocation shall fail. */
static unsigned int asked;

static int __init fault_init(void)
{
	while (asked < ARRAY_SIZE(allocators) && !register_kprobe(&allocators[asked]))
		asked++;
	return 0;
}

static void __exit fault_exit(void)
{
	while (asked)
		unregister_kprobe(&allocators[--asked]);
	while (known)
		unregister_kprobe(&sites[--known].probe);
}

module_init(fault_init);
module_exit(fault_exit);

MODULE_DESCRIPTION("Have one call of a function fail");
MODULE_LICENSE("GPL");
