// SPDX-License-Identifier: GPL-2.0
/*
 * Credit: over iWARP a message that finds no receive breaks the connection; over RoCE it
 * would wait. A send completion means only that the local host has taken the message. So
 * a side that streams posts no more messages than the peer has receives for, as far as
 * this side can compute. model/credits.h computes this number.
 *
 * The side that takes a stream grants credit by an empty message, one for each
 * &icb_credits.each messages that it has taken. The sender has receives of its own for
 * these grants, and never needs more, because no more can be granted than it has sent.
 * Where streams cross, nothing is granted: each message that arrives from the peer counts
 * as credit.
 */
#include "completion.h"
#include "credit.h"
#include "host/abort.h"
#include "post_one.h"
#include "receives.h"
#include "verbs/verbs.h"

static int post_hearing(struct icb_qp *qp)
{
	struct vb_recv_wr wr = {};

	vb_recv_set_cqe(&wr, &qp->rx_cqe);
	return vb_post_recv(qp->ibqp, &wr);
}

/**
 * icb_ep_credits_open() - post the receives for the grant messages of a QP
 * @qp: the QP
 *
 * Return: 0; the device's negative error number.
 */
int icb_ep_credits_open(struct icb_qp *qp)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ICB_CREDITS_HEARD && !err; i++)
		err = post_hearing(qp);
	return err;
}

/* The QP that gets the credit of messages on @qp; with channels, the QP that sends. */
static struct icb_qp *sender(const struct icb_ep *ep, struct icb_qp *qp)
{
	return ep->plan.channels ? ep->tx_at : qp;
}

/* One thread, or callbacks of one CQ, add credit; a timer's handler may read it. */
static void give(struct icb_qp *qp, u32 more)
{
	WRITE_ONCE(qp->credit, qp->credit + more);
}

/**
 * icb_ep_has_credit() - check that the peer has a receive for an operation
 * @ep: endpoint of a stream that needs credit
 * @qp: index of the QP to post to; a striped message goes to all QPs
 * @number: number of the operation on its QP, from 1
 *
 * Return: false if the peer may have no receive, as far as this side can tell.
 */
bool icb_ep_has_credit(const struct icb_ep *ep, u32 qp, u64 number)
{
	unsigned int i;

	if (!ep->plan.striped)
		return number <= READ_ONCE(sender(ep, &ep->qp[qp])->credit);
	for (i = 0; i < ep->plan.qps; i++)
		if (number > READ_ONCE(ep->qp[i].credit))
			return false;
	return true;
}

/**
 * icb_ep_take_grant() - take a grant of the peer
 * @ep: endpoint that is granted credit
 * @wc: the completion of a receive
 *
 * Return: 0; a negative error number.
 */
int icb_ep_take_grant(struct icb_ep *ep, const struct vb_wc *wc)
{
	int err = icb_ep_check_recv(ep, wc);
	struct icb_qp *qp;

	if (err)
		return err;
	qp = container_of(vb_wc_cqe(wc), struct icb_qp, rx_cqe);
	give(sender(ep, qp), ep->plan.credits.each);
	return post_hearing(qp);
}

/**
 * icb_ep_grant_done() - handle the completion of a grant message
 * @cq: CQ of the completion
 * @wc: the completion
 *
 * Ignores a failure: the receives fail as well.
 */
void icb_ep_grant_done(struct vb_cq *cq, struct vb_wc *wc)
{
	container_of(vb_wc_cqe(wc), struct icb_qp, grant_cqe)->grants--;
}

static int post_grant(struct icb_qp *qp)
{
	int err;

	qp->grants++;
	if (!qp->ep->plan.bh)
		return icb_ep_post_empty(qp->ibqp, &qp->grant_cqe);
	vb_bh_disable();
	err = icb_ep_post_empty(qp->ibqp, &qp->grant_cqe);
	vb_bh_enable();
	return err;
}

/* Count a message that was taken, and send a grant if it is due. */
static int grant(struct icb_qp *qp)
{
	struct icb_ep *ep = qp->ep;

	if (++qp->grants_pending < ep->plan.credits.each)
		return 0;
	qp->grants_pending = 0;
	/* a side that only grants takes no completions of this CQ elsewhere */
	vb_process(qp->cqs->scq);
	if (qp->grants < ICB_CREDITS_GRANTS)
		return post_grant(qp);
	icb_abort_run(ep->abort, -EPROTO, "the peer sends more than was granted");
	return -EPROTO;
}

static int refill(struct icb_qp *qp)
{
	struct icb_ep *ep = qp->ep;
	int err = icb_ep_refill_qp(ep, qp);

	if (!err && ep->plan.credit_implicit)
		give(sender(ep, qp), 1);
	if (!err && ep->plan.grants)
		err = grant(qp);
	return err;
}

/**
 * icb_ep_refill_sorted() - icb_ep_refill() of messages that are striped or use credit
 * @ep: the endpoint
 *
 * Return: 0; a negative error number.
 */
int icb_ep_refill_sorted(struct icb_ep *ep)
{
	unsigned int i;
	int err = 0;

	if (!ep->plan.striped)
		return refill(ep->rx_at);
	for (i = 0; i < ep->plan.qps && !err; i++)
		err = refill(&ep->qp[i]);
	return err;
}
