// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>

#include "chan.h"
#include "cm/link.h"
#include "cm/name.h"
#include "compat.h"
#include "host/abort.h"
#include "host/cause.h"
#include "model/depth.h"

/*
 * Whole cache lines, because the device writes one slot while the CPU reads another one.
 */
#define SLOT_SIZE	768

/*
 * How long to wait for a message before stir() makes the peer's device process arrivals.
 */
#define STIR_JIFFIES	(HZ / 10)

/*
 * How long a flush waits for its cause. The cause, such as a rejection, arrives over
 * another path and may be seen later; without one, the flush itself is the reason.
 */
#define CAUSE_JIFFIES	(HZ / 2)

/* How long ICB_WIRE_BYE may take to complete; ample if the peer still answers. */
#define BYE_JIFFIES	(HZ / 10)

static_assert(ICB_WIRE_LARGEST <= SLOT_SIZE);
static_assert((ICB_CHAN_SLOTS + 1) * SLOT_SIZE <= PAGE_SIZE);

static bool is_iwarp(const struct icb_chan *chan)
{
	const struct rdma_cm_id *id = chan->conn->id;

	return rdma_protocol_iwarp(id->device, id->port_num);
}

/*
 * Over iWARP, the responder of a connection sends nothing before it has received a
 * message: a message that follows the connection reply before the initiator of the
 * connection has processed that reply breaks the connection.
 */
static bool may_send(const struct icb_chan *chan)
{
	return !is_iwarp(chan) || !chan->conn->asked || READ_ONCE(chan->tail);
}

static void chan_broke(struct work_struct *work)
{
	struct icb_chan *chan = container_of(to_delayed_work(work),
					     struct icb_chan, flushed_work);

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
		queue_delayed_work(system_wq, &chan->flushed_work, CAUSE_JIFFIES);
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

static bool handle_bye(struct icb_chan *chan, const struct icb_chan_slot *slot)
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

/* Whether a message is a head alone, of a type that no receiver waits for. */
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
	if (handle_bye(chan, slot))
		return;
	if (is_nudge(slot)) {
		WRITE_ONCE(chan->heard, jiffies);
		if (chan->measured &&
		    le16_to_cpu(head->type) == ICB_WIRE_MEASURED)
			chan->measured(chan);
		if (READ_ONCE(chan->closed))
			return;
		/* if the connection is ending, a failed post is no error */
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
		/* one more of each for ib_drain_qp() */
		.cap.max_send_wr = 2 + ICB_EP_REGISTRATIONS,
		.cap.max_recv_wr = ICB_CHAN_SLOTS + 1,
		.cap.max_send_sge = 1,
		.cap.max_recv_sge = 1,
	};

	return rdma_create_qp(chan->conn->id, chan->pd, &attr);
}

