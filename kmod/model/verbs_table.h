/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the loops, and the rules between parameters, must know of each verb.
 */
#ifndef ICB_VERBS_TABLE_H
#define ICB_VERBS_TABLE_H

#include "engine.h"
#include "params.h"

/* The modes in which callbacks, and not a thread, drive a run. */
#define ICB_COMPLETIONS_CALLBACK \
	(BIT(ICBENCH_COMPLETION_SOFTIRQ) | BIT(ICBENCH_COMPLETION_WORKQUEUE))
/* Those that move data, and those that time calls. */
#define ICB_VERBS_DATA	(BIT(ICBENCH_VERB_CMP_SWAP + 1) - 1)
#define ICB_VERBS_CALL	(BIT(ICBENCH_VERB_REGISTER) |	\
			 BIT(ICBENCH_VERB_DESCRIPTOR) |	\
			 BIT(ICBENCH_VERB_CONNECT) |	\
			 BIT(ICBENCH_VERB_CONNECT_CM) |	\
			 BIT(ICBENCH_VERB_CALIBRATE) |	\
			 BIT(ICBENCH_VERB_FLOOR))

/* The modes in which one thread can drive both sides of a run. */
#define ICB_COMPLETIONS_BUSY \
	(BIT(ICBENCH_COMPLETION_POLL) | BIT(ICBENCH_COMPLETION_MEMORY))

/**
 * enum icb_call_id - a call of the verbs interface that is timed by itself
 * @ICB_CALL_MAP: map the pages for the device
 * @ICB_CALL_ALLOC_MR: allocate a region
 * @ICB_CALL_MAP_MR: give the region its pages
 * @ICB_CALL_REG_MR: post the registration, until it has completed
 * @ICB_CALL_LOCAL_INV: post the invalidation, until it has completed
 * @ICB_CALL_DEREG_MR: free the region
 * @ICB_CALL_UNMAP: unmap the pages
 * @ICB_CALL_POLL_EMPTY: poll a CQ that holds nothing
 * @ICB_CALL_POST_SEND: post a write; a send, where that is a datagram
 * @ICB_CALL_POLL: poll the CQ that holds its completion
 * @ICB_CALL_POST_RECV: post a receive
 * @ICB_CALL_ALLOC_PD: make a protection domain
 * @ICB_CALL_CREATE_CQ: make a CQ
 * @ICB_CALL_CREATE_QP: make a QP
 * @ICB_CALL_INIT: modify it to INIT
 * @ICB_CALL_RTR: modify it to RTR
 * @ICB_CALL_RTS: modify it to RTS
 * @ICB_CALL_ERROR: modify it to ERR
 * @ICB_CALL_RESET: modify it to RESET
 * @ICB_CALL_DESTROY_QP: destroy it
 * @ICB_CALL_DESTROY_CQ: destroy the CQ
 * @ICB_CALL_DEALLOC_PD: free the protection domain
 * @ICB_CALL_CM_RESOLVE_ADDR: make an identifier, resolve the address
 * @ICB_CALL_CM_RESOLVE_ROUTE: resolve the route
 * @ICB_CALL_CM_CREATE_QP: make the connection's QP
 * @ICB_CALL_CM_CONNECT: ask for the connection, until it is established
 * @ICB_CALL_CM_DISCONNECT: end it, until the other side has answered
 * @ICB_CALL_CM_DESTROY: destroy the QP and the identifier
 * @ICB_CALL_ECHO: measure a ping-pong of nothing, ICB_CALL_TIMES times
 * @ICB_CALL_STREAM: the same of a stream
 * @ICB_CALL_HRTIMER_HARD: expiry of an hrtimer to its handler, in an interrupt
 * @ICB_CALL_HRTIMER_SOFT: the same in a software interrupt
 * @ICB_CALL_SELF_IPI: irq_work that is queued to its handler
 * @ICB_CALL_CROSS_CALL: a call of another CPU to its handler there
 * @ICB_CALL_SOFTIRQ: a tasklet that an interrupt schedules to its handler
 * @ICB_CALL_KSOFTIRQD: the same, where a thread schedules it
 * @ICB_CALL_WORK_BOUND: work that is queued to its handler, on the same CPU
 * @ICB_CALL_WORK_HIGHPRI: the same, of high priority
 * @ICB_CALL_WORK_UNBOUND: the same, on any CPU
 * @ICB_CALL_CONTEXT_SWITCH: from one thread to another one on the same CPU
 * @ICB_CALL_WAKE_SAME: a thread that is woken to where it runs, on the same CPU
 * @ICB_CALL_WAKE_OTHER: the same on another CPU, which is busy
 * @ICB_CALL_WAKE_IDLE: the same on another CPU, which is idle
 * @ICB_CALL_WAKE_IDLE_QOS: the same where it may not sleep deeply
 */
