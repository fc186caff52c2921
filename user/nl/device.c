// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <netlink/attr.h>

#include "base/alloc.h"
#include "decode.h"
#include "device.h"
#include "request.h"

static const struct field gid_fields[] = {
	{ FIELD(struct nl_gid, index, GID_INDEX), U32, .needed = true },
	{ FIELD(struct nl_gid, value, GID_VALUE),
	  BYTES(struct nl_gid, value), .needed = true },
	{ FIELD(struct nl_gid, type, GID_TYPE), TEXT(struct nl_gid, type) },
	{ FIELD(struct nl_gid, netdev, GID_NETDEV),
	  TEXT(struct nl_gid, netdev) },
	{ .name = NULL }
};

static const struct field dev_fields[] = {
	{ FIELD(struct nl_dev, name, DEV_NAME),
	  TEXT(struct nl_dev, name), .needed = true },
	{ FIELD(struct nl_dev, driver, DEV_DRIVER),
	  TEXT(struct nl_dev, driver) },
	{ FIELD(struct nl_dev, node_guid, DEV_NODE_GUID), U64 },
	{ FIELD(struct nl_dev, node, DEV_NODE), S32 },
	{ FIELD(struct nl_dev, max_qp, DEV_MAX_QP), U32 },
	{ FIELD(struct nl_dev, max_cqe, DEV_MAX_CQE), U32 },
	{ FIELD(struct nl_dev, max_sge, DEV_MAX_SGE), U32 },
	{ FIELD(struct nl_dev, max_recv_sge, DEV_MAX_RECV_SGE), U32 },
	{ FIELD(struct nl_dev, max_read_sge, DEV_MAX_READ_SGE), U32 },
	{ FIELD(struct nl_dev, max_mr_size, DEV_MAX_MR_SIZE), U64 },
	{ FIELD(struct nl_dev, max_msg_size, DEV_MAX_MSG_SIZE), U64 },
	{ FIELD(struct nl_dev, vectors, DEV_VECTORS), U32 },
	{ FIELD(struct nl_dev, port, DEV_PORT), U32, .needed = true },
	{ FIELD(struct nl_dev, state, DEV_STATE), TEXT(struct nl_dev, state) },
	{ FIELD(struct nl_dev, link_layer, DEV_LINK_LAYER),
	  TEXT(struct nl_dev, link_layer) },
	{ FIELD(struct nl_dev, protocol, DEV_PROTOCOL),
	  TEXT(struct nl_dev, protocol) },
	{ FIELD(struct nl_dev, speed, DEV_SPEED), U32 },
	{ FIELD(struct nl_dev, mtu, DEV_MTU), U32 },
	{ FIELD(struct nl_dev, verbs, DEV_VERBS), U32 },
	{ FIELD(struct nl_dev, netdev, DEV_NETDEV),
	  TEXT(struct nl_dev, netdev) },
	{ .name = NULL }
};

static int add_gids(struct nl_dev *dev, struct nlattr *attrs, int len,
		    struct icb_reason *why)
{
	struct nlattr *attr;
	int left, err;

	nla_for_each_attr(attr, attrs, len, left) {
		if (nla_type(attr) != ICBENCH_A_DEV_GIDS)
			continue;
		dev->gid = alloc_grow(dev->gid, dev->gids, sizeof(*dev->gid));
		err = decode(&dev->gid[dev->gids++], gid_fields, nla_data(attr),
			     nla_len(attr), why);
		if (err)
			return err;
	}
	return 0;
}

/* A long GID table is continued in the next message, which is about the same port. */
static int add_dev(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nl_devs *devs = to;
	struct nl_dev dev = { 0 }, *last;
	struct nlattr *attrs;
	int len, err;

	attrs = decode_message(msg, &len);
	if (!attrs)
		return decode_refuse(why, "is too short");
	err = decode(&dev, dev_fields, attrs, len, why);
	if (err)
		return err;
	last = devs->count ? &devs->dev[devs->count - 1] : NULL;
	if (!last || strcmp(last->name, dev.name) || last->port != dev.port) {
		devs->dev = alloc_grow(devs->dev, devs->count,
				       sizeof(*devs->dev));
		last = &devs->dev[devs->count++];
		*last = dev;
	}
	return add_gids(last, attrs, len, why);
}

/**
 * nl_devs_free() - free a list of devices
 * @devs: the list; empty afterwards
 */
void nl_devs_free(struct nl_devs *devs)
{
	unsigned int i;

	for (i = 0; i < devs->count; i++)
		free(devs->dev[i].gid);
	free(devs->dev);
	devs->dev = NULL;
	devs->count = 0;
}

static void reset_devs(void *devs)
{
	nl_devs_free(devs);
}

/**
 * nl_dev_list() - list the RDMA devices, an entry for each port
 * @nl: the connection
 * @devs: empty list to fill; nl_devs_free() it in any case
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_dev_list(struct nl *nl, struct nl_devs *devs, struct icb_reason *why)
{
	return request_dump(nl, ICBENCH_CMD_DEV_GET, add_dev, reset_devs, devs, why);
}
