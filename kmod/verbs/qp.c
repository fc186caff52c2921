// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "cm/conn.h"
#include "cm/link.h"
#include "cm/name.h"
#include "compat.h"
#include "host/cause.h"
#include "model/depth.h"
#include "model/derived.h"
#include "promise.h"
#include "provider.h"
#include "qp.h"
#include "types.h"
#include "ud.h"

/**
 * icb_ep_type() - type of the QPs of a run
 * @params: parameters of the run
 *
 * Return: the type, which is also that of their connections.
 */
enum ib_qp_type icb_ep_type(const struct icb_params *params)
{
	if (icb_params_datagrams(params))
		return IB_QPT_UD;
	return params->transport == ICBENCH_TRANSPORT_UC ? IB_QPT_UC :
							   IB_QPT_RC;
}

/* Work items that destroy QPs, where there are more QPs than that. */
#define DESTROYERS	16

static bool gives_qp(struct ib_pd *pd, const struct ib_qp_init_attr *attr,
		     u32 inline_size)
{
	struct ib_qp_init_attr copy = *attr;
	struct ib_qp *ibqp;

	copy.cap.max_inline_data = inline_size;
	ibqp = ib_create_qp(pd, &copy);
	if (IS_ERR(ibqp))
		return false;
	icb_link_enter(pd->device);
	ib_destroy_qp(ibqp);
	icb_link_leave(pd->device);
	return copy.cap.max_inline_data >= inline_size;
}

/*
 * Write the reason why no QP was created. A device does not report how much inline data
 * it supports: find the limit by trial. If the device creates no QP even without inline
 * data, or creates this one now, inline data was not the reason.
 */
static int refuse_qp(struct ib_pd *pd, const struct ib_qp_init_attr *attr,
		     const struct icb_params *params, int err,
		     struct icb_reason *why)
{
	const char *name = icb_device_name(pd->device);
	u32 low = 0, high = params->inline_size, middle;

	if (!high || !gives_qp(pd, attr, 0) || gives_qp(pd, attr, high))
		return icb_refuse(why, err, "device %s cannot create a QP: %s (%d)", name,
				  icb_cause_of_device(err), err);
	while (high - low > 1) {
		middle = (low + high) / 2;
		if (gives_qp(pd, attr, middle))
			low = middle;
		else
			high = middle;
	}
	return icb_refuse(why, -EOPNOTSUPP,
			  "inline: %u is more than a QP of %s takes; accepted: 0 to %u",
			  params->inline_size, name, low);
}

/* Create a QP through the connection manager or, for datagrams, without it. */
static int make_qp(struct icb_qp *qp, struct ib_qp_init_attr *attr)
{
	struct ib_pd *pd = qp->rail->pd;
	struct ib_qp *ibqp;
	int err;

	if (!qp->ep->plan.datagrams) {
		err = rdma_create_qp(qp->conn->id, pd, attr);
		if (!err)
			qp->ibqp = qp->conn->id->qp;
		return err;
	}
	ibqp = ib_create_qp(pd, attr);
	if (IS_ERR(ibqp))
		return PTR_ERR(ibqp);
	qp->ibqp = ibqp;
	return 0;
}

/* A run that creates QPs until there is no memory takes the host down. */
static int check_left(const struct icb_qp *qp, struct icb_reason *why)
{
	long left = si_mem_available();

	if (!qp->index || icb_promise_left(&qp->ep->own.promise))
		return 0;
	return icb_refuse(why, -ENOMEM,
			  "qps: %u take more memory than this host has: %ld MiB are left after %u of them; accepted: fewer",
			  qp->ep->plan.qps, max(left, 0L) >> (20 - PAGE_SHIFT),
			  qp->index);
}

