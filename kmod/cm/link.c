// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <rdma/ib_verbs.h>

#include "compat.h"
#include "link.h"

/* A walk takes no less, whoever seems to hold on to the device. */
#define LEAST_JIFFIES	(HZ / 5)
/* The longest that one is waited for; who holds on to the device may be another. */
#define MOST_JIFFIES	(5 * HZ)
/* ... where holds tell nothing, as all let go of the device */
#define LEAVING_JIFFIES	HZ
/* How long an interface waits for those who are destroying QPs. */
#define INSIDE_JIFFIES	HZ
/**
 * struct walk - what siw does to its QPs when its interface goes down
 * @list: among all of them
 * @ibdev: the device, only compared
 * @begin: when it began
 * @holds: on to the device before that: during the walk there are more
 * @pending: siw is about to be told
 * @leaving: the device goes, too
 */
struct walk {
	struct list_head list;
	const struct ib_device *ibdev;
	unsigned long begin;
	unsigned int holds;
	bool pending;
	bool leaving;
};

/* Protects the walks. */
static DEFINE_SPINLOCK(walks_lock);
static LIST_HEAD(walks);

/* Threads that are destroying QPs of iWARP, and who waits for them. */
static atomic_t inside = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(nobody_inside);

static struct walk *walk_of(const struct ib_device *ibdev)
{
	struct walk *walk;

	list_for_each_entry(walk, &walks, list)
		if (walk->ibdev == ibdev)
			return walk;
	return NULL;
}

static void forget(struct walk *walk)
{
	list_del(&walk->list);
	kfree(walk);
}

/* Those that nobody has asked for since they ended; their devices may have gone. */
static void forget_old(void)
{
	struct walk *walk, *next;

	list_for_each_entry_safe(walk, next, &walks, list)
		if (jiffies - walk->begin > MOST_JIFFIES)
			forget(walk);
}

/* There is no way on without one: it is so small that the kernel does not refuse it. */
static void begin_walk(const struct ib_device *ibdev)
{
	struct walk *walk = kmalloc(sizeof(*walk), GFP_KERNEL | __GFP_NOFAIL);
	struct walk *old;

	*walk = (struct walk){
		.ibdev = ibdev,
		.begin = jiffies,
		/* but for the own one */
		.holds = refcount_read(&ibdev->refcount) - 1,
		.pending = true,
	};
	spin_lock(&walks_lock);
	forget_old();
	old = walk_of(ibdev);
	if (old)
		forget(old);
	list_add_tail(&walk->list, &walks);
	spin_unlock(&walks_lock);
	/* pairs with the barrier in icb_link_enter(): one of both sees the other */
	smp_mb();
	wait_event_timeout(nobody_inside, !atomic_read(&inside),
			   INSIDE_JIFFIES);
}

/* siw has been told, and holds on to the device if it walks. */
static void report_walk(const struct ib_device *ibdev)
{
	struct walk *walk;

	spin_lock(&walks_lock);
	walk = walk_of(ibdev);
	if (walk && walk->pending) {
		walk->begin = jiffies;
		walk->pending = false;
	}
	spin_unlock(&walks_lock);
}

static void leave_walk(const struct ib_device *ibdev)
{
	struct walk *walk;

	spin_lock(&walks_lock);
	walk = walk_of(ibdev);
	if (walk)
		walk->leaving = true;
	spin_unlock(&walks_lock);
}

/* siw's device above an interface: to be put; NULL if there is none. */
static struct ib_device *above(void *data)
{
	return ib_device_get_by_netdev(netdev_notifier_info_to_dev(data),
				       RDMA_DRIVER_SIW);
}

static int before_siw(struct notifier_block *nb, unsigned long event,
		      void *data)
{
	struct ib_device *ibdev;

	if (event != NETDEV_GOING_DOWN && event != NETDEV_UNREGISTER)
		return NOTIFY_DONE;
	ibdev = above(data);
	if (!ibdev)
		return NOTIFY_DONE;
	if (event == NETDEV_GOING_DOWN)
		begin_walk(ibdev);
	else
		leave_walk(ibdev);
	ib_device_put(ibdev);
	return NOTIFY_DONE;
}

