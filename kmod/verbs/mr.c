// SPDX-License-Identifier: GPL-2.0
#include <linux/delay.h>
#include <linux/random.h>

#include "cm/conn.h"
#include "cqs.h"
#include "host/abort.h"
#include "host/cause.h"
#include "mem.h"
#include "model/derived.h"
#include "model/verbs_table.h"
#include "model/wire.h"
#include "mr.h"
#include "places.h"
#include "pool.h"
#include "receives.h"
#include "requests.h"
#include "types.h"

/* Registrations that are on their way at a time. */
#define REGISTRATIONS	ICB_CONN_REGISTRATIONS

/* In the place of rights: none any more. */
#define INVALIDATE	-1

/* How long a region may take to become invalid before its QP goes anyway. */
#define INVALIDATE_NS	(200 * NSEC_PER_MSEC)

/**
 * icb_ep_reg_done() - a registration has completed, or that of its end
 * @cq: where
 * @wc: the completion
 */
void icb_ep_reg_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct icb_ep *ep = container_of(wc->wr_cqe, struct icb_ep, reg_cqe);
	struct icb_abort *abort = READ_ONCE(ep->abort);

	if (wc->status != IB_WC_SUCCESS && !ep->reg_err) {
		ep->reg_err = -EIO;
		/* none is left where the endpoint has gone meanwhile */
		if (wc->status != IB_WC_WR_FLUSH_ERR && abort)
			icb_abort_run(abort, -EIO,
				      "the device does not register memory: %s",
				     ib_wc_status_msg(wc->status));
	}
	atomic_dec(&ep->reg_left);
}

/* Some devices (rxe) register by a reliable connection only. */
static struct ib_qp *reg_qp(const struct icb_ep *ep,
			    const struct icb_rail *rail)
{
	return ep->reg_qp ? : rail->reg->ibqp;
}

static int post_reg(struct icb_ep *ep, struct icb_rail *rail, struct ib_mr *mr,
		    int access)
{
	struct ib_reg_wr reg = {
		.wr.opcode = IB_WR_REG_MR,
		.wr.send_flags = IB_SEND_SIGNALED,
		.wr.wr_cqe = &ep->reg_cqe,
		.mr = mr,
		.key = mr->rkey,
		.access = access,
	};
	struct ib_send_wr inv = {
		.opcode = IB_WR_LOCAL_INV,
		.send_flags = IB_SEND_SIGNALED,
		.wr_cqe = &ep->reg_cqe,
		.ex.invalidate_rkey = mr->rkey,
	};
	int err;

	atomic_inc(&ep->reg_left);
	local_bh_disable();
	err = ib_post_send(reg_qp(ep, rail),
			   access == INVALIDATE ? &inv : &reg.wr, NULL);
	local_bh_enable();
	if (err)
		atomic_dec(&ep->reg_left);
	return err;
}

/* What each device's registrations complete at. */
static void take_regs(struct icb_ep *ep)
{
	unsigned int i;

	if (ep->reg_qp)
		icb_ep_take_completions(ep->reg_qp->send_cq);
	for (i = 0; i < ep->rails; i++)
		if (ep->rail[i].reg && ep->rail[i].reg->ibqp)
			icb_ep_take_completions(ep->rail[i].reg->ibqp->send_cq);
}

/* Until no more than so many are on their way. */
static int wait_reg(struct icb_ep *ep, int most, unsigned long until)
{
	while (atomic_read(&ep->reg_left) > most) {
		take_regs(ep);
		if (atomic_read(&ep->reg_left) <= most)
			break;
		if (time_after(jiffies, until))
			return -ETIMEDOUT;
		usleep_range(20, 100);
	}
	return ep->reg_err;
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
	/* another key each time: an old one is of no use to anybody */
	ib_update_fast_reg_key(mr, get_random_u32() & 0xff);
	err = wait_reg(ep, REGISTRATIONS - 1, until);
	if (!err)
		err = post_reg(ep, rail, mr, access);
	if (err)
		return err;
	chunk->valid = true;
	return 0;
}

/* What the other side may reach into, and only for what the verb does there. */
static int offer(struct icb_ep *ep, struct icb_rail *rail, u32 verb,
		 struct icb_wire_ready *ready, unsigned long until,
		 struct icb_reason *why)
{
	struct icb_pool *pool = icb_verb_table[verb].passive ? rail->tx :
							       rail->rx;
	struct icb_chunk *chunk;
	unsigned int i;
	int err;

