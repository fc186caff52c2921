/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one end of the data connections of a run consists of: its devices, its QPs,
 * its work requests. The files of this room share it.
 */
#ifndef ICB_EP_TYPES_H
#define ICB_EP_TYPES_H

#include <linux/hrtimer.h>
#include <linux/sched.h>
#include <rdma/ib_verbs.h>

#include "cm/device.h"
#include "host/alarm.h"
#include "host/shadow.h"
#include "model/buffers.h"
#include "model/consumer.h"
#include "model/credits.h"
#include "model/spans.h"
#include "model/stripe.h"
#include "pool.h"
#include "promise.h"

struct icb_calls;
struct icb_conn;
struct icb_abort;

/* Completions that one look at a CQ takes at most. */
#define ICB_EP_TAKE	16

/**
 * union icb_op - an operation that is ready to be posted
 * @wr: the work request, of which the verb needs no more, or
 * @rdma: where it reaches into the other side's memory, or
 * @atomic: where it does so with operands
 * @ud: or which QP a datagram goes to
 */
union icb_op {
	struct ib_send_wr wr;
	struct ib_rdma_wr rdma;
	struct ib_atomic_wr atomic;
	struct ib_ud_wr ud;
};

/**
 * struct icb_place - one message buffer, as work requests have it
 * @sge: its pieces on this side
 * @num_sge: how many
 * @rkey: the region of the other side that holds its counterpart
 * @remote: address in this region
 */
struct icb_place {
	struct ib_sge *sge;
	u32 num_sge;
	u32 rkey;
	u64 remote;
};

/**
 * struct icb_cqs - the CQs of some QPs
 * @rcq: what the run waits for: completions of receives where it receives, and of
 *	its own work requests where it waits for them
 * @scq: the other completions, only ever polled by the run itself
 */
struct icb_cqs {
	struct ib_cq *rcq;
	struct ib_cq *scq;
};

/**
 * struct icb_rail - a device that an endpoint uses
 * @dev: the device; NULL until a connection has come over it
 * @hold: on it, where the side has none
 * @pd: of its QPs
 * @reg: the QP whose QP registers memory
 * @tx: what is sent, as the device sees it
 * @rx: what arrives
 * @shared_tx: that, of any device but the first
 * @shared_rx: the same
 * @op: the operations, on this device; of datagrams, those of each QP
 * @note: for each the work request that is posted behind it; NULL for none
 * @tx_place: the buffers that operations take, or the pieces of them
 * @tx_sge: their pieces
 * @cut_sge: of each operation, the pieces of what it takes of its buffer, where
 *	messages have different sizes
 * @most_sges: how many each one has at most
 * @rx_place: the buffers that receives take; none where there are no receives
 * @rx_sge: their pieces
 * @begin: where the piece of each message begins that goes by this device
 */
struct icb_rail {
	struct ib_device *dev;
	struct icb_hold hold;
	struct ib_pd *pd;
	struct icb_qp *reg;
	struct icb_pool *tx;
	struct icb_pool *rx;
	struct icb_pool shared_tx;
	struct icb_pool shared_rx;
	union icb_op *op;
	struct ib_send_wr *note;
	struct icb_place *tx_place;
	struct ib_sge *tx_sge;
	struct ib_sge *cut_sge;
	unsigned int most_sges;
	struct icb_place *rx_place;
	struct ib_sge *rx_sge;
	u32 begin;
};

/**
 * struct icb_qp - one QP of a run
 * @ep: its endpoint
 * @rail: its device
 * @conn: its connection
 * @ibqp: the QP; NULL where it was not made
 * @cqs: its CQs
 * @tx_cqe: completes its work requests
 * @rx_cqe: and its receives; of a side that does nothing, the one that it has
 * @op_cqe: the one that its operations take
 * @op: its operations, which it shares with others of its device, but for datagrams
 * @to: the other side's QP, which datagrams go to and come from
 * @up: a QP of datagrams has work requests that have to end
 * @rx_wr: receives that are given back together, linked
 * @rx_used: receives used since that was done
 * @rx_buffer: the buffer that its next receive takes, where there are other QPs
 * @index: its number, the same at both sides
 * @settle_cqe: completes the last work request of a run
 * @sq_cqe: completes the last one of all
 * @rq_cqe: and the last receive
 * @settling: @settle_cqe has yet to complete
 * @sq_ends: @sq_cqe has
 * @rq_ends: @rq_cqe has
 * @credit: messages that the other side has, or will have, receives for
 * @grants_pending: messages that were taken since the other side was told of some
 * @grants: messages that tell it, and have not completed
 * @grant_cqe: completes them
 */
