// SPDX-License-Identifier: GPL-2.0
#include <linux/sizes.h>

#include "cm/conn.h"
#include "cm/device.h"
#include "cm/name.h"
#include "footprint.h"
#include "host/cause.h"
#include "limits.h"
#include "model/buffers.h"
#include "model/depth.h"
#include "model/derived.h"
#include "model/rules.h"
#include "model/segments.h"
#include "model/sizes.h"
#include "model/verb_rules.h"
#include "model/verbs_table.h"
#include "model/wire.h"
#include "pool.h"
#include "promise.h"
#include "qp.h"
#include "types.h"

/**
 * icb_ep_check_sges() - check that a device supports the segments of a run
 * @params: parameters of the run
 * @dev: the device
 * @why: the reason of a refusal
 *
 * Return: 0; -EOPNOTSUPP with a reason.
 */
int icb_ep_check_sges(const struct icb_params *params,
		      const struct ib_device *dev, struct icb_reason *why)
{
	const struct icb_sge_limits limits = {
		.send = dev->attrs.max_send_sge,
		.recv = dev->attrs.max_recv_sge,
		.read = dev->attrs.max_sge_rd,
	};

	return icb_segments_refuse(params, icb_device_name(dev), &limits, why);
}

static int check_qps(const struct icb_ep *ep, const struct ib_device *dev,
		     u32 rail, struct icb_reason *why)
{
	u32 most = min_t(u32, dev->attrs.max_qp, ICBENCH_MAX_RUN_QPS);
	u32 per = icb_ep_qps_per_pair(&ep->plan, dev->attrs.max_cqe);
	u32 qps = icb_ep_qps_of(&ep->plan, rail);

	if (qps > most)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: device %s supports at most %u; accepted: fewer",
				  icb_device_name(dev), most);
	if (qps <= per)
		return 0;
	/* the next message may arrive on any QP, but only one CQ is polled */
	if (icb_params_lossy(ep->params) && !icb_params_windowed(ep->params))
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: %u QPs need more than one CQ of %d entries, and a ping-pong that may lose messages polls one CQ; accepted: 1 to %u, or a smaller signal-every",
				  qps, dev->attrs.max_cqe, per);
	/* the callbacks of two CQs would run at the same time */
	if (ep->plan.callbacks)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: %u QPs need more than one CQ of %d entries, and completion %s serves one CQ; accepted: 1 to %u, or a smaller %s",
				  qps, dev->attrs.max_cqe,
				  icb_params_word(ep->params,
						  ICBENCH_A_PARAMS_COMPLETION),
				  per, icb_params_windowed(ep->params) ? "window" :
							       "signal-every");
	if (ep->plan.rails > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: %u QPs on device %s need more than one CQ of %d entries, and each of several devices has one CQ; accepted: 1 to %u on each device",
				  qps, icb_device_name(dev), dev->attrs.max_cqe,
				  per);
	return 0;
}

static int check_transport(const struct icb_params *params,
			   const struct rdma_cm_id *id, struct icb_reason *why)
{
	const char *name = icb_device_name(id->device);
	/* a run with datagrams has only the control connection, which is RC */
	enum ib_qp_type type = icb_params_datagrams(params) ?
		IB_QPT_RC : icb_ep_type(params);

	if (type != id->qp_type)
		return icb_refuse(why, -EPROTO,
				  "transport: the connection does not use the agreed transport");
	if (!icb_params_lossy(params))
		return 0;
	if (rdma_protocol_iwarp(id->device, id->port_num))
		return icb_refuse(why, -EOPNOTSUPP,
				  "transport: %s is not possible on %s, which uses iWARP; accepted: rc",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT),
				  name);
	/* immediate data carries the number of each message */
	if (icb_params_numbered(params) &&
	    !(icb_device_caps(id->device, id->port_num) & ICB_CAP_IMM))
		return icb_refuse(why, -EOPNOTSUPP,
				  "transport: %s needs immediate data, which %s does not have; accepted: rc",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT),
				  name);
	return 0;
}

static int check_limits(const struct icb_ep *ep, const struct icb_params *params,
			const struct rdma_cm_id *id, u32 rail,
			struct icb_reason *why)
{
	bool iwarp = rdma_protocol_iwarp(id->device, id->port_num);
	const struct ib_device_attr *attr = &id->device->attrs;
	u32 sends = ep->plan.sends + ICB_EP_REG_SENDS;
	u32 recvs = ep->plan.recvs;
	/* the drain takes two more entries of each CQ, and one of each queue */
	u32 cq = ICB_EP_REG_SENDS + max(ep->plan.rcq_share,
					ep->plan.scq_share);
	u32 queue = 1 + max(sends, recvs);
	int err;