/**
 * icb_chan_open() - make a control channel on a connection that is not established yet
 * @chan: the channel; zeroed
 * @conn: connection, resolved or requested, with @conn->abort set
 * @pd: protection domain for the QP
 * @why: the reason of a failure
 *
 * Messages can arrive as soon as the connection is established. May sleep. Undone by
 * icb_chan_close(), also after a failure.
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
	INIT_DELAYED_WORK(&chan->flushed_work, chan_broke);
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
	/* unbound: a worker that serves a run's CQ on a CPU may hold up others there */
	chan->cq = ib_alloc_cq_any(dev, chan, ICB_CHAN_SLOTS + 4 +
				   ICB_EP_REGISTRATIONS,
				   IB_POLL_UNBOUND_WORKQUEUE);
	if (IS_ERR(chan->cq)) {
		err = PTR_ERR(chan->cq);
		chan->cq = NULL;
		return icb_refuse(why, err, "device %s cannot create a CQ: %s (%d)",
				  icb_device_name(dev),
				  icb_cause_of_device(err), err);
	}
	err = create_qp(chan);
	if (err)
		return icb_refuse(why, err, "device %s cannot create a QP: %s (%d)",
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
 * icb_chan_drain() - process all completions of a channel and stop receiving
 * @chan: the channel; nothing happens if it is not connected
 *
 * Ends the connection. May sleep, for as long as the device takes to complete all work
 * requests.
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
 * icb_chan_close() - destroy the QP, the CQ and the memory of a channel
 * @chan: the channel; nothing happens if icb_chan_open() was not called
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
		/*
		 * without its established event the connection was not drained: messages
		 * may still arrive
		 */
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
	cancel_delayed_work_sync(&chan->flushed_work);
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

	/* a callback of the run may send, too */
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
 * icb_chan_send() - send a message and wait for its completion
 * @chan: the channel
 * @type: type of the message
 * @msg: the message, beginning with a head, which is filled in
 * @len: length of @msg, bytes
 * @timeout: limit for each of two waits, for the channel and for the completion, ns
 * @why: the reason of a failure
 *
 * Returns when the send has completed. May sleep; one caller at a time.
 *
 * Return: 0; a negative error number.
 */
int icb_chan_send(struct icb_chan *chan, enum icb_wire_type type, void *msg,
		  size_t len, u64 timeout, struct icb_reason *why)
{
	int err;

	do {
		/* a keepalive may still be posted */
		if (!icb_abort_wait(chan->conn->abort, !READ_ONCE(chan->sending),
				    icb_conn_jiffies(timeout)))
			return wait_failed(chan, "notifying the peer", why);
		err = post_send(chan, type, msg, len);
	} while (err == -EALREADY);
	if (err)
		return icb_refuse(why, err, "notifying the peer failed: %s (%d)",
				  icb_cause_of_device(err), err);
	if (icb_abort_wait(chan->conn->abort, !READ_ONCE(chan->sending),
			   icb_conn_jiffies(timeout))) {
		if (!READ_ONCE(chan->flushed))
			return 0;
		/* the cause of the flush may arrive soon */
		icb_abort_wait(chan->conn->abort, false, 2 * CAUSE_JIFFIES);
	}
	return wait_failed(chan, "notifying the peer", why);
}

/**
 * icb_chan_arrived() - check for a message that was not read
 * @chan: the channel
 *
 * Return: true if there is one.
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
 * icb_chan_nudge() - send a keepalive
 * @chan: the channel, over which no other message is being sent
 *
 * Does not wait.
 */
void icb_chan_nudge(struct icb_chan *chan)
{
	struct icb_wire_head head;

	post_send(chan, ICB_WIRE_NUDGE, &head, sizeof(head));
}

/**
 * icb_chan_measured() - notify the peer that this side has measured its own stream
 * @chan: the channel
 *
 * Any context. Does not wait.
 *
 * Return: true if the message was posted; false if the caller has to try again.
 */
bool icb_chan_measured(struct icb_chan *chan)
{
	struct icb_wire_head head;

	return !post_send(chan, ICB_WIRE_MEASURED, &head, sizeof(head));
}

/*
 * Posts an empty RDMA write, which the peer's software does not see. A message would use
 * up one of the few receives. Over iWARP, a message that finds no receive breaks the
 * connection, and a busy host does not repost receives in time.
 */
static void send_empty_write(struct icb_chan *chan)
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
 * Waits for a message over iWARP. siw does not process data that arrives between its
 * reply to a connection request and the end of its accept until more data arrives.
 */
static void wait_stirring(struct icb_chan *chan, unsigned long timeout)
{
	unsigned long end = jiffies + timeout;

	while (!icb_abort_wait(chan->conn->abort, arrived_or_gone(chan),
			       STIR_JIFFIES)) {
		if (READ_ONCE(chan->conn->abort->over) ||
		    time_after(jiffies, end))
			return;
		if (may_send(chan))
			send_empty_write(chan);
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
 * icb_chan_recv() - wait for a message and read it
 * @chan: the channel
 * @type: the only type that is accepted now
 * @msg: takes the message
 * @len: exact length of the message, bytes
 * @timeout: limit for the arrival, ns
 * @why: the reason of a failure
 *
 * May sleep; one caller at a time.
 *
 * Return: 0; -EPROTO if another message arrives; -ETIMEDOUT; the error that ended the
 * side.
 */
int icb_chan_recv(struct icb_chan *chan, enum icb_wire_type type, void *msg,
		  size_t len, u64 timeout, struct icb_reason *why)
{
	const struct icb_wire_head *head;
	struct icb_chan_slot *slot;
	int err = 0;

	/* messages that have arrived are valid, even if the connection has ended since */
	wait_arrived(chan, timeout);
	if (!icb_chan_arrived(chan))
		return wait_failed(chan, "waiting for the peer", why);
	spin_lock_bh(&chan->lock);
	slot = chan->fifo[chan->head++ % ICB_CHAN_SLOTS];
	spin_unlock_bh(&chan->lock);
	head = (const void *)slot->data;
	if (le16_to_cpu(head->type) != type || slot->len != len)
		err = icb_refuse(why, -EPROTO,
				 "the peer sent message %u of %u bytes instead of message %u of %zu",
				 le16_to_cpu(head->type), slot->len, type,
				 len);
	else
		memcpy(msg, slot->data, len);
	/* the connection may end after the last message: siw takes no receives then */
	if (!READ_ONCE(chan->conn->closing) && post_recv(chan, slot) && !err)
		err = icb_refuse(why, -EIO, "posting a receive failed");
	return err;
}

/**
 * icb_chan_bye() - notify the peer that this side ends early
 * @chan: the channel; nothing happens if it is not connected any more
 * @words: the reason, as text
 *
 * For a side that is over already. Does not wait for an answer, and waits only briefly
 * for the completion. May sleep.
 *
 * Return: true if the peer's device has acknowledged the message.
 */
bool icb_chan_bye(struct icb_chan *chan, const char *words)
{
	struct icb_wire_bye bye = {};

	/* a message that does not complete shows that the peer does not answer */
	if (!chan->conn || !icb_conn_connected(chan->conn) ||
	    READ_ONCE(chan->conn->gone) || READ_ONCE(chan->sending) ||
	    !may_send(chan))
		return false;
	icb_wire_say(bye.words, words);
	return !post_send(chan, ICB_WIRE_BYE, &bye, sizeof(bye)) &&
	       wait_event_idle_timeout(chan->conn->abort->wait,
				       !READ_ONCE(chan->sending), BYE_JIFFIES) &&
	       !READ_ONCE(chan->conn->gone);
}