enum icb_call_id {
	ICB_CALL_MAP,
	ICB_CALL_ALLOC_MR,
	ICB_CALL_MAP_MR,
	ICB_CALL_REG_MR,
	ICB_CALL_LOCAL_INV,
	ICB_CALL_DEREG_MR,
	ICB_CALL_UNMAP,
	ICB_CALL_POLL_EMPTY,
	ICB_CALL_POST_SEND,
	ICB_CALL_POLL,
	ICB_CALL_POST_RECV,
	ICB_CALL_ALLOC_PD,
	ICB_CALL_CREATE_CQ,
	ICB_CALL_CREATE_QP,
	ICB_CALL_INIT,
	ICB_CALL_RTR,
	ICB_CALL_RTS,
	ICB_CALL_ERROR,
	ICB_CALL_RESET,
	ICB_CALL_DESTROY_QP,
	ICB_CALL_DESTROY_CQ,
	ICB_CALL_DEALLOC_PD,
	ICB_CALL_CM_RESOLVE_ADDR,
	ICB_CALL_CM_RESOLVE_ROUTE,
	ICB_CALL_CM_CREATE_QP,
	ICB_CALL_CM_CONNECT,
	ICB_CALL_CM_DISCONNECT,
	ICB_CALL_CM_DESTROY,
	ICB_CALL_ECHO,
	ICB_CALL_STREAM,
	ICB_CALL_HRTIMER_HARD,
	ICB_CALL_HRTIMER_SOFT,
	ICB_CALL_SELF_IPI,
	ICB_CALL_CROSS_CALL,
	ICB_CALL_SOFTIRQ,
	ICB_CALL_KSOFTIRQD,
	ICB_CALL_WORK_BOUND,
	ICB_CALL_WORK_HIGHPRI,
	ICB_CALL_WORK_UNBOUND,
	ICB_CALL_CONTEXT_SWITCH,
	ICB_CALL_WAKE_SAME,
	ICB_CALL_WAKE_OTHER,
	ICB_CALL_WAKE_IDLE,
	ICB_CALL_WAKE_IDLE_QOS,
};

/* What is shorter than a clock read is done so many times in one call. */
#define ICB_CALL_TIMES	64

/* Most calls that a verb has. */
#define ICB_CALLS_MAX	14

/**
 * struct icb_call - one call of a verb that times calls
 * @name: of its distribution in the result
 * @call: enum icb_call_id
 * @again: made again until it finds something; the last time counts
 * @parts: what its time is to be divided by; 0 as 1
 * @cross: needs a second CPU, peer-cpu
 */
struct icb_call {
	const char *name;
	u32 call;
	bool again;
	u32 parts;
	bool cross;
};

/**
 * struct icb_verb - what the loops must know of an operation
 * @completion: mode by which an arrival is noticed unless asked otherwise
 * @completions: BIT() of each mode that is possible
 * @min_size: least payload, bytes
 * @max_size: greatest payload; 0 where only the device knows
 * @divisor: of a timed round trip: 2 where the answer is a message of its own,
 *	1 where the operation is itself a round trip
 * @recv: takes a receive of the other side
 * @remote: reaches into memory that the other side has registered
 * @passive: the other side takes no part in it: what the initiator waits for
 *	is the completion of its own work request
 * @atomic: changes a 64-bit word of the other side and brings its old value
 * @imm: carries immediate data
 * @note: is followed by an empty send, which tells of it
 * @region: its payload is one region of memory
 * @probes: makes connections of its own, which the other side accepts
 * @local: needs no device, and no other side
 * @call: what it calls, in order; NULL for a verb that moves data
 * @calls: how many
 */
struct icb_verb {
	u32 completion;
	u32 completions;
	u32 min_size;
	u32 max_size;
	u32 divisor;
	bool recv;
	bool remote;
	bool passive;
	bool atomic;
	bool imm;
	bool note;
	bool region;
	bool probes;
	bool local;
	const struct icb_call *call;
	unsigned int calls;
};

extern const struct icb_verb icb_verb_table[];

extern const struct icb_verb icb_verb_noted;

/**
 * icb_verb_posted() - the verb that a run posts
 * @params: the run's
 *
 * Return: its verb; that with immediate data of a write that is told of by it.
 */
static inline u32 icb_verb_posted(const struct icb_params *params)
{
	return params->verb == ICBENCH_VERB_WRITE &&
	       params->notify == ICBENCH_NOTIFY_IMM ? ICBENCH_VERB_WRITE_IMM :
						      params->verb;
}

/**
 * icb_verb_of() - the verb of a run
 * @params: the run's
 *
 * Return: its row; one of its own for a write that a message tells of.
 */
static inline const struct icb_verb *icb_verb_of(const struct icb_params *params)
{
	return params->notify == ICBENCH_NOTIFY_MESSAGE ?
		&icb_verb_noted : &icb_verb_table[icb_verb_posted(params)];
}

u32 icb_verb_completions(u32 trigger, u32 verb);
u32 icb_params_completions(const struct icb_params *params);
int icb_verb_check(struct icb_params *params, struct icb_reason *why);
int icb_verb_refuse(const struct icb_params *params, const char *device,
		    u32 verbs, struct icb_reason *why);

#endif /* ICB_VERBS_TABLE_H */
