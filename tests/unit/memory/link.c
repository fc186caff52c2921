// SPDX-License-Identifier: GPL-2.0
/* The network: it moves work requests to the peer, piece by piece, and completes them. */
#include "engine/run.h"
#include "model/verbs_table.h"
#include "queue.h"

/* Ticks until a message that found no receive is sent again (receiver not ready). */
#define RNR_TICKS	5000

/* Bits that a corruption flips in a byte. */
#define CORRUPT_BITS	0x10

static bool is_datagram(const struct net_flight *flight)
{
	return flight->qp->ep->plan.datagrams;
}

static bool has_imm(u32 opcode)
{
	return opcode == IB_UVERBS_WR_SEND_WITH_IMM ||
	       opcode == IB_UVERBS_WR_RDMA_WRITE_WITH_IMM;
}

static bool is_write(u32 opcode)
{
	return opcode == IB_UVERBS_WR_RDMA_WRITE ||
	       opcode == IB_UVERBS_WR_RDMA_WRITE_WITH_IMM;
}

static bool is_passive(u32 opcode)
{
	return opcode == IB_UVERBS_WR_RDMA_READ || vb_is_atomic(opcode);
}

/* A plain write consumes no receive. */
static bool uses_recv(u32 opcode)
{
	return opcode == IB_UVERBS_WR_SEND || has_imm(opcode);
}

/* Return the QP that a message goes to; NULL if no QP takes the datagram. */
static struct vb_qp *target(const struct net_flight *flight)
{
	struct icb_ep *to = net_peer(flight->qp->ep);
	struct vb_qp *qp;
	unsigned int i;

	if (!is_datagram(flight))
		return to->qp[flight->qp->index].ibqp;
	if (flight->wr.ud.qkey != to->ud.qkey || !flight->wr.ud.ah)
		return NULL;
	for (i = 0; i < to->plan.qps; i++) {
		qp = to->qp[i].ibqp;
		if (qp->num == flight->wr.ud.qpn)
			return qp;
	}
	return NULL;
}

/* Return the offset of the byte to corrupt in a message; the message's size for none. */
static u32 corrupt_at(const struct icb_ep *from, const struct net_flight *flight)
{
	u32 size = flight->len;

	if (flight->number != net_faults(from)->corrupt || !size)
		return size;
	return net_faults(from)->corrupt_byte % size;
}

/* Return memory for a payload, valid until the next call. The caller holds task_lock(). */
static u8 *scratch(u32 len)
{
	static u8 *bytes;
	static u32 room;

	if (len > room || !bytes) {
		room = max_t(u32, len, 256);
		bytes = realloc(bytes, room);
	}
	return bytes;
}

/* Return the payload of a message in scratch(): read as late as a device may read it. */
static u8 *payload(const struct net_flight *flight)
{
	const struct icb_ep *from = flight->qp->ep;
	u8 *bytes = scratch(flight->len);

	if (flight->wr.flags & VB_SEND_INLINE)
		memcpy(bytes, flight->sent, flight->len);
	else
		net_gather(flight, bytes);
	if (memcmp(bytes, flight->sent, flight->len) && !from->own.net->config.lenient)
		net_wrong(from->own.net, "side %u changes a message that is in flight",
			  from->own.side);
	if (corrupt_at(from, flight) < flight->len)
		bytes[corrupt_at(from, flight)] ^= CORRUPT_BITS;
	return bytes;
}

/* Consume the oldest receive of a QP, and complete it. */
static void complete_recv(struct vb_qp *qp, struct net_cqe *cqe)
{
	const struct net_recv *recv = ring_head(&qp->recvs);

	cqe->wc.cqe = recv->cqe;
	cqe->qp = qp;
	ring_pop(&qp->recvs);
	net_deliver(qp->recv_cq, cqe);
}

/* Count an arrival. Returns true if its receive completes with an error, by a fault. */
static bool count_arrival(struct icb_ep *to, enum net_role role)
{
	switch (role) {
	case NET_GRANT:
		net_peer(to)->own.grants_in_flight--;
		return false;
	case NET_NOTIFY:
		return ++to->own.notifies_arrived == net_faults(to)->recv;
	default:
		return ++to->own.arrived == net_faults(to)->recv;
	}
}

