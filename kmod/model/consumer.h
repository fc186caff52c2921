/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface by which an endpoint notifies a run of completions, in callback modes,
 * and of alarms. An endpoint uses nothing else of a run.
 */
#ifndef ICB_CONSUMER_H
#define ICB_CONSUMER_H

#include "engine.h"

struct icb_consumer;

/**
 * enum icb_stop - the reason why a run has to end before it is complete
 * @ICB_STOP_NONE: the run does not have to end
 * @ICB_STOP_REQUEST: a stop was requested
 * @ICB_STOP_END: responder only: the initiator has finished
 * @ICB_STOP_TIMEOUT: no progress for the time that the parameters allow
 * @ICB_STOP_ERROR: the connection or the device failed
 */
enum icb_stop {
	ICB_STOP_NONE,
	ICB_STOP_REQUEST,
	ICB_STOP_END,
	ICB_STOP_TIMEOUT,
	ICB_STOP_ERROR,
};

/**
 * enum icb_phase - the phase of a run, for observers
 * @ICB_PHASE_WARMUP: operations are not measured
 * @ICB_PHASE_MEASURING: operations are measured
 * @ICB_PHASE_OVER: no more operations
 */
enum icb_phase {
	ICB_PHASE_WARMUP,
	ICB_PHASE_MEASURING,
	ICB_PHASE_OVER,
};

/**
 * struct icb_consumer_ops - the functions of a consumer
 * @arrived: called in callback modes when a message has arrived. Runs in the context of
 *	the callback, never for two messages of one side at a time.
 * @completed: called when a work request of the consumer has completed; context as
 *	@arrived. NULL if the consumer never waits for its own work requests.
 * @heard: called when the peer has granted credit, see icb_ep_may_post(); context as
 *	@arrived. NULL if no credit is needed.
 * @due: called at the time that was set by icb_ep_alarm(); softirq context. NULL if no
 *	alarm is set.
 */
struct icb_consumer_ops {
	void (*arrived)(struct icb_consumer *consumer, int err);
	void (*completed)(struct icb_consumer *consumer, int err);
	void (*heard)(struct icb_consumer *consumer, int err);
	void (*due)(struct icb_consumer *consumer);
};

/**
 * struct icb_consumer - the side of a run that uses an endpoint
 * @ops: functions that the endpoint calls
 * @stop: enum icb_stop; set once, by icb_run_stop(), from any context
 * @phase: enum icb_phase
 * @listens: true if messages are also counted in ICB_PHASE_OVER
 */
struct icb_consumer {
	const struct icb_consumer_ops *ops;
	int stop;
	int phase;
	bool listens;
};

#endif /* ICB_CONSUMER_H */
