/* SPDX-License-Identifier: GPL-2.0 */
/* The queues of QPs and CQs, and the messages between them. */
#ifndef QUEUE_H
#define QUEUE_H

#include "net.h"

/**
 * struct net_recv - a posted receive
 * @cqe: completion entry
 * @num_sge: number of entries of @sge
 * @sge: memory of the message
 */
struct net_recv {
	struct vb_cqe *cqe;
	u32 num_sge;
	struct vb_sge sge[];
};

/**
 * struct net_cqe - a completion that was not taken yet
 * @wc: the completion
 * @qp: QP of the work request that is complete
 * @frees: number of send queue entries that it frees
 * @messages: messages among @frees
 */
struct net_cqe {
	struct vb_wc wc;
	struct vb_qp *qp;
	unsigned int frees;
	unsigned int messages;
};

/**
 * struct net_ack - a completion that is not visible yet
 * @due: time from which it is visible, ticks
 * @cqe: the completion
 */
struct net_ack {
	u64 due;
	struct net_cqe cqe;
};

/**
 * enum net_role - what a work request is for
 * @NET_MESSAGE: a message of the run
 * @NET_WRITE_NOTED: a write that an empty send follows; the send is the arrival
 * @NET_NOTE: this empty send
 * @NET_NOTIFY: an empty send that notifies the peer of several writes
 * @NET_GRANT: a grant of credit
 * @NET_OTHER: an answer to a window, or a work request of a test
 */
enum net_role {
	NET_MESSAGE,
	NET_WRITE_NOTED,
	NET_NOTE,
	NET_NOTIFY,
	NET_GRANT,
	NET_OTHER,
};

/**
 * struct net_flight - a work request in flight
 * @number: number of the message, from 1; U64_MAX for a work request that is no message
 * @due: time of the next step, ticks
 * @role: enum net_role
 * @qp: QP to which the work request was posted
 * @wr: copy of the work request, with SGEs of its own
 * @counts: true for a message of the run, and for the first piece of one
 * @buffer: index of its buffer
 * @len: payload, bytes
 * @sent: payload when it was posted; of inline data, what is sent
 * @stage: number of pieces that have arrived; the request of a passive verb counts as one
 * @old: value that an atomic has found
 */
struct net_flight {
	u64 number;
	u64 due;
	enum net_role role;
	struct vb_qp *qp;
	struct vb_wr wr;
	bool counts;
	unsigned int buffer;
	u32 len;
	u8 *sent;
	unsigned int stage;
	u64 old;
};

void ring_open(struct net_ring *ring, size_t size, unsigned int depth);
void *ring_head(const struct net_ring *ring);
void *ring_tail(const struct net_ring *ring);
bool ring_push(struct net_ring *ring, const void *entry, size_t size);
void ring_pop(struct net_ring *ring);

void net_deliver(struct vb_cq *cq, const struct net_cqe *cqe);
void net_record_event(struct icb_ep *ep);
void net_free_flight(struct net_flight *flight);
void net_check_watch(struct icb_ep *ep);

void net_gather(const struct net_flight *flight, u8 *to);
void net_scatter(struct vb_qp *qp, const struct vb_sge *sge, u32 num_sge, u32 offset,
		 const u8 *from, u32 count);
u8 *net_region(struct icb_ep *ep, u32 rkey, u64 addr, u32 len, int access);

void net_callbacks(void *arg);
void net_link(void *arg);

#endif /* QUEUE_H */
