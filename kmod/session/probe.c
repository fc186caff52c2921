// SPDX-License-Identifier: GPL-2.0
#include <rdma/ib_verbs.h>

#include "cm/link.h"
#include "cm/name.h"
#include "cm/ticket.h"
#include "host/abort.h"
#include "host/cause.h"
#include "model/verbs_table.h"
#include "probe.h"

/**
 * icb_probe_qps() - return the number of QPs that probes use at the responder
 * @params: parameters of the run
 *
 * Return: number of QPs at a time, in addition to that of the data connection.
 */
u32 icb_probe_qps(const struct icb_params *params)
{
	return icb_verb_of(params)->probes ? ICB_PROBES : 0;
}

/**
 * icb_probe_resolve_addr() - resolve the address of the data connection's peer
 * @probe: connection to make; undone by icb_probe_destroy()
 * @data: the data connection
 * @timeout: limit, ns
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_probe_resolve_addr(struct icb_conn *probe, const struct icb_conn *data,
			   u64 timeout, struct icb_reason *why)
{
	const struct rdma_addr *addr = &data->id->route.addr;
	struct sockaddr_storage src = addr->src_addr;
	struct sockaddr_storage dst = addr->dst_addr;
	int err;

	/* sin_port and sin6_port have the same offset */
	((struct sockaddr_in *)&src)->sin_port = 0;
	err = icb_conn_open(probe, data->abort, IB_QPT_RC,
			    (struct sockaddr *)&src, why);
	if (!err)
		err = icb_conn_ask(probe, (struct sockaddr *)&dst, timeout,
				   why);
	if (!err)
		err = icb_conn_addressed(probe, timeout, why);
	if (!err && probe->id->device != data->id->device)
		err = icb_refuse(why, -EHOSTUNREACH,
				 "the route moved to another device");
	return err;
}

/**
 * icb_probe_resolve_route() - resolve the route of the data connection
 * @probe: connection whose address is resolved
 * @mtu: path MTU to set, bytes; 0 to keep that of the path
 * @timeout: limit, ns
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_probe_resolve_route(struct icb_conn *probe, u32 mtu, u64 timeout,
			    struct icb_reason *why)
{
	int err = icb_conn_route(probe, timeout, why);

	if (!err)
		err = icb_conn_routed(probe, timeout, why);
	return !err && mtu ? icb_conn_set_mtu(probe, mtu, why) : err;
}

/**
 * icb_probe_create_qp() - make the QP of a probe
 * @probe: connection that is resolved or requested
 * @pd: protection domain for the QP
 * @cq: CQ for the QP, which gets no completions
 * @why: the reason of a failure
 *
 * Return: 0; a negative error number.
 */
int icb_probe_create_qp(struct icb_conn *probe, struct ib_pd *pd,
			struct ib_cq *cq, struct icb_reason *why)
{
	struct ib_qp_init_attr attr = {
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.send_cq = cq,
		.recv_cq = cq,
		.cap.max_send_wr = 1,
		.cap.max_recv_wr = 1,
		.cap.max_send_sge = 1,
		.cap.max_recv_sge = 1,
	};
	int err = rdma_create_qp(probe->id, pd, &attr);

	return err ? icb_refuse(why, err, "device %s cannot create a QP: %s (%d)",
				icb_device_name(probe->id->device),
				icb_cause_of_device(err), err) : 0;
}

/**
 * icb_probe_connect() - connect a probe
 * @probe: resolved connection with a QP
 * @data: data connection of the run, whose ticket is presented
 * @timeout: limit, ns
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_probe_connect(struct icb_conn *probe, const struct icb_conn *data,
		      u64 timeout, struct icb_reason *why)
{
	return icb_conn_connect(probe, ICB_WIRE_PROBE, data->ticket,
				data->ticket->probes++, timeout, why);
}

/**
 * icb_probe_disconnect() - end a probe and wait until it has ended
 * @probe: connected probe
 * @timeout: limit, ns
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_probe_disconnect(struct icb_conn *probe, u64 timeout,
			 struct icb_reason *why)
{
	int err;

	icb_conn_close(probe);
	err = icb_conn_wait_gone(probe, timeout, why);
	/* icb_probe_destroy() must not disconnect it once more */
	if (!err)
		WRITE_ONCE(probe->state, ICB_CONN_IDLE);
	return err;
}

