/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two endpoints and the network between them, in memory. The network behaves like a slow
 * reliable connection: the device reads a buffer as late as it may, a write becomes
 * visible in pieces, and the completions of sends are delayed. struct net_faults injects
 * faults. Calls of the engine that violate the contract of endpoint.h are recorded by
 * net_wrong().
 *
 * With a passive verb, a work request goes to the peer's memory, and an answer comes
 * back. A ping-pong waits for the completion of that work request. A stream waits for the
 * completions of all its work requests.
 */
#ifndef NET_H
#define NET_H

#include "model/credits.h"
#include "task.h"
#include "io/endpoint.h"

#define NET_SIDES	2
#define NET_OPS		ICBENCH_MAX_BATCH
#define NET_QPS	8

/* Ticks from an arrival to the entry of its handler, and ticks that the handler takes. */
#define NET_DELIVER	7
#define NET_HANDLER	3

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

/**
 * struct net_faults - faults of one side
 * @post: number of the work request whose post fails with -ENOMEM
 * @poll: number of the poll that fails with -EIO
 * @refill: number of the icb_ep_refill() that fails with -ENOMEM
 * @arm: number of the icb_ep_arm() that fails with -EIO
 * @recv: number of the receive that completes with an error
 * @send: number of the message whose send fails, which breaks the connection
 * @drop: number of the message that is lost without an error
 * @loss: share of messages that are lost without an error, per mille
 * @foreign: chance that a foreign datagram is delivered before a message, and again
 *	after it, per mille
 * @corrupt: number of the message in which a bit is flipped
 * @corrupt_byte: offset of the byte with the flipped bit, modulo the message's size
 * @torn: number of the write whose last byte becomes visible before the other bytes
 * @truncate: number of the message that arrives one byte short
 * @empty: number of the first answer of a passive verb that arrives without content
 * @more_empty: number of answers after @empty that arrive without content, too
 * @duplicate: number of the message that is delivered more than once
 * @copies: number of additional deliveries of @duplicate; 0 means 1
 * @no_cpl_from: number of the first message without a completion; all later messages have
 *	none either
 * @no_cpl: number of the single message without a completion
 * @prepare: number of the net_prepare() that fails with -EIO
 * @timed: number of the timed call that fails with -ENODEV
 *
 * Numbers start at 1; 0 disables the fault.
 *
 * With a passive verb, the initiator's messages are the requests: @corrupt damages the
 * operand of an atomic. The responder's messages are the answers: an answer with an error
 * counts as a receive with an error.
 */
struct net_faults {
	u64 post;
	u64 poll;
	u64 refill;
	u64 arm;
	u64 recv;
	u64 send;
	u64 drop;
	unsigned int loss;
	unsigned int foreign;
	u64 corrupt;
	size_t corrupt_byte;
	u64 torn;
	u64 truncate;
	u64 empty;
	u64 more_empty;
	u64 duplicate;
	u64 copies;
	u64 no_cpl_from;
	u64 no_cpl;
	u64 prepare;
	u64 timed;
};

/**
 * struct net_config - behaviour of a network
 * @delay: least time in flight, ticks
 * @jitter: largest random addition to @delay, ticks
 * @ack_delay: least time from the arrival of a message to the completion of its send, ticks
 * @ack_jitter: largest random addition to @ack_delay, ticks
 * @spurious: share of sleeps that an event without a message ends, per mille. Such an
 *	event occurs if the completion was taken before its event was raised.
 * @skew: amount by which the clock of event handlers is ahead, ticks
 * @idle_unknown: events do not report if the CPU of the waiter was idle
 * @unseen_arrivals: share of arrivals that icb_ep_watch() does not see, per mille
 * @late_arrivals: share of the other arrivals that icb_ep_watch() reports too late, per
 *	mille
 * @batch: receives of a ping-pong that are posted again together
 * @one_cpu: value of &icb_plan.one_cpu
 * @no_log: do not record the calls in &net.log
 * @alarm_jitter: largest delay of an alarm, ticks
 * @iwarp: as in iWARP, a message that finds no receive is an error, instead of waiting
 *	until there is one; streams need credit
 * @no_credit: streams do without credit, even with @iwarp
 * @no_grants: grants are counted, but not sent
 * @lenient: accept violations of the contract that are legal after a fault that no reliable
 *	connection has
 * @faults: faults of each side
 * @hook_at: number of the engine's call before which @hook is called
 * @hook: function of the test; may be NULL if @hook_at is 0
 * @hook_arg: argument of @hook
 */
