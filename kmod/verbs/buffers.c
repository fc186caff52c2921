// SPDX-License-Identifier: GPL-2.0
#include "buffers.h"
#include "cm/name.h"
#include "footprint.h"
#include "host/abort.h"
#include "mem.h"
#include "model/buffers.h"
#include "model/derived.h"
#include "model/params.h"
#include "model/segments.h"
#include "model/sizes.h"
#include "model/verbs_table.h"
#include "pool.h"
#include "promise.h"
#include "provider.h"
#include "types.h"

/* Most SGEs that a buffer may take; a region over the whole buffer takes one. */
static u32 most_pieces(const struct icb_ep *ep, const struct icb_params *params,
		       const struct ib_device *dev)
{
	u32 most = U32_MAX;

	if (ep->plan.posts && !ep->plan.sink)
		most = dev->attrs.max_send_sge;
	if (ep->plan.posts && !ep->plan.sink && dev->attrs.max_sge_rd &&
	    icb_verb_of(params)->opcode == IB_WR_RDMA_READ)
		most = min_t(u32, most, dev->attrs.max_sge_rd);
	if (ep->plan.receives)
		most = min_t(u32, most,
			     dev->attrs.max_recv_sge - ep->plan.datagrams);
	if (most < U32_MAX && icb_params_has(params, ICBENCH_A_PARAMS_MAX_SGES))
		most = min(most, params->max_sges);
	return most;
}

static int refuse_sges(const struct icb_params *params,
		       const struct ib_device *dev, u32 need, u32 most,
		       struct icb_reason *why)
{
	bool given = icb_params_has(params, ICBENCH_A_PARAMS_MAX_SGES);

	return icb_refuse(why, -EOPNOTSUPP,
			  "%s: %u bytes in %u segments need %u SGEs; %s takes %u",
			  given ? "max-sges" : "size", icb_sizes_room(params),
			  params->sges, need,
			  given ? "the QP" : icb_device_name(dev), most);
}

/**
 * icb_ep_most_sges() - largest number of SGEs that a buffer takes
 * @ep: the endpoint
 * @pool: the buffers
 *
 * Return: number of SGEs; in a region each segment takes one, whatever pages it has.
 */
u32 icb_ep_most_sges(const struct icb_ep *ep, const struct icb_pool *pool)
{
	return ep->plan.regions ? pool->layout.count : icb_pool_most_sges(pool);
}

static int check_pieces(const struct icb_ep *ep,
			const struct icb_params *params,
			const struct icb_rail *rail,
			const struct ib_device *dev, struct icb_reason *why)
{
	u32 most = most_pieces(ep, params, dev), need;

	need = max(icb_ep_most_sges(ep, rail->tx), icb_ep_most_sges(ep,
								    rail->rx));
	return need > most ? refuse_sges(params, dev, need, most, why) : 0;
}

/**
 * icb_ep_alloc_buffers() - allocate the buffers of a side, for its first device
 * @ep: the endpoint
 * @params: parameters of the run
 * @dev: the device
 * @responder: true on the responder
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_alloc_buffers(struct icb_ep *ep, const struct icb_params *params,
			 struct ib_device *dev, bool responder,
			 struct icb_reason *why)
{
	enum dma_data_direction tx_dir = icb_verb_of(params)->atomic ?
		DMA_BIDIRECTIONAL : DMA_TO_DEVICE;
	struct icb_rail *rail = ep->rail;
	u32 sent = icb_buffers_sent(params, !responder);
	u32 filled = icb_buffers_filled(params, !responder);
	struct icb_segments tx, rx;
	int node, err;

	rail->tx = &ep->tx;
	rail->rx = &ep->rx;

	icb_ep_layouts(params, &tx, &rx);
	err = icb_mem_place(params->memory, dev, &node, why);
	if (!err)
		err = icb_pool_alloc(&ep->tx, dev, &tx, sent, tx_dir, node,
				     &ep->abort->over, why);
	if (!err) {
		icb_promise_keep(&ep->own.promise,
				 icb_pool_footprint(tx.extent, sent));
		err = icb_pool_alloc(&ep->rx, dev, &rx, filled,
				     DMA_FROM_DEVICE, node, &ep->abort->over,
				     why);
	}
	if (!err)
		icb_promise_keep(&ep->own.promise,
				 icb_pool_footprint(rx.extent, filled));
	if (err == -ECANCELED)
		return icb_abort_check(ep->abort, why);
	return err ? : check_pieces(ep, params, rail, dev, why);
}

/**
 * icb_ep_share_buffers() - map the buffers for a device other than the first
 * @ep: the endpoint
 * @rail: the device
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_share_buffers(struct icb_ep *ep, struct icb_rail *rail,
			 struct icb_reason *why)
{
	int err;

	rail->tx = &rail->shared_tx;
	rail->rx = &rail->shared_rx;
	err = icb_pool_share(rail->tx, &ep->tx, rail->dev, why);
	if (!err)
		err = icb_pool_share(rail->rx, &ep->rx, rail->dev, why);
	return err ? : check_pieces(ep, ep->params, rail, rail->dev, why);
}
