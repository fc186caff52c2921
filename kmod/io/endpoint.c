// SPDX-License-Identifier: GPL-2.0
#include "callbacks.h"
#include "completion.h"
#include "credit.h"
#include "endpoint.h"
#include "host/cause.h"
#include "model/derived.h"
#include "model/verbs_table.h"
#include "plan.h"
#include "post_one.h"
#include "rail.h"
#include "receives.h"
#include "requests.h"
#include "verbs/provider.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

/**
 * icb_ep_add() - create one QP of an endpoint and post its receives
 * @ep: endpoint of icb_ep_create()
 * @index: index of the QP
 * @conn: connection that is resolved or requested, and not connected yet; with datagrams,
 *	the side's control connection
 * @why: the reason of a failure
 *
 * The first QP on a device also sets up all else that the device needs. May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_add(struct icb_ep *ep, unsigned int index, struct icb_conn *conn,
	       struct icb_reason *why)
{
	struct icb_qp *qp = &ep->qp[index];
	struct icb_rail *rail = qp->rail;
	int err = 0;

	if (!rail->dev)
		err = icb_ep_open_rail(ep, rail, conn, why);
	else if (!icb_ep_attached(rail, conn))
		err = icb_refuse(why, -EPROTO,
				 "data connections of one device arrived on two devices");
	if (err)
		return err;
	if (!rail->reg)
		rail->reg = qp;
	qp->conn = conn;
	qp->op = rail->op + (ep->plan.datagrams ? index * ep->plan.ops : 0);
	/* the operations of this device exist only from now on */
	if (ep->plan.channels && qp == ep->tx_at)
		icb_ep_send_on(ep, index);
	err = icb_ep_create_qp(qp, why);
	if (err)
		return err;
	/* where buffers are regions, icb_ep_register() posts the receives */
	if (ep->plan.credit_explicit)
		err = icb_ep_credits_open(qp);
	else if (!ep->plan.regions)
		err = icb_ep_post_recvs(qp);
	return err ? icb_refuse(why, err, "posting receives failed: %s (%d)",
				icb_cause_of_device(err), err) : 0;
}

/* QPs of one device share CQs; where there are several devices, each has a pair. */
static int create_cqs(struct icb_ep *ep, struct icb_reason *why)
{
	unsigned int i;

	ep->cqs = vb_alloc(ep->plan.pairs, sizeof(*ep->cqs));
	if (!ep->cqs)
		return icb_refuse(why, -ENOMEM, "no memory for CQs");
	for (i = 0; i < ep->plan.qps; i++)
		ep->qp[i].cqs = &ep->cqs[ep->plan.rails > 1 ? i % ep->plan.rails :
							   i / ep->plan.qps_per_pair];
	i = icb_ep_create_cqs(ep, ep->rail, why);
	ep->scq = ep->cqs->scq;
	ep->rcq = ep->cqs->rcq;
	return i;
}

static int create_qps(struct icb_ep *ep, const struct icb_params *params,
		      bool responder)
{
	/* a ping-pong waits for its own completions in the way it waits for arrivals */
	bool passive = icb_verb_of(params)->passive &&
		       !icb_params_windowed(params);
	struct icb_qp *qp;
	unsigned int i;

	ep->qp = vb_alloc(ep->plan.qps, sizeof(*ep->qp));
	if (!ep->qp)
		return -ENOMEM;
	for (i = 0; i < ep->plan.qps; i++) {
		qp = &ep->qp[i];
		qp->ep = ep;
		qp->rail = &ep->rail[i % ep->plan.rails];
		qp->index = i;
		qp->tx_cqe.done = icb_ep_send_done;
		qp->grant_cqe.done = icb_ep_grant_done;
		qp->credit = ep->plan.credits.ahead;
		qp->rx_cqe.done = ep->plan.idle ? icb_ep_sentinel_done :
					       icb_ep_recv_done;
		qp->op_cqe = passive ? &qp->rx_cqe : &qp->tx_cqe;
	}
	ep->tx_at = &ep->qp[ep->plan.channels && responder];
	ep->rx_at = &ep->qp[ep->plan.channels && !responder];
	return 0;
}

