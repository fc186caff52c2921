// SPDX-License-Identifier: GPL-2.0
/* Posting and polling: the calls of verbs/verbs.h that reach a device. */
#include "engine/run.h"
#include "io/credit.h"
#include "queue.h"

/* Nesting of vb_bh_disable(), of this thread. */
static __thread int bh_off;

void vb_bh_disable(void)
{
	bh_off++;
}

void vb_bh_enable(void)
{
	bh_off--;
}

u32 vb_qp_num(const struct vb_qp *qp)
{
	return qp->num;
}

const char *vb_wc_text(const struct vb_wc *wc)
{
	static const char *const text[] = {
		[VB_OK] = "success",
		[VB_FLUSHED] = "WR flushed",
		[VB_BROKEN] = "transport retry counter exceeded",
		[VB_ACCESS] = "remote access error",
		[VB_LENGTH] = "local length error",
	};

	return text[wc->status];
}

/**
 * net_free_flight() - free what a work request in flight has allocated
 * @flight: the work request, which is finished
 */
void net_free_flight(struct net_flight *flight)
{
	free(flight->wr.sge);
	free(flight->sent);
}

/* Return the slot of a work request, if it is an operation that io/ has prepared; else -1. */
static int slot_of(const struct icb_ep *ep, const struct vb_qp *qp, const struct vb_wr *wr)
{
	const struct icb_qp *at = &ep->qp[qp->index];
	const struct vb_wr *first = at->op;

	return wr >= first && wr < first + ep->plan.ops ? wr - first : -1;
}

static enum net_role role_of(const struct icb_ep *ep, const struct vb_qp *qp,
			     const struct vb_wr *wr, int slot)
{
	const struct vb_wr *notes = ep->qp[qp->index].rail->notify_wr;

	if (slot >= 0)
		return notes ? NET_WRITE_NOTED : NET_MESSAGE;
	if (notes && wr >= notes && wr < notes + ep->plan.ops)
		return NET_NOTE;
	if (wr == &ep->post.report_wr)
		return NET_NOTIFY;
	return wr->cqe->done == icb_ep_grant_done ? NET_GRANT : NET_OTHER;
}

static u32 bytes_of(const struct vb_wr *wr)
{
	u32 len = 0, i;

	for (i = 0; i < wr->num_sge; i++)
		len += wr->sge[i].length;
	return len;
}

static void note_message(struct icb_ep *ep, struct net_flight *flight, int slot)
{
	struct net *net = ep->own.net;

	/* the first piece of a striped message counts as the message */
	flight->counts = !ep->plan.striped || !flight->qp->index;
	ep->own.posts += flight->counts;
	flight->number = ++ep->own.numbers;
	flight->buffer = ep->own.op_buffer[slot];
	if (ep->own.in_flight[flight->buffer] && !net->stream && !ep->plan.striped &&
	    !net->config.lenient)
		net_wrong(net, "side %u posts a buffer that is in flight", ep->own.side);
	ep->own.in_flight[flight->buffer]++;
}

/* By chance, let the newest datagram overtake the one before. */
static void reorder(struct icb_ep *ep)
{
	struct net_ring *ring = &ep->own.flights;
	struct net_flight *last = ring_tail(ring), *before, swapped;
	unsigned int at;

	if (ring->count < 2 || !ep->plan.datagrams ||
	    task_random(1000) >= ep->own.net->config.reorder)
		return;
	at = (ring->head + ring->count + ring->depth - 2) % ring->depth;
	before = (struct net_flight *)(ring->entry + at * ring->size);
	if (before->stage || before->qp != last->qp)
		return;
	swapped = *before;
	*before = *last;
	*last = swapped;
	last->due = before->due;
	before->due = swapped.due;
	/* sends complete in the order of their posts */
	last->wr.flags = before->wr.flags;
	before->wr.flags = swapped.wr.flags;
}

