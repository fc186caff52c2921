// SPDX-License-Identifier: GPL-2.0
/* A completion with an unexpected status or length aborts the side. */
#include "completion.h"
#include "host/abort.h"
#include "verbs/verbs.h"

/* Find the failure that caused a flush, if its completion is in a send CQ. */
static struct vb_wc first_failure(struct icb_ep *ep, struct vb_wc failure)
{
	unsigned int i;
	struct vb_wc wc;

	for (i = 0; i < ep->plan.pairs; i++)
		while (vb_wc_flushed(&failure) && ep->cqs[i].scq &&
		       vb_poll(ep->cqs[i].scq, 1, &wc) > 0)
			if (!vb_wc_ok(&wc))
				failure = wc;
	return failure;
}

/**
 * icb_ep_reject() - abort the side because of a message of the peer
 * @ep: endpoint that has received the message
 * @wrong: kind of the error
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
int icb_ep_failed(struct icb_ep *ep, const struct vb_wc *wc)
{
	struct vb_wc first;

	if (vb_wc_ok(wc))
		return icb_ep_reject(ep, ICB_WRONG_LENGTH, vb_wc_len(wc),
				     ep->plan.len);
	first = first_failure(ep, *wc);
	icb_abort_connection_lost(ep->abort, -ECONNRESET,
				  "the data connection broke: %s", vb_wc_text(&first));
	return -ECONNRESET;
}
