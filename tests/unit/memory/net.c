// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "engine/run.h"
#include "host/clock.h"
#include "net.h"
#include "window.h"

/* What the SQ holds beside messages, as in the module. */
#define SPARE_SENDS	12
#define MIN_RECVS	4

/* Receives that a stream gives back together, as in the module. */
#define BATCH		16

/* Ticks until a message that found no receive is sent again. */
#define NOT_READY	5000

/* What corruption does to a byte. */
#define DAMAGE		0x10

/* The endpoints that the clock belongs to: one network at a time. */
static struct net *current;

/* Ticks that a call takes, in virtual time, and that the way back does. */
#define RETURN_COST	30
static const u64 cost[NET_CALLS] = {
	[NET_CLOCK] = 17,
	[NET_TX] = 50,
	[NET_RX] = 50,
	[NET_OPERAND] = 10,
	[NET_AIM] = 10,
	[NET_POST] = 300,
	[NET_READY] = 10,
	[NET_POST_READY] = 300,
	[NET_POLL] = 40,
	[NET_TAKE] = 40,
	[NET_REFILL] = 100,
	[NET_REAP] = 30,
	[NET_CHECK] = 30,
	[NET_ARM] = 200,
	[NET_SLEEP] = 500,
	[NET_PAUSE] = 2000,
	[NET_BREATHE] = 10,
	[NET_WAIT_OVER] = 100,
	[NET_OVER] = 50,
	[NET_ALARM] = 100,
	[NET_QUIET] = 100,
	[NET_TELL] = 300,
	[NET_REPLY] = 300,
	[NET_PREPARE] = 500,
	[NET_TIMED] = 300,
	[NET_ARRIVED] = 200,
	[NET_COMPLETED] = 200,
};

/**
 * net_wrong() - write down what the engine must not do
 * @net: where
 * @fmt: what; the first one counts
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

static void write_down(struct net *net, enum net_call call, unsigned int side,
		       u64 time, int result)
{
	struct net_event *event;

	if (net->config.quiet)
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

/* Every call of the engine begins here. */
static void begin(struct net *net, enum net_call call)
{
	u64 number = __atomic_add_fetch(&net->calls, 1, __ATOMIC_RELAXED);

	if (number == net->config.hook_at)
		net->config.hook(net->config.hook_arg);
	task_step(cost[call]);
}

/* Who only holds memory ready looks at it afterwards, and at its CQ. */
static bool takes_part(const struct icb_ep *ep, enum net_call call)
{
	if (!ep->side || !icb_params_passive(ep->net->params))
		return true;
	return call == NET_TX || call == NET_RX ||
	       (call == NET_TAKE && READ_ONCE(ep->run->consumer.stop));
}

/**
 * net_enter() - a call of the engine begins
 * @ep: the endpoint
 * @call: which
 *
 * To be ended by net_leave(). What lies between is one piece.
 *
 * Return: the number of this call, from 1.
 */
u64 net_enter(struct icb_ep *ep, enum net_call call)
{
	begin(ep->net, call);
	task_lock();
	if (!takes_part(ep, call))
		net_wrong(ep->net, "side %u takes part: call %u", ep->side,
			  call);
	return ++ep->calls[call];
}

/**
 * net_leave() - a call of the engine ends
 * @ep: the endpoint
 * @call: which
 * @result: what it returns, for the log
 *
 * Return: @result.
 */
int net_leave(struct icb_ep *ep, enum net_call call, int result)
{
	write_down(ep->net, call, ep->side, task_now(), result);
	task_unlock();
	/* what was done may be noticed before the caller goes on */
	task_step(RETURN_COST);
	return result;
}

