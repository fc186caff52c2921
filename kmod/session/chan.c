// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>

#include "chan.h"
#include "cm/link.h"
#include "cm/name.h"
#include "compat.h"
#include "host/abort.h"
#include "host/cause.h"

/* Whole cache lines: the device writes to one while the CPU reads another. */
#define SLOT_SIZE	768

/* How long to wait for a message before the other side's device is stirred. */
#define STIR_JIFFIES	(HZ / 10)

/*
 * A flush follows something that comes by another way, such as a rejection, and
 * may be seen first. It is the reason if nothing else is for so long.
 */
#define CAUSE_JIFFIES	(HZ / 2)

/* A peer that is there takes a message within a small part of that. */
#define BYE_JIFFIES	(HZ / 10)

static_assert(ICB_WIRE_LARGEST <= SLOT_SIZE);
static_assert((ICB_CHAN_SLOTS + 1) * SLOT_SIZE <= PAGE_SIZE);

static bool is_iwarp(const struct icb_chan *chan)
{
	const struct rdma_cm_id *id = chan->conn->id;

	return rdma_protocol_iwarp(id->device, id->port_num);
}

/*
 * Over iWARP who was asked for a connection is silent until it has heard something: what
 * follows its reply before the other side has looked at that breaks the connection.
 */
static bool may_speak(const struct icb_chan *chan)
{
	return !is_iwarp(chan) || !chan->conn->asked || READ_ONCE(chan->tail);
}

static void chan_broke(struct work_struct *work)
{
	struct icb_chan *chan = container_of(to_delayed_work(work),
					     struct icb_chan, broke);

	if (!READ_ONCE(chan->conn->closing))
		icb_abort_run(chan->conn->abort, -ECONNRESET,
			      "the connection to the peer broke");
}

static void chan_failed(struct icb_chan *chan, const struct ib_wc *wc)
{
	if (READ_ONCE(chan->conn->closing))
		return;
	if (wc->status == IB_WC_WR_FLUSH_ERR) {
		WRITE_ONCE(chan->flushed, true);
		queue_delayed_work(system_wq, &chan->broke, CAUSE_JIFFIES);
		return;
	}
	icb_abort_run(chan->conn->abort, -ECONNRESET,
		      "the connection to the peer broke: %s",
		     ib_wc_status_msg(wc->status));
}

static int post_recv(struct icb_chan *chan, struct icb_chan_slot *slot)
{
	struct ib_sge sge = {
		.addr = slot->addr,
		.length = SLOT_SIZE,
		.lkey = chan->pd->local_dma_lkey,
	};
	struct ib_recv_wr wr = {
		.wr_cqe = &slot->cqe,
		.sg_list = &sge,
		.num_sge = 1,
	};

	return ib_post_recv(chan->conn->id->qp, &wr, NULL);
}

static bool well_formed(const struct icb_chan_slot *slot)
{
	const struct icb_wire_head *head = (const void *)slot->data;

	return slot->len >= sizeof(*head) &&
	       le32_to_cpu(head->magic) == ICB_WIRE_MAGIC &&
	       le16_to_cpu(head->len) == slot->len;
}

static bool took_leave(struct icb_chan *chan, const struct icb_chan_slot *slot)
{
	const struct icb_wire_bye *bye = (const void *)slot->data;
	struct icb_reason why;

	if (le16_to_cpu(bye->head.type) != ICB_WIRE_BYE ||
	    slot->len != sizeof(*bye))
		return false;
	WRITE_ONCE(chan->left, true);
	wake_up_all(&chan->conn->abort->wait);
	icb_wire_words(&why, "the peer ended the run: ", bye->words);
	icb_abort_run(chan->conn->abort, -ECONNABORTED, "%s", why.text);
	return true;
}

/* A head alone, of a type that nobody waits for. */
static bool is_nudge(const struct icb_chan_slot *slot)
{
	const struct icb_wire_head *head = (const void *)slot->data;

	return slot->len == sizeof(*head) &&
	       (le16_to_cpu(head->type) == ICB_WIRE_NUDGE ||
		le16_to_cpu(head->type) == ICB_WIRE_MEASURED);
}