struct net_config {
	u64 delay;
	u64 jitter;
	u64 ack_delay;
	u64 ack_jitter;
	unsigned int spurious;
	s64 skew;
	bool idle_unknown;
	unsigned int unseen_arrivals;
	unsigned int late_arrivals;
	unsigned int batch;
	bool one_cpu;
	bool no_log;
	u64 alarm_jitter;
	bool iwarp;
	bool no_credit;
	bool no_grants;
	bool lenient;
	struct net_faults faults[NET_SIDES];
	u64 hook_at;
	void (*hook)(void *arg);
	void *hook_arg;
};

/**
 * struct net_flight - a message in flight
 * @number: number of the message, from 1; U64_MAX for notifications and grants
 * @due: time of the next step, ticks
 * @qp: index of its QP
 * @buffer: index of its buffer
 * @len: payload, bytes
 * @stage: number of pieces that have arrived; the request of a passive verb counts as one
 * @signal: the work request was posted with a completion
 * @notify: an empty send that notifies the peer of writes
 * @grant: a message that grants credit
 * @imm: immediate data
 * @compare_add: operand of an atomic
 * @swap: second operand of a compare-and-swap
 * @old: value that an atomic has found
 */
struct net_flight {
	u64 number;
	u64 due;
	u32 qp;
	unsigned int buffer;
	u32 len;
	unsigned int stage;
	bool signal;
	bool notify;
	bool grant;
	u32 imm;
	u64 compare_add;
	u64 swap;
	u64 old;
};

/**
 * struct net_done - a completion
 * @due: time from which it is visible, ticks; of sends only
 * @err: 0, or a negative error number
 * @len: bytes that have arrived; of receives only
 * @frees: number of messages whose send queue entries it frees; 0 for a receive
 * @notifies: number of notifications whose send queue entries it frees
 * @qp: index of its QP
 * @imm: immediate data of the message
 * @own: completion of a work request of this side, in a stream; else it is reported as an
 *	arrival
 * @grant: a grant of credit, which is neither an arrival nor an own completion
 * @foreign: a datagram that the endpoint recognizes as not of this run
 */
struct net_done {
	u64 due;
	int err;
	u32 len;
	unsigned int frees;
	unsigned int notifies;
	u32 qp;
	u32 imm;
	bool own;
	bool grant;
	bool foreign;
};

/**
 * struct net_ring - a queue of fixed depth
 * @entry: memory of the entries
 * @size: size of an entry, bytes
 * @depth: most entries
 * @head: index of the oldest entry
 * @count: number of entries
 */
struct net_ring {
	char *entry;
	size_t size;
	unsigned int depth;
	unsigned int head;
	unsigned int count;
};