u64 icb_clock_read(void)
{
	u64 time;

	begin(current, NET_CLOCK);
	time = task_now();
	write_down(current, NET_CLOCK, 0, time, 0);
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

/* Of two CPUs one is always busy, and the other one half of the time. */
void icb_clock_busy(struct icb_busy *busy, const u32 run[2])
{
	u64 now = task_ns(task_now());

	busy->ns = now + now / 2;
	busy->cpus = 2;
	busy->run_ns = run[0] == run[1] ? now : busy->ns;
}

static struct icb_ep *other(struct icb_ep *ep)
{
	return &ep->net->ep[!ep->side];
}

static u32 mode(const struct icb_ep *ep)
{
	return ep->net->params->completion;
}

/* The module's side_ended(): a side is to end, and whatever in it sleeps wakes. */
static void end_locked(struct icb_ep *ep, enum icb_stop why, int err)
{
	if (err && !ep->err)
		ep->err = err;
	icb_run_stop(ep->run, why);
	task_wake(ep);
	task_wake(&ep->rcq);
}

/**
 * net_end() - end a side from outside of its loop
 * @ep: the side's
 * @why: the reason
 * @err: what its connection failed with
 */
void net_end(struct icb_ep *ep, enum icb_stop why, int err)
{
	task_lock();
	end_locked(ep, why, err);
	task_unlock();
}

/* The module's icb_ep_failed(). */
static int failed(struct icb_ep *ep, int err)
{
	end_locked(ep, ICB_STOP_ERROR, err);
	return err;
}

/*
 * The engine's side
 */

static u8 *tx_buffer(struct icb_ep *ep, unsigned int buffer)
{
	net_enter(ep, NET_TX);
	if (buffer >= ep->senders) {
		net_wrong(ep->net, "side %u takes buffer %u", ep->side, buffer);
		buffer = 0;
	}
	if (ep->on_way[buffer] && !ep->net->verb->passive &&
	    !ep->net->config.lenient)
		net_wrong(ep->net, "side %u makes a message in a buffer that is on its way",
			  ep->side);
	net_leave(ep, NET_TX, buffer);
	return ep->tx[buffer];
}

static u8 *rx_buffer(struct icb_ep *ep, unsigned int buffer)
{
	net_enter(ep, NET_RX);
	if (buffer >= ep->receivers) {
		net_wrong(ep->net, "side %u looks at buffer %u", ep->side,
			  buffer);
		buffer = 0;
	}
	if (ep->net->verb->passive && ep->on_way[buffer] &&
	    !ep->net->stream && !ep->net->config.lenient)
		net_wrong(ep->net, "side %u looks where an answer is due",
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
	const u32 own = ep->net->verb->passive ? ep->receivers : ep->senders;

	net_enter(ep, NET_AIM);
	if (op >= ep->ops || buffer >= own || ep->net->verb->atomic)
		net_wrong(ep->net, "side %u aims request %u at buffer %u",
			  ep->side, op, buffer);
	else
		ep->aimed[op] = buffer;
	net_leave(ep, NET_AIM, buffer);
}

static void set_len(struct icb_ep *ep, unsigned int op, unsigned int buffer,
		    u32 len)
{
	const u32 own = ep->net->verb->passive ? ep->receivers : ep->senders;

	net_enter(ep, NET_AIM);
	if (op >= ep->ops || buffer >= own || !ep->net->sized || !len ||
	    len > ep->net->tx.extent || len > ep->net->rx.extent) {
		net_wrong(ep->net, "side %u gives request %u %u bytes of buffer %u",
			  ep->side, op, len, buffer);
	} else {
		ep->aimed[op] = buffer;
		ep->cut[op] = len;
	}
	net_leave(ep, NET_AIM, buffer);
}

static void set_operands(struct icb_ep *ep, unsigned int op, u64 compare_add,
			 u64 swap)
{
	net_enter(ep, NET_OPERAND);
	if (!ep->net->verb->atomic || op >= ep->ops) {
		net_wrong(ep->net, "side %u gives operands to request %u",
			  ep->side, op);
	} else {
		ep->compare_add[op] = compare_add;
		ep->swap[op] = swap;
	}
	net_leave(ep, NET_OPERAND, 0);
}

static void set_number(struct icb_ep *ep, unsigned int op, u32 told)
{
	if (op >= ep->ops || !ep->net->lossy)
		net_wrong(ep->net, "side %u numbers request %u", ep->side, op);
	else
		ep->number[op] = told;
}

/* With policy channels, a side sends on one QP and receives on the other: no turns. */
static bool is_turn(const struct icb_ep *ep, u32 lane)
{
	return lane < ep->net->params->qps &&
	       !icb_params_channels(ep->net->params);
}

/* Value of fields of a completion that the engine must not read: no QP or message has it. */
#define NOT_THERE	0x5a5a5a5a

struct icb_cpl icb_ep_cpl(const struct icb_ep *ep, unsigned int i)
{
	bool numbered = ep->receiving && ep->net->lossy;

	return (struct icb_cpl) {
		.recv = ep->came_by[i],
		.foreign = numbered ? ep->odd[i] : true,
		.qp = is_turn(ep, ep->took[i]) ? ep->took[i] : NOT_THERE,
		.number = numbered ? ep->says[i] : NOT_THERE,
		.len = ep->lens[i],
	};
}

static void send_on(struct icb_ep *ep, u32 lane)
{
	if (!is_turn(ep, lane))
		net_wrong(ep->net, "side %u sends on QP %u", ep->side, lane);
	else
		ep->send_on = lane;
}

void icb_ep_recv_on(struct icb_ep *ep, u32 lane)
{
	if (!is_turn(ep, lane))
		net_wrong(ep->net, "side %u receives on QP %u", ep->side, lane);
	else
		ep->recv_on = lane;
}

const struct icb_plan *icb_ep_plan(const struct icb_ep *ep)
{
	return &ep->plan;
}

/* A byte of a message. */
static u8 *byte(u8 *buf, const struct icb_segments *seg, u32 i)
{
	u32 part = min_t(u32, i / max_t(u32, seg->size, 1), seg->count - 1);

	return buf + part * seg->stride + (i - part * seg->size);
}

/* Gather, and scatter: the bytes of a message from one on. */
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
 * net_same() - whether a read has brought what it reads
 * @net: where
 * @buffer: in this buffer of each side
 *
 * Return: true if so.
 */
bool net_same(const struct net *net, unsigned int buffer)
{
	u32 i;

	for (i = 0; i < net->params->size; i++)
		if (*byte(net->ep[0].rx[buffer], &net->rx, i) !=
		    *byte(net->ep[1].tx[buffer], &net->tx, i))
			return false;
	return true;
}

/**
 * net_settled() - whether all that a side has posted has come to its end
 * @ep: the side's
 *
 * Return: true if so.
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
 * net_calls() - whether a callback of a side's goes on
 * @ep: the side's
 *
 * Return: true if so.
 */
bool net_calls(const struct icb_ep *ep)
{
	bool calling;

	task_lock();
	calling = ep->calling;
	task_unlock();
	return calling;
}

static void note_signal(struct icb_ep *ep, bool signal)
{
	ep->silent = signal ? 0 : ep->silent + 1;
	if (ep->silent > ep->most_silent)
		ep->most_silent = ep->silent;
}

static void send_off(struct icb_ep *ep, unsigned int op, bool signal)
{
	unsigned int buffer = ep->aimed[op];
	const struct net_config *config = &ep->net->config;
	const struct net_flight *before = ring_tail(&ep->flights);
	struct net_flight flight = {
		.number = ep->posts,
		.due = task_now() + config->delay +
		       task_random(config->jitter + 1),
		.lane = ep->send_on,
		.buffer = buffer,
		.len = ep->net->sized ? ep->cut[op] : ep->net->params->size,
		.signal = signal,
		.told = ep->number[op],
		.compare_add = ep->compare_add[op],
		.swap = ep->swap[op],
	};

	if (before && before->due > flight.due)
		flight.due = before->due;
	if (ep->on_way[buffer] && !ep->net->stream && !config->lenient)
		net_wrong(ep->net, "side %u posts a buffer that is on its way",
			  ep->side);
	ep->on_way[buffer]++;
	/* of a passive verb the buffer is where the answer lands */
	if (!ep->net->verb->passive)
		memcpy(ep->sent[buffer], ep->tx[buffer],
		       ep->net->tx.extent);
	ring_push(&ep->flights, &flight);
	task_wake(ep->net);
}

/* It goes from no buffer; and faults are those of messages. */
static void send_note(struct icb_ep *ep)
{
	const struct net_flight note = {
		.number = U64_MAX,
		.due = ((const struct net_flight *)ring_tail(&ep->flights))->due,
		.lane = ep->send_on,
		.note = true,
	};

	ring_push(&ep->flights, &note);
}

static int post_note(struct icb_ep *ep)
{
	if (!ep->tells)
		return 0;
	ep->tells = false;
	if (ep->sq_used == ep->sq_depth) {
		ep->sq_full++;
		return -ENOMEM;
	}
	ep->sq_used++;
	send_note(ep);
	return 0;
}

/* One work request. */
static int post_one(struct icb_ep *ep, unsigned int op, bool signal)
{
	if (++ep->requests == net_faults(ep)->post)
		return -ENOMEM;
	if (ep->sq_used == ep->sq_depth) {
		ep->sq_full++;
		return -ENOMEM;
	}
	ep->sq_used++;
	ep->posts++;
	send_off(ep, op, signal);
	return 0;
}

/* The last one of a list for now, behind the one before it. */
static void link_op(struct icb_ep *ep, unsigned int op, bool signal)
{
	ep->signal[op] = signal;
	ep->linked[op] = false;
	if (op)
		ep->linked[op - 1] = true;
}

static void set_ready(struct icb_ep *ep, unsigned int op, bool signal)
{
	net_enter(ep, NET_READY);
	if (op >= ep->ops)
		net_wrong(ep->net, "side %u makes request %u", ep->side, op);
	else
		link_op(ep, op, signal);
	net_leave(ep, NET_READY, 0);
}

/* The only one that is posted, and whose completion icb_ep_reap() takes. */
static void set_alone(struct icb_ep *ep, const struct icb_operation *op)
{
	if (op->batched)
		net_wrong(ep->net, "side %u posts it with others",
			  ep->side);
	link_op(ep, 0, op->signal);
	ep->signals += op->signal;
}

static void set_notify(struct icb_ep *ep, unsigned int op)
{
	net_enter(ep, NET_READY);
	if (!ep->net->told || op >= ep->ops || ep->linked[op])
		net_wrong(ep->net, "side %u tells of request %u", ep->side, op);
	ep->tells = true;
	net_leave(ep, NET_READY, 0);
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
		set_alone(ep, op);
	else if (op->set & ICB_OPERATION_SIGNAL)
		set_ready(ep, slot, op->signal);
	if (op->set & ICB_OPERATION_NOTIFY)
		set_notify(ep, slot);
}

int icb_ep_commit(struct icb_ep *ep, unsigned int slots)
{
	bool alone = ep->net->params->trigger == ICBENCH_TRIGGER_ECHO;
	enum net_call call = alone ? NET_POST : NET_POST_READY;
	unsigned int op = 0, count = 1;
	int err;

	net_enter(ep, call);
	while (ep->linked[count - 1])
		count++;
	if (count != slots)
		net_wrong(ep->net, "side %u posts %u requests of %u", ep->side,
			  slots, count);
	if (ep->net->stream)
		window_post(ep, count);
	do {
		note_signal(ep, ep->signal[op]);
		err = post_one(ep, op, ep->signal[op]);
	} while (!err && ++op < count);
	if (!err)
		err = post_note(ep);
	return net_leave(ep, call, err);
}

/* By which a side sends what comes as the credit of a QP. */
static u32 sender(const struct icb_ep *ep, u32 lane)
{
	return icb_params_channels(ep->net->params) ? ep->send_on : lane;
}

bool icb_ep_may_post(const struct icb_ep *ep, u32 lane, u64 number)
{
	bool may;

	if (!ep->plan.credited)
		return true;
	task_lock();
	may = number <= ep->credit[sender(ep, lane)];
	task_unlock();
	return may;
}

/* The other side has more receives. */
static void hear(struct icb_ep *ep, unsigned int i)
{
	const struct net_done *done = ring_head(&ep->rcq);

	ep->took[i] = done->lane;
	ep->credit[sender(ep, done->lane)] += ep->credits.each;
	ep->hearing[done->lane]++;
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
		.lane = ep->recv_on,
		.grant = true,
	};

	if (++ep->untold[ep->recv_on] < ep->credits.each)
		return;
	ep->untold[ep->recv_on] = 0;
	if (config->mute)
		return;
	if (before && before->due > flight.due)
		flight.due = before->due;
	if (++ep->granted[ep->recv_on] > ICB_CREDITS_GRANTS)
		net_wrong(ep->net, "side %u grants what nobody can have sent",
			  ep->side);
	ring_push(&ep->flights, &flight);
	task_wake(ep->net);
}

/* One more message may come, or may be sent. */
static void give_credit(struct icb_ep *ep)
{
	if (ep->plan.credit_implicit)
		ep->credit[sender(ep, ep->recv_on)]++;
	if (ep->plan.grants)
		grant(ep);
}

/* A completion that the engine waits for is handed to it. */
static int take(struct icb_ep *ep, unsigned int i)
{
	const struct net_done *done = ring_head(&ep->rcq);
	int err = done->err;
	bool own = done->own;
	u32 due;

	ep->took[i] = done->lane;
	ep->came_by[i] = !own;
	ep->says[i] = done->told;
	ep->lens[i] = done->len;
	ep->odd[i] = done->foreign;
	if (!err && !ep->net->lossy &&
	    (!ep->net->stream || icb_params_channels(ep->net->params)) &&
	    done->lane != (ep->net->stream && own ? ep->send_on : ep->recv_on))
		net_wrong(ep->net, "side %u looks for a message of QP %u at %u",
			  ep->side, done->lane, ep->recv_on);
	/* what answers a window is empty */
	due = (ep->net->params->reply && !ep->side) || ep->net->told ? 0 :
		ep->net->params->size;
	if (!err && done->len != due && ep->receiving && !own &&
	    !ep->net->sized && !done->foreign)
		err = -EPROTO;
	ep->sq_used -= done->frees + done->notes;
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
		result = take(ep, 0) ? : 1;
	return net_leave(ep, NET_POLL, result);
}

/**
 * net_take() - take completions, as icb_ep_poll() does
 * @ep: of this endpoint
 * @limit: at most
 * @taken: counts them
 *
 * Between net_enter() and net_leave().
 *
 * Return: how many; a negative error number.
 */
int net_take(struct icb_ep *ep, unsigned int limit, struct icb_taken *taken)
{
	const struct net_done *done;
	int n = 0, err;

	while (n < (int)limit && (done = ring_head(&ep->rcq))) {
		bool mine = done->own;

		if (done->grant) {
			hear(ep, n++);
			continue;
		}
		err = take(ep, n);
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
	u64 number = net_enter(ep, NET_TAKE);

	if (!limit || limit > ICB_EP_TAKE)
		net_wrong(ep->net, "side %u takes up to %u", ep->side, limit);
	if (ep->net->callbacks || !ep->net->stream)
		net_wrong(ep->net, "side %u polls a CQ", ep->side);
	window_take(ep);
	if (number == net_faults(ep)->poll)
		return net_leave(ep, NET_TAKE, -EIO);
	return net_leave(ep, NET_TAKE, net_take(ep, limit, taken));
}

int icb_ep_poll(struct icb_ep *ep, unsigned int limit,
		struct icb_taken *taken)
{
	return taken ? poll_any(ep, limit, taken) : poll_next(ep);
}

/* Receives that were ever taken. */
static u64 used(const struct icb_ep *ep)
{
	return ep->net->told ? ep->notes : ep->arrived;
}

/* Those that are given back together. */
static unsigned int together(const struct icb_ep *ep)
{
	return ep->net->told ? 1 : ep->batch;
}

int icb_ep_refill(struct icb_ep *ep)
{
	u64 number = net_enter(ep, NET_REFILL);

	if (!ep->receiving)
		net_wrong(ep->net, "side %u gives back a receive that nothing takes",
			  ep->side);
	if (number == net_faults(ep)->refill)
		return net_leave(ep, NET_REFILL, -ENOMEM);
	if (++ep->refills > ep->taken)
		net_wrong(ep->net, "side %u gives back more receives than it took",
			  ep->side);
	if (!(ep->refills % together(ep)))
		ep->receives += together(ep);
	if (ep->receives - used(ep) > ep->rq_depth)
		net_wrong(ep->net, "side %u posts more receives than there are",
			  ep->side);
	if (++ep->used[ep->recv_on] == together(ep)) {
		ep->recvs[ep->recv_on] += ep->used[ep->recv_on];
		ep->used[ep->recv_on] = 0;
	}
	give_credit(ep);
	return net_leave(ep, NET_REFILL, 0);
}

static int take_sends(struct icb_ep *ep)
{
	const struct net_done *done;

	if (ep->waits_own)
		net_wrong(ep->net, "side %u looks for completions where none come",
			  ep->side);
	while ((done = ring_head(&ep->scq))) {
		int err = done->err;

		ep->sq_used -= done->frees + done->notes;
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
	enum net_call call = always ? NET_CHECK : NET_REAP;

	net_enter(ep, call);
	return net_leave(ep, call, always || ep->signals ? take_sends(ep) : 0);
}

int icb_ep_arm(struct icb_ep *ep)
{
	u64 number = net_enter(ep, NET_ARM);

	if (mode(ep) != ICBENCH_COMPLETION_BLOCK &&
	    mode(ep) != ICBENCH_COMPLETION_ADAPTIVE)
		net_wrong(ep->net, "side %u asks for an event", ep->side);
	if (number == net_faults(ep)->arm)
		return net_leave(ep, NET_ARM, -EIO);
	if (ep->rcq.count) {
		ep->missed++;
		ep->told.missed++;
		ep->event = true;
	} else {
		ep->armed = true;
	}
	return net_leave(ep, NET_ARM, 0);
}

/* What sleeps, or is called back, is told: by a handler that has just run. */
static void note_event(struct icb_ep *ep)
{
	ep->told.issued = task_now() + ep->net->config.skew;
	ep->told.entry = ep->told.issued - NET_HANDLER;
	ep->told.handled = ep->told.number++ % ICB_HANDLED;
	ep->told.same = ep->told.number % 2;
	ep->told.idle = ep->told.number % 3 == 0;
	ep->told.wakes = ep->told.number % 5 == 0;
	ep->told.known = !ep->net->config.vague;
}

void icb_ep_event(struct icb_ep *ep, struct icb_event *event)
{
	if (!ep->net->params->stages || ep->side)
		net_wrong(ep->net, "side %u asks for stages", ep->side);
	*event = ep->told;
}

void icb_ep_watch(struct icb_ep *ep, const u8 *byte, u8 was)
{
	task_lock();
	if (ep->side || ep->on_way[0])
		net_wrong(ep->net, "side %u watches too late", ep->side);
	if (*byte != was)
		net_wrong(ep->net, "side %u watches for nothing", ep->side);
	ep->watched = byte;
	ep->was = was;
	ep->came = 0;
	task_unlock();
}

u64 icb_ep_arrival(struct icb_ep *ep)
{
	u64 came;

	task_lock();
	came = ep->came;
	if (!came && ep->watched && !ep->net->config.blind)
		net_wrong(ep->net, "side %u watches in vain", ep->side);
	task_unlock();
	return came;
}

/* Who watches sees it, or not, or when it is too late. */
static void look(struct icb_ep *ep)
{
	const struct net_config *config = &ep->net->config;
	bool counts = !ep->run->left;

	if (!ep->watched || *ep->watched == ep->was)
		return;
	ep->watched = NULL;
	ep->came = task_now() + config->skew - NET_HANDLER - NET_DELIVER;
	if (task_random(1000) < config->blind) {
		ep->came = 0;
		ep->unseen += counts;
	} else if (task_random(1000) < config->drowsy) {
		ep->came += 1000000;
		ep->unseen += counts;
	}
}

static bool sleep_for_event(struct icb_ep *ep, const int *stop)
{
	bool slept = false;
	u64 until = TASK_FOREVER;

	net_enter(ep, NET_SLEEP);
	if (mode(ep) != ICBENCH_COMPLETION_BLOCK &&
	    mode(ep) != ICBENCH_COMPLETION_ADAPTIVE)
		net_wrong(ep->net, "side %u sleeps", ep->side);
	if (task_random(1000) < ep->net->config.spurious) {
		/* one that is there already is not without a message */
		if (!ep->event) {
			note_event(ep);
			ep->spurious += !ep->run->left && !ep->rcq.count;
		}
		ep->event = true;
		ep->armed = false;
	}
	/* as long as an answer that may be lost is waited for */
	if (ep->net->lossy && !ep->net->stream && !ep->side)
		until = task_now() + ep->run->patience;
	while (!ep->event && !READ_ONCE(*stop) && task_now() < until) {
		task_wait(ep, until);
		slept = true;
	}
	ep->event = false;
	ep->told.running = task_now();
	ep->told.slept = slept;
	/* of the measured part, as the run is to count it */
	if (slept && !ep->run->left)
		ep->sleeps++;
	net_leave(ep, NET_SLEEP, 0);
	return slept;
}

/* How long a timer takes, and how late it is. */
#define DOZE		300
#define LATE		7

static u64 wait_timer(struct icb_ep *ep, const int *stop)
{
	u64 due;

	net_enter(ep, NET_SLEEP);
	if (mode(ep) != ICBENCH_COMPLETION_TIMER)
		net_wrong(ep->net, "side %u waits for a timer", ep->side);
	due = task_now() + DOZE;
	while (task_now() < due && !READ_ONCE(*stop))
		task_wait(ep, due);
	note_event(ep);
	ep->told.running = task_now();
	ep->told.slept = true;
	net_leave(ep, NET_SLEEP, 0);
	return LATE;
}

static void yield_poll(struct icb_ep *ep, u64 waited)
{
	net_enter(ep, NET_PAUSE);
	if (ep->net->callbacks && !ep->net->clock)
		net_wrong(ep->net, "side %u pauses in a callback", ep->side);
	if (waited > ep->run->timeout)
		net_wrong(ep->net, "side %u goes on after its timeout",
			  ep->side);
	net_leave(ep, NET_PAUSE, 0);
	task_yield();
}

static void yield_op(struct icb_ep *ep)
{
	net_enter(ep, NET_BREATHE);
	if (ep->net->callbacks)
		net_wrong(ep->net, "side %u pauses in a callback", ep->side);
	net_leave(ep, NET_BREATHE, 0);
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
	ep->event = true;
	task_wake(ep);
	net_leave(ep, NET_OVER, 0);
}

static void cancel_alarm(struct icb_ep *ep)
{
	net_enter(ep, NET_QUIET);
	ep->alarm = TASK_FOREVER;
	while (ep->telling)
		task_wait(&ep->telling, TASK_FOREVER);
	net_leave(ep, NET_QUIET, 0);
}

void icb_ep_alarm(struct icb_ep *ep, struct icb_consumer *consumer, u64 ticks)
{
	if (!consumer) {
		cancel_alarm(ep);
		return;
	}
	net_enter(ep, NET_ALARM);
	if (icb_run_of(consumer) != ep->run || !ep->net->clock)
		net_wrong(ep->net, "side %u sets an alarm", ep->side);
	ep->alarm = task_now() + ticks +
		    task_random(ep->net->config.lateness + 1);
	task_wake(&ep->alarm);
	net_leave(ep, NET_ALARM, 0);
}

static void notify(struct icb_ep *ep)
{
	if (ep->net->callbacks) {
		note_event(ep);
		ep->told.slept = true;
	}
	if (ep->armed) {
		ep->armed = false;
		ep->event = true;
		note_event(ep);
		task_wake(ep);
	}
	task_wake(&ep->rcq);
}

static void deliver(struct icb_ep *ep, const struct net_done *done)
{
	if (!ring_push(&ep->rcq, done))
		net_wrong(ep->net, "side %u takes too few of the completions that it waits for",
			  ep->side);
	notify(ep);
}

int icb_ep_reject(struct icb_ep *ep, enum icb_wrong wrong, u32 len, u32 due)
{
	if (wrong == ICB_WRONG_LENGTH && len == due)
		net_wrong(ep->net, "side %u finds %u bytes wrong where %u are due",
			  ep->side, len, due);
	return failed(ep, -EPROTO);
}

/* It arrives at once; the window before it is through by then. */
int icb_ep_reply(struct icb_ep *ep)
{
	struct icb_ep *to = &ep->net->ep[!ep->side];
	const struct net_done done = { .lane = ep->send_on };

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
	net_enter(ep, NET_TELL);
	WRITE_ONCE(ep->net->ep[!ep->side].run->peer_measured, true);
	/* it may have to be tried again */
	return !net_leave(ep, NET_TELL, task_random(2) ? -EALREADY : 0);
}

static const struct icb_side_ops side_ops = {
	.prepare = net_prepare,
	.call = net_timed,
	.report_measured = report_measured,
};

/*
 * The network's side
 */

/* A message is there as a whole; of a write alone nobody is told. */
static void arrive(struct icb_ep *ep, const struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(other(ep));
	struct net_done done = {
		.len = flight->len,
		.lane = flight->lane,
		.told = flight->told,
	};

	if (ep->net->verb->recv && ep->arrived == ep->receives) {
		net_wrong(ep->net, "side %u has no receive for a message",
			  ep->side);
		return;
	}
	ep->arrived++;
	if (!ep->net->verb->recv)
		return;
	if (ep->net->config.breaks && !ep->recvs[flight->lane]--) {
		net_wrong(ep->net, "side %u has no receive for a message of QP %u",
			  ep->side, flight->lane);
		return;
	}
	if (flight->number == sender->cut)
		done.len--;
	if (ep->arrived == net_faults(ep)->recv)
		done.err = -ECONNRESET;
	deliver(ep, &done);
}

/* The byte of a message that is damaged on its way; its size for none. */
static u32 damaged(const struct icb_ep *from, const struct net_flight *flight)
{
	u32 size = flight->len;

	if (flight->number != net_faults(from)->corrupt || !size)
		return size;
	return net_faults(from)->byte % size;
}

/* Where no connection is, what anybody sends takes a receive, and its buffer. */
static void stray(struct icb_ep *to, const struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(other(to));
	bool plain = task_random(2);
	struct net_done done = {
		.len = to->net->params->size + plain,
		.lane = flight->lane,
		.foreign = plain,
		/* or by its number: such a one never comes, or not for long */
		.told = plain ? flight->told + task_random(3) :
			to->side || to->net->stream ?
			(task_random(2) ? to->run->most + 1 : 0) :
			to->run->seq + 1000 + task_random(1000),
	};

	if (task_random(1000) >= sender->strays ||
	    to->arrived == to->receives)
		return;
	if (to->net->params->size)
		to->rx[to->next.index][0] ^= DAMAGE;
	icb_buffers_next(&to->next);
	to->strays++;
	to->arrived++;
	deliver(to, &done);
}

/* A send lands where its receive says: the receives go by the sequence, too. */
static void land_send(struct icb_ep *to, const struct net_flight *flight)
{
	u8 *rx = to->rx[to->next.index];
	u32 size = flight->len;
	struct icb_ep *from = other(to);

	move_bytes(rx, &to->net->rx, from->tx[flight->buffer], &to->net->tx, 0,
		   size);
	if (damaged(from, flight) < size)
		*byte(rx, &to->net->rx, damaged(from, flight)) ^= DAMAGE;
	icb_buffers_next(&to->next);
	arrive(to, flight);
}

/* It is what is looked at. */
static void land_last_byte(struct icb_ep *to, const struct net_flight *flight)
{
	struct icb_ep *from = other(to);
	u32 last = flight->len - 1;
	u8 value = *byte(from->tx[flight->buffer], &to->net->tx, last);

	if (damaged(from, flight) == last)
		value ^= DAMAGE;
	__atomic_store_n(&to->rx[flight->buffer][last], value,
			 __ATOMIC_RELEASE);
}

/* A write lands in pieces, its last byte last, or first; returns whether it is there. */
static bool land_write(struct icb_ep *to, struct net_flight *flight)
{
	struct icb_ep *from = other(to);
	u32 last = flight->len - 1, half = last / 2;
	bool torn = flight->number == net_faults(from)->torn;
	const struct icb_segments *tx_seg = &to->net->tx;
	const struct icb_segments *rx_seg = &to->net->rx;
	u8 *rx = to->rx[flight->buffer];
	u8 *tx = from->tx[flight->buffer];

	/* immediate data alone */
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
		if (damaged(from, flight) < last)
			rx[damaged(from, flight)] ^= DAMAGE;
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

/* It takes a receive, and is_not_ready() knows of one. */
static void land_note(struct icb_ep *to)
{
	const struct net_done done = {
		.err = ++to->notes == net_faults(to)->recv ? -ECONNRESET : 0,
		.lane = other(to)->send_on,
	};

	deliver(to, &done);
}

/* A message goes on; returns whether it has arrived. */
static bool land(struct icb_ep *to, struct net_flight *flight)
{
	struct icb_ep *from = other(to);
	const struct net *net = to->net;
	u64 copies = net_faults(from)->copies ? : 1;

	if (flight->note) {
		land_note(to);
		from->noted++;
		return true;
	}
	if (memcmp(from->sent[flight->buffer], from->tx[flight->buffer],
		   net->tx.extent) && !net->config.lenient)
		net_wrong(to->net, "side %u changes a message that is on its way",
			  from->side);
	if (net->verb->remote && !land_write(to, flight))
		return false;
	if (net_faults(from)->strays) {
		stray(to, flight);
		/* that one may have taken the last receive */
		if (to->arrived == to->receives)
			return false;
	}
	if (!net->verb->remote)
		land_send(to, flight);
	if (net_faults(from)->strays)
		stray(to, flight);
	if (flight->number != net_faults(from)->twice)
		return true;
	while (copies--) {
		if (net->verb->remote)
			arrive(to, flight);
		else
			land_send(to, flight);
	}
	return true;
}

/* The completion of a message is lost. */
static bool is_unheard(const struct icb_ep *from,
		       const struct net_flight *flight)
{
	const struct net_faults *faults = net_faults(from);

	return (faults->late && flight->number >= faults->late) ||
	       flight->number == faults->lost;
}

/* QPs keep no order among each other: the last two of different ones change. */
static void overtake(struct net_ring *ring)
{
	unsigned int last = (ring->head + ring->count + ring->depth - 1) %
			    ring->depth;
	unsigned int before = (last + ring->depth - 1) % ring->depth;
	struct net_done *a, *b, both;
	u64 due;

	if (ring->count < 2 || !task_random(3))
		return;
	a = (struct net_done *)(ring->entry + before * ring->size);
	b = (struct net_done *)(ring->entry + last * ring->size);
	if (a->lane == b->lane)
		return;
	due = a->due;
	both = *a;
	*a = *b;
	*b = both;
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
		.frees = ++from->unacked[flight->lane],
		.notes = from->noted,
		.lane = flight->lane,
		.own = true,
	};

	if (is_unheard(from, flight) || (!flight->signal && !err))
		return;
	from->unacked[flight->lane] = 0;
	from->noted = 0;
	if (before && before->due > ack.due)
		ack.due = before->due;
	ring_push(&from->acks, &ack);
	overtake(&from->acks);
}

/* What could not be sent breaks the connection: its receives are flushed. */
static void break_down(struct icb_ep *from, const struct net_flight *flight)
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
	if (from->net->lossy && flight->told & ICB_TOLD_COUNTS) {
		from->dropped_counts++;
		from->dropped_bytes += flight->len;
	}
}

/* What is lost completes all the same where nobody is told. */
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

/* A message goes on to the other side; returns whether it is over. */
static bool carry(struct icb_ep *from, struct net_flight *flight)
{
	if (is_lost(from, flight))
		return true;
	if (from->broken) {
		push_ack(from, flight, -ECONNRESET);
		return true;
	}
	if (flight->number == net_faults(from)->send) {
		break_down(from, flight);
		return true;
	}
	if (!land(other(from), flight))
		return false;
	if (!flight->note)
		push_ack(from, flight, 0);
	return true;
}

/* What a passive verb waits for: the completion of its own work request. */
static void complete_own(struct icb_ep *ep, const struct net_flight *flight,
			 int err)
{
	struct net_done done = {
		.err = err,
		.len = flight->len,
		.frees = ++ep->unacked[flight->lane],
		.lane = flight->lane,
		.own = ep->net->stream,
	};

	if (is_unheard(ep, flight) || (!flight->signal && !err))
		return;
	ep->unacked[flight->lane] = 0;
	deliver(ep, &done);
}

/* Do to the word of this side what an atomic asks for; what it was before. */
static u64 work(struct icb_ep *ep, const struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(other(ep));
	u64 operand = flight->compare_add, old, new;

	if (flight->number == sender->corrupt)
		((u8 *)&operand)[sender->byte % sizeof(operand)] ^= DAMAGE;
	memcpy(&old, ep->tx[0], sizeof(old));
	if (ep->net->params->verb == ICBENCH_VERB_FETCH_ADD)
		new = old + operand;
	else
		new = old == operand ? flight->swap : old;
	memcpy(ep->tx[0], &new, sizeof(new));
	return old;
}

/* A request finds the memory of a side, which is not told. */
static void land_request(struct icb_ep *ep, struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(other(ep));
	u64 copies = sender->copies ? : 1;

	ep->reached++;
	if (!ep->net->verb->atomic)
		return;
	flight->old = work(ep, flight);
	if (flight->number == sender->twice)
		while (copies--)
			work(ep, flight);
}

/* Bytes that an answer brings. */
static u32 brought(const struct icb_ep *from, const struct net_flight *flight)
{
	const struct net_faults *sender = net_faults(from);

	if (sender->empty && flight->number >= sender->empty &&
	    flight->number <= sender->empty + sender->empties)
		return 0;
	return flight->len - (flight->number == sender->cut);
}

/* An answer lands in pieces; returns whether this was the last one. */
static bool land_answer(struct icb_ep *ep, struct net_flight *flight)
{
	struct icb_ep *from = other(ep);
	u32 len = brought(from, flight), half = len / 2;
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
	if (damaged(from, flight) < len)
		*byte(rx, rx_seg, damaged(from, flight)) ^= DAMAGE;
	ep->arrived++;
	complete_own(ep, flight,
		     ep->arrived == net_faults(ep)->recv ? -ECONNRESET : 0);
	return true;
}

/* To the memory of the other side, and back; returns whether it is over. */
static bool reach(struct icb_ep *ep, struct net_flight *flight)
{
	if (flight->stage)
		return flight->number == net_faults(other(ep))->drop ||
		       land_answer(ep, flight);
	if (flight->number == net_faults(ep)->drop)
		return true;
	if (ep->broken || flight->number == net_faults(ep)->send) {
		ep->broken = true;
		complete_own(ep, flight, -ECONNRESET);
		return true;
	}
	land_request(other(ep), flight);
	flight->stage++;
	return false;
}

/*
 * A stream may be faster than who takes it: then it has to wait. Who has given
 * messages up may send more than there are receives.
 */
static bool is_not_ready(const struct icb_ep *to,
			 const struct net_flight *flight)
{
	if (to->net->config.breaks || (to->net->told && !flight->note))
		return false;
	return (to->net->stream || to->net->lossy) && to->receiving &&
	       !flight->stage && used(to) == to->receives;
}

/* It has a receive of its own. */
static void land_grant(struct icb_ep *to, const struct net_flight *flight)
{
	const struct net_done done = {
		.lane = flight->lane,
		.grant = true,
	};

	other(to)->granted[flight->lane]--;
	if (!to->hearing[flight->lane]--)
		net_wrong(to->net, "side %u has no receive for credit", to->side);
	else
		deliver(to, &done);
}

static void move(struct icb_ep *from)
{
	struct net_flight *flight = ring_head(&from->flights);
	const struct net_config *config = &from->net->config;
	bool passive = from->net->verb->passive;

	if (flight->grant) {
		land_grant(other(from), flight);
		ring_pop(&from->flights);
		return;
	}
	if (is_not_ready(other(from), flight) && from->net->lossy) {
		drop(from, flight);
		from->not_ready++;
		push_ack(from, flight, 0);
		from->on_way[flight->buffer]--;
		ring_pop(&from->flights);
		return;
	}
	if (is_not_ready(other(from), flight)) {
		flight->due = task_now() + NOT_READY;
		from->not_ready++;
		return;
	}
	if (passive ? reach(from, flight) : carry(from, flight)) {
		from->on_way[flight->buffer] -= !flight->note;
		ring_pop(&from->flights);
		return;
	}
	flight->due = task_now() + task_random(config->jitter + 1);
	/* the way back */
	if (passive && flight->stage == 1)
		flight->due += config->delay;
}

/* A completion of a send becomes visible. */
static void complete(struct icb_ep *ep)
{
	if (ep->waits_own)
		deliver(ep, ring_head(&ep->acks));
	else if (!ring_push(&ep->scq, ring_head(&ep->acks)))
		net_wrong(ep->net, "side %u takes too few completions of sends",
			  ep->side);
	ring_pop(&ep->acks);
}

/* The next thing to happen; its time. */
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

static void wire(void *arg)
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
			complete(ep);
		else
			move(ep);
		look(&net->ep[0]);
	}
	task_unlock();
}

