// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include <linux/random.h>

#include "cm/conn.h"
#include "cm/name.h"
#include "host/cause.h"
#include "model/params.h"
#include "provider.h"
#include "types.h"
#include "ud.h"
#include "verbs.h"

/**
 * icb_ep_new_qkey() - choose a random Q_Key that a work request can use
 *
 * Return: the Q_Key.
 */
u32 icb_ep_new_qkey(void)
{
	return get_random_u32() & ~ICB_QKEY_PRIVILEGED;
}

/**
 * icb_ep_map_front() - allocate and map room for the GRH in front of a datagram's payload
 * @ep: the endpoint
 * @dev: its device
 * @why: the reason of a failure
 *
 * All receives share the page: GRHs overwrite each other, and nothing reads them. May
 * sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_map_front(struct icb_ep *ep, struct ib_device *dev,
		     struct icb_reason *why)
{
	int err;

	ep->ud.grh = (void *)get_zeroed_page(GFP_KERNEL);
	if (!ep->ud.grh)
		return icb_refuse(why, -ENOMEM, "no memory for receives");
	ep->ud.grh_dma = ib_dma_map_single(dev, ep->ud.grh, PAGE_SIZE,
					   DMA_FROM_DEVICE);
	err = ib_dma_mapping_error(dev, ep->ud.grh_dma);
	if (!err)
		return 0;
	free_page((unsigned long)ep->ud.grh);
	ep->ud.grh = NULL;
	return icb_refuse(why, err, "device %s cannot map a page",
			  icb_device_name(dev));
}

/**
 * icb_ep_raise_qp() - make a QP ready for datagrams
 * @qp: the QP
 *
 * From then on any host that has its number and its Q_Key can send to it. May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_raise_qp(struct icb_qp *qp)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT };
	int mask, err;

	err = rdma_init_qp_attr(qp->conn->id, &attr, &mask);
	if (err)
		return err;
	attr.qkey = qp->ep->ud.qkey;
	err = ib_modify_qp(qp->ibqp, &attr, IB_QP_STATE | IB_QP_PKEY_INDEX |
					    IB_QP_PORT | IB_QP_QKEY);
	if (err)
		return err;
	qp->up = true;
	attr.qp_state = IB_QPS_RTR;
	err = ib_modify_qp(qp->ibqp, &attr, IB_QP_STATE);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTS;
	attr.sq_psn = get_random_u32() & 0xffffff;
	return ib_modify_qp(qp->ibqp, &attr, IB_QP_STATE | IB_QP_SQ_PSN);
}

/**
 * icb_ep_make_ah() - create the address handle of the peer
 * @ep: the endpoint
 * @why: the reason of a failure
 *
 * The handle is for the path of the control connection, with all that is resolved for
 * this connection: the attributes that the connection manager would give a QP of its own.
 * A service ID resolution by the connection manager would give the peer's
 * QP number to this side only, and neither side would be notified of the end of its peer.
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_make_ah(struct icb_ep *ep, struct icb_reason *why)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_RTR };
	struct ib_ah *ah;
	int mask, err;

	err = rdma_init_qp_attr(ep->conn->id, &attr, &mask);
	if (!err) {
		ah = rdma_create_ah(ep->rail->pd, &attr.ah_attr,
				    RDMA_CREATE_AH_SLEEPABLE);
		err = PTR_ERR_OR_ZERO(ah);
	}
	if (err)
		return icb_refuse(why, err,
				  "device %s cannot create an address handle: %s (%d)",
				  icb_device_name(ep->rail->dev),
				  icb_cause_of_device(err), err);
	ep->ud.ah = ah;
	return 0;
}

/**
 * icb_ep_close_datagrams() - free the address handle and the room for GRHs
 * @ep: endpoint, whose QPs are destroyed
 *
 * May sleep.
 */
void icb_ep_close_datagrams(struct icb_ep *ep)
{
	if (ep->ud.ah)
		rdma_destroy_ah(ep->ud.ah, RDMA_DESTROY_AH_SLEEPABLE);
	if (!ep->ud.grh)
		return;
	ib_dma_unmap_single(ep->rail->dev, ep->ud.grh_dma, PAGE_SIZE,
			    DMA_FROM_DEVICE);
	free_page((unsigned long)ep->ud.grh);
}
