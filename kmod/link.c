// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <rdma/ib_verbs.h>

#include "link.h"

/* From when icbench is told until the driver has begun. */
#define BEGUN_JIFFIES	(HZ / 5)
/* The longest that one is waited for; who holds on to the device may be another. */
#define WALK_JIFFIES	(5 * HZ)
/* How long an interface waits for those who are destroying QPs. */
#define LEAVE_JIFFIES	HZ
/* Walks that are known at a time. */
#define WALKS	8

/**
 * struct walk - what siw does to its QPs when its interface goes down
 * @ibdev: the device, only compared; NULL: not in use
 * @begin: when its interface began to go down
 * @holds: on to the device before that: during the walk there are more
 */
struct walk {
	const struct ib_device *ibdev;
	unsigned long begin;
	unsigned int holds;
};

/* Protects the walks, the latest of which takes the place of the oldest. */
static DEFINE_SPINLOCK(walks_lock);
static struct walk walks[WALKS];
static unsigned int latest;

/* Threads that are destroying QPs of iWARP, and who waits for them. */
static atomic_t inside = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(nobody_inside);

static void add_walk(const struct ib_device *ibdev)
{
	spin_lock(&walks_lock);
	latest = (latest + 1) % WALKS;
	walks[latest] = (struct walk){
		.ibdev = ibdev,
		.begin = jiffies,
		/* but for the own one */
		.holds = refcount_read(&ibdev->refcount) - 1,
	};
	spin_unlock(&walks_lock);
}

static int link_changed(struct notifier_block *nb, unsigned long event,
			void *data)
{
	struct ib_device *ibdev;

	if (event != NETDEV_GOING_DOWN)
		return NOTIFY_DONE;
	ibdev = ib_device_get_by_netdev(netdev_notifier_info_to_dev(data),
					RDMA_DRIVER_SIW);
	if (!ibdev)
		return NOTIFY_DONE;
	add_walk(ibdev);
	ib_device_put(ibdev);
	/* pairs with the barrier in icb_link_enter(): one of both sees the other */
	smp_mb();
	wait_event_timeout(nobody_inside, !atomic_read(&inside), LEAVE_JIFFIES);
	return NOTIFY_DONE;
}

/* Is told before the driver, which begins to walk when it is. */
static struct notifier_block link_block = {
	.notifier_call = link_changed,
	.priority = 1,
};

/**
 * icb_link_init() - begin to follow interfaces
 *
 * Return: 0; a negative error number.
 */
int __init icb_link_init(void)
{
	return register_netdevice_notifier(&link_block);
}

/**
 * icb_link_exit() - follow them no more
 */
void icb_link_exit(void)
{
	unregister_netdevice_notifier(&link_block);
}

static bool is_walking(const struct ib_device *ibdev)
{
	bool found = false;
	unsigned int i;

	spin_lock(&walks_lock);
	for (i = 0; i < WALKS && !found; i++) {
		unsigned long age = jiffies - walks[i].begin;

		if (walks[i].ibdev != ibdev)
			continue;
		if (age > WALK_JIFFIES)
			walks[i].ibdev = NULL;
		else
			found = age <= BEGUN_JIFFIES ||
				refcount_read(&ibdev->refcount) > walks[i].holds;
	}
	spin_unlock(&walks_lock);
	return found;
}

/**
 * icb_link_enter() - wait until QPs may be destroyed
 * @ibdev: the QPs' device
 *
 * When its interface goes down, siw has a work item break all its QPs, one after
 * another, and takes neither a lock nor a reference on those still to come. Who hears
 * that its connection has broken, and destroys its QP, takes it away from under that:
 * seen by KASAN in siw_netdev_down() of Linux 6.1, with a panic after it. While it walks,
 * it holds on to the device, and nothing else tells of it: QPs stay for 200 ms after
 * the interface has begun to go down, and then as long as somebody holds on to the
 * device who did not before, but no more than 5 s in all. Nor does an interface go
 * down, for a second, while QPs are being destroyed.
 *
 * icb_link_leave() has to follow when they are. Does nothing for devices that do no
 * iWARP. May sleep.
 */
void icb_link_enter(const struct ib_device *ibdev)
{
	if (!rdma_protocol_iwarp(ibdev, 1))
		return;
	for (;;) {
		atomic_inc(&inside);
		/* pairs with the barrier in link_changed() */
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
	if (!rdma_protocol_iwarp(ibdev, 1))
		return;
	/* is fully ordered: what was destroyed is, for who waits */
	if (atomic_dec_and_test(&inside))
		wake_up(&nobody_inside);
}
