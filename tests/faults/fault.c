// SPDX-License-Identifier: GPL-2.0
/*
 * Fail calls and allocations of the module under test. Its code is the address range from "low"
 * to "high". For tests only; x86-64.
 *
 * "arm": fail the N-th call of a function by this code. It can be written repeatedly.
 * "ways": fail the first allocation below such a call whose call path has not failed yet.
 * "failed": where calls and allocations have failed.
 * "chain": the kernel functions below which the last allocation failed. Allocations below the
 * functions of "outs" are not recorded.
 * "pages": how many pages this code holds.
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
 * struct site - function that the module calls
 * @probe: kprobe at the function's first instruction
 * @name: name of the function
 * @calls: calls by the module since "arm" was written
 */
struct site {
	struct kprobe probe;
	char name[64];
	atomic_t calls;
};

/* Probes stay registered: registering one takes longer than many runs. */
static struct site sites[64];
static unsigned int known;

static struct site *armed;
static int nth;
static long result;

/* Protects armed, nth, result and sites[] against concurrent writers of "arm". */
static DEFINE_MUTEX(lock);

/* Number of calls and allocations that were made to fail. */
static atomic_t taken;

/*
 * Protects the records below. It is taken in kprobe handlers, so the holder must not allocate.
 * These handlers look like NMIs to lockdep, which rejects a lock that is also taken outside of
 * NMIs; therefore it is an arch_spinlock_t.
 */
static arch_spinlock_t notes_lock = __ARCH_SPIN_LOCK_UNLOCKED;

static unsigned long lock_notes(void)
{
	unsigned long flags;

	local_irq_save(flags);
	arch_spin_lock(&notes_lock);
	return flags;
}

static void unlock_notes(unsigned long flags)
{
	arch_spin_unlock(&notes_lock);
	local_irq_restore(flags);
}

/**
 * struct place - where something has failed
 * @callee: address in the function that the module called
 * @from: return addresses in the module, innermost first; 0 after the last one
 */
struct place {
	unsigned long callee;
	unsigned long from[4];
};

/* Failures since "failed" was written. Those that do not fit are only counted. */
static struct place failed[32];
static unsigned int failed_count;

static void note_failed(const struct place *place)
{
	unsigned long flags = lock_notes();

	if (failed_count < ARRAY_SIZE(failed))
		failed[failed_count] = *place;
	failed_count++;
	unlock_notes(flags);
}

/**
 * struct trace - stack trace of the current call
 * @stack: return addresses, the innermost first
 * @inner: index of the innermost address in the module; 0 if there is none
 * @outer: index of the outermost address in the module; 0 if there is none
 * @place: the place that these addresses describe
 */
struct trace {
	unsigned long stack[64];
	unsigned int inner;
	unsigned int outer;
	struct place place;
};

static void look_back(struct trace *trace)
{
	unsigned int n = stack_trace_save(trace->stack, ARRAY_SIZE(trace->stack), 0);
	unsigned int i, count = 0;

	memset(&trace->place, 0, sizeof(trace->place));
	trace->inner = 0;
	trace->outer = 0;
	for (i = 1; i < n; i++) {
		if (trace->stack[i] < low || trace->stack[i] >= high)
			continue;
		if (!count)
			trace->place.callee = trace->stack[i - 1];
		if (count < ARRAY_SIZE(trace->place.from))
			trace->place.from[count++] = trace->stack[i];
		trace->inner = trace->inner ? : i;
		trace->outer = i;
	}
}

static int forget_failed(const char *value, const struct kernel_param *param)
{
	unsigned long flags = lock_notes();

	failed_count = 0;
	unlock_notes(flags);
	return 0;
}