/* A message has arrived completely. A write without immediate data completes no receive. */
static void arrive(struct vb_qp *qp, const struct net_flight *flight)
{
	struct icb_ep *to = qp->ep;
	u32 opcode = flight->wr.opcode;
	struct net_cqe cqe = {
		.wc.len = flight->len + (is_datagram(flight) ? VB_GRH_LEN : 0),
		.wc.has_imm = has_imm(opcode),
		.wc.imm = flight->wr.imm,
		.wc.src_qp = flight->qp->num,
	};

	if (flight->role == NET_WRITE_NOTED)
		return;
	if (uses_recv(opcode) && !qp->recvs.count) {
		net_wrong(to->own.net, "side %u has no receive for %s of QP %u", to->own.side,
			  flight->role == NET_GRANT ? "credit" : "a message", qp->index);
		return;
	}
	if (count_arrival(to, flight->role))
		cqe.wc.status = VB_BROKEN;
	if (flight->number == net_faults(net_peer(to))->truncate)
		cqe.wc.len--;
	if (uses_recv(opcode))
		complete_recv(qp, &cqe);
}

/*
 * Deliver a foreign datagram by chance: without a connection, any host can send one. It
 * consumes a receive and its buffer. io/ recognizes some foreign datagrams, by length,
 * source or missing immediate data; the engine has to recognize the others by their number.
 */
static void deliver_foreign(struct vb_qp *qp, const struct net_flight *flight)
{
	struct icb_ep *to = qp->ep;
	const struct icb_run *run = to->own.run;
	const struct net_recv *recv = ring_head(&qp->recvs);
	u8 garbage = CORRUPT_BITS | task_random(256);
	bool recognized = task_random(2);
	unsigned int how = task_random(3);
	struct net_cqe cqe = {
		.wc.len = to->own.net->params->size + VB_GRH_LEN,
		.wc.has_imm = true,
		.wc.src_qp = flight->qp->num,
		/* else a number that no message of the run has, or that is far ahead */
		.wc.imm = recognized ? flight->wr.imm + task_random(3) :
			to->own.side || to->own.net->stream ?
			(task_random(2) ? run->most + 1 : 0) :
			run->seq + 1000 + task_random(1000),
	};

	if (task_random(1000) >= net_faults(net_peer(to))->foreign || !recv)
		return;
	if (recognized && !how && !to->own.net->sized)
		cqe.wc.len++;
	else if (recognized && how == 1)
		cqe.wc.has_imm = false;
	else if (recognized)
		cqe.wc.src_qp++;
	if (to->own.net->params->size)
		net_scatter(qp, recv->sge, recv->num_sge, VB_GRH_LEN, &garbage, 1);
	to->own.foreign++;
	to->own.arrived++;
	complete_recv(qp, &cqe);
}

/* A send arrives in the buffer of its receive. Nothing reads the GRH of a datagram. */
static void land_send(struct vb_qp *qp, const struct net_flight *flight)
{
	const struct net_recv *recv = ring_head(&qp->recvs);
	u32 front = is_datagram(flight) ? VB_GRH_LEN : 0;
	u8 *bytes = payload(flight);

	if (recv)
		net_scatter(qp, recv->sge, recv->num_sge, front, bytes, flight->len);
	arrive(qp, flight);
}

/*
 * Deliver the next piece of a write. The last byte, which the receiver polls, is the last
 * piece; with the torn fault, it is the first. Returns true if the write is complete.
 */
static bool land_write(struct vb_qp *qp, struct net_flight *flight, u8 *to)
{
	u32 last = flight->len - 1, half = last / 2;
	struct icb_ep *from = flight->qp->ep;
	bool torn = flight->number == net_faults(from)->torn;
	u8 *bytes;

	/* there is no payload: only immediate data arrives */
	if (!flight->len) {
		arrive(qp, flight);
		return true;
	}
	bytes = payload(flight);
	switch (flight->stage++) {
	case 0:
		if (torn)
			__atomic_store_n(&to[last], bytes[last], __ATOMIC_RELEASE);
		else
			memcpy(to + half, bytes + half, last - half);
		break;
	case 1:
		memcpy(to, bytes, half);
		break;
	default:
		if (torn)
			memcpy(to + half, bytes + half, last - half);
		else
			__atomic_store_n(&to[last], bytes[last], __ATOMIC_RELEASE);
		arrive(qp, flight);
		return true;
	}
	return false;
}

/* Return true if the completion of a message is lost, by a fault. */
static bool has_no_cpl(const struct net_flight *flight)
{
	const struct net_faults *faults = net_faults(flight->qp->ep);

	return (faults->no_cpl_from && flight->number >= faults->no_cpl_from) ||
	       flight->number == faults->no_cpl;
}

