// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>

#include "bundle.h"
#include "host/abort.h"
#include "io/endpoint.h"
#include "verbs/qp.h"

/* Connections that are made at a time: no more than the backlog of a listener. */
#define WIDTH	16

/**
 * icb_bundle_new() - allocate the data connections except for the first
 * @bundle: the connections, zeroed; icb_bundle_free() undoes this
 * @qps: number of QPs of the run
 * @why: the reason of a failure
 *
 * Return: 0; -ENOMEM.
 */
int icb_bundle_new(struct icb_bundle *bundle, u32 qps, struct icb_reason *why)
{
	if (qps == 1)
		return 0;
	bundle->conn = kvcalloc(qps - 1, sizeof(*bundle->conn), GFP_KERNEL);
	bundle->asked = kvcalloc(qps - 1, sizeof(*bundle->asked), GFP_KERNEL);
	if (!bundle->conn || !bundle->asked)
		return icb_refuse(why, -ENOMEM,
				  "no memory for %u connections", qps - 1);
	/* ORDER: pairs with icb_bundle_take() in the listener's event handler */
	smp_store_release(&bundle->count, qps - 1);
	return 0;
}

/**
 * struct step - arguments of the steps that make connections
 * @bundle: connections to make
 * @ep: endpoint that the QPs belong to
 * @first: first data connection
 * @route: addresses of connections on the device of @first
 * @routes: addresses of connections on each device; the first element is not used here
 * @mtu: path MTU to set, bytes; 0 to keep that of the path
 * @timeout: limit for each step, ns
 */
struct step {
	struct icb_bundle *bundle;
	struct icb_ep *ep;
	const struct icb_conn *first;
	struct icb_route route;
	const struct icb_route *routes;
	u32 mtu;
	u64 timeout;
};

static int ask(struct step *step, u32 i, struct icb_reason *why)
{
	u32 rail = (i + 1) % step->ep->plan.rails;
	const struct icb_route *route = rail ? &step->routes[rail] : &step->route;
	struct icb_conn *conn = &step->bundle->conn[i];
	int err;

	err = icb_conn_open(conn, step->first->abort,
			    icb_ep_type(step->ep->params),
			    (struct sockaddr *)&route->src, why);
	/* icb_side holds the first device */
	if (!err && rail)
		err = icb_conn_hold(conn, &step->ep->rail[rail].own.hold, why);
	return err ? : icb_conn_ask(conn, (struct sockaddr *)&route->dst,
				    step->timeout, why);
}

static int route(struct step *step, u32 i, struct icb_reason *why)
{
	return icb_conn_route(&step->bundle->conn[i], step->timeout, why);
}

static int request(struct step *step, u32 i, struct icb_reason *why)
{
	struct icb_conn *conn = &step->bundle->conn[i];
	int err = icb_conn_routed(conn, step->timeout, why);

	if (!err && !((i + 1) % step->ep->plan.rails) &&
	    conn->id->device != step->first->id->device)
		err = icb_refuse(why, -EHOSTUNREACH,
				 "the route moved to another device");
	if (!err && step->mtu)
		err = icb_conn_set_mtu(conn, step->mtu, why);
	if (!err)
		err = icb_ep_add(step->ep, i + 1, conn, why);
	return err ? : icb_conn_request(conn, ICB_WIRE_DATA,
					step->first->ticket, i + 1,
					step->timeout, why);
}

static int establish(struct step *step, u32 i, struct icb_reason *why)
{
	return icb_conn_established(&step->bundle->conn[i], step->timeout,
				    why);
}

/*
 * Completes each step for all of the connections before the next step, so that they wait
 * for their events at the same time.
 */
static int connect_some(struct step *step, u32 from, u32 to,
			struct icb_reason *why)
{
	static int (*const steps[])(struct step *step, u32 i,
				    struct icb_reason *why) = {
		ask, route, request, establish,
	};
	unsigned int s;
	int err = 0;
	u32 i;

	for (s = 0; s < ARRAY_SIZE(steps); s++)
		for (i = from; i < to && !err; i++)
			err = steps[s](step, i, why);
	return err;
}