/**
 * struct icb_ep - one endpoint
 * @net: its network
 * @run: its run
 * @side: 0 for the initiator, 1 for the responder
 * @tx: buffers that messages are sent from
 * @rx: buffers that messages arrive in
 * @sent: copy of each buffer of @tx, taken when it was last posted
 * @in_flight: number of messages in flight, by buffer
 * @tx_count: number of buffers of @tx
 * @rx_count: number of buffers of @rx
 * @op_buffer: buffer of the operation in each slot
 * @op_len: length of the operation in each slot, bytes; where messages have different sizes
 * @recv_buffer: buffer of the next receive that a message will consume
 * @flights: struct net_flight, in the order of arrival
 * @acks: struct net_done of sends, not visible yet
 * @scq: struct net_done of sends, for icb_ep_reap(); unused if @waits_own
 * @rcq: struct net_done that the run waits for: of receives, and of own work requests if
 *	@waits_own
 * @sq_depth: number of send queue entries
 * @sq_used: number of send queue entries in use
 * @signals: number of signalled sends of a ping-pong whose completions were not taken yet
 * @unsignalled: number of posts since the last signalled one
 * @unacked: number of messages that have arrived since the last completion, by QP
 * @send_on: QP that operations are posted to
 * @recv_on: QP that the next receive is posted to
 * @cpl_qp: QP of each completion that was taken last
 * @cpl_is_recv: true for an arrival, for each of these completions
 * @cpl_imm: immediate data of each of these completions
 * @cpl_len: length of each of these completions, bytes
 * @cpl_foreign: true for a foreign datagram, for each of these completions
 * @op_imm: immediate data of the operation in each slot
 * @dropped: number of messages of this side that were lost
 * @dropped_measured: number of lost messages that were marked with ICB_TOLD_COUNTS
 * @dropped_bytes: bytes of the messages in @dropped_measured
 * @foreign: number of foreign datagrams that were delivered to this side
 * @rq_depth: number of receives that all receive queues have room for
 * @receives: number of receives ever posted
 * @arrived: number of messages that arrived here; of a passive verb, number of answers
 * @reached: number of requests of a passive verb that accessed this side's memory
 * @notifies_arrived: number of notifications that arrived here
 * @notifies_unfreed: number of notifications of this side that arrived since its last
 *	completion
 * @in_callback: a callback of the engine is running
 * @notify_pending: a notification is posted after the operations that are ready
 * @taken: number of arrivals that the engine has taken
 * @freed: number of own work requests that have completed, as reported to the engine
 * @post_attempts: number of posts, including those that failed
 * @posts: number of posts that succeeded
 * @refills: number of calls of icb_ep_refill() that succeeded
 * @calls: number of calls of each kind
 * @sq_full: number of posts that found the send queue full
 * @missed: number of times that icb_ep_arm() found a completion
 * @most_unsignalled: largest value of @unsignalled
 * @compare_add: operand of the atomic in each slot
 * @swap: second operand of the compare-and-swap in each slot
 * @signal: true if the operation in the slot is signalled, for each slot
 * @linked: true if the next slot is posted by the same call, for each slot
 * @ops: number of slots
 * @waits_own: the run waits for completions of this side's own work requests
 * @receiving: messages that consume receives arrive here
 * @broken: the connection is broken: posted messages are not sent any more
 * @not_ready: number of times that a message of this side found no receive; it was sent
 *	again later, or lost
 * @calls_done: number of timed calls done in the present operation
 * @prepared: the present operation of timed calls was prepared
 * @operations: number of operations of timed calls that are complete
 * @armed: an event was requested
 * @event_pending: an event was raised, and no sleep has consumed it yet
 * @last_event: the last event, for icb_ep_event()
 * @spurious: number of events without a message, while the run measured
 * @sleeps: number of sleeps that did not return at once, while the run measured
 * @watched_byte: byte that icb_ep_watch() watches; NULL for none
 * @watched_value: value of @watched_byte before the arrival
 * @arrival_time: time of the arrival, ticks; 0 if it was not seen
 * @unseen: number of arrivals not seen, or seen too late, while the run measured
 * @alarm: time of the alarm, ticks; TASK_FOREVER if it is not set
 * @alarms: number of alarms that went off
 * @in_alarm: the engine's function for an alarm is running
 * @err: first error of the connection, a negative error number
 * @plan: plan of this side; only one_cpu, credited, credit_implicit and grants are set
 * @credits: initial credit, and messages per grant
 * @credit: number of the last message that may be sent, by QP
 * @grants_pending: number of receives posted again since the last grant, by QP
 * @grants_in_flight: number of grants of this side in flight, by QP
 * @grant_recvs: number of receives posted for grants of the peer, by QP
 * @batch: number of receives that are posted again together
 * @recvs: number of posted receives, by QP; with &net_config.iwarp only
 * @refills_pending: number of receives that wait for their batch to fill, by QP
 */
