// SPDX-License-Identifier: GPL-2.0
#include <linux/inet.h>
#include <linux/module.h>
#include <linux/netlink.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>

#include "clock.h"
#include "compat.h"
#include "device.h"
#include "genl.h"
#include "initiator.h"
#include "job.h"
#include "listener.h"
#include "netlink.h"

/* GIDs of a port in one message; a longer table goes on in another one. */
#define GIDS_PER_MESSAGE	32

static struct genl_family icb_family;

/* Events are sent while the family is there: readers send, the writer goes. */
static DECLARE_RWSEM(icb_family_lock);
static bool icb_family_up;

/* ---- words ---- */

/*
 * An extended ack refers to its message until it has been sent, which is after
 * the operation has returned. So many refusals may be under way at a time
 * before a message is used again.
 */
#define REFUSALS	64

static struct icb_reason refusals[REFUSALS];
static atomic_t last_refusal;

static int refuse(struct netlink_ext_ack *extack, const struct nlattr *attr,
		  const struct icb_reason *why, int err)
{
	struct icb_reason *text;

	text = &refusals[(u32)atomic_inc_return(&last_refusal) % REFUSALS];
	*text = *why;
	extack->_msg = text->text;
	if (attr)
		extack->bad_attr = attr;
	return err;
}

static int __printf(4, 5) refuse_words(struct netlink_ext_ack *extack,
				       const struct nlattr *attr, int err,
				       const char *fmt, ...)
{
	struct icb_reason why;
	va_list args;

	va_start(args, fmt);
	vsnprintf(why.text, sizeof(why.text), fmt, args);
	va_end(args);
	return refuse(extack, attr, &why, err);
}

/* Names of the top-level attributes that requests have. */
struct attr_name {
	u8 cmd;
	u16 attr;
	const char *name;
};

static const struct attr_name attr_names[] = {
	{ ICBENCH_CMD_DEV_GET, ICBENCH_A_DEV_NAME, "name" },
	{ ICBENCH_CMD_DEV_GET, ICBENCH_A_DEV_PORT, "port" },
	{ ICBENCH_CMD_BENCH_GET, ICBENCH_A_BENCH_NAME, "name" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_BIND, "bind" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_CM_PORT, "cm-port" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_TOKEN, "token" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_MAX_MEMORY, "max-memory" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_MAX_QPS, "max-qps" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_DETACH, "detach" },
	{ ICBENCH_CMD_LISTEN_DEL, ICBENCH_A_LISTEN_ID, "id" },
	{ ICBENCH_CMD_LISTEN_GET, ICBENCH_A_LISTEN_ID, "id" },
	{ ICBENCH_CMD_JOB_NEW, ICBENCH_A_JOB_PARAMS, "params" },
	{ ICBENCH_CMD_JOB_NEW, ICBENCH_A_JOB_DETACH, "detach" },
	{ ICBENCH_CMD_JOB_START, ICBENCH_A_JOB_ID, "id" },
	{ ICBENCH_CMD_JOB_STOP, ICBENCH_A_JOB_ID, "id" },
	{ ICBENCH_CMD_JOB_DEL, ICBENCH_A_JOB_ID, "id" },
	{ ICBENCH_CMD_JOB_GET, ICBENCH_A_JOB_ID, "id" },
	{ ICBENCH_CMD_RESULT_GET, ICBENCH_A_METRIC_JOB, "job" },
	{ ICBENCH_CMD_RESULT_GET, ICBENCH_A_METRIC_NAME, "name" },
};

static const char *attr_name(u8 cmd, u16 attr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attr_names); i++)
		if (attr_names[i].cmd == cmd && attr_names[i].attr == attr)
			return attr_names[i].name;
	return NULL;
}

static bool inside(const struct nlattr *inner, const struct nlattr *outer)
{
	const char *begin = nla_data(outer);

	return (const char *)inner >= begin &&
	       (const char *)inner < begin + nla_len(outer);
}

/* Whether what was wrong is one of the parameters of job-new. */
static bool is_param(const struct nlmsghdr *nlh, const struct nlattr *bad)
{
	const struct nlattr *attr;
	int rem;

	nla_for_each_attr(attr, nlmsg_attrdata(nlh, GENL_HDRLEN),
			  nlmsg_attrlen(nlh, GENL_HDRLEN), rem)
		if (nla_type(attr) == ICBENCH_A_JOB_PARAMS && inside(bad, attr))
			return true;
	return false;
}

/* The parameter's own words, if its number is what was wrong. */
static int param_words(const struct icb_param *param, const struct nlattr *bad,
		       struct icb_reason *why)
{
	struct icb_params scratch = {};
	u64 value;

	if (param->type == ICB_PARAM_STRING || param->type == ICB_PARAM_BYTES)
		return icb_refuse(why, -EINVAL,
				  "%s: accepted: %llu to %llu bytes%s",
				  param->name, param->min, param->max,
				  param->type == ICB_PARAM_STRING ?
					", ending in NUL" : "");
	if (nla_len(bad) != param->bytes)
		return icb_refuse(why, -EINVAL,
				  "%s: has %d bytes; accepted: a number of %u",
				  param->name, nla_len(bad), param->bytes);
	value = param->bytes == sizeof(u64) ? nla_get_u64(bad) :
					      nla_get_u32(bad);
	return icb_params_set_number(&scratch, param, value, why);
}

static void policy_range(const struct nla_policy *policy, u64 *min, u64 *max)
{
	*min = 0;
	*max = policy->type == NLA_U64 ? U64_MAX : U32_MAX;
	switch (policy->validation_type) {
	case NLA_VALIDATE_RANGE:
	case NLA_VALIDATE_MIN:
		*min = policy->min;
		break;
	default:
		break;
	}
	switch (policy->validation_type) {
	case NLA_VALIDATE_RANGE:
	case NLA_VALIDATE_MAX:
		*max = policy->max;
		break;
	case NLA_VALIDATE_RANGE_PTR:
		*min = policy->range->min;
		*max = policy->range->max;
		break;
	default:
		break;
	}
}