struct icb_qp {
	struct icb_ep *ep;
	struct icb_rail *rail;
	struct icb_conn *conn;
	struct ib_qp *ibqp;
	struct icb_cqs *cqs;
	struct ib_cqe tx_cqe;
	struct ib_cqe rx_cqe;
	struct ib_cqe *op_cqe;
	union icb_op *op;
	u32 to;
	bool up;
	struct ib_recv_wr *rx_wr;
	unsigned int rx_used;
	u32 rx_buffer;
	u32 index;

	struct ib_cqe settle_cqe;
	struct ib_cqe sq_cqe;
	struct ib_cqe rq_cqe;
	bool settling;
	bool sq_ends;
	bool rq_ends;

	u64 credit;
	u32 grants_pending;
	u32 grants;
	struct ib_cqe grant_cqe;
};

/**
 * struct icb_ep - one end of the data connections
 * @params: of the run
 * @cpu: that polls
 * @rail: its devices
 * @rails: how many
 * @striped: each message goes by all of them, a piece by each, and each has one QP
 * @channels: what this side sends goes by one of two, and what it gets by the other
 * @sorts: there is more to what is taken, and given back, than that: it is @striped,
 *	@credited or @grants
 * @credited: this side streams no further than it has credit (credit.c)
 * @credit_implicit: which it has by what it takes itself
 * @credit_explicit: or by what the other side tells it
 * @grants: it tells the other side
 * @credits: how much of it there is
 * @turns: to post to another QP is to post other operations
 * @datagrams: there are no connections: each message goes to a QP's number
 * @plain: there is one device, and there are connections
 * @qkey: which the other side has to know for that
 * @ah: the way to the other side
 * @grh: the place of what a datagram brings in front of its payload; nobody reads it
 * @grh_dma: as the device sees it
 * @send_pieces: pieces of what this side has begun, that have completed
 * @recv_pieces: pieces of what the other side has, that have arrived
 * @qp: its QPs
 * @qps: how many
 * @tx_at: the one that is posted to
 * @rx_at: the one that the next message is expected from, or its receive given
 *	back to
 * @cqs: their CQs; the same number of QPs shares each, but for the last
 * @pairs: how many
 * @per_pair: QPs that share them
 * @look: the one that is looked at next
 * @ibqp: the first QP, which times calls
 * @rcq: its CQs
 * @scq: see above
 * @reg_qp: a reliable QP that registers memory instead of its own; or NULL
 * @bh: posts are bracketed by local_bh_disable() and local_bh_enable()
 * @one_cpu: the poller shares its only CPU with whatever serves the device
 * @rt_throttled: its thread is a real-time one, which leaves others its CPU in naps
 * @next_throttle: jiffies when the next one is due, if others wait for the CPU
 * @next_freed: jiffies when it is to wait for RCU instead
 * @patience: ticks after which a real-time poller has to sleep for a moment
 * @event_raised: the event of @rcq has come
 * @task: the thread that sleeps for it
 * @timer: sets @event, too, where the run polls by a timer
 * @interval: at which it does
 * @late: how late it was last, ns
 * @stages: stages are measured
 * @event: of the last event; of its handler, but for what the thread adds
 * @event_cpu: the CPU that it ran on
 * @idler: what @cpu runs where there is nothing to do; NULL if that is not known
 * @handler: the core's handler, where the stages of callbacks are measured
 * @shadow: watches for arrivals
 * @limit: how long it sleeps for it at most, jiffies
 * @watched: a sleep has more to do than to wait for the event
 * @arms_one: what comes next can come by one receive CQ only
 * @sized: messages have different sizes, up to @size
 * @numbered: each message tells its number by immediate data
 * @signals: sends that are to complete
 * @size: payload of each message, bytes; of the largest
 * @len: of what arrives as its completion tells, bytes
 * @flags: of each work request that moves a message
 * @len_mask: bits in which a completion's length has to be @len
 * @waits_own: the run waits for completions of its own work requests
 * @posts: work requests that move messages are posted here
 * @receives: messages that take receives arrive here
 * @reaches: work requests reach into the other side's memory
 * @offers: the other side's reach into memory of this one
 * @idle: this side only offers memory
 * @sink: where an answer lands has to be a region
 * @regions: all buffers have to be: receives are posted when they are
 * @rx_batch: receives that are given back together
 * @rx_groups: how often they are posted at first
 * @send_sges: SGEs that a work request may have
 * @recv_sges: and a receive
 * @op: the operations: one, or as many as a batch has; those of the device that is
 *	posted to
 * @ops: how many
 * @note: for each the work request that is posted behind it; NULL for none
 * @rx_wr: the receives, in groups that are linked
 * @report_wr: the empty send that tells of the writes before it
 * @tx_place: the buffers that operations take
 * @tx_places: how many
 * @rx_next: the buffer of the receive that is posted next, where there is one QP
 * @rx_step: from the buffer of a QP's receive to that of its next one
 * @promise: memory that it may still take
 * @reg_cqe: completes registrations
 * @settled: no more than once
 * @tx: what is sent
 * @rx: what arrives
 * @wc: completions that are taken together
 * @reg_left: registrations that have not completed
 * @reg_err: one of them failed
 * @run: the run that is told of arrivals
 * @abort: of the side
 * @conn: its connection
 * @callbacks: arrivals call the run
 * @yields: a work queue that serves it lets others have their turn
 * @callback_bytes: what a callback fills and checks
 * @handled: what a work queue has filled and checked since others had their turn
 * @served: completions that a work queue has served, or ksoftirqd
 * @calls: of a verb that times calls; else NULL
 * @alarm: of an open loop
 */