static void start_flight(struct vb_qp *qp, const struct vb_wr *wr, int slot)
{
	struct icb_ep *ep = qp->ep;
	const struct net_config *config = &ep->own.net->config;
	const struct net_flight *before = ring_tail(&ep->own.flights);
	struct net_flight flight = {
		.number = U64_MAX,
		.role = role_of(ep, qp, wr, slot),
		.due = task_now() + config->delay + task_random(config->jitter + 1),
		.qp = qp,
		.wr = *wr,
		.len = bytes_of(wr),
	};

	if (before && (before->due > flight.due || flight.role == NET_NOTIFY))
		flight.due = before->due;
	flight.wr.sge = calloc(wr->num_sge + 1, sizeof(*wr->sge));
	if (wr->num_sge)
		memcpy(flight.wr.sge, wr->sge, wr->num_sge * sizeof(*wr->sge));
	flight.sent = malloc(flight.len);
	/* with a passive verb, the answer arrives in the buffer */
	if (!ep->own.net->verb->passive)
		net_gather(&flight, flight.sent);
	if (slot >= 0)
		note_message(ep, &flight, slot);
	else if (flight.role == NET_NOTE)
		flight.number = ep->own.numbers;
	else if (flight.role == NET_GRANT && ++ep->own.grants_in_flight >
		 ICB_CREDITS_GRANTS * ep->plan.qps)
		net_wrong(ep->own.net, "side %u has more than %u grants in flight",
			  ep->own.side, ICB_CREDITS_GRANTS);
	if (!ring_push(&ep->own.flights, &flight, sizeof(flight)))
		net_wrong(ep->own.net, "side %u has too many work requests", ep->own.side);
	reorder(ep);
	task_wake(ep->own.net);
}

static int post_one(struct vb_qp *qp, const struct vb_wr *wr)
{
	struct icb_ep *ep = qp->ep;
	int slot = slot_of(ep, qp, wr);

	if (slot >= 0 && (!ep->plan.striped || !qp->index) &&
	    ++ep->own.post_attempts == net_faults(ep)->post)
		return -ENOMEM;
	if (wr->num_sge > qp->max_send_sge && !(wr->flags & VB_SEND_INLINE))
		net_wrong(ep->own.net, "side %u posts %u SGEs", ep->own.side, wr->num_sge);
	if (qp->sq_used == qp->sq_depth) {
		ep->own.sq_full++;
		ep->own.full_depth = qp->sq_depth;
		return -ENOMEM;
	}
	qp->sq_used++;
	ep->own.sq_used++;
	start_flight(qp, wr, slot);
	return 0;
}

int vb_post_send(struct vb_qp *qp, const struct vb_wr *wr)
{
	struct icb_ep *ep = qp->ep;
	int err = 0;

	if (!bh_off == ep->plan.bh)
		net_wrong(ep->own.net, "side %u posts with softirqs %s", ep->own.side,
			  bh_off ? "off" : "on");
	task_lock();
	for (; wr && !err; wr = wr->next)
		err = post_one(qp, wr);
	task_unlock();
	return err;
}

static int post_recv(struct vb_qp *qp, const struct vb_recv_wr *wr)
{
	size_t sges = wr->num_sge * sizeof(*wr->sge);
	struct icb_ep *ep = qp->ep;
	struct net_recv *recv;

	if (wr->num_sge > qp->max_recv_sge) {
		net_wrong(ep->own.net, "side %u receives with %u SGEs", ep->own.side,
			  wr->num_sge);
		return -EINVAL;
	}
	recv = malloc(sizeof(*recv) + sges);
	recv->cqe = wr->cqe;
	recv->num_sge = wr->num_sge;
	if (sges)
		memcpy(recv->sge, wr->sge, sges);
	if (!ring_push(&qp->recvs, recv, sizeof(*recv) + sges))
		net_wrong(ep->own.net, "side %u posts more receives than its queues hold",
			  ep->own.side);
	free(recv);
	ep->own.receives += ep->own.receiving;
	return 0;
}

int vb_post_recv(struct vb_qp *qp, const struct vb_recv_wr *wr)
{
	int err = 0;

	task_lock();
	for (; wr && !err; wr = wr->next)
		err = post_recv(qp, wr);
	task_unlock();
	return err;
}

/* Take a completion: the entries of the send queue that it frees may be used again. */
static void take(struct vb_cq *cq, struct vb_wc *wc)
{
	const struct net_cqe *cqe = ring_head(&cq->entries);
	struct icb_ep *ep = cq->ep;

	*wc = cqe->wc;
	cqe->qp->sq_used -= cqe->frees;
	ep->own.sq_used -= cqe->frees;
	ep->own.freed += cqe->messages;
	ep->own.polled = wc->cqe;
	ring_pop(&cq->entries);
}

int vb_poll(struct vb_cq *cq, int limit, struct vb_wc *wc)
{
	int n = 0;

	task_lock();
	while (n < limit && cq->entries.count)
		take(cq, &wc[n++]);
	task_unlock();
	return n;
}

void vb_process(struct vb_cq *cq)
{
	struct vb_wc wc;

	while (vb_poll(cq, 1, &wc))
		vb_wc_cqe(&wc)->done(cq, &wc);
}
