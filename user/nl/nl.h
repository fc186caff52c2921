/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module, as plain functions and structs. What the messages mean is in
 * Documentation/netlink/specs/icbench.yaml. Only nl.c sees libnl.
 *
 * Nothing that arrives is trusted: a message that lacks what it must have, or
 * has what cannot be, is an error (-EPROTO), and control characters in strings
 * become "?".
 */
#ifndef NL_H
#define NL_H

#include "base/token.h"
#include "model/params.h"
#include "stats/metric.h"

#define NL_TEXT_MAX	256

/* Whether a reply had an attribute: @has is a set of these. */
#define NL_HAS(_struct, _attr)	(!!((_struct)->has & BIT_ULL(_attr)))

struct nl;

struct nl_gid {
	u64 has;
	u32 index;
	u8 value[16];
	char type[16];
	char netdev[32];
};

/* @gid is allocated */
struct nl_dev {
	u64 has;
	char name[ICBENCH_MAX_NAME + 1];
	char driver[64];
	u64 node_guid;
	s32 node;
	u32 max_qp;
	u32 max_cqe;
	u32 max_sge;
	u32 max_recv_sge;
	u32 max_read_sge;
	u64 max_mr_size;
	u64 max_msg_size;
	u32 vectors;
	u32 port;
	char state[32];
	char link_layer[32];
	char protocol[32];
	u32 speed;
	u32 mtu;
	char netdev[32];
	u32 verbs;
	struct nl_gid *gid;
	unsigned int gids;
};

struct nl_devs {
	struct nl_dev *dev;
	unsigned int count;
};

struct nl_clock {
	u64 has;
	char source[32];
	u32 invariant;
	u32 khz;
	u32 read_ps;
	s32 error_ppm;
	u32 step_ps;
};

/* @params holds what the message had of them, and nothing else */
struct nl_job {
	u64 has;
	u32 id;
	struct icb_params params;
	u32 role;
	u32 state;
	u32 outcome;
	u32 err;
	char reason[NL_TEXT_MAX];
	u64 done;
	u64 total;
	u64 elapsed;
	u64 began;
	u64 ended;
	char target[64];
	u32 listener;
	u32 threads;
	u32 group;
	struct nl_clock clock;
};

struct nl_jobs {
	struct nl_job *job;
	unsigned int count;
};

struct nl_listen {
	u64 has;
	u32 id;
	char bind[ICBENCH_MAX_NAME + 1];
	u32 cm_port;
	u64 max_memory;
	u32 max_qps;
	u64 memory;
	u32 qps;
	u32 sessions;
	u64 accepted;
	u64 refused;
};

/**
 * struct nl_listen_ask - what a listener is to be
 * @bind: numeric address; NULL for every address
 * @cm_port: port; 0 for the default
 * @max_memory: bytes of buffers for all peers; 0 for the default
 * @max_qps: data QPs for all peers; 0 for the default
 * @token: secret that a peer must know; @token.len is 0 for none
 */
struct nl_listen_ask {
	const char *bind;
	u32 cm_port;
	u64 max_memory;
	u32 max_qps;
	struct token token;
};

/* A listener turned a peer away. */
struct nl_refusal {
	u64 has;
	u32 id;
	char peer[64];
	char reason[NL_TEXT_MAX];
};

enum nl_event_type {
	NL_EVENT_NONE,
	NL_EVENT_JOB,
	NL_EVENT_REFUSAL,
	NL_EVENT_LOST,
};

/**
 * struct nl_event - something happened
 * @type: what; NL_EVENT_NONE: nothing is left for now; NL_EVENT_LOST: events
 *	came faster than they were read, and some are gone
 * @job: of NL_EVENT_JOB
 * @refusal: of NL_EVENT_REFUSAL
 */
struct nl_event {
	enum nl_event_type type;
	struct nl_job job;
	struct nl_refusal refusal;
};

struct nl *nl_begin(struct icb_reason *why);
void nl_end(struct nl *nl);
u32 nl_port(const struct nl *nl);

int nl_dev_list(struct nl *nl, struct nl_devs *devs, struct icb_reason *why);
void nl_devs_free(struct nl_devs *devs);

int nl_job_new(struct nl *nl, const struct icb_params *params, u32 group,
	       u32 *id, struct icb_reason *why);
int nl_job_start(struct nl *nl, u32 id, struct icb_reason *why);
int nl_job_stop(struct nl *nl, u32 id, struct icb_reason *why);
int nl_job_del(struct nl *nl, u32 id, struct icb_reason *why);
int nl_job_get(struct nl *nl, u32 id, struct nl_job *job,
	       struct icb_reason *why);
int nl_job_list(struct nl *nl, struct nl_jobs *jobs, struct icb_reason *why);
void nl_jobs_free(struct nl_jobs *jobs);
const char *nl_job_state(const struct nl_job *job);

int nl_result(struct nl *nl, u32 id, struct nl_job *job,
	      struct metrics *metrics, struct icb_reason *why);

int nl_listen_new(struct nl *nl, const struct nl_listen_ask *ask, u32 *id,
		  struct icb_reason *why);
int nl_listen_del(struct nl *nl, u32 id, struct icb_reason *why);
int nl_listen_get(struct nl *nl, u32 id, struct nl_listen *listen,
		  struct icb_reason *why);

int nl_events_open(struct nl *nl, struct icb_reason *why);
int nl_events_fd(const struct nl *nl);
int nl_events_next(struct nl *nl, struct nl_event *event,
		   struct icb_reason *why);

#endif /* NL_H */
