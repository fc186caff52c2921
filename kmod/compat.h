/* SPDX-License-Identifier: GPL-2.0 */
/* All that depends on the kernel's version: the other files see a single kernel API. */
#ifndef ICB_COMPAT_H
#define ICB_COMPAT_H

#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/thread_info.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#include <crypto/blake2s.h>
#include <net/genetlink.h>
#include <net/ipv6.h>
#include <net/netlink.h>
#include <rdma/ib_verbs.h>

/*
 * ipv6_stub calls the lookup without a dependency on the module ipv6. Linux 7.2 has no
 * ipv6_stub; ip6_dst_lookup_flow() is exported in any case.
 */
#if KERNEL_VERSION(7, 1, 0) > LINUX_VERSION_CODE
#include <net/ipv6_stubs.h>
#define icb_ip6_dst_lookup_flow(net, fl6) \
	ipv6_stub->ipv6_dst_lookup_flow(net, NULL, fl6, NULL)
#else
#define icb_ip6_dst_lookup_flow(net, fl6) \
	ip6_dst_lookup_flow(net, NULL, fl6, NULL)
#endif

/* True if siw walks and ends its QPs when its interface begins to go down. */
#define icb_siw_walks	(KERNEL_VERSION(6, 12, 0) > LINUX_VERSION_CODE)

/* Type of the operation that pre_doit and post_doit receive. */
#if KERNEL_VERSION(6, 2, 0) <= LINUX_VERSION_CODE
#define icb_genl_op	genl_split_ops
#else
#define icb_genl_op	genl_ops
#endif

/* Older kernels name the capability to join a multicast group by the flag of commands. */
#ifndef GENL_MCAST_CAP_NET_ADMIN
#define GENL_MCAST_CAP_NET_ADMIN	GENL_UNS_ADMIN_PERM
#endif

/* Before Linux 6.8, ranges of policies were not const. The generated ranges are. */
#if KERNEL_VERSION(6, 8, 0) > LINUX_VERSION_CODE
#undef NLA_POLICY_FULL_RANGE
#define NLA_POLICY_FULL_RANGE(tp, _range) {				\
	.type = NLA_ENSURE_UINT_OR_BINARY_TYPE(tp),			\
	.validation_type = NLA_VALIDATE_RANGE_PTR,			\
	.range = (struct netlink_range_validation *)(_range),		\
}
#endif

/* Keyed BLAKE2s over one buffer; the order of arguments changed in Linux 6.19. */
static inline void icb_blake2s(u8 *out, size_t outlen, const u8 *in,
			       size_t inlen, const u8 *key, size_t keylen)
{
#if KERNEL_VERSION(6, 19, 0) <= LINUX_VERSION_CODE
	blake2s(key, keylen, in, inlen, out, outlen);
#else
	blake2s(out, in, key, outlen, inlen, keylen);
#endif
}

/*
 * Whether another task is to run on this CPU. With lazy preemption, need_resched() alone
 * stays false until the next tick.
 */
static inline bool icb_should_yield(void)
{
#ifdef TIF_NEED_RESCHED_LAZY
	if (test_thread_flag(TIF_NEED_RESCHED_LAZY))
		return true;
#endif
	return need_resched();
}

/*
 * Whether a live patch waits for this task to sleep, to switch it to patched functions.
 */
static inline bool icb_is_patched(void)
{
#ifdef CONFIG_LIVEPATCH
	return test_thread_flag(TIF_PATCH_PENDING);
#else
	return false;
#endif
}

/*
 * Lets other tasks run if they are due, between two steps of a loop that may not end.
 * Also reports to RCU that nothing of the previous step is held: kprobes, ftrace and BPF
 * wait until each task has switched voluntarily, and a preemptible kernel never sees a
 * looping task do so. Process context, preemptible.
 */
static inline void icb_yield(void)
{
	rcu_note_voluntary_context_switch(current);
	if (unlikely(icb_should_yield()))
		schedule();
	if (unlikely(icb_is_patched()))
		usleep_range(20, 50);
}

/*
 * Copies a thread's fail_nth, by which fault injection fails its N-th allocation, to a
 * thread that it has started.
 */
static inline void icb_inherit_faults(struct task_struct *to,
				      const struct task_struct *from)
{
#ifdef CONFIG_FAULT_INJECTION
	to->fail_nth = READ_ONCE(from->fail_nth);
#endif
}

static inline void icb_hrtimer_init(struct hrtimer *timer,
				    enum hrtimer_restart (*handler)(struct hrtimer *),
				    enum hrtimer_mode mode)
{
#if KERNEL_VERSION(6, 13, 0) <= LINUX_VERSION_CODE
	hrtimer_setup(timer, handler, CLOCK_MONOTONIC, mode);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, mode);
	timer->function = handler;
#endif
}

/* A tasklet that runs after all tasklets that are queued on a CPU. */
struct icb_last {
	struct tasklet_struct tasklet;
	struct completion came;
};

static inline void icb_last_ran(struct tasklet_struct *tasklet)
{
	struct icb_last *last = container_of(tasklet, struct icb_last, tasklet);

	complete(&last->came);
}

static inline void icb_last_begin(void *data)
{
	struct icb_last *last = data;

	tasklet_schedule(&last->tasklet);
}

static inline long icb_last_work(void *data)
{
	icb_last_begin(data);
	return 0;
}

/* With PREEMPT_RT, software interrupts are threads, which no cross call may raise. */
static inline int icb_last_begin_on(unsigned int cpu, struct icb_last *last)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return work_on_cpu(cpu, icb_last_work, last);
	return smp_call_function_single(cpu, icb_last_begin, last, true);
}

/*
 * Waits until every tasklet that was scheduled on any CPU has run. A tasklet that is
 * queued on one CPU while it runs on another is queued again behind the others; so all
 * CPUs are visited twice.
 */
static inline void icb_await_tasklets(void)
{
	struct icb_last last;
	unsigned int turn, cpu;

	init_completion(&last.came);
	tasklet_setup(&last.tasklet, icb_last_ran);
	cpus_read_lock();
	for (turn = 0; turn < 2; turn++)
		for_each_online_cpu(cpu)
			if (!icb_last_begin_on(cpu, &last))
				wait_for_completion(&last.came);
	cpus_read_unlock();
	/* the tasklet has completed @came, but may not have returned */
	tasklet_kill(&last.tasklet);
}

/*
 * Called before a CQ that may have reported a completion is destroyed. Before Linux 6.4,
 * rxe reported completions in a tasklet that it did not wait for, which then accessed
 * freed memory. May sleep.
 */
static inline void icb_await_removals(const struct ib_device *ibdev)
{
	if (KERNEL_VERSION(6, 4, 0) > LINUX_VERSION_CODE &&
	    ibdev->ops.driver_id == RDMA_DRIVER_RXE)
		icb_await_tasklets();
}

/* Before Linux 6.17, workqueues were per CPU by default. */
#if KERNEL_VERSION(6, 17, 0) <= LINUX_VERSION_CODE
#define ICB_WQ_PERCPU	WQ_PERCPU
#else
#define ICB_WQ_PERCPU	0
#endif

/* Workqueue for long work that may run on any CPU. */
static inline struct workqueue_struct *icb_unbound_wq(void)
{
#if KERNEL_VERSION(6, 17, 0) <= LINUX_VERSION_CODE
	return system_dfl_wq;
#else
	return system_unbound_wq;
#endif
}

#endif /* ICB_COMPAT_H */
