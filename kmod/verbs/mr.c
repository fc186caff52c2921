// SPDX-License-Identifier: GPL-2.0
#include <linux/random.h>

#include "cm/conn.h"
#include "cqs.h"
#include "host/abort.h"
#include "host/poll.h"
#include "mem.h"
#include "model/depth.h"
#include "model/verbs_table.h"
#include "model/wire.h"
#include "mr.h"
#include "pool.h"
#include "provider.h"
#include "types.h"
#include "verbs.h"

/* Most registrations that are pending at a time. */
#define REGISTRATIONS	ICB_EP_REGISTRATIONS

/* Access value that means: invalidate the key. */
#define INVALIDATE	-1

/* Longest wait for a region to become invalid before its QP is destroyed anyway. */
#define INVALIDATE_NS	(200 * NSEC_PER_MSEC)

/**
 * icb_ep_reg_done() - handle the completion of a registration or an invalidation
 * @cq: CQ of the completion
 * @wc: the completion
 */
void icb_ep_reg_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct icb_ep *ep = container_of(wc->wr_cqe, struct icb_ep, own.reg.cqe);
	struct icb_abort *abort = READ_ONCE(ep->abort);

	if (wc->status != IB_WC_SUCCESS && !ep->own.reg.err) {
		ep->own.reg.err = -EIO;
		/* icb_ep_destroy() has cleared the abort if the endpoint is gone */
		if (wc->status != IB_WC_WR_FLUSH_ERR && abort)
			icb_abort_run(abort, -EIO,
				      "the device does not register memory: %s",
				     ib_wc_status_msg(wc->status));
	}
	atomic_dec(&ep->own.reg.left);
}

/* Some devices (rxe) register memory only through a reliable connection. */
static struct ib_qp *reg_qp(const struct icb_ep *ep,
			    const struct icb_rail *rail)
{
	return ep->own.reg.qp ? : rail->reg->ibqp;
}

static int post_reg(struct icb_ep *ep, struct icb_rail *rail, struct ib_mr *mr,
		    int access)
{
	struct ib_reg_wr reg = {
		.wr.opcode = IB_WR_REG_MR,
		.wr.send_flags = IB_SEND_SIGNALED,
		.wr.wr_cqe = &ep->own.reg.cqe,
		.mr = mr,
		.key = mr->rkey,
		.access = access,
	};
	struct ib_send_wr inv = {
		.opcode = IB_WR_LOCAL_INV,
		.send_flags = IB_SEND_SIGNALED,
		.wr_cqe = &ep->own.reg.cqe,
		.ex.invalidate_rkey = mr->rkey,
	};
	int err;

	atomic_inc(&ep->own.reg.left);
	local_bh_disable();
	err = ib_post_send(reg_qp(ep, rail),
			   access == INVALIDATE ? &inv : &reg.wr, NULL);
	local_bh_enable();
	if (err)
		atomic_dec(&ep->own.reg.left);
	return err;
}

/* Take completions from the send CQs where registrations complete. */
static void take_regs(struct icb_ep *ep)
{
	unsigned int i;

	if (ep->own.reg.qp)
		icb_ep_take_completions(ep->own.reg.qp->send_cq);
	for (i = 0; i < ep->plan.rails; i++)
		if (ep->rail[i].reg && ep->rail[i].reg->ibqp)
			icb_ep_take_completions(ep->rail[i].reg->ibqp->send_cq);
}

/* Take completions unless few registrations are pending. Returns true if few are. */
static bool few_regs(struct icb_ep *ep, int most)
{
	if (atomic_read(&ep->own.reg.left) <= most)
		return true;
	take_regs(ep);
	return atomic_read(&ep->own.reg.left) <= most;
}

/* Wait until no more than this number of registrations is pending. */
static int wait_reg(struct icb_ep *ep, int most, unsigned long until)
{
	if (!icb_poll_until(few_regs(ep, most), until, 20, 100))
		return -ETIMEDOUT;
	return ep->own.reg.err;
}

static int register_chunk(struct icb_ep *ep, struct icb_rail *rail,
			  struct icb_chunk *chunk, int access,
			  unsigned long until, struct icb_reason *why)
{
	struct ib_mr *mr;
	int err;

	err = icb_mem_mr(&chunk->mem, rail->pd, &chunk->mr, why);
	if (err)
		return err;
	mr = chunk->mr;
	/* a new key each time makes the old one useless to anybody who has it */
	ib_update_fast_reg_key(mr, get_random_u32() & 0xff);
	err = wait_reg(ep, REGISTRATIONS - 1, until);
	if (!err)
		err = post_reg(ep, rail, mr, access);
	if (err)
		return err;
	chunk->valid = true;
	return 0;
}