/* The module's is_driven(). */
static bool is_driven(const struct icb_ep *ep, const struct net_done *done)
{
	if (READ_ONCE(ep->run->consumer.phase) == ICB_PHASE_OVER &&
	    (done->own || !READ_ONCE(ep->run->consumer.listens)))
		return false;
	return !done->err || !READ_ONCE(ep->run->consumer.stop);
}

/* The module's icb_ep_recv_done() and icb_ep_send_done(), in the context that calls back. */
static void interrupt(struct icb_ep *ep)
{
	const struct net_done *done = ring_head(&ep->rcq);
	enum net_call call = done->own ? NET_COMPLETED : NET_ARRIVED;
	struct icb_consumer *consumer = &ep->run->consumer;
	bool heard = done->grant;
	int err = 0;

	if (!is_driven(ep, done)) {
		ep->sq_used -= done->frees + done->notes;
		ring_pop(&ep->rcq);
		return;
	}
	if (heard)
		hear(ep, 0);
	else
		err = take(ep, 0);
	ep->calls[call]++;
	ep->calling = true;
	write_down(ep->net, call, ep->side, task_now(), err);
	task_unlock();
	task_step(cost[call]);
	if (heard)
		consumer->ops->heard(consumer, 0);
	else if (call == NET_COMPLETED)
		consumer->ops->completed(consumer, err);
	else
		consumer->ops->arrived(consumer, err);
	task_lock();
	ep->calling = false;
	window_take(ep);
}

