// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "engine/run.h"
#include "host/clock.h"
#include "net.h"
#include "window.h"

/* Send queue entries in addition to those of messages. */
#define SPARE_SENDS	12

/* Least receives of a ping-pong. */
#define MIN_RECVS	4

/* Receives that a stream posts again together, as in icb_ep_recv_batch(). */
#define BATCH		16

/* Ticks until a message that found no receive is sent again (receiver not ready). */
#define RNR_TICKS	5000

/* Bits that a corruption flips in a byte. */
#define CORRUPT_BITS	0x10

/* The network whose log records clock readings. There is only one network at a time. */
static struct net *current;

/* Ticks from the effect of a call until it returns, in virtual time. */
#define RETURN_COST	30

/* Ticks from the start of a call until its effect, in virtual time. */
static const u64 cost[NET_CALLS] = {
	[NET_CLOCK] = 17,
	[NET_TX] = 50,
	[NET_RX] = 50,
	[NET_SET_OPERANDS] = 10,
	[NET_SET_BUFFER] = 10,
	[NET_POST] = 300,
	[NET_PREP] = 10,
	[NET_POST_LIST] = 300,
	[NET_POLL] = 40,
	[NET_POLL_ANY] = 40,
	[NET_REFILL] = 100,
	[NET_REAP] = 30,
	[NET_REAP_ALWAYS] = 30,
	[NET_ARM] = 200,
	[NET_SLEEP] = 500,
	[NET_YIELD_POLL] = 2000,
	[NET_YIELD_OP] = 10,
	[NET_WAIT_OVER] = 100,
	[NET_OVER] = 50,
	[NET_SET_ALARM] = 100,
	[NET_CANCEL_ALARM] = 100,
	[NET_REPORT_MEASURED] = 300,
	[NET_REPLY] = 300,
	[NET_PREPARE] = 500,
	[NET_TIMED] = 300,
	[NET_ARRIVED] = 200,
	[NET_COMPLETED] = 200,
};

/**
 * net_wrong() - record that the engine has violated the contract
 * @net: the network
 * @fmt: description of the violation, as in printf(); only the first violation is kept
 */
void net_wrong(struct net *net, const char *fmt, ...)
{
	va_list args;

	if (net->wrong[0])
		return;
	va_start(args, fmt);
	vsnprintf(net->wrong, sizeof(net->wrong), fmt, args);
	va_end(args);
}

static void ring_open(struct net_ring *ring, size_t size, unsigned int depth)
{
	ring->entry = calloc(depth, size);
	ring->size = size;
	ring->depth = depth;
	ring->head = 0;
	ring->count = 0;
}

static void *ring_head(const struct net_ring *ring)
{
	return ring->count ? ring->entry + ring->head * ring->size : NULL;
}

static bool ring_push(struct net_ring *ring, const void *entry)
{
	unsigned int tail = (ring->head + ring->count) % ring->depth;

	if (ring->count == ring->depth)
		return false;
	memcpy(ring->entry + tail * ring->size, entry, ring->size);
	ring->count++;
	return true;
}

static void ring_pop(struct net_ring *ring)
{
	ring->head = (ring->head + 1) % ring->depth;
	ring->count--;
}

static const void *ring_tail(const struct net_ring *ring)
{
	unsigned int tail = (ring->head + ring->count + ring->depth - 1) %
			    ring->depth;

	return ring->count ? ring->entry + tail * ring->size : NULL;
}

static void log_call(struct net *net, enum net_call call, unsigned int side,
		     u64 time, int result)
{
	struct net_event *event;

	if (net->config.no_log)
		return;
	if (net->logged == net->room) {
		net->room = net->room ? 2 * net->room : 1024;
		net->log = realloc(net->log, net->room * sizeof(*net->log));
	}
	event = &net->log[net->logged++];
	event->time = time;
	event->result = result;
	event->call = call;
	event->side = side;
	event->task = task_self();
}

/* Every call of the engine starts here. */
static void enter_call(struct net *net, enum net_call call)
{
	u64 number = __atomic_add_fetch(&net->calls, 1, __ATOMIC_RELAXED);

	if (number == net->config.hook_at)
		net->config.hook(net->config.hook_arg);
	task_step(cost[call]);
}

/*
 * A responder that only offers memory reads its buffers after the run, and polls its CQ
 * once it was stopped. All other calls are violations.
 */
static bool may_call(const struct icb_ep *ep, enum net_call call)
{
	if (!ep->side || !icb_params_passive(ep->net->params))
		return true;
	return call == NET_TX || call == NET_RX ||
	       (call == NET_POLL_ANY && READ_ONCE(ep->run->consumer.stop));
}

/**
 * net_enter() - start a call of the engine
 * @ep: the endpoint
 * @call: kind of the call
 *
 * Takes task_lock(), which net_leave() releases: between them, no other task runs except
 * in task_wait().
 *
 * Return: number of calls of this kind so far, including this one.
 */
u64 net_enter(struct icb_ep *ep, enum net_call call)
{
	enter_call(ep->net, call);
	task_lock();
	if (!may_call(ep, call))
		net_wrong(ep->net, "side %u only offers memory, but makes call %u", ep->side,
			  call);
	return ++ep->calls[call];
}

/**
 * net_leave() - end a call of the engine
 * @ep: the endpoint
 * @call: kind of the call
 * @result: result of the call, for the log
 *
 * Return: @result.
 */
int net_leave(struct icb_ep *ep, enum net_call call, int result)
{
	log_call(ep->net, call, ep->side, task_now(), result);
	task_unlock();
	/* other tasks may see the effect of the call before the caller continues */
	task_step(RETURN_COST);
	return result;
}

u64 icb_clock_read(void)
{
	u64 time;

	enter_call(current, NET_CLOCK);
	time = task_now();
	log_call(current, NET_CLOCK, 0, time, 0);
	return time;
}

u64 icb_clock_ns(u64 ticks)
{
	return task_ns(ticks);
}

u64 icb_clock_ticks(u64 ns)
{
	return task_ticks(ns);
}

/* The first CPU is always busy; the second one is busy half of the time. */
void icb_clock_busy(struct icb_busy *busy, const u32 run[2])
{
	u64 now = task_ns(task_now());

	busy->ns = now + now / 2;
	busy->cpus = 2;
	busy->run_ns = run[0] == run[1] ? now : busy->ns;
}

static struct icb_ep *peer(struct icb_ep *ep)
{
	return &ep->net->ep[!ep->side];
}

static u32 completion_mode(const struct icb_ep *ep)
{
	return ep->net->params->completion;
}

/* As side_ended() of the module: stop a side, and wake its tasks. */
static void end_locked(struct icb_ep *ep, enum icb_stop why, int err)
{
	if (err && !ep->err)
		ep->err = err;
	icb_run_stop(ep->run, why);
	task_wake(ep);
	task_wake(&ep->rcq);
}

/**
 * net_end() - stop a side from outside of its loop
 * @ep: endpoint of the side
 * @why: reason for the stop
 * @err: error of its connection, a negative error number; 0 for none
 */
void net_end(struct icb_ep *ep, enum icb_stop why, int err)
{
	task_lock();
	end_locked(ep, why, err);
	task_unlock();
}

/* As icb_ep_failed() of the module. */
static int failed(struct icb_ep *ep, int err)
{
	end_locked(ep, ICB_STOP_ERROR, err);
	return err;
}

/*
 * Functions that the engine calls
 */

static u8 *tx_buffer(struct icb_ep *ep, unsigned int buffer)
{
	net_enter(ep, NET_TX);
	if (buffer >= ep->tx_count) {
		net_wrong(ep->net, "side %u sends from buffer %u", ep->side, buffer);
		buffer = 0;
	}
	if (ep->in_flight[buffer] && !ep->net->verb->passive &&
	    !ep->net->config.lenient)
		net_wrong(ep->net, "side %u writes a message to a buffer that is in flight",
			  ep->side);
	net_leave(ep, NET_TX, buffer);
	return ep->tx[buffer];
}

