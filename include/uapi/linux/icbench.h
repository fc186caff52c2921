/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/icbench.yaml */
/* YNL-GEN uapi header */

#ifndef _UAPI_LINUX_ICBENCH_H
#define _UAPI_LINUX_ICBENCH_H

#define ICBENCH_FAMILY_NAME	"icbench"
#define ICBENCH_FAMILY_VERSION	1

#define ICBENCH_MAX_ITERATIONS		1000000000000
#define ICBENCH_MAX_SIZE		1073741824
#define ICBENCH_MAX_DURATION		86400000000000
#define ICBENCH_MIN_TIMEOUT		100000000
#define ICBENCH_MAX_TIMEOUT		3600000000000
#define ICBENCH_MAX_SIGNAL_EVERY	1024
#define ICBENCH_MAX_RATE		100000000
#define ICBENCH_MAX_RUN_QPS		16384
#define ICBENCH_MAX_UNTIL		50
#define ICBENCH_MAX_UNTIL_PERCENTILE	9999
#define ICBENCH_MAX_THRESHOLD		3600000000000
#define ICBENCH_MAX_DEVICES		8
#define ICBENCH_MAX_WORKERS		64
#define ICBENCH_MAX_CPU_LATENCY		1000000000
#define ICBENCH_MAX_WINDOW		16384
#define ICBENCH_MAX_BATCH		64
#define ICBENCH_MAX_COMPUTE		1000000000
#define ICBENCH_MAX_COMPUTE_SHARE	999
#define ICBENCH_MAX_SAMPLES		1048576
#define ICBENCH_MAX_SPIN		1000000000
#define ICBENCH_MIN_INTERVAL		1000
#define ICBENCH_MAX_INTERVAL		1000000000
#define ICBENCH_MAX_BUFFERS		262144
#define ICBENCH_MAX_SGES		1024
#define ICBENCH_MAX_INLINE		65536
#define ICBENCH_MIN_MTU			256
#define ICBENCH_MAX_MTU			4096
#define ICBENCH_MAX_MEMORY		1025
#define ICBENCH_MAX_CPU			8191
#define ICBENCH_MAX_PORT		255
#define ICBENCH_MAX_GID_INDEX		65535
#define ICBENCH_MAX_NAME		63
#define ICBENCH_MAX_TOKEN		64
#define ICBENCH_MIN_TOKEN		8
#define ICBENCH_MAX_QPS			65536
#define ICBENCH_DEFAULT_CM_PORT		18515

/**
 * enum icbench_trigger - The event that triggers the next operation.
 * @ICBENCH_TRIGGER_ECHO: The arrival of the peer's message (ping-pong).
 * @ICBENCH_TRIGGER_COMPLETION: The completion of earlier operations (stream).
 * @ICBENCH_TRIGGER_RETURN: The return of the previous call; the peer takes no
 *   part (timed calls).
 * @ICBENCH_TRIGGER_CLOCK: A schedule, whether or not earlier operations have
 *   completed (open loop).
 */
enum icbench_trigger {
	ICBENCH_TRIGGER_ECHO,
	ICBENCH_TRIGGER_COMPLETION,
	ICBENCH_TRIGGER_RETURN,
	ICBENCH_TRIGGER_CLOCK,
};

/**
 * enum icbench_verb - The operation.
 * @ICBENCH_VERB_SEND: Send into a receive that the peer has posted.
 * @ICBENCH_VERB_WRITE: RDMA write into memory that the peer has registered.
 * @ICBENCH_VERB_WRITE_IMM: RDMA write with immediate data, which consumes a
 *   receive of the peer and raises a completion there.
 * @ICBENCH_VERB_READ: RDMA read of memory that the peer has registered. The
 *   peer's CPU takes no part in it.
 * @ICBENCH_VERB_FETCH_ADD: Atomic fetch and add of one to a 64-bit word of the
 *   peer's memory. The peer's CPU takes no part in it.
 * @ICBENCH_VERB_CMP_SWAP: Atomic compare and swap of a 64-bit word of the
 *   peer's memory. The peer's CPU takes no part in it. Each swap succeeds.
 * @ICBENCH_VERB_REGISTER: The calls that register and deregister memory, one
 *   after the other; no message. Only with trigger return.
 * @ICBENCH_VERB_DESCRIPTOR: The calls that post a send and a receive, and that
 *   poll a CQ with a completion and an empty CQ. Only with trigger return.
 * @ICBENCH_VERB_CONNECT: The calls that make a QP ready to send, each state
 *   transition by itself, and that destroy it. Only with trigger return.
 * @ICBENCH_VERB_CONNECT_CM: The steps that make and destroy a connection
 *   through the connection manager. The peer accepts it. Only with trigger
 *   return.
 * @ICBENCH_VERB_CALIBRATE: The measuring overhead: the clock reads and the
 *   bookkeeping of the other triggers, with nothing between them. Only with
 *   trigger return.
 * @ICBENCH_VERB_FLOOR: The time that this machine takes to interrupt, defer
 *   and wake, step by step, without any device. Only with trigger return, and
 *   without a peer.
 */
