// SPDX-License-Identifier: GPL-2.0
#include <linux/cpu.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <uapi/linux/sched/types.h>

#include "calls.h"
#include "cm/name.h"
#include "host/cause.h"
#include "host/clock.h"
#include "host/settle.h"
#include "io/datagrams.h"
#include "io/register.h"
#include "io/target.h"
#include "model/triggers_table.h"
#include "side.h"
#include "verbs/attach.h"
#include "verbs/drain.h"

/* Shortest run that is long enough to check the clock. */
#define CLOCK_CHECK_NS	(20 * NSEC_PER_MSEC)

/*
 * How long to wait for the cause of a lost connection. The cause arrives over the control
 * connection, normally a little later; a busy host may take longer to process it. If the
 * peer has died, no cause arrives.
 */
#define CAUSE_JIFFIES	(HZ / 2)

static void side_ended(struct icb_abort *abort)
{
	struct icb_side *side = container_of(abort, struct icb_side, abort);

	icb_run_stop(&side->run, abort->err ? ICB_STOP_ERROR :
					     ICB_STOP_REQUEST);
	if (side->task)
		wake_up_process(side->task);
}

/* ICB_WIRE_END has arrived; called in the context of the control channel. */
static void end_arrived(struct icb_chan *chan)
{
	struct icb_side *side = container_of(chan, struct icb_side, chan);

	icb_run_stop(&side->run, ICB_STOP_END);
	wake_up_process(side->task);
	wake_up_all(&side->abort.wait);
}

/* ICB_WIRE_MEASURED has arrived; called in the same context as end_arrived(). */
static void measured_arrived(struct icb_chan *chan)
{
	struct icb_side *side = container_of(chan, struct icb_side, chan);

	WRITE_ONCE(side->run.peer_measured, true);
}

static bool report_measured(struct icb_ep *ep)
{
	struct icb_side *side = container_of(ep, struct icb_side, ep);

	return icb_chan_measured(&side->chan);
}

static const struct icb_side_ops side_ops = {
	.prepare = icb_calls_prepare,
	.call = icb_calls_time,
	.report_measured = report_measured,
};

/**
 * icb_side_init() - initialize a side
 * @side: side, zeroed
 * @params: parameters of the run; copied
 */
void icb_side_init(struct icb_side *side, const struct icb_params *params)
{
	icb_abort_init(&side->abort, side_ended);
	icb_pins_init(&side->pins);
	mutex_init(&side->keepalive_lock);
	side->params = *params;
	side->run.params = &side->params;
	side->run.ep = &side->ep;
	side->run.side = &side_ops;
}

/**
 * icb_side_open() - hold the device and make the control channel
 * @side: side with @control resolved or requested
 * @why: the reason of a failure
 *
 * May sleep. Undone by icb_side_close(), also after a failure.
 *
 * Return: 0; a negative error number.
 */
int icb_side_open(struct icb_side *side, struct icb_reason *why)
{
	struct ib_device *ibdev = side->control.id->device;
	int err;

	err = icb_conn_hold(&side->control, &side->hold, why);
	if (err)
		return err;
	side->pd = ib_alloc_pd(ibdev, 0);
	if (IS_ERR(side->pd)) {
		err = PTR_ERR(side->pd);
		side->pd = NULL;
		return icb_refuse(why, err, "device %s cannot allocate a PD: %s (%d)",
				  icb_device_name(ibdev),
				  icb_cause_of_device(err), err);
	}
	err = icb_chan_open(&side->chan, &side->control, side->pd, why);
	if (!err)
		side->chan.end = end_arrived;
	if (!err)
		side->chan.measured = measured_arrived;
	return err;
}

/**
 * icb_keepalive_enable() - start or stop sending keepalives to the peer
 * @side: side of the initiator; called by its thread, which sends nothing while they are
 *	enabled
 * @keepalive_on: true to start, false to stop
 *
 * May sleep.
 */
void icb_keepalive_enable(struct icb_side *side, bool keepalive_on)
{
	mutex_lock(&side->keepalive_lock);
	side->keepalive_on = keepalive_on;
	side->keepalive_sent = jiffies;
	mutex_unlock(&side->keepalive_lock);
}