static int tell_failed(char *buffer, const struct kernel_param *param)
{
	unsigned int count = READ_ONCE(failed_count), i, j;
	int len = sysfs_emit(buffer, "%u\n", count);

	for (i = 0; i < min_t(unsigned int, count, ARRAY_SIZE(failed)); i++) {
		len += sysfs_emit_at(buffer, len, "%ps", (void *)failed[i].callee);
		for (j = 0; j < ARRAY_SIZE(failed->from) && failed[i].from[j]; j++)
			len += sysfs_emit_at(buffer, len, " < %ps", (void *)failed[i].from[j]);
		len += sysfs_emit_at(buffer, len, "\n");
	}
	return len;
}

static const struct kernel_param_ops failed_ops = {
	.set = forget_failed,
	.get = tell_failed,
};
module_param_cb(failed, &failed_ops, NULL, 0600);
MODULE_PARM_DESC(failed, "how much has failed since this was last written to, and where");

/* Executed instead of the diverted function, whose result is already in its register. */
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

/*
 * A kprobe without a post handler may be optimized into a jump, which ignores the instruction
 * pointer that divert() sets.
 */
static void after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

/* At a function's first instruction the stack trace may lack the function's caller. */
static void note_call(unsigned long callee, unsigned long caller)
{
	struct place place = { .callee = callee, .from = { caller } };
	struct trace trace;
	unsigned int i;

	look_back(&trace);
	i = trace.place.from[0] == caller;
	memcpy(&place.from[1], &trace.place.from[i],
	       (ARRAY_SIZE(place.from) - 1) * sizeof(*place.from));
	note_failed(&place);
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
	note_call((unsigned long)probe->addr, caller);
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
	/* A handler that reads the new @armed also reads the new nth and result. */
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
 * struct way - call path by which the module allocates
 * @hash: hash of all return addresses from the allocator to the module's outermost; 0 if unused
 * @failed: allocations of this path that have failed, one in each run; in a run the first
 *          @failed allocations succeed and the next one fails
 * @now: allocations of this path since "ways" was written
 */
struct way {
	u32 hash;
	unsigned int failed;
	unsigned int now;
};

static struct way ways[1 << 14];
static unsigned int ways_known;

/* Number of allocations of each path to fail, one in each run; 0: disarmed. */
static unsigned int ways_each;
/* Place of the last allocation that failed by its path. */
static struct place way_place;

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

/* In a kprobe handler the context looks like an interrupt, which is discounted here. */
static bool in_thread(void)
{
	return hardirq_count() == (in_nmi() ? HARDIRQ_OFFSET : 0) && !in_serving_softirq();
}

/*
 * Kernel functions that handle a failed allocation themselves: they do without the memory or
 * allocate in another way. "*" matches any rest of a name.
 */
static char *outs[32];
static unsigned int outs_there;
module_param_array(outs, charp, &outs_there, 0400);
MODULE_PARM_DESC(outs, "names of functions below which something fails, and no call of the module's does");

static bool is_like(const char *name, const char *pattern)
{
	size_t length = strcspn(pattern, "*");

	/* The suffix of a compiler's copy or the name of a module may follow the pattern. */
	return !strncmp(name, pattern, length) &&
	       (pattern[length] || !name[length] || strchr(". ", name[length]));
}

/* True if a function of outs[] is between the allocator and the module: its call succeeds. */
static bool has_way_out(const struct trace *trace)
{
	char name[KSYM_NAME_LEN];
	unsigned int i, j;

	for (i = 0; i < trace->inner; i++) {
		snprintf(name, sizeof(name), "%ps", (void *)trace->stack[i]);
		for (j = 0; j < outs_there; j++)
			if (is_like(name, outs[j]))
				return true;
	}
	return false;
}

/* Return addresses of the last recorded failure: from the allocator to the module's callee. */
static unsigned long chain[48];

static void note_allocation(const struct trace *trace)
{
	unsigned long flags;

	if (has_way_out(trace))
		return;
	note_failed(&trace->place);
	flags = lock_notes();
	memset(chain, 0, sizeof(chain));
	memcpy(chain, trace->stack,
	       min_t(size_t, trace->inner, ARRAY_SIZE(chain)) * sizeof(*chain));
	unlock_notes(flags);
}

static int tell_chain(char *buffer, const struct kernel_param *param)
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < ARRAY_SIZE(chain) && chain[i]; i++)
		len += sysfs_emit_at(buffer, len, "%ps\n", (void *)chain[i]);
	return len;
}