	err = check_transport(params, id, why);
	if (!err)
		err = icb_verb_refuse(params, icb_device_name(id->device),
				      icb_device_verbs(id->device,
						       id->port_num), why);
	if (!err)
		err = icb_ep_check_sges(params, id->device, why);
	if (!err && ep->plan.sink && params->sges > 1)
		err = icb_refuse(why, -EOPNOTSUPP,
				 "sges: over iWARP a read has one destination region; accepted: 1");
	if (!err && ep->plan.rails > 1 && iwarp && icb_verb_of(params)->passive)
		err = icb_refuse(why, -EOPNOTSUPP,
				 "verb: over iWARP a read has a destination region of one device; accepted with several devices: send, write");
	if (err)
		return err;
	/* over iWARP a send that finds no receive breaks the connection */
	if (iwarp && icb_params_report_every(params))
		return icb_refuse(why, -EOPNOTSUPP,
				  "verify: over iWARP a write may overwrite a message before it is checked; accepted: no (the last message is always checked), or notify message");
	if (cq <= attr->max_cqe && queue <= attr->max_qp_wr)
		return check_qps(ep, id->device, rail, why);
	return icb_refuse(why, -EOPNOTSUPP,
			  "%s: %u needs a CQ of %u and a queue of %u; device %s supports %d and %d; accepted: a smaller number",
			  icb_params_windowed(params) ? "window" : "signal-every",
			  icb_params_windowed(params) ? params->window :
					      params->signal_every,
			  cq, queue, icb_device_name(id->device), attr->max_cqe,
			  attr->max_qp_wr);
}

static int check_message(const struct icb_params *params,
			 const struct rdma_cm_id *id, struct icb_reason *why)
{
	struct ib_port_attr attr;
	int err;

	err = ib_query_port(id->device, id->port_num, &attr);
	if (err)
		return icb_refuse(why, err, "device %s does not report port %u: %s (%d)",
				  icb_device_name(id->device), id->port_num,
				  icb_cause_of_device(err), err);
	if (icb_sizes_room(params) <= attr.max_msg_sz)
		return 0;
	return icb_refuse(why, -EOPNOTSUPP,
			  "size: device %s sends at most %u bytes in one message",
			  icb_device_name(id->device), attr.max_msg_sz);
}

/**
 * icb_ep_check_device() - check that a device supports a run
 * @ep: endpoint; all that does not depend on the device is set up
 * @id: identifier of a connection over the device
 * @rail: index of the device
 * @why: the reason of a refusal
 *
 * May sleep.
 *
 * Return: 0; a negative error number with a reason.
 */
int icb_ep_check_device(const struct icb_ep *ep, const struct rdma_cm_id *id,
			u32 rail, struct icb_reason *why)
{
	int err = check_limits(ep, ep->params, id, rail, why);

	return err ? : check_message(ep->params, id, why);
}

/* A datagram is one packet: the device would silently drop a larger one. */
static int check_datagram(const struct icb_params *params,
			  const struct icb_conn *conn, struct icb_reason *why)
{
	u32 most = icb_conn_mtu(conn);

	if (!icb_params_datagrams(params))
		return 0;
	if (icb_params_has(params, ICBENCH_A_PARAMS_MTU)) {
		if (params->mtu > most)
			return icb_refuse(why, -EOPNOTSUPP,
					  "mtu: %u is too large for the path; accepted: 256 to %u",
					  params->mtu, most);
		most = params->mtu;
	}
	if (icb_sizes_room(params) <= most)
		return 0;
	return icb_refuse(why, -EOPNOTSUPP,
			  "size: %u bytes do not fit into the one packet of a message of transport ud; accepted: 0 to %u, the path MTU",
			  icb_sizes_room(params), most);
}

/* All regions have to fit in one message to the peer. */
static int check_regions(const struct icb_ep *ep,
			 const struct icb_params *params,
			 const struct ib_device *dev, struct icb_reason *why)
{
	u32 count = icb_buffers_count(params);
	char limit[48];

	if ((!ep->plan.offers_memory && !ep->plan.sink) ||
	    icb_pool_chunks(dev, ep->plan.size, count) <= ICB_WIRE_REGIONS)
		return 0;
	snprintf(limit, sizeof(limit), "%u regions of device %.16s",
		 ICB_WIRE_REGIONS, icb_device_name(dev));
	return icb_buffers_refuse(params, ICB_WIRE_REGIONS *
				  (u64)icb_pool_per_chunk(dev, ep->plan.size),
				  limit, why);
}

static int check_memory(struct icb_ep *ep, const struct icb_params *params,
			bool responder, struct icb_reason *why)
{
	u64 needed = icb_ep_footprint(params, responder), left;

	if (!icb_promise_make(&ep->own.promise, needed, &left))
		return 0;
	if (icb_ep_queues_footprint(params) > needed / 2)
		return icb_refuse(why, -ENOMEM,
				  "%s: the queues of this side take %llu MiB, and this host has %llu MiB for runs; accepted: a smaller number",
				  icb_params_total_qps(params) > 1 ? "qps" : "window",
				  icb_ep_queues_footprint(params) / SZ_1M,
				  left / SZ_1M);
	return icb_refuse(why, -ENOMEM,
			  "size: the buffers of this side take %llu MiB, and this host has %llu MiB for runs; accepted: a smaller size",
			  needed / SZ_1M, left / SZ_1M);
}

/**
 * icb_ep_check_run() - check the limits of a run that lie outside of its devices
 * @ep: endpoint, with its first device only
 * @conn: connection over that device
 * @responder: true on the responder
 * @why: the reason of a refusal
 *
 * Sets aside in @ep->own.promise the memory that the endpoint takes. May sleep.
 *
 * Return: 0; -EOPNOTSUPP or -ENOMEM with a reason.
 */
int icb_ep_check_run(struct icb_ep *ep, const struct icb_conn *conn,
		     bool responder, struct icb_reason *why)
{
	const struct icb_params *params = ep->params;
	int err;

	err = check_datagram(params, conn, why);
	if (!err)
		err = check_regions(ep, params, conn->id->device, why);
	if (!err)
		err = check_memory(ep, params, responder, why);
	return err;
}