/**
 * icb_ep_create() - create an endpoint on a connection that is not connected yet
 * @ep: the endpoint, zeroed
 * @conn: connection that is resolved or requested, with an abort; with datagrams, as for
 *	icb_ep_add()
 * @pd: protection domain of the QPs on the first device
 * @params: parameters of the run
 * @cpu: CPU of the polling thread; selects the completion vector
 * @responder: true on the responder
 * @why: the reason of a failure
 *
 * Creates the buffers, the CQs and the first QP, and posts its receives. icb_ep_add()
 * creates the other QPs, except those of datagrams, which are all created here. May
 * sleep. To be undone by icb_ep_destroy(), also after a failure.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_create(struct icb_ep *ep, struct icb_conn *conn, struct vb_pd *pd,
		  const struct icb_params *params, unsigned int cpu,
		  bool responder, struct icb_reason *why)
{
	struct icb_facts facts;
	unsigned int i;
	int err;

	icb_ep_facts(conn, cpu, &facts);
	/* the only place that writes the plan */
	icb_ep_make_plan((struct icb_plan *)&ep->plan, params, &facts, responder);
	ep->rail = vb_alloc(ep->plan.rails, sizeof(*ep->rail));
	if (!ep->rail)
		return icb_refuse(why, -ENOMEM, "no memory");
	ep->conn = conn;
	ep->params = params;
	ep->pieces.sent.count = ep->plan.rails;
	ep->pieces.arrived.count = ep->plan.rails;
	ep->sges.send = 1;
	ep->sges.recv = 1;
	if (icb_params_has(params, ICBENCH_A_PARAMS_MAX_SGES)) {
		ep->sges.send = params->max_sges;
		ep->sges.recv = params->max_sges;
	}
	vb_wr_set_opcode(&ep->post.report_wr, VB_WR_SEND);
	err = icb_ep_attach_first(ep, conn, pd, responder, why);
	if (err)
		return err;
	err = create_qps(ep, params, responder);
	if (!err)
		err = icb_ep_prepare_sends(ep, ep->rail);
	/* a verb that times calls only posts receives, with as many SGEs as its sends */
	if (icb_verb_of(params)->calls)
		ep->sges.recv = ep->sges.send;
	if (!err && ep->plan.receives)
		err = icb_ep_prepare_rx_places(ep, ep->rail);
	if (!err && ep->plan.receives)
		err = icb_ep_prepare_recvs(ep, params);
	if (err)
		return icb_refuse(why, err, "no memory for work requests");
	ep->post.op = ep->rail->op;
	ep->post.notify_wr = ep->rail->notify_wr;
	vb_wr_set_cqe(&ep->post.report_wr, &ep->qp->tx_cqe);
	ep->post.place = ep->rail->tx_place;
	err = create_cqs(ep, why);
	if (!err)
		err = icb_ep_add(ep, 0, conn, why);
	if (err)
		return err;
	ep->ibqp = ep->qp->ibqp;
	for (i = 1; ep->plan.datagrams && i < ep->plan.qps && !err; i++)
		err = icb_ep_add(ep, i, conn, why);
	return err;
}

/**
 * icb_ep_destroy() - destroy an endpoint
 * @ep: the endpoint; nothing happens if icb_ep_create() was not called
 *
 * When it returns, no callback runs any more, and the peer can access no memory: see
 * icb_ep_detach(). May sleep. The first connection remains, without a QP. So do the
 * devices, until icb_ep_release().
 */
void icb_ep_destroy(struct icb_ep *ep)
{
	unsigned int i;

	if (!ep->conn)
		return;
	icb_ep_detach(ep);
	for (i = 0; i < ep->plan.rails; i++)
		icb_ep_free_rail(&ep->rail[i]);
	vb_free(ep->cqs);
	vb_free(ep->recv.wr);
	vb_free(ep->qp);
	memset(ep, 0, offsetof(struct icb_ep, own));
}
