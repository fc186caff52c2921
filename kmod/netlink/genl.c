// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/icbench.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "genl.h"

#include <uapi/linux/icbench.h>
#include <compat.h>

/* Integer value ranges */
static const struct netlink_range_validation icbench_a_params_size_range = {
	.max	= ICBENCH_MAX_SIZE,
};

static const struct netlink_range_validation icbench_a_params_iterations_range = {
	.min	= 1ULL,
	.max	= ICBENCH_MAX_ITERATIONS,
};

static const struct netlink_range_validation icbench_a_params_duration_range = {
	.min	= 1ULL,
	.max	= ICBENCH_MAX_DURATION,
};

static const struct netlink_range_validation icbench_a_params_warmup_range = {
	.max	= ICBENCH_MAX_ITERATIONS,
};

static const struct netlink_range_validation icbench_a_params_gid_index_range = {
	.max	= ICBENCH_MAX_GID_INDEX,
};

static const struct netlink_range_validation icbench_a_params_cm_port_range = {
	.min	= 1ULL,
	.max	= 65535ULL,
};

static const struct netlink_range_validation icbench_a_params_timeout_range = {
	.min	= ICBENCH_MIN_TIMEOUT,
	.max	= ICBENCH_MAX_TIMEOUT,
};

static const struct netlink_range_validation icbench_a_params_compute_range = {
	.max	= ICBENCH_MAX_COMPUTE,
};

static const struct netlink_range_validation icbench_a_params_buffers_range = {
	.min	= 1ULL,
	.max	= ICBENCH_MAX_BUFFERS,
};

static const struct netlink_range_validation icbench_a_params_inline_range = {
	.max	= ICBENCH_MAX_INLINE,
};

static const struct netlink_range_validation icbench_a_params_rate_range = {
	.min	= 1ULL,
	.max	= ICBENCH_MAX_RATE,
};

static const struct netlink_range_validation icbench_a_params_samples_range = {
	.max	= ICBENCH_MAX_SAMPLES,
};

static const struct netlink_range_validation icbench_a_params_spin_range = {
	.max	= ICBENCH_MAX_SPIN,
};

static const struct netlink_range_validation icbench_a_params_interval_range = {
	.min	= ICBENCH_MIN_INTERVAL,
	.max	= ICBENCH_MAX_INTERVAL,
};

static const struct netlink_range_validation icbench_a_params_stripe_threshold_range = {
	.max	= ICBENCH_MAX_SIZE,
};

static const struct netlink_range_validation icbench_a_params_threshold_range = {
	.min	= 1ULL,
	.max	= ICBENCH_MAX_THRESHOLD,
};

static const struct netlink_range_validation icbench_a_params_cpu_latency_qos_range = {
	.max	= ICBENCH_MAX_CPU_LATENCY,
};

static const struct netlink_range_validation icbench_a_params_until_time_range = {
	.max	= ICBENCH_MAX_DURATION,
};

static const struct netlink_range_validation icbench_a_listen_cm_port_range = {
	.min	= 1ULL,
	.max	= 65535ULL,
};

static const struct netlink_range_validation icbench_a_listen_max_qps_range = {
	.min	= 1ULL,
	.max	= ICBENCH_MAX_QPS,
};

