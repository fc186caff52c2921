/* SPDX-License-Identifier: GPL-2.0 */
/* The table of verbs: the properties of each verb that loops and rules depend on. */
#ifndef ICB_VERBS_TABLE_H
#define ICB_VERBS_TABLE_H

#include "engine.h"
#include "params.h"

/* Completion modes in which callbacks, and not a thread, drive a run. */
#define ICB_COMPLETIONS_CALLBACK \
	(BIT(ICBENCH_COMPLETION_SOFTIRQ) | BIT(ICBENCH_COMPLETION_WORKQUEUE))

/* Completion modes in which one thread can drive both sides of a run. */
#define ICB_COMPLETIONS_BUSY \
	(BIT(ICBENCH_COMPLETION_POLL) | BIT(ICBENCH_COMPLETION_MEMORY))

/**
 * enum icb_call_id - a call, or a step of the kernel, that is timed separately
 * @ICB_CALL_MAP: map the pages for the device
 * @ICB_CALL_ALLOC_MR: allocate an MR
 * @ICB_CALL_MAP_MR: set the pages of the MR
 * @ICB_CALL_REG_MR: post the registration and wait for its completion
 * @ICB_CALL_LOCAL_INV: post the invalidation and wait for its completion
 * @ICB_CALL_DEREG_MR: free the MR
 * @ICB_CALL_UNMAP: unmap the pages
 * @ICB_CALL_POLL_EMPTY: poll an empty CQ
 * @ICB_CALL_POST_SEND: post a write; with transport ud a send
 * @ICB_CALL_POLL: poll the CQ that holds the completion of ICB_CALL_POST_SEND
 * @ICB_CALL_POST_RECV: post a receive
 * @ICB_CALL_ALLOC_PD: allocate a protection domain
 * @ICB_CALL_CREATE_CQ: create a CQ
 * @ICB_CALL_CREATE_QP: create a QP
 * @ICB_CALL_INIT: modify the QP to INIT
 * @ICB_CALL_RTR: modify the QP to RTR
 * @ICB_CALL_RTS: modify the QP to RTS
 * @ICB_CALL_ERROR: modify the QP to ERR
 * @ICB_CALL_RESET: modify the QP to RESET
 * @ICB_CALL_DESTROY_QP: destroy the QP
 * @ICB_CALL_DESTROY_CQ: destroy the CQ
 * @ICB_CALL_DEALLOC_PD: free the protection domain
 * @ICB_CALL_CM_RESOLVE_ADDR: create a connection identifier and resolve the address
 * @ICB_CALL_CM_RESOLVE_ROUTE: resolve the route
 * @ICB_CALL_CM_CREATE_QP: create the QP of the connection
 * @ICB_CALL_CM_CONNECT: request the connection and wait until it is established
 * @ICB_CALL_CM_DISCONNECT: disconnect and wait for the answer of the peer
 * @ICB_CALL_CM_DESTROY: destroy the QP and the identifier
 * @ICB_CALL_ECHO: run the measuring code of a ping-pong without messages, ICB_CALL_TIMES
 *	times
 * @ICB_CALL_STREAM: run the measuring code of a stream in the same manner
 * @ICB_CALL_HRTIMER_HARD: from the expiry of an hrtimer to its handler, in an interrupt
 * @ICB_CALL_HRTIMER_SOFT: from the expiry of an hrtimer to its handler, in a softirq
 * @ICB_CALL_SELF_IPI: from queueing an irq_work to its handler
 * @ICB_CALL_CROSS_CALL: from a function call on another CPU to the function there
 * @ICB_CALL_SOFTIRQ: from scheduling a tasklet in an interrupt to the tasklet
 * @ICB_CALL_KSOFTIRQD: from scheduling a tasklet in a thread to the tasklet
 * @ICB_CALL_WORK_BOUND: from queueing a work item to its handler, on the same CPU
 * @ICB_CALL_WORK_HIGHPRI: as ICB_CALL_WORK_BOUND, in a queue of high priority
 * @ICB_CALL_WORK_UNBOUND: as ICB_CALL_WORK_BOUND, on any CPU
 * @ICB_CALL_CONTEXT_SWITCH: from one thread to another thread on the same CPU
 * @ICB_CALL_WAKE_SAME: from waking a thread until it runs, on the same CPU
 * @ICB_CALL_WAKE_OTHER: from waking a thread until it runs, on another CPU that is busy
 * @ICB_CALL_WAKE_IDLE: from waking a thread until it runs, on another CPU that is idle
 * @ICB_CALL_WAKE_IDLE_QOS: as ICB_CALL_WAKE_IDLE, while deep idle states are disabled
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

/* Repetitions, within one call, of code that may be shorter than a clock read. */
#define ICB_CALL_TIMES	64

