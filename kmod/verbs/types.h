/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Structures of an endpoint (one side of the data connections of a run): devices, QPs,
 * CQs, buffers and work requests. They are the same for all providers of verbs: what only
 * the files of one provider use is in its state.h.
 */
#ifndef ICB_EP_TYPES_H
#define ICB_EP_TYPES_H

#include "model/buffers.h"
#include "model/consumer.h"
#include "model/plan.h"
#include "model/spans.h"
#include "model/stripe.h"
#include "verbs/pool.h"
#include "verbs/state.h"
#include "verbs/verbs.h"

struct icb_calls;
struct icb_conn;
struct icb_abort;

/* Most completions taken by one poll of a CQ. */
#define ICB_EP_TAKE	16

/**
 * struct icb_place - description of one message buffer for work requests
 * @sge: SGEs of the local buffer
 * @num_sge: number of entries of @sge
 * @rkey: remote key of the peer's region that holds the remote buffer
 * @remote: address of the remote buffer in that region
 */
struct icb_place {
	struct vb_sge *sge;
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
	struct vb_cq *rcq;
	struct vb_cq *scq;
};

/**
 * struct icb_rail - one device of an endpoint
 * @dev: the device; NULL until a connection uses it
 * @own: state of the provider
 * @pd: protection domain of the QPs on this device
 * @reg: first QP on this device; it registers memory
 * @tx: transmit buffers as mapped for this device
 * @rx: receive buffers as mapped for this device
 * @shared_tx: mapping that @tx points to; unused on the first device
 * @shared_rx: mapping that @rx points to; unused on the first device
 * @op: operations on this device; with datagrams, one set for each QP
 * @notify_wr: for each operation, the empty send that is posted behind it; NULL for none
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
	struct vb_device *dev;
	struct vb_rail_state own;
	struct vb_pd *pd;
	struct icb_qp *reg;
	struct icb_pool *tx;
	struct icb_pool *rx;
	struct icb_pool shared_tx;
	struct icb_pool shared_rx;
	struct vb_wr *op;
	struct vb_wr *notify_wr;
	struct icb_place *tx_place;
	struct vb_sge *tx_sge;
	struct vb_sge *cut_sge;
	unsigned int most_sges;
	struct icb_place *rx_place;
	struct vb_sge *rx_sge;
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
	struct vb_qp *ibqp;
	struct icb_cqs *cqs;
	struct vb_cqe tx_cqe;
	struct vb_cqe rx_cqe;
	struct vb_cqe *op_cqe;
	struct vb_wr *op;
	u32 to;
	bool up;
	struct vb_recv_wr *rx_wr;
	unsigned int rx_used;
	u32 rx_buffer;
	u32 index;

	struct vb_cqe settle_cqe;
	struct vb_cqe sq_cqe;
	struct vb_cqe rq_cqe;
	bool settling;
	bool sq_ends;
	bool rq_ends;

	u64 credit;
	u32 grants_pending;
	u32 grants;
	struct vb_cqe grant_cqe;
};

/**
 * struct icb_pieces - arrivals of pieces, where messages are striped
 * @sent: completed pieces of this side's messages
 * @arrived: pieces of the peer's messages that have arrived
 */
struct icb_pieces {
	struct icb_stripes sent;
	struct icb_stripes arrived;
};

/* A work request whose Q_Key has this bit uses the Q_Key of its QP instead. */
#define ICB_QKEY_PRIVILEGED	BIT(31)

/**
 * struct icb_ud - addresses and memory that datagrams need
 * @qkey: Q_Key that the peer needs to send datagrams to this side
 * @ah: address handle of the peer
 * @grh: page for the GRH in front of a datagram's payload; never read
 * @grh_dma: DMA address of @grh
 */
struct icb_ud {
	u32 qkey;
	struct vb_ah *ah;
	void *grh;
	u64 grh_dma;
};

/**
 * struct icb_posting - operations of the QP that is posted to
 * @op: operations: one, or as many as a batch has
 * @notify_wr: for each operation, the empty send that is posted behind it; NULL for none
 * @place: buffers of operations, on the device that is posted to
 * @report_wr: empty send that notifies the peer of the writes before it
 * @signals: signaled work requests whose completions icb_ep_check() has not taken
 * @settled: true once icb_ep_settle() was called
 */
struct icb_posting {
	struct vb_wr *op;
	struct vb_wr *notify_wr;
	struct icb_place *place;
	struct vb_wr report_wr;
	unsigned int signals;
	bool settled;
};

/**
 * struct icb_receiving - receives of all QPs
 * @wr: receives, linked in groups of &icb_plan.rx_batch
 * @next: buffer of the receive that is posted next, where there is one QP
 */
struct icb_receiving {
	struct vb_recv_wr *wr;
	struct icb_buffers next;
};

/**
 * struct icb_sges - SGEs of work requests
 * @send: number of SGEs that a send work request may have
 * @recv: number of SGEs that a receive may have, without that of the GRH
 */
struct icb_sges {
	u32 send;
	u32 recv;
};

/**
 * struct icb_ep - one side of the data connections of a run
 * @params: parameters of the run
 * @qp: QPs of this endpoint
 * @tx_at: QP that operations are posted to
 * @rx_at: QP that the next message is expected on, or that the next receive is posted to
 * @cqs: CQs; each entry is shared by &icb_plan.qps_per_pair QPs, the last one perhaps by
 *	fewer
 * @poll_index: index in @cqs of the receive CQ that is polled next
 * @ibqp: first QP; also the QP of timed calls
 * @rcq: receive CQ of the first QP
 * @scq: send CQ of the first QP
 * @wc: completions taken by the last poll
 * @post: operations of the QP that is posted to
 * @recv: receives of all QPs
 * @pieces: arrivals of pieces of striped messages
 * @consumer: run that is notified of completions
 * @calls: state of a verb that times calls; else NULL
 * @conn: first data connection; with datagrams, the control connection
 * @abort: abort of the side
 * @ud: addresses and memory that datagrams need
 * @sges: SGEs of work requests
 * @tx: transmit buffers
 * @rx: receive buffers
 * @own: state of the provider; the first member that icb_ep_destroy() does not clear as a
 *	whole
 * @rail: devices of this endpoint
 * @plan: roles, depths and sizes; icb_ep_create() sets it before it allocates anything
 */
struct icb_ep {
	const struct icb_params *params;
	struct icb_qp *qp;
	struct icb_qp *tx_at;
	struct icb_qp *rx_at;
	struct icb_cqs *cqs;
	unsigned int poll_index;
	struct vb_qp *ibqp;
	struct vb_cq *rcq;
	struct vb_cq *scq;
	struct vb_wc wc[ICB_EP_TAKE];
	struct icb_posting post;
	struct icb_receiving recv;
	struct icb_pieces pieces;
	struct icb_consumer *consumer;
	struct icb_calls *calls;
	struct icb_conn *conn;
	struct icb_abort *abort;
	struct icb_ud ud;
	struct icb_sges sges;
	struct icb_pool tx;
	struct icb_pool rx;

	struct vb_state own;
	struct icb_rail *rail;
	const struct icb_plan plan;
};

#endif /* ICB_EP_TYPES_H */
