// SPDX-License-Identifier: GPL-2.0
/* A completion that is not what it should be ends the side. */
#include "completion.h"
#include "host/abort.h"

/* The first failure that is not the flush that follows one, if it is there. */
static enum ib_wc_status first_failure(struct icb_ep *ep,
				       enum ib_wc_status status)
{
	unsigned int i;
	struct ib_wc wc;

	for (i = 0; i < ep->pairs; i++)
		while (status == IB_WC_WR_FLUSH_ERR && ep->cqs[i].scq &&
		       ib_poll_cq(ep->cqs[i].scq, 1, &wc) > 0)
			if (wc.status != IB_WC_SUCCESS)
				status = wc.status;
	return status;
}

/**
 * icb_ep_bad_length() - a message has another length than it should have
 * @ep: where it has come
 * @len: bytes that came
 * @due: bytes that were due
 *
 * Ends the side. Softirq or process context.
 *
 * Return: a negative error number.
 */
int icb_ep_bad_length(struct icb_ep *ep, u32 len, u32 due)
{
	icb_abort_run(ep->abort, -EPROTO,
		      "the peer sent a message of %u bytes where %u were due",
		     len, due);
	return -EPROTO;
}

/**
 * icb_ep_failed() - a completion was not what it should be
 * @ep: where
 * @wc: the completion
 *
 * Ends the side. Softirq or process context.
 *
 * Return: a negative error number.
 */
int icb_ep_failed(struct icb_ep *ep, const struct ib_wc *wc)
{
	enum ib_wc_status status;

	if (wc->status == IB_WC_SUCCESS)
		return icb_ep_bad_length(ep, wc->byte_len, ep->len);
	status = first_failure(ep, wc->status);
	icb_abort_connection_lost(ep->abort, -ECONNRESET,
				  "the data connection broke: %s", ib_wc_status_msg(status));
	return -ECONNRESET;
}

/**
 * icb_ep_unexpected_msg() - a message has come that was not due
 * @ep: where
 *
 * Ends the side. Softirq or process context.
 *
 * Return: a negative error number.
 */
int icb_ep_unexpected_msg(struct icb_ep *ep)
{
	icb_abort_run(ep->abort, -EPROTO, "the peer answered what was not sent");
	return -EPROTO;
}
