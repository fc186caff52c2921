// SPDX-License-Identifier: GPL-2.0
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include "cm/conn.h"
#include "cqs.h"
#include "drain.h"
#include "host/poll.h"
#include "qp.h"
#include "types.h"
#include "verbs/verbs.h"

/* Time during which a drain polls often, and longest duration of a drain, ns. */
#define DRAIN_HURRY_NS	(100 * NSEC_PER_MSEC)
#define DRAIN_NS	(5 * NSEC_PER_SEC)

/* Longest wait of icb_ep_settle() for posted work requests. */
#define SETTLE_NS	(100 * NSEC_PER_MSEC)

static void settle_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct icb_qp *qp = container_of(wc->wr_cqe, struct icb_qp,
					     settle_cqe);

	WRITE_ONCE(qp->settling, false);
}

static void settle(struct icb_qp *qp)
{
	struct ib_rdma_wr wr = {
		.wr.opcode = IB_WR_RDMA_WRITE,
		.wr.wr_cqe = &qp->settle_cqe,
		.wr.send_flags = IB_SEND_SIGNALED,
	};

	if (!qp->ibqp || !icb_conn_connected(qp->conn))
		return;
	qp->settle_cqe.done = settle_done;
	qp->settling = true;
	if (ib_post_send(qp->ibqp, &wr.wr, NULL))
		WRITE_ONCE(qp->settling, false);
}

/* Wait until the callbacks that are running have returned. */
static void wait_callbacks(const struct icb_ep *ep)
{
	struct ib_cq *cq = ep->rcq;

	if (!ep->plan.callbacks)
		return;
	if (cq->poll_ctx == IB_POLL_WORKQUEUE)
		flush_work(&cq->work);
	else
		synchronize_rcu();
}

static bool is_settled(const struct icb_qp *qp)
{
	return !READ_ONCE(qp->settling);
}

/*
 * Take completions until they make no more QPs done. *first is the first QP that was not
 * done so far. Returns true if all QPs are done.
 */
static bool all_done(struct icb_ep *ep, unsigned int *first,
		     bool (*done)(const struct icb_qp *qp))
{
	while (*first < ep->plan.qps) {
		if (!done(&ep->qp[*first]))
			icb_ep_take_all(ep);
		if (!done(&ep->qp[*first]))
			return false;
		(*first)++;
	}
	return true;
}

/**
 * icb_ep_settle() - wait until all work requests that this side has posted complete
 * @ep: endpoint, whose run is over
 *
 * A side that stops in mid-run has operations in flight that the peer has yet to serve.
 * The peer may be notified of the end only after these operations: from then on the peer
 * invalidates its memory and destroys its QPs, and rxe (of Linux 6.12) never leaves its
 * loop if its QP breaks while it serves an RDMA read. An empty write completes after all
 * operations before it. The peer serves no datagrams: with these only a callback that is
 * posting is waited for. Waits for a bounded time. May sleep.
 */
void icb_ep_settle(struct icb_ep *ep)
{
	unsigned long until = jiffies + icb_conn_jiffies(SETTLE_NS);
	unsigned int i;

	if (!ep->ibqp || !ep->plan.posts || ep->post.settled)
		return;
	ep->post.settled = true;
	if (ep->plan.datagrams) {
		wait_callbacks(ep);
		return;
	}
	for (i = 0; i < ep->plan.qps; i++)
		settle(&ep->qp[i]);
	i = 0;
	icb_poll_until(all_done(ep, &i, is_settled), until, 20, 100);
}

static void sq_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct icb_qp *qp = container_of(wc->wr_cqe, struct icb_qp,
					     sq_cqe);

	WRITE_ONCE(qp->sq_ends, true);
}

static void rq_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct icb_qp *qp = container_of(wc->wr_cqe, struct icb_qp,
					     rq_cqe);

	WRITE_ONCE(qp->rq_ends, true);
}

/* Return true if work requests may have been posted that have to complete. */
static bool is_up(const struct icb_qp *qp)
{
	if (!qp->ibqp)
		return false;
	return qp->ep->plan.datagrams ? qp->up :
				     icb_conn_connected(qp->conn);
}

/* A datagram QP without an address handle has posted nothing, and cannot post now. */
static int post_last(struct icb_qp *qp)
{
	struct vb_wr last = {
		.send.opcode = IB_WR_RDMA_WRITE,
		.send.wr_cqe = &qp->sq_cqe,
		.send.send_flags = IB_SEND_SIGNALED,
	};

	if (qp->ep->plan.datagrams) {
		if (!qp->ep->ud.ah)
			return -ENOTCONN;
		last.send.opcode = IB_WR_SEND;
		last.ud.ah = qp->ep->ud.ah;
		last.ud.remote_qpn = qp->to;
	}
	return vb_post_send(qp->ibqp, &last);
}

/*
 * Begin to drain a QP, as ib_drain_qp() does; wait_drained() waits for all QPs together.
 * ib_drain_qp() polls a CQ of IB_POLL_DIRECT only every 100 ms.
 */
static void close_qp(struct icb_qp *qp)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };
	struct ib_recv_wr rwr = { .wr_cqe = &qp->rq_cqe };

	qp->sq_cqe.done = sq_done;
	qp->rq_cqe.done = rq_done;
	/* the control connection still has messages to send */
	if (qp->ibqp && !qp->ep->plan.datagrams)
		icb_conn_close(qp->conn);
	if (!is_up(qp) || ib_modify_qp(qp->ibqp, &attr, IB_QP_STATE)) {
		WRITE_ONCE(qp->sq_ends, true);
		WRITE_ONCE(qp->rq_ends, true);
		return;
	}
	/* a callback may run before the post returns: only a failure sets this here */
	if (post_last(qp))
		WRITE_ONCE(qp->sq_ends, true);
	if (ib_post_recv(qp->ibqp, &rwr, NULL))
		WRITE_ONCE(qp->rq_ends, true);
}

static bool is_drained(const struct icb_qp *qp)
{
	return READ_ONCE(qp->sq_ends) && READ_ONCE(qp->rq_ends);
}

/*
 * Wait until all posted work requests have completed. A completion that is missing at the
 * end of the wait never arrives: destroying the QP ends its work request, and nothing
 * that the work request refers to is freed before that.
 */
static void wait_drained(struct icb_ep *ep)
{
	unsigned long until = jiffies + icb_conn_jiffies(DRAIN_NS);
	unsigned long hurry = jiffies + icb_conn_jiffies(DRAIN_HURRY_NS);
	unsigned int i = 0;

	if (!icb_poll_until(all_done(ep, &i, is_drained), hurry, 20, 100))
		icb_poll_until(all_done(ep, &i, is_drained), until, 1000, 5000);
}

/**
 * icb_ep_drain() - end the data connections and wait for all posted work requests
 * @ep: the endpoint
 *
 * May sleep, for a bounded time.
 */
void icb_ep_drain(struct icb_ep *ep)
{
	icb_ep_each_qp(ep, close_qp);
	wait_drained(ep);
}
