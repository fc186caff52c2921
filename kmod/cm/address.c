// SPDX-License-Identifier: GPL-2.0
#include <linux/if_addr.h>
#include <linux/inet.h>
#include <linux/inetdevice.h>
#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/overflow.h>
#include <net/addrconf.h>
#include <net/if_inet6.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_cm.h>

#include "address.h"
#include "conn.h"
#include "device.h"
#include "model/engine.h"
#include "name.h"
#include "route.h"

/**
 * enum rank - how well a local address suits a peer
 * @UNFIT: another address family, or a link-local address of a link without the peer
 * @NO_ROUTE: no route from the address to the peer
 * @ROUTED: a route to the peer through the interface of the address
 * @PREFERRED: the address that the routing tables select for the peer
 * @RANKS: number of ranks
 */
enum rank {
	UNFIT,
	NO_ROUTE,
	ROUTED,
	PREFERRED,
	RANKS,
};

/**
 * struct candidate - an address of this host
 * @addr: the address; a sockaddr_in for IPv4
 * @ifindex: interface index of the address
 * @rank: how well the address suits the peer; LONE if there is no peer
 */
struct candidate {
	struct sockaddr_in6 addr;
	int ifindex;
	enum rank rank;
};

/**
 * struct candidates - the addresses of this host that a device may have
 * @count: number of addresses found
 * @room: number of addresses that fit into @all
 * @all: the first @room addresses
 */
struct candidates {
	unsigned int count;
	unsigned int room;
	struct candidate all[];
};

/**
 * struct search - a search for an address of a device
 * @ibdev: the device
 * @port: device port that the address has to belong to; 0 for any
 * @peer: address of the peer to reach; NULL for any
 * @seen: true if the device has an address, suitable or not
 * @gid_too_large: GID index of a suitable address that is above ICB_CONN_MAX_GID; 0 for none
 * @err: -ENOMEM if an address could not be checked
 */
struct search {
	struct ib_device *ibdev;
	u32 port;
	const struct sockaddr *peer;
	bool seen;
	u32 gid_too_large;
	int err;
};

/* Turns an IPv4-mapped IPv6 address, as GIDs have, into an IPv4 address. */
static void unmap(struct sockaddr_storage *addr)
{
	struct sockaddr_in6 six = *(struct sockaddr_in6 *)addr;
	struct sockaddr_in *sin = (void *)addr;

	if (six.sin6_family != AF_INET6 || !ipv6_addr_v4mapped(&six.sin6_addr))
		return;
	memset(addr, 0, sizeof(*addr));
	sin->sin_family = AF_INET;
	sin->sin_port = six.sin6_port;
	sin->sin_addr.s_addr = six.sin6_addr.s6_addr32[3];
}

/**
 * icb_address_read() - parse a numeric address
 * @key: name of the parameter that gave the address
 * @text: the address: IPv4, IPv6, IPv6%interface
 * @port: port number for @addr
 * @addr: takes the address
 * @why: reason of a refusal
 *
 * Return: 0; -EINVAL.
 */
int icb_address_read(const char *key, const char *text, u32 port,
		     struct sockaddr_storage *addr, struct icb_reason *why)
{
	char number[8];

	snprintf(number, sizeof(number), "%u", port);
	/* inet_pton_with_scope() sets the scope only if @text has one */
	memset(addr, 0, sizeof(*addr));
	if (inet_pton_with_scope(&init_net, AF_UNSPEC, text, number, addr))
		return icb_refuse(why, -EINVAL,
				  "%s: %.64s is not a numeric address; accepted: IPv4, IPv6, IPv6%%interface",
				  key, text);
	unmap(addr);
	return 0;
}

static bool is_loopback(const struct sockaddr_storage *addr)
{
	if (addr->ss_family == AF_INET)
		return ipv4_is_loopback(((struct sockaddr_in *)addr)->sin_addr.s_addr);
	return ipv6_addr_loopback(&((struct sockaddr_in6 *)addr)->sin6_addr);
}

