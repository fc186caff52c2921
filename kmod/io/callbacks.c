// SPDX-License-Identifier: GPL-2.0
#include "callbacks.h"
#include "completion.h"
#include "credit.h"
#include "model/consumer.h"
#include "verbs/provider.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

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

	if (!is_driven(ep, wc))
		return;
	vb_wc_set_cqe(&ep->wc[0], vb_wc_cqe(wc));
	if (unlikely(ep->plan.credit_explicit)) {
		consumer->ops->heard(consumer, icb_ep_take_grant(ep, wc));
		icb_ep_callback_yield(ep, cq);
		return;
	}
	if (unlikely(ep->plan.numbered || ep->plan.sized))
		vb_wc_copy(&ep->wc[0], wc);
	consumer->ops->arrived(consumer, icb_ep_check_recv(ep, wc));
	icb_ep_callback_yield(ep, cq);
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
	icb_ep_callback_yield(ep, cq);
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

	if (!icb_ep_closing(qp))
		icb_ep_failed(qp->ep, wc);
}
