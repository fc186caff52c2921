// SPDX-License-Identifier: GPL-2.0
#include "triggers_table.h"
#include "verbs_table.h"

#define CQ_MODES							\
	(BIT(ICBENCH_COMPLETION_POLL) | BIT(ICBENCH_COMPLETION_BLOCK) |	\
	 BIT(ICBENCH_COMPLETION_ADAPTIVE) |				\
	 BIT(ICBENCH_COMPLETION_TIMER) | ICB_COMPLETIONS_CALLBACK)

#define WRITE_ACCESS	\
	(IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE)
#define ATOMIC_ACCESS	\
	(IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_ATOMIC)

static const struct icb_call register_calls[] = {
	{ .name = "map", .call = ICB_CALL_MAP },
	{ .name = "alloc_mr", .call = ICB_CALL_ALLOC_MR },
	{ .name = "map_mr", .call = ICB_CALL_MAP_MR },
	{ .name = "reg_mr", .call = ICB_CALL_REG_MR },
	{ .name = "local_inv", .call = ICB_CALL_LOCAL_INV },
	{ .name = "dereg_mr", .call = ICB_CALL_DEREG_MR },
	{ .name = "unmap", .call = ICB_CALL_UNMAP },
};

static const struct icb_call descriptor_calls[] = {
	{ .name = "poll_empty", .call = ICB_CALL_POLL_EMPTY },
	{ .name = "post_send", .call = ICB_CALL_POST_SEND },
	{ .name = "poll", .call = ICB_CALL_POLL, .again = true },
	{ .name = "post_recv", .call = ICB_CALL_POST_RECV },
};

static const struct icb_call connect_calls[] = {
	{ .name = "alloc_pd", .call = ICB_CALL_ALLOC_PD },
	{ .name = "create_cq", .call = ICB_CALL_CREATE_CQ },
	{ .name = "create_qp", .call = ICB_CALL_CREATE_QP },
	{ .name = "modify_init", .call = ICB_CALL_INIT },
	{ .name = "modify_rtr", .call = ICB_CALL_RTR },
	{ .name = "modify_rts", .call = ICB_CALL_RTS },
	{ .name = "modify_err", .call = ICB_CALL_ERROR },
	{ .name = "modify_reset", .call = ICB_CALL_RESET },
	{ .name = "destroy_qp", .call = ICB_CALL_DESTROY_QP },
	{ .name = "destroy_cq", .call = ICB_CALL_DESTROY_CQ },
	{ .name = "dealloc_pd", .call = ICB_CALL_DEALLOC_PD },
};

static const struct icb_call connect_cm_calls[] = {
	{ .name = "cm_resolve_addr", .call = ICB_CALL_CM_RESOLVE_ADDR },
	{ .name = "cm_resolve_route", .call = ICB_CALL_CM_RESOLVE_ROUTE },
	{ .name = "cm_create_qp", .call = ICB_CALL_CM_CREATE_QP },
	{ .name = "cm_connect", .call = ICB_CALL_CM_CONNECT },
	{ .name = "cm_disconnect", .call = ICB_CALL_CM_DISCONNECT },
	{ .name = "cm_destroy", .call = ICB_CALL_CM_DESTROY },
};

/* An operation of a ping-pong takes three samples, an operation of a stream two. */
static const struct icb_call calibrate_calls[] = {
	{ .name = "echo", .call = ICB_CALL_ECHO, .parts = 3 * ICB_CALL_TIMES },
	{ .name = "stream", .call = ICB_CALL_STREAM,
	  .parts = 2 * ICB_CALL_TIMES },
};

