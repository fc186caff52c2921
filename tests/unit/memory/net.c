// SPDX-License-Identifier: GPL-2.0
/* Two endpoints: their creation by io/, the exchange of their memory and QPs, their end. */
#include "engine/run.h"
#include "io/datagrams.h"
#include "io/register.h"
#include "io/target.h"
#include "model/wire.h"
#include "queue.h"

/**
 * net_read_equal() - compare the target of a read with its source
 * @net: the network
 * @buffer: index of the buffer, on both sides
 *
 * Return: true if the content is equal.
 */
bool net_read_equal(const struct net *net, unsigned int buffer)
{
	const u8 *from = icb_pool_addr(&net->ep[1].tx, buffer);
	const u8 *to = icb_pool_addr(&net->ep[0].rx, buffer);
	const struct icb_segments *layout = &net->ep[0].rx.layout;
	u32 i, begin, len;

	for (i = 0; i < layout->count; i++) {
		begin = icb_segments_begin(layout, i);
		len = icb_segments_end(layout, i) - begin;
		if (memcmp(to + begin, from, len))
			return false;
		from += len;
	}
	return true;
}

/**
 * net_settled() - test if no message of a side is in flight
 * @ep: endpoint of the side
 *
 * Return: true if none is.
 */
bool net_settled(const struct icb_ep *ep)
{
	bool settled;

	task_lock();
	settled = !ep->own.flights.count;
	task_unlock();
	return settled;
}

/**
 * net_in_callback() - test if a callback of a side is running
 * @ep: endpoint of the side
 *
 * Return: true if a callback is running.
 */
bool net_in_callback(const struct icb_ep *ep)
{
	bool calling;

	task_lock();
	calling = ep->own.in_callback;
	task_unlock();
	return calling;
}

/* As side_ended() of the module: stop a side, and wake its tasks. */
static void stop_side(struct icb_ep *ep, enum icb_stop why, int err)
{
	if (err && !ep->own.err)
		ep->own.err = err;
	icb_run_stop(ep->own.run, why);
	task_wake(ep);
	task_wake(&ep->own.in_callback);
}

/**
 * net_end() - stop a side from outside of its loop
 * @ep: endpoint of the side
 * @why: reason for the stop
 * @err: error of its connection, a negative error number; 0 for none
 */
void net_end(struct icb_ep *ep, enum icb_stop why, int err)
{
	task_lock();
	stop_side(ep, why, err);
	task_unlock();
}

/* io/ has ended a side. */
static void aborted(struct icb_abort *abort)
{
	struct icb_ep *ep = container_of(abort, struct icb_ep, own.abort);

	net_end(ep, ICB_STOP_ERROR, abort->err);
}

static bool report_measured(struct icb_ep *ep)
{
	net_enter(ep, NET_REPORT_MEASURED);
	WRITE_ONCE(net_peer(ep)->own.run->peer_measured, true);
	/* by chance, the caller has to try again */
	return !net_leave(ep, NET_REPORT_MEASURED, task_random(2) ? -EALREADY : 0);
}

static const struct icb_side_ops side_ops = {
	.prepare = net_prepare,
	.call = net_timed,
	.report_measured = report_measured,
};

static void open_devices(struct net *net, unsigned int side)
{
	unsigned int rails = icb_params_rails(net->params), i;
	struct vb_device *dev;

	for (i = 0; i < rails; i++) {
		dev = &net->device[side][i];
		snprintf(dev->name, sizeof(dev->name), "memory%u_%u", side, i);
		dev->net = net;
		dev->side = side;
		dev->index = i;
		dev->attrs.max_send_sge = 32;
		dev->attrs.max_recv_sge = 32;
		dev->attrs.max_fast_reg_page_list_len = 512;
	}
	net->pd[side].device = net->device[side];
	net->pd[side].lkey = 0x1000 * (1 + side * ICBENCH_MAX_DEVICES);
	for (i = 0; i < NET_QPS; i++)
		net->conn[side][i] = (struct icb_conn) {
			.net = net,
			.abort = &net->ep[side].own.abort,
			.device = &net->device[side][i % rails],
		};
}

static int open_ep(struct net *net, unsigned int side, struct icb_run *run,
		   struct icb_reason *why)
{
	struct icb_ep *ep = &net->ep[side];
	const struct icb_params *params = run->params;
	unsigned int i, grants;
	int err;

	open_devices(net, side);
	ep->own.net = net;
	ep->own.run = run;
	ep->own.side = side;
	ep->own.alarm = TASK_FOREVER;
	ep->own.receiving = (net->verb->recv || net->report_every) &&
			    (icb_params_begins(params, side) || params->reply);
	icb_abort_init(&ep->own.abort, aborted);
	err = icb_ep_create(ep, &net->conn[side][0], &net->pd[side], params, 0, side, why);
	for (i = 1; !ep->plan.datagrams && i < ep->plan.qps && !err; i++)
		err = icb_ep_add(ep, i, &net->conn[side][i], why);
	if (err)
		return err;
	ep->own.ops = ep->plan.ops;
	ep->own.in_flight = calloc(max(ep->tx.count, ep->rx.count), sizeof(int));
	grants = ICB_CREDITS_GRANTS * ep->plan.qps;
	ring_open(&ep->own.flights, sizeof(struct net_flight), ep->own.sq_depth + grants);
	ring_open(&ep->own.acks, sizeof(struct net_ack), ep->own.sq_depth + grants);
	WRITE_ONCE(ep->consumer, &run->consumer);
	return 0;
}

