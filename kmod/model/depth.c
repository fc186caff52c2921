// SPDX-License-Identifier: GPL-2.0
#include "buffers.h"
#include "credits.h"
#include "depth.h"
#include "derived.h"
#include "plan.h"
#include "rules.h"
#include "verbs_table.h"

/*
 * Receives that one call posts: in a stream, and in a ping-pong where no other CPU or
 * context can post them while a message is in flight. The more receives a call posts, the
 * longer is the sample that waits for it: with SMALL_BATCH this is one sample of four,
 * and it is not much longer.
 */
#define BATCH		ICB_BUFFERS_BATCH
#define SMALL_BATCH	(ICB_BUFFERS_ECHO / 2)

/* Send queue entries for the last work requests of icb_ep_settle() and of a drain. */
#define SPARE_SENDS	3

/**
 * icb_ep_recv_batch() - number of receives that one call posts
 * @params: parameters of the run
 * @one_cpu: the host has one CPU
 *
 * Return: number of receives.
 */
unsigned int icb_ep_recv_batch(const struct icb_params *params, bool one_cpu)
{
	if (icb_params_report_every(params))
		return 1;
	if (icb_params_windowed(params))
		return params->qps > 1 ? min_t(u32, params->window, BATCH) :
					 BATCH;
	return one_cpu || BIT(params->completion) & ICB_COMPLETIONS_CALLBACK ?
		SMALL_BATCH : 1;
}

/**
 * icb_ep_recv_depth() - number of receives of a QP
 * @params: parameters of the run
 *
 * Enough for all messages in flight, and for as many while those are taken.
 *
 * Return: number of receives.
 */
unsigned int icb_ep_recv_depth(const struct icb_params *params)
{
	unsigned int batch = icb_ep_recv_batch(params, false);

	if (icb_params_windowed(params) && params->qps > 1)
		return 2 * roundup(params->window, batch);
	if (icb_params_windowed(params))
		return icb_buffers_recvs(params);
	return ICB_BUFFERS_ECHO;
}

/* Most notes that may have been sent since the last completion that was taken. */
static unsigned int notes_sent(const struct icb_params *params)
{
	u32 every = icb_params_report_every(params);

	return every ? params->window / every + 2 : 0;
}

/**
 * icb_ep_send_depth_by() - number of send work requests that a QP has room for
 * @params: parameters of the run
 * @signal_every: operations for each one that completes
 *
 * Return: number of work requests, without those that register memory.
 */
unsigned int icb_ep_send_depth_by(const struct icb_params *params,
				  u32 signal_every)
{
	unsigned int operations = icb_params_windowed(params) ?
		params->window : 2 * signal_every;

	/* the answer to a window may be taken before the completions of that window */
	if (params->reply)
		operations *= 2;

	return operations * (icb_verb_of(params)->note ? 2 : 1) + SPARE_SENDS +
	       notes_sent(params);
}

/**
 * icb_ep_send_depth() - number of send work requests that a QP of a run has room for
 * @params: parameters of the run
 *
 * Return: number of work requests, without those that register memory.
 */
unsigned int icb_ep_send_depth(const struct icb_params *params)
{
	return icb_ep_send_depth_by(params, params->signal_every);
}

/**
 * icb_ep_qps_per_pair() - number of QPs that can share a pair of CQs
 * @plan: plan of this side
 * @max_cqe: most entries of a CQ of the device
 *
 * Return: number of QPs; the CQs have an entry for every completion that may be in them.
 */
u32 icb_ep_qps_per_pair(const struct icb_plan *plan, u32 max_cqe)
{
	return (max_cqe - ICB_EP_REG_SENDS) /
	       max_t(u32, plan->rcq_share, plan->scq_share);
}

/**
 * icb_ep_qps_of() - number of QPs on a device
 * @plan: plan of this side
 * @rail: index of the device
 *
 * Return: number of QPs; the first device has as many as any other, or one more.
 */
u32 icb_ep_qps_of(const struct icb_plan *plan, u32 rail)
{
	return DIV_ROUND_UP(plan->qps - rail, plan->rails);
}