enum icbench_verb {
	ICBENCH_VERB_SEND,
	ICBENCH_VERB_WRITE,
	ICBENCH_VERB_WRITE_IMM,
	ICBENCH_VERB_READ,
	ICBENCH_VERB_FETCH_ADD,
	ICBENCH_VERB_CMP_SWAP,
	ICBENCH_VERB_REGISTER,
	ICBENCH_VERB_DESCRIPTOR,
	ICBENCH_VERB_CONNECT,
	ICBENCH_VERB_CONNECT_CM,
	ICBENCH_VERB_CALIBRATE,
	ICBENCH_VERB_FLOOR,
};

/**
 * enum icbench_transport - The QP's transport service.
 * @ICBENCH_TRANSPORT_RC: Reliable connection.
 * @ICBENCH_TRANSPORT_UC: Unreliable connection. Neither side is notified of a
 *   message that is lost or that finds no receive.
 * @ICBENCH_TRANSPORT_UD: Unreliable datagram. A message is one packet and
 *   consumes a receive. Losses are not notified, as with uc.
 */
enum icbench_transport {
	ICBENCH_TRANSPORT_RC,
	ICBENCH_TRANSPORT_UC,
	ICBENCH_TRANSPORT_UD,
};

/**
 * enum icbench_completion - How a side detects the event that it waits for.
 * @ICBENCH_COMPLETION_POLL: The thread polls the CQ.
 * @ICBENCH_COMPLETION_MEMORY: The thread polls the last byte of the
 *   destination of a write.
 * @ICBENCH_COMPLETION_SOFTIRQ: The CQ calls back in softirq context; the
 *   callback continues the run.
 * @ICBENCH_COMPLETION_WORKQUEUE: The CQ calls back from a kernel work queue;
 *   the callback continues the run.
 * @ICBENCH_COMPLETION_BLOCK: The thread sleeps until the CQ's event handler
 *   wakes it.
 * @ICBENCH_COMPLETION_ADAPTIVE: The thread polls the CQ for the time spin, and
 *   then sleeps until the CQ's event handler wakes it.
 * @ICBENCH_COMPLETION_TIMER: The thread sleeps until an hrtimer wakes it,
 *   which it does at an interval, and then polls the CQ.
 */
enum icbench_completion {
	ICBENCH_COMPLETION_POLL,
	ICBENCH_COMPLETION_MEMORY,
	ICBENCH_COMPLETION_SOFTIRQ,
	ICBENCH_COMPLETION_WORKQUEUE,
	ICBENCH_COMPLETION_BLOCK,
	ICBENCH_COMPLETION_ADAPTIVE,
	ICBENCH_COMPLETION_TIMER,
};

/**
 * enum icbench_direction - The sides that start operations.
 * @ICBENCH_DIRECTION_UNI: The initiator.
 * @ICBENCH_DIRECTION_BI: Both sides, at the same time.
 */
enum icbench_direction {
	ICBENCH_DIRECTION_UNI,
	ICBENCH_DIRECTION_BI,
};

/**
 * enum icbench_notify - How the receiver of an RDMA write is notified.
 * @ICBENCH_NOTIFY_NONE: Not at all; it polls its memory.
 * @ICBENCH_NOTIFY_IMM: By immediate data, which consumes a receive and raises
 *   a completion.
 * @ICBENCH_NOTIFY_MESSAGE: By an empty send after the write, posted by the
 *   same call.
 */