static void recv_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct icb_chan_slot *slot =
		container_of(wc->wr_cqe, struct icb_chan_slot, cqe);
	struct icb_chan *chan = slot->chan;
	const struct icb_wire_head *head = (const void *)slot->data;

	if (wc->status != IB_WC_SUCCESS) {
		chan_failed(chan, wc);
		return;
	}
	slot->len = wc->byte_len;
	ib_dma_sync_single_for_cpu(cq->device, slot->addr, SLOT_SIZE,
				   DMA_FROM_DEVICE);
	if (!well_formed(slot)) {
		icb_abort_run(chan->conn->abort, -EPROTO,
			      "the peer sent a malformed message");
		return;
	}
	if (took_leave(chan, slot))
		return;
	if (is_nudge(slot)) {
		WRITE_ONCE(chan->heard, jiffies);
		if (chan->measured &&
		    le16_to_cpu(head->type) == ICB_WIRE_MEASURED)
			chan->measured(chan);
		if (READ_ONCE(chan->closed))
			return;
		/* where the connection ends meanwhile, that is no cause */
		if (post_recv(chan, slot) && !READ_ONCE(chan->conn->closing))
			icb_abort_run(chan->conn->abort, -EIO,
				      "posting a receive failed");
		return;
	}
	if (chan->end && le16_to_cpu(head->type) == ICB_WIRE_END)
		chan->end(chan);
	spin_lock_bh(&chan->lock);
	chan->fifo[chan->tail % ICB_CHAN_SLOTS] = slot;
	WRITE_ONCE(chan->tail, chan->tail + 1);
	spin_unlock_bh(&chan->lock);
	wake_up_all(&chan->conn->abort->wait);
}

static void chan_send_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct icb_chan_slot *slot =
		container_of(wc->wr_cqe, struct icb_chan_slot, cqe);
	struct icb_chan *chan = slot->chan;

	if (wc->status != IB_WC_SUCCESS)
		chan_failed(chan, wc);
	WRITE_ONCE(chan->sending, false);
	wake_up_all(&chan->conn->abort->wait);
}

static void init_slot(struct icb_chan *chan, struct icb_chan_slot *slot,
		      unsigned int i,
		      void (*done)(struct ib_cq *cq, struct ib_wc *wc))
{
	slot->chan = chan;
	slot->cqe.done = done;
	slot->data = chan->page + i * SLOT_SIZE;
	slot->addr = chan->dma + i * SLOT_SIZE;
}

static int create_qp(struct icb_chan *chan)
{
	struct ib_qp_init_attr attr = {
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_ALL_WR,
		.send_cq = chan->cq,
		.recv_cq = chan->cq,
		/* one more of each for the drain */
		.cap.max_send_wr = 2 + ICB_CONN_REGISTRATIONS,
		.cap.max_recv_wr = ICB_CHAN_SLOTS + 1,
		.cap.max_send_sge = 1,
		.cap.max_recv_sge = 1,
	};

	return rdma_create_qp(chan->conn->id, chan->pd, &attr);
}

/**
 * icb_chan_open() - make a channel on a connection that is not connected yet
 * @chan: which; zeroed
 * @conn: resolved or requested, with a life
 * @pd: where its QP is to live
 * @why: the reason of a failure
 *
 * Messages can arrive as soon as the connection is there. May sleep. To be
 * undone by icb_chan_close(), also after a failure.
 *
 * Return: 0; a negative error number.
 */
int icb_chan_open(struct icb_chan *chan, struct icb_conn *conn,
		  struct ib_pd *pd, struct icb_reason *why)
{
	struct ib_device *dev = conn->id->device;
	unsigned int i;
	int err;