static void accepted(const struct nla_policy *policy, char *text, size_t size)
{
	u64 min, max;

	switch (policy ? policy->type : NLA_UNSPEC) {
	case NLA_U32:
	case NLA_U64:
		policy_range(policy, &min, &max);
		snprintf(text, size, "a u%u, %llu to %llu",
			 policy->type == NLA_U64 ? 64 : 32, min, max);
		break;
	case NLA_NUL_STRING:
		snprintf(text, size, "a string ending in NUL, at most %u bytes",
			 policy->len ? : U16_MAX);
		break;
	case NLA_FLAG:
		strscpy(text, "a flag, without a value", size);
		break;
	case NLA_NESTED:
		strscpy(text, "a nest of attributes", size);
		break;
	default:
		strscpy(text, "what the specification says", size);
		break;
	}
}

/* Generic netlink names the attribute by its place; people read words. */
static int refuse_attr(const struct nlmsghdr *nlh, u8 cmd,
		       struct netlink_ext_ack *extack, int err)
{
	const struct nlattr *bad = extack->bad_attr;
	const char *msg = extack->_msg ? : "malformed";
	const struct icb_param *param;
	struct icb_reason why = {};
	const char *name;
	char text[80];

	if (!bad)
		return refuse_words(extack, NULL, err,
				    "%s; accepted: attributes of the specification",
				    msg);
	accepted(extack->policy, text, sizeof(text));
	if (cmd == ICBENCH_CMD_JOB_NEW && is_param(nlh, bad)) {
		param = icb_param_by_attr(nla_type(bad));
		if (param && param_words(param, bad, &why))
			return refuse(extack, bad, &why, err);
		name = param ? param->name : NULL;
	} else {
		name = attr_name(cmd, nla_type(bad));
	}
	if (name)
		return refuse_words(extack, bad, err, "%s: %s; accepted: %s",
				    name, msg, text);
	return refuse_words(extack, bad, err,
			    "attribute %u is not one of this request; accepted: attributes of the specification",
			    nla_type(bad));
}

static const struct genl_ops *generated_op(u8 cmd)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(icbench_nl_ops); i++)
		if (icbench_nl_ops[i].cmd == cmd)
			return &icbench_nl_ops[i];
	return NULL;
}

/* The attributes of a request, by its generated policy; to be freed. */
static struct nlattr **parse(const struct nlmsghdr *nlh,
			     struct netlink_ext_ack *extack)
{
	const struct genlmsghdr *hdr = nlmsg_data(nlh);
	const struct genl_ops *op = generated_op(hdr->cmd);
	struct nlattr **attrs;
	int err;

	attrs = kcalloc(op->maxattr + 1, sizeof(*attrs), GFP_KERNEL);
	if (!attrs)
		return ERR_PTR(-ENOMEM);
	if (hdr->reserved)
		err = refuse_words(extack, NULL, -EINVAL,
				   "reserved: not 0 in the header; accepted: 0");
	else
		err = __nla_parse(attrs, op->maxattr,
				  nlmsg_attrdata(nlh, GENL_HDRLEN),
				  nlmsg_attrlen(nlh, GENL_HDRLEN), op->policy,
				  NL_VALIDATE_STRICT, extack);
	if (!err)
		return attrs;
	if (!hdr->reserved)
		refuse_attr(nlh, hdr->cmd, extack, err);
	kfree(attrs);
	return ERR_PTR(err);
}

static int pre_doit(const icb_genl_op *op, struct sk_buff *skb,
		    struct genl_info *info)
{
	struct nlattr **attrs = parse(info->nlhdr, info->extack);

	if (IS_ERR(attrs))
		return PTR_ERR(attrs);
	info->attrs = attrs;
	return 0;
}

static void post_doit(const icb_genl_op *op, struct sk_buff *skb,
		      struct genl_info *info)
{
	kfree(info->attrs);
	info->attrs = NULL;
}

static int missing(struct genl_info *info, const char *name)
{
	return refuse_words(info->extack, NULL, -EINVAL,
			    "%s: missing; accepted: the number that was given or listed",
			    name);
}

/* ---- replies ---- */

static struct sk_buff *new_reply(struct genl_info *info, void **hdr)
{
	struct sk_buff *msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);

	if (!msg)
		return NULL;
	*hdr = genlmsg_put_reply(msg, info, &icb_family, 0,
				 info->genlhdr->cmd);
	if (*hdr)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

static int send_reply(struct sk_buff *msg, void *hdr, struct genl_info *info,
		      int err)
{
	if (err) {
		nlmsg_free(msg);
		return err;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

static int reply_id(struct genl_info *info, int attr, u32 id)
{
	struct sk_buff *msg;
	void *hdr;

	msg = new_reply(info, &hdr);
	if (!msg)
		return -ENOMEM;
	return send_reply(msg, hdr, info, nla_put_u32(msg, attr, id));
}

static void *dump_put(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &icb_family, NLM_F_MULTI, cmd);
}

/* Ends a message of a dump; returns whether the dump has room for another. */
static bool dump_end(struct sk_buff *skb, void *hdr, int err)
{
	if (err)
		genlmsg_cancel(skb, hdr);
	else
		genlmsg_end(skb, hdr);
	return !err;
}

static int put_u64(struct sk_buff *skb, int attr, u64 value, int pad)
{
	return nla_put_u64_64bit(skb, attr, value, pad);
}

/* ---- devices ---- */

/**
 * struct dev_dump - where a dump of devices is
 * @skb: what it writes to
 * @cb: what it remembers; args: device, port, GID, all counted
 * @index: of the device that is looked at
 */
struct dev_dump {
	struct sk_buff *skb;
	struct netlink_callback *cb;
	long index;
};

static const char *const port_states[] = {
	[IB_PORT_NOP] = "nop",
	[IB_PORT_DOWN] = "down",
	[IB_PORT_INIT] = "init",
	[IB_PORT_ARMED] = "armed",
	[IB_PORT_ACTIVE] = "active",
	[IB_PORT_ACTIVE_DEFER] = "active-defer",
};

static const char *const gid_types[] = {
	[IB_GID_TYPE_IB] = "IB",
	[IB_GID_TYPE_ROCE] = "RoCE v1",
	[IB_GID_TYPE_ROCE_UDP_ENCAP] = "RoCE v2",
};

/* Mbit/s of a lane; 0 if it is not known here. */
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
		err = nla_put_string(skb, ICBENCH_A_GID_NETDEV, ndev->name);
	rcu_read_unlock();
	if (err)
		nla_nest_cancel(skb, nest);
	else
		nla_nest_end(skb, nest);
	return err;
}