/* Largest number of calls of a verb. */
#define ICB_CALLS_MAX	14

/**
 * struct icb_call - one call of a verb that times calls
 * @name: name of its distribution in the result
 * @call: enum icb_call_id
 * @again: true if the call is repeated until it finds a completion; only the last
 *	repetition is timed
 * @parts: divisor of its time; 0 means 1
 * @cross: true if the call needs a second CPU, peer-cpu
 */
struct icb_call {
	const char *name;
	u32 call;
	bool again;
	u32 parts;
	bool cross;
};

/**
 * enum icb_cap - a capability of a device that some verbs need
 * @ICB_CAP_IMM: immediate data
 * @ICB_CAP_READS: operations that bring an answer
 * @ICB_CAP_ATOMICS: atomics
 * @ICB_CAP_STATES: QPs whose state the consumer sets
 */
enum icb_cap {
	ICB_CAP_IMM = BIT(0),
	ICB_CAP_READS = BIT(1),
	ICB_CAP_ATOMICS = BIT(2),
	ICB_CAP_STATES = BIT(3),
};

/**
 * struct icb_verb - the properties of a verb
 * @opcode: enum ib_uverbs_wr_opcode of its work requests; none of its own if it has calls
 * @access: enum ib_uverbs_access_flags of the memory of the peer
 * @needs: bits of enum icb_cap
 * @with_imm: enum icbench_verb that is posted instead with notify imm; 0 if there is none
 * @completion: default completion mode with trigger echo
 * @completions: BIT() of each completion mode that is possible with triggers echo and
 *	return
 * @min_size: least payload, bytes
 * @max_size: greatest payload, bytes; 0 if only the device limits it
 * @divisor: divisor of a timed round trip: 2 if the answer is a second message, 1 if one
 *	operation is a round trip
 * @recv: true if an operation consumes a receive of the peer
 * @remote: true if an operation accesses memory that the peer has registered
 * @passive: true if the peer takes no part in an operation: the initiator waits for the
 *	completion of its own work request
 * @atomic: true if an operation changes a 64-bit word of the peer and returns the old
 *	value
 * @swaps: true if an atomic compares the word with the value that it expects
 * @imm: true if a message carries immediate data
 * @note: true if each write is followed by an empty send that reports it
 * @region: true if the payload is in one memory region
 * @datagram: true if an operation is possible with transport ud
 * @needs_rc: why its calls need transport rc, in words; NULL if they are possible with any
 * @rehearses: true if its calls run the loops of other triggers without messages
 * @probes: true if the verb makes connections of its own, which the peer accepts
 * @local: true if the verb needs neither a device nor a peer
 * @warmup: default number of warm-up operations; 0 for that of all verbs
 * @call: calls of the verb, in order; NULL for a verb that moves data
 * @calls: number of calls in @call
 */
struct icb_verb {
	u32 opcode;
	u32 access;
	u32 needs;
	u32 with_imm;
	u32 completion;
	u32 completions;
	u32 min_size;
	u32 max_size;
	u32 divisor;
	bool recv;
	bool remote;
	bool passive;
	bool atomic;
	bool swaps;
	bool imm;
	bool note;
	bool region;
	bool datagram;
	bool rehearses;
	bool probes;
	bool local;
	u32 warmup;
	const char *needs_rc;
	const struct icb_call *call;
	unsigned int calls;
};

extern const struct icb_verb icb_verb_table[];
extern const unsigned int icb_verb_count;

extern const struct icb_verb icb_verb_noted;

/**
 * icb_verb_posted() - get the verb of the work requests that a run posts
 * @params: parameters of the run
 *
 * Return: the verb of @params; with notify imm the verb that carries immediate data.
 */
static inline u32 icb_verb_posted(const struct icb_params *params)
{
	u32 with_imm = icb_verb_table[params->verb].with_imm;

	return with_imm && params->notify == ICBENCH_NOTIFY_IMM ? with_imm :
								  params->verb;
}

/**
 * icb_verb_of() - get the properties of the verb of a run
 * @params: parameters of the run
 *
 * Return: the row of icb_verb_table; &icb_verb_noted for a write with notify message.
 */
static inline const struct icb_verb *icb_verb_of(const struct icb_params *params)
{
	return params->notify == ICBENCH_NOTIFY_MESSAGE ?
		&icb_verb_noted : &icb_verb_table[icb_verb_posted(params)];
}

u32 icb_verbs(bool calls);
u32 icb_verbs_of_device(u32 caps);
u32 icb_verb_completions(u32 trigger, u32 verb);
u32 icb_params_completions(const struct icb_params *params);

#endif /* ICB_VERBS_TABLE_H */
