// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/topology.h>
#include <rdma/ib_verbs.h>
#include <uapi/rdma/ib_user_ioctl_verbs.h>

#include "compat.h"
#include "device.h"
#include "host/abort.h"
#include "model/engine.h"
#include "model/verbs_table.h"
#include "name.h"

/* Protects @devices, @devices_added and icb_device.going. */
static DEFINE_MUTEX(devices_lock);
static LIST_HEAD(devices);
static long devices_added;

static const char *const driver_names[] = {
	[RDMA_DRIVER_MLX5] = "mlx5",
	[RDMA_DRIVER_MLX4] = "mlx4",
	[RDMA_DRIVER_CXGB4] = "cxgb4",
	[RDMA_DRIVER_MTHCA] = "mthca",
	[RDMA_DRIVER_BNXT_RE] = "bnxt_re",
	[RDMA_DRIVER_OCRDMA] = "ocrdma",
	[RDMA_DRIVER_VMW_PVRDMA] = "vmw_pvrdma",
	[RDMA_DRIVER_QEDR] = "qedr",
	[RDMA_DRIVER_HNS] = "hns",
	[RDMA_DRIVER_USNIC] = "usnic",
	[RDMA_DRIVER_RXE] = "rxe",
	[RDMA_DRIVER_HFI1] = "hfi1",
	[RDMA_DRIVER_QIB] = "qib",
	[RDMA_DRIVER_EFA] = "efa",
	[RDMA_DRIVER_SIW] = "siw",
};

/**
 * icb_device_driver() - the name of a device's driver
 * @ibdev: the device
 *
 * Return: the driver's name; the name of its module if the driver is unknown here.
 */
const char *icb_device_driver(const struct ib_device *ibdev)
{
	u32 id = ibdev->ops.driver_id;

	if (id < ARRAY_SIZE(driver_names) && driver_names[id])
		return driver_names[id];
	return ibdev->ops.owner ? ibdev->ops.owner->name : "unknown";
}

/**
 * icb_device_caps() - the capabilities of a device that verbs need
 * @ibdev: the device
 * @port: the port; its protocol restricts the capabilities
 *
 * Return: bits of enum icb_cap.
 */
u32 icb_device_caps(const struct ib_device *ibdev, u32 port)
{
	const struct ib_device_attr *attr = &ibdev->attrs;
	bool iwarp = rdma_protocol_iwarp(ibdev, port);
	u32 caps = 0;

	/* the state of an iWARP QP follows its TCP connection and cannot be set alone */
	if (!iwarp)
		caps |= ICB_CAP_IMM | ICB_CAP_STATES;
	if (attr->max_qp_rd_atom)
		caps |= ICB_CAP_READS;
	if (!iwarp && attr->atomic_cap != IB_ATOMIC_NONE)
		caps |= ICB_CAP_ATOMICS;
	return caps;
}

/**
 * icb_device_verbs() - the verbs that a device supports at a port
 * @ibdev: the device
 * @port: the port; its protocol restricts the verbs
 *
 * Return: BIT(enum icbench_verb) of each verb.
 */
u32 icb_device_verbs(const struct ib_device *ibdev, u32 port)
{
	return icb_verbs_of_device(icb_device_caps(ibdev, port));
}

static int add_device(struct ib_device *ibdev);
static void remove_device(struct ib_device *ibdev, void *data);

static struct ib_client device_client = {
	.name = "icbench",
	.add = add_device,
	.remove = remove_device,
};

/* Reads the state of a port: its events may be reported out of order. May sleep. */
static void query_port(struct icb_device *dev, u32 port)
{
	struct ib_port_attr attr;

	if (!ib_query_port(dev->ibdev, port, &attr) &&
	    attr.state == IB_PORT_ACTIVE)
		clear_bit(port, dev->down);
	else
		set_bit(port, dev->down);
}

#define EVERY_PORT	(U32_MAX - 1)	/* each hold on a port */
#define WHOLE_DEVICE	U32_MAX		/* each hold, also those without a port */