/**
 * icb_ep_create_qp() - create the verbs QP of a QP
 * @qp: the QP, with its connection, device and CQs
 * @why: the reason of a failure
 *
 * A datagram QP can receive from then on. May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_create_qp(struct icb_qp *qp, struct icb_reason *why)
{
	struct icb_ep *ep = qp->ep;
	const struct icb_params *params = ep->params;
	const struct icb_cqs *cqs = qp->cqs;
	struct ib_pd *pd = qp->rail->pd;
	const struct ib_qp_init_attr attr = {
		.qp_type = icb_ep_type(params),
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.send_cq = ep->plan.waits_own ? cqs->rcq : cqs->scq,
		.recv_cq = ep->plan.waits_own && !ep->plan.recvs ? cqs->scq :
							    cqs->rcq,
		.cap.max_send_wr = ep->plan.sends +
				   (qp == qp->rail->reg ?
				    ICB_EP_REG_SENDS : 0),
		.cap.max_recv_wr = 2 + ep->plan.recvs,
		.cap.max_send_sge = ep->sges.send,
		.cap.max_recv_sge = ep->sges.recv + ep->plan.datagrams,
		.cap.max_inline_data = params->inline_size,
	};
	struct ib_qp_init_attr got = attr;
	int err;

	err = check_left(qp, why);
	if (err)
		return err;
	err = make_qp(qp, &got);
	/* some devices do not refuse, but send nothing inline for kernel QPs */
	if (!err && got.cap.max_inline_data < params->inline_size)
		err = -EOPNOTSUPP;
	if (err)
		return refuse_qp(pd, &attr, params, err, why);
	err = ep->plan.datagrams ? icb_ep_raise_qp(qp) : 0;
	return err ? icb_refuse(why, err,
				"device %s cannot bring a QP into the state for datagrams: %s (%d)",
				icb_device_name(pd->device), icb_cause_of_device(err), err) : 0;
}

/**
 * icb_ep_closing() - check whether this side has begun to end the connection of a QP
 * @qp: the QP
 *
 * Any context.
 *
 * Return: true if so: then its end is no failure.
 */
bool icb_ep_closing(const struct icb_qp *qp)
{
	return READ_ONCE(qp->conn->closing);
}

/**
 * icb_ep_destroy_qp() - destroy the verbs QP of a QP, and its connection
 * @qp: the QP, drained; nothing happens if it has no verbs QP
 *
 * The first connection belongs to the side and remains; the others are freed. May sleep.
 */
void icb_ep_destroy_qp(struct icb_qp *qp)
{
	if (qp->ep->plan.datagrams) {
		if (qp->ibqp)
			ib_destroy_qp(qp->ibqp);
		return;
	}
	if (qp->ibqp) {
		struct ib_device *ibdev = qp->ibqp->device;

		icb_link_enter(ibdev);
		rdma_destroy_qp(qp->conn->id);
		icb_link_leave(ibdev);
	}
	if (qp->index && qp->conn)
		icb_conn_free(qp->conn);
}

/**
 * struct destroyer - work item that calls a function for some QPs
 * @work: the work
 * @ep: endpoint of the QPs
 * @first: index of the first QP; every DESTROYERS-th QP after it follows
 * @fn: function to call for each QP
 */
struct destroyer {
	struct work_struct work;
	struct icb_ep *ep;
	unsigned int first;
	void (*fn)(struct icb_qp *qp);
};

static void destroyer_works(struct work_struct *work)
{
	struct destroyer *it = container_of(work, struct destroyer, work);
	unsigned int i;

	for (i = it->first; i < it->ep->plan.qps; i += DESTROYERS)
		it->fn(&it->ep->qp[i]);
}

/**
 * icb_ep_each_qp() - call a function that waits for each QP of an endpoint
 * @ep: the endpoint
 * @fn: the function; runs for several QPs at a time
 *
 * Most of the time that it takes to end a connection is spent waiting, so many
 * connections are ended at a time. May sleep.
 */
void icb_ep_each_qp(struct icb_ep *ep, void (*fn)(struct icb_qp *qp))
{
	struct destroyer *all = NULL;
	unsigned int i;

	if (ep->plan.qps > DESTROYERS)
		all = kcalloc(DESTROYERS, sizeof(*all), GFP_KERNEL);
	if (!all) {
		for (i = 0; i < ep->plan.qps; i++)
			fn(&ep->qp[i]);
		return;
	}
	for (i = 0; i < DESTROYERS; i++) {
		all[i].ep = ep;
		all[i].first = i;
		all[i].fn = fn;
		INIT_WORK(&all[i].work, destroyer_works);
		queue_work(icb_unbound_wq(), &all[i].work);
	}
	for (i = 0; i < DESTROYERS; i++)
		flush_work(&all[i].work);
	kfree(all);
}
