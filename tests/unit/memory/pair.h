/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A run of two sides over a network in memory. The steps, from the preparation to the
 * final checks, and their order are as in initiator.c, responder.c and job.c of the module.
 */
#ifndef PAIR_H
#define PAIR_H

#include "net.h"

/* Most distributions of a run. */
#define PAIR_HISTS	(1 + ICB_CALLS_MAX)

/* Most operations in flight of an open loop. */
#define PAIR_SLOTS	256

/**
 * struct pair_config - parameters of a pair
 * @task: parameters of the tasks
 * @net: behaviour of the network
 * @one_thread: one thread drives both sides
 * @handshake: time between the preparation of the initiator and its first message, ticks
 * @barrier: barrier of the initiator's run; NULL for none
 * @stretch: value of &icb_run.stretch, ticks; 0 for the default of the run
 */
struct pair_config {
	struct task_config task;
	struct net_config net;
	bool one_thread;
	u64 handshake;
	struct icb_barrier *barrier;
	u64 stretch;
};

/**
 * struct pair_side - outcome of one side
 * @ret: return value of its loop
 * @stop: reason why its loop was stopped, enum icb_stop
 * @err: error of the side, as the module would derive it from @ret, @stop and the
 *	connection: 0 or a negative error number
 * @progress_value: last value of icb_run_progress()
 * @progress_time: time when @progress_value last changed, ticks
 * @ended: time when its loop returned, ticks
 * @seen: number of messages that the side had seen when its loop returned
 * @over: true if the loop of the side has returned
 * @compared: result of the checks after the run: 0, -EBADMSG if they failed, -ENODATA if
 *	they were not made
 * @why: description of a failed check
 */
struct pair_side {
	int ret;
	int stop;
	int err;
	u64 progress_value;
	u64 progress_time;
	u64 ended;
	u64 seen;
	bool over;
	int compared;
	struct icb_reason why;
};

/**
 * struct pair - two sides and their run
 * @config: parameters of the pair
 * @params: parameters of each side; those that the proposal does not carry have their
 *	defaults on the responder
 * @net: network between the sides
 * @run: run of each side
 * @side: outcome of each side
 * @prepared: number of sides that are prepared, the initiator first
 * @complete: the initiator's run is complete: no error, and not stopped
 * @reported: the responder has made its report
 * @peer_seen: number of messages that the responder reports to have seen
 * @delivery: the responder's report of measured messages
 * @returns: the responder's report of its own stream
 * @flow: operations of each side on each QP
 * @hist: distributions of the initiator
 * @steps: memory for &icb_run.steps of the responder, where messages may be lost
 * @due: memory for &icb_openloop.due of the initiator
 * @tail: memory for &icb_run.disturbed of the initiator
 * @batches: memory for &icb_run.batches of the initiator
 */
struct pair {
	struct pair_config config;
	struct icb_params params[NET_SIDES];
	struct net net;
	struct icb_run run[NET_SIDES];
	struct pair_side side[NET_SIDES];
	unsigned int prepared;
	bool complete;
	bool reported;
	u64 peer_seen;
	struct icb_delivery delivery;
	struct icb_returns returns;
	struct icb_flow flow[NET_SIDES][NET_QPS];
	struct icb_hist hist[PAIR_HISTS];
	struct icb_hist steps;
	u64 due[PAIR_SLOTS];
	struct icb_tail tail;
	struct icb_batches batches;
};

void pair_run(struct pair *pair, const struct icb_params *params,
	      const struct pair_config *config);
void pair_free(struct pair *pair);

#endif /* PAIR_H */
