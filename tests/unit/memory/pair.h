/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A run of two sides over a network in memory, from the first preparation to
 * the comparison after it, in the order in which the module's initiator.c,
 * responder.c and job.c do these things.
 */
#ifndef PAIR_H
#define PAIR_H

#include "net.h"

/* Most that a run has. */
#define PAIR_HISTS	(1 + ICB_CALLS_MAX)

/* Most operations on their way of an open loop. */
#define PAIR_SLOTS	256

/**
 * struct pair_config - how two sides run
 * @task: how tasks run
 * @net: how the network behaves
 * @one_thread: one thread drives both sides
 * @handshake: ticks between preparing the initiator and its first message
 * @barrier: with which the initiator is measured; NULL for by itself
 * @stretch: ticks for which a window is filled at a stretch; 0 for as long as ever
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
 * struct pair_side - what became of one side
 * @ret: what its loop returned
 * @stop: what stopped its loop, enum icb_stop
 * @err: how its script ends: what the module would go by
 * @state: of which @progress is the last change
 * @progress: when it last made progress, ticks
 * @ended: when its loop returned, ticks
 * @seen: messages that it had seen by then
 * @over: its loop has
 * @compared: what comparing gave; -ENODATA where there was none
 * @why: in words
 */
struct pair_side {
	int ret;
	int stop;
	int err;
	u64 state;
	u64 progress;
	u64 ended;
	u64 seen;
	bool over;
	int compared;
	struct icb_reason why;
};

/**
 * struct pair - two sides
 * @config: how they run
 * @params: of each; what does not cross the wire has its default at the second
 * @net: between them
 * @run: their runs
 * @side: what became of them
 * @prepared: the initiator, both
 * @complete: the initiator said that it is
 * @reported: the responder has said what it found
 * @seen: messages, as it says
 * @delivery: what it says of those of them that count
 * @returns: what it says of its own stream
 * @flow: what each side has begun on each QP
 * @hist: the initiator's distributions
 * @steps: how steadily messages have come to the other side, where they may be lost
 * @due: when its operations were due, of an open loop
 * @tail: by what its samples were disturbed, where they are to know
 * @batches: its samples in batches
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
	u64 seen;
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