/**
 * icb_bundle_connect() - make all connections
 * @bundle: connections of an initiator
 * @ep: endpoint that the QPs belong to
 * @first: the first data connection, established
 * @routes: addresses of the connections on each device of @ep
 * @mtu: path MTU to set, bytes; 0 to keep that of the path
 * @timeout: limit for each step, ns
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_bundle_connect(struct icb_bundle *bundle, struct icb_ep *ep,
		       const struct icb_conn *first, const struct icb_route *routes,
		       u32 mtu, u64 timeout, struct icb_reason *why)
{
	const struct rdma_addr *addr = &first->id->route.addr;
	struct step *step;
	int err = 0;
	u32 i;

	if (!bundle->count)
		return 0;
	step = kzalloc(sizeof(*step), GFP_KERNEL);
	if (!step)
		return icb_refuse(why, -ENOMEM, "no memory");
	step->bundle = bundle;
	step->ep = ep;
	step->first = first;
	step->route.src = addr->src_addr;
	step->route.dst = addr->dst_addr;
	step->routes = routes;
	step->mtu = mtu;
	step->timeout = timeout;
	/* sin_port and sin6_port have the same offset */
	((struct sockaddr_in *)&step->route.src)->sin_port = 0;
	for (i = 0; i < bundle->count && !err; i += WIDTH)
		err = connect_some(step, i, min(i + WIDTH, bundle->count),
				   why);
	kfree(step);
	return err;
}

/**
 * icb_bundle_take() - take a request for one of the connections
 * @bundle: connections of a responder
 * @qp: number of the QP in the request
 * @abort: end of the side
 * @id: identifier of the request, in the listener's event handler, one at a time
 * @event: the request
 *
 * Return: true if the request was taken; false if there is no such QP, or it has a
 * connection.
 */
bool icb_bundle_take(struct icb_bundle *bundle, u32 qp,
		     struct icb_abort *abort, struct rdma_cm_id *id,
		     const struct rdma_cm_event *event)
{
	/* ORDER: pairs with icb_bundle_new(), which allocates the arrays first */
	u32 count = smp_load_acquire(&bundle->count);

	if (!qp || qp > count || bundle->conn[qp - 1].abort)
		return false;
	icb_conn_adopt(&bundle->conn[qp - 1], abort, id, event);
	bundle->asked[bundle->tail] = qp;
	/* ORDER: pairs with is_asked(): the element is written before @tail */
	smp_store_release(&bundle->tail, bundle->tail + 1);
	wake_up_all(&abort->wait);
	return true;
}

static bool is_asked(const struct icb_bundle *bundle, u32 i)
{
	/* ORDER: pairs with icb_bundle_take(), which writes the QP first */
	return smp_load_acquire(&bundle->tail) > i;
}

/**
 * icb_bundle_accept() - accept all connections, in the order of their requests
 * @bundle: connections of a responder
 * @ep: endpoint that the QPs belong to
 * @abort: end of the side
 * @timeout: limit until the next request arrives, ns
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_bundle_accept(struct icb_bundle *bundle, struct icb_ep *ep,
		      struct icb_abort *abort, u64 timeout,
		      struct icb_reason *why)
{
	struct icb_conn *conn;
	int err;
	u32 i;

	for (i = 0; i < bundle->count; i++) {
		if (!icb_abort_wait(abort, is_asked(bundle, i),
				    icb_conn_jiffies(timeout))) {
			err = icb_abort_check(abort, why);
			return err ? : icb_refuse(why, -ETIMEDOUT,
						  "the peer made %u of %u data connections",
						  i + 1, bundle->count + 1);
		}
		conn = &bundle->conn[bundle->asked[i] - 1];
		err = icb_ep_add(ep, bundle->asked[i], conn, why);
		if (!err)
			err = icb_conn_accept(conn, NULL, why);
		if (err)
			return err;
	}
	return 0;
}

/**
 * icb_bundle_may_end() - allow the peer to close the connections
 * @bundle: the connections
 *
 * From now on, the end of a connection is no failure.
 */
void icb_bundle_may_end(struct icb_bundle *bundle)
{
	u32 i;

	for (i = 0; i < bundle->count; i++)
		WRITE_ONCE(bundle->conn[i].closing, true);
}

/**
 * icb_bundle_free() - free the connections that icb_ep_destroy() has left
 * @bundle: the connections, for which no more requests are taken
 *
 * May sleep.
 */
void icb_bundle_free(struct icb_bundle *bundle)
{
	u32 i;

	for (i = 0; i < bundle->count; i++)
		icb_conn_free(&bundle->conn[i]);
	kvfree(bundle->conn);
	kvfree(bundle->asked);
	memset(bundle, 0, sizeof(*bundle));
}