static bool is_of_one_host(const struct sockaddr_storage *addr)
{
	const struct in6_addr *six = &((struct sockaddr_in6 *)addr)->sin6_addr;
	__be32 four = ((struct sockaddr_in *)addr)->sin_addr.s_addr;

	if (addr->ss_family == AF_INET)
		return !ipv4_is_zeronet(four) && !ipv4_is_multicast(four) &&
		       !ipv4_is_lbcast(four);
	return !ipv6_addr_any(six) && !ipv6_addr_is_multicast(six);
}

/**
 * icb_address_read_peer() - parse the address of a peer
 * @text: the address
 * @port: port of the peer's listener
 * @addr: takes the address
 * @why: reason of a refusal
 *
 * Return: 0; -EINVAL.
 */
int icb_address_read_peer(const char *text, u32 port,
			  struct sockaddr_storage *addr, struct icb_reason *why)
{
	int err = icb_address_read("peer", text, port, addr, why);

	if (err)
		return err;
	if (is_loopback(addr))
		return icb_refuse(why, -EINVAL,
				  "peer: %s is a loopback address, which no RDMA device has; accepted: none, for a run on this host, or an address that icbenchctl devices lists",
				  text);
	if (!is_of_one_host(addr))
		return icb_refuse(why, -EINVAL,
				  "peer: %s is not the address of a host; accepted: an address that icbenchctl devices lists on the peer",
				  text);
	return 0;
}

/* Counts every address. Returns NULL for an address that does not fit. */
static struct candidate *next_of(struct candidates *all)
{
	struct candidate *next;

	if (all->count++ >= all->room)
		return NULL;
	next = &all->all[all->count - 1];
	memset(next, 0, sizeof(*next));
	return next;
}

static void add_v4(struct candidates *all, const struct net_device *ndev,
		   __be32 addr)
{
	struct candidate *next;
	struct sockaddr_in *sin;

	if (ipv4_is_loopback(addr))
		return;
	next = next_of(all);
	if (!next)
		return;
	next->ifindex = ndev->ifindex;
	sin = (void *)&next->addr;
	sin->sin_family = AF_INET;
	sin->sin_addr.s_addr = addr;
}

static void add_v6(struct candidates *all, const struct net_device *ndev,
		   const struct in6_addr *addr)
{
	struct candidate *next;

	if (ipv6_addr_loopback(addr))
		return;
	next = next_of(all);
	if (!next)
		return;
	next->ifindex = ndev->ifindex;
	next->addr.sin6_family = AF_INET6;
	next->addr.sin6_addr = *addr;
	if (ipv6_addr_type(addr) & IPV6_ADDR_LINKLOCAL)
		next->addr.sin6_scope_id = ndev->ifindex;
}

static void collect_v4(struct candidates *all)
{
	const struct in_ifaddr *ifa;
	struct in_device *in_dev;
	struct net_device *ndev;

	for_each_netdev_rcu(&init_net, ndev) {
		in_dev = __in_dev_get_rcu(ndev);
		if (!in_dev || !(ndev->flags & IFF_UP))
			continue;
		in_dev_for_each_ifa_rcu(ifa, in_dev)
			add_v4(all, ndev, ifa->ifa_local);
	}
}

static void collect_v6(struct candidates *all, bool link_local)
{
#if IS_ENABLED(CONFIG_IPV6)
	const struct inet6_ifaddr *ifa;
	struct inet6_dev *in6_dev;
	struct net_device *ndev;

	for_each_netdev_rcu(&init_net, ndev) {
		in6_dev = __in6_dev_get(ndev);
		if (!in6_dev || !(ndev->flags & IFF_UP))
			continue;
		list_for_each_entry_rcu(ifa, &in6_dev->addr_list, if_list) {
			if (ifa->flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED))
				continue;
			if (link_local == !!(ipv6_addr_type(&ifa->addr) &
					     IPV6_ADDR_LINKLOCAL))
				add_v6(all, ndev, &ifa->addr);
		}
	}
#endif
}

/*
 * Returns all addresses of this host: a partial list could miss the right one. NULL if
 * there is no memory.
 */
static struct candidates *collect(void)
{
	struct candidates *all;
	unsigned int room = 64;

