/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two endpoints and the network between them, in memory. It behaves as a
 * reliable connection may, at its worst: what is sent is read as late as the
 * device may read it, a write becomes visible in pieces, the completions of
 * sends come when they like; and it breaks where it is told to. Whatever the
 * engine does that the contract of endpoint.h does not allow is written down.
 *
 * Where a verb is passive a work request goes to the other side, finds its
 * memory, and an answer comes back; its completion is what is waited for. Those
 * who stream wait for the completions of all their work requests.
 */
#ifndef NET_H
#define NET_H

#include "model/credits.h"
#include "task.h"
#include "io/endpoint.h"

#define NET_SIDES	2
#define NET_OPS		ICBENCH_MAX_BATCH
#define NET_LANES	8

/* Ticks from an arrival to its handler, and what this takes. */
#define NET_DELIVER	7
#define NET_HANDLER	3

/**
 * enum net_call - what the engine asks for; NET_ARRIVED and NET_COMPLETED, what
 *	it is told
 */
enum net_call {
	NET_CLOCK,
	NET_TX,
	NET_RX,
	NET_OPERAND,
	NET_AIM,
	NET_POST,
	NET_READY,
	NET_POST_READY,
	NET_POLL,
	NET_TAKE,
	NET_REFILL,
	NET_REAP,
	NET_CHECK,
	NET_ARM,
	NET_SLEEP,
	NET_PAUSE,
	NET_BREATHE,
	NET_WAIT_OVER,
	NET_OVER,
	NET_ALARM,
	NET_QUIET,
	NET_TELL,
	NET_REPLY,
	NET_PREPARE,
	NET_TIMED,
	NET_ARRIVED,
	NET_COMPLETED,
	NET_CALLS,
};

/**
 * struct net_event - one call, for those who look at their order
 * @time: what the clock read; for others the time
 * @result: what the call returned, or the buffer, or the timed call
 * @call: enum net_call
 * @side: whose endpoint; 0 for the clock
 * @task: who called
 */
struct net_event {
	u64 time;
	int result;
	u8 call;
	u8 side;
	u8 task;
};

/**
 * struct net_faults - what goes wrong at one side: the n-th time; 0 for never
 * @post: a work request is refused, -ENOMEM
 * @poll: looking at the CQ fails, -EIO
 * @refill: giving a receive back is refused, -ENOMEM
 * @arm: asking for an event is refused, -EIO
 * @recv: a receive completes with an error
 * @send: a message is not sent; completes with an error, and the connection is
 *	broken
 * @drop: a message is lost, and nobody is told
 * @loss: of 1000 messages, how many are lost in the same way
 * @strays: with 1000 messages, how many come that are of nobody in this run
 * @corrupt: a message arrives with a flipped bit
 * @byte: in this one of its bytes
 * @torn: the last byte of a write arrives before the rest
 * @cut: a message arrives one byte short
 * @empty: an answer arrives without anything in it; of a passive verb
 * @empties: and so many more in a row
 * @twice: a message arrives twice
 * @copies: or so many times more
 * @late: from this one on, sends do not complete
 * @lost: a message does not complete
 * @prepare: getting ready for timed calls fails, -EIO
 * @timed: a timed call fails, -ENODEV
 *
 * Of a passive verb the initiator's messages are the requests, of which an
 * atomic's operand can be corrupted, and the other side's are the answers; an
 * answer with an error is a receive with one.
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
	unsigned int strays;
	u64 corrupt;
	size_t byte;
	u64 torn;
	u64 cut;
	u64 empty;
	u64 empties;
	u64 twice;
	u64 copies;
	u64 late;
	u64 lost;
	u64 prepare;
	u64 timed;
};

/**
 * struct net_config - how a network behaves
 * @delay: least time on the way, ticks
 * @jitter: and up to so much more
 * @ack_delay: the same of the completion of a send, from the arrival on
 * @ack_jitter: see above
 * @spurious: of 1000 sleeps, how many end by an event without a message, as
 *	one may be whose message was taken before it came
 * @skew: what the clock of handlers is ahead by, ticks
 * @vague: nobody knows whether the CPU of who waits idles
 * @blind: of 1000 arrivals, how many nobody sees who watches for them
 * @drowsy: and how many are seen too late
 * @batch: receives that are given back together
 * @crowded: &icb_plan.one_cpu
 * @quiet: do not write the order of calls down
 * @lateness: ticks that an alarm is late at most
 * @breaks: a message that finds no receive is wrong, and does not wait, as in iWARP:
 *	streams need credit
 * @reckless: they go on without
 * @mute: nobody grants any
 * @lenient: after a fault that no reliable connection has, the engine may do
 *	what it otherwise must not
 * @faults: of each side
 * @hook_at: before this call of the engine, by number
 * @hook: this is called
 * @hook_arg: with this
 */
