// SPDX-License-Identifier: GPL-2.0
#include "rail.h"
#include "receives.h"
#include "requests.h"
#include "verbs/provider.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

/**
 * icb_ep_open_rail() - set up a device other than the first, without its QPs
 * @ep: the endpoint
 * @rail: the device
 * @conn: a connection over the device
 * @why: the reason of a failure
 *
 * May sleep. To be undone by icb_ep_detach() and icb_ep_free_rail(), also after a failure.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_open_rail(struct icb_ep *ep, struct icb_rail *rail,
		     const struct icb_conn *conn, struct icb_reason *why)
{
	u32 sends = ep->sges.send, recvs = ep->sges.recv;
	int err;

	err = icb_ep_attach(ep, rail, conn, why);
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
				  vb_device_name(rail->dev));
	return icb_ep_create_cqs(ep, rail, why);
}

/**
 * icb_ep_free_rail() - free the work requests of a device
 * @rail: the device; its QPs are destroyed
 */
void icb_ep_free_rail(struct icb_rail *rail)
{
	vb_free(rail->op);
	vb_free(rail->notify_wr);
	vb_free(rail->tx_place);
	vb_free(rail->tx_sge);
	vb_free(rail->cut_sge);
	vb_free(rail->rx_place);
	vb_free(rail->rx_sge);
}