/* Returns the first GID that did not fit; the table's length if all did. */
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

	if (nla_put_string(skb, ICBENCH_A_DEV_NAME, dev_name(&ibdev->dev)) ||
	    nla_put_string(skb, ICBENCH_A_DEV_DRIVER,
			   icb_device_driver(ibdev)) ||
	    put_u64(skb, ICBENCH_A_DEV_NODE_GUID,
		    be64_to_cpu(ibdev->node_guid), ICBENCH_A_DEV_PAD) ||
	    nla_put_s32(skb, ICBENCH_A_DEV_NODE, node) ||
	    nla_put_u32(skb, ICBENCH_A_DEV_MAX_QP, attr->max_qp) ||
	    nla_put_u32(skb, ICBENCH_A_DEV_MAX_CQE, attr->max_cqe) ||
	    nla_put_u32(skb, ICBENCH_A_DEV_MAX_SGE, attr->max_send_sge) ||
	    put_u64(skb, ICBENCH_A_DEV_MAX_MR_SIZE, mr, ICBENCH_A_DEV_PAD) ||
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

	link = rdma_port_get_link_layer(ibdev, port) ==
		IB_LINK_LAYER_ETHERNET ? "Ethernet" : "InfiniBand";
	protocol = rdma_protocol_iwarp(ibdev, port) ? "iWARP" :
		   rdma_protocol_roce(ibdev, port) ? "RoCE" : "IB";
	if (nla_put_u32(skb, ICBENCH_A_DEV_PORT, port) ||
	    put_u64(skb, ICBENCH_A_DEV_MAX_MSG_SIZE, attr->max_msg_sz,
		    ICBENCH_A_DEV_PAD) ||
	    nla_put_string(skb, ICBENCH_A_DEV_STATE,
			   attr->state < ARRAY_SIZE(port_states) ?
				port_states[attr->state] : "unknown") ||
	    nla_put_string(skb, ICBENCH_A_DEV_LINK_LAYER, link) ||
	    nla_put_string(skb, ICBENCH_A_DEV_PROTOCOL, protocol) ||
	    nla_put_u32(skb, ICBENCH_A_DEV_MTU,
			ib_mtu_enum_to_int(attr->active_mtu)))
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
		err = nla_put_string(skb, ICBENCH_A_DEV_NETDEV, ndev->name);
	rcu_read_unlock();
	rdma_put_gid_attr(gid);
	return err;
}

/*
 * One message: a device, a port, and GIDs from the given one on. Returns the
 * GID to go on with, 0 if there is none, -EMSGSIZE if there is no room.
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

	if (dump->index++ < cb->args[0])
		return 0;
	if (!cb->args[1])
		cb->args[1] = rdma_start_port(ibdev);
	while (cb->args[1] <= rdma_end_port(ibdev)) {
		hdr = dump_put(dump->skb, cb, ICBENCH_CMD_DEV_GET);
		if (!hdr)
			return -EMSGSIZE;
		next = put_dev_message(dump->skb, ibdev, cb->args[1],
				       cb->args[2]);
		if (!dump_end(dump->skb, hdr, min(next, 0)) &&
		    next == -EMSGSIZE)
			return next;
		cb->args[2] = max(next, 0);
		if (next <= 0)
			cb->args[1]++;
	}
	cb->args[0]++;
	cb->args[1] = 0;
	return 0;
}

int icbench_nl_dev_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dev_dump dump = { .skb = skb, .cb = cb };
	int err = icb_device_each(dump_device, &dump);

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
		return refuse_words(info->extack, NULL, -EINVAL,
				    "name: missing; accepted: a device, as a dump lists them");
	dev = icb_device_get(nla_data(name));
	if (!dev)
		return refuse_words(info->extack, name, -ENODEV,
				    "name: no RDMA device %s", (char *)nla_data(name));
	number = port ? nla_get_u32(port) : rdma_start_port(dev->ibdev);
	if (!rdma_is_port_valid(dev->ibdev, number)) {
		err = refuse_words(info->extack, port, -EINVAL,
				   "port: device %s has no port %u",
				   dev_name(&dev->ibdev->dev), number);
		goto put;
	}
	err = -ENOMEM;
	msg = new_reply(info, &hdr);
	if (msg) {
		err = put_dev_message(msg, dev->ibdev, number, 0);
		err = send_reply(msg, hdr, info, min(err, 0));
	}
put:
	icb_device_put(dev);
	return err;
}

/* ---- loops ---- */

