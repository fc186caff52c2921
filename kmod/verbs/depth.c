// SPDX-License-Identifier: GPL-2.0
#include "cm/conn.h"
#include "depth.h"
#include "model/buffers.h"
#include "model/credits.h"
#include "model/derived.h"
#include "model/rules.h"
#include "model/verbs_table.h"
#include "types.h"

/*
 * Receives that are given back in one go: of a stream; and of a ping-pong where nobody
 * does so while a message is on its way. The more, the longer is the sample that waits
 * for it: with so few it is one of four, and not much longer.
 */
#define BATCH		ICB_BUFFERS_BATCH
#define SMALL_BATCH	(ICB_BUFFERS_ECHO / 2)

/* What the SQ holds beside messages: the last one, the drain; the first, both */
#define SPARE_SENDS	3

/**
 * icb_ep_recv_batch() - receives that are given back together
 * @params: of the run
 *
 * Return: how many.
 */
unsigned int icb_ep_recv_batch(const struct icb_params *params)
{
	if (icb_params_report_every(params))
		return 1;
	if (icb_params_windowed(params))
		return params->qps > 1 ? min_t(u32, params->window, BATCH) :
					 BATCH;
	return num_online_cpus() == 1 ||
	       BIT(params->completion) & ICB_COMPLETIONS_CALLBACK ?
		SMALL_BATCH : 1;
}

/**
 * icb_ep_recv_depth() - receives of a QP
 * @params: of the run
 *
 * Enough for all that can be on its way, and for as much while it is taken.
 *
 * Return: how many.
 */
unsigned int icb_ep_recv_depth(const struct icb_params *params)
{
	unsigned int batch = icb_ep_recv_batch(params);

	if (icb_params_windowed(params) && params->qps > 1)
		return 2 * roundup(params->window, batch);
	if (icb_params_windowed(params))
		return icb_buffers_recvs(params);
	return ICB_BUFFERS_ECHO;
}

/* As many as there may be behind the last completion that was taken. */
static unsigned int notes_sent(const struct icb_params *params)
{
	u32 every = icb_params_report_every(params);

	return every ? params->window / every + 2 : 0;
}

/**
 * icb_ep_send_depth_by() - work requests that a QP has room for
 * @params: of the run
 * @signal_every: operations of which one completes
 *
 * Return: how many, without those that register memory.
 */
unsigned int icb_ep_send_depth_by(const struct icb_params *params,
				  u32 signal_every)
{
	unsigned int operations = icb_params_windowed(params) ?
		params->window : 2 * signal_every;

	/* the answer to a window may be seen before its completions */
	if (params->reply)
		operations *= 2;

	return operations * (icb_verb_of(params)->note ? 2 : 1) + SPARE_SENDS +
	       notes_sent(params);
}

/**
 * icb_ep_send_depth() - work requests that a QP of a run has room for
 * @params: of the run
 *
 * Return: how many, without those that register memory.
 */
unsigned int icb_ep_send_depth(const struct icb_params *params)
{
	return icb_ep_send_depth_by(params, params->signal_every);
}

/**
 * icb_ep_recvs() - receives of a QP of this side
 * @ep: whose
 *
 * Return: how many.
 */
u32 icb_ep_recvs(const struct icb_ep *ep)
{
	if (ep->receives)
		return icb_ep_recv_depth(ep->params);
	return ep->credit_explicit ? ICB_CREDITS_HEARD : 0;
}

/**
 * icb_ep_sends() - work requests that a QP of this side has room for
 * @ep: whose
 *
 * Return: how many, without those that register memory.
 */
u32 icb_ep_sends(const struct icb_ep *ep)
{
	return icb_ep_send_depth(ep->params) +
	       (ep->grants ? ICB_CREDITS_GRANTS : 0);
}

/**
 * icb_ep_rcq_share() - entries of a receive CQ that each QP of it takes
 * @ep: whose
 *
 * Return: how many, with two for the drain.
 */
u32 icb_ep_rcq_share(const struct icb_ep *ep)
{
	return 2 + ep->idle + icb_ep_recvs(ep) +
	       (ep->waits_own ? icb_ep_sends(ep) : 0);
}

/**
 * icb_ep_scq_share() - entries of a send CQ that each QP of it takes
 * @ep: whose
 *
 * Return: how many, with two for the drain.
 */
u32 icb_ep_scq_share(const struct icb_ep *ep)
{
	return 2 + icb_ep_sends(ep);
}

/**
 * icb_ep_qps_per_pair() - QPs that can share CQs
 * @ep: whose
 * @dev: the device
 *
 * Return: how many: there is an entry for all that may ever be in them.
 */
u32 icb_ep_qps_per_pair(const struct icb_ep *ep, const struct ib_device *dev)
{
	return ((u32)dev->attrs.max_cqe - ICB_EP_REG_SENDS) /
	       max(icb_ep_rcq_share(ep), icb_ep_scq_share(ep));
}

/**
 * icb_ep_qps_of() - QPs of a device
 * @ep: whose
 * @rail: which of its devices
 *
 * Return: how many; of the first device as many as of any other, or one more.
 */
u32 icb_ep_qps_of(const struct icb_ep *ep, u32 rail)
{
	return DIV_ROUND_UP(icb_params_total_qps(ep->params) - rail, ep->rails);
}