static void interrupts(void *arg)
{
	struct icb_ep *ep = arg;

	task_lock();
	while (!ep->net->closing) {
		if (ep->rcq.count)
			interrupt(ep);
		else
			task_wait(&ep->rcq, TASK_FOREVER);
	}
	task_unlock();
}

/* The module's icb_ep_credits_plan(). */
static void open_credit(struct icb_ep *ep, const struct icb_params *params,
			unsigned int depth)
{
	const struct net_config *config = &ep->net->config;
	unsigned int i;

	for (i = 0; i < NET_LANES; i++)
		ep->recvs[i] = depth;
	if (!config->breaks || config->reckless)
		return;
	ep->plan.credited = icb_params_begins(params, !ep->side);
	ep->plan.credit_implicit = ep->plan.credited && icb_params_begins(params, ep->side);
	ep->plan.grants = !ep->plan.credited;
	ep->credits = icb_credits_plan(depth, params->window, ep->plan.credit_implicit,
				       &ep->batch);
	for (i = 0; i < NET_LANES; i++) {
		ep->credit[i] = ep->credits.ahead;
		ep->hearing[i] = ICB_CREDITS_HEARD;
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
		if (ep->net->told)
			ep->sq_depth += params->window / ep->net->told + 2;
	} else {
		ep->rq_depth = max_t(unsigned int, 2 * batch, MIN_RECVS);
		ep->sq_depth = 2 * params->signal_every + SPARE_SENDS;
	}
	open_credit(ep, params, ep->rq_depth);
	/* all of a kind together */
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

/* No byte more than there is: what reaches beyond is seen. */
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
	ep->plan.one_cpu = net->config.crowded;
	ep->waits_own = icb_params_waits_own(params, !side);
	ep->receiving = (net->verb->recv || net->told) &&
			(icb_params_begins(params, side) || params->reply);
	ep->ops = icb_params_has(params, ICBENCH_A_PARAMS_BATCH) ?
		params->batch : 1;
	ep->alarm = TASK_FOREVER;
	ep->senders = icb_buffers_sent(params, !side);
	ep->receivers = icb_buffers_filled(params, !side);
	icb_buffers_start(&ep->next, params);
	/* no byte more than there is: what reaches beyond is seen */
	ep->tx = buffers(ep->senders, net->tx.extent);
	ep->rx = buffers(ep->receivers, net->rx.extent);
	ep->sent = buffers(ep->senders, net->tx.extent);
	i = max_t(unsigned int, ep->senders, ep->receivers);
	ep->on_way = calloc(i, sizeof(*ep->on_way));
	open_queues(ep, params);
}