static int put_bench(struct sk_buff *skb, const struct icb_bench_ops *ops)
{
	u32 modes = 0;
	unsigned int i;

	if (nla_put_string(skb, ICBENCH_A_BENCH_NAME, ops->name) ||
	    nla_put_string(skb, ICBENCH_A_BENCH_HELP, ops->help))
		return -EMSGSIZE;
	for (i = 0; i < 32; i++) {
		if (!(ops->verbs & BIT(i)))
			continue;
		if (nla_put_u32(skb, ICBENCH_A_BENCH_VERB, i))
			return -EMSGSIZE;
		modes |= icb_verb_table[i].completions;
	}
	for (i = 0; i < 32; i++)
		if (modes & BIT(i) &&
		    nla_put_u32(skb, ICBENCH_A_BENCH_COMPLETION, i))
			return -EMSGSIZE;
	return 0;
}

int icbench_nl_bench_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb)
{
	const struct icb_bench_ops *ops;
	void *hdr;

	for (; (ops = icb_bench_by_trigger(cb->args[0])); cb->args[0]++) {
		hdr = dump_put(skb, cb, ICBENCH_CMD_BENCH_GET);
		if (!hdr || !dump_end(skb, hdr, put_bench(skb, ops)))
			break;
	}
	return skb->len;
}

int icbench_nl_bench_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *name = info->attrs[ICBENCH_A_BENCH_NAME];
	const struct icb_bench_ops *ops;
	struct sk_buff *msg;
	unsigned int i;
	void *hdr;

	for (i = 0; name && (ops = icb_bench_by_trigger(i)); i++)
		if (!nla_strcmp(name, ops->name))
			break;
	if (!name || !ops)
		return refuse_words(info->extack, name, name ? -ENOENT : -EINVAL,
				    "name: no such trigger; accepted: one that a dump lists");
	msg = new_reply(info, &hdr);
	if (!msg)
		return -ENOMEM;
	return send_reply(msg, hdr, info, put_bench(msg, ops));
}

/* ---- listeners ---- */

static int read_bind(struct genl_info *info, struct sockaddr_storage *addr,
		     struct icb_reason *why)
{
	struct nlattr *bind = info->attrs[ICBENCH_A_LISTEN_BIND];
	struct nlattr *attr = info->attrs[ICBENCH_A_LISTEN_CM_PORT];
	char port[8];

	snprintf(port, sizeof(port), "%u",
		 attr ? nla_get_u32(attr) : ICBENCH_DEFAULT_CM_PORT);
	if (!inet_pton_with_scope(&init_net, AF_UNSPEC,
				  bind ? (char *)nla_data(bind) :
				  IS_ENABLED(CONFIG_IPV6) ? "::" : "0.0.0.0",
				  port, addr))
		return 0;
	return icb_refuse(why, -EINVAL,
			  "bind: %.64s is not a numeric address; accepted: IPv4, IPv6, IPv6%%interface",
			  bind ? (char *)nla_data(bind) : "::");
}

static int read_limits(struct genl_info *info,
		       struct icb_listener_limits *limits,
		       struct icb_reason *why)
{
	struct nlattr *token = info->attrs[ICBENCH_A_LISTEN_TOKEN];
	struct nlattr *memory = info->attrs[ICBENCH_A_LISTEN_MAX_MEMORY];
	struct nlattr *qps = info->attrs[ICBENCH_A_LISTEN_MAX_QPS];

	limits->memory = memory ? nla_get_u64(memory) : ICB_LISTENER_MEMORY;
	limits->qps = qps ? nla_get_u32(qps) : ICB_LISTENER_QPS;
	if (!token)
		return 0;
	if (nla_len(token) < ICBENCH_MIN_TOKEN ||
	    nla_len(token) > ICBENCH_MAX_TOKEN)
		return icb_refuse(why, -ERANGE,
				  "token: %d bytes; accepted: %u to %u",
				  nla_len(token), ICBENCH_MIN_TOKEN,
				  ICBENCH_MAX_TOKEN);
	memcpy(limits->token, nla_data(token), nla_len(token));
	limits->token_len = nla_len(token);
	return 0;
}

int icbench_nl_listen_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_listener_limits limits = {};
	struct icb_listener *listener;
	struct sockaddr_storage addr;
	struct icb_reason why = {};
	u32 id;
	int err;

	err = read_bind(info, &addr, &why);
	if (!err)
		err = read_limits(info, &limits, &why);
	if (err)
		return refuse(info->extack, NULL, &why, err);
	listener = icb_listener_new(&addr, &limits, NULL, &why);
	memzero_explicit(&limits, sizeof(limits));
	if (IS_ERR(listener))
		return refuse(info->extack, NULL, &why, PTR_ERR(listener));
	err = icb_listener_publish(listener, info->snd_portid,
				   info->attrs[ICBENCH_A_LISTEN_DETACH], &why);
	if (err) {
		icb_listener_close(listener);
		return refuse(info->extack, NULL, &why, err);
	}
	id = listener->id;
	return reply_id(info, ICBENCH_A_LISTEN_ID, id);
}

static struct icb_listener *find_listener(struct genl_info *info, int *err)
{
	struct nlattr *attr = info->attrs[ICBENCH_A_LISTEN_ID];
	struct icb_listener *listener;

	if (!attr) {
		*err = missing(info, "id");
		return NULL;
	}
	listener = icb_listener_get(nla_get_u32(attr));
	if (!listener)
		*err = refuse_words(info->extack, attr, -ENOENT,
				    "id: no listener %u", nla_get_u32(attr));
	return listener;
}

int icbench_nl_listen_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_reason why = {};
	struct icb_listener *listener;
	int err;

	listener = find_listener(info, &err);
	if (!listener)
		return err;
	err = icb_listener_delete(listener, &why);
	icb_listener_put(listener);
	return err ? refuse(info->extack, NULL, &why, err) : 0;
}