struct net_config {
	u64 delay;
	u64 jitter;
	u64 ack_delay;
	u64 ack_jitter;
	unsigned int spurious;
	s64 skew;
	bool vague;
	unsigned int blind;
	unsigned int drowsy;
	unsigned int batch;
	bool crowded;
	bool quiet;
	u64 lateness;
	bool breaks;
	bool reckless;
	bool mute;
	bool lenient;
	struct net_faults faults[NET_SIDES];
	u64 hook_at;
	void (*hook)(void *arg);
	void *hook_arg;
};

/**
 * struct net_flight - a message on its way
 * @number: of it, from 1
 * @due: when it goes on
 * @lane: its QP
 * @buffer: it is in
 * @len: bytes of it
 * @stage: pieces of it that have arrived; where an answer is due, the request
 *	is one
 * @signal: its completion was asked for
 * @note: it is an empty send, which tells of writes
 * @grant: it is one that grants credit
 * @told: the number that it tells
 * @compare_add: operand of an atomic
 * @swap: the other one
 * @old: what an atomic found
 */
struct net_flight {
	u64 number;
	u64 due;
	u32 lane;
	unsigned int buffer;
	u32 len;
	unsigned int stage;
	bool signal;
	bool note;
	bool grant;
	u32 told;
	u64 compare_add;
	u64 swap;
	u64 old;
};

/**
 * struct net_done - a completion
 * @due: when it can be seen; of a send
 * @err: negative error number
 * @len: bytes that arrived; of a receive
 * @frees: messages whose entries of the send queue it frees; of a work request of
 *	its own
 * @notes: and notes between them
 * @lane: of this QP
 * @told: the number that it tells
 * @own: it is told as a work request's own, and not as an arrival
 * @grant: it brings credit, and is neither
 * @foreign: it is of nobody in this run, as is plain to see
 */
struct net_done {
	u64 due;
	int err;
	u32 len;
	unsigned int frees;
	unsigned int notes;
	u32 lane;
	u32 told;
	bool own;
	bool grant;
	bool foreign;
};

/**
 * struct net_ring - a queue of fixed depth
 * @entry: what is in it
 * @size: bytes of one
 * @depth: most
 * @head: the oldest
 * @count: how many
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
 * @side: 0 for the initiator
 * @tx: buffers
 * @rx: buffers
 * @sent: what was in a buffer when it was posted
 * @on_way: messages on their way out of a buffer
 * @senders: how many buffers @tx has
 * @receivers: how many @rx has
 * @aimed: the buffer that a work request takes
 * @cut: and how many bytes of it, where messages have different sizes
 * @next: where the next message that takes a receive lands
 * @flights: struct net_flight, in the order in which they arrive
 * @acks: struct net_done, of sends, on their way
 * @scq: struct net_done, of sends
 * @rcq: struct net_done, of receives; of its own work requests where it waits
 *	for them: what the side waits for
 * @sq_depth: work requests that it takes
 * @sq_used: that have not completed
 * @signals: that were to complete and have not
 * @silent: posted since the last one that is to complete
 * @unacked: arrived since the last completion, by QP
 * @send_on: the QP that is posted to
 * @recv_on: the one that a receive is given back to
 * @took: of the completions that were taken last, the QP of each
 * @came_by: and whether it is that of an arrival
 * @says: and the number that it told
 * @lens: and its length
 * @odd: and whether it is of nobody in this run
 * @number: that the message of a work request tells
 * @dropped: messages of its own that were lost
 * @dropped_counts: those of them that told to count
 * @dropped_bytes: bytes of these
 * @strays: messages that came to it and are of nobody
 * @rq_depth: receives that it takes
 * @receives: that were ever posted
 * @arrived: messages that ever arrived; of a passive verb, answers
 * @reached: requests of a passive verb that found its memory
 * @notes: that ever arrived, of writes that are told of
 * @noted: that arrived of its own, since the last completion
 * @calling: a callback of the engine goes on
 * @tells: a note goes behind what is ready
 * @taken: messages that the engine was told of
 * @freed: work requests that the engine knows to be done
 * @requests: work requests that the engine posted, also in vain
 * @posts: those that were taken
 * @refills: icb_ep_refill() that succeeded
 * @calls: how often each call was made
 * @sq_full: posts that found no room
 * @missed: events that had come before they were asked for
 * @most_silent: longest row of posts that were not to complete
 * @compare_add: operand of an atomic, by work request
 * @swap: the other one
 * @signal: a work request is to complete
 * @linked: and the next one is posted with it
 * @ops: work requests that there are
 * @waits_own: it waits for the completions of its own work requests
 * @receiving: messages that take receives arrive here
 * @broken: of what is posted nothing is sent any more
 * @not_ready: messages that found no receive and had to wait
 * @timed: calls of the present operation that are done
 * @ready: it was prepared for
 * @operations: of timed calls, that are over
 * @armed: an event was asked for
 * @event: it has come
 * @told: of the last event
 * @spurious: events without a message, of sleeps while it measured
 * @sleeps: how often it really slept for an event, while it measured
 * @watched: what is watched for an arrival; NULL for nothing
 * @was: until it is this no more
 * @came: when that was; 0 where it was not seen
 * @unseen: arrivals that were not seen, or too late, while it measured
 * @alarm: when its alarm goes off; TASK_FOREVER for never
 * @alarms: how often it did
 * @telling: it does so now
 * @err: what its connection failed with; the first
 * @plan: plan of the side; only one_cpu, credited, credit_implicit and grants are set
 * @credits: how much of it there is
 * @credit: messages that the other side has receives for, by QP
 * @untold: taken since the other side was told of some
 * @granted: of what tells it, on the way
 * @hearing: receives for that, of the other side
 * @batch: receives that it gives back together
 * @recvs: receives that messages find, where they have to; by QP
 * @used: of those that are given back together, the ones that wait for others
 */