/**
 * icb_keepalive_send() - send a keepalive if one is due; called when the run has made
 *	progress
 * @side: side of the initiator
 *
 * With a passive peer, keepalives are the only way to notice that the peer has gone: a
 * keepalive that is not accepted in time ends the run within timeout of the peer's end.
 * Over iWARP the host accepts it, not the device.
 *
 * May sleep, but does not wait for the peer.
 */
void icb_keepalive_send(struct icb_side *side)
{
	u64 timeout = side->params.timeout;
	u64 pause = min_t(u64, timeout, ICB_MAX_SILENCE) / 8;

	mutex_lock(&side->keepalive_lock);
	if (side->keepalive_on && READ_ONCE(side->chan.sending)) {
		if (time_after(jiffies, side->keepalive_sent +
					icb_conn_jiffies(timeout - pause)))
			icb_abort_run(&side->abort, -ETIMEDOUT,
				      "the peer received no message for longer than timeout");
	} else if (side->keepalive_on &&
		   time_after(jiffies, side->keepalive_sent + icb_conn_jiffies(pause))) {
		icb_chan_nudge(&side->chan);
		side->keepalive_sent = jiffies;
	}
	mutex_unlock(&side->keepalive_lock);
}

/**
 * icb_side_allow_close() - allow the peer to close all connections
 * @side: side that needs its connections for one last message at most
 *
 * From now on, the end of a connection is no failure.
 */
void icb_side_allow_close(struct icb_side *side)
{
	icb_bundle_may_end(&side->bundle);
	WRITE_ONCE(side->data.closing, true);
	WRITE_ONCE(side->control.closing, true);
}

/*
 * Over iWARP, a connection also ends when this host's interface goes down, and that cause
 * is reported after the end of the connection. There the end does not mean that the peer
 * has gone.
 */
static bool peer_has_gone(const struct icb_conn *control)
{
	return READ_ONCE(control->gone) &&
	       !rdma_protocol_iwarp(control->id->device, control->id->port_num);
}

/**
 * icb_side_cause() - wait for the cause of a lost connection
 * @side: side whose run is over
 * @err: error number that the side fails with; 0 for none
 * @why: reason of @err; replaced if the cause was found
 *
 * The peer sends the cause over the control connection. If that connection has ended, all
 * its messages have arrived by now or arrive a little later. May sleep; waits for 600 ms
 * at most.
 *
 * Return: the error number of the cause, or @err.
 */
int icb_side_cause(struct icb_side *side, int err, struct icb_reason *why)
{
	struct icb_conn *control = &side->control;
	struct icb_abort *abort = &side->abort;

	if (!err)
		return 0;
	/* a removed address or device also makes calls fail: prefer that cause */
	if (!READ_ONCE(abort->cut))
		return READ_ONCE(abort->over) && READ_ONCE(abort->err) ?
			icb_abort_check(abort, why) : err;
	wait_event_idle_timeout(abort->wait, READ_ONCE(abort->caused) ||
				peer_has_gone(control), CAUSE_JIFFIES);
	if (peer_has_gone(control)) {
		wait_event_idle_timeout(abort->wait, READ_ONCE(abort->caused),
					ICB_CHAN_LATE_JIFFIES);
		icb_chan_drain(&side->chan);
	}
	return READ_ONCE(abort->caused) ? icb_abort_check(abort, why) : err;
}

/* How long a peer may take to stop sending after it was notified of this side's end. */
#define SILENCE_JIFFIES	(HZ / 5)

/*
 * A peer keeps sending until it is notified of this side's end; then it waits until its
 * posted operations complete, and closes its connections. rxe (6.1) accesses a freed QP
 * if the QP is destroyed just as a packet arrives for it. So the QPs stay until the peer
 * has stopped sending.
 */
static void wait_peer_quiet(struct icb_side *side)
{
	if (side->data.id && icb_conn_connected(&side->data))
		wait_event_idle_timeout(side->abort.wait,
					READ_ONCE(side->chan.left) ||
					READ_ONCE(side->data.gone) ||
					READ_ONCE(side->control.gone),
					SILENCE_JIFFIES);
}

/**
 * icb_side_close() - take down everything that a side has made
 * @side: side in any state, its run over
 * @err: negative error number if the side ends early, of which the peer is notified
 * @why: the reason, as text; empty for none
 *
 * May sleep. When it returns, neither the device nor the connection manager refers to the
 * side.
 */