static int after_siw(struct notifier_block *nb, unsigned long event, void *data)
{
	struct ib_device *ibdev;

	if (event != NETDEV_GOING_DOWN)
		return NOTIFY_DONE;
	ibdev = above(data);
	if (!ibdev)
		return NOTIFY_DONE;
	report_walk(ibdev);
	ib_device_put(ibdev);
	return NOTIFY_DONE;
}

static struct notifier_block before_block = {
	.notifier_call = before_siw,
	.priority = 1,
};

static struct notifier_block after_block = {
	.notifier_call = after_siw,
	.priority = -1,
};

/**
 * icb_link_init() - begin to follow interfaces
 *
 * Return: 0; a negative error number.
 */
int __init icb_link_init(void)
{
	int err;

	if (!icb_siw_walks)
		return 0;
	/* what the other one begins, this one ends */
	err = register_netdevice_notifier(&after_block);
	if (err)
		return err;
	err = register_netdevice_notifier(&before_block);
	if (err)
		unregister_netdevice_notifier(&after_block);
	return err;
}

/**
 * icb_link_exit() - follow them no more
 *
 * No QP is left.
 */
void icb_link_exit(void)
{
	struct walk *walk, *next;

	if (!icb_siw_walks)
		return;
	unregister_netdevice_notifier(&before_block);
	unregister_netdevice_notifier(&after_block);
	list_for_each_entry_safe(walk, next, &walks, list)
		forget(walk);
}

static bool goes_on(const struct walk *walk)
{
	unsigned long age = jiffies - walk->begin;

	if (age <= LEAST_JIFFIES)
		return true;
	if (walk->leaving)
		return age <= LEAVING_JIFFIES;
	return age <= MOST_JIFFIES &&
	       (walk->pending ||
		refcount_read(&walk->ibdev->refcount) > walk->holds);
}

static bool is_walking(const struct ib_device *ibdev)
{
	struct walk *walk;
	bool walking = false;

	spin_lock(&walks_lock);
	walk = walk_of(ibdev);
	if (walk) {
		walking = goes_on(walk);
		if (!walking)
			forget(walk);
	}
	spin_unlock(&walks_lock);
	return walking;
}

/**
 * icb_link_enter() - wait until QPs may be destroyed
 * @ibdev: the QPs' device
 *
 * When its interface goes down, siw has, before Linux 6.12, a work item break all its
 * QPs, one after another, which takes neither a lock nor a reference on those still to
 * come. Who hears that its connection has broken, and destroys its QP, takes it away
 * from under that: seen by KASAN in siw_netdev_down() of Linux 6.1, with a panic after
 * it. While it walks, it holds on to the device, and nothing else tells of it: QPs stay
 * for 200 ms after siw was told that the interface goes down, and then as long as
 * somebody holds on to the device who did not before, but no more than 5 s in all; for
 * one second where the interface is taken away, since then others let go of the device.
 * Nor is siw told, for a second, while QPs are being destroyed.
 *
 * icb_link_leave() has to follow when they are. Does nothing for devices that do no
 * iWARP, and where siw does not walk. May sleep.
 */
void icb_link_enter(const struct ib_device *ibdev)
{
	if (!icb_siw_walks || !rdma_protocol_iwarp(ibdev, 1))
		return;
	for (;;) {
		atomic_inc(&inside);
		/* pairs with the barrier in begin_walk() */
		smp_mb__after_atomic();
		if (!is_walking(ibdev))
			return;
		icb_link_leave(ibdev);
		msleep(20);
	}
}

/**
 * icb_link_leave() - the QPs are destroyed
 * @ibdev: as icb_link_enter() had it
 */
void icb_link_leave(const struct ib_device *ibdev)
{
	if (!icb_siw_walks || !rdma_protocol_iwarp(ibdev, 1))
		return;
	/* is fully ordered: what was destroyed is, for who waits */
	if (atomic_dec_and_test(&inside))
		wake_up(&nobody_inside);
}