	for (;;) {
		all = kvzalloc(struct_size(all, all, room), GFP_KERNEL);
		if (!all)
			return NULL;
		all->room = room;
		rcu_read_lock();
		collect_v4(all);
		collect_v6(all, false);
		collect_v6(all, true);
		rcu_read_unlock();
		if (all->count <= room)
			return all;
		/* addresses may be added before the next attempt */
		room = all->count + 64;
		kvfree(all);
	}
}

static bool is_same(const struct sockaddr *a, const struct sockaddr *b)
{
	if (a->sa_family != b->sa_family)
		return false;
	if (a->sa_family == AF_INET)
		return ((struct sockaddr_in *)a)->sin_addr.s_addr ==
		       ((struct sockaddr_in *)b)->sin_addr.s_addr;
	return ipv6_addr_equal(&((struct sockaddr_in6 *)a)->sin6_addr,
			       &((struct sockaddr_in6 *)b)->sin6_addr);
}

/* Interface index of a link-local peer; 0 if it is not link-local; -1 if unknown. */
static int link_of(const struct sockaddr *peer)
{
	const struct sockaddr_in6 *sin6 = (const void *)peer;

	if (peer->sa_family != AF_INET6 ||
	    !(ipv6_addr_type(&sin6->sin6_addr) & IPV6_ADDR_LINKLOCAL))
		return 0;
	return sin6->sin6_scope_id ? : -1;
}

static enum rank rank_of(const struct candidate *one,
			 const struct sockaddr *peer,
			 const struct sockaddr_storage *preferred)
{
	const struct sockaddr *addr = (const void *)&one->addr;
	int link = link_of(peer);

	if (addr->sa_family != peer->sa_family)
		return UNFIT;
	/* a link-local peer is reached best from an address of its own link */
	if (link)
		return !one->addr.sin6_scope_id ? NO_ROUTE :
		       link < 0 || link == one->ifindex ? PREFERRED : UNFIT;
	if (preferred->ss_family && is_same(addr, (void *)preferred))
		return PREFERRED;
	if (addr->sa_family == AF_INET6 && one->addr.sin6_scope_id)
		return UNFIT;
	return icb_route_leads(peer, addr, one->ifindex) ? ROUTED : NO_ROUTE;
}

static void rank(struct candidates *all, const struct sockaddr *peer)
{
	struct sockaddr_storage preferred = {};
	unsigned int i;

	if (peer && !link_of(peer) && !icb_route_source(peer, &preferred))
		preferred.ss_family = AF_UNSPEC;
	for (i = 0; i < all->count; i++)
		all->all[i].rank = peer ? rank_of(&all->all[i], peer,
						  &preferred) : NO_ROUTE;
}

static int no_event(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	return 0;
}

/*
 * An address that the device lacks is no failure; an address that could not be checked
 * is.
 */
static void note_failure(struct search *search, long err)
{
	if (err == -ENOMEM)
		search->err = err;
}

static bool has_gid(struct search *search, const union ib_gid *gid,
		    enum ib_gid_type type)
{
	const struct ib_gid_attr *attr = rdma_find_gid(search->ibdev, gid, type,
						       NULL);

	if (IS_ERR(attr)) {
		note_failure(search, PTR_ERR(attr));
		return false;
	}
	rdma_put_gid_attr(attr);
	return true;
}

/* A RoCE device has a GID for each address; a GID lookup is cheaper than is_of(). */
static bool may_be_of(struct search *search, const struct candidate *one)
{
	union ib_gid gid;
	u32 port;

	rdma_for_each_port(search->ibdev, port)
		if (!rdma_protocol_roce(search->ibdev, port))
			return true;
	rdma_ip2gid((struct sockaddr *)&one->addr, &gid);
	return has_gid(search, &gid, IB_GID_TYPE_ROCE_UDP_ENCAP) ||
	       has_gid(search, &gid, IB_GID_TYPE_ROCE);
}