static const struct icb_call floor_calls[] = {
	{ .name = "hrtimer_hard", .call = ICB_CALL_HRTIMER_HARD },
	{ .name = "hrtimer_soft", .call = ICB_CALL_HRTIMER_SOFT },
	{ .name = "self_ipi", .call = ICB_CALL_SELF_IPI },
	{ .name = "cross_call", .call = ICB_CALL_CROSS_CALL, .cross = true },
	{ .name = "softirq", .call = ICB_CALL_SOFTIRQ },
	{ .name = "ksoftirqd", .call = ICB_CALL_KSOFTIRQD },
	{ .name = "work_bound", .call = ICB_CALL_WORK_BOUND },
	{ .name = "work_highpri", .call = ICB_CALL_WORK_HIGHPRI },
	{ .name = "work_unbound", .call = ICB_CALL_WORK_UNBOUND },
	{ .name = "context_switch", .call = ICB_CALL_CONTEXT_SWITCH },
	{ .name = "wake_same", .call = ICB_CALL_WAKE_SAME },
	{ .name = "wake_other", .call = ICB_CALL_WAKE_OTHER, .cross = true },
	{ .name = "wake_idle", .call = ICB_CALL_WAKE_IDLE, .cross = true },
	{ .name = "wake_idle_qos", .call = ICB_CALL_WAKE_IDLE_QOS,
	  .cross = true },
};

const struct icb_verb icb_verb_table[] = {
	[ICBENCH_VERB_SEND] = {
		.opcode = IB_UVERBS_WR_SEND,
		.datagram = true,
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = CQ_MODES,
		.divisor = 2,
		.recv = true,
	},
	[ICBENCH_VERB_WRITE] = {
		.opcode = IB_UVERBS_WR_RDMA_WRITE,
		.access = WRITE_ACCESS,
		.with_imm = ICBENCH_VERB_WRITE_IMM,
		.completion = ICBENCH_COMPLETION_MEMORY,
		.completions = BIT(ICBENCH_COMPLETION_MEMORY),
		.min_size = 1,
		.divisor = 2,
		.remote = true,
		.region = true,
	},
	[ICBENCH_VERB_WRITE_IMM] = {
		.opcode = IB_UVERBS_WR_RDMA_WRITE_WITH_IMM,
		.access = WRITE_ACCESS,
		.needs = ICB_CAP_IMM,
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = CQ_MODES,
		.divisor = 2,
		.recv = true,
		.remote = true,
		.region = true,
		.imm = true,
	},
	[ICBENCH_VERB_READ] = {
		.opcode = IB_UVERBS_WR_RDMA_READ,
		.access = IB_UVERBS_ACCESS_REMOTE_READ,
		.needs = ICB_CAP_READS,
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = CQ_MODES,
		.min_size = 1,
		.divisor = 1,
		.remote = true,
		.region = true,
		.passive = true,
	},
	[ICBENCH_VERB_FETCH_ADD] = {
		.opcode = IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD,
		.access = ATOMIC_ACCESS,
		.needs = ICB_CAP_READS | ICB_CAP_ATOMICS,
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = CQ_MODES,
		.min_size = sizeof(u64),
		.max_size = sizeof(u64),
		.divisor = 1,
		.remote = true,
		.region = true,
		.passive = true,
		.atomic = true,
	},
	[ICBENCH_VERB_CMP_SWAP] = {
		.opcode = IB_UVERBS_WR_ATOMIC_CMP_AND_SWP,
		.access = ATOMIC_ACCESS,
		.needs = ICB_CAP_READS | ICB_CAP_ATOMICS,
		.swaps = true,
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = CQ_MODES,
		.min_size = sizeof(u64),
		.max_size = sizeof(u64),
		.divisor = 1,
		.remote = true,
		.region = true,
		.passive = true,
		.atomic = true,
	},
	[ICBENCH_VERB_REGISTER] = {
		.needs_rc = "which some devices support on reliable connections only",
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.min_size = 1,
		.divisor = 1,
		.passive = true,
		.region = true,
		.call = register_calls,
		.calls = ARRAY_SIZE(register_calls),
	},
	[ICBENCH_VERB_DESCRIPTOR] = {
		.opcode = IB_UVERBS_WR_RDMA_WRITE,
		.access = WRITE_ACCESS,
		.datagram = true,
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.min_size = 1,
		.divisor = 1,
		.remote = true,
		.region = true,
		.call = descriptor_calls,
		.calls = ARRAY_SIZE(descriptor_calls),
	},
	[ICBENCH_VERB_CONNECT] = {
		.opcode = IB_UVERBS_WR_SEND,
		.needs = ICB_CAP_STATES,
		.needs_rc = "which makes reliable connections",
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.divisor = 1,
		.passive = true,
		.call = connect_calls,
		.calls = ARRAY_SIZE(connect_calls),
	},
	[ICBENCH_VERB_CONNECT_CM] = {
		.opcode = IB_UVERBS_WR_SEND,
		.needs_rc = "which makes reliable connections",
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.divisor = 1,
		.passive = true,
		.probes = true,
		.call = connect_cm_calls,
		.calls = ARRAY_SIZE(connect_cm_calls),
	},
	[ICBENCH_VERB_CALIBRATE] = {
		.opcode = IB_UVERBS_WR_SEND,
		.needs_rc = "which sends nothing",
		.rehearses = true,
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.divisor = 1,
		.passive = true,
		.call = calibrate_calls,
		.calls = ARRAY_SIZE(calibrate_calls),
	},
	[ICBENCH_VERB_FLOOR] = {
		.completion = ICBENCH_COMPLETION_POLL,
		.completions = BIT(ICBENCH_COMPLETION_POLL),
		.divisor = 1,
		.passive = true,
		.local = true,
		.warmup = 20,
		.call = floor_calls,
		.calls = ARRAY_SIZE(floor_calls),
	},
};