void icb_side_close(struct icb_side *side, int err,
		    const struct icb_reason *why)
{
	if (err)
		icb_ep_settle(&side->ep);
	/* notify the peer, unless it has ended the run itself or has gone */
	if (err && err != -ECONNREFUSED && err != -ECONNRESET &&
	    err != -ECONNABORTED &&
	    icb_chan_bye(&side->chan, why->text[0] ? why->text : "stopped"))
		wait_peer_quiet(side);
	icb_side_allow_close(side);
	icb_probes_destroy(side->probe);
	/* registrations that are queued on the control QP refer to the endpoint */
	if (side->ep.own.reg.qp && atomic_read(&side->ep.own.reg.left))
		icb_chan_drain(&side->chan);
	icb_calls_free(&side->ep);
	icb_ep_destroy(&side->ep);
	kfree(side->ready);
	side->ready = NULL;
	icb_chan_close(&side->chan);
	icb_bundle_free(&side->bundle);
	icb_conn_free(&side->data);
	icb_conn_free(&side->control);
	icb_ep_release(&side->ep);
	if (side->pd)
		ib_dealloc_pd(side->pd);
	side->pd = NULL;
	icb_device_release(&side->hold);
}

/**
 * icb_side_alloc_qps() - allocate the state of each QP and the further data connections
 * @side: side whose parameters are complete
 * @why: the reason of a failure
 *
 * icb_side_close() frees the connections, icb_side_free() the rest.
 *
 * Return: 0; -ENOMEM.
 */
int icb_side_alloc_qps(struct icb_side *side, struct icb_reason *why)
{
	u32 qps = side->params.qps, conns = icb_params_total_qps(&side->params);

	if (icb_params_datagrams(&side->params))
		conns = 1;

	/* calibrate sends nothing over its QPs */
	if (qps > 1 && !icb_verb_of(&side->params)->rehearses) {
		side->run.flow = kvcalloc(qps, sizeof(*side->run.flow),
					  GFP_KERNEL);
		if (!side->run.flow)
			return icb_refuse(why, -ENOMEM,
					  "no memory for %u QPs", qps);
		side->run.flows = qps;
	}
	return icb_bundle_new(&side->bundle, conns, why);
}

/**
 * icb_side_steps() - allocate the distribution of the times between windows of messages
 *	that may be lost
 * @side: side of a responder, whose parameters are complete
 * @why: the reason of a failure
 *
 * Undone by icb_side_free().
 *
 * Return: 0; -ENOMEM.
 */
int icb_side_steps(struct icb_side *side, struct icb_reason *why)
{
	if (!icb_params_steps(&side->params))
		return 0;
	side->run.steps = kvzalloc(sizeof(*side->run.steps), GFP_KERNEL);
	return side->run.steps ? 0 :
		icb_refuse(why, -ENOMEM, "no memory for a distribution");
}

/**
 * icb_side_register() - register the memory that the run needs, on each device
 * @side: connected side
 * @timeout: limit for each device, ns
 * @why: the reason of a failure
 *
 * May sleep. icb_side_send_ready() sends the result to the peer.
 *
 * Return: 0; a negative error number.
 */
int icb_side_register(struct icb_side *side, u64 timeout,
		      struct icb_reason *why)
{
	struct icb_ep *ep = &side->ep;
	unsigned int i;
	int err = 0;

	/* all buffers and QPs are made: the run needs no more of its promised memory */
	icb_promise_end(&ep->own.promise);
	side->ready = kcalloc(ep->plan.rails, sizeof(*side->ready), GFP_KERNEL);
	if (!side->ready)
		return icb_refuse(why, -ENOMEM, "no memory for a message");
	if (icb_params_lossy(&side->params))
		ep->own.reg.qp = side->control.id->qp;
	for (i = 0; i < ep->plan.rails && !err; i++)
		err = icb_ep_register(ep, i, side->params.verb,
				      &side->ready[i], timeout, why);
	return err;
}

