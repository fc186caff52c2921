/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of an endpoint that only this provider uses: its queues in the network, and what
 * it counts for the checks of tests.
 */
#ifndef VB_STATE_H
#define VB_STATE_H

#include "call.h"
#include "host/abort.h"
#include "model/consumer.h"
#include "model/params.h"
#include "model/spans.h"
#include "verbs/promise.h"
#include "verbs/verbs.h"

struct icb_run;

#define NET_OPS		ICBENCH_MAX_BATCH

/**
 * struct net_ring - a queue of fixed depth
 * @entry: memory of the entries
 * @size: size of an entry, bytes
 * @depth: most entries
 * @head: index of the oldest entry
 * @count: number of entries
 */
struct net_ring {
	char *entry;
	size_t size;
	unsigned int depth;
	unsigned int head;
	unsigned int count;
};

/**
 * struct vb_cq - a CQ
 * @ep: endpoint of the CQ
 * @entries: struct net_cqe
 * @waited: events are raised for its completions, or callbacks take them
 * @armed: an event was requested
 */
struct vb_cq {
	struct icb_ep *ep;
	struct net_ring entries;
	bool waited;
	bool armed;
};

/**
 * struct vb_qp - a QP
 * @ep: endpoint of the QP
 * @num: number, which no other QP of the network has
 * @index: index in the endpoint, the same on both sides
 * @device: device of the QP
 * @send_cq: CQ of its sends
 * @recv_cq: CQ of its receives
 * @recvs: struct net_recv
 * @sq_depth: number of send queue entries
 * @sq_used: number of send queue entries in use
 * @unfreed: work requests that are done since the last completion of a send
 * @unfreed_messages: messages among @unfreed
 * @max_send_sge: most SGEs of a send
 * @max_recv_sge: most SGEs of a receive
 */
struct vb_qp {
	struct icb_ep *ep;
	u32 num;
	u32 index;
	struct vb_device *device;
	struct vb_cq *send_cq;
	struct vb_cq *recv_cq;
	struct net_ring recvs;
	unsigned int sq_depth;
	unsigned int sq_used;
	unsigned int unfreed;
	unsigned int unfreed_messages;
	u32 max_send_sge;
	u32 max_recv_sge;
};

/* A device has no state. */
struct vb_rail_state {
};

/**
 * struct vb_state - state of an endpoint
 * @net: network of the endpoint
 * @run: run of the endpoint
 * @side: 0 for the initiator, 1 for the responder
 * @abort: abort of the side
 * @promise: memory that is set aside; always none
 * @mr: regions
 * @consumer: functions of the run; the network calls them through a log
 * @in_flight: number of messages in flight, by buffer
 * @op_buffer: buffer of the operation in each slot
 * @flights: struct net_flight, in the order of arrival
 * @acks: struct net_ack of sends, not visible yet
 * @sq_depth: number of send queue entries of all QPs
 * @sq_used: number of send queue entries in use
 * @unsignalled: number of posts since the last signalled one
 * @polled: completion entry of the completion that was polled last
 * @dropped: number of messages of this side that were lost
 * @dropped_measured: number of lost messages that were marked with ICB_TOLD_COUNTS
 * @dropped_bytes: bytes of the messages in @dropped_measured
 * @foreign: number of foreign datagrams that were delivered to this side
 * @rq_depth: number of receives that all receive queues have room for
 * @receives: number of receives ever posted, without those of grants
 * @arrived: number of messages that arrived here; of a passive verb, number of answers
 * @reached: number of requests of a passive verb that accessed this side's memory
 * @notifies_arrived: number of notifications that arrived here
 * @in_callback: a completion function is running
 * @taken: number of arrivals that the engine has taken
 * @freed: number of messages of this side whose completions were taken
 * @post_attempts: number of messages posted, including those that failed
 * @posts: number of messages posted
 * @numbers: number of messages, or pieces of messages, posted
 * @refills: number of calls of icb_ep_refill() that succeeded
 * @calls: number of calls of each kind
 * @sq_full: number of posts that found the send queue full
 * @full_depth: length of the last send queue that was full
 * @missed: number of times that icb_ep_arm() found a completion
 * @most_unsignalled: largest value of @unsignalled
 * @compare_add: operand of the atomic in each slot
 * @swap: second operand of the compare-and-swap in each slot
 * @signal: true if the operation in the slot is signalled, for each slot
 * @linked: true if the next slot is posted by the same call, for each slot
 * @ops: number of slots
 * @receiving: messages that consume receives arrive here
 * @broken: the connection is broken: posted messages are not sent any more
 * @not_ready: number of times that a message of this side found no receive; it was sent
 *	again later, or lost
 * @grants_in_flight: number of grants of this side in flight
 * @refused: number of accesses to this side's memory that its regions did not allow
 * @calls_done: number of timed calls done in the present operation
 * @prepared: the present operation of timed calls was prepared
 * @operations: number of operations of timed calls that are complete
 * @event_pending: an event was raised, and no sleep has consumed it yet
 * @last_event: the last event, for icb_ep_event()
 * @spurious: number of events without a message, while the run measured
 * @sleeps: number of sleeps that did not return at once, while the run measured
 * @watched_byte: byte that icb_ep_watch() watches; NULL for none
 * @watched_value: value of @watched_byte before the arrival
 * @arrival_time: time of the arrival, ticks; 0 if it was not seen
 * @unseen: number of arrivals not seen, or seen too late, while the run measured
 * @alarm: time of the alarm, ticks; TASK_FOREVER if it is not set
 * @alarms: number of alarms that went off
 * @in_alarm: the engine's function for an alarm is running
 * @err: first error of the connection, a negative error number
 */
struct vb_state {
	struct net *net;
	struct icb_run *run;
	unsigned int side;
	struct icb_abort abort;
	struct icb_promise promise;
	struct vb_mr *mr;
	const struct icb_consumer_ops *consumer;
	unsigned int *in_flight;
	unsigned int op_buffer[NET_OPS];
	struct net_ring flights;
	struct net_ring acks;
	unsigned int sq_depth;
	unsigned int sq_used;
	unsigned int unsignalled;
	const struct vb_cqe *polled;
	u64 dropped;
	u64 dropped_measured;
	u64 dropped_bytes;
	u64 foreign;
	unsigned int rq_depth;
	u64 receives;
	u64 arrived;
	u64 reached;
	u64 notifies_arrived;
	bool in_callback;
	u64 taken;
	u64 freed;
	u64 post_attempts;
	u64 posts;
	u64 numbers;
	u64 refills;
	u64 calls[NET_CALLS];
	u64 sq_full;
	unsigned int full_depth;
	u64 missed;
	unsigned int most_unsignalled;
	u64 compare_add[NET_OPS];
	u64 swap[NET_OPS];
	bool signal[NET_OPS];
	bool linked[NET_OPS];
	unsigned int ops;
	bool receiving;
	bool broken;
	u64 not_ready;
	unsigned int grants_in_flight;
	u64 refused;
	unsigned int calls_done;
	bool prepared;
	u64 operations;
	bool event_pending;
	struct icb_event last_event;
	u64 spurious;
	u64 sleeps;
	const u8 *watched_byte;
	u8 watched_value;
	u64 arrival_time;
	u64 unseen;
	u64 alarm;
	u64 alarms;
	bool in_alarm;
	int err;
};

#endif /* VB_STATE_H */
