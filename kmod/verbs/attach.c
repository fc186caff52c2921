// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/slab.h>

#include "attach.h"
#include "buffers.h"
#include "cm/conn.h"
#include "cm/device.h"
#include "cm/name.h"
#include "cqs.h"
#include "drain.h"
#include "events.h"
#include "host/cause.h"
#include "limits.h"
#include "mr.h"
#include "pool.h"
#include "promise.h"
#include "provider.h"
#include "qp.h"
#include "types.h"
#include "ud.h"
#include "yield.h"

/**
 * icb_ep_facts() - get what the plan of a side follows from
 * @conn: connection over the first device, resolved or requested
 * @cpu: CPU of the polling thread
 * @facts: receives the facts
 */
void icb_ep_facts(const struct icb_conn *conn, unsigned int cpu,
		  struct icb_facts *facts)
{
	const struct rdma_cm_id *id = conn->id;

	*facts = (struct icb_facts) {
		.iwarp = rdma_protocol_iwarp(id->device, id->port_num),
		.one_cpu = num_online_cpus() == 1,
		.cpu = cpu,
		.max_cqe = id->device->attrs.max_cqe,
	};
}

/**
 * icb_ep_attach_first() - check the first device of an endpoint and allocate the buffers
 * @ep: endpoint, with its plan and @ep->rail
 * @conn: connection over the device
 * @pd: protection domain of the QPs on the device
 * @responder: true on the responder
 * @why: the reason of a failure
 *
 * May sleep. To be undone by icb_ep_detach(), also after a failure.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_attach_first(struct icb_ep *ep, const struct icb_conn *conn,
			struct ib_pd *pd, bool responder, struct icb_reason *why)
{
	struct ib_device *dev = conn->id->device;
	int err;

	ep->rail->dev = dev;
	ep->rail->pd = pd;
	ep->abort = conn->abort;
	ep->ud.qkey = icb_ep_new_qkey();
	icb_ep_yield_init(ep);
	icb_ep_events_init(ep);
	ep->own.reg.cqe.done = icb_ep_reg_done;
	err = icb_ep_check_device(ep, conn->id, 0, why);
	if (!err)
		err = icb_ep_check_run(ep, conn, responder, why);
	if (!err && ep->plan.datagrams)
		err = icb_ep_map_front(ep, dev, why);
	return err ? : icb_ep_alloc_buffers(ep, ep->params, dev, responder, why);
}

/**
 * icb_ep_attach() - check and hold a device other than the first, and map the buffers
 * @ep: the endpoint
 * @rail: the device
 * @conn: a connection over the device
 * @why: the reason of a failure
 *
 * May sleep. To be undone by icb_ep_detach() and icb_ep_release(), also after a failure.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_attach(struct icb_ep *ep, struct icb_rail *rail,
		  const struct icb_conn *conn, struct icb_reason *why)
{
	const struct rdma_cm_id *id = conn->id;
	struct ib_device *dev = id->device;
	int err;

	err = icb_conn_hold(conn, &rail->own.hold, why);
	if (err)
		return err;
	rail->dev = dev;
	rail->pd = ib_alloc_pd(dev, 0);
	if (IS_ERR(rail->pd)) {
		err = PTR_ERR(rail->pd);
		rail->pd = NULL;
		return icb_refuse(why, err, "device %s cannot allocate a PD: %s (%d)",
				  icb_device_name(dev),
				  icb_cause_of_device(err), err);
	}
	err = icb_ep_check_device(ep, id, rail - ep->rail, why);
	return err ? : icb_ep_share_buffers(ep, rail, why);
}

/**
 * icb_ep_attached() - check whether a connection is over a device of an endpoint
 * @rail: the device, attached
 * @conn: the connection
 *
 * Return: true if so.
 */
bool icb_ep_attached(const struct icb_rail *rail, const struct icb_conn *conn)
{
	return rail->dev == conn->id->device;
}

/* The protection domain of the first device belongs to the side. */
static void detach(struct icb_rail *rail)
{
	icb_pool_free(&rail->shared_tx);
	icb_pool_free(&rail->shared_rx);
	if (rail->own.hold.dev && rail->pd)
		ib_dealloc_pd(rail->pd);
}

/**
 * icb_ep_detach() - end all use of the devices of an endpoint
 * @ep: the endpoint
 *
 * Invalidates the regions, drains and destroys the QPs, then frees what the QPs used on
 * the devices, and the buffers. When it returns, no callback runs any more, and the peer
 * can access no memory. May sleep. The first connection remains, without a QP. So do the
 * devices, until icb_ep_release().
 */
void icb_ep_detach(struct icb_ep *ep)
{
	unsigned int i;

	icb_promise_end(&ep->own.promise);
	icb_ep_unregister(ep, true, true);
	if (ep->qp) {
		icb_ep_drain(ep);
		icb_ep_each_qp(ep, icb_ep_destroy_qp);
	}
	icb_ep_close_datagrams(ep);
	icb_ep_free_regions(ep);
	icb_ep_destroy_cqs(ep);
	for (i = 0; i < ep->plan.rails; i++)
		detach(&ep->rail[i]);
	icb_pool_free(&ep->tx);
	icb_pool_free(&ep->rx);
	/*
	 * keep the completion entry: registrations on the control connection's QP may
	 * complete until that QP is destroyed
	 */
	memset(&ep->own, 0, offsetof(struct vb_state, reg));
	memset_after(&ep->own.reg, 0, cqe);
}

/**
 * icb_ep_release() - release the devices other than the first
 * @ep: endpoint, destroyed; nothing happens if it has no devices
 *
 * Called when no rdma_cm_id on these devices is left: a device may be removed once it is
 * released, together with what an rdma_cm_id needs. May sleep.
 */
void icb_ep_release(struct icb_ep *ep)
{
	unsigned int i;

	if (!ep->rail)
		return;
	for (i = 0; i < ep->plan.rails; i++)
		icb_device_release(&ep->rail[i].own.hold);
	kvfree(ep->rail);
	ep->rail = NULL;
}
