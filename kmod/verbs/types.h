/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Structures of an endpoint (one side of the data connections of a run): devices, QPs,
 * CQs, buffers and work requests. All files of this directory use them.
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

/* Most completions taken by one poll of a CQ. */
#define ICB_EP_TAKE	16

/**
 * union icb_op - work request of an operation, ready to be posted
 * @wr: send work request; the other members begin with it
 * @rdma: work request with remote address and key
 * @atomic: work request with remote address, key and operands
 * @ud: work request with the destination of a datagram
 */
union icb_op {
	struct ib_send_wr wr;
	struct ib_rdma_wr rdma;
	struct ib_atomic_wr atomic;
	struct ib_ud_wr ud;
};

/**
 * struct icb_place - description of one message buffer for work requests
 * @sge: SGEs of the local buffer
 * @num_sge: number of entries of @sge
 * @rkey: remote key of the peer's region that holds the remote buffer
 * @remote: address of the remote buffer in that region
 */
struct icb_place {
	struct ib_sge *sge;
	u32 num_sge;
	u32 rkey;
	u64 remote;
};

/**
 * struct icb_cqs - the CQs that some QPs share
 * @rcq: CQ that the run waits for: receive completions where the side has receives, send
 *	completions where the side waits for its own work requests
 * @scq: CQ of all other completions; only polled, never armed
 */
struct icb_cqs {
	struct ib_cq *rcq;
	struct ib_cq *scq;
};