static const struct kernel_param_ops chain_ops = {
	.get = tell_chain,
};
module_param_cb(chain, &chain_ops, NULL, 0400);
MODULE_PARM_DESC(chain, "by which functions of the kernel's what failed last was asked for");

/* True if the allocation of the current call has to fail. */
static bool fails(const struct pt_regs *regs)
{
	struct trace trace;
	unsigned long flags;
	struct way *way;
	bool found = false;
	u32 hash;

	if (!READ_ONCE(ways_each) || !in_thread())
		return false;
	look_back(&trace);
	if (!trace.outer)
		return false;
	hash = jhash(trace.stack, (trace.outer + 1) * sizeof(*trace.stack), regs->ip) | 1;
	flags = lock_notes();
	way = ways_each ? find_way(hash) : NULL;
	if (way && ++way->now > way->failed && way->failed < ways_each) {
		found = true;
		way->failed++;
		way_place = trace.place;
		ways_each = 0;
	}
	unlock_notes(flags);
	if (found)
		note_allocation(&trace);
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
	flags = lock_notes();
	ways_each = each;
	/* Disarming keeps way_place and the counts for a reader of "ways". */
	if (each) {
		way_place = (struct place){};
		for (i = 0; i < ARRAY_SIZE(ways); i++)
			ways[i].now = 0;
	}
	unlock_notes(flags);
	return 0;
}

static int tell_ways(char *buffer, const struct kernel_param *param)
{
	unsigned int i, more = 0;

	for (i = 0; i < ARRAY_SIZE(ways); i++)
		more += ways[i].now > ways[i].failed;
	if (!way_place.callee)
		return sysfs_emit(buffer, "%u %u -\n", ways_known, more);
	return sysfs_emit(buffer, "%u %u %pS in %pS\n", ways_known, more,
			  (void *)way_place.from[0], (void *)way_place.callee);
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

/* Registered probes of allocators[]; not every kernel has these functions. */
static unsigned int asked;

/*
 * The kernel itself fails an allocation that /proc/PID/fail-nth has armed. Record it here: this
 * is the armed allocation if fail_nth is 1.
 */
static int before_nth(struct kprobe *probe, struct pt_regs *regs)
{
#ifdef CONFIG_FAULT_INJECTION
	struct trace trace;

	if (READ_ONCE(current->fail_nth) != 1 || !in_thread())
		return 0;
	look_back(&trace);
	note_allocation(&trace);
#endif
	return 0;
}

static struct kprobe nth_probe = { .symbol_name = "should_fail_ex", .pre_handler = before_nth };
static bool nth_asked;

/*
 * Pages that the module has allocated directly and not freed since this module was loaded. Leak
 * detectors do not track pages.
 */
static atomic_long_t held;

/*
 * True if the module's call instruction names the probed function. A function that the module
 * calls may end with a jump to the probed one, as kfree() does to __free_pages(), so that a
 * return address in the module is not enough.
 */
static bool is_called(const struct kprobe *probe, const struct pt_regs *regs)
{
	unsigned long caller = *(unsigned long *)regs->sp;

	if (caller < low || caller >= high)
		return false;
	/* A call instruction ends with its relative target; an ENDBR may precede the probe. */
	return (unsigned long)probe->addr - (caller + *(s32 *)(caller - 4)) <= 4;
}

static int page_entered(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *probe = get_kretprobe(instance);

	if (!probe || !is_called(&probe->kp, regs))
		return 1;
	/* get_zeroed_page() has no order argument: it allocates one page. */
	*(unsigned int *)instance->data =
		strncmp(probe->kp.symbol_name, "get_zeroed_page", 15) ? regs->si : 0;
	return 0;
}

static int page_returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if (regs_return_value(regs))
		atomic_long_add(1L << *(unsigned int *)instance->data, &held);
	return 0;
}