static u8 *rx_buffer(struct icb_ep *ep, unsigned int buffer)
{
	net_enter(ep, NET_RX);
	if (buffer >= ep->rx_count) {
		net_wrong(ep->net, "side %u reads buffer %u", ep->side,
			  buffer);
		buffer = 0;
	}
	if (ep->net->verb->passive && ep->in_flight[buffer] &&
	    !ep->net->stream && !ep->net->config.lenient)
		net_wrong(ep->net, "side %u reads a buffer whose answer is in flight",
			  ep->side);
	net_leave(ep, NET_RX, buffer);
	return ep->rx[buffer];
}

u8 *icb_ep_buffer(struct icb_ep *ep, enum icb_pool_kind kind,
		  unsigned int buffer)
{
	return kind == ICB_POOL_TX ? tx_buffer(ep, buffer) :
				     rx_buffer(ep, buffer);
}

static void set_buffer(struct icb_ep *ep, unsigned int op, unsigned int buffer)
{
	const u32 own = ep->net->verb->passive ? ep->rx_count : ep->tx_count;

	net_enter(ep, NET_SET_BUFFER);
	if (op >= ep->ops || buffer >= own || ep->net->verb->atomic)
		net_wrong(ep->net, "side %u sets buffer %u in slot %u",
			  ep->side, buffer, op);
	else
		ep->op_buffer[op] = buffer;
	net_leave(ep, NET_SET_BUFFER, buffer);
}

static void set_len(struct icb_ep *ep, unsigned int op, unsigned int buffer,
		    u32 len)
{
	const u32 own = ep->net->verb->passive ? ep->rx_count : ep->tx_count;

	net_enter(ep, NET_SET_BUFFER);
	if (op >= ep->ops || buffer >= own || !ep->net->sized || !len ||
	    len > ep->net->tx.extent || len > ep->net->rx.extent) {
		net_wrong(ep->net, "side %u sets %u bytes of buffer %u in slot %u",
			  ep->side, len, buffer, op);
	} else {
		ep->op_buffer[op] = buffer;
		ep->op_len[op] = len;
	}
	net_leave(ep, NET_SET_BUFFER, buffer);
}

static void set_operands(struct icb_ep *ep, unsigned int op, u64 compare_add,
			 u64 swap)
{
	net_enter(ep, NET_SET_OPERANDS);
	if (!ep->net->verb->atomic || op >= ep->ops) {
		net_wrong(ep->net, "side %u sets operands in slot %u",
			  ep->side, op);
	} else {
		ep->compare_add[op] = compare_add;
		ep->swap[op] = swap;
	}
	net_leave(ep, NET_SET_OPERANDS, 0);
}

static void set_number(struct icb_ep *ep, unsigned int op, u32 imm)
{
	if (op >= ep->ops || !ep->net->lossy)
		net_wrong(ep->net, "side %u sets a number in slot %u", ep->side, op);
	else
		ep->op_imm[op] = imm;
}

/*
 * With policy channels, a side sends on one QP and receives on the other: the engine does
 * not select QPs.
 */
static bool may_select(const struct icb_ep *ep, u32 qp)
{
	return qp < ep->net->params->qps &&
	       !icb_params_channels(ep->net->params);
}

/*
 * Value of the fields of a completion that the engine must not read. No QP and no message
 * has this value.
 */
#define UNDEFINED	0x5a5a5a5a

struct icb_cpl icb_ep_cpl(const struct icb_ep *ep, unsigned int i)
{
	bool numbered = ep->receiving && ep->net->lossy;

	return (struct icb_cpl) {
		.recv = ep->cpl_is_recv[i],
		.foreign = numbered ? ep->cpl_foreign[i] : true,
		.qp = may_select(ep, ep->cpl_qp[i]) ? ep->cpl_qp[i] : UNDEFINED,
		.number = numbered ? ep->cpl_imm[i] : UNDEFINED,
		.len = ep->cpl_len[i],
	};
}

static void send_on(struct icb_ep *ep, u32 qp)
{
	if (!may_select(ep, qp))
		net_wrong(ep->net, "side %u sends on QP %u", ep->side, qp);
	else
		ep->send_on = qp;
}

void icb_ep_recv_on(struct icb_ep *ep, u32 qp)
{
	if (!may_select(ep, qp))
		net_wrong(ep->net, "side %u receives on QP %u", ep->side, qp);
	else
		ep->recv_on = qp;
}

const struct icb_plan *icb_ep_plan(const struct icb_ep *ep)
{
	return &ep->plan;
}

/* Return the address of byte i of a message. */
static u8 *byte(u8 *buf, const struct icb_segments *seg, u32 i)
{
	u32 part = min_t(u32, i / max_t(u32, seg->size, 1), seg->count - 1);

	return buf + part * seg->stride + (i - part * seg->size);
}

/* Copy some bytes of a message between two buffers that may have different segments. */
static void move_bytes(u8 *to, const struct icb_segments *to_seg, u8 *from,
		       const struct icb_segments *from_seg, u32 first,
		       u32 count)
{
	u32 i;

	if (to_seg->count == 1 && from_seg->count == 1) {
		memcpy(to + first, from + first, count);
		return;
	}
	for (i = first; i < first + count; i++)
		*byte(to, to_seg, i) = *byte(from, from_seg, i);
}

/**
 * net_read_equal() - compare the target of a read with its source
 * @net: the network
 * @buffer: index of the buffer, on both sides
 *
 * Return: true if the content is equal.
 */
bool net_read_equal(const struct net *net, unsigned int buffer)
{
	u32 i;

	for (i = 0; i < net->params->size; i++)
		if (*byte(net->ep[0].rx[buffer], &net->rx, i) !=
		    *byte(net->ep[1].tx[buffer], &net->tx, i))
			return false;
	return true;
}

/**
 * net_settled() - test if no message of a side is in flight
 * @ep: endpoint of the side
 *
 * Return: true if none is.
 */
bool net_settled(const struct icb_ep *ep)
{
	bool settled;

	task_lock();
	settled = !ep->flights.count;
	task_unlock();
	return settled;
}

/**
 * net_in_callback() - test if a callback of a side is running
 * @ep: endpoint of the side
 *
 * Return: true if a callback is running.
 */
bool net_in_callback(const struct icb_ep *ep)
{
	bool calling;

	task_lock();
	calling = ep->in_callback;
	task_unlock();
	return calling;
}

static void count_unsignalled(struct icb_ep *ep, bool signal)
{
	ep->unsignalled = signal ? 0 : ep->unsignalled + 1;
	if (ep->unsignalled > ep->most_unsignalled)
		ep->most_unsignalled = ep->unsignalled;
}

static void start_flight(struct icb_ep *ep, unsigned int op, bool signal)
{
	unsigned int buffer = ep->op_buffer[op];
	const struct net_config *config = &ep->net->config;
	const struct net_flight *before = ring_tail(&ep->flights);
	struct net_flight flight = {
		.number = ep->posts,
		.due = task_now() + config->delay +
		       task_random(config->jitter + 1),
		.qp = ep->send_on,
		.buffer = buffer,
		.len = ep->net->sized ? ep->op_len[op] : ep->net->params->size,
		.signal = signal,
		.imm = ep->op_imm[op],
		.compare_add = ep->compare_add[op],
		.swap = ep->swap[op],
	};

	if (before && before->due > flight.due)
		flight.due = before->due;
	if (ep->in_flight[buffer] && !ep->net->stream && !config->lenient)
		net_wrong(ep->net, "side %u posts a buffer that is in flight",
			  ep->side);
	ep->in_flight[buffer]++;
	/* with a passive verb, the answer arrives in the buffer */
	if (!ep->net->verb->passive)
		memcpy(ep->sent[buffer], ep->tx[buffer],
		       ep->net->tx.extent);
	ring_push(&ep->flights, &flight);
	task_wake(ep->net);
}

/* A notification has no buffer. Its number matches no fault. */
static void send_notify(struct icb_ep *ep)
{
	const struct net_flight note = {
		.number = U64_MAX,
		.due = ((const struct net_flight *)ring_tail(&ep->flights))->due,
		.qp = ep->send_on,
		.notify = true,
	};

	ring_push(&ep->flights, &note);
}

