// SPDX-License-Identifier: GPL-2.0
/* A completion with an unexpected status or length aborts the side. */
#include "completion.h"
#include "host/abort.h"

/* Find the failure that caused a flush, if its completion is in a send CQ. */
static enum ib_wc_status first_failure(struct icb_ep *ep,
				       enum ib_wc_status status)
{
	unsigned int i;
	struct ib_wc wc;

	for (i = 0; i < ep->plan.pairs; i++)
		while (status == IB_WC_WR_FLUSH_ERR && ep->cqs[i].scq &&
		       ib_poll_cq(ep->cqs[i].scq, 1, &wc) > 0)
			if (wc.status != IB_WC_SUCCESS)
				status = wc.status;
	return status;
}

/**
 * icb_ep_reject() - abort the side because of a message of the peer
 * @ep: endpoint that has received the message
 * @wrong: what is wrong
 * @len: length of the message, bytes; only used for ICB_WRONG_LENGTH
 * @due: expected length, bytes; only used for ICB_WRONG_LENGTH
 *
 * Softirq or process context.
 *
 * Return: a negative error number.
 */
int icb_ep_reject(struct icb_ep *ep, enum icb_wrong wrong, u32 len, u32 due)
{
	if (wrong == ICB_WRONG_LENGTH)
		icb_abort_run(ep->abort, -EPROTO,
			      "the peer sent a message of %u bytes instead of %u",
			      len, due);
	else
		icb_abort_run(ep->abort, -EPROTO,
			      "the peer answered a message that was not sent");
	return -EPROTO;
}

/**
 * icb_ep_failed() - abort the side because of a wrong completion
 * @ep: the endpoint
 * @wc: the completion: it reports a failure, or a wrong length
 *
 * Softirq or process context.
 *
 * Return: a negative error number.
 */
int icb_ep_failed(struct icb_ep *ep, const struct ib_wc *wc)
{
	enum ib_wc_status status;

	if (wc->status == IB_WC_SUCCESS)
		return icb_ep_reject(ep, ICB_WRONG_LENGTH, wc->byte_len,
				     ep->plan.len);
	status = first_failure(ep, wc->status);
	icb_abort_connection_lost(ep->abort, -ECONNRESET,
				  "the data connection broke: %s", ib_wc_status_msg(status));
	return -ECONNRESET;
}