const unsigned int icb_verb_count = ARRAY_SIZE(icb_verb_table);

/* A write that is followed by an empty send, which reports it. */
const struct icb_verb icb_verb_noted = {
	.opcode = IB_UVERBS_WR_RDMA_WRITE,
	.access = WRITE_ACCESS,
	.completion = ICBENCH_COMPLETION_POLL,
	.completions = CQ_MODES,
	.divisor = 2,
	.recv = true,
	.remote = true,
	.region = true,
	.note = true,
};

/**
 * icb_verbs() - get the verbs that move data, or those that time calls
 * @calls: true for the verbs that time calls
 *
 * Return: BIT(enum icbench_verb) of each verb.
 */
u32 icb_verbs(bool calls)
{
	u32 verbs = 0, i;

	for (i = 0; i < icb_verb_count; i++)
		if (!icb_verb_table[i].calls == !calls)
			verbs |= BIT(i);
	return verbs;
}

/**
 * icb_verbs_of_device() - get the verbs that a device supports
 * @caps: bits of enum icb_cap that the device has
 *
 * Return: BIT(enum icbench_verb) of each verb.
 */
u32 icb_verbs_of_device(u32 caps)
{
	const struct icb_verb *verb = icb_verb_table;
	u32 verbs = 0, i;

	for (i = 0; i < icb_verb_count; i++, verb++)
		if (!verb->local && !(verb->needs & ~caps))
			verbs |= BIT(i);
	return verbs;
}

/*
 * The modes of a trigger with which a side waits for its own completions, which any verb
 * has. A scheduled trigger already has a timer, and reports how late it was.
 */
static u32 windowed_modes(const struct icb_trigger *trigger)
{
	return trigger->scheduled ? CQ_MODES & ~BIT(ICBENCH_COMPLETION_TIMER) :
				    CQ_MODES;
}

static u32 modes_of(const struct icb_trigger *trigger,
		    const struct icb_verb *verb)
{
	return icb_trigger_windowed(trigger) ? windowed_modes(trigger) :
					       verb->completions;
}

/**
 * icb_verb_completions() - get the completion modes that a verb accepts
 * @trigger: enum icbench_trigger
 * @verb: enum icbench_verb
 *
 * Return: BIT(enum icbench_completion) of each mode.
 */
u32 icb_verb_completions(u32 trigger, u32 verb)
{
	return modes_of(&icb_trigger_table[trigger], &icb_verb_table[verb]);
}

/**
 * icb_params_completions() - get the completion modes that a run accepts
 * @params: parameters of the run
 *
 * Return: BIT(enum icbench_completion) of each mode.
 */
u32 icb_params_completions(const struct icb_params *params)
{
	return modes_of(icb_trigger_of(params), icb_verb_of(params));
}