static int post_notify(struct icb_ep *ep)
{
	if (!ep->notify_pending)
		return 0;
	ep->notify_pending = false;
	if (ep->sq_used == ep->sq_depth) {
		ep->sq_full++;
		return -ENOMEM;
	}
	ep->sq_used++;
	send_notify(ep);
	return 0;
}

/* Post one work request. */
static int post_one(struct icb_ep *ep, unsigned int op, bool signal)
{
	if (++ep->post_attempts == net_faults(ep)->post)
		return -ENOMEM;
	if (ep->sq_used == ep->sq_depth) {
		ep->sq_full++;
		return -ENOMEM;
	}
	ep->sq_used++;
	ep->posts++;
	start_flight(ep, op, signal);
	return 0;
}

/* Append the operation in a slot to the list that is posted next. */
static void link_op(struct icb_ep *ep, unsigned int op, bool signal)
{
	ep->signal[op] = signal;
	ep->linked[op] = false;
	if (op)
		ep->linked[op - 1] = true;
}

static void set_ready(struct icb_ep *ep, unsigned int op, bool signal)
{
	net_enter(ep, NET_PREP);
	if (op >= ep->ops)
		net_wrong(ep->net, "side %u prepares slot %u", ep->side, op);
	else
		link_op(ep, op, signal);
	net_leave(ep, NET_PREP, 0);
}

/* Prepare an operation that is posted alone, and whose completion icb_ep_reap() takes. */
static void set_single(struct icb_ep *ep, const struct icb_operation *op)
{
	if (op->batched)
		net_wrong(ep->net, "side %u posts a reaped operation in a batch",
			  ep->side);
	link_op(ep, 0, op->signal);
	ep->signals += op->signal;
}

static void set_notify(struct icb_ep *ep, unsigned int op)
{
	net_enter(ep, NET_PREP);
	if (!ep->net->report_every || op >= ep->ops || ep->linked[op])
		net_wrong(ep->net, "side %u sets a notification in slot %u", ep->side, op);
	ep->notify_pending = true;
	net_leave(ep, NET_PREP, 0);
}

void icb_ep_prep(struct icb_ep *ep, unsigned int slot,
		 const struct icb_operation *op)
{
	if (op->set & ICB_OPERATION_QP)
		send_on(ep, op->qp);
	if (op->set & ICB_OPERATION_LEN)
		set_len(ep, slot, op->buffer, op->len);
	else if (op->set & ICB_OPERATION_BUFFER)
		set_buffer(ep, slot, op->buffer);
	if (op->set & ICB_OPERATION_NUMBER)
		set_number(ep, slot, op->number);
	if (op->set & ICB_OPERATION_OPERANDS)
		set_operands(ep, slot, op->compare_add, op->swap);
	if (op->set & ICB_OPERATION_SIGNAL && op->reaped)
		set_single(ep, op);
	else if (op->set & ICB_OPERATION_SIGNAL)
		set_ready(ep, slot, op->signal);
	if (op->set & ICB_OPERATION_NOTIFY)
		set_notify(ep, slot);
}

int icb_ep_commit(struct icb_ep *ep, unsigned int slots)
{
	bool echo = ep->net->params->trigger == ICBENCH_TRIGGER_ECHO;
	enum net_call call = echo ? NET_POST : NET_POST_LIST;
	unsigned int op = 0, count = 1;
	int err;

	net_enter(ep, call);
	while (ep->linked[count - 1])
		count++;
	if (count != slots)
		net_wrong(ep->net, "side %u posts %u slots, but has prepared %u", ep->side,
			  slots, count);
	if (ep->net->stream)
		window_post(ep, count);
	do {
		count_unsignalled(ep, ep->signal[op]);
		err = post_one(ep, op, ep->signal[op]);
	} while (!err && ++op < count);
	if (!err)
		err = post_notify(ep);
	return net_leave(ep, call, err);
}

/* Return the QP that may send more after credit has arrived on QP @qp. */
static u32 credit_qp(const struct icb_ep *ep, u32 qp)
{
	return icb_params_channels(ep->net->params) ? ep->send_on : qp;
}

bool icb_ep_may_post(const struct icb_ep *ep, u32 qp, u64 number)
{
	bool may;

	if (!ep->plan.credited)
		return true;
	task_lock();
	may = number <= ep->credit[credit_qp(ep, qp)];
	task_unlock();
	return may;
}

/* Take the completion of a grant: the peer has posted more receives. */
static void take_grant(struct icb_ep *ep, unsigned int i)
{
	const struct net_done *done = ring_head(&ep->rcq);

	ep->cpl_qp[i] = done->qp;
	ep->credit[credit_qp(ep, done->qp)] += ep->credits.each;
	ep->grant_recvs[done->qp]++;
	ring_pop(&ep->rcq);
}

static void grant(struct icb_ep *ep)
{
	const struct net_config *config = &ep->net->config;
	const struct net_flight *before = ring_tail(&ep->flights);
	struct net_flight flight = {
		.number = U64_MAX,
		.due = task_now() + config->delay +
		       task_random(config->jitter + 1),
		.qp = ep->recv_on,
		.grant = true,
	};

	if (++ep->grants_pending[ep->recv_on] < ep->credits.each)
		return;
	ep->grants_pending[ep->recv_on] = 0;
	if (config->no_grants)
		return;
	if (before && before->due > flight.due)
		flight.due = before->due;
	if (++ep->grants_in_flight[ep->recv_on] > ICB_CREDITS_GRANTS)
		net_wrong(ep->net, "side %u has more than %u grants in flight",
			  ep->side, ICB_CREDITS_GRANTS);
	ring_push(&ep->flights, &flight);
	task_wake(ep->net);
}

/* A receive was posted again: count it as implicit credit, or grant it to the peer. */
static void give_credit(struct icb_ep *ep)
{
	if (ep->plan.credit_implicit)
		ep->credit[credit_qp(ep, ep->recv_on)]++;
	if (ep->plan.grants)
		grant(ep);
}

/* Take the oldest completion of @rcq for the engine; i is its index in the cpl_* arrays. */
static int take_one(struct icb_ep *ep, unsigned int i)
{
	const struct net_done *done = ring_head(&ep->rcq);
	int err = done->err;
	bool own = done->own;
	u32 due;

	ep->cpl_qp[i] = done->qp;
	ep->cpl_is_recv[i] = !own;
	ep->cpl_imm[i] = done->imm;
	ep->cpl_len[i] = done->len;
	ep->cpl_foreign[i] = done->foreign;
	if (!err && !ep->net->lossy &&
	    (!ep->net->stream || icb_params_channels(ep->net->params)) &&
	    done->qp != (ep->net->stream && own ? ep->send_on : ep->recv_on))
		net_wrong(ep->net, "side %u takes a message of QP %u, but selected QP %u",
			  ep->side, done->qp, ep->recv_on);
	/* answers to windows and notifications have no payload */
	due = (ep->net->params->reply && !ep->side) || ep->net->report_every ? 0 :
		ep->net->params->size;
	if (!err && done->len != due && ep->receiving && !own &&
	    !ep->net->sized && !done->foreign)
		err = -EPROTO;
	ep->sq_used -= done->frees + done->notifies;
	ep->freed += done->frees;
	ring_pop(&ep->rcq);
	if (err)
		return failed(ep, err);
	ep->taken += !own;
	return 0;
}

static int poll_next(struct icb_ep *ep)
{
	u64 number = net_enter(ep, NET_POLL);
	int result = 0;

	if (ep->net->callbacks || ep->net->stream ||
	    !(ep->receiving || ep->waits_own))
		net_wrong(ep->net, "side %u polls a CQ", ep->side);
	if (number == net_faults(ep)->poll)
		result = -EIO;
	else if (ep->rcq.count)
		result = take_one(ep, 0) ? : 1;
	return net_leave(ep, NET_POLL, result);
}

/**
 * net_take() - take completions, as icb_ep_poll() does
 * @ep: the endpoint
 * @limit: most completions to take
 * @taken: numbers of completions, to which the completions taken are added
 *
 * Called between net_enter() and net_leave().
 *
 * Return: number of completions taken; a negative error number.
 */
