/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/icbench.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_ICBENCH_GEN_H
#define _LINUX_ICBENCH_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/icbench.h>
#include <compat.h>

/* Common nested types */
extern const struct nla_policy icbench_params_nl_policy[ICBENCH_A_PARAMS_UNTIL_TIME + 1];

extern const struct nla_policy icbench_dev_get_nl_policy[ICBENCH_A_DEV_PORT + 1];

extern const struct nla_policy icbench_bench_get_nl_policy[ICBENCH_A_BENCH_NAME + 1];

extern const struct nla_policy icbench_listen_new_nl_policy[ICBENCH_A_LISTEN_DETACH + 1];

extern const struct nla_policy icbench_listen_del_nl_policy[ICBENCH_A_LISTEN_ID + 1];

extern const struct nla_policy icbench_listen_get_nl_policy[ICBENCH_A_LISTEN_ID + 1];

extern const struct nla_policy icbench_job_new_nl_policy[ICBENCH_A_JOB_GROUP + 1];

extern const struct nla_policy icbench_job_start_nl_policy[ICBENCH_A_JOB_ID + 1];

extern const struct nla_policy icbench_job_stop_nl_policy[ICBENCH_A_JOB_ID + 1];

extern const struct nla_policy icbench_job_del_nl_policy[ICBENCH_A_JOB_ID + 1];

extern const struct nla_policy icbench_job_get_nl_policy[ICBENCH_A_JOB_ID + 1];

extern const struct nla_policy icbench_result_get_nl_policy[ICBENCH_A_METRIC_SAMPLE_FROM + 1];

/* Ops table for icbench */
extern const struct genl_ops icbench_nl_ops[11];

int icbench_nl_dev_get_doit(struct sk_buff *skb, struct genl_info *info);
int icbench_nl_dev_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int icbench_nl_bench_get_doit(struct sk_buff *skb, struct genl_info *info);
int icbench_nl_bench_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb);
int icbench_nl_listen_new_doit(struct sk_buff *skb, struct genl_info *info);
int icbench_nl_listen_del_doit(struct sk_buff *skb, struct genl_info *info);
int icbench_nl_listen_get_doit(struct sk_buff *skb, struct genl_info *info);
int icbench_nl_listen_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb);
int icbench_nl_job_new_doit(struct sk_buff *skb, struct genl_info *info);
int icbench_nl_job_start_doit(struct sk_buff *skb, struct genl_info *info);
int icbench_nl_job_stop_doit(struct sk_buff *skb, struct genl_info *info);
int icbench_nl_job_del_doit(struct sk_buff *skb, struct genl_info *info);
int icbench_nl_job_get_doit(struct sk_buff *skb, struct genl_info *info);
int icbench_nl_job_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int icbench_nl_result_get_doit(struct sk_buff *skb, struct genl_info *info);
int icbench_nl_result_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb);

enum {
	ICBENCH_NLGRP_JOBS,
};

#endif /* _LINUX_ICBENCH_GEN_H */