/*
 * Completions of different QPs have no order: by chance, swap the last two, if their QPs
 * differ.
 */
static void swap_last_acks(struct net_ring *ring)
{
	struct net_ack *last = ring_tail(ring), *before, swapped;
	unsigned int at;

	if (ring->count < 2 || !task_random(3))
		return;
	at = (ring->head + ring->count + ring->depth - 2) % ring->depth;
	before = (struct net_ack *)(ring->entry + at * ring->size);
	if (before->cqe.qp == last->cqe.qp)
		return;
	swapped = *before;
	before->cqe = last->cqe;
	last->cqe = swapped.cqe;
}

/* Make the completion of a send; it frees the work requests before it on its QP, too. */
static bool make_cqe(const struct net_flight *flight, int status, struct net_cqe *cqe)
{
	struct vb_qp *qp = flight->qp;

	qp->unfreed++;
	qp->unfreed_messages += flight->counts;
	if (has_no_cpl(flight) || (!(flight->wr.flags & VB_SEND_SIGNALED) && status == VB_OK))
		return false;
	*cqe = (struct net_cqe) {
		.wc.cqe = flight->wr.cqe,
		.wc.status = status,
		.wc.len = flight->len,
		.qp = qp,
		.frees = qp->unfreed,
		.messages = qp->unfreed_messages,
	};
	qp->unfreed = 0;
	qp->unfreed_messages = 0;
	return true;
}

static void push_ack(const struct net_flight *flight, int status)
{
	struct icb_ep *from = flight->qp->ep;
	const struct net_config *config = &from->own.net->config;
	const struct net_ack *before = ring_tail(&from->own.acks);
	struct net_ack ack = {
		.due = task_now() + config->ack_delay +
		       task_random(config->ack_jitter + 1),
	};

	if (!make_cqe(flight, status, &ack.cqe))
		return;
	if (before && before->due > ack.due)
		ack.due = before->due;
	ring_push(&from->own.acks, &ack, sizeof(ack));
	swap_last_acks(&from->own.acks);
}

/* A failed send breaks the connection, which flushes a receive of this side. */
static void break_connection(struct icb_ep *from, const struct net_flight *flight,
			     int status)
{
	struct net_cqe flushed = { .wc.status = VB_FLUSHED };
	struct vb_qp *qp = flight->qp;

	from->own.broken = true;
	push_ack(flight, status);
	if (from->own.receiving && qp->recvs.count)
		complete_recv(qp, &flushed);
}

static void drop(const struct net_flight *flight)
{
	struct icb_ep *from = flight->qp->ep;

	from->own.dropped++;
	if (from->own.net->lossy && flight->wr.imm & ICB_TOLD_COUNTS) {
		from->own.dropped_measured++;
		from->own.dropped_bytes += flight->len;
	}
}

/* Lose a message, by a fault. On a lossy transport, its send completes without an error. */
static bool is_lost(const struct net_flight *flight)
{
	struct icb_ep *from = flight->qp->ep;
	const struct net_faults *faults = net_faults(from);

	if (flight->number != faults->drop &&
	    (flight->stage || task_random(1000) >= faults->loss))
		return false;
	drop(flight);
	if (from->own.net->lossy)
		push_ack(flight, VB_OK);
	return true;
}

/* Deliver a message, or its next piece. Returns true if the message has arrived. */
static bool land(struct vb_qp *qp, struct net_flight *flight)
{
	struct icb_ep *from = flight->qp->ep;
	const struct net_faults *faults = net_faults(from);
	u64 copies = faults->copies ? : 1;
	bool remote = is_write(flight->wr.opcode);
	u8 *to = NULL;

	if (remote && flight->len) {
		to = net_region(qp->ep, flight->wr.rdma.rkey, flight->wr.rdma.addr,
				flight->len, IB_UVERBS_ACCESS_REMOTE_WRITE);
		if (!to) {
			break_connection(from, flight, VB_ACCESS);
			return true;
		}
	}
	if (remote && !land_write(qp, flight, to))
		return false;
	if (faults->foreign) {
		deliver_foreign(qp, flight);
		/* the foreign datagram may have consumed the last receive */
		if (!qp->recvs.count)
			return false;
	}
	if (!remote)
		land_send(qp, flight);
	if (faults->foreign)
		deliver_foreign(qp, flight);
	if (flight->number == faults->duplicate)
		while (copies--) {
			if (remote)
				arrive(qp, flight);
			else
				land_send(qp, flight);
		}
	if (!from->own.broken)
		push_ack(flight, VB_OK);
	return true;
}