static int put_listener(struct sk_buff *skb, struct icb_listener *listener)
{
	const struct sockaddr_in *sin = (void *)&listener->addr;
	char bind[ICB_JOB_TARGET];
	int err = 0;

	snprintf(bind, sizeof(bind), "%pISc", &listener->addr);
	mutex_lock(&listener->lock);
	/* the port stands at the same place in both families */
	if (nla_put_u32(skb, ICBENCH_A_LISTEN_ID, listener->id) ||
	    nla_put_string(skb, ICBENCH_A_LISTEN_BIND, bind) ||
	    nla_put_u32(skb, ICBENCH_A_LISTEN_CM_PORT,
			ntohs(sin->sin_port)) ||
	    put_u64(skb, ICBENCH_A_LISTEN_MAX_MEMORY, listener->limits.memory,
		    ICBENCH_A_LISTEN_PAD) ||
	    nla_put_u32(skb, ICBENCH_A_LISTEN_MAX_QPS, listener->limits.qps) ||
	    (listener->detach &&
	     nla_put_flag(skb, ICBENCH_A_LISTEN_DETACH)) ||
	    put_u64(skb, ICBENCH_A_LISTEN_MEMORY, listener->memory,
		    ICBENCH_A_LISTEN_PAD) ||
	    nla_put_u32(skb, ICBENCH_A_LISTEN_QPS, listener->qps) ||
	    nla_put_u32(skb, ICBENCH_A_LISTEN_SESSIONS, listener->count) ||
	    put_u64(skb, ICBENCH_A_LISTEN_ACCEPTED, listener->accepted,
		    ICBENCH_A_LISTEN_PAD) ||
	    put_u64(skb, ICBENCH_A_LISTEN_REFUSED, listener->refused,
		    ICBENCH_A_LISTEN_PAD))
		err = -EMSGSIZE;
	mutex_unlock(&listener->lock);
	return err;
}

int icbench_nl_listen_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_listener *listener;
	struct sk_buff *msg;
	void *hdr;
	int err;

	listener = find_listener(info, &err);
	if (!listener)
		return err;
	msg = new_reply(info, &hdr);
	err = msg ? send_reply(msg, hdr, info, put_listener(msg, listener)) :
		    -ENOMEM;
	icb_listener_put(listener);
	return err;
}

int icbench_nl_listen_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb)
{
	struct icb_listener *listener;
	bool more = true;
	void *hdr;

	while (more && (listener = icb_listener_next(cb->args[0]))) {
		hdr = dump_put(skb, cb, ICBENCH_CMD_LISTEN_GET);
		more = hdr && dump_end(skb, hdr, put_listener(skb, listener));
		if (more)
			cb->args[0] = listener->id;
		icb_listener_put(listener);
	}
	return skb->len;
}

/* ---- jobs ---- */

static int read_param(struct icb_params *params, const struct nlattr *attr,
		      struct icb_reason *why)
{
	const struct icb_param *param = icb_param_by_attr(nla_type(attr));

	switch (param->type) {
	case ICB_PARAM_STRING:
		return icb_params_set_bytes(params, param, nla_data(attr),
					    strnlen(nla_data(attr),
						    nla_len(attr)), why);
	case ICB_PARAM_BYTES:
		return icb_params_set_bytes(params, param, nla_data(attr),
					    nla_len(attr), why);
	default:
		return icb_params_set_number(params, param,
					     param->bytes == sizeof(u64) ?
						nla_get_u64(attr) :
						nla_get_u32(attr), why);
	}
}

static int read_params(struct genl_info *info, struct icb_params *params)
{
	const struct nlattr *nest = info->attrs[ICBENCH_A_JOB_PARAMS];
	struct icb_reason why = {};
	const struct nlattr *attr;
	int err, rem;

	icb_params_init(params);
	if (nest) {
		nla_for_each_nested(attr, nest, rem) {
			const struct icb_param *param =
				icb_param_by_attr(nla_type(attr));

			if (!param)	/* a pad */
				continue;
			if (icb_params_given(params, param->attr))
				return refuse_words(info->extack, attr, -EINVAL,
						    "%s: given twice; accepted: once",
						    param->name);
			err = read_param(params, attr, &why);
			if (err)
				return refuse(info->extack, attr, &why, err);
		}
	}
	err = icb_params_check(params, &why);
	if (!err)
		err = icb_bench_check(params, &why);
	if (!err)
		err = icb_initiator_check(params, &why);
	return err ? refuse(info->extack, NULL, &why, err) : 0;
}

int icbench_nl_job_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_params *params;
	struct icb_reason why = {};
	struct icb_job *job = NULL;
	int err;

	params = kmalloc(sizeof(*params), GFP_KERNEL);
	if (!params)
		return -ENOMEM;
	err = read_params(info, params);
	if (!err) {
		job = icb_job_new(params, ICBENCH_ROLE_INITIATOR, icb_initiate);
		err = job ? 0 : refuse_words(info->extack, NULL, -ENOMEM,
					     "no memory for a job");
	}
	kfree_sensitive(params);
	if (err)
		return err;
	err = icb_job_publish(job, info->snd_portid,
			      info->attrs[ICBENCH_A_JOB_DETACH], &why);
	if (err)
		err = refuse(info->extack, NULL, &why, err);
	else
		err = reply_id(info, ICBENCH_A_JOB_ID, job->id);
	icb_job_put(job);
	return err;
}

static struct icb_job *find_job(struct genl_info *info, int attr_id,
				const char *name, int *err)
{
	struct nlattr *attr = info->attrs[attr_id];
	struct icb_job *job;

	if (!attr) {
		*err = missing(info, name);
		return NULL;
	}
	job = icb_job_get(nla_get_u32(attr));
	if (!job)
		*err = refuse_words(info->extack, attr, -ENOENT,
				    "%s: no job %u", name, nla_get_u32(attr));
	return job;
}