/**
 * icb_ep_wait_regs() - wait until all registrations have completed
 * @ep: the endpoint
 * @until: deadline, of vb_deadline()
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_wait_regs(struct icb_ep *ep, unsigned long until)
{
	return wait_reg(ep, 0, until);
}

/**
 * icb_ep_offer() - register the memory that the peer may access
 * @ep: the endpoint
 * @rail: the device
 * @verb: verb of the run, which determines the rights
 * @ready: message that announces the registered memory to the peer
 * @until: deadline, of vb_deadline()
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_offer(struct icb_ep *ep, struct icb_rail *rail, u32 verb,
		 struct icb_wire_ready *ready, unsigned long until,
		 struct icb_reason *why)
{
	struct icb_pool *pool = icb_verb_table[verb].passive ? rail->tx :
							       rail->rx;
	struct icb_chunk *chunk;
	unsigned int i;
	int err;

	/* a message without payload accesses no memory */
	if (!pool->size)
		return 0;
	for (i = 0; i < pool->chunks; i++) {
		chunk = &pool->chunk[i];
		err = register_chunk(ep, rail, chunk,
				     icb_verb_table[verb].access, until, why);
		if (err)
			return err;
		ready->region[i].addr = cpu_to_le64(chunk->mr->iova);
		ready->region[i].rkey = cpu_to_le32(chunk->mr->rkey);
		ready->region[i].len = cpu_to_le32(chunk->mr->length);
	}
	ready->count = cpu_to_le32(pool->chunks);
	ready->stride = cpu_to_le32(pool->stride);
	return 0;
}

/**
 * icb_ep_register_pool() - register the buffers that icb_ep_offer() has not registered
 * @ep: endpoint of one device
 * @pool: the buffers
 * @access: VB_ACCESS_LOCAL_WRITE, VB_ACCESS_REMOTE_WRITE
 * @until: deadline, of vb_deadline()
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_register_pool(struct icb_ep *ep, struct icb_pool *pool, int access,
			 unsigned long until, struct icb_reason *why)
{
	unsigned int i;
	int err;

	for (i = 0; i < pool->chunks; i++) {
		if (pool->chunk[i].mr)
			continue;
		err = register_chunk(ep, ep->rail, &pool->chunk[i], access,
				     until, why);
		if (err)
			return err;
	}
	return 0;
}

static void unregister(struct icb_ep *ep, struct icb_rail *rail,
		       struct icb_pool *pool)
{
	unsigned long until = jiffies + icb_conn_jiffies(INVALIDATE_NS);
	unsigned int i;

	for (i = 0; i < pool->chunks && !READ_ONCE(ep->abort->over); i++) {
		if (!pool->chunk[i].valid)
			continue;
		if (wait_reg(ep, REGISTRATIONS - 1, until) ||
		    post_reg(ep, rail, pool->chunk[i].mr, INVALIDATE))
			break;
		pool->chunk[i].valid = false;
	}
	wait_reg(ep, 0, until);
}

/**
 * icb_ep_unregister() - invalidate the regions, so that the peer loses access to them
 * @ep: the endpoint
 * @tx: invalidate the transmit buffers
 * @rx: invalidate the receive buffers
 *
 * May sleep, for a bounded time.
 */
void icb_ep_unregister(struct icb_ep *ep, bool tx, bool rx)
{
	struct icb_rail *rail;
	unsigned int i;

	/*
	 * access to regions of @reg_qp ends with this endpoint's own QPs, and
	 * icb_ep_free_regions() frees the regions then
	 */
	for (i = 0; i < ep->plan.rails && !ep->own.reg.qp; i++) {
		rail = &ep->rail[i];
		if (!rail->reg || !rail->reg->ibqp)
			continue;
		if (tx)
			unregister(ep, rail, rail->tx);
		if (rx)
			unregister(ep, rail, rail->rx);
	}
}

/**
 * icb_ep_withdraw() - end the peer's access to this side's memory
 * @ep: endpoint, connected; the last operation of the peer has arrived
 *
 * For a caller that waits for something else before icb_ep_destroy(), which also ends the
 * access. May sleep, for a bounded time.
 */
void icb_ep_withdraw(struct icb_ep *ep)
{
	bool passive = icb_verb_of(ep->params)->passive;

	if (ep->plan.offers_memory)
		icb_ep_unregister(ep, passive, !passive);
}

static void free_pool(struct icb_pool *pool)
{
	unsigned int i;

	for (i = 0; i < pool->chunks; i++)
		if (pool->chunk && pool->chunk[i].mr)
			ib_dereg_mr(pool->chunk[i].mr);
}

/**
 * icb_ep_free_regions() - free all regions of an endpoint
 * @ep: endpoint, whose QPs are destroyed
 *
 * May sleep.
 */
void icb_ep_free_regions(struct icb_ep *ep)
{
	unsigned int i;

	free_pool(&ep->tx);
	free_pool(&ep->rx);
	for (i = 0; i < ep->plan.rails; i++) {
		free_pool(&ep->rail[i].shared_tx);
		free_pool(&ep->rail[i].shared_rx);
	}
}