enum icbench_notify {
	ICBENCH_NOTIFY_NONE,
	ICBENCH_NOTIFY_IMM,
	ICBENCH_NOTIFY_MESSAGE,
};

/**
 * enum icbench_context - The context in which a thread posts.
 * @ICBENCH_CONTEXT_BH: Between local_bh_disable() and local_bh_enable(), like
 *   a consumer that posts from its own bottom half. A software device then
 *   does its work inside the call.
 * @ICBENCH_CONTEXT_THREAD: Plain process context.
 */
enum icbench_context {
	ICBENCH_CONTEXT_BH,
	ICBENCH_CONTEXT_THREAD,
};

/**
 * enum icbench_priority - Scheduling class of the threads that drive a run.
 * @ICBENCH_PRIORITY_NORMAL: SCHED_NORMAL, nice 0.
 * @ICBENCH_PRIORITY_FIFO: SCHED_FIFO as set by sched_set_fifo(), priority 50.
 * @ICBENCH_PRIORITY_FIFO_LOW: SCHED_FIFO as set by sched_set_fifo_low(),
 *   priority 1.
 */
enum icbench_priority {
	ICBENCH_PRIORITY_NORMAL,
	ICBENCH_PRIORITY_FIFO,
	ICBENCH_PRIORITY_FIFO_LOW,
};

/**
 * enum icbench_arrival - Distribution of the times between the operations of
 *   an open loop.
 * @ICBENCH_ARRIVAL_FIXED: All times are the same.
 * @ICBENCH_ARRIVAL_UNIFORM: Evenly distributed, from 0 to twice the mean.
 * @ICBENCH_ARRIVAL_EXPONENTIAL: Exponentially distributed, as with many
 *   independent sources.
 */
enum icbench_arrival {
	ICBENCH_ARRIVAL_FIXED,
	ICBENCH_ARRIVAL_UNIFORM,
	ICBENCH_ARRIVAL_EXPONENTIAL,
};

/**
 * enum icbench_memory - Placement of the buffers of a side.
 * @ICBENCH_MEMORY_ANY: On the NUMA node of its device, or on any node.
 * @ICBENCH_MEMORY_DEVICE: In memory of the device itself.
 * @ICBENCH_MEMORY_NODE: On NUMA node 0; this plus N is node N.
 */
enum icbench_memory {
	ICBENCH_MEMORY_ANY,
	ICBENCH_MEMORY_DEVICE,
	ICBENCH_MEMORY_NODE,
};

/**
 * enum icbench_policy - How messages are distributed over the devices of a
 *   run.
 * @ICBENCH_POLICY_SINGLE: There is one device.
 * @ICBENCH_POLICY_STRIPE: Each message above the threshold is cut into equal
 *   pieces, one per device; smaller messages use the first device.
 * @ICBENCH_POLICY_BIND: Each QP is bound to one device, and carries whole
 *   messages.
 * @ICBENCH_POLICY_CHANNELS: There are two devices. The initiator sends whole
 *   messages by the first device, and the responder by the second one.
 */
enum icbench_policy {
	ICBENCH_POLICY_SINGLE,
	ICBENCH_POLICY_STRIPE,
	ICBENCH_POLICY_BIND,
	ICBENCH_POLICY_CHANNELS,
};

/**
 * enum icbench_size_dist - Distribution of the message sizes.
 * @ICBENCH_SIZE_DIST_FIXED: All sizes are the same.
 * @ICBENCH_SIZE_DIST_UNIFORM: Evenly distributed, from nearly 0 to twice the
 *   mean.
 * @ICBENCH_SIZE_DIST_EXPONENTIAL: Exponentially distributed, up to 6.5 times
 *   the mean.
 */
enum icbench_size_dist {
	ICBENCH_SIZE_DIST_FIXED,
	ICBENCH_SIZE_DIST_UNIFORM,
	ICBENCH_SIZE_DIST_EXPONENTIAL,
};

/**
 * enum icbench_registration - How the buffers of a side are made available to
 *   its own device.
 * @ICBENCH_REGISTRATION_DMA: As they are mapped, by the local DMA key of the
 *   protection domain.
 * @ICBENCH_REGISTRATION_FRWR: By memory regions over them. Work requests on
 *   the QP register the regions, and invalidate them at the end.
 */
