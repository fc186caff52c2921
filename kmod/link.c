// SPDX-License-Identifier: GPL-2.0
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include <rdma/ib_verbs.h>

#include "link.h"

/* What siw's walk over its QPs may take. */
#define WALK_JIFFIES	(HZ / 5)

/* When the last one will be over; in the past, or too far away, where there is none. */
static unsigned long walk_ends;

static int link_changed(struct notifier_block *nb, unsigned long event,
			void *data)
{
	if (event == NETDEV_GOING_DOWN)
		WRITE_ONCE(walk_ends, jiffies + WALK_JIFFIES);
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
	WRITE_ONCE(walk_ends, jiffies);
	return register_netdevice_notifier(&link_block);
}

/**
 * icb_link_exit() - follow them no more
 */
void icb_link_exit(void)
{
	unregister_netdevice_notifier(&link_block);
}

/**
 * icb_link_settle() - wait until a QP may be destroyed
 * @ibdev: the QP's device
 *
 * When its interface goes down, siw has a work item break all its QPs, one after
 * another, and takes neither a lock nor a reference on those still to come. Who hears
 * that its connection has broken, and destroys its QP, takes it away from under that:
 * seen by KASAN in siw_netdev_down() of Linux 6.1, with a panic after it. Nothing tells
 * when the walk is over, so a QP stays for 200 ms after an interface has begun to go
 * down, whichever it is. Who was destroying one already is not kept from it.
 *
 * Does not wait for devices that do no iWARP. May sleep.
 */
void icb_link_settle(const struct ib_device *ibdev)
{
	unsigned long left = READ_ONCE(walk_ends) - jiffies;

	if (left && left <= WALK_JIFFIES && rdma_protocol_iwarp(ibdev, 1))
		msleep(jiffies_to_msecs(left));
}
