/* SPDX-License-Identifier: GPL-2.0 */
/* Calls between an engine and an endpoint, which a network counts and logs. */
#ifndef CALL_H
#define CALL_H

#include "model/engine.h"

/**
 * enum net_call - calls between the engine and an endpoint
 * @NET_CLOCK: icb_clock_read()
 * @NET_TX: icb_ep_buffer() with ICB_POOL_TX
 * @NET_RX: icb_ep_buffer() with ICB_POOL_RX
 * @NET_SET_OPERANDS: icb_ep_prep() sets the operands of an atomic
 * @NET_SET_BUFFER: icb_ep_prep() sets the buffer, or buffer and length
 * @NET_POST: icb_ep_commit() in a ping-pong
 * @NET_PREP: icb_ep_prep() makes an operation ready to post, or adds a notification
 * @NET_POST_LIST: icb_ep_commit() with all other triggers
 * @NET_POLL: icb_ep_poll() for the next completion
 * @NET_POLL_ANY: icb_ep_poll() for several completions, which it counts
 * @NET_REFILL: icb_ep_refill()
 * @NET_REAP: icb_ep_reap() if a signalled send is outstanding
 * @NET_REAP_ALWAYS: icb_ep_reap() in any case
 * @NET_ARM: icb_ep_arm()
 * @NET_SLEEP: icb_ep_wait() for an event or a timer
 * @NET_YIELD_POLL: icb_ep_yield() between two polls
 * @NET_YIELD_OP: icb_ep_yield() between two operations
 * @NET_WAIT_OVER: icb_ep_wait() for the end of a run that callbacks drive
 * @NET_OVER: icb_ep_over()
 * @NET_SET_ALARM: icb_ep_alarm() sets the alarm
 * @NET_CANCEL_ALARM: icb_ep_alarm() cancels the alarm
 * @NET_REPORT_MEASURED: icb_side_ops.report_measured()
 * @NET_REPLY: icb_ep_reply()
 * @NET_PREPARE: icb_side_ops.prepare()
 * @NET_TIMED: icb_side_ops.call()
 * @NET_ARRIVED: the endpoint calls icb_consumer_ops.arrived() or .heard()
 * @NET_COMPLETED: the endpoint calls icb_consumer_ops.completed()
 * @NET_CALLS: number of calls
 */
enum net_call {
	NET_CLOCK,
	NET_TX,
	NET_RX,
	NET_SET_OPERANDS,
	NET_SET_BUFFER,
	NET_POST,
	NET_PREP,
	NET_POST_LIST,
	NET_POLL,
	NET_POLL_ANY,
	NET_REFILL,
	NET_REAP,
	NET_REAP_ALWAYS,
	NET_ARM,
	NET_SLEEP,
	NET_YIELD_POLL,
	NET_YIELD_OP,
	NET_WAIT_OVER,
	NET_OVER,
	NET_SET_ALARM,
	NET_CANCEL_ALARM,
	NET_REPORT_MEASURED,
	NET_REPLY,
	NET_PREPARE,
	NET_TIMED,
	NET_ARRIVED,
	NET_COMPLETED,
	NET_CALLS,
};

/**
 * struct net_event - a log entry: one call
 * @time: clock reading that NET_CLOCK returned; else the time of the call, ticks
 * @result: return value of the call; buffer index of NET_TX, NET_RX and NET_SET_BUFFER;
 *	enum icb_call_id of a NET_TIMED that succeeded
 * @call: enum net_call
 * @side: side of the endpoint; 0 for NET_CLOCK
 * @task: number of the calling task
 */
struct net_event {
	u64 time;
	int result;
	u8 call;
	u8 side;
	u8 task;
};

#endif /* CALL_H */