enum icbench_registration {
	ICBENCH_REGISTRATION_DMA,
	ICBENCH_REGISTRATION_FRWR,
};

/**
 * enum icbench_role - Role of this host in a job.
 * @ICBENCH_ROLE_INITIATOR: Created by job-new on this host; has the result.
 * @ICBENCH_ROLE_RESPONDER: Created for another host by a listener of this
 *   host.
 */
enum icbench_role {
	ICBENCH_ROLE_INITIATOR,
	ICBENCH_ROLE_RESPONDER,
};

/**
 * enum icbench_job_state - The states of a job, in order.
 * @ICBENCH_JOB_STATE_NEW: Created and checked, not started.
 * @ICBENCH_JOB_STATE_CONNECTING: Making connections, agreeing on parameters,
 *   registering memory.
 * @ICBENCH_JOB_STATE_WARMUP: Running, not measured yet.
 * @ICBENCH_JOB_STATE_MEASURING: Running, measured.
 * @ICBENCH_JOB_STATE_DRAINING: Run has ended. Both sides compare what was
 *   sent, and destroy their QPs.
 * @ICBENCH_JOB_STATE_FINISHED: Ended; the result can be read.
 */
enum icbench_job_state {
	ICBENCH_JOB_STATE_NEW,
	ICBENCH_JOB_STATE_CONNECTING,
	ICBENCH_JOB_STATE_WARMUP,
	ICBENCH_JOB_STATE_MEASURING,
	ICBENCH_JOB_STATE_DRAINING,
	ICBENCH_JOB_STATE_FINISHED,
};

/**
 * enum icbench_outcome - How a job ended.
 * @ICBENCH_OUTCOME_NONE: The job has not ended.
 * @ICBENCH_OUTCOME_COMPLETE: Everything that was requested was measured.
 * @ICBENCH_OUTCOME_STOPPED: Stopped on request; the results up to then are
 *   kept.
 * @ICBENCH_OUTCOME_FAILED: Ended by an error; the results up to then are kept.
 */
enum icbench_outcome {
	ICBENCH_OUTCOME_NONE,
	ICBENCH_OUTCOME_COMPLETE,
	ICBENCH_OUTCOME_STOPPED,
	ICBENCH_OUTCOME_FAILED,
};

/**
 * enum icbench_unit - The unit of a metric.
 * @ICBENCH_UNIT_NS: Nanoseconds.
 * @ICBENCH_UNIT_BYTES_PER_SECOND: Payload bytes delivered per second.
 * @ICBENCH_UNIT_PER_SECOND: Messages delivered per second.
 * @ICBENCH_UNIT_COUNT: A plain number.
 * @ICBENCH_UNIT_PERCENT: Per cent.
 * @ICBENCH_UNIT_BYTES: Payload bytes.
 */
enum icbench_unit {
	ICBENCH_UNIT_NS,
	ICBENCH_UNIT_BYTES_PER_SECOND,
	ICBENCH_UNIT_PER_SECOND,
	ICBENCH_UNIT_COUNT,
	ICBENCH_UNIT_PERCENT,
	ICBENCH_UNIT_BYTES,
};

/**
 * enum icbench_metric_kind - The shape of a metric.
 * @ICBENCH_METRIC_KIND_SCALAR: One value.
 * @ICBENCH_METRIC_KIND_DISTRIBUTION: Count, exact moments and extremes, and a
 *   histogram.
 * @ICBENCH_METRIC_KIND_DISTURBANCE: One value that describes a disturbance of
 *   the run.
 */
enum icbench_metric_kind {
	ICBENCH_METRIC_KIND_SCALAR,
	ICBENCH_METRIC_KIND_DISTRIBUTION,
	ICBENCH_METRIC_KIND_DISTURBANCE,
};