int icbench_nl_job_start_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_reason why = {};
	struct icb_job *job;
	int err;

	job = find_job(info, ICBENCH_A_JOB_ID, "id", &err);
	if (!job)
		return err;
	err = icb_job_start(job, &why);
	icb_job_put(job);
	return err ? refuse(info->extack, NULL, &why, err) : 0;
}

int icbench_nl_job_stop_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_job *job;
	int err;

	job = find_job(info, ICBENCH_A_JOB_ID, "id", &err);
	if (!job)
		return err;
	icb_job_stop(job);
	icb_job_put(job);
	return 0;
}

int icbench_nl_job_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_reason why = {};
	struct icb_job *job;
	int err;

	job = find_job(info, ICBENCH_A_JOB_ID, "id", &err);
	if (!job)
		return err;
	err = icb_job_delete(job, &why);
	icb_job_put(job);
	return err ? refuse(info->extack, NULL, &why, err) : 0;
}

static int put_params(struct sk_buff *skb, const struct icb_params *params)
{
	const struct icb_param *param;
	struct nlattr *nest;
	unsigned int i;
	int err = 0;

	nest = nla_nest_start(skb, ICBENCH_A_JOB_PARAMS);
	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < icb_param_count && !err; i++) {
		param = &icb_param_table[i];
		if (param->type == ICB_PARAM_BYTES ||
		    !icb_params_has(params, param->attr))
			continue;
		if (param->type == ICB_PARAM_STRING)
			err = nla_put_string(skb, param->attr,
					     icb_params_string(params, param));
		else if (param->bytes == sizeof(u64))
			err = put_u64(skb, param->attr,
				      icb_params_number(params, param),
				      ICBENCH_A_PARAMS_PAD);
		else
			err = nla_put_u32(skb, param->attr,
					  icb_params_number(params, param));
	}
	nla_nest_end(skb, nest);
	return err;
}

static int put_clock(struct sk_buff *skb, const struct icb_job *job)
{
	struct nlattr *nest;
	int err;

	nest = nla_nest_start(skb, ICBENCH_A_JOB_CLOCK);
	if (!nest)
		return -EMSGSIZE;
	err = nla_put_string(skb, ICBENCH_A_CLOCK_SOURCE, icb_clock.name) ||
	      nla_put_u32(skb, ICBENCH_A_CLOCK_INVARIANT,
			  icb_clock.invariant) ||
	      nla_put_u32(skb, ICBENCH_A_CLOCK_KHZ, icb_clock.khz) ||
	      nla_put_u32(skb, ICBENCH_A_CLOCK_READ_PS, icb_clock.read_ps) ||
	      (job->side.clock_checked &&
	       nla_put_s32(skb, ICBENCH_A_CLOCK_ERROR_PPM,
			   job->side.clock_error));
	nla_nest_end(skb, nest);
	return err ? -EMSGSIZE : 0;
}

/* What a job asked for and where it is; its target may still be unknown. */
static int put_job(struct sk_buff *skb, struct icb_job *job)
{
	const struct icb_run *run = &job->side.run;
	const struct icb_params *params = &job->side.params;
	u32 state = icb_job_state(job);

	if (nla_put_u32(skb, ICBENCH_A_JOB_ID, job->id) ||
	    put_params(skb, params) ||
	    (job->detach && nla_put_flag(skb, ICBENCH_A_JOB_DETACH)) ||
	    nla_put_u32(skb, ICBENCH_A_JOB_ROLE, job->role) ||
	    nla_put_u32(skb, ICBENCH_A_JOB_STATE, state) ||
	    nla_put_u32(skb, ICBENCH_A_JOB_OUTCOME, job->outcome) ||
	    put_u64(skb, ICBENCH_A_JOB_DONE, READ_ONCE(run->done),
		    ICBENCH_A_JOB_PAD) ||
	    put_u64(skb, ICBENCH_A_JOB_ELAPSED, icb_job_elapsed(job),
		    ICBENCH_A_JOB_PAD) ||
	    nla_put_u32(skb, ICBENCH_A_JOB_THREADS, job->threads) ||
	    put_clock(skb, job))
		return -EMSGSIZE;
	if (icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS) &&
	    put_u64(skb, ICBENCH_A_JOB_TOTAL, params->iterations,
		    ICBENCH_A_JOB_PAD))
		return -EMSGSIZE;
	if (job->target[0] &&
	    nla_put_string(skb, ICBENCH_A_JOB_TARGET, job->target))
		return -EMSGSIZE;
	if (job->err && nla_put_u32(skb, ICBENCH_A_JOB_ERRNO, -job->err))
		return -EMSGSIZE;
	if (job->why.text[0] &&
	    nla_put_string(skb, ICBENCH_A_JOB_REASON, job->why.text))
		return -EMSGSIZE;
	return 0;
}

int icbench_nl_job_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_job *job;
	struct sk_buff *msg;
	void *hdr;
	int err;

	job = find_job(info, ICBENCH_A_JOB_ID, "id", &err);
	if (!job)
		return err;
	msg = new_reply(info, &hdr);
	err = msg ? send_reply(msg, hdr, info, put_job(msg, job)) : -ENOMEM;
	icb_job_put(job);
	return err;
}

int icbench_nl_job_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct icb_job *job;
	bool more = true;
	void *hdr;

	while (more && (job = icb_job_next(cb->args[0]))) {
		hdr = dump_put(skb, cb, ICBENCH_CMD_JOB_GET);
		more = hdr && dump_end(skb, hdr, put_job(skb, job));
		if (more)
			cb->args[0] = job->id;
		icb_job_put(job);
	}
	return skb->len;
}

/* ---- results ---- */