/* Only the connection manager knows which device an address belongs to. */
static bool is_of(struct search *search, const struct candidate *one,
		  u32 *port)
{
	const struct ib_gid_attr *attr;
	struct rdma_cm_id *id;
	bool yes = false;
	int err;

	if (!may_be_of(search, one))
		return false;
	id = rdma_create_id(&init_net, no_event, NULL, RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(id)) {
		note_failure(search, PTR_ERR(id));
		return false;
	}
	err = rdma_bind_addr(id, (struct sockaddr *)&one->addr);
	note_failure(search, err);
	if (!err) {
		yes = id->device == search->ibdev &&
		      (!search->port || id->port_num == search->port);
		*port = id->port_num;
	}
	attr = yes ? id->route.addr.dev_addr.sgid_attr : NULL;
	if (yes)
		search->seen = true;
	if (attr && one->rank != UNFIT && attr->index > ICB_CONN_MAX_GID) {
		search->gid_too_large = attr->index;
		yes = false;
	}
	rdma_destroy_id(id);
	return yes && one->rank != UNFIT;
}

static int find_address(struct search *search, struct icb_address *address)
{
	struct candidates *all = collect();
	int err = -EADDRNOTAVAIL;
	unsigned int i;
	int level;

	if (!all)
		return -ENOMEM;
	rank(all, search->peer);
	/* stops if an address could not be checked: it may be the best one */
	for (level = RANKS - 1; level >= 0 && err && !search->err; level--)
		for (i = 0; i < all->count && err && !search->err; i++) {
			const struct candidate *one = &all->all[i];

			if (one->rank != level ||
			    !is_of(search, one, &address->port) ||
			    !icb_device_active(search->ibdev, address->port))
				continue;
			memset(&address->addr, 0, sizeof(address->addr));
			memcpy(&address->addr, &one->addr, sizeof(one->addr));
			err = 0;
		}
	kvfree(all);
	return search->err ? : err;
}

/* Finds the interface of an iWARP device, whose GIDs do not hold the address. */
static struct net_device *find_iwarp_netdev(struct ib_device *ibdev)
{
	struct net_device *ndev, *found = NULL;
	struct ib_device *above;

	rcu_read_lock();
	for_each_netdev_rcu(&init_net, ndev) {
		above = ib_device_get_by_netdev(ndev, RDMA_DRIVER_UNKNOWN);
		if (above == ibdev)
			found = ndev;
		if (above)
			ib_device_put(above);
		if (found)
			break;
	}
	if (found)
		dev_hold(found);
	rcu_read_unlock();
	return found;
}

/* Returns the interface of a port, to be released by dev_put(); NULL if unknown. */
static struct net_device *interface_of(struct ib_device *ibdev, u32 port)
{
	const struct ib_gid_attr *attr;
	struct net_device *ndev;

	if (ibdev->ops.get_netdev)
		return ibdev->ops.get_netdev(ibdev, port);
	attr = rdma_get_gid_attr(ibdev, port, 0);
	if (IS_ERR(attr))
		return find_iwarp_netdev(ibdev);
	rcu_read_lock();
	ndev = rdma_read_gid_attr_ndev_rcu(attr);
	if (IS_ERR(ndev))
		ndev = NULL;
	else
		dev_hold(ndev);
	rcu_read_unlock();
	rdma_put_gid_attr(attr);
	return ndev ? : find_iwarp_netdev(ibdev);
}

/* Refuses with only what the device itself reports: its interface is unknown. */
static int refuse_no_netdev(const char *name, bool active, struct icb_reason *why)
{
	if (!active)
		return icb_refuse(why, -ENODEV,
				  "device %s has no active port; check its cable and its link: rdma link",
				  name);
	return icb_refuse(why, -ENODEV,
			  "device %s has no IP address; give its interface one: ip address add ADDRESS/24 dev INTERFACE",
			  name);
}

static int refuse_interface(const char *name, const struct net_device *ndev,
			    bool active, struct icb_reason *why)
{
	if (!net_eq(dev_net(ndev), &init_net))
		return icb_refuse(why, -ENODEV,
				  "device %s: its interface %s is not in the initial network namespace, which icbench uses; run in its namespace: ip link set %s netns 1, and make the device again",
				  name, ndev->name, ndev->name);
	if (ndev->flags & IFF_LOOPBACK)
		return icb_refuse(why, -ENODEV,
				  "device %s is on %s, whose addresses RDMA connections cannot use; make a device on another interface: rdma link add rxe0 type rxe netdev INTERFACE",
				  name, ndev->name);
	if (!(ndev->flags & IFF_UP) || !active)
		return icb_refuse(why, -ENODEV,
				  "device %s has no active port: %s is %s; set it up: ip link set dev %s up",
				  name, ndev->name,
				  ndev->flags & IFF_UP ? "without a link" : "down",
				  ndev->name);
	return icb_refuse(why, -ENODEV,
			  "device %s has no IP address; give its interface one: ip address add ADDRESS/24 dev %s",
			  name, ndev->name);
}

