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
#include "verbs/verbs.h"

/* Completions of several QPs that a work queue serves before it sleeps. */
#define SERVED		256

/* Bytes that a work queue fills and checks before it sleeps. */
#define YIELD_BYTES	((u64)ICB_CALLBACK_BYTES * ICB_CALLBACKS_IN_ROW)

/*
 * Return true if a completion is for the callbacks of a run. A polled completion gets
 * here only from the drain, and a completion that is flushed after a stop is for no
 * callback.
 */
static bool is_driven(const struct icb_ep *ep, const struct vb_wc *wc)
{
	const struct icb_consumer *consumer = READ_ONCE(ep->consumer);

	return ep->plan.callbacks && consumer &&
	       (READ_ONCE(consumer->phase) != ICB_PHASE_OVER ||
		READ_ONCE(consumer->listens)) &&
	       (vb_wc_ok(wc) || !READ_ONCE(consumer->stop));
}

/*
 * Completions keep ksoftirqd busy as long as a stream lasts, and RCU waits for ksoftirqd
 * to yield. The kernel reports quiescent states of ksoftirqd, but not with PREEMPT_RT.
 */
static void let_rcu_pass(struct icb_ep *ep)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && !(++ep->serve.served % SERVED) &&
	    icb_ep_is_ksoftirqd(current))
		rcu_note_voluntary_context_switch(current);
}

/* Sleep now and then, so that other work of the queue can run. */
static noinline void yield_queue(struct icb_ep *ep)
{
	ep->serve.handled_bytes += ep->plan.callback_bytes;
	if (ep->serve.handled_bytes < YIELD_BYTES &&
	    (ep->plan.qps == 1 || ++ep->serve.served % SERVED)) {
		cond_resched_tasks_rcu_qs();
		return;
	}
	ep->serve.handled_bytes = 0;
	usleep_range(20, 100);
}

/*
 * A work item serves its CQ as long as there are completions: with many QPs, or with many
 * bytes to check, for long. The peer's CQ may be the next item in the queue of this CPU.
 * It is not served before this item sleeps: without sleeping, this item might never end.
 */
static void let_others_run(struct icb_ep *ep, const struct vb_cq *cq)
{
	if (cq->poll_ctx != IB_POLL_WORKQUEUE) {
		let_rcu_pass(ep);
		return;
	}
	if (ep->plan.yields)
		yield_queue(ep);
	else
		cond_resched_tasks_rcu_qs();
}

/**
 * icb_ep_recv_done() - handle the completion of a receive, or of an operation like one
 * @cq: CQ of the completion
 * @wc: the completion; icb_ep_is_recv() recognizes it by this function
 */
void icb_ep_recv_done(struct vb_cq *cq, struct vb_wc *wc)
{
	struct icb_ep *ep =
		container_of(vb_wc_cqe(wc), struct icb_qp, rx_cqe)->ep;
	struct icb_consumer *consumer = READ_ONCE(ep->consumer);
	int err = 0;

	if (!is_driven(ep, wc))
		return;
	vb_wc_set_cqe(&ep->wc[0], vb_wc_cqe(wc));
	if (unlikely(ep->plan.credit_explicit)) {
		consumer->ops->heard(consumer,
				     min(icb_ep_take_grant(ep, wc), 0));
		let_others_run(ep, cq);
		return;
	}
	if (unlikely(ep->plan.numbered || ep->plan.sized))
		vb_wc_copy(&ep->wc[0], wc);
	if (icb_ep_is_wrong(ep, wc))
		err = icb_ep_failed(ep, wc);
	consumer->ops->arrived(consumer, err);
	let_others_run(ep, cq);
}

/**
 * icb_ep_send_done() - handle the completion of a send work request
 * @cq: CQ of the completion
 * @wc: the completion
 */
void icb_ep_send_done(struct vb_cq *cq, struct vb_wc *wc)
{
	struct icb_ep *ep =
		container_of(vb_wc_cqe(wc), struct icb_qp, tx_cqe)->ep;
	struct icb_consumer *consumer = READ_ONCE(ep->consumer);
	int err = 0;

	if (!is_driven(ep, wc) || !consumer->ops->completed ||
	    READ_ONCE(consumer->phase) == ICB_PHASE_OVER)
		return;
	vb_wc_set_cqe(&ep->wc[0], vb_wc_cqe(wc));
	if (!vb_wc_ok(wc))
		err = icb_ep_failed(ep, wc);
	consumer->ops->completed(consumer, err);
	let_others_run(ep, cq);
}

/**
 * icb_ep_sentinel_done() - handle the completion of the receive of an idle side
 * @cq: CQ of the completion
 * @wc: the completion
 *
 * An idle side has this one receive so that it is notified when its connection breaks.
 */
void icb_ep_sentinel_done(struct vb_cq *cq, struct vb_wc *wc)
{
	struct icb_qp *qp =
		container_of(vb_wc_cqe(wc), struct icb_qp, rx_cqe);

	if (!READ_ONCE(qp->conn->closing))
		icb_ep_failed(qp->ep, wc);
}