struct icb_ep {
	struct net *net;
	struct icb_run *run;
	unsigned int side;
	u8 **tx;
	u8 **rx;
	u8 **sent;
	unsigned int *in_flight;
	unsigned int tx_count;
	unsigned int rx_count;
	unsigned int op_buffer[NET_OPS];
	u32 op_len[NET_OPS];
	struct icb_buffers recv_buffer;
	struct net_ring flights;
	struct net_ring acks;
	struct net_ring scq;
	struct net_ring rcq;
	unsigned int sq_depth;
	unsigned int sq_used;
	unsigned int signals;
	unsigned int unsignalled;
	unsigned int unacked[NET_QPS];
	u32 send_on;
	u32 recv_on;
	u32 cpl_qp[ICB_EP_TAKE];
	bool cpl_is_recv[ICB_EP_TAKE];
	u32 cpl_imm[ICB_EP_TAKE];
	u32 cpl_len[ICB_EP_TAKE];
	bool cpl_foreign[ICB_EP_TAKE];
	u32 op_imm[NET_OPS];
	u64 dropped;
	u64 dropped_measured;
	u64 dropped_bytes;
	u64 foreign;
	unsigned int rq_depth;
	u64 receives;
	u64 arrived;
	u64 reached;
	u64 notifies_arrived;
	unsigned int notifies_unfreed;
	bool in_callback;
	bool notify_pending;
	u64 taken;
	u64 freed;
	u64 post_attempts;
	u64 posts;
	u64 refills;
	u64 calls[NET_CALLS];
	u64 sq_full;
	u64 missed;
	unsigned int most_unsignalled;
	u64 compare_add[NET_OPS];
	u64 swap[NET_OPS];
	bool signal[NET_OPS];
	bool linked[NET_OPS];
	unsigned int ops;
	bool waits_own;
	bool receiving;
	bool broken;
	u64 not_ready;
	unsigned int calls_done;
	bool prepared;
	u64 operations;
	bool armed;
	bool event_pending;
	struct icb_event last_event;
	u64 spurious;
	u64 sleeps;
	const u8 *watched_byte;
	u8 watched_value;
	u64 arrival_time;
	u64 unseen;
	u64 alarm;
	u64 alarms;
	bool in_alarm;
	int err;
	struct icb_plan plan;
	struct icb_credits credits;
	u64 credit[NET_QPS];
	u32 grants_pending[NET_QPS];
	u32 grants_in_flight[NET_QPS];
	u32 grant_recvs[NET_QPS];
	unsigned int batch;
	u32 recvs[NET_QPS];
	u32 refills_pending[NET_QPS];
};

/**
 * struct net - two endpoints and the network between them
 * @config: behaviour of the network
 * @params: parameters of the run
 * @verb: verb of the run
 * @tx: layout of a message in the buffer that it is sent from
 * @rx: layout of a message in the buffer that it arrives in
 * @callbacks: completions are delivered by callbacks
 * @report_every: number of writes per notification; 0 if there are no notifications
 * @lossy: messages may be lost without an error
 * @stream: a window of work requests is in flight
 * @sized: messages have different sizes
 * @clock: an alarm posts each operation, as in an open loop
 * @ep: endpoints
 * @calls: number of the engine's calls of all kinds
 * @closing: both sides are done, and the tasks of the network have to end
 * @log: calls in their order
 * @logged: number of entries in @log
 * @room: number of entries that @log has room for
 * @wrong: first violation of the contract by the engine; empty if there was none
 */
struct net {
	struct net_config config;
	const struct icb_params *params;
	const struct icb_verb *verb;
	struct icb_segments tx;
	struct icb_segments rx;
	bool callbacks;
	u32 report_every;
	bool lossy;
	bool stream;
	bool sized;
	bool clock;
	struct icb_ep ep[NET_SIDES];
	u64 calls;
	bool closing;
	struct net_event *log;
	size_t logged;
	size_t room;
	char wrong[200];
};

void net_open(struct net *net, const struct net_config *config,
	      const struct icb_params *params, struct icb_run *run);
void net_start(struct net *net);
void net_close(struct net *net);
void net_free(struct net *net);
bool net_read_equal(const struct net *net, unsigned int buffer);
bool net_in_callback(const struct icb_ep *ep);
bool net_settled(const struct icb_ep *ep);
void net_end(struct icb_ep *ep, enum icb_stop why, int err);
u64 net_enter(struct icb_ep *ep, enum net_call call);
int net_leave(struct icb_ep *ep, enum net_call call, int result);
int net_prepare(struct icb_ep *ep);
int net_timed(struct icb_ep *ep, u32 call, u64 *before, u64 *after);
int net_take(struct icb_ep *ep, unsigned int limit, struct icb_taken *taken);
void __printf(2, 3) net_wrong(struct net *net, const char *fmt, ...);

static inline const struct net_faults *net_faults(const struct icb_ep *ep)
{
	return &ep->net->config.faults[ep->side];
}

#endif /* NET_H */