struct icb_ep {
	const struct icb_params *params;
	unsigned int cpu;
	struct icb_rail *rail;
	unsigned int rails;
	bool striped;
	bool channels;
	bool sorts;
	bool credited;
	bool credit_implicit;
	bool credit_explicit;
	bool grants;
	struct icb_credits credits;
	bool turns;
	bool datagrams;
	bool plain;
	u32 qkey;
	struct ib_ah *ah;
	void *grh;
	u64 grh_dma;
	struct icb_stripes send_pieces;
	struct icb_stripes recv_pieces;
	struct icb_qp *qp;
	unsigned int qps;
	struct icb_qp *tx_at;
	struct icb_qp *rx_at;
	struct icb_cqs *cqs;
	unsigned int pairs;
	unsigned int per_pair;
	unsigned int look;
	struct ib_qp *ibqp;
	struct ib_qp *reg_qp;
	struct ib_cq *rcq;
	struct ib_cq *scq;
	bool bh;
	bool one_cpu;
	bool rt_throttled;
	bool event_raised;
	unsigned long next_throttle;
	unsigned long next_freed;
	u64 patience;
	struct task_struct *task;
	struct hrtimer timer;
	ktime_t interval;
	u64 late;
	bool stages;
	struct icb_event event;
	unsigned int event_cpu;
	struct task_struct *idler;
	void (*handler)(struct ib_cq *cq, void *context);
	struct icb_shadow shadow;
	unsigned long limit;
	bool watched;
	bool arms_one;
	bool sized;
	bool numbered;
	unsigned int signals;
	u32 size;
	u32 len;
	int flags;
	u32 len_mask;
	bool waits_own;
	bool posts;
	bool receives;
	bool reaches;
	bool offers;
	bool sink;
	bool regions;
	bool idle;
	unsigned int rx_batch;
	unsigned int rx_groups;
	u32 send_sges;
	u32 recv_sges;
	union icb_op *op;
	unsigned int ops;
	struct ib_send_wr *note;
	struct ib_send_wr report_wr;
	struct icb_place *tx_place;
	unsigned int tx_places;
	struct ib_recv_wr *rx_wr;
	struct icb_buffers rx_next;
	u32 rx_step;
	struct icb_promise promise;

	struct ib_cqe reg_cqe;
	bool settled;
	struct icb_pool tx;
	struct icb_pool rx;
	struct ib_wc wc[ICB_EP_TAKE];
	atomic_t reg_left;
	int reg_err;
	struct icb_consumer *consumer;
	struct icb_conn *conn;
	struct icb_abort *abort;
	bool callbacks;
	bool yields;
	u64 callback_bytes;
	u64 handled;
	unsigned int served;
	struct icb_calls *calls;
	struct icb_alarm alarm;
};

#endif /* ICB_EP_TYPES_H */
