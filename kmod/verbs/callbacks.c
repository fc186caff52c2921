// SPDX-License-Identifier: GPL-2.0
#include <linux/delay.h>
#include <linux/sched.h>

#include "callbacks.h"
#include "cm/conn.h"
#include "completion.h"
#include "credit.h"
#include "events.h"
#include "model/callbacks.h"
#include "model/consumer.h"
#include "types.h"

/* Completions of several QPs that a work queue serves in a row. */
#define SERVED		256

/* Bytes that it fills and checks in a row. */
#define YIELD_BYTES	((u64)ICB_CALLBACK_BYTES * ICB_CALLBACKS_IN_ROW)

/*
 * Whether a completion is for the callbacks of a run. Polled ones come here only
 * from the drain, and what is flushed after a stop is nobody's.
 */
static bool is_driven(const struct icb_ep *ep, const struct ib_wc *wc)
{
	const struct icb_consumer *consumer = READ_ONCE(ep->consumer);

	return ep->callbacks && consumer &&
	       (READ_ONCE(consumer->phase) != ICB_PHASE_OVER ||
		READ_ONCE(consumer->listens)) &&
	       (wc->status == IB_WC_SUCCESS || !READ_ONCE(consumer->stop));
}

/*
 * Completions keep ksoftirqd busy as long as a stream goes on, and RCU waits for it to
 * give way. It says itself that it holds nothing, but not where preemption is real-time.
 */
static void let_rcu_pass(struct icb_ep *ep)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && !(++ep->served % SERVED) &&
	    icb_ep_is_ksoftirqd(current))
		rcu_note_voluntary_context_switch(current);
}

/* Whoever else waits for the queue has its turn while this one sleeps. */
static noinline void yield_queue(struct icb_ep *ep)
{
	ep->handled += ep->callback_bytes;
	if (ep->handled < YIELD_BYTES &&
	    (ep->qps == 1 || ++ep->served % SERVED)) {
		cond_resched_tasks_rcu_qs();
		return;
	}
	ep->handled = 0;
	usleep_range(20, 100);
}

/*
 * A work queue goes on while there are completions: with many QPs, or many bytes to look
 * at, for long. And the other side's CQ may be the next one in the same queue of the same
 * CPU, which is not served before this one sleeps: while it does not, it has no end.
 */
static void let_others_run(struct icb_ep *ep, const struct ib_cq *cq)
{
	if (cq->poll_ctx != IB_POLL_WORKQUEUE) {
		let_rcu_pass(ep);
		return;
	}
	if (ep->yields)
		yield_queue(ep);
	else
		cond_resched_tasks_rcu_qs();
}

/**
 * icb_ep_recv_done() - a receive has completed, or what is taken for one
 * @cq: where
 * @wc: the completion; tells by this function what it is
 */
void icb_ep_recv_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct icb_ep *ep =
		container_of(wc->wr_cqe, struct icb_qp, rx_cqe)->ep;
	struct icb_consumer *consumer = READ_ONCE(ep->consumer);
	int err = 0;

	if (!is_driven(ep, wc))
		return;
	ep->wc[0].wr_cqe = wc->wr_cqe;
	if (unlikely(ep->credit_explicit)) {
		consumer->ops->heard(consumer,
				     min(icb_ep_take_grant(ep, wc), 0));
		let_others_run(ep, cq);
		return;
	}
	if (unlikely(ep->numbered || ep->sized)) {
		ep->wc[0].wc_flags = wc->wc_flags;
		ep->wc[0].ex = wc->ex;
		ep->wc[0].byte_len = wc->byte_len;
		ep->wc[0].src_qp = wc->src_qp;
	}
	if (icb_ep_is_wrong(ep, wc))
		err = icb_ep_failed(ep, wc);
	consumer->ops->arrived(consumer, err);
	let_others_run(ep, cq);
}

/**
 * icb_ep_send_done() - a work request has completed
 * @cq: where
 * @wc: the completion; tells by this function what it is
 */
void icb_ep_send_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct icb_ep *ep =
		container_of(wc->wr_cqe, struct icb_qp, tx_cqe)->ep;
	struct icb_consumer *consumer = READ_ONCE(ep->consumer);
	int err = 0;

	if (!is_driven(ep, wc) || !consumer->ops->completed ||
	    READ_ONCE(consumer->phase) == ICB_PHASE_OVER)
		return;
	ep->wc[0].wr_cqe = wc->wr_cqe;
	if (wc->status != IB_WC_SUCCESS)
		err = icb_ep_failed(ep, wc);
	consumer->ops->completed(consumer, err);
	let_others_run(ep, cq);
}

/**
 * icb_ep_sentinel_done() - the receive of a side that does nothing has completed
 * @cq: where
 * @wc: the completion
 *
 * By this one receive it is told that its connection has broken.
 */
void icb_ep_sentinel_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct icb_qp *qp =
		container_of(wc->wr_cqe, struct icb_qp, rx_cqe);

	if (!READ_ONCE(qp->conn->closing))
		icb_ep_failed(qp->ep, wc);
}