struct icb_ep {
	struct net *net;
	struct icb_run *run;
	unsigned int side;
	u8 **tx;
	u8 **rx;
	u8 **sent;
	unsigned int *on_way;
	unsigned int senders;
	unsigned int receivers;
	unsigned int aimed[NET_OPS];
	u32 cut[NET_OPS];
	struct icb_buffers next;
	struct net_ring flights;
	struct net_ring acks;
	struct net_ring scq;
	struct net_ring rcq;
	unsigned int sq_depth;
	unsigned int sq_used;
	unsigned int signals;
	unsigned int silent;
	unsigned int unacked[NET_LANES];
	u32 send_on;
	u32 recv_on;
	u32 took[ICB_EP_TAKE];
	bool came_by[ICB_EP_TAKE];
	u32 says[ICB_EP_TAKE];
	u32 lens[ICB_EP_TAKE];
	bool odd[ICB_EP_TAKE];
	u32 number[NET_OPS];
	u64 dropped;
	u64 dropped_counts;
	u64 dropped_bytes;
	u64 strays;
	unsigned int rq_depth;
	u64 receives;
	u64 arrived;
	u64 reached;
	u64 notes;
	unsigned int noted;
	bool calling;
	bool tells;
	u64 taken;
	u64 freed;
	u64 requests;
	u64 posts;
	u64 refills;
	u64 calls[NET_CALLS];
	u64 sq_full;
	u64 missed;
	unsigned int most_silent;
	u64 compare_add[NET_OPS];
	u64 swap[NET_OPS];
	bool signal[NET_OPS];
	bool linked[NET_OPS];
	unsigned int ops;
	bool waits_own;
	bool receiving;
	bool broken;
	u64 not_ready;
	unsigned int timed;
	bool ready;
	u64 operations;
	bool armed;
	bool event;
	struct icb_event told;
	u64 spurious;
	u64 sleeps;
	const u8 *watched;
	u8 was;
	u64 came;
	u64 unseen;
	u64 alarm;
	u64 alarms;
	bool telling;
	int err;
	struct icb_plan plan;
	struct icb_credits credits;
	u64 credit[NET_LANES];
	u32 untold[NET_LANES];
	u32 granted[NET_LANES];
	u32 hearing[NET_LANES];
	unsigned int batch;
	u32 recvs[NET_LANES];
	u32 used[NET_LANES];
};

/**
 * struct net - two endpoints
 * @config: how it behaves
 * @params: of the run
 * @verb: its verb
 * @tx: how messages lie in what they are sent from
 * @rx: and where they arrive
 * @callbacks: completions call the run
 * @told: writes that a note tells of; 0 where there are none
 * @lossy: what is lost is told to nobody
 * @stream: a window of work requests is on its way
 * @sized: messages have different sizes
 * @clock: and a clock says when they are posted
 * @ep: endpoints
 * @calls: of the engine, all of them
 * @closing: both sides are done
 * @log: the order of calls
 * @logged: how many
 * @room: for how many there is room
 * @wrong: what the engine did that it must not; the first; empty if nothing
 */
struct net {
	struct net_config config;
	const struct icb_params *params;
	const struct icb_verb *verb;
	struct icb_segments tx;
	struct icb_segments rx;
	bool callbacks;
	u32 told;
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
bool net_same(const struct net *net, unsigned int buffer);
bool net_calls(const struct icb_ep *ep);
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
