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
#include "session/bundle.h"
#include "session/chan.h"
#include "session/probe.h"
#include "verbs/endpoint.h"

struct icb_floor;

/* No peer keeps a responder that long without making progress, ns. */
#define ICB_MAX_SILENCE	(60 * NSEC_PER_SEC)

/**
 * struct icb_side - one side of a run
 * @abort: ends it from anywhere
 * @params: of the run; complete once the run starts
 * @hold: on the device
 * @pd: for all of its QPs
 * @control: the connection of @chan
 * @data: the first connection of @ep
 * @bundle: its other ones
 * @probe: connections that the other side makes to time it
 * @chan: the control channel
 * @ep: the endpoint
 * @run: the loop's own
 * @floor: of a run that has no endpoint; else NULL
 * @task: the side's thread; valid as long as the side is
 * @cpu: where the thread drives the run
 * @pin: that it stays there, and
 * @pins: the other threads on their CPUs
 * @qos: keeps CPUs from sleeping too deeply during the run
 * @stop: what ended the loop, enum icb_stop
 * @switches: involuntary context switches of the thread during the run
 * @clock_error: of the clock against the kernel's raw one during the run, ppm
 * @clock_checked: the run was long enough to tell
 * @telling: held while the other side is told that the run gets on
 * @tells: it wants to be told, and the side's thread sends nothing
 * @keepalive_sent: jiffies when it was told last
 * @ready: what the other side may reach into, on each device, until it is told
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
	struct mutex telling; /* @tells, @told and who sends */
	bool tells;
	unsigned long keepalive_sent;
	struct icb_wire_ready *ready;
};

/* What the endpoint is made on: datagrams go the way of the control connection. */
static inline struct icb_conn *icb_side_data(struct icb_side *side)
{
	return icb_params_datagrams(&side->params) ? &side->control :
						     &side->data;
}

void icb_side_init(struct icb_side *side, const struct icb_params *params);
int icb_side_open(struct icb_side *side, struct icb_reason *why);
void icb_keepalive_enable(struct icb_side *side, bool tells);
void icb_keepalive_send(struct icb_side *side);
void icb_side_may_end(struct icb_side *side);
int icb_side_cause(struct icb_side *side, int err, struct icb_reason *why);
void icb_side_close(struct icb_side *side, int err,
		    const struct icb_reason *why);
void icb_side_prioritize(u32 priority);
int icb_side_steps(struct icb_side *side, struct icb_reason *why);
int icb_side_flows(struct icb_side *side, struct icb_reason *why);
int icb_side_register(struct icb_side *side, u64 timeout,
		      struct icb_reason *why);
int icb_side_ready(struct icb_side *side, u64 timeout, struct icb_reason *why);
int icb_side_heard(struct icb_side *side, u64 timeout, struct icb_reason *why);
void icb_side_free(struct icb_side *side);
void icb_side_hold_awake(struct icb_side *side);
void icb_side_let_sleep(struct icb_side *side);
int icb_side_drive(struct icb_side *side, int (*loop)(struct icb_run *run),
		   struct icb_reason *why);

#endif /* ICB_SIDE_H */