/* Move a message of a verb that is not passive. Returns true if the message is finished. */
static bool move_message(struct vb_qp *to, struct net_flight *flight)
{
	struct icb_ep *from = flight->qp->ep;

	if (is_lost(flight))
		return true;
	if (from->own.broken) {
		push_ack(flight, VB_FLUSHED);
		return true;
	}
	if (flight->number == net_faults(from)->send) {
		break_connection(from, flight, VB_BROKEN);
		return true;
	}
	return land(to, flight);
}

/* Complete the own work request of a passive verb. */
static void complete_own(const struct net_flight *flight, int status)
{
	struct net_cqe cqe;

	if (make_cqe(flight, status, &cqe))
		net_deliver(flight->qp->send_cq, &cqe);
}

/* Execute an atomic on a word of this side. Returns the previous value of the word. */
static u64 do_atomic(struct icb_ep *ep, const struct net_flight *flight, u8 *at)
{
	const struct net_faults *sender = net_faults(net_peer(ep));
	u64 operand = flight->wr.atomic.compare_add, old, new;

	if (flight->number == sender->corrupt)
		((u8 *)&operand)[sender->corrupt_byte % sizeof(operand)] ^= CORRUPT_BITS;
	memcpy(&old, at, sizeof(old));
	if (flight->wr.opcode == IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD)
		new = old + operand;
	else
		new = old == operand ? flight->wr.atomic.swap : old;
	memcpy(at, &new, sizeof(new));
	return old;
}

/* Return the memory that a request of a passive verb accesses; NULL if it must not. */
static u8 *requested(struct icb_ep *ep, const struct net_flight *flight)
{
	if (vb_is_atomic(flight->wr.opcode))
		return net_region(ep, flight->wr.atomic.rkey, flight->wr.atomic.addr,
				  sizeof(u64), IB_UVERBS_ACCESS_REMOTE_ATOMIC);
	return net_region(ep, flight->wr.rdma.rkey, flight->wr.rdma.addr, flight->len,
			  IB_UVERBS_ACCESS_REMOTE_READ);
}

/* A request accesses the memory of a side. The side is not notified. */
static bool land_request(struct icb_ep *ep, struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(net_peer(ep));
	u8 *at = flight->len ? requested(ep, flight) : NULL;
	u64 copies = sender->copies ? : 1;

	if (flight->len && !at)
		return false;
	ep->own.reached++;
	if (!vb_is_atomic(flight->wr.opcode))
		return true;
	flight->old = do_atomic(ep, flight, at);
	if (flight->number == sender->duplicate)
		while (copies--)
			do_atomic(ep, flight, at);
	return true;
}

/* Return the number of bytes that an answer carries. */
static u32 answer_len(const struct icb_ep *from, const struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(from);

	if (sender->empty && flight->number >= sender->empty &&
	    flight->number <= sender->empty + sender->more_empty)
		return 0;
	return flight->len - (flight->number == sender->truncate);
}

/* Deliver the next piece of an answer. Returns true if it was the last piece. */
static bool land_answer(struct icb_ep *ep, struct net_flight *flight)
{
	struct icb_ep *from = net_peer(ep);
	u32 len = answer_len(from, flight), half = len / 2;
	const struct vb_wr *wr = &flight->wr;
	u8 *bytes = scratch(flight->len);

	if (vb_is_atomic(wr->opcode))
		memcpy(bytes, &flight->old, sizeof(flight->old));
	else if (flight->len)
		memcpy(bytes, requested(from, flight), flight->len);
	if (corrupt_at(from, flight) < len)
		bytes[corrupt_at(from, flight)] ^= CORRUPT_BITS;
	if (flight->stage++ == 1) {
		net_scatter(flight->qp, wr->sge, wr->num_sge, half, bytes + half, len - half);
		return false;
	}
	net_scatter(flight->qp, wr->sge, wr->num_sge, 0, bytes, half);
	if (corrupt_at(from, flight) >= half && corrupt_at(from, flight) < len)
		net_scatter(flight->qp, wr->sge, wr->num_sge, half, bytes + half, len - half);
	ep->own.arrived++;
	complete_own(flight, ep->own.arrived == net_faults(ep)->recv ? VB_BROKEN : VB_OK);
	return true;
}

/*
 * Move a request of a passive verb to the peer's memory, and its answer back. Returns true
 * if the request is finished.
 */
