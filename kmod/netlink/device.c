// SPDX-License-Identifier: GPL-2.0
#include <linux/netdevice.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>

#include "cm/device.h"
#include "cm/name.h"
#include "genl.h"
#include "host/cause.h"
#include "refusal.h"
#include "reply.h"

/*
 * GIDs of a port in one message; the rest of a longer table follows in further messages.
 */
#define GIDS_PER_MESSAGE 32

/**
 * struct dev_dump - state of a dump of devices
 * @skb: buffer of the dump
 * @cb: callback of the dump; @cb->args hold the number of the next device (or the lowest
 *	number that it may have), and the next port and GID of that device
 */
struct dev_dump {
	struct sk_buff *skb;
	struct netlink_callback *cb;
};

static const char *const port_states[] = {
	[IB_PORT_NOP] = "nop",	     [IB_PORT_DOWN] = "down",
	[IB_PORT_INIT] = "init",     [IB_PORT_ARMED] = "armed",
	[IB_PORT_ACTIVE] = "active", [IB_PORT_ACTIVE_DEFER] = "active-defer",
};

static const char *const gid_types[] = {
	[IB_GID_TYPE_IB] = "IB",
	[IB_GID_TYPE_ROCE] = "RoCE v1",
	[IB_GID_TYPE_ROCE_UDP_ENCAP] = "RoCE v2",
};

/* Mbit/s of a lane of a link; 0 if the speed is unknown here. */
static u32 lane_speed(u16 speed)
{
	switch (speed) {
	case IB_SPEED_SDR:
		return 2500;
	case IB_SPEED_DDR:
		return 5000;
	case IB_SPEED_QDR:
	case IB_SPEED_FDR10:
		return 10000;
	case IB_SPEED_FDR:
		return 14000;
	case IB_SPEED_EDR:
		return 25000;
	case IB_SPEED_HDR:
		return 50000;
	case IB_SPEED_NDR:
		return 100000;
	default:
		return 0;
	}
}

/* Copies a name first, since the name and its length may change meanwhile. */
static int put_name(struct sk_buff *skb, int attr, const char *name)
{
	char copy[IB_DEVICE_NAME_MAX];

	static_assert(sizeof(copy) >= IFNAMSIZ);
	strscpy(copy, name, sizeof(copy));
	return nla_put_string(skb, attr, copy);
}

static int put_gid(struct sk_buff *skb, const struct ib_gid_attr *gid)
{
	const struct net_device *ndev;
	struct nlattr *nest;
	int err;

	nest = nla_nest_start(skb, ICBENCH_A_DEV_GIDS);
	if (!nest)
		return -EMSGSIZE;
	err = nla_put_u32(skb, ICBENCH_A_GID_INDEX, gid->index);
	if (!err)
		err = nla_put(skb, ICBENCH_A_GID_VALUE, sizeof(gid->gid),
			      &gid->gid);
	if (!err && rdma_protocol_iwarp(gid->device, gid->port_num))
		err = nla_put_string(skb, ICBENCH_A_GID_TYPE, "iWARP");
	else if (!err && gid->gid_type < ARRAY_SIZE(gid_types))
		err = nla_put_string(skb, ICBENCH_A_GID_TYPE,
				     gid_types[gid->gid_type]);
	rcu_read_lock();
	ndev = rdma_read_gid_attr_ndev_rcu(gid);
	if (!err && !IS_ERR(ndev))
		err = put_name(skb, ICBENCH_A_GID_NETDEV, ndev->name);
	rcu_read_unlock();
	if (err)
		nla_nest_cancel(skb, nest);
	else
		nla_nest_end(skb, nest);
	return err;
}

/* Returns the first GID that did not fit; the length of the table if all GIDs fitted. */
static int put_gids(struct sk_buff *skb, struct ib_device *ibdev, u32 port,
		    int first, int len)
{
	const struct ib_gid_attr *gid;
	int i, count = 0, err;

	for (i = first; i < len && count < GIDS_PER_MESSAGE; i++) {
		gid = rdma_get_gid_attr(ibdev, port, i);
		if (IS_ERR(gid))
			continue;
		err = put_gid(skb, gid);
		rdma_put_gid_attr(gid);
		if (err)
			return count ? i : err;
		count++;
	}
	return i;
}

