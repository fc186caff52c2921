/* SPDX-License-Identifier: GPL-2.0 */
/* One side of a run: its connections, its endpoint and its thread. */
#ifndef ICB_SIDE_H
#define ICB_SIDE_H

#include <linux/pm_qos.h>

#include "cm/conn.h"
#include "cm/device.h"
#include "engine/bench.h"
#include "host/abort.h"
#include "host/pin.h"
#include "io/endpoint.h"
#include "session/bundle.h"
#include "session/chan.h"
#include "session/probe.h"

struct icb_floor;

/* Upper limit of a responder's timeout, ns: how long a peer may make no progress. */
#define ICB_MAX_SILENCE	(60 * NSEC_PER_SEC)

/**
 * struct icb_side - one side of a run
 * @abort: end of the side, which any context may request
 * @params: parameters of the run; complete once the run starts
 * @hold: hold on the device
 * @pd: protection domain of all QPs on the first device
 * @control: connection of @chan
 * @data: first data connection, used by @ep; unused with datagrams
 * @bundle: the other data connections
 * @probe: connections that the peer makes in order to time them
 * @chan: the control channel
 * @ep: the endpoint
 * @run: state of the loop
 * @floor: state of a run of verb floor, which has no endpoint; else NULL
 * @task: thread of the side; valid as long as the side exists
 * @cpu: CPU where the thread drives the run
 * @pin: keeps the thread on @cpu
 * @pins: all pins of the side, those of other threads included
 * @qos: request that keeps CPUs from deep idle states during the run
 * @stop: reason why the loop ended, enum icb_stop
 * @switches: involuntary context switches of the thread during the run
 * @clock_error: deviation of the clock from ktime_get_raw_ns() during the run, ppm
 * @clock_checked: true if the run was long enough for @clock_error to be valid
 * @keepalive_lock: protects @keepalive_on and @keepalive_sent, and serializes the senders
 *	of keepalives
 * @keepalive_on: true while the peer needs keepalives and the side's thread sends no messages
 * @keepalive_sent: jiffies when the last keepalive was sent, or @keepalive_on was set
 * @ready: memory that the peer may access, one message for each device; until the side is
 *	closed
 */
struct icb_side {
	struct icb_abort abort;
	struct icb_params params;
	struct icb_hold hold;
	struct ib_pd *pd;
	struct icb_conn control;
	struct icb_conn data;
	struct icb_bundle bundle;
	struct icb_conn probe[ICB_PROBES];
	struct icb_chan chan;
	struct icb_ep ep;
	struct icb_run run;
	struct icb_floor *floor;
	struct task_struct *task;
	unsigned int cpu;
	struct icb_pin pin;
	struct icb_pins pins;
	struct pm_qos_request qos;
	int stop;
	u64 switches;
	s32 clock_error;
	bool clock_checked;
	struct mutex keepalive_lock; /* @keepalive_on, @keepalive_sent and senders */
	bool keepalive_on;
	unsigned long keepalive_sent;
	struct icb_wire_ready *ready;
};

/*
 * The connection that the endpoint is made on: datagrams have no data connection and use
 * the device and the path of the control connection.
 */
static inline struct icb_conn *icb_side_data(struct icb_side *side)
{
	return icb_params_datagrams(&side->params) ? &side->control :
						     &side->data;
}

void icb_side_init(struct icb_side *side, const struct icb_params *params);
int icb_side_open(struct icb_side *side, struct icb_reason *why);
void icb_keepalive_enable(struct icb_side *side, bool keepalive_on);
void icb_keepalive_send(struct icb_side *side);
void icb_side_allow_close(struct icb_side *side);
int icb_side_cause(struct icb_side *side, int err, struct icb_reason *why);
void icb_side_close(struct icb_side *side, int err,
		    const struct icb_reason *why);
void icb_side_prioritize(u32 priority);
int icb_side_steps(struct icb_side *side, struct icb_reason *why);
int icb_side_alloc_qps(struct icb_side *side, struct icb_reason *why);
int icb_side_register(struct icb_side *side, u64 timeout,
		      struct icb_reason *why);
int icb_side_send_ready(struct icb_side *side, u64 timeout, struct icb_reason *why);
int icb_side_recv_ready(struct icb_side *side, u64 timeout, struct icb_reason *why);
void icb_side_free(struct icb_side *side);
void icb_side_hold_awake(struct icb_side *side);
void icb_side_let_sleep(struct icb_side *side);
int icb_side_drive(struct icb_side *side, int (*loop)(struct icb_run *run),
		   struct icb_reason *why);

#endif /* ICB_SIDE_H */
