// SPDX-License-Identifier: GPL-2.0
#include "model/buffers.h"
#include "model/params.h"
#include "places.h"
#include "receives.h"
#include "verbs/provider.h"
#include "verbs/verbs.h"

/**
 * icb_ep_set_recv_buffers() - assign the next buffers to the receives that one call posts
 * @qp: QP of the receives
 *
 * Several QPs get messages in turn, in the order of the buffers, so a QP takes every n-th
 * buffer. A single receiving QP takes all buffers.
 */
void icb_ep_set_recv_buffers(struct icb_qp *qp)
{
	struct icb_ep *ep = qp->ep;
	bool turns = ep->plan.qps > 1 && !ep->plan.channels;
	const struct icb_place *place;
	struct vb_recv_wr *wr;

	for (wr = qp->rx_wr; wr; wr = vb_recv_next(wr)) {
		place = &qp->rail->rx_place[turns ? qp->rx_buffer :
						      ep->recv.next.index];
		vb_recv_set_local(wr, place->sge, place->num_sge);
		icb_buffers_next(&ep->recv.next);
		qp->rx_buffer += ep->plan.rx_step;
		if (qp->rx_buffer >= ep->rx.count)
			qp->rx_buffer -= ep->rx.count;
	}
}

/**
 * icb_ep_prepare_rx_places() - describe the buffers of receives
 * @ep: the endpoint
 * @rail: device of the receives
 *
 * May sleep.
 *
 * Return: 0; -ENOMEM.
 */
int icb_ep_prepare_rx_places(struct icb_ep *ep, struct icb_rail *rail)
{
	int err = icb_ep_make_places(ep, rail, rail->rx, false, false,
				     ep->plan.datagrams, &rail->rx_place,
				     &rail->rx_sge);

	if (!err)
		ep->sges.recv = max_t(u32, ep->sges.recv,
				      icb_ep_most_sges(ep, rail->rx));
	return err;
}

/**
 * icb_ep_prepare_recvs() - prepare the receives of all QPs
 * @ep: endpoint, whose QPs and buffers are set up
 * @params: parameters of the run
 *
 * May sleep.
 *
 * Return: 0; -ENOMEM.
 */
int icb_ep_prepare_recvs(struct icb_ep *ep, const struct icb_params *params)
{
	struct vb_recv_wr *wr;
	unsigned int i, j;

	ep->recv.wr = vb_alloc((size_t)ep->plan.qps * ep->plan.rx_batch,
			       sizeof(*ep->recv.wr));
	if (!ep->recv.wr)
		return -ENOMEM;
	for (i = 0; i < ep->plan.qps; i++) {
		wr = &ep->recv.wr[(size_t)i * ep->plan.rx_batch];
		ep->qp[i].rx_wr = wr;
		ep->qp[i].rx_buffer = i % ep->rx.count;
		for (j = 0; j < ep->plan.rx_batch; j++) {
			vb_recv_set_cqe(&wr[j], &ep->qp[i].rx_cqe);
			if (j + 1 < ep->plan.rx_batch)
				vb_recv_link(&wr[j], &wr[j + 1]);
		}
	}
	/* an answer to a window is empty, and takes one buffer whatever the window has */
	if (ep->rx.count > 1)
		icb_buffers_start(&ep->recv.next, params);
	else
		icb_buffers_none(&ep->recv.next);
	return 0;
}

/**
 * icb_ep_post_recvs() - post the first receives of a QP
 * @qp: the QP, which does not wait for grants
 *
 * Return: 0; the device's negative error number.
 */
int icb_ep_post_recvs(struct icb_qp *qp)
{
	struct icb_ep *ep = qp->ep;
	struct vb_recv_wr sentinel = {};
	unsigned int i;
	int err = 0;

	if (ep->plan.channels && qp != ep->rx_at)
		return 0;
	/* without a connection none can break, and a datagram would use the receive */
	if (ep->plan.idle) {
		vb_recv_set_cqe(&sentinel, &qp->rx_cqe);
		return ep->plan.datagrams ? 0 : vb_post_recv(qp->ibqp, &sentinel);
	}
	for (i = 0; ep->plan.receives && i < ep->plan.rx_groups && !err; i++) {
		icb_ep_set_recv_buffers(qp);
		err = vb_post_recv(qp->ibqp, qp->rx_wr);
	}
	return err;
}
