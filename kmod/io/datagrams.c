// SPDX-License-Identifier: GPL-2.0
/* The messages by which both sides exchange the numbers of their datagram QPs. */
#include "datagrams.h"
#include "model/wire.h"
#include "verbs/provider.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

/* QP 0 and 1 are management QPs, and the highest number is that of multicast. */
#define LEAST_QPN	2
#define MOST_QPN	0xfffffe

/**
 * icb_ep_get_qps() - write the numbers of this side's datagram QPs in a message
 * @ep: the endpoint
 * @first: index of the first QP in the message
 * @msg: the message, zeroed
 */
void icb_ep_get_qps(struct icb_ep *ep, u32 first, struct icb_wire_qps *msg)
{
	u32 count = min_t(u32, ep->plan.qps - first, ICB_WIRE_QPNS), i;

	msg->qkey = cpu_to_le32(ep->ud.qkey);
	msg->first = cpu_to_le32(first);
	msg->count = cpu_to_le32(count);
	for (i = 0; i < count; i++)
		msg->qpn[i] = cpu_to_le32(vb_qp_num(ep->qp[first + i].ibqp));
}

static int check_qps(const struct icb_ep *ep, u32 first,
		     const struct icb_wire_qps *msg, struct icb_reason *why)
{
	u32 count = min_t(u32, ep->plan.qps - first, ICB_WIRE_QPNS), i, qpn;

	if (le32_to_cpu(msg->qkey) & ICB_QKEY_PRIVILEGED ||
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
 * icb_ep_set_remote_qps() - set the destinations of this side's datagrams
 * @ep: endpoint, all of whose QPs are created
 * @first: index of the first QP that the message is expected to list
 * @msg: message of the peer; checked here
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
	unsigned int i, op;

	if (!err && !ep->ud.ah)
		err = icb_ep_make_ah(ep, why);
	if (err)
		return err;
	for (i = 0; i < le32_to_cpu(msg->count); i++) {
		qp = &ep->qp[first + i];
		qp->to = le32_to_cpu(msg->qpn[i]);
		for (op = 0; op < ep->plan.ops; op++)
			vb_wr_set_destination(&qp->op[op], ep->ud.ah, qp->to,
					      le32_to_cpu(msg->qkey));
	}
	return 0;
}
