// SPDX-License-Identifier: GPL-2.0
#include "footprint.h"
#include "model/buffers.h"
#include "model/depth.h"
#include "model/derived.h"
#include "model/rules.h"
#include "model/segments.h"
#include "model/sizes.h"
#include "pool.h"
#include "types.h"

/* Payload of the largest datagram, bytes. A receive of that size never breaks its QP. */
#define DATAGRAM_ROOM	4096

/**
 * icb_ep_layouts() - compute how messages lie in the buffers of a run
 * @params: parameters of the run
 * @tx: receives the layout of transmit buffers
 * @rx: receives the layout of receive buffers
 *
 * A receive buffer has room for any datagram, as other hosts may send one that is too
 * long.
 */
void icb_ep_layouts(const struct icb_params *params, struct icb_segments *tx,
		    struct icb_segments *rx)
{
	u32 size = icb_sizes_room(params), more;

	icb_segments_of(params, tx, rx);
	if (!icb_params_datagrams(params) || size > DATAGRAM_ROOM)
		return;
	more = DATAGRAM_ROOM - size;
	rx->last += more;
	rx->extent += more;
}

/* Approximate memory of a queue entry, in the host and in the device, bytes. */
#define ENTRY_SIZE	256

/* Memory of the description of a buffer, bytes; the first buffer is not counted. */
static u64 place_size(const struct icb_segments *layout)
{
	return sizeof(struct icb_place) + layout->count * sizeof(struct ib_sge);
}

/* Memory that further SGEs and inline data add to a queue entry, bytes. */
static u64 entry_more(const struct icb_params *params)
{
	u32 sges = icb_params_has(params, ICBENCH_A_PARAMS_MAX_SGES) ?
		params->max_sges : params->sges;

	return (u64)(sges - 1) * sizeof(struct ib_sge) + params->inline_size;
}

/*
 * Number of entries of a QP's queues. For a single ping-pong, only the entries beyond
 * those that every ping-pong has.
 */
static u64 entries_counted(const struct icb_params *params)
{
	u32 sends = icb_ep_send_depth(params);

	if (icb_params_windowed(params) || icb_params_total_qps(params) > 1)
		return sends + icb_ep_recv_depth(params);
	return sends - icb_ep_send_depth_by(params,
					    min_t(u32, params->signal_every,
						  ICB_SELDOM_SIGNALLED));
}

/**
 * icb_ep_queues_footprint() - memory that the queues of one side take
 * @params: parameters of the run
 *
 * Counts queues that are longer, or have longer entries, than usual.
 *
 * Return: bytes.
 */
u64 icb_ep_queues_footprint(const struct icb_params *params)
{
	u32 entries = icb_ep_send_depth(params) + icb_ep_recv_depth(params);
	u32 qps = icb_params_total_qps(params);
	bool many = icb_params_windowed(params) || qps > 1;
	u64 more = entry_more(params);

	return icb_params_rails(params) * ICB_EP_REG_SENDS *
	       (more + (many ? ENTRY_SIZE : 0)) +
	       qps * (more * entries +
			entries_counted(params) * ENTRY_SIZE);
}

static u64 buffers_footprint(const struct icb_params *params, bool responder)
{
	u32 sent = icb_buffers_sent(params, !responder);
	u32 filled = icb_buffers_filled(params, !responder);
	u32 qps = icb_params_total_qps(params);
	struct icb_segments tx, rx;
	u64 buffers;

	icb_ep_layouts(params, &tx, &rx);
	buffers = icb_pool_footprint(tx.extent, sent) +
		  icb_pool_footprint(rx.extent, filled) +
		  icb_params_rails(params) *
			  ((u64)(sent - 1) * place_size(&tx) +
			   (u64)(filled - 1) * place_size(&rx));
	buffers += (u64)(qps - 1) * sizeof(struct icb_qp);
	if (icb_params_datagrams(params))
		buffers += PAGE_SIZE + (qps - 1) * sizeof(struct vb_wr) *
			   (icb_params_has(params, ICBENCH_A_PARAMS_BATCH) ?
			    params->batch : 1);
	return buffers;
}

/**
 * icb_ep_footprint() - memory that one side takes
 * @params: parameters of the run
 * @responder: true on the responder
 *
 * Counts the buffers. Counts the queues, too, where a window sets their length, where
 * there are several QPs, and where queues or their entries are longer than usual.
 *
 * Return: bytes.
 */
u64 icb_ep_footprint(const struct icb_params *params, bool responder)
{
	return buffers_footprint(params, responder) +
	       icb_ep_queues_footprint(params);
}
