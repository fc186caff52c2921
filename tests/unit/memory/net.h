/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two endpoints and the network between them, in memory. The network behaves like a slow
 * reliable connection: the device reads a buffer as late as it may, a write becomes
 * visible in pieces, and the completions of sends are delayed. struct net_faults injects
 * faults. Calls of the engine that violate the contract of endpoint.h, and work requests
 * that no device would accept, are recorded by net_wrong().
 *
 * The endpoints are those of kmod/io, as the module has them. Below them, the network is a
 * provider of verbs (verbs/verbs.h).
 *
 * With a passive verb, a work request goes to the peer's memory, and an answer comes
 * back. A ping-pong waits for the completion of that work request. A stream waits for the
 * completions of all its work requests.
 */
#ifndef NET_H
#define NET_H

#include "call.h"
#include "engine/bench.h"
#include "io/endpoint.h"
#include "model/credits.h"
#include "task.h"

#define NET_SIDES	2
#define NET_QPS	8

/* Ticks from an arrival to the entry of its handler, and ticks that the handler takes. */
#define NET_DELIVER	7
#define NET_HANDLER	3

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
 * @one_cpu: value of &icb_plan.one_cpu
 * @no_log: do not record the calls in &net.log
 * @alarm_jitter: largest delay of an alarm, ticks
 * @max_cqe: most entries of a CQ; 0 for the default
 * @piece: bytes of memory that are contiguous for a device; 0 for any number
 * @iwarp: as in iWARP, a message that finds no receive is an error, instead of waiting
 *	until there is one; streams need credit
 * @no_credit: the endpoints take @iwarp for RoCE: streams do without credit
 * @no_grants: grants are counted, but not sent
 * @lenient: accept violations of the contract that are legal after a fault that no reliable
 *	connection has
 * @reorder: share of datagrams that overtake the one before, per mille
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
	bool one_cpu;
	bool no_log;
	u64 alarm_jitter;
	u32 max_cqe;
	u32 piece;
	bool iwarp;
	bool no_credit;
	bool no_grants;
	bool lenient;
	unsigned int reorder;
	struct net_faults faults[NET_SIDES];
	u64 hook_at;
	void (*hook)(void *arg);
	void *hook_arg;
};

/**
 * struct icb_conn - one data connection, as an endpoint sees it
 * @net: network of the connection
 * @abort: abort of the side
 * @device: device of the connection
 */
struct icb_conn {
	struct net *net;
	struct icb_abort *abort;
	struct vb_device *device;
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
 * @device: devices of each side
 * @pd: protection domain of the first device of each side
 * @conn: connections of each side
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
	struct vb_device device[NET_SIDES][ICBENCH_MAX_DEVICES];
	struct vb_pd pd[NET_SIDES];
	struct icb_conn conn[NET_SIDES][NET_QPS];
	u64 calls;
	bool closing;
	struct net_event *log;
	size_t logged;
	size_t room;
	char wrong[200];
};

extern unsigned int net_alloc_fails;

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
void net_clock(struct net *net);
void __printf(2, 3) net_wrong(struct net *net, const char *fmt, ...);

static inline const struct net_faults *net_faults(const struct icb_ep *ep)
{
	return &ep->own.net->config.faults[ep->own.side];
}

/* Return a buffer of a side, for the checks of a test. */
static inline u8 *net_tx(const struct icb_ep *ep, unsigned int buffer)
{
	return icb_pool_addr(&ep->tx, buffer);
}

static inline u8 *net_rx(const struct icb_ep *ep, unsigned int buffer)
{
	return icb_pool_addr(&ep->rx, buffer);
}

static inline struct icb_ep *net_peer(const struct icb_ep *ep)
{
	return &ep->own.net->ep[!ep->own.side];
}

#endif /* NET_H */