/**
 * net_open() - make a network
 * @net: where to
 * @config: how it behaves
 * @params: of the run
 * @run: the two sides' runs; their endpoints are set here
 */
void net_open(struct net *net, const struct net_config *config,
	      const struct icb_params *params, struct icb_run *run)
{
	unsigned int i;

	memset(net, 0, sizeof(*net));
	net->config = *config;
	net->lossy = icb_params_lossy(params);
	net->told = icb_params_report_every(params);
	net->stream = icb_params_windowed(params);
	net->sized = params->size_dist != ICBENCH_SIZE_DIST_FIXED;
	net->clock = params->trigger == ICBENCH_TRIGGER_CLOCK;
	if (net->stream)
		net->config.batch = params->qps > 1 && config->breaks ?
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

/* The timer of an open loop, in the context that it goes off in. */
static void alarms(void *arg)
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
		ep->telling = true;
		task_unlock();
		ep->run->consumer.ops->due(&ep->run->consumer);
		task_lock();
		ep->telling = false;
		task_wake(&ep->telling);
	}
	task_unlock();
}

/**
 * net_start() - make the tasks of a network
 * @net: of this
 */
void net_start(struct net *net)
{
	task_start("network", wire, net, true);
	if (net->clock)
		task_start("alarm", alarms, &net->ep[0], false);
	if (!net->callbacks)
		return;
	task_start("callbacks of side 0", interrupts, &net->ep[0],
		   false);
	task_start("callbacks of side 1", interrupts, &net->ep[1],
		   false);
}

/**
 * net_close() - end the tasks of a network
 * @net: of this
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
 * @net: of this
 */
void net_free(struct net *net)
{
	unsigned int i;

	for (i = 0; i < NET_SIDES; i++) {
		struct icb_ep *ep = &net->ep[i];

		free_buffers(ep->tx, ep->senders);
		free_buffers(ep->rx, ep->receivers);
		free_buffers(ep->sent, ep->senders);
		free(ep->on_way);
		free(ep->flights.entry);
		free(ep->acks.entry);
		free(ep->scq.entry);
		free(ep->rcq.entry);
	}
	free(net->log);
	current = NULL;
}
