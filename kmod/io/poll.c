// SPDX-License-Identifier: GPL-2.0
#include "completion.h"
#include "credit.h"
#include "poll.h"
#include "stripes.h"
#include "verbs/verbs.h"

/**
 * icb_ep_look() - poll the receive CQs of an endpoint in turn
 * @ep: the endpoint
 * @limit: most completions to take
 *
 * Return: number of completions in @ep->wc, all of one CQ; a negative error number.
 */
int icb_ep_look(struct icb_ep *ep, unsigned int limit)
{
	unsigned int left = ep->plan.pairs;
	int n = 0;

	while (left-- && !n) {
		n = vb_poll(ep->cqs[ep->poll_index].rcq, limit, ep->wc);
		if (++ep->poll_index == ep->plan.pairs)
			ep->poll_index = 0;
	}
	return n;
}

static int check(struct icb_ep *ep, struct vb_cq *cq)
{
	struct vb_wc wc;
	int n;

	while ((n = vb_poll(cq, 1, &wc)) > 0) {
		if (!vb_wc_ok(&wc))
			return icb_ep_failed(ep, &wc);
		ep->post.signals--;
	}
	return n;
}

/**
 * icb_ep_check() - take all available send completions
 * @ep: the endpoint
 *
 * Return: 0; a negative error number if one of them reports a failure.
 */
int icb_ep_check(struct icb_ep *ep)
{
	unsigned int i;
	int err = 0;

	if (ep->plan.channels)
		return check(ep, ep->tx_at->cqs->scq);
	if (likely(!ep->plan.striped))
		return check(ep, ep->rx_at->cqs->scq);
	for (i = 0; i < ep->plan.pairs && !err; i++)
		err = check(ep, ep->cqs[i].scq);
	return err;
}

/* A grant counts as a taken completion, but neither as own nor as arrived. */
static int take_credited(struct icb_ep *ep, unsigned int limit,
			 struct icb_taken *taken)
{
	int n = ep->plan.pairs == 1 ? vb_poll(ep->rcq, limit, ep->wc) :
				      icb_ep_look(ep, limit);
	int i, kind;

	for (i = 0; i < n; i++) {
		kind = icb_ep_classify_credited(ep, &ep->wc[i]);
		if (kind < 0)
			return kind;
		taken->arrived += kind == ICB_CPL_ARRIVED;
		taken->own += kind == ICB_CPL_OWN;
	}
	return n;
}

/**
 * icb_ep_take_sorted() - icb_ep_poll() of messages that are striped or use credit
 * @ep: the endpoint
 * @limit: most completions to take; where messages are striped, from each device
 * @taken: numbers that were taken; added to
 *
 * Return: number taken, including grants; a negative error number.
 */
int icb_ep_take_sorted(struct icb_ep *ep, unsigned int limit, struct icb_taken *taken)
{
	return ep->plan.striped ? icb_ep_take_pieces(ep, limit, taken) :
			     take_credited(ep, limit, taken);
}