/*
 * Returns the first active port, so that refusals concern a usable port; else the first.
 */
static u32 first_active(struct ib_device *ibdev)
{
	u32 port;

	rdma_for_each_port(ibdev, port)
		if (icb_device_active(ibdev, port))
			return port;
	return rdma_start_port(ibdev);
}

/* Refuses a device that cannot be reached, with the most likely cause and its remedy. */
static int explain(const struct search *search, struct icb_reason *why)
{
	struct ib_device *ibdev = search->ibdev;
	const char *name = icb_device_name(ibdev);
	u32 port = search->port ? : first_active(ibdev);
	bool active = icb_device_active(ibdev, port);
	struct net_device *ndev;
	int err;

	if (!rdma_dev_access_netns(ibdev, &init_net))
		return icb_refuse(why, -ENODEV,
				  "device %s is in another network namespace, and icbench uses the initial one; the device returns when its namespace is removed",
				  name);
	if (search->gid_too_large)
		return icb_refuse(why, -ENODEV,
				  "device %s: its address is GID %u, and connections can use GIDs 0 to %u; accepted: fewer addresses, or a device with an address of these GIDs",
				  name, search->gid_too_large, ICB_CONN_MAX_GID);
	if (search->seen && active && search->peer)
		return icb_refuse(why, -ENODEV,
				  "device %s has no %s address to reach %pISc from; give its interface one, or give an %s address of the peer",
				  name,
				  search->peer->sa_family == AF_INET ? "IPv4" : "IPv6",
				  search->peer,
				  search->peer->sa_family == AF_INET ? "IPv6" : "IPv4");
	ndev = interface_of(ibdev, port);
	err = ndev ? refuse_interface(name, ndev, active, why) :
		     refuse_no_netdev(name, active, why);
	if (ndev)
		dev_put(ndev);
	return err;
}

static int gid_address(struct ib_device *ibdev, u32 port, u32 gid_index,
		       struct icb_address *address, struct icb_reason *why)
{
	const struct ib_gid_attr *attr;
	struct net_device *ndev;

	if (gid_index > ICB_CONN_MAX_GID)
		return icb_refuse(why, -EINVAL,
				  "gid-index: connections cannot use GID %u; accepted: 0 to %u",
				  gid_index, ICB_CONN_MAX_GID);
	address->port = port;
	memset(&address->addr, 0, sizeof(address->addr));
	attr = rdma_get_gid_attr(ibdev, port, gid_index);
	if (IS_ERR(attr))
		return icb_refuse(why, -EINVAL,
				  "gid-index: port %u of %s has no GID %u; icbenchctl devices lists them",
				  port, icb_device_name(ibdev), gid_index);
	rdma_gid2ip((struct sockaddr *)&address->addr, &attr->gid);
	if (address->addr.ss_family == AF_INET6) {
		struct sockaddr_in6 *sin6 = (void *)&address->addr;

		rcu_read_lock();
		ndev = rdma_read_gid_attr_ndev_rcu(attr);
		if (!IS_ERR(ndev) &&
		    ipv6_addr_type(&sin6->sin6_addr) & IPV6_ADDR_LINKLOCAL)
			sin6->sin6_scope_id = ndev->ifindex;
		rcu_read_unlock();
	}
	rdma_put_gid_attr(attr);
	return 0;
}

static int check_gid(struct ib_device *ibdev, u32 port, u32 gid_index,
		     const struct search *search, struct icb_address *address,
		     struct icb_reason *why)
{
	int err = gid_address(ibdev, port, gid_index, address, why);

	if (err || !rdma_protocol_roce(ibdev, port) || !search->peer ||
	    search->peer->sa_family == address->addr.ss_family)
		return err;
	return icb_refuse(why, -EINVAL,
			  "gid-index: GID %u of %s is %pISc, and the peer's address %pISc is of another family; accepted: a GID of its family; icbenchctl devices lists them",
			  gid_index, icb_device_name(ibdev), &address->addr,
			  search->peer);
}