	chan->conn = conn;
	chan->pd = pd;
	spin_lock_init(&chan->lock);
	INIT_DELAYED_WORK(&chan->broke, chan_broke);
	chan->page = (void *)get_zeroed_page(GFP_KERNEL);
	if (!chan->page)
		return icb_refuse(why, -ENOMEM, "no memory for the control connection");
	chan->dma = ib_dma_map_single(dev, chan->page, PAGE_SIZE,
				      DMA_BIDIRECTIONAL);
	err = ib_dma_mapping_error(dev, chan->dma);
	if (err) {
		free_page((unsigned long)chan->page);
		chan->page = NULL;
		return icb_refuse(why, err, "device %s cannot map a page",
				  icb_device_name(dev));
	}
	/* who serves a run's CQ on some CPU may not let another one run there */
	chan->cq = ib_alloc_cq_any(dev, chan, ICB_CHAN_SLOTS + 4 +
				   ICB_CONN_REGISTRATIONS,
				   IB_POLL_UNBOUND_WORKQUEUE);
	if (IS_ERR(chan->cq)) {
		err = PTR_ERR(chan->cq);
		chan->cq = NULL;
		return icb_refuse(why, err, "device %s gives no CQ: %s (%d)",
				  icb_device_name(dev),
				  icb_cause_of_device(err), err);
	}
	err = create_qp(chan);
	if (err)
		return icb_refuse(why, err, "device %s gives no QP: %s (%d)",
				  icb_device_name(dev),
				  icb_cause_of_device(err), err);
	init_slot(chan, &chan->send, 0, chan_send_done);
	for (i = 0; i < ICB_CHAN_SLOTS && !err; i++) {
		init_slot(chan, &chan->recv[i], i + 1, recv_done);
		err = post_recv(chan, &chan->recv[i]);
	}
	if (err)
		return icb_refuse(why, err, "posting a receive failed: %s (%d)",
				  icb_cause_of_device(err), err);
	return 0;
}

/**
 * icb_chan_drain() - look at all that the device has completed, and take nothing more
 * @chan: which; nothing happens if it is not connected
 *
 * Ends the connection. May sleep, for as long as the device takes.
 */
void icb_chan_drain(struct icb_chan *chan)
{
	if (!chan->conn || !icb_conn_connected(chan->conn) ||
	    !chan->conn->id->qp)
		return;
	icb_conn_close(chan->conn);
	ib_drain_qp(chan->conn->id->qp);
}

/**
 * icb_chan_close() - take a channel down
 * @chan: which; nothing happens where icb_chan_open() was not called
 *
 * The connection stays, without a QP. May sleep.
 */
void icb_chan_close(struct icb_chan *chan)
{
	struct rdma_cm_id *id;

	if (!chan->conn)
		return;
	id = chan->conn->id;
	if (id && id->qp) {
		icb_chan_drain(chan);
		/* a peer may be heard before the connection manager tells that it is there */
		WRITE_ONCE(chan->closed, true);
		if (chan->cq)
			flush_work(&chan->cq->work);
		icb_link_enter(id->device);
		rdma_destroy_qp(id);
		icb_link_leave(id->device);
	}
	if (chan->cq) {
		icb_await_removals(id->device);
		ib_free_cq(chan->cq);
	}
	cancel_delayed_work_sync(&chan->broke);
	if (chan->page) {
		ib_dma_unmap_single(id->device, chan->dma, PAGE_SIZE,
				    DMA_BIDIRECTIONAL);
		free_page((unsigned long)chan->page);
	}
	memset(chan, 0, sizeof(*chan));
}

static int wait_failed(struct icb_chan *chan, const char *what,
		       struct icb_reason *why)
{
	int err = icb_abort_check(chan->conn->abort, why);

	if (err)
		return err;
	if (READ_ONCE(chan->conn->gone))
		return icb_refuse(why, -ECONNRESET,
				  "the peer closed the connection");
	return icb_refuse(why, -ETIMEDOUT, "%s took longer than timeout", what);
}