/* Exchange what message ready of the session carries, for each device. */
static int exchange_memory(struct net *net, struct icb_reason *why)
{
	struct icb_wire_ready ready[NET_SIDES];
	const struct icb_params *params = net->params;
	unsigned int rail, i;
	int err = 0;

	for (rail = 0; rail < net->ep[0].plan.rails && !err; rail++) {
		memset(ready, 0, sizeof(ready));
		for (i = 0; i < NET_SIDES && !err; i++)
			err = icb_ep_register(&net->ep[i], rail, params->verb, &ready[i],
					      params->timeout, why);
		for (i = 0; i < NET_SIDES && !err; i++)
			err = icb_ep_target(&net->ep[i], rail, &ready[!i], why);
	}
	return err;
}

/* Exchange what message qps of the session carries. */
static int exchange_qps(struct net *net, struct icb_reason *why)
{
	struct icb_wire_qps qps;
	unsigned int i;
	int err = 0;

	for (i = 0; i < NET_SIDES && !err; i++) {
		memset(&qps, 0, sizeof(qps));
		icb_ep_get_qps(&net->ep[i], 0, &qps);
		err = icb_ep_set_remote_qps(&net->ep[!i], 0, &qps, why);
	}
	return err;
}

/**
 * net_open() - create a network
 * @net: the network
 * @config: behaviour of the network
 * @params: parameters of the run
 * @run: runs of the two sides; their ep and side members are set
 */
void net_open(struct net *net, const struct net_config *config,
	      const struct icb_params *params, struct icb_run *run)
{
	struct icb_reason why = {};
	unsigned int i;
	int err = 0;

	memset(net, 0, sizeof(*net));
	net->config = *config;
	net->lossy = icb_params_lossy(params);
	net->report_every = icb_params_report_every(params);
	net->stream = icb_params_windowed(params);
	net->sized = params->size_dist != ICBENCH_SIZE_DIST_FIXED;
	net->clock = params->trigger == ICBENCH_TRIGGER_CLOCK;
	net->params = params;
	net->verb = icb_verb_of(params);
	icb_segments_of(params, &net->tx, &net->rx);
	net->callbacks = BIT(params->completion) & ICB_COMPLETIONS_CALLBACK;
	for (i = 0; i < NET_SIDES && !err; i++) {
		run[i].ep = &net->ep[i];
		run[i].side = &side_ops;
		err = open_ep(net, i, &run[i], &why);
	}
	if (!err)
		err = exchange_memory(net, &why);
	if (!err && net->ep[0].plan.datagrams)
		err = exchange_qps(net, &why);
	if (err)
		net_wrong(net, "no endpoints: %s", why.text);
	net_clock(net);
}

/* The alarm of an open loop, and the context in which it calls the engine. */
static void alarm_task(void *arg)
{
	struct icb_ep *ep = arg;

	task_lock();
	while (!ep->own.net->closing) {
		if (ep->own.alarm > task_now()) {
			task_wait(&ep->own.alarm, ep->own.alarm);
			continue;
		}
		ep->own.alarm = TASK_FOREVER;
		ep->own.alarms++;
		ep->own.in_alarm = true;
		task_unlock();
		ep->consumer->ops->due(ep->consumer);
		task_lock();
		ep->own.in_alarm = false;
		task_wake(&ep->own.in_alarm);
	}
	task_unlock();
}

/**
 * net_start() - start the tasks of a network
 * @net: the network
 */
void net_start(struct net *net)
{
	task_start("network", net_link, net, true);
	if (net->clock)
		task_start("alarm", alarm_task, &net->ep[0], false);
	if (!net->callbacks)
		return;
	task_start("callbacks of side 0", net_callbacks, &net->ep[0], false);
	task_start("callbacks of side 1", net_callbacks, &net->ep[1], false);
}

/**
 * net_close() - end the tasks of a network
 * @net: the network
 */
void net_close(struct net *net)
{
	unsigned int i;

	task_lock();
	net->closing = true;
	task_wake(net);
	for (i = 0; i < NET_SIDES; i++)
		task_wake(&net->ep[i].own.in_callback);
	task_wake(&net->ep[0].own.alarm);
	task_unlock();
}

/**
 * net_free() - undo net_open()
 * @net: the network
 */
void net_free(struct net *net)
{
	unsigned int i;

	for (i = 0; i < NET_SIDES; i++) {
		struct icb_ep *ep = &net->ep[i];

		icb_ep_destroy(ep);
		free(ep->rail);
		free(ep->own.in_flight);
		free(ep->own.flights.entry);
		free(ep->own.acks.entry);
	}
	free(net->log);
	net_clock(NULL);
}