static int put_dev(struct sk_buff *skb, struct ib_device *ibdev)
{
	const struct ib_device_attr *attr = &ibdev->attrs;
	int node = ibdev->dma_device ? dev_to_node(ibdev->dma_device) :
				       NUMA_NO_NODE;
	u64 mr = (u64)attr->max_fast_reg_page_list_len * PAGE_SIZE;

	if (put_name(skb, ICBENCH_A_DEV_NAME, icb_device_name(ibdev)) ||
	    nla_put_string(skb, ICBENCH_A_DEV_DRIVER,
			   icb_device_driver(ibdev)) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_DEV_NODE_GUID,
			      be64_to_cpu(ibdev->node_guid),
			      ICBENCH_A_DEV_PAD) ||
	    (node != NUMA_NO_NODE &&
	     nla_put_s32(skb, ICBENCH_A_DEV_NODE, node)) ||
	    nla_put_u32(skb, ICBENCH_A_DEV_MAX_QP, attr->max_qp) ||
	    nla_put_u32(skb, ICBENCH_A_DEV_MAX_CQE, attr->max_cqe) ||
	    nla_put_u32(skb, ICBENCH_A_DEV_MAX_SGE, attr->max_send_sge) ||
	    nla_put_u32(skb, ICBENCH_A_DEV_MAX_RECV_SGE,
			attr->max_recv_sge) ||
	    (attr->max_sge_rd &&
	     nla_put_u32(skb, ICBENCH_A_DEV_MAX_READ_SGE,
			 attr->max_sge_rd)) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_DEV_MAX_MR_SIZE, mr,
			      ICBENCH_A_DEV_PAD) ||
	    nla_put_u32(skb, ICBENCH_A_DEV_VECTORS, ibdev->num_comp_vectors))
		return -EMSGSIZE;
	return 0;
}

static int put_port(struct sk_buff *skb, struct ib_device *ibdev, u32 port,
		    const struct ib_port_attr *attr)
{
	int width = ib_width_enum_to_int(attr->active_width);
	u32 speed = lane_speed(attr->active_speed);
	const char *link, *protocol;

	link = rdma_port_get_link_layer(ibdev, port) == IB_LINK_LAYER_ETHERNET ?
		       "Ethernet" :
		       "InfiniBand";
	protocol = rdma_protocol_iwarp(ibdev, port) ? "iWARP" :
		   rdma_protocol_roce(ibdev, port)  ? "RoCE" :
						      "IB";
	if (nla_put_u32(skb, ICBENCH_A_DEV_PORT, port) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_DEV_MAX_MSG_SIZE, attr->max_msg_sz,
			      ICBENCH_A_DEV_PAD) ||
	    nla_put_string(skb, ICBENCH_A_DEV_STATE,
			   attr->state < ARRAY_SIZE(port_states) ?
				   port_states[attr->state] :
				   "unknown") ||
	    nla_put_string(skb, ICBENCH_A_DEV_LINK_LAYER, link) ||
	    nla_put_string(skb, ICBENCH_A_DEV_PROTOCOL, protocol) ||
	    nla_put_u32(skb, ICBENCH_A_DEV_MTU,
			ib_mtu_enum_to_int(attr->active_mtu)))
		return -EMSGSIZE;
	if (nla_put_u32(skb, ICBENCH_A_DEV_VERBS,
			icb_device_verbs(ibdev, port)))
		return -EMSGSIZE;
	if (speed && width > 0)
		return nla_put_u32(skb, ICBENCH_A_DEV_SPEED, speed * width);
	return 0;
}

static int put_netdev(struct sk_buff *skb, struct ib_device *ibdev, u32 port)
{
	const struct ib_gid_attr *gid = rdma_get_gid_attr(ibdev, port, 0);
	const struct net_device *ndev;
	int err = 0;

	if (IS_ERR(gid))
		return 0;
	rcu_read_lock();
	ndev = rdma_read_gid_attr_ndev_rcu(gid);
	if (!IS_ERR(ndev))
		err = put_name(skb, ICBENCH_A_DEV_NETDEV, ndev->name);
	rcu_read_unlock();
	rdma_put_gid_attr(gid);
	return err;
}