/* Sends the QP numbers for the peer's datagrams, in as many messages as they take. */
static int send_qps(struct icb_side *side, u64 timeout, struct icb_reason *why)
{
	struct icb_ep *ep = &side->ep;
	struct icb_wire_qps *msg;
	int err = 0;
	u32 first;

	if (!ep->plan.datagrams)
		return 0;
	for (first = 0; first < ep->plan.qps && !err; first += ICB_WIRE_QPNS) {
		msg = kzalloc(sizeof(*msg), GFP_KERNEL);
		if (!msg)
			return icb_refuse(why, -ENOMEM,
					  "no memory for a message");
		icb_ep_get_qps(ep, first, msg);
		err = icb_chan_send(&side->chan, ICB_WIRE_QPS, msg,
				    sizeof(*msg), timeout, why);
		kfree(msg);
	}
	return err;
}

static int set_remote_qps(struct icb_side *side, u64 timeout, struct icb_reason *why)
{
	struct icb_ep *ep = &side->ep;
	struct icb_wire_qps *msg;
	int err = 0;
	u32 first;

	if (!ep->plan.datagrams)
		return 0;
	msg = kmalloc(sizeof(*msg), GFP_KERNEL);
	if (!msg)
		return icb_refuse(why, -ENOMEM, "no memory for a message");
	for (first = 0; first < ep->plan.qps && !err; first += ICB_WIRE_QPNS) {
		err = icb_chan_recv(&side->chan, ICB_WIRE_QPS, msg,
				    sizeof(*msg), timeout, why);
		if (!err)
			err = icb_ep_set_remote_qps(ep, first, msg, why);
	}
	kfree(msg);
	return err;
}

/**
 * icb_side_send_ready() - send the registered memory to the peer
 * @side: side that is ready for messages
 * @timeout: limit for each message, ns
 * @why: the reason of a failure
 *
 * Also sends the QP numbers for datagrams. May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_side_send_ready(struct icb_side *side, u64 timeout, struct icb_reason *why)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < side->ep.plan.rails && !err; i++)
		err = icb_chan_send(&side->chan, ICB_WIRE_READY,
				    &side->ready[i], sizeof(*side->ready),
				    timeout, why);
	return err ? : send_qps(side, timeout, why);
}

/**
 * icb_side_recv_ready() - receive the peer's registered memory
 * @side: connected side
 * @timeout: limit for each message, ns
 * @why: the reason of a failure
 *
 * Also receives the QP numbers for datagrams. May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_side_recv_ready(struct icb_side *side, u64 timeout, struct icb_reason *why)
{
	struct icb_wire_ready ready;
	unsigned int i;
	int err = 0;

	for (i = 0; i < side->ep.plan.rails && !err; i++) {
		err = icb_chan_recv(&side->chan, ICB_WIRE_READY, &ready,
				    sizeof(ready), timeout, why);
		if (!err)
			err = icb_ep_target(&side->ep, i, &ready, why);
	}
	return err ? : set_remote_qps(side, timeout, why);
}

/**
 * icb_side_free() - free what icb_side_alloc_qps() and icb_side_steps() allocated for the run
 * @side: side that is closed, and whose result is complete
 */
void icb_side_free(struct icb_side *side)
{
	if (side->run.flow != &side->run.only)
		kvfree(side->run.flow);
	side->run.flow = NULL;
	kvfree(side->run.steps);
	side->run.steps = NULL;
}

/**
 * icb_side_prioritize() - give this thread the scheduling class of a run
 * @priority: enum icbench_priority
 */
void icb_side_prioritize(u32 priority)
{
	switch (priority) {
	case ICBENCH_PRIORITY_FIFO:
		sched_set_fifo(current);
		break;
	case ICBENCH_PRIORITY_FIFO_LOW:
		sched_set_fifo_low(current);
		break;
	default:
		sched_set_normal(current, 0);
		break;
	}
}

static void check_clock(struct icb_side *side, u64 ticks, u64 raw)
{
	s64 error;

	if (raw < CLOCK_CHECK_NS)
		return;
	error = (s64)(icb_clock_ns(ticks) - raw);
	side->clock_error = div64_s64(error * 1000, div_u64(raw, 1000));
	side->clock_checked = true;
}

/**
 * icb_side_hold_awake() - keep CPUs out of idle states that take too long to leave
 * @side: side of a run; nothing happens if the run does not ask for this
 *
 * Affects all CPUs, since any CPU may handle a completion or a wake-up. Undone by
 * icb_side_let_sleep(). May sleep.
 */
