// SPDX-License-Identifier: GPL-2.0
#include "completion.h"
#include "credit.h"
#include "model/stripe.h"
#include "post_one.h"
#include "stripes.h"
#include "verbs/verbs.h"

/**
 * icb_ep_ready_pieces() - complete an operation that is striped
 * @ep: the endpoint
 * @slot: slot of the operation
 * @signal: true to request a completion of each piece
 * @reaped: as &icb_operation.reaped
 * @batched: as &icb_operation.batched
 *
 * Takes no pointer to the operation: with one, icb_ep_prep() would have to store it.
 */
void icb_ep_ready_pieces(struct icb_ep *ep, unsigned int slot, bool signal,
			 bool reaped, bool batched)
{
	const struct icb_operation op = {
		.signal = signal,
		.reaped = reaped,
		.batched = batched,
	};
	unsigned int i;

	for (i = 0; i < ep->plan.qps; i++) {
		icb_ep_send_on(ep, i);
		icb_ep_ready_one(ep, slot, &op);
	}
}

/**
 * icb_ep_commit_pieces() - icb_ep_commit() of striped messages
 * @ep: the endpoint
 *
 * Makes one call for each device.
 *
 * Return: 0; a device's negative error number.
 */
int icb_ep_commit_pieces(struct icb_ep *ep)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ep->plan.qps && !err; i++) {
		icb_ep_send_on(ep, i);
		err = icb_ep_commit_one(ep);
	}
	return err;
}

/**
 * icb_ep_poll_pieces() - icb_ep_poll() of one striped message
 * @ep: the endpoint
 *
 * Takes one completion of each device at most, so at most one message becomes complete.
 *
 * Return: 1 if all pieces of a message have arrived; 0 if not; a negative error number.
 */
int icb_ep_poll_pieces(struct icb_ep *ep)
{
	struct vb_wc wc;
	unsigned int i;
	int n, err;

	for (i = 0; i < ep->plan.qps; i++) {
		n = vb_poll(ep->qp[i].cqs->rcq, 1, &wc);
		if (n < 0)
			return n;
		err = n ? icb_ep_check_recv(ep, &wc) : 0;
		if (err)
			return err;
		ep->pieces.arrived.piece[i] += n;
	}
	return icb_stripes_take(&ep->pieces.arrived);
}

/* Take pieces and grants of a QP. Returns the number of grants, or an error. */
static int take_pieces(struct icb_ep *ep, unsigned int qp, unsigned int limit)
{
	int n = vb_poll(ep->qp[qp].cqs->rcq, limit, ep->wc), i;
	int kind, heard = 0;

	for (i = 0; i < n; i++) {
		kind = icb_ep_classify_credited(ep, &ep->wc[i]);
		if (kind < 0)
			return kind;
		heard += kind == ICB_CPL_GRANT;
		ep->pieces.arrived.piece[qp] += kind == ICB_CPL_ARRIVED;
		ep->pieces.sent.piece[qp] += kind == ICB_CPL_OWN;
	}
	return n < 0 ? n : heard;
}

/**
 * icb_ep_take_pieces() - icb_ep_poll() of striped messages
 * @ep: the endpoint
 * @limit: most completions to take from each device
 * @taken: numbers that were taken; added to
 *
 * Return: number of operations and messages that became complete, and of grants; a
 * negative error number.
 */
int icb_ep_take_pieces(struct icb_ep *ep, unsigned int limit,
		       struct icb_taken *taken)
{
	u32 done, recv_pieces;
	int heard = 0, n;
	unsigned int i;

	for (i = 0; i < ep->plan.qps; i++) {
		n = take_pieces(ep, i, limit);
		if (n < 0)
			return n;
		heard += n;
	}
	done = icb_stripes_take(&ep->pieces.sent);
	recv_pieces = icb_stripes_take(&ep->pieces.arrived);
	taken->own += done;
	taken->arrived += recv_pieces;
	return done + recv_pieces + heard;
}