int net_take(struct icb_ep *ep, unsigned int limit, struct icb_taken *taken)
{
	const struct net_done *done;
	int n = 0, err;

	while (n < (int)limit && (done = ring_head(&ep->rcq))) {
		bool mine = done->own;

		if (done->grant) {
			take_grant(ep, n++);
			continue;
		}
		err = take_one(ep, n);
		if (err)
			return err;
		taken->own += mine;
		taken->arrived += !mine;
		n++;
	}
	return n;
}

static int poll_any(struct icb_ep *ep, unsigned int limit,
		    struct icb_taken *taken)
{
	u64 number = net_enter(ep, NET_POLL_ANY);

	if (!limit || limit > ICB_EP_TAKE)
		net_wrong(ep->net, "side %u takes up to %u", ep->side, limit);
	if (ep->net->callbacks || !ep->net->stream)
		net_wrong(ep->net, "side %u polls a CQ", ep->side);
	window_take(ep);
	if (number == net_faults(ep)->poll)
		return net_leave(ep, NET_POLL_ANY, -EIO);
	return net_leave(ep, NET_POLL_ANY, net_take(ep, limit, taken));
}

int icb_ep_poll(struct icb_ep *ep, unsigned int limit,
		struct icb_taken *taken)
{
	return taken ? poll_any(ep, limit, taken) : poll_next(ep);
}

/* Return the number of receives that messages have consumed. */
static u64 recvs_consumed(const struct icb_ep *ep)
{
	return ep->net->report_every ? ep->notifies_arrived : ep->arrived;
}

/* Return the number of receives that are posted again together. */
static unsigned int refill_batch(const struct icb_ep *ep)
{
	return ep->net->report_every ? 1 : ep->batch;
}

int icb_ep_refill(struct icb_ep *ep)
{
	u64 number = net_enter(ep, NET_REFILL);

	if (!ep->receiving)
		net_wrong(ep->net, "side %u refills receives, but no message consumes any",
			  ep->side);
	if (number == net_faults(ep)->refill)
		return net_leave(ep, NET_REFILL, -ENOMEM);
	if (++ep->refills > ep->taken)
		net_wrong(ep->net, "side %u refills more receives than it has taken",
			  ep->side);
	if (!(ep->refills % refill_batch(ep)))
		ep->receives += refill_batch(ep);
	if (ep->receives - recvs_consumed(ep) > ep->rq_depth)
		net_wrong(ep->net, "side %u posts more receives than its queues hold",
			  ep->side);
	if (++ep->refills_pending[ep->recv_on] == refill_batch(ep)) {
		ep->recvs[ep->recv_on] += ep->refills_pending[ep->recv_on];
		ep->refills_pending[ep->recv_on] = 0;
	}
	give_credit(ep);
	return net_leave(ep, NET_REFILL, 0);
}

static int take_sends(struct icb_ep *ep)
{
	const struct net_done *done;

	if (ep->waits_own)
		net_wrong(ep->net, "side %u reaps a CQ that gets no completions",
			  ep->side);
	while ((done = ring_head(&ep->scq))) {
		int err = done->err;

		ep->sq_used -= done->frees + done->notifies;
		ep->freed += done->frees;
		ring_pop(&ep->scq);
		if (err)
			return failed(ep, err);
		ep->signals--;
	}
	return 0;
}

int icb_ep_reap(struct icb_ep *ep, bool always)
{
	enum net_call call = always ? NET_REAP_ALWAYS : NET_REAP;

	net_enter(ep, call);
	return net_leave(ep, call, always || ep->signals ? take_sends(ep) : 0);
}

int icb_ep_arm(struct icb_ep *ep)
{
	u64 number = net_enter(ep, NET_ARM);

	if (completion_mode(ep) != ICBENCH_COMPLETION_BLOCK &&
	    completion_mode(ep) != ICBENCH_COMPLETION_ADAPTIVE)
		net_wrong(ep->net, "side %u requests an event", ep->side);
	if (number == net_faults(ep)->arm)
		return net_leave(ep, NET_ARM, -EIO);
	if (ep->rcq.count) {
		ep->missed++;
		ep->last_event.missed++;
		ep->event_pending = true;
	} else {
		ep->armed = true;
	}
	return net_leave(ep, NET_ARM, 0);
}

/* Record an event for the waiting thread or callback. Its handler has just run. */
static void record_event(struct icb_ep *ep)
{
	ep->last_event.issued = task_now() + ep->net->config.skew;
	ep->last_event.entry = ep->last_event.issued - NET_HANDLER;
	ep->last_event.handled = ep->last_event.number++ % ICB_HANDLED;
	ep->last_event.same = ep->last_event.number % 2;
	ep->last_event.idle = ep->last_event.number % 3 == 0;
	ep->last_event.wakes = ep->last_event.number % 5 == 0;
	ep->last_event.known = !ep->net->config.idle_unknown;
}

void icb_ep_event(struct icb_ep *ep, struct icb_event *event)
{
	if (!ep->net->params->stages || ep->side)
		net_wrong(ep->net, "side %u asks for stages", ep->side);
	*event = ep->last_event;
}

void icb_ep_watch(struct icb_ep *ep, const u8 *byte, u8 was)
{
	task_lock();
	if (ep->side || ep->in_flight[0])
		net_wrong(ep->net, "side %u watches while a message is in flight", ep->side);
	if (*byte != was)
		net_wrong(ep->net, "side %u watches a byte that has changed already", ep->side);
	ep->watched_byte = byte;
	ep->watched_value = was;
	ep->arrival_time = 0;
	task_unlock();
}

u64 icb_ep_arrival(struct icb_ep *ep)
{
	u64 time;

	task_lock();
	time = ep->arrival_time;
	if (!time && ep->watched_byte && !ep->net->config.unseen_arrivals)
		net_wrong(ep->net, "side %u reads an arrival before the message arrived", ep->side);
	task_unlock();
	return time;
}

/*
 * Record the arrival once the watched byte has changed. By chance, the arrival is not seen,
 * or seen too late.
 */
static void check_watch(struct icb_ep *ep)
{
	const struct net_config *config = &ep->net->config;
	bool counts = !ep->run->left;

	if (!ep->watched_byte || *ep->watched_byte == ep->watched_value)
		return;
	ep->watched_byte = NULL;
	ep->arrival_time = task_now() + config->skew - NET_HANDLER - NET_DELIVER;
	if (task_random(1000) < config->unseen_arrivals) {
		ep->arrival_time = 0;
		ep->unseen += counts;
	} else if (task_random(1000) < config->late_arrivals) {
		ep->arrival_time += 1000000;
		ep->unseen += counts;
	}
}

static bool sleep_for_event(struct icb_ep *ep, const int *stop)
{
	bool slept = false;
	u64 until = TASK_FOREVER;

	net_enter(ep, NET_SLEEP);
	if (completion_mode(ep) != ICBENCH_COMPLETION_BLOCK &&
	    completion_mode(ep) != ICBENCH_COMPLETION_ADAPTIVE)
		net_wrong(ep->net, "side %u sleeps", ep->side);
	if (task_random(1000) < ep->net->config.spurious) {
		/* an event that is pending already belongs to a message */
		if (!ep->event_pending) {
			record_event(ep);
			ep->spurious += !ep->run->left && !ep->rcq.count;
		}
		ep->event_pending = true;
		ep->armed = false;
	}
	/* the answer may be lost: wait no longer than icb_run.patience */
	if (ep->net->lossy && !ep->net->stream && !ep->side)
		until = task_now() + ep->run->patience;
	while (!ep->event_pending && !READ_ONCE(*stop) && task_now() < until) {
		task_wait(ep, until);
		slept = true;
	}
	ep->event_pending = false;
	ep->last_event.running = task_now();
	ep->last_event.slept = slept;
	/* the run counts the sleeps of the measured part, too */
	if (slept && !ep->run->left)
		ep->sleeps++;
	net_leave(ep, NET_SLEEP, 0);
	return slept;
}

/* Interval of the timer, and delay of its expiration, ticks. */
#define TIMER_TICKS	300
#define TIMER_LATE		7