static bool concerns(const struct icb_hold *hold, u32 port)
{
	switch (port) {
	case WHOLE_DEVICE:
		return true;
	case EVERY_PORT:
		return hold->port != ICB_NO_PORT;
	default:
		return hold->port == port;
	}
}

/* Ends the side of each hold that @port concerns. */
static void end_holds(struct icb_device *dev, u32 port, int err,
		      const char *why)
{
	struct icb_hold *hold;

	spin_lock(&dev->lock);
	list_for_each_entry(hold, &dev->holds, list)
		if (concerns(hold, port))
			icb_abort_run(hold->abort, err, "%s", why);
	spin_unlock(&dev->lock);
}

static void end_port(struct icb_device *dev, u32 port)
{
	end_holds(dev, port, -ENETDOWN, "the port of the device went down");
}

/* Updates @down before it ends holds: a side that ends then finds its port down. */
static void query_reported(struct work_struct *work)
{
	struct icb_device *dev = container_of(work, struct icb_device, look);
	u32 port;

	for_each_set_bit(port, dev->reported, ICB_PORTS) {
		clear_bit(port, dev->reported);
		query_port(dev, port);
		if (test_and_clear_bit(port, dev->failed))
			end_port(dev, port);
	}
}

/*
 * Must not query the device. The RDMA core calls event handlers with a lock held. To
 * answer a query, rxe takes other locks, under which it also registers devices, and the
 * registration reports events.
 */
static void device_event(struct ib_event_handler *handler,
			 struct ib_event *event)
{
	struct icb_device *dev = container_of(handler, struct icb_device,
					      events);
	u32 port = event->element.port_num;

	if (event->event == IB_EVENT_DEVICE_FATAL)
		end_holds(dev, EVERY_PORT, -EIO, "the device has failed");
	if (event->event != IB_EVENT_PORT_ERR &&
	    event->event != IB_EVENT_PORT_ACTIVE)
		return;
	if (port >= ICB_PORTS) {
		if (event->event == IB_EVENT_PORT_ERR)
			end_port(dev, port);
		return;
	}
	if (event->event == IB_EVENT_PORT_ERR)
		set_bit(port, dev->failed);
	set_bit(port, dev->reported);
	queue_work(icb_unbound_wq(), &dev->look);
}

static int add_device(struct ib_device *ibdev)
{
	struct icb_device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	u32 port;

	if (!dev)
		return -ENOMEM;
	dev->ibdev = ibdev;
	spin_lock_init(&dev->lock);
	INIT_LIST_HEAD(&dev->holds);
	refcount_set(&dev->users, 1);
	init_completion(&dev->unused);
	INIT_WORK(&dev->look, query_reported);
	ib_set_client_data(ibdev, &device_client, dev);
	INIT_IB_EVENT_HANDLER(&dev->events, ibdev, device_event);
	ib_register_event_handler(&dev->events);
	/*
	 * By the work, which may run already: of two concurrent queries, the one with the
	 * older state may finish last.
	 */
	rdma_for_each_port(ibdev, port)
		if (port < ICB_PORTS)
			set_bit(port, dev->reported);
	queue_work(icb_unbound_wq(), &dev->look);
	flush_work(&dev->look);
	mutex_lock(&devices_lock);
	dev->number = ++devices_added;
	list_add_tail(&dev->list, &devices);
	mutex_unlock(&devices_lock);
	return 0;
}

/* Ends the side of each hold, and waits until all references are dropped. */
static void remove_device(struct ib_device *ibdev, void *data)
{
	struct icb_device *dev = data;

	mutex_lock(&devices_lock);
	dev->going = true;
	mutex_unlock(&devices_lock);
	end_holds(dev, WHOLE_DEVICE, -ENODEV, "the device was removed");
	icb_device_put(dev);
	wait_for_completion(&dev->unused);
	mutex_lock(&devices_lock);
	list_del(&dev->list);
	mutex_unlock(&devices_lock);
	/* waits for running event handlers */
	ib_unregister_event_handler(&dev->events);
	cancel_work_sync(&dev->look);
	kfree(dev);
}