enum {
	ICBENCH_A_PARAMS_PAD = 1,
	ICBENCH_A_PARAMS_TRIGGER,
	ICBENCH_A_PARAMS_VERB,
	ICBENCH_A_PARAMS_TRANSPORT,
	ICBENCH_A_PARAMS_COMPLETION,
	ICBENCH_A_PARAMS_CONTEXT,
	ICBENCH_A_PARAMS_SIZE,
	ICBENCH_A_PARAMS_ITERATIONS,
	ICBENCH_A_PARAMS_DURATION,
	ICBENCH_A_PARAMS_WARMUP,
	ICBENCH_A_PARAMS_SIGNAL_EVERY,
	ICBENCH_A_PARAMS_CPU,
	ICBENCH_A_PARAMS_PEER_CPU,
	ICBENCH_A_PARAMS_PRIORITY,
	ICBENCH_A_PARAMS_DEVICE,
	ICBENCH_A_PARAMS_PORT,
	ICBENCH_A_PARAMS_GID_INDEX,
	ICBENCH_A_PARAMS_PEER,
	ICBENCH_A_PARAMS_CM_PORT,
	ICBENCH_A_PARAMS_TOKEN,
	ICBENCH_A_PARAMS_TIMEOUT,
	ICBENCH_A_PARAMS_VERIFY,
	ICBENCH_A_PARAMS_SEED,
	ICBENCH_A_PARAMS_WINDOW,
	ICBENCH_A_PARAMS_REFILL,
	ICBENCH_A_PARAMS_BATCH,
	ICBENCH_A_PARAMS_DIRECTION,
	ICBENCH_A_PARAMS_MTU,
	ICBENCH_A_PARAMS_COMPUTE,
	ICBENCH_A_PARAMS_COMPUTE_SHARE,
	ICBENCH_A_PARAMS_OVERHEAD,
	ICBENCH_A_PARAMS_BUFFERS,
	ICBENCH_A_PARAMS_REUSE,
	ICBENCH_A_PARAMS_SGES,
	ICBENCH_A_PARAMS_MAX_SGES,
	ICBENCH_A_PARAMS_INLINE,
	ICBENCH_A_PARAMS_RATE,
	ICBENCH_A_PARAMS_ARRIVAL,
	ICBENCH_A_PARAMS_NOTIFY,
	ICBENCH_A_PARAMS_SAMPLES,
	ICBENCH_A_PARAMS_REPLY,
	ICBENCH_A_PARAMS_REGISTRATION,
	ICBENCH_A_PARAMS_SPIN,
	ICBENCH_A_PARAMS_INTERVAL,
	ICBENCH_A_PARAMS_QPS,
	ICBENCH_A_PARAMS_MEMORY,
	ICBENCH_A_PARAMS_ATTRIBUTE,
	ICBENCH_A_PARAMS_UNTIL,
	ICBENCH_A_PARAMS_STAGES,
	ICBENCH_A_PARAMS_SHADOW_CPU,
	ICBENCH_A_PARAMS_POLICY,
	ICBENCH_A_PARAMS_STRIPE_THRESHOLD,
	ICBENCH_A_PARAMS_THRESHOLD,
	ICBENCH_A_PARAMS_SIZE_DIST,
	ICBENCH_A_PARAMS_WORKERS,
	ICBENCH_A_PARAMS_CPU_LATENCY_QOS,
	ICBENCH_A_PARAMS_UNTIL_PERCENTILE,
	ICBENCH_A_PARAMS_UNTIL_TIME,

	__ICBENCH_A_PARAMS_MAX,
	ICBENCH_A_PARAMS_MAX = (__ICBENCH_A_PARAMS_MAX - 1)
};

enum {
	ICBENCH_A_GID_INDEX = 1,
	ICBENCH_A_GID_VALUE,
	ICBENCH_A_GID_TYPE,
	ICBENCH_A_GID_NETDEV,

	__ICBENCH_A_GID_MAX,
	ICBENCH_A_GID_MAX = (__ICBENCH_A_GID_MAX - 1)
};

