/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an endpoint tells of: completions that callbacks take, and that it is time. An
 * endpoint knows no more of a run than this.
 */
#ifndef ICB_CONSUMER_H
#define ICB_CONSUMER_H

#include "engine.h"

struct icb_consumer;

/**
 * enum icb_stop - why a run is to end before it is complete
 * @ICB_STOP_NONE: it is not
 * @ICB_STOP_REQUEST: somebody asked for it
 * @ICB_STOP_END: responder only: the initiator is done
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
 * enum icb_phase - what a run is doing, for those who watch it
 * @ICB_PHASE_WARMUP: operations that do not count
 * @ICB_PHASE_MEASURING: operations that count
 * @ICB_PHASE_OVER: none any more
 */
enum icb_phase {
	ICB_PHASE_WARMUP,
	ICB_PHASE_MEASURING,
	ICB_PHASE_OVER,
};

/**
 * struct icb_consumer_ops - the functions of a consumer
 * @arrived: a message has arrived, in the modes that callbacks drive: in the
 *	context of the callback, never for two messages of one side at a time.
 * @completed: a work request of the consumer's own has completed; as @arrived. NULL where
 *	it never waits for one.
 * @heard: the peer has granted more credit; as @arrived. NULL where none is needed. See
 *	icb_ep_may_post().
 * @due: the time that icb_ep_alarm() was given has come; softirq context. NULL where no
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
 * @ops: its functions
 * @stop: enum icb_stop; set once, by icb_run_stop(), from any context
 * @phase: enum icb_phase
 * @listens: it counts the messages that arrive after its phase is over, too
 */
struct icb_consumer {
	const struct icb_consumer_ops *ops;
	int stop;
	int phase;
	bool listens;
};

#endif /* ICB_CONSUMER_H */
