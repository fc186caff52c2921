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

/* Minimum duration of a walk, whatever the device's reference count is. */
#define LEAST_JIFFIES	(HZ / 5)
/* Maximum duration of a walk: another user may hold the extra references. */
#define MOST_JIFFIES	(5 * HZ)
/* Maximum if the device is removed: all users drop references then. */
#define LEAVING_JIFFIES	HZ
/* How long an interface that goes down waits for threads that destroy QPs. */
#define INSIDE_JIFFIES	HZ
/**
 * struct walk - siw's walk over its QPs after its interface goes down
 * @list: entry in the list of all walks
 * @ibdev: the device, only compared
 * @begin: start of the walk, jiffies
 * @holds: references to the device before the walk; during the walk there are more
 * @pending: true until siw has been notified
 * @leaving: true if the device is being removed, too
 */
struct walk {
	struct list_head list;
	const struct ib_device *ibdev;
	unsigned long begin;
	unsigned int holds;
	bool pending;
	bool leaving;
};

/* Protects @walks. */
static DEFINE_SPINLOCK(walks_lock);
static LIST_HEAD(walks);

/* Number of threads that destroy iWARP QPs, and the queue of waiters for 0. */
static atomic_t destroying = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(destroy_wait);

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

/* Frees walks that ended without a check since; their devices may be gone. */
static void forget_old(void)
{
	struct walk *walk, *next;

	list_for_each_entry_safe(walk, next, &walks, list)
		if (jiffies - walk->begin > MOST_JIFFIES)
			forget(walk);
}

/* The allocation must not fail: __GFP_NOFAIL is safe for such a small size. */
static void begin_walk(const struct ib_device *ibdev)
{
	struct walk *walk = kmalloc(sizeof(*walk), GFP_KERNEL | __GFP_NOFAIL);
	struct walk *old;

	*walk = (struct walk){
		.ibdev = ibdev,
		.begin = jiffies,
		/* without the reference of notify_first() */
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
	/* pairs with icb_link_enter(): at least one side sees the other's write */
	smp_mb();
	wait_event_timeout(destroy_wait, !atomic_read(&destroying),
			   INSIDE_JIFFIES);
}

/* siw has been notified. If it walks, it holds a reference to the device. */
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

static void mark_unregistering(const struct ib_device *ibdev)
{
	struct walk *walk;

	spin_lock(&walks_lock);
	walk = walk_of(ibdev);
	if (walk)
		walk->leaving = true;
	spin_unlock(&walks_lock);
}

/* Returns siw's device of an interface, to be put; NULL if there is none. */
static struct ib_device *above(void *data)
{
	return ib_device_get_by_netdev(netdev_notifier_info_to_dev(data),
				       RDMA_DRIVER_SIW);
}

static int notify_first(struct notifier_block *nb, unsigned long event,
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
		mark_unregistering(ibdev);
	ib_device_put(ibdev);
	return NOTIFY_DONE;
}

static int notify_last(struct notifier_block *nb, unsigned long event, void *data)
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
	.notifier_call = notify_first,
	.priority = 1,
};

static struct notifier_block after_block = {
	.notifier_call = notify_last,
	.priority = -1,
};

/**
 * icb_link_init() - start to track network interfaces that go down
 *
 * Return: 0; a negative error number.
 */
int __init icb_link_init(void)
{
	int err;

	if (!icb_siw_walks)
		return 0;
	/* first, so that a walk begun by before_block is always reported */
	err = register_netdevice_notifier(&after_block);
	if (err)
		return err;
	err = register_netdevice_notifier(&before_block);
	if (err)
		unregister_netdevice_notifier(&after_block);
	return err;
}

/**
 * icb_link_exit() - stop tracking network interfaces
 *
 * No QP exists any more.
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

static bool walk_active(const struct walk *walk)
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
		walking = walk_active(walk);
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
 * Before Linux 6.12, siw has a work item that breaks all its QPs one after another when
 * its interface goes down. The work item takes neither a lock nor a reference on the
 * remaining QPs. A thread that is notified of the broken connection and destroys its QP
 * frees that QP under the work item: seen by KASAN in siw_netdev_down() of Linux 6.1,
 * with a panic after it.
 *
 * The reference to the device that siw holds during this walk is the only sign of it. So
 * QPs are kept for 200 ms after siw was notified, and then as long as the device has more
 * references than before, but for 5 s at most. The limit is 1 s if the interface is
 * removed, since other users drop their references then. Conversely, siw's notification
 * is delayed by up to 1 s while QPs are being destroyed.
 *
 * The caller calls icb_link_leave() after it has destroyed the QPs. Does nothing for
 * devices without iWARP, or if siw does not walk. May sleep.
 */
void icb_link_enter(const struct ib_device *ibdev)
{
	if (!icb_siw_walks || !rdma_protocol_iwarp(ibdev, 1))
		return;
	for (;;) {
		atomic_inc(&destroying);
		/* pairs with the barrier in begin_walk() */
		smp_mb__after_atomic();
		if (!is_walking(ibdev))
			return;
		icb_link_leave(ibdev);
		msleep(20);
	}
}

/**
 * icb_link_leave() - report that the QPs are destroyed
 * @ibdev: the device of icb_link_enter()
 */
void icb_link_leave(const struct ib_device *ibdev)
{
	if (!icb_siw_walks || !rdma_protocol_iwarp(ibdev, 1))
		return;
	/* fully ordered: a waiter that sees 0 also sees the QPs destroyed */
	if (atomic_dec_and_test(&destroying))
		wake_up(&destroy_wait);
}