/**
 * icb_address_of() - find the address of a device
 * @dev: the device
 * @port: its port; 0 for any
 * @gid_index: GID to use; ICB_ANY_GID for any
 * @peer: address of the peer to reach; NULL for any
 * @address: takes the address and its port
 * @why: reason of a failure
 *
 * Considers addresses of the peer's family only. Prefers the address that the routing
 * tables select, then an address whose interface has a route to the peer. Otherwise
 * prefers IPv4, then global IPv6, then link-local IPv6. May sleep.
 *
 * Return: 0; -ENODEV, -EINVAL, -ENOMEM with a reason.
 */
int icb_address_of(struct icb_device *dev, u32 port, int gid_index,
		   const struct sockaddr_storage *peer,
		   struct icb_address *address, struct icb_reason *why)
{
	struct ib_device *ibdev = dev->ibdev;
	u32 first = rdma_start_port(ibdev), last = rdma_end_port(ibdev);
	u32 at = port ? : first_active(ibdev);
	struct search search = {
		.ibdev = ibdev,
		.port = port,
		.peer = (const struct sockaddr *)peer,
	};
	int err;

	if (port && !rdma_is_port_valid(ibdev, port))
		return icb_refuse(why, -EINVAL,
				  "port: device %s has no port %u; accepted: %u to %u",
				  icb_device_name(ibdev), port, first, last);
	/* an explicit port or GID is refused for its own cause */
	if ((port || gid_index != ICB_ANY_GID) &&
	    !icb_device_active(ibdev, at))
		return explain(&search, why);
	if (gid_index != ICB_ANY_GID) {
		err = check_gid(ibdev, at, gid_index, &search, address, why);
		/* without RoCE a GID gives the port, but no address */
		if (err || rdma_protocol_roce(ibdev, at))
			return err;
	}
	err = find_address(&search, address);
	if (err == -ENOMEM)
		return icb_refuse(why, err,
				  "device %s: no memory to look for its address",
				  icb_device_name(ibdev));
	return err ? explain(&search, why) : 0;
}

/* Returns the first device that can be reached and, unless @suits is NULL, suits. */
static struct icb_device *find_any(u32 port, icb_address_suits suits,
				   const void *data,
				   struct icb_address *address,
				   struct icb_reason *why)
{
	struct icb_device *dev = icb_device_after(NULL), *next;
	int err = -ENODEV, first = 0;

	if (!dev)
		icb_refuse(why, -ENODEV,
			   "no RDMA device; make a software device: rdma link add rxe0 type rxe netdev INTERFACE");
	while (dev) {
		/* the reason is that of the first device */
		err = icb_address_of(dev, port, ICB_ANY_GID, NULL, address,
				     first ? NULL : why);
		if (!err && (!suits || suits(dev->ibdev, address->port, data)))
			return dev;
		first = first ? : err;
		next = icb_device_after(dev);
		icb_device_put(dev);
		/* the device that was not checked may be the right one */
		if (err == -ENOMEM && next) {
			icb_device_put(next);
			break;
		}
		dev = next;
	}
	return ERR_PTR(err == -ENOMEM ? err : first ? : -ENODEV);
}

/**
 * icb_address_any() - find the first device that can be reached
 * @port: device port to use; 0 for any
 * @suits: whether a device suits the run; if none does, the first device is returned
 * @data: argument of @suits
 * @address: takes the address of the device
 * @why: reason of a failure
 *
 * May sleep.
 *
 * Return: the device, to be released by icb_device_put(); an error pointer.
 */
struct icb_device *icb_address_any(u32 port, icb_address_suits suits,
				   const void *data,
				   struct icb_address *address,
				   struct icb_reason *why)
{
	struct icb_device *dev = find_any(port, suits, data, address, NULL);

	if (PTR_ERR_OR_ZERO(dev) == -ENOMEM)
		return ERR_PTR(icb_refuse(why, -ENOMEM,
					  "device: no memory to look for one"));
	return IS_ERR(dev) ? find_any(port, NULL, NULL, address, why) : dev;
}
