/* SPDX-License-Identifier: GPL-2.0 */
/* RDMA devices, with the references and holds that runs and listeners take on them. */
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

/* Number of ports whose state is tracked. */
#define ICB_PORTS	256

/**
 * struct icb_device - an RDMA device that is present
 * @ibdev: the device; valid while a reference is held
 * @events: handler of events of the device and its ports
 * @list: entry in the list of all devices, sorted by @number
 * @number: sequence number of the device since the module was loaded
 * @lock: protects @holds; icb_abort.lock nests inside it
 * @holds: holds whose sides end when the device is removed or a port goes down
 * @down: bitmap of ports that are not active
 * @reported: bitmap of ports with an event since they were last queried
 * @failed: bitmap of ports with an IB_EVENT_PORT_ERR since they were last queried
 * @look: work that queries the ports in @reported
 * @going: true if the device is being removed
 * @users: reference count
 * @unused: completed when the last reference is dropped
 */
struct icb_device {
	struct ib_device *ibdev;
	struct ib_event_handler events;
	struct list_head list;
	long number;
	spinlock_t lock;	/* @holds; icb_abort.lock nests inside it */
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
 * struct icb_hold - a hold on a device, for the lifetime of its user
 * @dev: the device; NULL if the hold is not taken
 * @port: port in use; ICB_NO_PORT if only the device has to be present
 * @abort: abort state to end when the device is removed or fails, or the port goes down;
 *	its side has to release the hold soon after
 * @list: entry in the list of holds on @dev
 */
struct icb_hold {
	struct icb_device *dev;
	u32 port;
	struct icb_abort *abort;
	struct list_head list;
};

/* Port of a hold that ends only when the device is removed. */
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
u32 icb_device_caps(const struct ib_device *ibdev, u32 port);
u32 icb_device_verbs(const struct ib_device *ibdev, u32 port);
const char *icb_device_driver(const struct ib_device *ibdev);
unsigned int icb_device_cpu(const struct ib_device *ibdev);
unsigned int icb_device_nth_cpu(const struct ib_device *ibdev, u32 index,
				u32 each);
u32 icb_device_cpus_each(u32 runs);
unsigned int icb_device_next_cpu(unsigned int cpu);

#endif /* ICB_DEVICE_H */
