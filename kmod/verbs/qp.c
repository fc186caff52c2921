// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "cm/conn.h"
#include "cm/link.h"
#include "cm/name.h"
#include "compat.h"
#include "depth.h"
#include "host/cause.h"
#include "model/derived.h"
#include "promise.h"
#include "qp.h"
#include "types.h"

/**
 * icb_ep_type() - what the QPs of a run are
 * @params: of the run
 *
 * Return: the type, also of their connections.
 */
enum ib_qp_type icb_ep_type(const struct icb_params *params)
{
	if (icb_params_datagrams(params))
		return IB_QPT_UD;
	return params->transport == ICBENCH_TRANSPORT_UC ? IB_QPT_UC :
							   IB_QPT_RC;
}

/* Who takes QPs down, where there are many of them. */
#define DESTROYERS	16

static bool gives_qp(struct ib_pd *pd, const struct ib_qp_init_attr *attr,
		     u32 inline_size)
{
	struct ib_qp_init_attr copy = *attr;
	struct ib_qp *qp;

	copy.cap.max_inline_data = inline_size;
	qp = ib_create_qp(pd, &copy);
	if (IS_ERR(qp))
		return false;
	icb_link_enter(pd->device);
	ib_destroy_qp(qp);
	icb_link_leave(pd->device);
	return copy.cap.max_inline_data >= inline_size;
}

/*
 * A device does not tell how much it takes inline: ask it. Where it gives no QP
 * at all, or gives this one now, something else was the matter.
 */
static int refuse_qp(struct ib_pd *pd, const struct ib_qp_init_attr *attr,
		     const struct icb_params *params, int err,
		     struct icb_reason *why)
{
	const char *name = icb_device_name(pd->device);
	u32 low = 0, high = params->inline_size, middle;

	if (!high || !gives_qp(pd, attr, 0) || gives_qp(pd, attr, high))
		return icb_refuse(why, err, "device %s gives no QP: %s (%d)", name,
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

/* The connection manager's own, or one that it knows nothing of. */
static int make_qp(struct icb_lane *lane, struct ib_qp_init_attr *attr)
{
	struct ib_pd *pd = lane->rail->pd;
	struct ib_qp *qp;
	int err;

	if (!lane->ep->datagrams) {
		err = rdma_create_qp(lane->conn->id, pd, attr);
		if (!err)
			lane->qp = lane->conn->id->qp;
		return err;
	}
	qp = ib_create_qp(pd, attr);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	lane->qp = qp;
	return 0;
}

/* Who goes on making QPs until there is no memory takes the host with it. */
static int check_left(const struct icb_lane *lane, struct icb_reason *why)
{
	long left = si_mem_available();

	if (!lane->index || icb_promise_left(&lane->ep->promise))
		return 0;
	return icb_refuse(why, -ENOMEM,
			  "qps: %u take more memory than this host has: %ld MiB are left after %u of them; accepted: fewer",
			  lane->ep->lanes, max(left, 0L) >> (20 - PAGE_SHIFT),
			  lane->index);
}

/**
 * icb_ep_create_qp() - make the QP of a lane
 * @lane: with its connection, its device and its CQs
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_create_qp(struct icb_lane *lane, struct icb_reason *why)
{
	struct icb_ep *ep = lane->ep;
	const struct icb_params *params = ep->params;
	const struct icb_cqs *cqs = lane->cqs;
	struct ib_pd *pd = lane->rail->pd;
	const struct ib_qp_init_attr attr = {
		.qp_type = icb_ep_type(params),
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.send_cq = ep->waits_own ? cqs->rcq : cqs->scq,
		.recv_cq = ep->waits_own && !icb_ep_recvs(ep) ? cqs->scq :
							    cqs->rcq,
		.cap.max_send_wr = icb_ep_sends(ep) +
				   (lane == lane->rail->reg ?
				    ICB_EP_REG_SENDS : 0),
		.cap.max_recv_wr = 2 + icb_ep_recvs(ep),
		.cap.max_send_sge = ep->send_sges,
		.cap.max_recv_sge = ep->recv_sges + ep->datagrams,
		.cap.max_inline_data = params->inline_size,
	};
	struct ib_qp_init_attr got = attr;
	int err;

	err = check_left(lane, why);
	if (err)
		return err;
	err = make_qp(lane, &got);
	/* some do not refuse, but send nothing inline for the kernel */
	if (!err && got.cap.max_inline_data < params->inline_size)
		err = -EOPNOTSUPP;
	return err ? refuse_qp(pd, &attr, params, err, why) : 0;
}

/**
 * icb_ep_destroy_qp() - take down the QP of a lane, and its connection
 * @lane: drained; nothing happens where it has none
 *
 * The first connection is somebody else's; the others have no more use. May sleep.
 */
void icb_ep_destroy_qp(struct icb_lane *lane)
{
	if (lane->ep->datagrams) {
		if (lane->qp)
			ib_destroy_qp(lane->qp);
		return;
	}
	if (lane->qp) {
		struct ib_device *ibdev = lane->qp->device;

		icb_link_enter(ibdev);
		rdma_destroy_qp(lane->conn->id);
		icb_link_leave(ibdev);
	}
	if (lane->index && lane->conn)
		icb_conn_free(lane->conn);
}

/**
 * struct destroyer - takes some lanes down
 * @work: does it
 * @ep: of these
 * @first: and every DESTROYERS-th after it
 * @fn: what is done to each
 */
struct destroyer {
	struct work_struct work;
	struct icb_ep *ep;
	unsigned int first;
	void (*fn)(struct icb_lane *lane);
};

static void destroyer_works(struct work_struct *work)
{
	struct destroyer *it = container_of(work, struct destroyer, work);
	unsigned int i;

	for (i = it->first; i < it->ep->lanes; i += DESTROYERS)
		it->fn(&it->ep->lane[i]);
}

/**
 * icb_ep_each_lane() - do something that waits to each lane of an endpoint
 * @ep: which
 * @fn: what is done; for several lanes at a time
 *
 * Most of the time that it takes to end a connection is spent waiting for others:
 * many are ended at a time. May sleep.
 */
void icb_ep_each_lane(struct icb_ep *ep, void (*fn)(struct icb_lane *lane))
{
	struct destroyer *all = NULL;
	unsigned int i;

	if (ep->lanes > DESTROYERS)
		all = kcalloc(DESTROYERS, sizeof(*all), GFP_KERNEL);
	if (!all) {
		for (i = 0; i < ep->lanes; i++)
			fn(&ep->lane[i]);
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