/**
 * struct icb_rail - one device of an endpoint
 * @dev: the device; NULL until a connection uses it
 * @hold: hold on @dev; empty on the first device, which the side holds itself
 * @pd: protection domain of the QPs on this device
 * @reg: first QP on this device; it registers memory
 * @tx: transmit buffers as mapped for this device
 * @rx: receive buffers as mapped for this device
 * @shared_tx: mapping that @tx points to; unused on the first device
 * @shared_rx: mapping that @rx points to; unused on the first device
 * @op: operations on this device; with datagrams, one set for each QP
 * @note: for each operation, the empty send that is posted behind it; NULL for none
 * @tx_place: buffers of operations, or this device's pieces of them
 * @tx_sge: SGEs of @tx_place
 * @cut_sge: for each operation, SGEs of the part of its buffer that the message fills;
 *	NULL where all messages have one size
 * @most_sges: entries of @cut_sge for each operation
 * @rx_place: buffers of receives; NULL where there are no receives
 * @rx_sge: SGEs of @rx_place
 * @begin: offset of this device's piece in a striped message, bytes
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
 * struct icb_qp - one QP of an endpoint
 * @ep: endpoint of this QP
 * @rail: device of this QP
 * @conn: connection of this QP; with datagrams, the control connection
 * @ibqp: verbs QP; NULL if it was not created
 * @cqs: CQs of this QP
 * @tx_cqe: completion entry of send work requests
 * @rx_cqe: completion entry of receives; on an idle side, of its only receive
 * @op_cqe: completion entry that operations use: @tx_cqe or @rx_cqe
 * @op: operations; shared by all QPs of the device, except with datagrams
 * @to: number of the peer's QP that datagrams are sent to and expected from
 * @up: true if a datagram QP may hold work requests that must be drained
 * @rx_wr: linked receives that are posted by one call
 * @rx_used: receives used since @rx_wr was last posted
 * @rx_buffer: buffer of the next receive, where receives alternate between QPs
 * @index: number of this QP, the same on both sides
 * @settle_cqe: completion entry of the last work request of icb_ep_settle()
 * @sq_cqe: completion entry of the last work request of icb_ep_drain()
 * @rq_cqe: completion entry of the last receive of icb_ep_drain()
 * @settling: true until @settle_cqe has completed
 * @sq_ends: true once @sq_cqe has completed
 * @rq_ends: true once @rq_cqe has completed
 * @credit: operations that this side may post on this QP, counted from the first one
 * @grants_pending: messages taken since the last grant was sent
 * @grants: grant messages that have not completed
 * @grant_cqe: completion entry of grant messages
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
 * struct icb_ep - one side of the data connections of a run
 * @params: parameters of the run
 * @cpu: CPU of the polling thread
 * @rail: devices of this endpoint
 * @rails: number of entries of @rail
 * @striped: true if each message is cut in pieces, one for each device, and each device
 *	has one QP
 * @channels: true if this side sends by one of two devices and receives by the other
 * @sorts: true if @striped, @credited or @grants: taking completions and posting
 *	receives again need more steps
 * @credited: true if this side posts a stream only as far as it has credit (credit.c)
 * @credit_implicit: true if each message that this side takes gives it credit
 * @credit_explicit: true if grant messages of the peer give this side credit
 * @grants: true if this side sends grant messages
 * @credits: initial credit, and messages for each grant
 * @turns: true if posting to another QP means posting other operations
 * @datagrams: true if there are no data connections (UD)
 * @plain: true if there is one device, with connections
 * @qkey: Q_Key that the peer needs to send datagrams to this side
 * @ah: address handle of the peer, for datagrams
 * @grh: page for the GRH in front of a datagram's payload; never read
 * @grh_dma: DMA address of @grh
 * @send_pieces: completed pieces of this side's striped messages
 * @recv_pieces: pieces of the peer's striped messages that have arrived
 * @qp: QPs of this endpoint
 * @qps: number of entries of @qp
 * @tx_at: QP that operations are posted to
 * @rx_at: QP that the next message is expected on, or that the next receive is posted to
 * @cqs: CQs; each entry is shared by @per_pair QPs, the last one perhaps by fewer
 * @pairs: number of entries of @cqs
 * @per_pair: QPs that share one entry of @cqs, where there is one device
 * @look: index in @cqs of the receive CQ that is polled next
 * @ibqp: first QP; also the QP of timed calls
 * @reg_qp: reliable QP that registers memory in place of &icb_rail.reg; or NULL
 * @rcq: receive CQ of the first QP
 * @scq: send CQ of the first QP
 * @bh: true if posts are bracketed by local_bh_disable() and local_bh_enable()
 * @one_cpu: true if only one CPU is online: the polling thread shares it with whatever
 *	serves the device
 * @rt_throttled: true if the polling thread is a real-time thread, which sleeps now and
 *	then to leave its CPU to others
 * @event_raised: true if an event has been raised since the thread last waited for one
 * @next_throttle: time when icb_ep_rt_throttle() sleeps next, if other tasks wait for the
 *	CPU, jiffies
 * @next_freed: time when icb_ep_rt_throttle() next waits for RCU, too, jiffies
 * @patience: time without a completion after which a real-time thread sleeps, clock ticks
 * @task: thread that waits for events
 * @timer: timer that raises an event, where the run polls by a timer
 * @interval: interval of @timer
 * @late: delay of the last expiry of @timer, ns
 * @stages: true if stages are measured
 * @event: times and context of the last event
 * @event_cpu: CPU that ran the handler of the last event
 * @idler: idle task of @cpu; NULL if not known
 * @handler: completion handler of the RDMA core, which icb_ep_callback_event() calls
 * @shadow: thread that watches memory for arrivals
 * @limit: longest sleep in one wait for an event, jiffies
 * @watched: true if a sleep has a limit or is part of the stages
 * @arms_one: true if the next message can complete on one receive CQ only
 * @sized: true if messages have different sizes, up to @size
 * @numbered: true if each message carries its number as immediate data
 * @signals: signaled work requests whose completions icb_ep_check() has not taken
 * @size: payload of the largest message, bytes
 * @len: expected length in a receive completion, bytes
 * @flags: send flags of each work request that moves a message
 * @len_mask: bits of a receive completion's length that have to match @len
 * @waits_own: true if the run waits for completions of its own work requests
 * @posts: true if this side posts work requests that move messages
 * @receives: true if messages that use receives arrive on this side
 * @reaches: true if work requests of this side access the peer's memory
 * @offers: true if work requests of the peer access this side's memory
 * @sink: true if the sink of a read (RFC 5040) has to be a region: iWARP
 * @regions: true if all buffers have to be regions; receives are posted once they are
 * @idle: true if this side only offers memory
 * @rx_batch: receives that are posted by one call
 * @rx_groups: calls that post the first receives of a QP
 * @send_sges: SGEs that a send work request may have
 * @recv_sges: SGEs that a receive may have, without that of the GRH
 * @op: operations of the QP that is posted to: one, or as many as a batch has
 * @ops: number of entries of @op
 * @note: for each operation, the empty send that is posted behind it; NULL for none
 * @report_wr: empty send that notifies the peer of the writes before it
 * @tx_place: buffers of operations, on the device that is posted to
 * @tx_places: number of entries of @tx_place
 * @rx_wr: receives of all QPs, linked in groups of @rx_batch
 * @rx_next: buffer of the receive that is posted next, where there is one QP
 * @rx_step: distance from the buffer of one receive of a QP to that of its next receive
 * @promise: memory that is set aside for this endpoint and not allocated yet
 * @reg_cqe: completion entry of registrations
 * @settled: true once icb_ep_settle() was called
 * @tx: transmit buffers
 * @rx: receive buffers
 * @wc: completions taken by the last poll
 * @reg_left: registrations and invalidations that have not completed
 * @reg_err: negative error number of a failed registration; 0 for none
 * @consumer: run that is notified of completions
 * @conn: first data connection; with datagrams, the control connection
 * @abort: abort of the side
 * @callbacks: true if the core's callbacks take the run's completions
 * @yields: true if callbacks in a work queue sleep now and then, so that other work of
 *	the queue can run
 * @callback_bytes: bytes that one callback fills and checks
 * @handled: bytes filled and checked by callbacks since the work queue last slept
 * @served: completions served by the work queue or by ksoftirqd
 * @calls: state of a verb that times calls; else NULL
 * @alarm: timer of an open loop
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