static int page_freed(struct kprobe *probe, struct pt_regs *regs)
{
	if (is_called(probe, regs) && regs->di)
		atomic_long_sub(1L << regs->si, &held);
	return 0;
}

#define GIVES(name) {							\
	.kp.symbol_name = name, .entry_handler = page_entered,		\
	.handler = page_returned, .data_size = sizeof(unsigned int),	\
	.maxactive = 64,						\
}
/*
 * Not every kernel has all of these functions. They are registered before the probes of sites[];
 * handlers of later probes run first, so that a diverted call is not counted.
 */
static struct kretprobe gives[] = {
	GIVES("__alloc_pages"), GIVES("__alloc_pages_noprof"), GIVES("alloc_pages"),
	GIVES("alloc_pages_noprof"), GIVES("get_zeroed_page"), GIVES("get_zeroed_page_noprof"),
};
static struct kprobe takes[] = {
	{ .symbol_name = "__free_pages", .pre_handler = page_freed },
	{ .symbol_name = "free_pages", .pre_handler = page_freed },
};
static bool gives_there[ARRAY_SIZE(gives)];
/*
 * Kprobe that is registered first at each function of gives[], only for its post handler. On a
 * kernel that implements kprobes by ftrace, the first probe at an address decides how ftrace is
 * armed, but any probe there decides how ftrace is disarmed. A kretprobe cannot have a post
 * handler, and the probes of sites[], which come later, have one.
 */
static struct kprobe firsts[ARRAY_SIZE(gives)];
static unsigned int takes_there;

static int tell_pages(char *buffer, const struct kernel_param *param)
{
	unsigned long missed = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(gives); i++)
		missed += gives[i].nmissed + gives[i].kp.nmissed;
	for (i = 0; i < ARRAY_SIZE(takes); i++)
		missed += takes[i].nmissed;
	return sysfs_emit(buffer, "%ld %lu\n", atomic_long_read(&held), missed);
}

static const struct kernel_param_ops pages_ops = {
	.get = tell_pages,
};
module_param_cb(pages, &pages_ops, NULL, 0400);
MODULE_PARM_DESC(pages, "how many more the module has than when this was loaded, and calls that were not seen");

static void fault_exit(void)
{
	unsigned int i;

	while (asked)
		unregister_kprobe(&allocators[--asked]);
	if (nth_asked)
		unregister_kprobe(&nth_probe);
	while (takes_there)
		unregister_kprobe(&takes[--takes_there]);
	while (known)
		unregister_kprobe(&sites[--known].probe);
	for (i = 0; i < ARRAY_SIZE(gives); i++) {
		if (!gives_there[i])
			continue;
		unregister_kretprobe(&gives[i]);
		unregister_kprobe(&firsts[i]);
	}
}

static int __init fault_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(gives); i++) {
		firsts[i].symbol_name = gives[i].kp.symbol_name;
		firsts[i].post_handler = after;
		if (register_kprobe(&firsts[i]))
			continue;
		gives_there[i] = !register_kretprobe(&gives[i]);
		if (!gives_there[i])
			unregister_kprobe(&firsts[i]);
	}
	while (takes_there < ARRAY_SIZE(takes)) {
		err = register_kprobe(&takes[takes_there]);
		if (err) {
			fault_exit();
			return err;
		}
		takes_there++;
	}
	while (asked < ARRAY_SIZE(allocators) && !register_kprobe(&allocators[asked]))
		asked++;
	nth_asked = !register_kprobe(&nth_probe);
	return 0;
}

module_init(fault_init);
module_exit(fault_exit);

MODULE_DESCRIPTION("Have one call of a function fail");
MODULE_LICENSE("GPL");
