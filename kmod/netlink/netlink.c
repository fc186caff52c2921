// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/netlink.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "compat.h"
#include "genl.h"
#include "job.h"
#include "netlink.h"
#include "refusal.h"
#include "reply.h"
#include "run/job.h"
#include "run/listener.h"
#include "run/listening.h"

/* Held for reading to send events, for writing to register or unregister the family. */
static DECLARE_RWSEM(family_lock);
static bool family_up;

static int pre_doit(const struct icb_genl_op *op, struct sk_buff *skb,
		    struct genl_info *info)
{
	struct nlattr **attrs = icb_nl_parse(info->nlhdr, info->extack);

	if (IS_ERR(attrs))
		return PTR_ERR(attrs);
	info->attrs = attrs;
	return 0;
}

static void post_doit(const struct icb_genl_op *op, struct sk_buff *skb,
		      struct genl_info *info)
{
	kfree(info->attrs);
	info->attrs = NULL;
}

/* Multicast group of events, ICBENCH_NLGRP_JOBS in the specification. */
static const struct genl_multicast_group icb_groups[] = {
	[ICBENCH_NLGRP_JOBS] = {
		.name = "jobs",
		.flags = GENL_MCAST_CAP_NET_ADMIN,
	},
};

static struct sk_buff *new_event(u8 cmd, void **hdr)
{
	struct sk_buff *msg;

	if (!family_up ||
	    !genl_has_listeners(&icb_nl_family, &init_net, ICBENCH_NLGRP_JOBS))
		return NULL;
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		return NULL;
	*hdr = genlmsg_put(msg, 0, 0, &icb_nl_family, 0, cmd);
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
	genlmsg_multicast(&icb_nl_family, msg, 0, ICBENCH_NLGRP_JOBS,
			  GFP_KERNEL);
}

/**
 * icb_netlink_job_changed() - send an event about a job to the multicast group
 * @job: job that has changed its state or made progress
 *
 * May sleep.
 */
void icb_netlink_job_changed(struct icb_job *job)
{
	struct sk_buff *msg;
	void *hdr;

	down_read(&family_lock);
	msg = new_event(ICBENCH_CMD_JOB_NTF, &hdr);
	if (msg)
		send_event(msg, hdr, icb_nl_put_job(msg, job));
	up_read(&family_lock);
}

/**
 * icb_netlink_refused() - send an event about a refused peer to the multicast group
 * @listener: listener that has refused the peer
 * @peer: address of the peer
 * @why: the reason, as text
 *
 * May sleep.
 */
void icb_netlink_refused(struct icb_listener *listener, const char *peer,
			 const char *why)
{
	struct sk_buff *msg;
	void *hdr;
	int err;

	down_read(&family_lock);
	msg = new_event(ICBENCH_CMD_REFUSED_NTF, &hdr);
	if (msg) {
		err = nla_put_u32(msg, ICBENCH_A_LISTEN_ID, listener->id) ||
		      nla_put_string(msg, ICBENCH_A_LISTEN_PEER, peer) ||
		      nla_put_string(msg, ICBENCH_A_LISTEN_REASON, why);
		send_event(msg, hdr, err ? -EMSGSIZE : 0);
	}
	up_read(&family_lock);
}

/* Ends the jobs and listeners of a closed socket, except for detached ones. */
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

/*
 * The generated operations without their policies. icb_nl_parse() applies the policies,
 * and refuses a request with a text where generic netlink would return only a number.
 */
static struct genl_ops icb_ops[ARRAY_SIZE(icbench_nl_ops)] __ro_after_init;

struct genl_family icb_nl_family __ro_after_init = {
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
	/* no operation: strict validation would refuse every attribute */
	.resv_start_op = U8_MAX,
};

/**
 * icb_netlink_init() - register the family
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
	err = genl_register_family(&icb_nl_family);
	if (err) {
		netlink_unregister_notifier(&socket_notifier);
		return err;
	}
	down_write(&family_lock);
	family_up = true;
	up_write(&family_lock);
	return 0;
}

/**
 * icb_netlink_exit() - stop sending events and unregister the family
 */
void icb_netlink_exit(void)
{
	down_write(&family_lock);
	family_up = false;
	up_write(&family_lock);
	/* returns when all requests have been handled */
	genl_unregister_family(&icb_nl_family);
	netlink_unregister_notifier(&socket_notifier);
	icb_nl_refusals_exit();
}
