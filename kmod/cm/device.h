/* SPDX-License-Identifier: GPL-2.0 */
/* RDMA devices: they come and go, and jobs and listeners hold on to them in between. */
#ifndef ICB_DEVICE_H
#define ICB_DEVICE_H

#include <linux/bitmap.h>
#include <linux/completion.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

struct icb_abort;

/* Of further ports it is not known whether they are down. */
#define ICB_PORTS	256

/**
 * struct icb_device - a device that is there
 * @ibdev: the device; valid while a reference is held
 * @events: what it tells of itself and its ports
 * @list: among all devices, by their numbers
 * @number: of those that have come since the module was loaded
 * @lock: protects @holds; the lock of a life nests in it
 * @holds: who ends when the device goes, or a port goes down
 * @down: the ports that are not active, by number
 * @reported: those of which something was told since they were looked at
 * @failed: of these, those that went down
 * @look: looks at those
 * @going: it is being removed
 * @users: references
 * @unused: the last one is gone
 */
struct icb_device {
	struct ib_device *ibdev;
	struct ib_event_handler events;
	struct list_head list;
	long number;
	spinlock_t lock;	/* of @holds; the lock of a life nests in it */
	struct list_head holds;
	DECLARE_BITMAP(down, ICB_PORTS);
	DECLARE_BITMAP(reported, ICB_PORTS);
	DECLARE_BITMAP(failed, ICB_PORTS);
	struct work_struct look;
	bool going;
	refcount_t users;
	struct completion unused;
};

/**
 * struct icb_hold - a hold on a device, for as long as something lives
 * @dev: the device; NULL for none
 * @port: the port of it; ICB_NO_PORT for who only needs the device to be there
 * @abort: ended when the device goes, or fails, or the port goes down; has to let go of the
 *	device soon after
 * @list: among all holds on @dev
 */
struct icb_hold {
	struct icb_device *dev;
	u32 port;
	struct icb_abort *abort;
	struct list_head list;
};

/* A hold of which only the removal of the device is the end. */
#define ICB_NO_PORT	0

int icb_device_init(void);
void icb_device_exit(void);
struct icb_device *icb_device_get(const char *name);
int icb_device_hold(struct ib_device *ibdev, u32 port, struct icb_hold *hold,
		    struct icb_abort *abort);
bool icb_devices_iwarp(void);
bool icb_device_down(const struct ib_device *ibdev, u32 port);
void icb_device_release(struct icb_hold *hold);
void icb_device_put(struct icb_device *dev);
struct icb_device *icb_device_after(struct icb_device *dev);
bool icb_device_active(struct ib_device *ibdev, u32 port);
int icb_device_each(int (*fn)(struct icb_device *dev, void *data), void *data);
u32 icb_device_verbs(const struct ib_device *ibdev, u32 port);
const char *icb_device_driver(const struct ib_device *ibdev);
unsigned int icb_device_cpu(const struct ib_device *ibdev);
unsigned int icb_device_nth_cpu(const struct ib_device *ibdev, u32 index,
				u32 each);
u32 icb_device_cpus_each(u32 runs);
unsigned int icb_device_next_cpu(unsigned int cpu);

#endif /* ICB_DEVICE_H */
