// SPDX-License-Identifier: GPL-2.0
#include "post.h"
#include "post_one.h"
#include "verbs/verbs.h"

/**
 * icb_ep_reply() - answer a window by an empty message
 * @ep: endpoint that has received the window
 *
 * Process context. icb_ep_check() takes the completion of the answer.
 *
 * Return: 0; the device's negative error number.
 */
int icb_ep_reply(struct icb_ep *ep)
{
	struct vb_qp *ibqp = ep->tx_at->ibqp;
	int err;

	ep->post.signals++;
	if (!ep->plan.bh)
		return icb_ep_post_empty(ibqp, &ep->qp->tx_cqe);
	vb_bh_disable();
	err = icb_ep_post_empty(ibqp, &ep->qp->tx_cqe);
	vb_bh_enable();
	return err;
}

/**
 * icb_ep_set_all_buffers() - let an operation use another buffer, on each device
 * @ep: the endpoint
 * @slot: slot of the operation
 * @buffer: index of the buffer
 *
 * With datagrams, changes only the operation of the QP that is posted to, which accesses
 * no remote memory.
 */
void icb_ep_set_all_buffers(struct icb_ep *ep, unsigned int slot, unsigned int buffer)
{
	const struct icb_place *place = &ep->post.place[buffer];
	unsigned int i;

	if (ep->plan.datagrams) {
		vb_wr_set_local(&ep->post.op[slot], place->sge, place->num_sge);
		return;
	}
	for (i = 0; i < ep->plan.rails; i++)
		icb_ep_set_op_buffer(&ep->rail[i].op[slot],
				     &ep->rail[i].tx_place[buffer]);
}

/**
 * icb_ep_cut() - let an operation use the beginning of a buffer
 * @ep: endpoint of one device, whose messages have different sizes
 * @slot: slot of the operation
 * @buffer: index of the buffer
 * @len: bytes of the buffer to use, at least 1
 */
void icb_ep_cut(struct icb_ep *ep, unsigned int slot, unsigned int buffer,
		u32 len)
{
	const struct icb_place *place = &ep->post.place[buffer];
	struct vb_sge *sge = ep->rail->cut_sge + slot * ep->rail->most_sges;
	unsigned int i = 0;

	/* a datagram has its destination where others have the remote address */
	if (!ep->plan.datagrams)
		icb_ep_set_op_buffer(&ep->post.op[slot], place);
	for (;; i++) {
		sge[i] = place->sge[i];
		if (sge[i].length >= len)
			break;
		len -= sge[i].length;
	}
	sge[i].length = len;
	vb_wr_set_local(&ep->post.op[slot], sge, i + 1);
}
