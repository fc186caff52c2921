// SPDX-License-Identifier: GPL-2.0
#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include <linux/spinlock.h>
#include <net/addrconf.h>
#include <net/if_inet6.h>
#include <rdma/rdma_cm.h>

#include "host/abort.h"
#include "model/engine.h"
#include "source.h"

/*
 * Protects @sources; icb_abort.lock nests inside it. IPv6 notifiers run in any context.
 */
static DEFINE_SPINLOCK(sources_lock);
static LIST_HEAD(sources);

static bool is_of(const struct icb_source *source, const struct net_device *ndev)
{
	return !source->ifindex || source->ifindex == ndev->ifindex;
}

#define REMOVED	"address %pISc was removed from this host"

static void source_lost(struct icb_source *source, const struct net_device *ndev)
{
	WRITE_ONCE(source->lost, true);
	/* an interface that goes down or is removed is reported, but later */
	if (ndev->flags & IFF_UP)
		icb_abort_run(source->abort, -EADDRNOTAVAIL, REMOVED,
			      &source->addr);
	else
		icb_abort_connection_lost(source->abort, -EADDRNOTAVAIL, REMOVED,
					  &source->addr);
}

/* True if the interface still has the address, for example in another subnet. */
static bool still_assigned(const struct in_ifaddr *gone)
{
	const struct in_ifaddr *ifa;
	bool found = false;

	rcu_read_lock();
	in_dev_for_each_ifa_rcu(ifa, gone->ifa_dev)
		found |= ifa != gone && ifa->ifa_local == gone->ifa_local;
	rcu_read_unlock();
	return found;
}

static int v4_changed(struct notifier_block *nb, unsigned long event,
		      void *data)
{
	const struct in_ifaddr *ifa = data;
	const struct net_device *ndev = ifa->ifa_dev->dev;
	struct icb_source *source;

	if (event != NETDEV_DOWN || !net_eq(dev_net(ndev), &init_net) ||
	    still_assigned(ifa))
		return NOTIFY_DONE;
	spin_lock_bh(&sources_lock);
	list_for_each_entry(source, &sources, list) {
		const struct sockaddr_in *sin = (const void *)&source->addr;

		if (sin->sin_family == AF_INET &&
		    sin->sin_addr.s_addr == ifa->ifa_local &&
		    is_of(source, ndev))
			source_lost(source, ndev);
	}
	spin_unlock_bh(&sources_lock);
	return NOTIFY_DONE;
}

static struct notifier_block v4_block = {
	.notifier_call = v4_changed,
};

#if IS_ENABLED(CONFIG_IPV6)
static int v6_changed(struct notifier_block *nb, unsigned long event,
		      void *data)
{
	const struct inet6_ifaddr *ifa = data;
	const struct net_device *ndev = ifa->idev->dev;
	struct icb_source *source;

	if (event != NETDEV_DOWN || !net_eq(dev_net(ndev), &init_net))
		return NOTIFY_DONE;
	spin_lock_bh(&sources_lock);
	list_for_each_entry(source, &sources, list) {
		const struct sockaddr_in6 *sin6 = (const void *)&source->addr;

		if (sin6->sin6_family == AF_INET6 &&
		    ipv6_addr_equal(&sin6->sin6_addr, &ifa->addr) &&
		    is_of(source, ndev))
			source_lost(source, ndev);
	}
	spin_unlock_bh(&sources_lock);
	return NOTIFY_DONE;
}

static struct notifier_block v6_block = {
	.notifier_call = v6_changed,
};

static int init_v6(void)
{
	return register_inet6addr_notifier(&v6_block);
}

static void exit_v6(void)
{
	unregister_inet6addr_notifier(&v6_block);
}
#else
static int init_v6(void)
{
	return 0;
}

static void exit_v6(void)
{
}
#endif

/**
 * icb_source_init() - start to track the addresses of this host
 *
 * Return: 0; a negative error number.
 */
int __init icb_source_init(void)
{
	int err = register_inetaddr_notifier(&v4_block);

	if (err)
		return err;
	err = init_v6();
	if (err)
		unregister_inetaddr_notifier(&v4_block);
	return err;
}

/**
 * icb_source_exit() - stop tracking the addresses of this host
 *
 * No address is watched any more.
 */
void icb_source_exit(void)
{
	exit_v6();
	unregister_inetaddr_notifier(&v4_block);
}

/**
 * icb_source_watch() - end a side when the local address of a connection is removed
 * @source: the watch; zeroed, or after icb_source_forget()
 * @id: the connection, with a known local address
 * @abort: abort state of the side
 *
 * RoCE sends from that address, and the TCP connection of iWARP uses it. InfiniBand uses
 * addresses only to resolve the route, and is not watched. Any context but interrupts.
 */
void icb_source_watch(struct icb_source *source, const struct rdma_cm_id *id,
		      struct icb_abort *abort)
{
	if (!id->device || rdma_protocol_ib(id->device, id->port_num))
		return;
	source->abort = abort;
	source->addr = id->route.addr.src_addr;
	/* iWARP: another interface than the outgoing one may have the address */
	source->ifindex = rdma_protocol_iwarp(id->device, id->port_num) ? 0 :
			  id->route.addr.dev_addr.bound_dev_if;
	source->lost = false;
	spin_lock_bh(&sources_lock);
	list_add(&source->list, &sources);
	spin_unlock_bh(&sources_lock);
}

/**
 * icb_source_lost() - check whether a watched address was removed
 * @source: the watch; may be unused
 *
 * Return: true if the address was removed since icb_source_watch().
 */
bool icb_source_lost(const struct icb_source *source)
{
	return READ_ONCE(source->lost);
}

/**
 * icb_source_forget() - undo icb_source_watch()
 * @source: the watch; may be unused
 */
void icb_source_forget(struct icb_source *source)
{
	if (!source->abort)
		return;
	spin_lock_bh(&sources_lock);
	list_del(&source->list);
	spin_unlock_bh(&sources_lock);
	source->abort = NULL;
	source->lost = false;
}