static int put_dist(struct sk_buff *skb, const struct icb_hist *hist)
{
	if (put_u64(skb, ICBENCH_A_METRIC_COUNT, hist->count,
		    ICBENCH_A_METRIC_PAD) ||
	    put_u64(skb, ICBENCH_A_METRIC_LEAST, hist->min,
		    ICBENCH_A_METRIC_PAD) ||
	    put_u64(skb, ICBENCH_A_METRIC_GREATEST, hist->max,
		    ICBENCH_A_METRIC_PAD) ||
	    put_u64(skb, ICBENCH_A_METRIC_ORIGIN, hist->origin,
		    ICBENCH_A_METRIC_PAD) ||
	    put_u64(skb, ICBENCH_A_METRIC_SUM_LOW, (u64)hist->sum,
		    ICBENCH_A_METRIC_PAD) ||
	    put_u64(skb, ICBENCH_A_METRIC_SUM_HIGH, (u64)(hist->sum >> 64),
		    ICBENCH_A_METRIC_PAD) ||
	    put_u64(skb, ICBENCH_A_METRIC_SQUARE_LOW, (u64)hist->square,
		    ICBENCH_A_METRIC_PAD) ||
	    put_u64(skb, ICBENCH_A_METRIC_SQUARE_HIGH,
		    (u64)(hist->square >> 64), ICBENCH_A_METRIC_PAD))
		return -EMSGSIZE;
	return 0;
}

static int put_metric(struct sk_buff *skb, const struct icb_job *job,
		      const struct icb_metric *metric)
{
	if (nla_put_u32(skb, ICBENCH_A_METRIC_JOB, job->id) ||
	    nla_put_string(skb, ICBENCH_A_METRIC_NAME, metric->name) ||
	    nla_put_u32(skb, ICBENCH_A_METRIC_UNIT, metric->unit) ||
	    nla_put_u32(skb, ICBENCH_A_METRIC_KIND, metric->kind) ||
	    nla_put_u32(skb, ICBENCH_A_METRIC_DIVISOR, metric->divisor))
		return -EMSGSIZE;
	if (metric->kind != ICBENCH_METRIC_KIND_DISTRIBUTION)
		return put_u64(skb, ICBENCH_A_METRIC_VALUE, metric->value,
			       ICBENCH_A_METRIC_PAD);
	return put_dist(skb, metric->hist);
}

static int put_bucket(struct sk_buff *skb, const struct icb_hist *hist,
		      unsigned int i)
{
	struct nlattr *nest;

	nest = nla_nest_start(skb, ICBENCH_A_METRIC_BUCKETS);
	if (!nest)
		return -EMSGSIZE;
	if (put_u64(skb, ICBENCH_A_BUCKET_LOW, icb_hist_low(i),
		    ICBENCH_A_BUCKET_PAD) ||
	    put_u64(skb, ICBENCH_A_BUCKET_HIGH, icb_hist_high(i),
		    ICBENCH_A_BUCKET_PAD) ||
	    put_u64(skb, ICBENCH_A_BUCKET_COUNT, hist->bucket[i],
		    ICBENCH_A_BUCKET_PAD)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/* Returns the bucket to go on with, 0 if there is none, -EMSGSIZE. */
static int put_buckets(struct sk_buff *skb, const struct icb_metric *metric,
		       unsigned int first)
{
	unsigned int i;

	if (metric->kind != ICBENCH_METRIC_KIND_DISTRIBUTION)
		return 0;
	for (i = first; i < ICB_HIST_BUCKETS; i++)
		if (metric->hist->bucket[i] &&
		    put_bucket(skb, metric->hist, i))
			return i > first ? i : -EMSGSIZE;
	return 0;
}

static struct icb_job *find_finished(u32 id, const struct nlattr *attr,
				     struct netlink_ext_ack *extack, int *err)
{
	struct icb_job *job = icb_job_get(id);

	if (!job) {
		*err = refuse_words(extack, attr, -ENOENT, "job: no job %u",
				    id);
		return NULL;
	}
	/* pairs with the lock under which it is entered: the result is there */
	if (smp_load_acquire(&job->state) != ICBENCH_JOB_STATE_FINISHED) {
		*err = refuse_words(extack, attr, -EBUSY,
				    "job: job %u has not finished; accepted: a finished one",
				    id);
		icb_job_put(job);
		return NULL;
	}
	return job;
}

/* cb->args: metric and bucket to go on with. */
static int dump_result(struct sk_buff *skb, struct netlink_callback *cb,
		       const struct icb_job *job, const struct nlattr *name)
{
	const struct icb_metric *metric;
	void *hdr;
	int next;

	for (; cb->args[0] < job->result.count; cb->args[0]++) {
		metric = &job->result.metric[cb->args[0]];
		if (name && nla_strcmp(name, metric->name))
			continue;
		do {
			hdr = dump_put(skb, cb, ICBENCH_CMD_RESULT_GET);
			if (!hdr)
				return skb->len;
			next = put_metric(skb, job, metric);
			if (!next)
				next = put_buckets(skb, metric, cb->args[1]);
			if (!dump_end(skb, hdr, min(next, 0)))
				return skb->len;
			cb->args[1] = next;
		} while (next);
	}
	return skb->len;
}

int icbench_nl_result_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb)
{
	struct nlattr **attrs;
	struct icb_job *job;
	int err;

	attrs = parse(cb->nlh, cb->extack);
	if (IS_ERR(attrs))
		return PTR_ERR(attrs);
	if (!attrs[ICBENCH_A_METRIC_JOB]) {
		err = refuse_words(cb->extack, NULL, -EINVAL,
				   "job: missing; accepted: the number of a finished job");
		goto free;
	}
	job = find_finished(nla_get_u32(attrs[ICBENCH_A_METRIC_JOB]),
			    attrs[ICBENCH_A_METRIC_JOB], cb->extack, &err);
	if (!job)
		goto free;
	err = dump_result(skb, cb, job, attrs[ICBENCH_A_METRIC_NAME]);
	icb_job_put(job);
free:
	kfree(attrs);
	return err;
}

int icbench_nl_result_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *id = info->attrs[ICBENCH_A_METRIC_JOB];
	struct nlattr *name = info->attrs[ICBENCH_A_METRIC_NAME];
	const struct icb_metric *metric = NULL;
	struct icb_job *job;
	struct sk_buff *msg;
	unsigned int i;
	void *hdr;
	int err;

	if (!id)
		return missing(info, "job");
	job = find_finished(nla_get_u32(id), id, info->extack, &err);
	if (!job)
		return err;
	for (i = 0; name && i < job->result.count && !metric; i++)
		if (!nla_strcmp(name, job->result.metric[i].name))
			metric = &job->result.metric[i];
	if (!metric) {
		err = refuse_words(info->extack, name, name ? -ENOENT : -EINVAL,
				   "name: not a metric of job %u; accepted: one that a dump lists",
				   job->id);
		goto put;
	}
	msg = new_reply(info, &hdr);
	err = msg ? send_reply(msg, hdr, info, put_metric(msg, job, metric)) :
		    -ENOMEM;
put:
	icb_job_put(job);
	return err;
}