void icb_side_hold_awake(struct icb_side *side)
{
	const struct icb_params *params = &side->params;

	if (icb_params_has(params, ICBENCH_A_PARAMS_CPU_LATENCY_QOS))
		cpu_latency_qos_add_request(&side->qos,
					    params->cpu_latency_qos /
					    NSEC_PER_USEC);
}

/**
 * icb_side_let_sleep() - undo icb_side_hold_awake()
 * @side: the side; nothing happens if it holds no request
 *
 * May sleep.
 */
void icb_side_let_sleep(struct icb_side *side)
{
	if (cpu_latency_qos_request_active(&side->qos))
		cpu_latency_qos_remove_request(&side->qos);
}

/*
 * Fills the allocator's free lists for the packets of a software device: the first run
 * after boot then allocates as fast as later ones, see host/settle.c.
 */
static void settle(struct icb_side *side)
{
	struct icb_conn *data = icb_side_data(side);
	u32 bytes = side->params.size, mtu;

	/* verb floor has no connection */
	if (!data->id)
		return;
	mtu = icb_conn_mtu(data);
	if (mtu)
		bytes = min(bytes, mtu);
	icb_settle_packets(bytes, rdma_protocol_iwarp(data->id->device,
						      data->id->port_num));
	if (icb_trigger_of(&side->params)->times_calls)
		icb_settle_blocks();
}

/**
 * icb_side_drive() - run the loop of a side in this thread
 * @side: side that is ready to run
 * @loop: the loop
 * @why: the reason of a failure
 *
 * Uses the CPU and the priority of the parameters. Afterwards the thread has its normal
 * priority and CPUs again.
 *
 * Return: 0; -ETIMEDOUT without progress for too long; the error that ended the side,
 * else the one that the loop returns; -EINVAL if the CPU is offline; -ENODEV if a thread
 * of the side did not stay on its CPU.
 */
int icb_side_drive(struct icb_side *side, int (*loop)(struct icb_run *run),
		   struct icb_reason *why)
{
	u64 ticks, raw;
	int err, ended;

	err = icb_pin_take(&side->pin, &side->pins, side->cpu);
	if (err)
		return icb_refuse(why, err, "CPU %u went offline", side->cpu);
	WRITE_ONCE(side->ep.own.wait.task, current);
	WRITE_ONCE(side->ep.consumer, &side->run.consumer);
	if (side->ep.plan.stages)
		side->run.stages.error = icb_clock_spread(&side->run.consumer.stop);
	settle(side);
	icb_side_hold_awake(side);
	icb_side_prioritize(side->params.priority);
	side->switches = current->nivcsw;
	raw = ktime_get_raw_ns();
	ticks = icb_clock_read();
	err = loop(&side->run);
	side->stop = READ_ONCE(side->run.consumer.stop);
	check_clock(side, icb_clock_read() - ticks, ktime_get_raw_ns() - raw);
	side->switches = current->nivcsw - side->switches;
	icb_side_prioritize(ICBENCH_PRIORITY_NORMAL);
	icb_side_let_sleep(side);
	icb_pin_give(&side->pin, &side->pins);
	ended = icb_pins_check(&side->pins, why);
	if (ended)
		return ended;
	if (side->stop == ICB_STOP_TIMEOUT)
		return icb_refuse(why, -ETIMEDOUT,
				  "no %s for %llu ms (timeout)",
				  icb_verb_of(&side->params)->calls ?
					"sample" : "message",
				  div_u64(side->params.timeout,
					  NSEC_PER_MSEC));
	/* the side's end has a more specific cause than the loop, and may follow it */
	if (err && !why->text[0])
		icb_abort_wait(&side->abort, false,
			       min_t(unsigned long, CAUSE_JIFFIES,
				     icb_conn_jiffies(side->params.timeout) / 2));
	ended = icb_abort_check(&side->abort, why);
	if (!err || (ended && ended != -ECANCELED))
		return ended;
	if (!why->text[0])
		icb_refuse(why, err, "the device refused a work request: %s (%d)",
			   icb_cause_of_device(err), err);
	return err;
}
