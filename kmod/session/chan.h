/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control channel of two sides: it carries the messages of wire.h over a small QP of
 * its own, and is idle during the run.
 */
#ifndef ICB_CHAN_H
#define ICB_CHAN_H

#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

#include "cm/conn.h"
#include "model/wire.h"

#define ICB_CHAN_SLOTS	4

/* How long after the end of the connection a message may still arrive. */
#define ICB_CHAN_LATE_JIFFIES	(HZ / 10)

/**
 * struct icb_chan_slot - buffer for one message
 * @cqe: completion entry of the work request that uses the slot
 * @chan: channel that the slot belongs to
 * @len: length of the received message, bytes
 * @addr: DMA address of the buffer
 * @data: address of the buffer
 */
struct icb_chan_slot {
	struct ib_cqe cqe;
	struct icb_chan *chan;
	u32 len;
	u64 addr;
	u8 *data;
};

/**
 * struct icb_chan - a control channel
 * @conn: connection of the channel; its @abort is that of the side
 * @pd: protection domain of the QP
 * @cq: CQ of the QP
 * @page: memory of all slots
 * @dma: DMA address of @page
 * @send: slot of the outgoing message
 * @recv: slots of incoming messages
 * @lock: protects @head, @tail and @fifo
 * @fifo: slots of messages that have arrived and were not read
 * @head: number of messages read
 * @tail: number of messages that have arrived
 * @sending: true while @send is posted
 * @heard: jiffies when the last keepalive arrived
 * @left: true once the peer has sent ICB_WIRE_BYE, after which it sends nothing
 * @closed: true once the QP is about to be destroyed and takes no more receives
 * @flushed: true once a work request was flushed: the channel cannot be used any more
 * @flushed_work: delayed work that ends the side if no other cause does after a flush
 * @end: called when ICB_WIRE_END arrives, in process context; may be NULL
 * @measured: called when ICB_WIRE_MEASURED arrives, in process context; may be NULL
 */
struct icb_chan {
	struct icb_conn *conn;
	struct ib_pd *pd;
	struct ib_cq *cq;
	void *page;
	u64 dma;
	struct icb_chan_slot send;
	struct icb_chan_slot recv[ICB_CHAN_SLOTS];
	spinlock_t lock; /* @head, @tail and @fifo */
	struct icb_chan_slot *fifo[ICB_CHAN_SLOTS];
	unsigned int head;
	unsigned int tail;
	bool sending;
	unsigned long heard;
	bool left;
	bool closed;
	bool flushed;
	struct delayed_work flushed_work;
	void (*end)(struct icb_chan *chan);
	void (*measured)(struct icb_chan *chan);
};

int icb_chan_open(struct icb_chan *chan, struct icb_conn *conn,
		  struct ib_pd *pd, struct icb_reason *why);
void icb_chan_drain(struct icb_chan *chan);
void icb_chan_close(struct icb_chan *chan);
int icb_chan_send(struct icb_chan *chan, enum icb_wire_type type, void *msg,
		  size_t len, u64 timeout, struct icb_reason *why);
int icb_chan_recv(struct icb_chan *chan, enum icb_wire_type type, void *msg,
		  size_t len, u64 timeout, struct icb_reason *why);
bool icb_chan_arrived(struct icb_chan *chan);
void icb_chan_nudge(struct icb_chan *chan);
bool icb_chan_measured(struct icb_chan *chan);
bool icb_chan_bye(struct icb_chan *chan, const char *words);

#endif /* ICB_CHAN_H */
