// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include <linux/random.h>

#include "cm/conn.h"
#include "cm/name.h"
#include "host/cause.h"
#include "model/params.h"
#include "model/wire.h"
#include "types.h"
#include "ud.h"

/* A Q_Key with this bit is not the work request's, but the QP's own. */
#define QKEY_PRIVILEGED	BIT(31)

/* QP 0 and 1 are the subnet's, and the last number is that of all. */
#define LEAST_QPN	2
#define MOST_QPN	0xfffffe

/**
 * icb_ep_new_qkey() - a Q_Key that a work request can name
 *
 * Return: a random one.
 */
u32 icb_ep_new_qkey(void)
{
	return get_random_u32() & ~QKEY_PRIVILEGED;
}

/**
 * icb_ep_map_front() - have room for what a datagram brings in front of its payload
 * @ep: whose
 * @dev: its device
 * @why: the reason of a failure
 *
 * Receives share it: what one datagram brings may be another's, and is read by none.
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_map_front(struct icb_ep *ep, struct ib_device *dev,
		     struct icb_reason *why)
{
	int err;

	ep->grh = (void *)get_zeroed_page(GFP_KERNEL);
	if (!ep->grh)
		return icb_refuse(why, -ENOMEM, "no memory for receives");
	ep->grh_dma = ib_dma_map_single(dev, ep->grh, PAGE_SIZE,
					DMA_FROM_DEVICE);
	err = ib_dma_mapping_error(dev, ep->grh_dma);
	if (!err)
		return 0;
	free_page((unsigned long)ep->grh);
	ep->grh = NULL;
	return icb_refuse(why, err, "device %s cannot map a page",
			  icb_device_name(dev));
}

/**
 * icb_ep_raise_qp() - make a QP ready for datagrams
 * @qp: whose QP
 *
 * For what anybody sends who knows its number and its Q_Key. May sleep.
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
	attr.qkey = qp->ep->qkey;
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
 * icb_ep_get_qps() - tell where datagrams go
 * @ep: whose they are
 * @first: of the QPs to tell of
 * @msg: where to, zeroed
 */
void icb_ep_get_qps(struct icb_ep *ep, u32 first, struct icb_wire_qps *msg)
{
	u32 count = min_t(u32, ep->qps - first, ICB_WIRE_QPNS), i;

	msg->qkey = cpu_to_le32(ep->qkey);
	msg->first = cpu_to_le32(first);
	msg->count = cpu_to_le32(count);
	for (i = 0; i < count; i++)
		msg->qpn[i] = cpu_to_le32(ep->qp[first + i].ibqp->qp_num);
}

/*
 * The way that the control connection goes, with all that is resolved of it: what
 * the manager would give a QP of its own. A look-up of the other side by the manager's
 * datagram service would bring its QP's number to this side alone, and nobody would
 * hear the other one's end.
 */
static int make_ah(struct icb_ep *ep, struct icb_reason *why)
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
				  "device %s makes no address handle: %s (%d)",
				  icb_device_name(ep->rail->dev),
				  icb_cause_of_device(err), err);
	ep->ah = ah;
	return 0;
}

static int check_qps(const struct icb_ep *ep, u32 first,
		     const struct icb_wire_qps *msg, struct icb_reason *why)
{
	u32 count = min_t(u32, ep->qps - first, ICB_WIRE_QPNS), i, qpn;

	if (le32_to_cpu(msg->qkey) & QKEY_PRIVILEGED ||
	    le32_to_cpu(msg->first) != first ||
	    le32_to_cpu(msg->count) != count || msg->reserved)
		goto malformed;
	for (i = 0; i < ICB_WIRE_QPNS; i++) {
		qpn = le32_to_cpu(msg->qpn[i]);
		if (i < count ? qpn < LEAST_QPN || qpn > MOST_QPN : qpn)
			goto malformed;
	}
	return 0;

malformed:
	return icb_refuse(why, -EPROTO, "the peer sent a malformed message");
}

/**
 * icb_ep_set_remote_qps() - where the datagrams of this side go
 * @ep: all of whose QPs are made
 * @first: of the QPs that are told of
 * @msg: what the other side says; checked here
 * @why: the reason of a refusal
 *
 * May sleep.
 *
 * Return: 0; -EPROTO; the device's negative error number.
 */
int icb_ep_set_remote_qps(struct icb_ep *ep, u32 first,
			  const struct icb_wire_qps *msg, struct icb_reason *why)
{
	int err = check_qps(ep, first, msg, why);
	struct icb_qp *qp;
	struct ib_ud_wr *wr;
	unsigned int i, op;

	if (!err && !ep->ah)
		err = make_ah(ep, why);
	if (err)
		return err;
	for (i = 0; i < le32_to_cpu(msg->count); i++) {
		qp = &ep->qp[first + i];
		qp->to = le32_to_cpu(msg->qpn[i]);
		for (op = 0; op < ep->ops; op++) {
			wr = &qp->op[op].ud;
			wr->ah = ep->ah;
			wr->remote_qpn = qp->to;
			wr->remote_qkey = le32_to_cpu(msg->qkey);
		}
	}
	return 0;
}

/**
 * icb_ep_close_datagrams() - let go of what datagrams needed
 * @ep: whose; it has no QPs any more
 *
 * May sleep.
 */
void icb_ep_close_datagrams(struct icb_ep *ep)
{
	if (ep->ah)
		rdma_destroy_ah(ep->ah, RDMA_DESTROY_AH_SLEEPABLE);
	if (!ep->grh)
		return;
	ib_dma_unmap_single(ep->rail->dev, ep->grh_dma, PAGE_SIZE,
			    DMA_FROM_DEVICE);
	free_page((unsigned long)ep->grh);
}