enum {
	ICBENCH_A_DEV_PAD = 1,
	ICBENCH_A_DEV_NAME,
	ICBENCH_A_DEV_DRIVER,
	ICBENCH_A_DEV_NODE_GUID,
	ICBENCH_A_DEV_NODE,
	ICBENCH_A_DEV_MAX_QP,
	ICBENCH_A_DEV_MAX_CQE,
	ICBENCH_A_DEV_MAX_SGE,
	ICBENCH_A_DEV_MAX_MR_SIZE,
	ICBENCH_A_DEV_MAX_MSG_SIZE,
	ICBENCH_A_DEV_VECTORS,
	ICBENCH_A_DEV_PORT,
	ICBENCH_A_DEV_STATE,
	ICBENCH_A_DEV_LINK_LAYER,
	ICBENCH_A_DEV_PROTOCOL,
	ICBENCH_A_DEV_SPEED,
	ICBENCH_A_DEV_MTU,
	ICBENCH_A_DEV_NETDEV,
	ICBENCH_A_DEV_GIDS,
	ICBENCH_A_DEV_VERBS,
	ICBENCH_A_DEV_MAX_RECV_SGE,
	ICBENCH_A_DEV_MAX_READ_SGE,

	__ICBENCH_A_DEV_MAX,
	ICBENCH_A_DEV_MAX = (__ICBENCH_A_DEV_MAX - 1)
};

enum {
	ICBENCH_A_BENCH_NAME = 1,
	ICBENCH_A_BENCH_HELP,
	ICBENCH_A_BENCH_VERB,
	ICBENCH_A_BENCH_COMPLETION,

	__ICBENCH_A_BENCH_MAX,
	ICBENCH_A_BENCH_MAX = (__ICBENCH_A_BENCH_MAX - 1)
};

enum {
	ICBENCH_A_LISTEN_PAD = 1,
	ICBENCH_A_LISTEN_ID,
	ICBENCH_A_LISTEN_BIND,
	ICBENCH_A_LISTEN_CM_PORT,
	ICBENCH_A_LISTEN_TOKEN,
	ICBENCH_A_LISTEN_MAX_MEMORY,
	ICBENCH_A_LISTEN_MAX_QPS,
	ICBENCH_A_LISTEN_DETACH,
	ICBENCH_A_LISTEN_MEMORY,
	ICBENCH_A_LISTEN_QPS,
	ICBENCH_A_LISTEN_SESSIONS,
	ICBENCH_A_LISTEN_ACCEPTED,
	ICBENCH_A_LISTEN_REFUSED,
	ICBENCH_A_LISTEN_PEER,
	ICBENCH_A_LISTEN_REASON,

	__ICBENCH_A_LISTEN_MAX,
	ICBENCH_A_LISTEN_MAX = (__ICBENCH_A_LISTEN_MAX - 1)
};

enum {
	ICBENCH_A_CLOCK_SOURCE = 1,
	ICBENCH_A_CLOCK_INVARIANT,
	ICBENCH_A_CLOCK_KHZ,
	ICBENCH_A_CLOCK_READ_PS,
	ICBENCH_A_CLOCK_ERROR_PPM,
	ICBENCH_A_CLOCK_STEP_PS,

	__ICBENCH_A_CLOCK_MAX,
	ICBENCH_A_CLOCK_MAX = (__ICBENCH_A_CLOCK_MAX - 1)
};

enum {
	ICBENCH_A_JOB_PAD = 1,
	ICBENCH_A_JOB_ID,
	ICBENCH_A_JOB_PARAMS,
	ICBENCH_A_JOB_DETACH,
	ICBENCH_A_JOB_ROLE,
	ICBENCH_A_JOB_STATE,
	ICBENCH_A_JOB_OUTCOME,
	ICBENCH_A_JOB_ERRNO,
	ICBENCH_A_JOB_REASON,
	ICBENCH_A_JOB_DONE,
	ICBENCH_A_JOB_TOTAL,
	ICBENCH_A_JOB_ELAPSED,
	ICBENCH_A_JOB_TARGET,
	ICBENCH_A_JOB_LISTENER,
	ICBENCH_A_JOB_THREADS,
	ICBENCH_A_JOB_CLOCK,
	ICBENCH_A_JOB_METRICS,
	ICBENCH_A_JOB_GROUP,
	ICBENCH_A_JOB_BEGAN,
	ICBENCH_A_JOB_ENDED,

	__ICBENCH_A_JOB_MAX,
	ICBENCH_A_JOB_MAX = (__ICBENCH_A_JOB_MAX - 1)
};

enum {
	ICBENCH_A_BUCKET_PAD = 1,
	ICBENCH_A_BUCKET_LOW,
	ICBENCH_A_BUCKET_HIGH,
	ICBENCH_A_BUCKET_COUNT,