static bool move_request(struct icb_ep *ep, struct net_flight *flight)
{
	if (flight->stage)
		return flight->number == net_faults(net_peer(ep))->drop ||
		       land_answer(ep, flight);
	if (flight->number == net_faults(ep)->drop)
		return true;
	if (ep->own.broken || flight->number == net_faults(ep)->send) {
		complete_own(flight, ep->own.broken ? VB_FLUSHED : VB_BROKEN);
		ep->own.broken = true;
		return true;
	}
	if (!land_request(net_peer(ep), flight)) {
		ep->own.broken = true;
		complete_own(flight, VB_ACCESS);
		return true;
	}
	flight->stage++;
	return false;
}

/*
 * Return true if a message finds no receive, and is sent again or lost. A stream may be
 * faster than its receiver, and then has to wait. A sender that has given up lost messages
 * may also send more messages than there are receives.
 */
static bool is_not_ready(const struct vb_qp *to, const struct net_flight *flight)
{
	const struct net *net = to->ep->own.net;

	if (net->config.iwarp || !uses_recv(flight->wr.opcode) || flight->stage)
		return false;
	return (net->stream || net->lossy) && to->ep->own.receiving && !to->recvs.count;
}

/* Return true if a work request is finished without reaching the peer. */
static bool is_discarded(const struct vb_qp *to, const struct net_flight *flight)
{
	struct icb_ep *from = flight->qp->ep;

	if (flight->role == NET_GRANT && from->own.net->config.no_grants) {
		from->own.grants_in_flight--;
		push_ack(flight, VB_OK);
		return true;
	}
	if (to && !(is_not_ready(to, flight) && from->own.net->lossy))
		return false;
	drop(flight);
	from->own.not_ready += !!to;
	push_ack(flight, VB_OK);
	return true;
}

static void finish(struct net_flight *flight)
{
	struct icb_ep *from = flight->qp->ep;

	if (flight->role == NET_MESSAGE || flight->role == NET_WRITE_NOTED)
		from->own.in_flight[flight->buffer]--;
	net_free_flight(flight);
	ring_pop(&from->own.flights);
}

static void move_flight(struct icb_ep *from)
{
	struct net_flight *flight = ring_head(&from->own.flights);
	const struct net_config *config = &from->own.net->config;
	bool passive = is_passive(flight->wr.opcode);
	struct vb_qp *to = target(flight);

	if (is_discarded(to, flight)) {
		finish(flight);
		return;
	}
	if (is_not_ready(to, flight)) {
		flight->due = task_now() + RNR_TICKS;
		from->own.not_ready++;
		return;
	}
	if (passive ? move_request(from, flight) : move_message(to, flight)) {
		finish(flight);
		return;
	}
	flight->due = task_now() + task_random(config->jitter + 1);
	/* the answer has the delay of a message, too */
	if (passive && flight->stage == 1)
		flight->due += config->delay;
}

/* Make the oldest completion of a send visible. */
static void complete_send(struct icb_ep *ep)
{
	const struct net_ack *ack = ring_head(&ep->own.acks);

	net_deliver(ack->cqe.qp->send_cq, &ack->cqe);
	ring_pop(&ep->own.acks);
}

/*
 * Find the next step of the network: the oldest completion of a send of *ep if *ack, else
 * the oldest message of *ep. Returns the time of the step.
 */
static u64 next_due(struct net *net, struct icb_ep **ep, bool *ack)
{
	u64 due = TASK_FOREVER;
	unsigned int i;

	for (i = 0; i < NET_SIDES; i++) {
		const struct net_flight *flight = ring_head(&net->ep[i].own.flights);
		const struct net_ack *done = ring_head(&net->ep[i].own.acks);

		if (flight && flight->due < due) {
			due = flight->due;
			*ep = &net->ep[i];
			*ack = false;
		}
		if (done && done->due < due) {
			due = done->due;
			*ep = &net->ep[i];
			*ack = true;
		}
	}
	return due;
}

/**
 * net_link() - move the work requests of both sides
 * @arg: the network
 *
 * A task; ends with the network.
 */
void net_link(void *arg)
{
	struct net *net = arg;
	struct icb_ep *ep = NULL;
	bool ack = false;
	u64 due;

	task_lock();
	while (!net->closing) {
		due = next_due(net, &ep, &ack);
		if (due > task_now())
			task_wait(net, due);
		else if (ack)
			complete_send(ep);
		else
			move_flight(ep);
		net_check_watch(&net->ep[0]);
	}
	task_unlock();
}
