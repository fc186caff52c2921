/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The plan of one side of a run: all that follows from the parameters, the device and the
 * route. It is made once, before anything is allocated, and does not change afterwards.
 */
#ifndef ICB_PLAN_H
#define ICB_PLAN_H

#include "credits.h"
#include "engine.h"

/**
 * struct icb_facts - what the plan of a side follows from, beside the parameters
 * @iwarp: the connection is over iWARP, where a message without a receive breaks it
 * @one_cpu: only one CPU is online
 * @cpu: CPU of the polling thread
 * @max_cqe: most entries of a CQ of the first device
 */
struct icb_facts {
	bool iwarp;
	bool one_cpu;
	unsigned int cpu;
	u32 max_cqe;
};

/**
 * struct icb_plan - roles, depths and sizes of one side of a run
 * @posts: this side posts work requests that move messages
 * @receives: messages that use receives arrive on this side
 * @accesses_remote: work requests of this side access the peer's memory
 * @offers_memory: work requests of the peer access this side's memory
 * @waits_own: the run waits for completions of this side's own work requests
 * @idle: this side only offers memory
 * @datagrams: there are no data connections (UD)
 * @striped: each message is cut in pieces, one for each device, and each device has one QP
 * @channels: this side sends by one of two devices and receives by the other
 * @single_rail: there is one device, with connections
 * @single_wr: an operation is one work request: it is not striped, and no empty send
 *	follows it
 * @single_bh: a message is not striped, and posts are as for @bh
 * @per_qp_ops: posting to another QP means posting other operations
 * @slow_take: taking completions and posting receives again need more steps, for stripes,
 *	credit or grants
 * @sink: the sink of a read (RFC 5040) has to be a region: iWARP
 * @regions: all buffers have to be regions; receives are posted once they are
 * @credited: this side posts a stream only as far as it has credit (credit.c)
 * @credit_implicit: each message that this side takes gives it credit
 * @credit_explicit: grant messages of the peer give this side credit
 * @grants: this side sends grant messages
 * @sized: messages have different sizes, up to @size
 * @numbered: each message carries its number as immediate data
 * @callbacks: the core's callbacks take the run's completions
 * @yields: callbacks in a work queue sleep now and then, so that other work of the queue
 *	can run
 * @stages: the stages of a wake-up are measured
 * @watched: a sleep has a limit or is part of the stages
 * @arms_one: the next message can complete on one receive CQ only
 * @bh: posts are bracketed by local_bh_disable() and local_bh_enable()
 * @one_cpu: only one CPU is online, so the polling thread shares it with the task that
 *	serves the device
 * @rt_throttled: the polling thread is a real-time thread, which sleeps now and then to
 *	leave its CPU to others
 * @cpu: CPU of the polling thread
 * @size: payload of the largest message, bytes
 * @len: expected length in a receive completion, bytes
 * @len_mask: bits of a receive completion's length that have to match @len
 * @send_flags: send flags of each work request that moves a message
 * @rails: number of devices
 * @qps: number of QPs
 * @pairs: number of pairs of CQs
 * @qps_per_pair: QPs that share a pair of CQs, where there is one device
 * @ops: operations that are posted by one call at most
 * @tx_places: number of buffers of operations
 * @sends: send work requests that a QP has room for, without those that register memory
 * @recvs: receives of a QP
 * @rcq_share: entries of a receive CQ that each of its QPs takes
 * @scq_share: entries of a send CQ that each of its QPs takes
 * @rx_batch: receives that are posted by one call
 * @rx_groups: calls that post the first receives of a QP
 * @rx_step: distance from the buffer of one receive of a QP to that of its next receive
 * @credits: initial credit, and messages for each grant
 * @patience: time without a completion after which a real-time thread sleeps, clock ticks
 * @sleep_limit: longest sleep in one wait for an event, jiffies
 * @interval: interval of the timer by which a thread polls, ns
 * @callback_bytes: bytes that one callback fills and checks
 */
struct icb_plan {
	bool posts;
	bool receives;
	bool accesses_remote;
	bool offers_memory;
	bool waits_own;
	bool idle;

	bool datagrams;
	bool striped;
	bool channels;
	bool single_rail;
	bool single_wr;
	bool single_bh;
	bool per_qp_ops;
	bool slow_take;
	bool sink;
	bool regions;

	bool credited;
	bool credit_implicit;
	bool credit_explicit;
	bool grants;

	bool sized;
	bool numbered;

	bool callbacks;
	bool yields;
	bool stages;
	bool watched;
	bool arms_one;

	bool bh;
	bool one_cpu;
	bool rt_throttled;

	unsigned int cpu;
	u32 size;
	u32 len;
	u32 len_mask;
	int send_flags;

	unsigned int rails;
	unsigned int qps;
	unsigned int pairs;
	unsigned int qps_per_pair;
	unsigned int ops;
	unsigned int tx_places;
	u32 sends;
	u32 recvs;
	u32 rcq_share;
	u32 scq_share;
	unsigned int rx_batch;
	unsigned int rx_groups;
	u32 rx_step;
	struct icb_credits credits;

	u64 patience;
	unsigned long sleep_limit;
	u64 interval;
	u64 callback_bytes;
};

#endif /* ICB_PLAN_H */