	__ICBENCH_A_BUCKET_MAX,
	ICBENCH_A_BUCKET_MAX = (__ICBENCH_A_BUCKET_MAX - 1)
};

enum {
	ICBENCH_A_TAIL_PAD = 1,
	ICBENCH_A_TAIL_PERCENTILE,
	ICBENCH_A_TAIL_SAMPLES,
	ICBENCH_A_TAIL_TICK,
	ICBENCH_A_TAIL_TIMER,
	ICBENCH_A_TAIL_INTERRUPT,
	ICBENCH_A_TAIL_IPI,
	ICBENCH_A_TAIL_SOFTIRQ,
	ICBENCH_A_TAIL_PREEMPTION,
	ICBENCH_A_TAIL_MIGRATION,
	ICBENCH_A_TAIL_STEAL,
	ICBENCH_A_TAIL_UNEXPLAINED,
	ICBENCH_A_TAIL_RUNQUEUE,
	ICBENCH_A_TAIL_NMI,
	ICBENCH_A_TAIL_PEER,
	ICBENCH_A_TAIL_PRESENT,
	ICBENCH_A_TAIL_BY_LENGTH,

	__ICBENCH_A_TAIL_MAX,
	ICBENCH_A_TAIL_MAX = (__ICBENCH_A_TAIL_MAX - 1)
};

enum {
	ICBENCH_A_METRIC_PAD = 1,
	ICBENCH_A_METRIC_JOB,
	ICBENCH_A_METRIC_NAME,
	ICBENCH_A_METRIC_UNIT,
	ICBENCH_A_METRIC_KIND,
	ICBENCH_A_METRIC_VALUE,
	ICBENCH_A_METRIC_COUNT,
	ICBENCH_A_METRIC_DIVISOR,
	ICBENCH_A_METRIC_LEAST,
	ICBENCH_A_METRIC_GREATEST,
	ICBENCH_A_METRIC_ORIGIN,
	ICBENCH_A_METRIC_SUM_LOW,
	ICBENCH_A_METRIC_SUM_HIGH,
	ICBENCH_A_METRIC_SQUARE_LOW,
	ICBENCH_A_METRIC_SQUARE_HIGH,
	ICBENCH_A_METRIC_BUCKETS,
	ICBENCH_A_METRIC_FROM,
	ICBENCH_A_METRIC_KEPT,
	ICBENCH_A_METRIC_SAMPLE,
	ICBENCH_A_METRIC_SAMPLE_FROM,
	ICBENCH_A_METRIC_TAIL,
	ICBENCH_A_METRIC_BATCH_SIZE,
	ICBENCH_A_METRIC_BATCH_P50,
	ICBENCH_A_METRIC_BATCH_P99,
	ICBENCH_A_METRIC_NARROW,
	ICBENCH_A_METRIC_MEAN_OVER,
	ICBENCH_A_METRIC_MEAN_UNDER,
	ICBENCH_A_METRIC_BATCH_PERCENTILE,
	ICBENCH_A_METRIC_BATCH_SOUGHT,

	__ICBENCH_A_METRIC_MAX,
	ICBENCH_A_METRIC_MAX = (__ICBENCH_A_METRIC_MAX - 1)
};

enum {
	ICBENCH_CMD_DEV_GET = 1,
	ICBENCH_CMD_BENCH_GET,
	ICBENCH_CMD_LISTEN_NEW,
	ICBENCH_CMD_LISTEN_DEL,
	ICBENCH_CMD_LISTEN_GET,
	ICBENCH_CMD_JOB_NEW,
	ICBENCH_CMD_JOB_START,
	ICBENCH_CMD_JOB_STOP,
	ICBENCH_CMD_JOB_DEL,
	ICBENCH_CMD_JOB_GET,
	ICBENCH_CMD_JOB_NTF,
	ICBENCH_CMD_RESULT_GET,
	ICBENCH_CMD_REFUSED_NTF,

	__ICBENCH_CMD_MAX,
	ICBENCH_CMD_MAX = (__ICBENCH_CMD_MAX - 1)
};

#define ICBENCH_MCGRP_JOBS	"jobs"

#endif /* _UAPI_LINUX_ICBENCH_H */