	/* a message without payload reaches into no memory */
	if (!pool->size)
		return 0;
	for (i = 0; i < pool->chunks; i++) {
		chunk = &pool->chunk[i];
		err = register_chunk(ep, rail, chunk, icb_ep_access(verb),
				     until, why);
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

/* Unless they are regions that the other side reaches into; of one device. */
static int register_pool(struct icb_ep *ep, struct icb_pool *pool, int access,
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

/* Where the answers to reads and atomics land, or what is sent. */
static int register_own(struct icb_ep *ep, u32 verb, unsigned long until,
			struct icb_reason *why)
{
	bool passive = icb_verb_table[verb].passive;
	struct icb_pool *pool = passive ? &ep->rx : &ep->tx;
	int access = passive ? IB_ACCESS_LOCAL_WRITE : 0, err;
	unsigned int i;

	/* in iWARP what a read brings comes as a write of the other side */
	if (ep->sink)
		access |= IB_ACCESS_REMOTE_WRITE;
	err = register_pool(ep, pool, access, until, why);
	if (err)
		return err;
	icb_ep_use_regions(pool, ep->tx_place, false);
	for (i = 0; i < icb_ep_ops_of(ep); i++)
		ep->op[i].wr.num_sge = ep->tx_place->num_sge;
	return 0;
}

/* Where receives put what arrives. They wait for it: no message may come yet. */
static int register_recvs(struct icb_ep *ep, unsigned long until,
			  struct icb_reason *why)
{
	int err;

	err = register_pool(ep, &ep->rx, IB_ACCESS_LOCAL_WRITE, until, why);
	if (!err)
		err = wait_reg(ep, 0, until);
	if (err)
		return err;
	icb_ep_use_regions(&ep->rx, ep->rail->rx_place, ep->datagrams);
	err = icb_ep_post_recvs(ep->qp);
	return err ? icb_refuse(why, err, "posting receives failed: %s (%d)",
				icb_cause_of_device(err), err) : 0;
}

/**
 * icb_ep_register() - register what a run needs registered
 * @ep: connected
 * @rail: on which of its devices
 * @verb: the verb
 * @ready: the message that tells the other side what it may reach into, zeroed
 * @timeout: ns
 * @why: the reason of a failure
 *
 * With the rights that the verb needs, and no others; and its own buffers, where
 * these are to be regions, too. May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_register(struct icb_ep *ep, unsigned int rail, u32 verb,
		    struct icb_wire_ready *ready, u64 timeout,
		    struct icb_reason *why)
{
	unsigned long until = jiffies + icb_conn_jiffies(timeout);
	int err = 0;

	if (ep->offers)
		err = offer(ep, &ep->rail[rail], verb, ready, until, why);
	if (!err && ep->posts && (ep->sink || ep->regions))
		err = register_own(ep, verb, until, why);
	if (!err && ep->receives && ep->regions)
		err = register_recvs(ep, until, why);
	if (!err)
		err = wait_reg(ep, 0, until);
	if (!err || why->text[0] || icb_abort_check(ep->abort, why))
		return err;
	return icb_refuse(why, err, "registering memory failed: %s (%d)",
			  icb_cause_of_device(err), err);
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
 * icb_ep_unregister() - let the other side reach no more into what is registered
 * @ep: whose
 * @tx: into what is sent
 * @rx: into what arrives
 *
 * May sleep, for a bounded time.
 */
void icb_ep_unregister(struct icb_ep *ep, bool tx, bool rx)
{
	struct icb_rail *rail;
	unsigned int i;

	/* what another QP has registered ends with its own, and goes then */
	for (i = 0; i < ep->rails && !ep->reg_qp; i++) {
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
 * icb_ep_withdraw() - let the other side reach into this one's memory no more
 * @ep: connected; the other side has begun its last operation, and that has come
 *
 * For who goes on to wait for something else; icb_ep_destroy() does it, too. May sleep,
 * for a bounded time.
 */
void icb_ep_withdraw(struct icb_ep *ep)
{
	bool passive = icb_verb_of(ep->params)->passive;

	if (ep->offers)
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
 * icb_ep_free_regions() - let go of all that was registered
 * @ep: whose; it has no QPs any more
 *
 * May sleep.
 */
void icb_ep_free_regions(struct icb_ep *ep)
{
	unsigned int i;

	free_pool(&ep->tx);
	free_pool(&ep->rx);
	for (i = 0; i < ep->rails; i++) {
		free_pool(&ep->rail[i].shared_tx);
		free_pool(&ep->rail[i].shared_rx);
	}
}