/**
 * icb_probe_destroy() - destroy a probe in any state
 * @probe: probe of either side; nothing happens if it does not exist
 *
 * May sleep.
 */
void icb_probe_destroy(struct icb_conn *probe)
{
	if (!probe->id)
		return;
	icb_conn_close(probe);
	if (probe->id->qp) {
		icb_link_enter(probe->id->device);
		rdma_destroy_qp(probe->id);
		icb_link_leave(probe->id->device);
	}
	icb_conn_free(probe);
}

/**
 * icb_probes_take() - take a request for a probe
 * @probes: the ICB_PROBES probes of the run
 * @abort: end of the run's side
 * @id: identifier of the request, in the listener's event handler, one at a time
 * @event: the request
 *
 * Return: true if the request was taken; false if all probes are in use.
 */
bool icb_probes_take(struct icb_conn *probes, struct icb_abort *abort,
		     struct rdma_cm_id *id, const struct rdma_cm_event *event)
{
	unsigned int i;

	for (i = 0; i < ICB_PROBES; i++) {
		/* pairs with icb_conn_free(), which has reset all members */
		if (smp_load_acquire(&probes[i].id))
			continue;
		/* the peer ends a probe as intended, which is no failure */
		probes[i].closing = true;
		icb_conn_adopt(&probes[i], abort, id, event);
		return true;
	}
	return false;
}

static bool is_asked_for(const struct icb_conn *probe)
{
	/* ORDER: pairs with icb_conn_adopt(), which sets the other members first */
	return smp_load_acquire(&probe->state) == ICB_CONN_REQUESTED;
}

static bool any_asked_for(const struct icb_conn *probes)
{
	unsigned int i;

	for (i = 0; i < ICB_PROBES; i++)
		if (is_asked_for(&probes[i]))
			return true;
	return false;
}

/*
 * Whether a probe has ended. A peer that requests the next probe has ended this one, even
 * if that event has not arrived. A probe that is just being adopted is not connected yet,
 * though it has an identifier.
 */
static bool is_over(const struct icb_conn *probe, bool next)
{
	return READ_ONCE(probe->gone) || (next && icb_conn_connected(probe));
}

/**
 * icb_probes_due() - check if icb_probes_serve() has something to do
 * @probes: the ICB_PROBES probes of the run
 *
 * Return: true if so.
 */
bool icb_probes_due(const struct icb_conn *probes)
{
	unsigned int i;

	for (i = 0; i < ICB_PROBES; i++)
		if (is_over(&probes[i], false))
			return true;
	return any_asked_for(probes);
}

/**
 * icb_probes_serve() - accept requested probes and destroy those that have ended
 * @probes: the ICB_PROBES probes of the run
 * @pd: protection domain for their QPs
 * @cq: CQ for their QPs, which gets no completions
 * @why: the reason of a failure
 *
 * Called by the side's thread, the only one that frees probes. May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_probes_serve(struct icb_conn *probes, struct ib_pd *pd,
		     struct ib_cq *cq, struct icb_reason *why)
{
	bool next = any_asked_for(probes);
	unsigned int i;
	int err = 0;

	/* in this order, so that a probe is free for the next request */
	for (i = 0; i < ICB_PROBES; i++)
		if (is_over(&probes[i], next))
			icb_probe_destroy(&probes[i]);
	for (i = 0; i < ICB_PROBES && !err; i++) {
		if (!is_asked_for(&probes[i]))
			continue;
		err = icb_probe_create_qp(&probes[i], pd, cq, why);
		if (!err)
			err = icb_conn_accept(&probes[i], NULL, why);
	}
	return err;
}

/**
 * icb_probes_destroy() - destroy all probes
 * @probes: the ICB_PROBES probes of the run, for which no more requests are taken
 *
 * May sleep.
 */
void icb_probes_destroy(struct icb_conn *probes)
{
	unsigned int i;

	for (i = 0; i < ICB_PROBES; i++)
		icb_probe_destroy(&probes[i]);
}