static int post_send(struct icb_chan *chan, enum icb_wire_type type, void *msg,
		     size_t len)
{
	struct icb_wire_head *head = msg;
	struct ib_sge sge = {
		.addr = chan->send.addr,
		.length = len,
		.lkey = chan->pd->local_dma_lkey,
	};
	struct ib_send_wr wr = {
		.opcode = IB_WR_SEND,
		.send_flags = IB_SEND_SIGNALED,
		.wr_cqe = &chan->send.cqe,
		.sg_list = &sge,
		.num_sge = 1,
	};
	int err;

	/* a callback of the run may want to send, too */
	if (xchg(&chan->sending, true))
		return -EALREADY;
	head->magic = cpu_to_le32(ICB_WIRE_MAGIC);
	head->type = cpu_to_le16(type);
	head->len = cpu_to_le16(len);
	memcpy(chan->send.data, msg, len);
	ib_dma_sync_single_for_device(chan->cq->device, chan->send.addr, len,
				      DMA_TO_DEVICE);
	err = ib_post_send(chan->conn->id->qp, &wr, NULL);
	if (err)
		WRITE_ONCE(chan->sending, false);
	return err;
}

/**
 * icb_chan_send() - send a message
 * @chan: over which
 * @type: its type
 * @msg: the message, beginning with a head, which is filled in
 * @len: bytes of it
 * @timeout: ns
 * @why: the reason of a failure
 *
 * Returns when the other side has it. May sleep; one caller at a time.
 *
 * Return: 0; a negative error number.
 */
int icb_chan_send(struct icb_chan *chan, enum icb_wire_type type, void *msg,
		  size_t len, u64 timeout, struct icb_reason *why)
{
	int err;

	do {
		/* a nudge may be on its way */
		if (!icb_abort_wait(chan->conn->abort, !READ_ONCE(chan->sending),
				    icb_conn_jiffies(timeout)))
			return wait_failed(chan, "telling the peer", why);
		err = post_send(chan, type, msg, len);
	} while (err == -EALREADY);
	if (err)
		return icb_refuse(why, err, "telling the peer failed: %s (%d)",
				  icb_cause_of_device(err), err);
	if (icb_abort_wait(chan->conn->abort, !READ_ONCE(chan->sending),
			   icb_conn_jiffies(timeout))) {
		if (!READ_ONCE(chan->flushed))
			return 0;
		/* the reason is on its way */
		icb_abort_wait(chan->conn->abort, false, 2 * CAUSE_JIFFIES);
	}
	return wait_failed(chan, "telling the peer", why);
}

/**
 * icb_chan_arrived() - whether a message waits to be read
 * @chan: over which
 *
 * Return: true if one does.
 */
bool icb_chan_arrived(struct icb_chan *chan)
{
	bool yes;

	spin_lock_bh(&chan->lock);
	yes = chan->head != chan->tail;
	spin_unlock_bh(&chan->lock);
	return yes;
}

static bool arrived_or_gone(struct icb_chan *chan)
{
	return icb_chan_arrived(chan) || READ_ONCE(chan->conn->gone);
}

/**
 * icb_chan_nudge() - say that this side is there, and gets on
 * @chan: over which; nothing else is being sent over it
 *
 * Does not wait.
 */
void icb_chan_nudge(struct icb_chan *chan)
{
	struct icb_wire_head head;

	post_send(chan, ICB_WIRE_NUDGE, &head, sizeof(head));
}

/**
 * icb_chan_measured() - say that this side has measured a stream of its own
 * @chan: over which
 *
 * Any context. Does not wait.
 *
 * Return: true if it was said; false to try again.
 */
bool icb_chan_measured(struct icb_chan *chan)
{
	struct icb_wire_head head;

	return !post_send(chan, ICB_WIRE_MEASURED, &head, sizeof(head));
}

/*
 * An empty write, of which the other side's software sees nothing. A message would take
 * a receive, of which there are few; over iWARP one that finds none breaks the connection,
 * and a host that has no time for a moment gives none back.
 */