static u64 wait_timer(struct icb_ep *ep, const int *stop)
{
	u64 due;

	net_enter(ep, NET_SLEEP);
	if (completion_mode(ep) != ICBENCH_COMPLETION_TIMER)
		net_wrong(ep->net, "side %u waits for a timer", ep->side);
	due = task_now() + TIMER_TICKS;
	while (task_now() < due && !READ_ONCE(*stop))
		task_wait(ep, due);
	record_event(ep);
	ep->last_event.running = task_now();
	ep->last_event.slept = true;
	net_leave(ep, NET_SLEEP, 0);
	return TIMER_LATE;
}

static void yield_poll(struct icb_ep *ep, u64 waited)
{
	net_enter(ep, NET_YIELD_POLL);
	if (ep->net->callbacks && !ep->net->clock)
		net_wrong(ep->net, "side %u yields in a callback", ep->side);
	if (waited > ep->run->timeout)
		net_wrong(ep->net, "side %u continues after its timeout",
			  ep->side);
	net_leave(ep, NET_YIELD_POLL, 0);
	task_yield();
}

static void yield_op(struct icb_ep *ep)
{
	net_enter(ep, NET_YIELD_OP);
	if (ep->net->callbacks)
		net_wrong(ep->net, "side %u yields in a callback", ep->side);
	net_leave(ep, NET_YIELD_OP, 0);
}

void icb_ep_yield(struct icb_ep *ep, enum icb_yield when, u64 waited)
{
	if (when == ICB_YIELD_OP)
		yield_op(ep);
	else
		yield_poll(ep, waited);
}

static bool is_over(const struct icb_run *run)
{
	return READ_ONCE(run->consumer.phase) == ICB_PHASE_OVER || READ_ONCE(run->consumer.stop);
}

static bool wait_over(struct icb_ep *ep, struct icb_consumer *consumer)
{
	const struct icb_run *run = icb_run_of(consumer);
	u64 until = TASK_FOREVER;
	bool over;

	net_enter(ep, NET_WAIT_OVER);
	if (!ep->net->callbacks)
		net_wrong(ep->net, "side %u waits for callbacks", ep->side);
	/* as in sleep_for_event() */
	if (ep->net->lossy && !ep->net->stream && !ep->side)
		until = task_now() + ep->run->patience;
	while (!is_over(run) && task_now() < until)
		task_wait(ep, until);
	over = is_over(run);
	net_leave(ep, NET_WAIT_OVER, 0);
	return over;
}

u64 icb_ep_wait(struct icb_ep *ep, struct icb_consumer *consumer,
		enum icb_wait wait)
{
	if (wait == ICB_WAIT_EVENT)
		return sleep_for_event(ep, &consumer->stop);
	if (wait == ICB_WAIT_TIMER)
		return wait_timer(ep, &consumer->stop);
	return wait_over(ep, consumer);
}

void icb_ep_over(struct icb_ep *ep, struct icb_consumer *consumer)
{
	net_enter(ep, NET_OVER);
	WRITE_ONCE(consumer->phase, ICB_PHASE_OVER);
	ep->event_pending = true;
	task_wake(ep);
	net_leave(ep, NET_OVER, 0);
}

static void cancel_alarm(struct icb_ep *ep)
{
	net_enter(ep, NET_CANCEL_ALARM);
	ep->alarm = TASK_FOREVER;
	while (ep->in_alarm)
		task_wait(&ep->in_alarm, TASK_FOREVER);
	net_leave(ep, NET_CANCEL_ALARM, 0);
}

void icb_ep_alarm(struct icb_ep *ep, struct icb_consumer *consumer, u64 ticks)
{
	if (!consumer) {
		cancel_alarm(ep);
		return;
	}
	net_enter(ep, NET_SET_ALARM);
	if (icb_run_of(consumer) != ep->run || !ep->net->clock)
		net_wrong(ep->net, "side %u sets an alarm", ep->side);
	ep->alarm = task_now() + ticks +
		    task_random(ep->net->config.alarm_jitter + 1);
	task_wake(&ep->alarm);
	net_leave(ep, NET_SET_ALARM, 0);
}

static void raise_event(struct icb_ep *ep)
{
	if (ep->net->callbacks) {
		record_event(ep);
		ep->last_event.slept = true;
	}
	if (ep->armed) {
		ep->armed = false;
		ep->event_pending = true;
		record_event(ep);
		task_wake(ep);
	}
	task_wake(&ep->rcq);
}

static void deliver(struct icb_ep *ep, const struct net_done *done)
{
	if (!ring_push(&ep->rcq, done))
		net_wrong(ep->net, "side %u lets its receive CQ overflow",
			  ep->side);
	raise_event(ep);
}

int icb_ep_reject(struct icb_ep *ep, enum icb_wrong wrong, u32 len, u32 due)
{
	if (wrong == ICB_WRONG_LENGTH && len == due)
		net_wrong(ep->net, "side %u rejects the length %u, but %u is expected",
			  ep->side, len, due);
	return failed(ep, -EPROTO);
}

/* Answer a window. The answer arrives at once, since its whole window has arrived. */
int icb_ep_reply(struct icb_ep *ep)
{
	struct icb_ep *to = &ep->net->ep[!ep->side];
	const struct net_done done = { .qp = ep->send_on };

	net_enter(ep, NET_REPLY);
	if (ep->receives - ep->arrived < ep->net->params->window)
		net_wrong(ep->net, "side %u has no receives for the next window",
			  ep->side);
	to->arrived++;
	deliver(to, &done);
	return net_leave(ep, NET_REPLY, 0);
}

static bool report_measured(struct icb_ep *ep)
{
	net_enter(ep, NET_REPORT_MEASURED);
	WRITE_ONCE(ep->net->ep[!ep->side].run->peer_measured, true);
	/* by chance, the caller has to try again */
	return !net_leave(ep, NET_REPORT_MEASURED, task_random(2) ? -EALREADY : 0);
}

static const struct icb_side_ops side_ops = {
	.prepare = net_prepare,
	.call = net_timed,
	.report_measured = report_measured,
};

/*
 * Functions of the network
 */

/* A message has arrived completely. A write without immediate data completes no receive. */
static void arrive(struct icb_ep *ep, const struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(peer(ep));
	struct net_done done = {
		.len = flight->len,
		.qp = flight->qp,
		.imm = flight->imm,
	};

	if (ep->net->verb->recv && ep->arrived == ep->receives) {
		net_wrong(ep->net, "side %u has no receive for a message",
			  ep->side);
		return;
	}
	ep->arrived++;
	if (!ep->net->verb->recv)
		return;
	if (ep->net->config.iwarp && !ep->recvs[flight->qp]--) {
		net_wrong(ep->net, "side %u has no receive for a message of QP %u",
			  ep->side, flight->qp);
		return;
	}
	if (flight->number == sender->truncate)
		done.len--;
	if (ep->arrived == net_faults(ep)->recv)
		done.err = -ECONNRESET;
	deliver(ep, &done);
}

/* Return the offset of the byte to corrupt in a message; the message's size for none. */
static u32 corrupt_at(const struct icb_ep *from, const struct net_flight *flight)
{
	u32 size = flight->len;

	if (flight->number != net_faults(from)->corrupt || !size)
		return size;
	return net_faults(from)->corrupt_byte % size;
}

/*
 * Deliver a foreign datagram by chance: without a connection, any host can send one. It
 * consumes a receive and its buffer. The endpoint recognizes some foreign datagrams; the
 * engine has to recognize the others by their number.
 */
static void deliver_foreign(struct icb_ep *to, const struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(peer(to));
	bool recognized = task_random(2);
	struct net_done done = {
		.len = to->net->params->size + recognized,
		.qp = flight->qp,
		.foreign = recognized,
		/* else a number that no message of the run has, or that is far ahead */
		.imm = recognized ? flight->imm + task_random(3) :
			to->side || to->net->stream ?
			(task_random(2) ? to->run->most + 1 : 0) :
			to->run->seq + 1000 + task_random(1000),
	};

	if (task_random(1000) >= sender->foreign ||
	    to->arrived == to->receives)
		return;
	if (to->net->params->size)
		to->rx[to->recv_buffer.index][0] ^= CORRUPT_BITS;
	icb_buffers_next(&to->recv_buffer);
	to->foreign++;
	to->arrived++;
	deliver(to, &done);
}