/* ---- events ---- */

/* Group ICBENCH_NLGRP_JOBS, as the specification has it. */
static const struct genl_multicast_group icb_groups[] = {
	[ICBENCH_NLGRP_JOBS] = { .name = "jobs" },
};

static struct sk_buff *new_event(u8 cmd, void **hdr)
{
	struct sk_buff *msg;

	if (!icb_family_up ||
	    !genl_has_listeners(&icb_family, &init_net, ICBENCH_NLGRP_JOBS))
		return NULL;
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		return NULL;
	*hdr = genlmsg_put(msg, 0, 0, &icb_family, 0, cmd);
	if (*hdr)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

static void send_event(struct sk_buff *msg, void *hdr, int err)
{
	if (err) {
		nlmsg_free(msg);
		return;
	}
	genlmsg_end(msg, hdr);
	genlmsg_multicast(&icb_family, msg, 0, ICBENCH_NLGRP_JOBS, GFP_KERNEL);
}

/**
 * icb_netlink_job_changed() - tell the group about a job
 * @job: that changed its state or made progress
 *
 * May sleep.
 */
void icb_netlink_job_changed(struct icb_job *job)
{
	struct sk_buff *msg;
	void *hdr;

	down_read(&icb_family_lock);
	msg = new_event(ICBENCH_CMD_JOB_NTF, &hdr);
	if (msg)
		send_event(msg, hdr, put_job(msg, job));
	up_read(&icb_family_lock);
}

/**
 * icb_netlink_refused() - tell the group about a peer that was turned away
 * @listener: by which
 * @peer: its address
 * @why: in words
 *
 * May sleep.
 */
void icb_netlink_refused(struct icb_listener *listener, const char *peer,
			 const char *why)
{
	struct sk_buff *msg;
	void *hdr;
	int err;

	down_read(&icb_family_lock);
	msg = new_event(ICBENCH_CMD_REFUSED_NTF, &hdr);
	if (msg) {
		err = nla_put_u32(msg, ICBENCH_A_LISTEN_ID, listener->id) ||
		      nla_put_string(msg, ICBENCH_A_LISTEN_PEER, peer) ||
		      nla_put_string(msg, ICBENCH_A_LISTEN_REASON, why);
		send_event(msg, hdr, err ? -EMSGSIZE : 0);
	}
	up_read(&icb_family_lock);
}

/* What a socket has made dies with it. */
static int socket_released(struct notifier_block *nb, unsigned long event,
			   void *data)
{
	const struct netlink_notify *notify = data;

	if (event == NETLINK_URELEASE && notify->portid &&
	    notify->protocol == NETLINK_GENERIC &&
	    net_eq(notify->net, &init_net)) {
		icb_jobs_orphan(notify->portid);
		icb_listeners_orphan(notify->portid);
	}
	return NOTIFY_DONE;
}

static struct notifier_block socket_notifier = {
	.notifier_call = socket_released,
};

/* ---- the family ---- */

/*
 * The generated operations, without their policies: those are applied by
 * parse(), which refuses in words what generic netlink would refuse by number.
 */
static struct genl_ops icb_ops[ARRAY_SIZE(icbench_nl_ops)] __ro_after_init;

static struct genl_family icb_family __ro_after_init = {
	.name = ICBENCH_FAMILY_NAME,
	.version = ICBENCH_FAMILY_VERSION,
	.parallel_ops = true,
	.module = THIS_MODULE,
	.ops = icb_ops,
	.n_ops = ARRAY_SIZE(icb_ops),
	.pre_doit = pre_doit,
	.post_doit = post_doit,
	.mcgrps = icb_groups,
	.n_mcgrps = ARRAY_SIZE(icb_groups),
	/* of no operation: its check would refuse every attribute */
	.resv_start_op = U8_MAX,
};

/**
 * icb_netlink_init() - open for business
 *
 * Return: 0; a negative error number.
 */
int __init icb_netlink_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(icb_ops); i++) {
		icb_ops[i] = icbench_nl_ops[i];
		icb_ops[i].policy = NULL;
		icb_ops[i].maxattr = 0;
	}
	err = netlink_register_notifier(&socket_notifier);
	if (err)
		return err;
	err = genl_register_family(&icb_family);
	if (err) {
		netlink_unregister_notifier(&socket_notifier);
		return err;
	}
	down_write(&icb_family_lock);
	icb_family_up = true;
	up_write(&icb_family_lock);
	return 0;
}

/**
 * icb_netlink_exit() - take no more requests, send no more events
 */
void icb_netlink_exit(void)
{
	down_write(&icb_family_lock);
	icb_family_up = false;
	up_write(&icb_family_lock);
	genl_unregister_family(&icb_family);
	netlink_unregister_notifier(&socket_notifier);
}
