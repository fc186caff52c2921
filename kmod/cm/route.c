// SPDX-License-Identifier: GPL-2.0
#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <net/addrconf.h>
#include <net/ip6_route.h>
#include <net/ip_fib.h>
#include <net/route.h>
#include <rdma/ib_cache.h>
#include <rdma/rdma_cm.h>

#include "compat.h"
#include "name.h"
#include "route.h"

static const struct in6_addr *v6_of(const struct sockaddr *addr)
{
	return &((const struct sockaddr_in6 *)addr)->sin6_addr;
}

static __be32 v4_of(const struct sockaddr *addr)
{
	return ((const struct sockaddr_in *)addr)->sin_addr.s_addr;
}

static bool source_v4(const struct sockaddr *dst, struct sockaddr_in *src)
{
	struct flowi4 fl4 = { .daddr = v4_of(dst) };
	struct rtable *rt = ip_route_output_key(&init_net, &fl4);

	if (IS_ERR(rt))
		return false;
	ip_rt_put(rt);
	src->sin_family = AF_INET;
	src->sin_addr.s_addr = fl4.saddr;
	return true;
}

static bool has_route_v4(const struct sockaddr *dst, const struct sockaddr *src,
			 int ifindex)
{
	struct flowi4 fl4 = {
		.daddr = v4_of(dst),
		.saddr = v4_of(src),
		.flowi4_oif = ifindex,
	};
	struct fib_result res;
	bool leads;

	/* ip_route_output_key() makes a route up if an interface is given */
	rcu_read_lock();
	leads = !fib_lookup(&init_net, &fl4, &res, 0) &&
		(res.type == RTN_UNICAST || res.type == RTN_LOCAL);
	rcu_read_unlock();
	return leads;
}

#if IS_ENABLED(CONFIG_IPV6)
static struct dst_entry *look_up_v6(struct flowi6 *fl6,
				    const struct sockaddr *dst, int ifindex)
{
	const struct sockaddr_in6 *sin6 = (const void *)dst;

	fl6->daddr = sin6->sin6_addr;
	fl6->flowi6_oif = ifindex ? : sin6->sin6_scope_id;
	return icb_ip6_dst_lookup_flow(&init_net, fl6);
}

static bool source_v6(const struct sockaddr *dst, struct sockaddr_in6 *src)
{
	struct flowi6 fl6 = {};
	struct dst_entry *entry = look_up_v6(&fl6, dst, 0);

	if (IS_ERR(entry))
		return false;
	dst_release(entry);
	src->sin6_family = AF_INET6;
	src->sin6_addr = fl6.saddr;
	return true;
}

static bool has_route_v6(const struct sockaddr *dst, const struct sockaddr *src,
			 int ifindex)
{
	struct flowi6 fl6 = { .saddr = *v6_of(src) };
	struct dst_entry *entry = look_up_v6(&fl6, dst, ifindex);
	bool leads;

	if (IS_ERR(entry))
		return false;
	leads = entry->dev->ifindex == ifindex ||
		entry->dev->flags & IFF_LOOPBACK;
	dst_release(entry);
	return leads;
}

static bool has_v6(const struct net_device *ndev, const struct sockaddr *addr)
{
	/* without strict, any interface matches each global address of the host */
	return ipv6_chk_addr(&init_net, v6_of(addr), ndev, !!ndev);
}

static bool shares_v6(struct net_device *ndev, const struct sockaddr *dst)
{
	/* every interface is on the subnet of link-local addresses */
	return !(ipv6_addr_type(v6_of(dst)) & IPV6_ADDR_LINKLOCAL) &&
	       ipv6_chk_prefix(v6_of(dst), ndev);
}
#else
static bool source_v6(const struct sockaddr *dst, struct sockaddr_in6 *src)
{
	return false;
}

static bool has_route_v6(const struct sockaddr *dst, const struct sockaddr *src,
			 int ifindex)
{
	return false;
}

static bool has_v6(const struct net_device *ndev, const struct sockaddr *addr)
{
	return false;
}

static bool shares_v6(struct net_device *ndev, const struct sockaddr *dst)
{
	return false;
}
#endif

/**
 * icb_route_source() - the local address that the routing tables select
 * @dst: address to reach
 * @src: takes the local address; zeroed by the caller
 *
 * Any context but interrupts.
 *
 * Return: false if there is no route.
 */
bool icb_route_source(const struct sockaddr *dst, struct sockaddr_storage *src)
{
	return dst->sa_family == AF_INET ? source_v4(dst, (void *)src) :
					   source_v6(dst, (void *)src);
}

/**
 * icb_route_leads() - check for a route to an address through an interface
 * @dst: address to reach
 * @src: local address, of the same family
 * @ifindex: index of the interface
 *
 * Any context but interrupts.
 *
 * Return: true if there is such a route.
 */
bool icb_route_leads(const struct sockaddr *dst, const struct sockaddr *src,
		     int ifindex)
{
	return dst->sa_family == AF_INET ? has_route_v4(dst, src, ifindex) :
					   has_route_v6(dst, src, ifindex);
}

/* Returns the interface that has an address; NULL for none. Under RCU. */
static struct net_device *owner_of(const struct sockaddr *addr)
{
	struct net_device *ndev;

	if (addr->sa_family == AF_INET)
		return __ip_dev_find(&init_net, v4_of(addr), false);
	if (addr->sa_family != AF_INET6 ||
	    ipv6_addr_type(v6_of(addr)) & IPV6_ADDR_LINKLOCAL)
		return NULL;
	for_each_netdev_rcu(&init_net, ndev)
		if (has_v6(ndev, addr))
			return ndev;
	return NULL;
}