/* A send arrives in the buffer of its receive: receives follow the sequence of buffers. */
static void land_send(struct icb_ep *to, const struct net_flight *flight)
{
	u8 *rx = to->rx[to->recv_buffer.index];
	u32 size = flight->len;
	struct icb_ep *from = peer(to);

	move_bytes(rx, &to->net->rx, from->tx[flight->buffer], &to->net->tx, 0,
		   size);
	if (corrupt_at(from, flight) < size)
		*byte(rx, &to->net->rx, corrupt_at(from, flight)) ^= CORRUPT_BITS;
	icb_buffers_next(&to->recv_buffer);
	arrive(to, flight);
}

/* The receiver polls the last byte of a write. */
static void land_last_byte(struct icb_ep *to, const struct net_flight *flight)
{
	struct icb_ep *from = peer(to);
	u32 last = flight->len - 1;
	u8 value = *byte(from->tx[flight->buffer], &to->net->tx, last);

	if (corrupt_at(from, flight) == last)
		value ^= CORRUPT_BITS;
	__atomic_store_n(&to->rx[flight->buffer][last], value,
			 __ATOMIC_RELEASE);
}

/*
 * Deliver the next piece of a write. The last byte is the last piece; with the torn fault,
 * it is the first. Returns true if the write is complete.
 */
static bool land_write(struct icb_ep *to, struct net_flight *flight)
{
	struct icb_ep *from = peer(to);
	u32 last = flight->len - 1, half = last / 2;
	bool torn = flight->number == net_faults(from)->torn;
	const struct icb_segments *tx_seg = &to->net->tx;
	const struct icb_segments *rx_seg = &to->net->rx;
	u8 *rx = to->rx[flight->buffer];
	u8 *tx = from->tx[flight->buffer];

	/* there is no payload: only immediate data arrives */
	if (!flight->len) {
		arrive(to, flight);
		return true;
	}
	switch (flight->stage++) {
	case 0:
		if (torn)
			land_last_byte(to, flight);
		else
			move_bytes(rx, rx_seg, tx, tx_seg, half, last - half);
		return false;
	case 1:
		move_bytes(rx, rx_seg, tx, tx_seg, 0, half);
		if (corrupt_at(from, flight) < last)
			rx[corrupt_at(from, flight)] ^= CORRUPT_BITS;
		return false;
	default:
		if (torn)
			move_bytes(rx, rx_seg, tx, tx_seg, half, last - half);
		else
			land_last_byte(to, flight);
		arrive(to, flight);
		return true;
	}
}

/* A notification consumes a receive; is_not_ready() has checked that there is one. */
static void land_notify(struct icb_ep *to)
{
	const struct net_done done = {
		.err = ++to->notifies_arrived == net_faults(to)->recv ? -ECONNRESET : 0,
		.qp = peer(to)->send_on,
	};

	deliver(to, &done);
}

/* Deliver a message, or its next piece. Returns true if the message has arrived. */
static bool land(struct icb_ep *to, struct net_flight *flight)
{
	struct icb_ep *from = peer(to);
	const struct net *net = to->net;
	u64 copies = net_faults(from)->copies ? : 1;

	if (flight->notify) {
		land_notify(to);
		from->notifies_unfreed++;
		return true;
	}
	if (memcmp(from->sent[flight->buffer], from->tx[flight->buffer],
		   net->tx.extent) && !net->config.lenient)
		net_wrong(to->net, "side %u changes a message that is in flight",
			  from->side);
	if (net->verb->remote && !land_write(to, flight))
		return false;
	if (net_faults(from)->foreign) {
		deliver_foreign(to, flight);
		/* the foreign datagram may have consumed the last receive */
		if (to->arrived == to->receives)
			return false;
	}
	if (!net->verb->remote)
		land_send(to, flight);
	if (net_faults(from)->foreign)
		deliver_foreign(to, flight);
	if (flight->number != net_faults(from)->duplicate)
		return true;
	while (copies--) {
		if (net->verb->remote)
			arrive(to, flight);
		else
			land_send(to, flight);
	}
	return true;
}

/* Return true if the completion of a message is lost, by a fault. */
static bool has_no_cpl(const struct icb_ep *from,
		       const struct net_flight *flight)
{
	const struct net_faults *faults = net_faults(from);

	return (faults->no_cpl_from && flight->number >= faults->no_cpl_from) ||
	       flight->number == faults->no_cpl;
}

/*
 * Completions of different QPs have no order: by chance, swap the last two, if their QPs
 * differ.
 */
static void swap_last_acks(struct net_ring *ring)
{
	unsigned int last = (ring->head + ring->count + ring->depth - 1) %
			    ring->depth;
	unsigned int before = (last + ring->depth - 1) % ring->depth;
	struct net_done *a, *b, swapped;
	u64 due;

	if (ring->count < 2 || !task_random(3))
		return;
	a = (struct net_done *)(ring->entry + before * ring->size);
	b = (struct net_done *)(ring->entry + last * ring->size);
	if (a->qp == b->qp)
		return;
	due = a->due;
	swapped = *a;
	*a = *b;
	*b = swapped;
	b->due = a->due;
	a->due = due;
}

static void push_ack(struct icb_ep *from, const struct net_flight *flight,
		     int err)
{
	const struct net_config *config = &from->net->config;
	const struct net_done *before = ring_tail(&from->acks);
	struct net_done ack = {
		.due = task_now() + config->ack_delay +
		       task_random(config->ack_jitter + 1),
		.err = err,
		.frees = ++from->unacked[flight->qp],
		.notifies = from->notifies_unfreed,
		.qp = flight->qp,
		.own = true,
	};

	if (has_no_cpl(from, flight) || (!flight->signal && !err))
		return;
	from->unacked[flight->qp] = 0;
	from->notifies_unfreed = 0;
	if (before && before->due > ack.due)
		ack.due = before->due;
	ring_push(&from->acks, &ack);
	swap_last_acks(&from->acks);
}

/* A failed send breaks the connection, which flushes the receives of this side. */
static void break_connection(struct icb_ep *from, const struct net_flight *flight)
{
	struct net_done flushed = { .err = -ECONNRESET };

	from->broken = true;
	push_ack(from, flight, -ECONNRESET);
	if (from->receiving)
		deliver(from, &flushed);
}

static void drop(struct icb_ep *from, const struct net_flight *flight)
{
	from->dropped++;
	if (from->net->lossy && flight->imm & ICB_TOLD_COUNTS) {
		from->dropped_measured++;
		from->dropped_bytes += flight->len;
	}
}

/* Lose a message, by a fault. On a lossy transport, its send completes without an error. */
static bool is_lost(struct icb_ep *from, const struct net_flight *flight)
{
	const struct net_faults *faults = net_faults(from);

	if (flight->number != faults->drop &&
	    (flight->stage || task_random(1000) >= faults->loss))
		return false;
	drop(from, flight);
	if (from->net->lossy)
		push_ack(from, flight, 0);
	return true;
}

/* Move a message of a verb that is not passive. Returns true if the message is finished. */
static bool move_message(struct icb_ep *from, struct net_flight *flight)
{
	if (is_lost(from, flight))
		return true;
	if (from->broken) {
		push_ack(from, flight, -ECONNRESET);
		return true;
	}
	if (flight->number == net_faults(from)->send) {
		break_connection(from, flight);
		return true;
	}
	if (!land(peer(from), flight))
		return false;
	if (!flight->notify)
		push_ack(from, flight, 0);
	return true;
}

/* Complete the own work request of a passive verb. */
static void complete_own(struct icb_ep *ep, const struct net_flight *flight,
			 int err)
{
	struct net_done done = {
		.err = err,
		.len = flight->len,
		.frees = ++ep->unacked[flight->qp],
		.qp = flight->qp,
		.own = ep->net->stream,
	};

	if (has_no_cpl(ep, flight) || (!flight->signal && !err))
		return;
	ep->unacked[flight->qp] = 0;
	deliver(ep, &done);
}

