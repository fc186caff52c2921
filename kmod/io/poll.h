/* SPDX-License-Identifier: GPL-2.0 */
/* Polling: of arrivals and of completions of the side's own work requests. */
#ifndef ICB_EP_POLL_H
#define ICB_EP_POLL_H

#include "completion.h"
#include "stripes.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

int icb_ep_look(struct icb_ep *ep, unsigned int limit);
int icb_ep_check(struct icb_ep *ep);
int icb_ep_take_sorted(struct icb_ep *ep, unsigned int limit,
		       struct icb_taken *taken);

static inline int icb_ep_poll_next(struct icb_ep *ep)
{
	struct vb_wc wc;
	int n;

	if (unlikely(ep->plan.striped))
		return icb_ep_poll_pieces(ep);
	n = vb_poll(ep->rx_at->cqs->rcq, 1, &wc);
	if (n > 0 && icb_ep_is_wrong(ep, &wc))
		return icb_ep_failed(ep, &wc);
	if (unlikely(ep->plan.numbered) && n > 0)
		ep->wc[0] = wc;
	return n;
}

static inline int icb_ep_take(struct icb_ep *ep, unsigned int limit,
			      struct icb_taken *taken)
{
	int n, i;

	if (unlikely(ep->plan.slow_take))
		return icb_ep_take_sorted(ep, limit, taken);
	n = likely(ep->plan.pairs == 1) ? vb_poll(ep->rcq, limit, ep->wc) :
					  icb_ep_look(ep, limit);
	for (i = 0; i < n; i++) {
		bool recv = icb_ep_is_recv(&ep->wc[i]);

		/* as icb_ep_classify(), whose return value would cost instructions here */
		if (icb_ep_is_bad(ep, &ep->wc[i], recv))
			return icb_ep_failed(ep, &ep->wc[i]);
		taken->arrived += recv;
		taken->own += !recv;
	}
	return n;
}

/*
 * Take up to limit completions, of own work requests and of receives, and add their
 * numbers to @taken. With @taken NULL, a constant, take one completion: that of the next
 * message on the QP of icb_ep_recv_on(), or of the own operation awaited in its place.
 * Returns the number of completions, or a negative error number.
 */
static __always_inline int icb_ep_poll(struct icb_ep *ep, unsigned int limit,
				       struct icb_taken *taken)
{
	return taken ? icb_ep_take(ep, limit, taken) : icb_ep_poll_next(ep);
}

/*
 * Take all available send completions, if signaled work requests are outstanding or, with
 * always, in any case: then also those of failed work requests that were not signaled.
 * Returns 0, or a negative error number if one of them reports a failure.
 */
static __always_inline int icb_ep_reap(struct icb_ep *ep, const bool always)
{
	return always || ep->post.signals ? icb_ep_check(ep) : 0;
}

#endif /* ICB_EP_POLL_H */