static bool shares_v4(const struct net_device *ndev, const struct sockaddr *dst)
{
	const struct in_device *in_dev = __in_dev_get_rcu(ndev);
	const struct in_ifaddr *ifa;
	bool shares = false;

	if (!in_dev)
		return false;
	in_dev_for_each_ifa_rcu(ifa, in_dev)
		shares |= ifa->ifa_prefixlen < 32 &&
			  inet_ifa_match(v4_of(dst), ifa);
	return shares;
}

static bool shares_subnet(struct net_device *ndev, const struct sockaddr *dst)
{
	if (!(ndev->flags & IFF_UP))
		return false;
	return dst->sa_family == AF_INET ? shares_v4(ndev, dst) :
					   shares_v6(ndev, dst);
}

/* Returns another interface on the subnet of @own and @dst; NULL for none. Under RCU. */
static struct net_device *same_subnet_netdev(struct net_device *own,
					     const struct sockaddr *dst)
{
	struct net_device *ndev;

	if (!shares_subnet(own, dst))
		return NULL;
	for_each_netdev_rcu(&init_net, ndev)
		if (ndev != own && shares_subnet(ndev, dst))
			return ndev;
	return NULL;
}

/* Returns the GID index of an address on the device of @id; 0 if unknown. */
static u32 gid_of(const struct rdma_cm_id *id, struct net_device *own,
		  const struct sockaddr *dst)
{
	const struct ib_gid_attr *attr = id->route.addr.dev_addr.sgid_attr;
	union ib_gid gid;
	u32 index;

	if (!attr)
		return 0;
	rdma_ip2gid((struct sockaddr *)dst, &gid);
	attr = rdma_find_gid_by_port(id->device, &gid, attr->gid_type,
				     id->port_num, own);
	if (IS_ERR(attr))
		return 0;
	index = attr->index;
	rdma_put_gid_attr(attr);
	return index;
}

static void doubt_own(const struct rdma_cm_id *id, struct net_device *own,
		      char *words)
{
	const struct sockaddr *dst = (void *)&id->route.addr.dst_addr;
	const struct sockaddr *src = (void *)&id->route.addr.src_addr;
	const struct net_device *master, *other = owner_of(dst);
	u32 gid;

	if (other && other != own) {
		snprintf(words, ICB_ROUTE_WORDS,
			 "; it is an address of this host's %s: give the device of this interface, or no device",
			 other->name);
		return;
	}
	gid = other ? gid_of(id, own, dst) : 0;
	if (gid > ICB_CONN_MAX_GID) {
		snprintf(words, ICB_ROUTE_WORDS,
			 "; it is GID %u of %s: connections can use 0 to %u; accepted: an address of these GIDs",
			 gid, icb_device_name(id->device), ICB_CONN_MAX_GID);
		return;
	}
	master = netif_is_l3_slave(own) ?
		netdev_master_upper_dev_get_rcu(own) : NULL;
	if (master) {
		snprintf(words, ICB_ROUTE_WORDS,
			 "; RDMA connections do not work in a VRF: ip link set dev %s nomaster leaves %s",
			 own->name, master->name);
		return;
	}
	if (!icb_route_leads(dst, src, own->ifindex)) {
		snprintf(words, ICB_ROUTE_WORDS,
			 "; no route to it uses %s; ip route show dev %s lists the routes",
			 own->name, own->name);
		return;
	}
	other = same_subnet_netdev(own, dst);
	if (other && dst->sa_family == AF_INET)
		snprintf(words, ICB_ROUTE_WORDS,
			 "; %s is on the same subnet: use another subnet, or set net.ipv4.conf.all.arp_ignore=1 on the peer",
			 other->name);
	else if (other)
		/* unlike ARP, neighbour discovery finds a peer on its own link only */
		snprintf(words, ICB_ROUTE_WORDS,
			 "; %s is on the same subnet: give its device if the peer is on its link, or use another subnet",
			 other->name);
}

/**
 * icb_route_is_own() - check whether an address belongs to this host
 * @addr: IPv4 or IPv6 address
 *
 * Addresses of other network namespaces of this host do not count. May sleep.
 *
 * Return: true if an interface of the initial network namespace has @addr.
 */
bool icb_route_is_own(const struct sockaddr *addr)
{
	if (addr->sa_family == AF_INET)
		return inet_addr_type(&init_net, v4_of(addr)) == RTN_LOCAL;
	return has_v6(NULL, addr);
}

/**
 * icb_route_diagnose() - the likely cause why a peer does not answer
 * @id: an identifier with both addresses
 * @words: takes "; " with the cause and its remedy, or ""; ICB_ROUTE_WORDS bytes
 *
 * Any context but interrupts.
 *
 * Return: @words.
 */
const char *icb_route_diagnose(const struct rdma_cm_id *id, char *words)
{
	const struct rdma_addr *addr = &id->route.addr;
	const struct sockaddr_in6 *dst = (const void *)&addr->dst_addr;
	struct net_device *own;

	words[0] = '\0';
	if (dst->sin6_family == AF_INET6 && !dst->sin6_scope_id &&
	    ipv6_addr_type(&dst->sin6_addr) & IPV6_ADDR_LINKLOCAL) {
		snprintf(words, ICB_ROUTE_WORDS,
			 "; a link-local address needs its interface: %pI6c%%INTERFACE",
			 &dst->sin6_addr);
		return words;
	}
	rcu_read_lock();
	/* with a VRF, bound_dev_if is the VRF and not the interface in it */
	own = owner_of((const struct sockaddr *)&addr->src_addr) ? :
	      dev_get_by_index_rcu(&init_net, addr->dev_addr.bound_dev_if);
	if (own)
		doubt_own(id, own, words);
	rcu_read_unlock();
	return words;
}