/* Execute an atomic on the word of this side. Returns the previous value of the word. */
static u64 do_atomic(struct icb_ep *ep, const struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(peer(ep));
	u64 operand = flight->compare_add, old, new;

	if (flight->number == sender->corrupt)
		((u8 *)&operand)[sender->corrupt_byte % sizeof(operand)] ^= CORRUPT_BITS;
	memcpy(&old, ep->tx[0], sizeof(old));
	if (ep->net->params->verb == ICBENCH_VERB_FETCH_ADD)
		new = old + operand;
	else
		new = old == operand ? flight->swap : old;
	memcpy(ep->tx[0], &new, sizeof(new));
	return old;
}

/* A request accesses the memory of a side. The side is not notified. */
static void land_request(struct icb_ep *ep, struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(peer(ep));
	u64 copies = sender->copies ? : 1;

	ep->reached++;
	if (!ep->net->verb->atomic)
		return;
	flight->old = do_atomic(ep, flight);
	if (flight->number == sender->duplicate)
		while (copies--)
			do_atomic(ep, flight);
}

/* Return the number of bytes that an answer carries. */
static u32 answer_len(const struct icb_ep *from, const struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(from);

	if (sender->empty && flight->number >= sender->empty &&
	    flight->number <= sender->empty + sender->more_empty)
		return 0;
	return flight->len - (flight->number == sender->truncate);
}

/* Deliver the next piece of an answer. Returns true if it was the last piece. */
static bool land_answer(struct icb_ep *ep, struct net_flight *flight)
{
	struct icb_ep *from = peer(ep);
	u32 len = answer_len(from, flight), half = len / 2;
	u8 *answer = ep->net->verb->atomic ? (u8 *)&flight->old :
					     from->tx[flight->buffer];
	const struct icb_segments *tx_seg = &ep->net->tx;
	const struct icb_segments *rx_seg = &ep->net->rx;
	u8 *rx = ep->rx[flight->buffer];

	if (flight->stage++ == 1) {
		move_bytes(rx, rx_seg, answer, tx_seg, half, len - half);
		return false;
	}
	move_bytes(rx, rx_seg, answer, tx_seg, 0, half);
	if (corrupt_at(from, flight) < len)
		*byte(rx, rx_seg, corrupt_at(from, flight)) ^= CORRUPT_BITS;
	ep->arrived++;
	complete_own(ep, flight,
		     ep->arrived == net_faults(ep)->recv ? -ECONNRESET : 0);
	return true;
}

/*
 * Move a request of a passive verb to the peer's memory, and its answer back. Returns true
 * if the request is finished.
 */
static bool move_request(struct icb_ep *ep, struct net_flight *flight)
{
	if (flight->stage)
		return flight->number == net_faults(peer(ep))->drop ||
		       land_answer(ep, flight);
	if (flight->number == net_faults(ep)->drop)
		return true;
	if (ep->broken || flight->number == net_faults(ep)->send) {
		ep->broken = true;
		complete_own(ep, flight, -ECONNRESET);
		return true;
	}
	land_request(peer(ep), flight);
	flight->stage++;
	return false;
}

/*
 * Return true if a message finds no receive. A stream may be faster than its receiver, and
 * then has to wait. A sender that has given up lost messages may also send more messages
 * than there are receives.
 */
static bool is_not_ready(const struct icb_ep *to,
			 const struct net_flight *flight)
{
	if (to->net->config.iwarp || (to->net->report_every && !flight->notify))
		return false;
	return (to->net->stream || to->net->lossy) && to->receiving &&
	       !flight->stage && recvs_consumed(to) == to->receives;
}

/* A grant consumes a receive that was posted for grants. */
static void land_grant(struct icb_ep *to, const struct net_flight *flight)
{
	const struct net_done done = {
		.qp = flight->qp,
		.grant = true,
	};

	peer(to)->grants_in_flight[flight->qp]--;
	if (!to->grant_recvs[flight->qp]--)
		net_wrong(to->net, "side %u has no receive for credit", to->side);
	else
		deliver(to, &done);
}

static void move_flight(struct icb_ep *from)
{
	struct net_flight *flight = ring_head(&from->flights);
	const struct net_config *config = &from->net->config;
	bool passive = from->net->verb->passive;

	if (flight->grant) {
		land_grant(peer(from), flight);
		ring_pop(&from->flights);
		return;
	}
	if (is_not_ready(peer(from), flight) && from->net->lossy) {
		drop(from, flight);
		from->not_ready++;
		push_ack(from, flight, 0);
		from->in_flight[flight->buffer]--;
		ring_pop(&from->flights);
		return;
	}
	if (is_not_ready(peer(from), flight)) {
		flight->due = task_now() + RNR_TICKS;
		from->not_ready++;
		return;
	}
	if (passive ? move_request(from, flight) : move_message(from, flight)) {
		from->in_flight[flight->buffer] -= !flight->notify;
		ring_pop(&from->flights);
		return;
	}
	flight->due = task_now() + task_random(config->jitter + 1);
	/* the answer has the delay of a message, too */
	if (passive && flight->stage == 1)
		flight->due += config->delay;
}

/* Make the oldest completion of a send visible. */
static void complete_send(struct icb_ep *ep)
{
	if (ep->waits_own)
		deliver(ep, ring_head(&ep->acks));
	else if (!ring_push(&ep->scq, ring_head(&ep->acks)))
		net_wrong(ep->net, "side %u lets its send CQ overflow",
			  ep->side);
	ring_pop(&ep->acks);
}

/*
 * Find the next step of the network: the oldest completion of a send of *ep if *ack, else
 * the oldest message of *ep. Returns the time of the step.
 */
static u64 next_due(struct net *net, struct icb_ep **ep, bool *ack)
{
	u64 due = TASK_FOREVER;
	unsigned int i;

	for (i = 0; i < NET_SIDES; i++) {
		const struct net_flight *flight = ring_head(&net->ep[i].flights);
		const struct net_done *done = ring_head(&net->ep[i].acks);

		if (flight && flight->due < due) {
			due = flight->due;
			*ep = &net->ep[i];
			*ack = false;
		}
		if (done && done->due < due) {
			due = done->due;
			*ep = &net->ep[i];
			*ack = true;
		}
	}
	return due;
}

static void network_task(void *arg)
{
	struct net *net = arg;
	struct icb_ep *ep = NULL;
	bool ack = false;
	u64 due;

	task_lock();
	while (!net->closing) {
		due = next_due(net, &ep, &ack);
		if (due > task_now())
			task_wait(net, due);
		else if (ack)
			complete_send(ep);
		else
			move_flight(ep);
		check_watch(&net->ep[0]);
	}
	task_unlock();
}

/* As is_driven() of the module. */
static bool is_driven(const struct icb_ep *ep, const struct net_done *done)
{
	if (READ_ONCE(ep->run->consumer.phase) == ICB_PHASE_OVER &&
	    (done->own || !READ_ONCE(ep->run->consumer.listens)))
		return false;
	return !done->err || !READ_ONCE(ep->run->consumer.stop);
}

/* As icb_ep_recv_done() and icb_ep_send_done() of the module: call the engine. */
static void call_back(struct icb_ep *ep)
{
	const struct net_done *done = ring_head(&ep->rcq);
	enum net_call call = done->own ? NET_COMPLETED : NET_ARRIVED;
	struct icb_consumer *consumer = &ep->run->consumer;
	bool granted = done->grant;
	int err = 0;

	if (!is_driven(ep, done)) {
		ep->sq_used -= done->frees + done->notifies;
		ring_pop(&ep->rcq);
		return;
	}
	if (granted)
		take_grant(ep, 0);
	else
		err = take_one(ep, 0);
	ep->calls[call]++;
	ep->in_callback = true;
	log_call(ep->net, call, ep->side, task_now(), err);
	task_unlock();
	task_step(cost[call]);
	if (granted)
		consumer->ops->heard(consumer, 0);
	else if (call == NET_COMPLETED)
		consumer->ops->completed(consumer, err);
	else
		consumer->ops->arrived(consumer, err);
	task_lock();
	ep->in_callback = false;
	window_take(ep);
}

