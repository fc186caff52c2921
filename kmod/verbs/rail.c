// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>

#include "buffers.h"
#include "cm/conn.h"
#include "cm/device.h"
#include "cm/name.h"
#include "cqs.h"
#include "depth.h"
#include "host/cause.h"
#include "limits.h"
#include "pool.h"
#include "rail.h"
#include "receives.h"
#include "requests.h"
#include "types.h"

/**
 * icb_ep_open_rail() - set up a device other than the first, without its QPs
 * @ep: the endpoint
 * @rail: the device
 * @conn: a connection over the device
 * @why: the reason of a failure
 *
 * May sleep. To be undone by icb_ep_close_rail(), also after a failure.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_open_rail(struct icb_ep *ep, struct icb_rail *rail,
		     const struct icb_conn *conn, struct icb_reason *why)
{
	const struct rdma_cm_id *id = conn->id;
	unsigned int index = rail - ep->rail;
	struct ib_device *dev = id->device;
	u32 sends = ep->sges.send, recvs = ep->sges.recv;
	int err;

	err = icb_conn_hold(conn, &rail->hold, why);
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
	err = icb_ep_check_device(ep, id, index, why);
	if (!err)
		err = icb_ep_share_buffers(ep, rail, why);
	if (err)
		return err;
	err = icb_ep_prepare_sends(ep, rail);
	if (!err && ep->plan.receives)
		err = icb_ep_prepare_rx_places(ep, rail);
	if (err)
		return icb_refuse(why, err, "no memory for work requests");
	/* the QPs of all devices have the same numbers of SGEs */
	if (ep->sges.send > sends || ep->sges.recv > recvs)
		return icb_refuse(why, -EOPNOTSUPP,
				  "size: device %s maps a buffer in more pieces than the first device; accepted: a smaller size",
				  icb_device_name(dev));
	err = icb_ep_create_pair(ep, dev, &ep->cqs[index],
				 icb_ep_qps_of(&ep->plan, index));
	return err ? icb_refuse(why, err, "device %s cannot create a CQ: %s (%d)",
				icb_device_name(dev),
				icb_cause_of_device(err), err) : 0;
}

/**
 * icb_ep_close_rail() - free what belongs to a device
 * @rail: the device; its QPs and CQs are destroyed
 *
 * The protection domain of the first device belongs to the side. May sleep.
 */
void icb_ep_close_rail(struct icb_rail *rail)
{
	icb_pool_free(&rail->shared_tx);
	icb_pool_free(&rail->shared_rx);
	kvfree(rail->op);
	kfree(rail->notify_wr);
	kvfree(rail->tx_place);
	kvfree(rail->tx_sge);
	kvfree(rail->cut_sge);
	kvfree(rail->rx_place);
	kvfree(rail->rx_sge);
	if (rail->hold.dev && rail->pd)
		ib_dealloc_pd(rail->pd);
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
		icb_device_release(&ep->rail[i].hold);
	kfree(ep->rail);
	ep->rail = NULL;
}