static void stir(struct icb_chan *chan)
{
	const struct ib_rdma_wr wr = {
		.wr.opcode = IB_WR_RDMA_WRITE,
		.wr.send_flags = IB_SEND_SIGNALED,
		.wr.wr_cqe = &chan->send.cqe,
	};

	if (xchg(&chan->sending, true))
		return;
	if (ib_post_send(chan->conn->id->qp, &wr.wr, NULL))
		WRITE_ONCE(chan->sending, false);
}

/*
 * siw does not look at what arrives between its reply to a connection request
 * and the end of its accept, until something else arrives.
 */
static void wait_stirring(struct icb_chan *chan, unsigned long timeout)
{
	unsigned long end = jiffies + timeout;

	while (!icb_abort_wait(chan->conn->abort, arrived_or_gone(chan),
			       STIR_JIFFIES)) {
		if (READ_ONCE(chan->conn->abort->over) ||
		    time_after(jiffies, end))
			return;
		if (may_speak(chan))
			stir(chan);
	}
}

static void wait_arrived(struct icb_chan *chan, u64 timeout)
{
	struct icb_abort *abort = chan->conn->abort;

	if (is_iwarp(chan))
		wait_stirring(chan, icb_conn_jiffies(timeout));
	else
		icb_abort_wait(abort, arrived_or_gone(chan),
			       icb_conn_jiffies(timeout));
	if (READ_ONCE(chan->conn->gone))
		icb_abort_wait(abort, icb_chan_arrived(chan),
			       ICB_CHAN_LATE_JIFFIES);
}

/**
 * icb_chan_recv() - wait for a message
 * @chan: over which
 * @type: the only type that is in order now
 * @msg: where to
 * @len: its exact length
 * @timeout: ns
 * @why: the reason of a failure
 *
 * May sleep; one caller at a time.
 *
 * Return: 0; -EPROTO if another message arrives; -ETIMEDOUT; what ended the
 * side.
 */
int icb_chan_recv(struct icb_chan *chan, enum icb_wire_type type, void *msg,
		  size_t len, u64 timeout, struct icb_reason *why)
{
	const struct icb_wire_head *head;
	struct icb_chan_slot *slot;
	int err = 0;

	/* what has arrived counts, even if the connection has ended since */
	wait_arrived(chan, timeout);
	if (!icb_chan_arrived(chan))
		return wait_failed(chan, "waiting for the peer", why);
	spin_lock_bh(&chan->lock);
	slot = chan->fifo[chan->head++ % ICB_CHAN_SLOTS];
	spin_unlock_bh(&chan->lock);
	head = (const void *)slot->data;
	if (le16_to_cpu(head->type) != type || slot->len != len)
		err = icb_refuse(why, -EPROTO,
				 "the peer sent message %u of %u bytes where message %u of %zu was due",
				 le16_to_cpu(head->type), slot->len, type,
				 len);
	else
		memcpy(msg, slot->data, len);
	/* after the last message the connection may be at its end: siw's takes no more then */
	if (!READ_ONCE(chan->conn->closing) && post_recv(chan, slot) && !err)
		err = icb_refuse(why, -EIO, "posting a receive failed");
	return err;
}

/**
 * icb_chan_bye() - tell the other side that this one ends early
 * @chan: over which; nothing happens if it is not connected, or no more
 * @words: why
 *
 * For a side that is over already. Waits for no answer, and not for long. May
 * sleep.
 *
 * Return: whether the other side's device has it.
 */
bool icb_chan_bye(struct icb_chan *chan, const char *words)
{
	struct icb_wire_bye bye = {};

	/* a message that is stuck shows that nobody is there */
	if (!chan->conn || !icb_conn_connected(chan->conn) ||
	    READ_ONCE(chan->conn->gone) || READ_ONCE(chan->sending) ||
	    !may_speak(chan))
		return false;
	icb_wire_say(bye.words, words);
	return !post_send(chan, ICB_WIRE_BYE, &bye, sizeof(bye)) &&
	       wait_event_idle_timeout(chan->conn->abort->wait,
				       !READ_ONCE(chan->sending), BYE_JIFFIES) &&
	       !READ_ONCE(chan->conn->gone);
}