/* Common nested types */
const struct nla_policy icbench_params_nl_policy[ICBENCH_A_PARAMS_UNTIL_TIME + 1] = {
	[ICBENCH_A_PARAMS_TRIGGER] = NLA_POLICY_MAX(NLA_U32, 3),
	[ICBENCH_A_PARAMS_VERB] = NLA_POLICY_MAX(NLA_U32, 11),
	[ICBENCH_A_PARAMS_TRANSPORT] = NLA_POLICY_MAX(NLA_U32, 2),
	[ICBENCH_A_PARAMS_COMPLETION] = NLA_POLICY_MAX(NLA_U32, 6),
	[ICBENCH_A_PARAMS_CONTEXT] = NLA_POLICY_MAX(NLA_U32, 1),
	[ICBENCH_A_PARAMS_SIZE] = NLA_POLICY_FULL_RANGE(NLA_U32, &icbench_a_params_size_range),
	[ICBENCH_A_PARAMS_ITERATIONS] = NLA_POLICY_FULL_RANGE(NLA_U64, &icbench_a_params_iterations_range),
	[ICBENCH_A_PARAMS_DURATION] = NLA_POLICY_FULL_RANGE(NLA_U64, &icbench_a_params_duration_range),
	[ICBENCH_A_PARAMS_WARMUP] = NLA_POLICY_FULL_RANGE(NLA_U64, &icbench_a_params_warmup_range),
	[ICBENCH_A_PARAMS_SIGNAL_EVERY] = NLA_POLICY_RANGE(NLA_U32, 1, ICBENCH_MAX_SIGNAL_EVERY),
	[ICBENCH_A_PARAMS_CPU] = NLA_POLICY_MAX(NLA_U32, ICBENCH_MAX_CPU),
	[ICBENCH_A_PARAMS_PEER_CPU] = NLA_POLICY_MAX(NLA_U32, ICBENCH_MAX_CPU),
	[ICBENCH_A_PARAMS_PRIORITY] = NLA_POLICY_MAX(NLA_U32, 2),
	[ICBENCH_A_PARAMS_DEVICE] = { .type = NLA_STRING, .len = ICBENCH_MAX_NAME, },
	[ICBENCH_A_PARAMS_PORT] = NLA_POLICY_RANGE(NLA_U32, 1, ICBENCH_MAX_PORT),
	[ICBENCH_A_PARAMS_GID_INDEX] = NLA_POLICY_FULL_RANGE(NLA_U32, &icbench_a_params_gid_index_range),
	[ICBENCH_A_PARAMS_PEER] = { .type = NLA_STRING, .len = ICBENCH_MAX_NAME, },
	[ICBENCH_A_PARAMS_CM_PORT] = NLA_POLICY_FULL_RANGE(NLA_U32, &icbench_a_params_cm_port_range),
	[ICBENCH_A_PARAMS_TOKEN] = { .type = NLA_BINARY, },
	[ICBENCH_A_PARAMS_TIMEOUT] = NLA_POLICY_FULL_RANGE(NLA_U64, &icbench_a_params_timeout_range),
	[ICBENCH_A_PARAMS_VERIFY] = NLA_POLICY_MAX(NLA_U32, 1),
	[ICBENCH_A_PARAMS_SEED] = { .type = NLA_U64, },
	[ICBENCH_A_PARAMS_WINDOW] = NLA_POLICY_RANGE(NLA_U32, 1, ICBENCH_MAX_WINDOW),
	[ICBENCH_A_PARAMS_REFILL] = NLA_POLICY_RANGE(NLA_U32, 1, ICBENCH_MAX_WINDOW),
	[ICBENCH_A_PARAMS_BATCH] = NLA_POLICY_RANGE(NLA_U32, 1, ICBENCH_MAX_BATCH),
	[ICBENCH_A_PARAMS_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
	[ICBENCH_A_PARAMS_MTU] = NLA_POLICY_RANGE(NLA_U32, ICBENCH_MIN_MTU, ICBENCH_MAX_MTU),
	[ICBENCH_A_PARAMS_COMPUTE] = NLA_POLICY_FULL_RANGE(NLA_U64, &icbench_a_params_compute_range),
	[ICBENCH_A_PARAMS_COMPUTE_SHARE] = NLA_POLICY_MAX(NLA_U32, ICBENCH_MAX_COMPUTE_SHARE),
	[ICBENCH_A_PARAMS_OVERHEAD] = NLA_POLICY_MAX(NLA_U32, 1),
	[ICBENCH_A_PARAMS_BUFFERS] = NLA_POLICY_FULL_RANGE(NLA_U32, &icbench_a_params_buffers_range),
	[ICBENCH_A_PARAMS_REUSE] = NLA_POLICY_MAX(NLA_U32, 100),
	[ICBENCH_A_PARAMS_SGES] = NLA_POLICY_RANGE(NLA_U32, 1, ICBENCH_MAX_SGES),
	[ICBENCH_A_PARAMS_MAX_SGES] = NLA_POLICY_RANGE(NLA_U32, 1, ICBENCH_MAX_SGES),
	[ICBENCH_A_PARAMS_INLINE] = NLA_POLICY_FULL_RANGE(NLA_U32, &icbench_a_params_inline_range),
	[ICBENCH_A_PARAMS_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64, &icbench_a_params_rate_range),
	[ICBENCH_A_PARAMS_ARRIVAL] = NLA_POLICY_MAX(NLA_U32, 2),
	[ICBENCH_A_PARAMS_NOTIFY] = NLA_POLICY_MAX(NLA_U32, 2),
	[ICBENCH_A_PARAMS_SAMPLES] = NLA_POLICY_FULL_RANGE(NLA_U32, &icbench_a_params_samples_range),
	[ICBENCH_A_PARAMS_REPLY] = NLA_POLICY_MAX(NLA_U32, 1),
	[ICBENCH_A_PARAMS_REGISTRATION] = NLA_POLICY_MAX(NLA_U32, 1),
	[ICBENCH_A_PARAMS_SPIN] = NLA_POLICY_FULL_RANGE(NLA_U64, &icbench_a_params_spin_range),
	[ICBENCH_A_PARAMS_INTERVAL] = NLA_POLICY_FULL_RANGE(NLA_U64, &icbench_a_params_interval_range),
	[ICBENCH_A_PARAMS_QPS] = NLA_POLICY_RANGE(NLA_U32, 1, ICBENCH_MAX_RUN_QPS),
	[ICBENCH_A_PARAMS_MEMORY] = NLA_POLICY_MAX(NLA_U32, ICBENCH_MAX_MEMORY),
	[ICBENCH_A_PARAMS_ATTRIBUTE] = NLA_POLICY_MAX(NLA_U32, 1),
	[ICBENCH_A_PARAMS_UNTIL] = NLA_POLICY_RANGE(NLA_U32, 1, ICBENCH_MAX_UNTIL),
	[ICBENCH_A_PARAMS_STAGES] = NLA_POLICY_MAX(NLA_U32, 1),
	[ICBENCH_A_PARAMS_SHADOW_CPU] = NLA_POLICY_MAX(NLA_U32, ICBENCH_MAX_CPU),
	[ICBENCH_A_PARAMS_POLICY] = NLA_POLICY_MAX(NLA_U32, 3),
	[ICBENCH_A_PARAMS_STRIPE_THRESHOLD] = NLA_POLICY_FULL_RANGE(NLA_U32, &icbench_a_params_stripe_threshold_range),
	[ICBENCH_A_PARAMS_THRESHOLD] = NLA_POLICY_FULL_RANGE(NLA_U64, &icbench_a_params_threshold_range),
	[ICBENCH_A_PARAMS_SIZE_DIST] = NLA_POLICY_MAX(NLA_U32, 2),
	[ICBENCH_A_PARAMS_WORKERS] = NLA_POLICY_RANGE(NLA_U32, 1, ICBENCH_MAX_WORKERS),
	[ICBENCH_A_PARAMS_CPU_LATENCY_QOS] = NLA_POLICY_FULL_RANGE(NLA_U32, &icbench_a_params_cpu_latency_qos_range),
	[ICBENCH_A_PARAMS_UNTIL_PERCENTILE] = NLA_POLICY_RANGE(NLA_U32, 1, ICBENCH_MAX_UNTIL_PERCENTILE),
	[ICBENCH_A_PARAMS_UNTIL_TIME] = NLA_POLICY_FULL_RANGE(NLA_U64, &icbench_a_params_until_time_range),
};

/* ICBENCH_CMD_DEV_GET - do */
const struct nla_policy icbench_dev_get_nl_policy[ICBENCH_A_DEV_PORT + 1] = {
	[ICBENCH_A_DEV_NAME] = { .type = NLA_NUL_STRING, },
	[ICBENCH_A_DEV_PORT] = { .type = NLA_U32, },
};

/* ICBENCH_CMD_BENCH_GET - do */
const struct nla_policy icbench_bench_get_nl_policy[ICBENCH_A_BENCH_NAME + 1] = {
	[ICBENCH_A_BENCH_NAME] = { .type = NLA_NUL_STRING, },
};

/* ICBENCH_CMD_LISTEN_NEW - do */
const struct nla_policy icbench_listen_new_nl_policy[ICBENCH_A_LISTEN_DETACH + 1] = {
	[ICBENCH_A_LISTEN_BIND] = { .type = NLA_NUL_STRING, .len = ICBENCH_MAX_NAME, },
	[ICBENCH_A_LISTEN_CM_PORT] = NLA_POLICY_FULL_RANGE(NLA_U32, &icbench_a_listen_cm_port_range),
	[ICBENCH_A_LISTEN_TOKEN] = { .type = NLA_BINARY, },
	[ICBENCH_A_LISTEN_MAX_MEMORY] = NLA_POLICY_MIN(NLA_U64, 4096),
	[ICBENCH_A_LISTEN_MAX_QPS] = NLA_POLICY_FULL_RANGE(NLA_U32, &icbench_a_listen_max_qps_range),
	[ICBENCH_A_LISTEN_DETACH] = { .type = NLA_FLAG, },
};

/* ICBENCH_CMD_LISTEN_DEL - do */
const struct nla_policy icbench_listen_del_nl_policy[ICBENCH_A_LISTEN_ID + 1] = {
	[ICBENCH_A_LISTEN_ID] = { .type = NLA_U32, },
};

/* ICBENCH_CMD_LISTEN_GET - do */
const struct nla_policy icbench_listen_get_nl_policy[ICBENCH_A_LISTEN_ID + 1] = {
	[ICBENCH_A_LISTEN_ID] = { .type = NLA_U32, },
};

/* ICBENCH_CMD_JOB_NEW - do */
const struct nla_policy icbench_job_new_nl_policy[ICBENCH_A_JOB_GROUP + 1] = {
	[ICBENCH_A_JOB_PARAMS] = NLA_POLICY_NESTED(icbench_params_nl_policy),
	[ICBENCH_A_JOB_DETACH] = { .type = NLA_FLAG, },
	[ICBENCH_A_JOB_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* ICBENCH_CMD_JOB_START - do */
const struct nla_policy icbench_job_start_nl_policy[ICBENCH_A_JOB_ID + 1] = {
	[ICBENCH_A_JOB_ID] = { .type = NLA_U32, },
};

/* ICBENCH_CMD_JOB_STOP - do */
const struct nla_policy icbench_job_stop_nl_policy[ICBENCH_A_JOB_ID + 1] = {
	[ICBENCH_A_JOB_ID] = { .type = NLA_U32, },
};

/* ICBENCH_CMD_JOB_DEL - do */
const struct nla_policy icbench_job_del_nl_policy[ICBENCH_A_JOB_ID + 1] = {
	[ICBENCH_A_JOB_ID] = { .type = NLA_U32, },
};

/* ICBENCH_CMD_JOB_GET - do */
const struct nla_policy icbench_job_get_nl_policy[ICBENCH_A_JOB_ID + 1] = {
	[ICBENCH_A_JOB_ID] = { .type = NLA_U32, },
};

/* ICBENCH_CMD_RESULT_GET - do */
const struct nla_policy icbench_result_get_nl_policy[ICBENCH_A_METRIC_SAMPLE_FROM + 1] = {
	[ICBENCH_A_METRIC_JOB] = { .type = NLA_U32, },
	[ICBENCH_A_METRIC_NAME] = { .type = NLA_NUL_STRING, },
	[ICBENCH_A_METRIC_FROM] = { .type = NLA_U64, },
	[ICBENCH_A_METRIC_SAMPLE_FROM] = { .type = NLA_U64, },
};

/* Ops table for icbench */
const struct genl_ops icbench_nl_ops[11] = {
	{
		.cmd		= ICBENCH_CMD_DEV_GET,
		.doit		= icbench_nl_dev_get_doit,
		.dumpit		= icbench_nl_dev_get_dumpit,
		.policy		= icbench_dev_get_nl_policy,
		.maxattr	= ICBENCH_A_DEV_PORT,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= ICBENCH_CMD_BENCH_GET,
		.doit		= icbench_nl_bench_get_doit,
		.dumpit		= icbench_nl_bench_get_dumpit,
		.policy		= icbench_bench_get_nl_policy,
		.maxattr	= ICBENCH_A_BENCH_NAME,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= ICBENCH_CMD_LISTEN_NEW,
		.doit		= icbench_nl_listen_new_doit,
		.policy		= icbench_listen_new_nl_policy,
		.maxattr	= ICBENCH_A_LISTEN_DETACH,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= ICBENCH_CMD_LISTEN_DEL,
		.doit		= icbench_nl_listen_del_doit,
		.policy		= icbench_listen_del_nl_policy,
		.maxattr	= ICBENCH_A_LISTEN_ID,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= ICBENCH_CMD_LISTEN_GET,
		.doit		= icbench_nl_listen_get_doit,
		.dumpit		= icbench_nl_listen_get_dumpit,
		.policy		= icbench_listen_get_nl_policy,
		.maxattr	= ICBENCH_A_LISTEN_ID,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= ICBENCH_CMD_JOB_NEW,
		.doit		= icbench_nl_job_new_doit,
		.policy		= icbench_job_new_nl_policy,
		.maxattr	= ICBENCH_A_JOB_GROUP,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= ICBENCH_CMD_JOB_START,
		.doit		= icbench_nl_job_start_doit,
		.policy		= icbench_job_start_nl_policy,
		.maxattr	= ICBENCH_A_JOB_ID,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= ICBENCH_CMD_JOB_STOP,
		.doit		= icbench_nl_job_stop_doit,
		.policy		= icbench_job_stop_nl_policy,
		.maxattr	= ICBENCH_A_JOB_ID,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= ICBENCH_CMD_JOB_DEL,
		.doit		= icbench_nl_job_del_doit,
		.policy		= icbench_job_del_nl_policy,
		.maxattr	= ICBENCH_A_JOB_ID,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= ICBENCH_CMD_JOB_GET,
		.doit		= icbench_nl_job_get_doit,
		.dumpit		= icbench_nl_job_get_dumpit,
		.policy		= icbench_job_get_nl_policy,
		.maxattr	= ICBENCH_A_JOB_ID,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= ICBENCH_CMD_RESULT_GET,
		.doit		= icbench_nl_result_get_doit,
		.dumpit		= icbench_nl_result_get_dumpit,
		.policy		= icbench_result_get_nl_policy,
		.maxattr	= ICBENCH_A_METRIC_SAMPLE_FROM,
		.flags		= GENL_ADMIN_PERM,
	},
};

static const struct genl_multicast_group icbench_nl_mcgrps[] = {
	[ICBENCH_NLGRP_JOBS] = { "jobs", },
};
