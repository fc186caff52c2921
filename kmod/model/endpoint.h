/* SPDX-License-Identifier: GPL-2.0 */
/* Constants that an engine passes to the functions of an endpoint. */
#ifndef ICB_MODEL_ENDPOINT_H
#define ICB_MODEL_ENDPOINT_H

/**
 * enum icb_pool_kind - the buffers of one direction, for icb_ep_buffer()
 * @ICB_POOL_TX: buffers that messages are sent from
 * @ICB_POOL_RX: buffers that messages arrive in
 */
enum icb_pool_kind {
	ICB_POOL_TX,
	ICB_POOL_RX,
};

/**
 * enum icb_wait - what icb_ep_wait() waits for
 * @ICB_WAIT_EVENT: the event requested by icb_ep_arm()
 * @ICB_WAIT_TIMER: the time to poll again
 * @ICB_WAIT_OVER: the end of a run that callbacks drive
 */
enum icb_wait {
	ICB_WAIT_EVENT,
	ICB_WAIT_TIMER,
	ICB_WAIT_OVER,
};

/**
 * enum icb_yield - when icb_ep_yield() lets other tasks run
 * @ICB_YIELD_OP: between two operations, if it is the turn of other tasks
 * @ICB_YIELD_POLL: between two polls: a task that serves the device may wait for this CPU
 */
enum icb_yield {
	ICB_YIELD_OP,
	ICB_YIELD_POLL,
};

/**
 * enum icb_wrong - why icb_ep_reject() ends a run
 * @ICB_WRONG_UNEXPECTED: a message was not expected
 * @ICB_WRONG_LENGTH: a message has the wrong length
 */
enum icb_wrong {
	ICB_WRONG_UNEXPECTED,
	ICB_WRONG_LENGTH,
};

#endif /* ICB_MODEL_ENDPOINT_H */