/**
 * icb_device_init() - start to track RDMA devices
 *
 * Return: 0; a negative error number.
 */
int __init icb_device_init(void)
{
	return ib_register_client(&device_client);
}

/**
 * icb_device_exit() - stop tracking RDMA devices
 *
 * Waits for the remaining references, which have to be dropped soon.
 */
void icb_device_exit(void)
{
	ib_unregister_client(&device_client);
}

/**
 * icb_device_get() - take a reference to a device by name
 * @name: name of the device
 *
 * Return: the device, to be released by icb_device_put(); NULL if there is none.
 */
struct icb_device *icb_device_get(const char *name)
{
	struct icb_device *dev, *found = NULL;

	mutex_lock(&devices_lock);
	list_for_each_entry(dev, &devices, list) {
		if (dev->going || strcmp(icb_device_name(dev->ibdev), name))
			continue;
		refcount_inc(&dev->users);
		found = dev;
		break;
	}
	mutex_unlock(&devices_lock);
	return found;
}

/* Returns 0 if the port is active; -ENETDOWN; the error of the query. */
static int check_port(struct ib_device *ibdev, u32 port)
{
	struct ib_port_attr attr;
	int err = ib_query_port(ibdev, port, &attr);

	if (err)
		return err;
	return attr.state == IB_PORT_ACTIVE ? 0 : -ENETDOWN;
}

/**
 * icb_device_active() - query whether a port of a device is active
 * @ibdev: the device
 * @port: port of the device
 *
 * May sleep.
 *
 * Return: true if the device reports that the port is active.
 */
bool icb_device_active(struct ib_device *ibdev, u32 port)
{
	return !check_port(ibdev, port);
}

/**
 * icb_device_hold() - take a hold on a device known by its ib_device
 * @ibdev: the device, only compared
 * @port: port in use; ICB_NO_PORT if the state of ports does not matter
 * @hold: the hold to make
 * @abort: abort state to end when the device is removed, or its port goes down
 *
 * May sleep.
 *
 * Return: 0; -ENODEV if the device is being removed; -ENETDOWN if the port is down;
 * another error number if the port cannot be queried.
 */
int icb_device_hold(struct ib_device *ibdev, u32 port, struct icb_hold *hold,
		    struct icb_abort *abort)
{
	struct icb_device *dev;
	int err = -ENODEV;

	mutex_lock(&devices_lock);
	list_for_each_entry(dev, &devices, list) {
		if (dev->going || dev->ibdev != ibdev)
			continue;
		refcount_inc(&dev->users);
		hold->dev = dev;
		hold->port = port;
		hold->abort = abort;
		spin_lock(&dev->lock);
		list_add(&hold->list, &dev->holds);
		spin_unlock(&dev->lock);
		err = 0;
		break;
	}
	mutex_unlock(&devices_lock);
	/* the hold reports later changes; an earlier one is seen by this query */
	if (!err && port != ICB_NO_PORT)
		err = check_port(ibdev, port);
	if (err)
		icb_device_release(hold);
	return err;
}

/**
 * icb_devices_iwarp() - check whether there is an iWARP device
 *
 * May sleep.
 *
 * Return: true if some device has a port with iWARP.
 */
bool icb_devices_iwarp(void)
{
	struct icb_device *dev;
	bool found = false;
	u32 port;

	mutex_lock(&devices_lock);
	list_for_each_entry(dev, &devices, list)
		rdma_for_each_port(dev->ibdev, port)
			found |= rdma_protocol_iwarp(dev->ibdev, port);
	mutex_unlock(&devices_lock);
	return found;
}

/**
 * icb_device_down() - check whether a port of a device is known to be down
 * @ibdev: the device, only compared
 * @port: port of the device
 *
 * Uses the device's events, which may be slightly behind the port. May sleep.
 *
 * Return: true if the port is known to be down.
 */
bool icb_device_down(const struct ib_device *ibdev, u32 port)
{
	struct icb_device *dev;
	bool down = false;

	mutex_lock(&devices_lock);
	list_for_each_entry(dev, &devices, list)
		if (dev->ibdev == ibdev && port < ICB_PORTS)
			down = test_bit(port, dev->down);
	mutex_unlock(&devices_lock);
	return down;
}

