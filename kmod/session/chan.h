/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control channel of two sides: messages of wire.h over a small QP of its
 * own, which rests while the run goes on.
 */
#ifndef ICB_CHAN_H
#define ICB_CHAN_H

#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

#include "cm/conn.h"
#include "model/wire.h"

#define ICB_CHAN_SLOTS	4

/* How far a message may come behind the news that the other side has gone. */
#define ICB_CHAN_LATE_JIFFIES	(HZ / 10)

/**
 * struct icb_chan_slot - room for one message
 * @cqe: completes it
 * @chan: its channel
 * @len: bytes that have arrived
 * @addr: for the device
 * @data: for the CPU
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
 * @conn: its connection, with @conn->abort
 * @pd: where its QP lives
 * @cq: its completions
 * @page: room for all messages
 * @dma: @page for the device
 * @send: the one message that is on its way out
 * @recv: those that can arrive
 * @lock: protects what arrives
 * @fifo: slots that have arrived and were not read
 * @head: next to read
 * @tail: next to arrive
 * @sending: @send is on its way
 * @heard: jiffies when the other side last said that it is there
 * @left: the other side has said that it ends, and sends nothing any more
 * @closed: its QP is about to go, and takes no receive any more
 * @flushed: it is known to be of no use any more
 * @broke: ends the side if nothing else does
 * @end: called when ICB_WIRE_END arrives, in process context; may be NULL
 * @measured: the same for ICB_WIRE_MEASURED
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
	struct delayed_work broke;
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