static void callback_task(void *arg)
{
	struct icb_ep *ep = arg;

	task_lock();
	while (!ep->net->closing) {
		if (ep->rcq.count)
			call_back(ep);
		else
			task_wait(&ep->rcq, TASK_FOREVER);
	}
	task_unlock();
}

/* Set the credit, as plan_credit() of the module does. */
static void open_credit(struct icb_ep *ep, const struct icb_params *params,
			unsigned int depth)
{
	const struct net_config *config = &ep->net->config;
	unsigned int i;

	for (i = 0; i < NET_QPS; i++)
		ep->recvs[i] = depth;
	if (!config->iwarp || config->no_credit)
		return;
	ep->plan.credited = icb_params_begins(params, !ep->side);
	ep->plan.credit_implicit = ep->plan.credited && icb_params_begins(params, ep->side);
	ep->plan.grants = !ep->plan.credited;
	ep->credits = icb_credits_plan(depth, params->window, ep->plan.credit_implicit,
				       &ep->batch);
	for (i = 0; i < NET_QPS; i++) {
		ep->credit[i] = ep->credits.ahead;
		ep->grant_recvs[i] = ICB_CREDITS_HEARD;
	}
}

static void open_queues(struct icb_ep *ep, const struct icb_params *params)
{
	unsigned int batch = ep->net->config.batch, waited = 2;
	unsigned int grants = ICB_CREDITS_GRANTS * params->qps;

	ep->batch = batch;
	if (ep->net->stream) {
		ep->rq_depth = params->verify ? icb_buffers_recvs(params) :
			2 * (params->window + batch - 1) / batch * batch;
		ep->sq_depth = params->window * (1 + params->reply) +
			       SPARE_SENDS;
		if (ep->net->report_every)
			ep->sq_depth += params->window / ep->net->report_every + 2;
	} else {
		ep->rq_depth = max_t(unsigned int, 2 * batch, MIN_RECVS);
		ep->sq_depth = 2 * params->signal_every + SPARE_SENDS;
	}
	open_credit(ep, params, ep->rq_depth);
	/* the queues of all QPs together */
	ep->rq_depth *= params->qps;
	ep->sq_depth *= params->qps;
	ep->receives = ep->receiving ? ep->rq_depth : 0;
	if (ep->waits_own)
		waited += ep->sq_depth;
	if (ep->receiving)
		waited += ep->rq_depth;
	waited += grants;
	ring_open(&ep->flights, sizeof(struct net_flight),
		  ep->sq_depth + grants);
	ring_open(&ep->acks, sizeof(struct net_done), ep->sq_depth);
	ring_open(&ep->scq, sizeof(struct net_done), ep->sq_depth + 2);
	ring_open(&ep->rcq, sizeof(struct net_done), waited);
}

/* Each buffer has its exact size, so that the sanitizer reports accesses beyond its end. */
static u8 **buffers(unsigned int count, u32 size)
{
	u8 **buffer = calloc(count, sizeof(*buffer));
	unsigned int i;

	for (i = 0; i < count; i++)
		buffer[i] = calloc(1, size);
	return buffer;
}

static void free_buffers(u8 **buffer, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		free(buffer[i]);
	free(buffer);
}

static void open_ep(struct net *net, unsigned int side, struct icb_run *run)
{
	const struct icb_params *params = net->params;
	struct icb_ep *ep = &net->ep[side];
	unsigned int i;

	ep->net = net;
	ep->run = run;
	ep->side = side;
	if (icb_params_channels(params)) {
		ep->send_on = side;
		ep->recv_on = !side;
	}
	ep->plan.one_cpu = net->config.one_cpu;
	ep->waits_own = icb_params_waits_own(params, !side);
	ep->receiving = (net->verb->recv || net->report_every) &&
			(icb_params_begins(params, side) || params->reply);
	ep->ops = icb_params_has(params, ICBENCH_A_PARAMS_BATCH) ?
		params->batch : 1;
	ep->alarm = TASK_FOREVER;
	ep->tx_count = icb_buffers_sent(params, !side);
	ep->rx_count = icb_buffers_filled(params, !side);
	icb_buffers_start(&ep->recv_buffer, params);

	ep->tx = buffers(ep->tx_count, net->tx.extent);
	ep->rx = buffers(ep->rx_count, net->rx.extent);
	ep->sent = buffers(ep->tx_count, net->tx.extent);
	i = max_t(unsigned int, ep->tx_count, ep->rx_count);
	ep->in_flight = calloc(i, sizeof(*ep->in_flight));
	open_queues(ep, params);
}

/**
 * net_open() - create a network
 * @net: the network
 * @config: behaviour of the network
 * @params: parameters of the run
 * @run: runs of the two sides; their ep and side members are set
 */
void net_open(struct net *net, const struct net_config *config,
	      const struct icb_params *params, struct icb_run *run)
{
	unsigned int i;

	memset(net, 0, sizeof(*net));
	net->config = *config;
	net->lossy = icb_params_lossy(params);
	net->report_every = icb_params_report_every(params);
	net->stream = icb_params_windowed(params);
	net->sized = params->size_dist != ICBENCH_SIZE_DIST_FIXED;
	net->clock = params->trigger == ICBENCH_TRIGGER_CLOCK;
	if (net->stream)
		net->config.batch = params->qps > 1 && config->iwarp ?
			min_t(u32, params->window, BATCH) : BATCH;
	else if (!net->config.batch)
		net->config.batch = 1;
	net->params = params;
	net->verb = icb_verb_of(params);
	icb_segments_of(params, &net->tx, &net->rx);
	net->callbacks = BIT(params->completion) & ICB_COMPLETIONS_CALLBACK;
	for (i = 0; i < NET_SIDES; i++) {
		open_ep(net, i, &run[i]);
		run[i].ep = &net->ep[i];
		run[i].side = &side_ops;
	}
	current = net;
}

/* The alarm of an open loop, and the context in which it calls the engine. */
static void alarm_task(void *arg)
{
	struct icb_ep *ep = arg;

	task_lock();
	while (!ep->net->closing) {
		if (ep->alarm > task_now()) {
			task_wait(&ep->alarm, ep->alarm);
			continue;
		}
		ep->alarm = TASK_FOREVER;
		ep->alarms++;
		ep->in_alarm = true;
		task_unlock();
		ep->run->consumer.ops->due(&ep->run->consumer);
		task_lock();
		ep->in_alarm = false;
		task_wake(&ep->in_alarm);
	}
	task_unlock();
}

/**
 * net_start() - start the tasks of a network
 * @net: the network
 */
void net_start(struct net *net)
{
	task_start("network", network_task, net, true);
	if (net->clock)
		task_start("alarm", alarm_task, &net->ep[0], false);
	if (!net->callbacks)
		return;
	task_start("callbacks of side 0", callback_task, &net->ep[0],
		   false);
	task_start("callbacks of side 1", callback_task, &net->ep[1],
		   false);
}

/**
 * net_close() - end the tasks of a network
 * @net: the network
 */
void net_close(struct net *net)
{
	unsigned int i;

	task_lock();
	net->closing = true;
	task_wake(net);
	for (i = 0; i < NET_SIDES; i++)
		task_wake(&net->ep[i].rcq);
	task_wake(&net->ep[0].alarm);
	task_unlock();
}

/**
 * net_free() - undo net_open()
 * @net: the network
 */
void net_free(struct net *net)
{
	unsigned int i;

	for (i = 0; i < NET_SIDES; i++) {
		struct icb_ep *ep = &net->ep[i];

		free_buffers(ep->tx, ep->tx_count);
		free_buffers(ep->rx, ep->rx_count);
		free_buffers(ep->sent, ep->tx_count);
		free(ep->in_flight);
		free(ep->flights.entry);
		free(ep->acks.entry);
		free(ep->scq.entry);
		free(ep->rcq.entry);
	}
	free(net->log);
	current = NULL;
}