/**
 * icb_device_release() - undo icb_device_hold()
 * @hold: the hold; may be empty
 */
void icb_device_release(struct icb_hold *hold)
{
	if (!hold->dev)
		return;
	spin_lock(&hold->dev->lock);
	list_del(&hold->list);
	spin_unlock(&hold->dev->lock);
	icb_device_put(hold->dev);
	hold->dev = NULL;
}

/**
 * icb_device_put() - release a device
 * @dev: the device; may be NULL
 */
void icb_device_put(struct icb_device *dev)
{
	if (dev && refcount_dec_and_test(&dev->users))
		complete(&dev->unused);
}

/**
 * icb_device_each() - call a function for each device
 * @fn: the function; a result other than 0 ends the loop. Must not take or drop
 *	references.
 * @data: argument of @fn
 *
 * Return: the last result of @fn; 0.
 */
int icb_device_each(int (*fn)(struct icb_device *dev, void *data), void *data)
{
	struct icb_device *dev;
	int err = 0;

	mutex_lock(&devices_lock);
	list_for_each_entry(dev, &devices, list) {
		if (dev->going)
			continue;
		err = fn(dev, data);
		if (err)
			break;
	}
	mutex_unlock(&devices_lock);
	return err;
}

/**
 * icb_device_after() - take a reference to the next device
 * @dev: a device to which the caller has a reference; NULL to get the first device
 *
 * Return: the device, to be released by icb_device_put(); NULL if there is none.
 */
struct icb_device *icb_device_after(struct icb_device *dev)
{
	struct icb_device *next, *found = NULL;

	mutex_lock(&devices_lock);
	next = list_prepare_entry(dev, &devices, list);
	list_for_each_entry_continue(next, &devices, list) {
		if (next->going)
			continue;
		refcount_inc(&next->users);
		found = next;
		break;
	}
	mutex_unlock(&devices_lock);
	return found;
}

/**
 * icb_device_cpu() - the default CPU to drive a device from
 * @ibdev: the device
 *
 * Return: the first online CPU of the device's NUMA node, or of all nodes.
 */
unsigned int icb_device_cpu(const struct ib_device *ibdev)
{
	int node = ibdev->dma_device ? dev_to_node(ibdev->dma_device) :
				       NUMA_NO_NODE;
	unsigned int cpu = nr_cpu_ids;

	if (node != NUMA_NO_NODE)
		cpu = cpumask_first_and(cpumask_of_node(node),
					cpu_online_mask);
	return cpu < nr_cpu_ids ? cpu : cpumask_first(cpu_online_mask);
}

/**
 * icb_device_nth_cpu() - the CPU for one of several users of a device
 * @ibdev: the device
 * @index: index of the user, from 0
 * @each: CPUs that each user takes
 *
 * Return: an online CPU; icb_device_cpu() for @index 0.
 */
unsigned int icb_device_nth_cpu(const struct ib_device *ibdev, u32 index,
				u32 each)
{
	u32 steps = index * each % num_online_cpus();
	unsigned int cpu = icb_device_cpu(ibdev);

	for (; steps; steps--)
		cpu = icb_device_next_cpu(cpu);
	return cpu;
}

/**
 * icb_device_cpus_each() - CPUs for each run of a host with itself
 * @runs: number of concurrent runs
 *
 * Return: 2, one for each side, if there are enough CPUs; else 1 for both sides.
 */
u32 icb_device_cpus_each(u32 runs)
{
	return runs == 1 || 2 * runs <= num_online_cpus() ? 2 : 1;
}

/**
 * icb_device_next_cpu() - the CPU after a CPU
 * @cpu: the CPU
 *
 * Return: the next online CPU, cyclically; @cpu if it is the only one.
 */
unsigned int icb_device_next_cpu(unsigned int cpu)
{
	unsigned int next = cpumask_next(cpu, cpu_online_mask);

	return next < nr_cpu_ids ? next : cpumask_first(cpu_online_mask);
}