/*
 * Puts one message: a device, a port, and GIDs from @gid on. Returns the next GID to put,
 * 0 if there is none, -EMSGSIZE if there is no room, or another error number.
 */
static int put_dev_message(struct sk_buff *skb, struct ib_device *ibdev,
			   u32 port, int gid)
{
	struct ib_port_attr attr;
	int err;

	err = ib_query_port(ibdev, port, &attr);
	if (err)
		return err;
	if (put_dev(skb, ibdev) || put_port(skb, ibdev, port, &attr) ||
	    put_netdev(skb, ibdev, port))
		return -EMSGSIZE;
	gid = put_gids(skb, ibdev, port, gid, attr.gid_tbl_len);
	return gid < attr.gid_tbl_len ? gid : 0;
}

static int dump_device(struct icb_device *dev, void *data)
{
	struct dev_dump *dump = data;
	struct netlink_callback *cb = dump->cb;
	struct ib_device *ibdev = dev->ibdev;
	void *hdr;
	int next;

	if (dev->number < cb->args[0])
		return 0;
	/* the device that the last call began may be gone */
	if (dev->number > cb->args[0] || !cb->args[1]) {
		cb->args[0] = dev->number;
		cb->args[1] = rdma_start_port(ibdev);
		cb->args[2] = 0;
	}
	while (cb->args[1] <= rdma_end_port(ibdev)) {
		hdr = icb_nl_dump_begin(dump->skb, cb, ICBENCH_CMD_DEV_GET);
		if (!hdr)
			return -EMSGSIZE;
		next = put_dev_message(dump->skb, ibdev, cb->args[1],
				       cb->args[2]);
		if (!icb_nl_dump_end(dump->skb, hdr, min(next, 0)) &&
		    next == -EMSGSIZE)
			return next;
		cb->args[2] = max(next, 0);
		if (next <= 0)
			cb->args[1]++;
	}
	cb->args[0] = dev->number + 1;
	cb->args[1] = 0;
	return 0;
}

int icbench_nl_dev_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dev_dump dump = { .skb = skb, .cb = cb };
	int err;

	err = icb_nl_parse_none(cb->nlh, cb->extack);
	if (err)
		return err;
	err = icb_device_each(dump_device, &dump);
	return err && !skb->len ? err : skb->len;
}

int icbench_nl_dev_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *name = info->attrs[ICBENCH_A_DEV_NAME];
	struct nlattr *port = info->attrs[ICBENCH_A_DEV_PORT];
	struct icb_device *dev;
	struct sk_buff *msg;
	u32 number;
	void *hdr;
	int err;

	if (!name)
		return icb_nl_refuse_words(info->extack, NULL, -EINVAL,
					   "name: missing; accepted: a device, as a dump lists them");
	dev = icb_device_get(nla_data(name));
	if (!dev)
		return icb_nl_refuse_words(info->extack, name, -ENODEV,
					   "name: no RDMA device %s",
					   (char *)nla_data(name));
	number = port ? nla_get_u32(port) : rdma_start_port(dev->ibdev);
	if (!rdma_is_port_valid(dev->ibdev, number)) {
		err = icb_nl_refuse_words(info->extack, port, -EINVAL,
					  "port: device %s has no port %u",
					  icb_device_name(dev->ibdev), number);
		goto put;
	}
	err = -ENOMEM;
	msg = icb_nl_reply(info, &hdr);
	if (!msg)
		goto put;
	err = min(put_dev_message(msg, dev->ibdev, number, 0), 0);
	if (err)
		icb_nl_refuse_words(info->extack, name, err,
				    "name: device %s does not report port %u: %s (%d)",
				    icb_device_name(dev->ibdev), number,
				    icb_cause_of_device(err), err);
	err = icb_nl_send(msg, hdr, info, err);
put:
	icb_device_put(dev);
	return err;
}
