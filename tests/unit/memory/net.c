// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "clock.h"
#include "net.h"

/* What the SQ holds beside messages, as in the module. */
#define SPARE_SENDS	6
#define MIN_RECVS	4

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
	[NET_CROWDED] = 10,
	[NET_OPERAND] = 10,
	[NET_POST] = 300,
	[NET_POLL] = 40,
	[NET_REFILL] = 100,
	[NET_REAP] = 30,
	[NET_CHECK] = 30,
	[NET_ARM] = 200,
	[NET_SLEEP] = 500,
	[NET_PAUSE] = 2000,
	[NET_BREATHE] = 10,
	[NET_WAIT_OVER] = 100,
	[NET_OVER] = 50,
	[NET_ARRIVED] = 200,
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

static u64 enter(struct icb_ep *ep, enum net_call call)
{
	begin(ep->net, call);
	task_lock();
	/* it holds its memory ready, and looks at it afterwards */
	if (ep->net->verb->passive && ep->side && call != NET_TX &&
	    call != NET_RX)
		net_wrong(ep->net, "side %u takes part: call %u", ep->side,
			  call);
	return ++ep->calls[call];
}

static int leave(struct icb_ep *ep, enum net_call call, int result)
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

static struct icb_ep *other(struct icb_ep *ep)
{
	return &ep->net->ep[!ep->side];
}

static const struct net_faults *faults(const struct icb_ep *ep)
{
	return &ep->net->config.faults[ep->side];
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

u8 *icb_ep_tx(struct icb_ep *ep, unsigned int slot)
{
	enter(ep, NET_TX);
	if (slot >= icb_run_slots(ep->net->params))
		net_wrong(ep->net, "side %u takes slot %u", ep->side, slot);
	else if (ep->on_way[slot] && !ep->net->config.lenient)
		net_wrong(ep->net, "side %u makes a message in a slot that is on its way",
			  ep->side);
	leave(ep, NET_TX, slot);
	return ep->tx[slot];
}

u8 *icb_ep_rx(struct icb_ep *ep, unsigned int slot)
{
	enter(ep, NET_RX);
	if (slot >= icb_run_slots(ep->net->params))
		net_wrong(ep->net, "side %u looks at slot %u", ep->side, slot);
	else if (ep->waits_own && ep->on_way[slot] && !ep->net->config.lenient)
		net_wrong(ep->net, "side %u looks where an answer is due",
			  ep->side);
	leave(ep, NET_RX, slot);
	return ep->rx[slot];
}

void icb_ep_operand(struct icb_ep *ep, u64 compare_add, u64 swap)
{
	enter(ep, NET_OPERAND);
	if (!ep->net->verb->atomic)
		net_wrong(ep->net, "side %u gives operands", ep->side);
	ep->compare_add = compare_add;
	ep->swap = swap;
	leave(ep, NET_OPERAND, 0);
}

bool icb_ep_crowded(const struct icb_ep *ep)
{
	begin(ep->net, NET_CROWDED);
	return ep->net->config.crowded;
}

static void note_signal(struct icb_ep *ep, bool signal)
{
	ep->signals += signal;
	ep->silent = signal ? 0 : ep->silent + 1;
	if (ep->silent > ep->most_silent)
		ep->most_silent = ep->silent;
}

static void send_off(struct icb_ep *ep, unsigned int slot, bool signal)
{
	const struct net_config *config = &ep->net->config;
	const struct net_flight *before = ring_tail(&ep->flights);
	struct net_flight flight = {
		.number = ep->posts,
		.due = task_now() + config->delay +
		       task_random(config->jitter + 1),
		.slot = slot,
		.signal = signal,
		.compare_add = ep->compare_add,
		.swap = ep->swap,
	};

	if (before && before->due > flight.due)
		flight.due = before->due;
	if (ep->on_way[slot] && !config->lenient)
		net_wrong(ep->net, "side %u posts a slot that is on its way",
			  ep->side);
	ep->on_way[slot]++;
	memcpy(ep->sent[slot], ep->tx[slot], ep->net->params->size);
	ring_push(&ep->flights, &flight);
	task_wake(ep->net);
}

int icb_ep_post(struct icb_ep *ep, unsigned int slot, bool signal)
{
	u64 number = enter(ep, NET_POST);

	if (slot >= icb_run_slots(ep->net->params)) {
		net_wrong(ep->net, "side %u posts slot %u", ep->side, slot);
		return leave(ep, NET_POST, -EINVAL);
	}
	/* as the module counts them: before it knows whether it is taken */
	note_signal(ep, signal);
	if (number == faults(ep)->post)
		return leave(ep, NET_POST, -ENOMEM);
	if (ep->sq_used == ep->sq_depth) {
		ep->sq_full++;
		return leave(ep, NET_POST, -ENOMEM);
	}
	ep->sq_used++;
	ep->posts++;
	send_off(ep, slot, signal);
	return leave(ep, NET_POST, 0);
}

/* A completion that the engine waits for is handed to it. */
static int take(struct icb_ep *ep)
{
	const struct net_done *done = ring_head(&ep->rcq);
	int err = done->err;

	/* its own one tells it no length */
	if (!err && done->len != ep->net->params->size && !ep->waits_own)
		err = -EPROTO;
	ep->sq_used -= done->frees;
	ring_pop(&ep->rcq);
	if (err)
		return failed(ep, err);
	ep->taken++;
	return 0;
}

int icb_ep_poll(struct icb_ep *ep)
{
	u64 number = enter(ep, NET_POLL);
	int result = 0;

	if (ep->net->callbacks || !(ep->net->verb->recv || ep->waits_own))
		net_wrong(ep->net, "side %u polls a CQ", ep->side);
	if (number == faults(ep)->poll)
		result = -EIO;
	else if (ep->rcq.count)
		result = take(ep) ? : 1;
	return leave(ep, NET_POLL, result);
}

int icb_ep_refill(struct icb_ep *ep)
{
	u64 number = enter(ep, NET_REFILL);

	if (!ep->net->verb->recv)
		net_wrong(ep->net, "side %u gives back a receive that nothing takes",
			  ep->side);
	if (number == faults(ep)->refill)
		return leave(ep, NET_REFILL, -ENOMEM);
	if (++ep->refills > ep->taken)
		net_wrong(ep->net, "side %u gives back more receives than it took",
			  ep->side);
	if (!(ep->refills % ep->net->config.batch))
		ep->receives += ep->net->config.batch;
	if (ep->receives - ep->arrived > ep->rq_depth)
		net_wrong(ep->net, "side %u posts more receives than there are",
			  ep->side);
	return leave(ep, NET_REFILL, 0);
}

static int take_sends(struct icb_ep *ep)
{
	const struct net_done *done;

	if (ep->waits_own)
		net_wrong(ep->net, "side %u looks for completions where none come",
			  ep->side);
	while ((done = ring_head(&ep->scq))) {
		int err = done->err;

		ep->sq_used -= done->frees;
		ring_pop(&ep->scq);
		if (err)
			return failed(ep, err);
		ep->signals--;
	}
	return 0;
}

int icb_ep_reap(struct icb_ep *ep)
{
	enter(ep, NET_REAP);
	return leave(ep, NET_REAP, ep->signals ? take_sends(ep) : 0);
}

int icb_ep_check(struct icb_ep *ep)
{
	enter(ep, NET_CHECK);
	return leave(ep, NET_CHECK, take_sends(ep));
}

int icb_ep_arm(struct icb_ep *ep)
{
	u64 number = enter(ep, NET_ARM);

	if (mode(ep) != ICBENCH_COMPLETION_BLOCK)
		net_wrong(ep->net, "side %u asks for an event", ep->side);
	if (number == faults(ep)->arm)
		return leave(ep, NET_ARM, -EIO);
	if (ep->rcq.count) {
		ep->missed++;
		ep->event = true;
	} else {
		ep->armed = true;
	}
	return leave(ep, NET_ARM, 0);
}

void icb_ep_sleep(struct icb_ep *ep, const int *stop)
{
	enter(ep, NET_SLEEP);
	if (mode(ep) != ICBENCH_COMPLETION_BLOCK)
		net_wrong(ep->net, "side %u sleeps", ep->side);
	if (task_random(1000) < ep->net->config.spurious) {
		ep->event = true;
		ep->armed = false;
	}
	while (!ep->event && !READ_ONCE(*stop))
		task_wait(ep, TASK_FOREVER);
	ep->event = false;
	leave(ep, NET_SLEEP, 0);
}

void icb_ep_pause(struct icb_ep *ep, u64 waited)
{
	enter(ep, NET_PAUSE);
	if (ep->net->callbacks)
		net_wrong(ep->net, "side %u pauses in a callback", ep->side);
	if (waited > ep->run->timeout)
		net_wrong(ep->net, "side %u goes on after its timeout",
			  ep->side);
	leave(ep, NET_PAUSE, 0);
	task_yield();
}

void icb_ep_breathe(struct icb_ep *ep)
{
	enter(ep, NET_BREATHE);
	if (ep->net->callbacks)
		net_wrong(ep->net, "side %u pauses in a callback", ep->side);
	leave(ep, NET_BREATHE, 0);
}

void icb_ep_wait_over(struct icb_ep *ep, struct icb_run *run)
{
	enter(ep, NET_WAIT_OVER);
	if (!ep->net->callbacks)
		net_wrong(ep->net, "side %u waits for callbacks", ep->side);
	while (READ_ONCE(run->phase) != ICB_PHASE_OVER && !READ_ONCE(run->stop))
		task_wait(ep, TASK_FOREVER);
	leave(ep, NET_WAIT_OVER, 0);
}

void icb_ep_over(struct icb_ep *ep, struct icb_run *run)
{
	enter(ep, NET_OVER);
	WRITE_ONCE(run->phase, ICB_PHASE_OVER);
	task_wake(ep);
	leave(ep, NET_OVER, 0);
}

/*
 * The network's side
 */

static void notify(struct icb_ep *ep)
{
	if (ep->armed) {
		ep->armed = false;
		ep->event = true;
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

/* A message is there as a whole; of a write alone nobody is told. */
static void arrive(struct icb_ep *ep, const struct net_flight *flight)
{
	const struct net_faults *sender = faults(other(ep));
	struct net_done done = { .len = ep->net->params->size };

	if (ep->net->verb->recv && ep->arrived == ep->receives) {
		net_wrong(ep->net, "side %u has no receive for a message",
			  ep->side);
		return;
	}
	ep->arrived++;
	if (!ep->net->verb->recv)
		return;
	if (flight->number == sender->cut)
		done.len--;
	if (ep->arrived == faults(ep)->recv)
		done.err = -ECONNRESET;
	deliver(ep, &done);
}

/* The byte of a message that is damaged on its way; its size for none. */
static u32 damaged(const struct icb_ep *from, const struct net_flight *flight)
{
	u32 size = from->net->params->size;

	if (flight->number != faults(from)->corrupt || !size)
		return size;
	return faults(from)->byte % size;
}

/* A send lands where its receive says: the receives' slots take turns. */
static void land_send(struct icb_ep *to, const struct net_flight *flight)
{
	unsigned int slots = icb_run_slots(to->net->params);
	u8 *rx = to->rx[(to->arrived + 1) & (slots - 1)];
	u32 size = to->net->params->size;
	struct icb_ep *from = other(to);

	memcpy(rx, from->tx[flight->slot], size);
	if (damaged(from, flight) < size)
		rx[damaged(from, flight)] ^= DAMAGE;
	arrive(to, flight);
}

/* A write lands in pieces, its last byte last; returns whether it was that. */
static bool land_write(struct icb_ep *to, struct net_flight *flight)
{
	struct icb_ep *from = other(to);
	u32 last = to->net->params->size - 1, half = last / 2;
	u8 *rx = to->rx[flight->slot], value;
	const u8 *tx = from->tx[flight->slot];

	/* immediate data alone */
	if (!to->net->params->size) {
		arrive(to, flight);
		return true;
	}
	switch (flight->stage++) {
	case 0:
		memcpy(rx + half, tx + half, last - half);
		return false;
	case 1:
		memcpy(rx, tx, half);
		if (damaged(from, flight) < last)
			rx[damaged(from, flight)] ^= DAMAGE;
		return false;
	default:
		value = tx[last];
		if (damaged(from, flight) == last)
			value ^= DAMAGE;
		__atomic_store_n(&rx[last], value, __ATOMIC_RELEASE);
		arrive(to, flight);
		return true;
	}
}

/* A message goes on; returns whether it has arrived. */
static bool land(struct icb_ep *to, struct net_flight *flight)
{
	struct icb_ep *from = other(to);
	const struct net *net = to->net;
	u64 copies = faults(from)->copies ? : 1;

	if (memcmp(from->sent[flight->slot], from->tx[flight->slot],
		   net->params->size) && !net->config.lenient)
		net_wrong(to->net, "side %u changes a message that is on its way",
			  from->side);
	if (net->verb->remote && !land_write(to, flight))
		return false;
	if (!net->verb->remote)
		land_send(to, flight);
	if (flight->number != faults(from)->twice)
		return true;
	while (copies--) {
		if (net->verb->remote)
			arrive(to, flight);
		else
			land_send(to, flight);
	}
	return true;
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
		.frees = ++from->unacked,
	};

	if (faults(from)->late && flight->number >= faults(from)->late)
		return;
	if (!flight->signal && !err)
		return;
	from->unacked = 0;
	if (before && before->due > ack.due)
		ack.due = before->due;
	ring_push(&from->acks, &ack);
}

/* What could not be sent breaks the connection: its receives are flushed. */
static void break_down(struct icb_ep *from, const struct net_flight *flight)
{
	struct net_done flushed = { .err = -ECONNRESET };

	push_ack(from, flight, -ECONNRESET);
	deliver(from, &flushed);
}

/* A message goes on to the other side; returns whether it is over. */
static bool carry(struct icb_ep *from, struct net_flight *flight)
{
	if (flight->number == faults(from)->drop)
		return true;
	if (flight->number == faults(from)->send) {
		break_down(from, flight);
		return true;
	}
	if (!land(other(from), flight))
		return false;
	push_ack(from, flight, 0);
	return true;
}

/* What a passive verb waits for: the completion of its own work request. */
static void complete_own(struct icb_ep *ep, const struct net_flight *flight,
			 int err)
{
	struct net_done done = {
		.err = err,
		.len = ep->net->params->size,
		.frees = ++ep->unacked,
	};

	if (faults(ep)->late && flight->number >= faults(ep)->late)
		return;
	if (!flight->signal && !err)
		return;
	ep->unacked = 0;
	deliver(ep, &done);
}

/* Do to the word of this side what an atomic asks for; what it was before. */
static u64 work(struct icb_ep *ep, const struct net_flight *flight)
{
	const struct net_faults *sender = faults(other(ep));
	u64 operand = flight->compare_add, old, new;

	if (flight->number == sender->corrupt)
		((u8 *)&operand)[sender->byte % sizeof(operand)] ^= DAMAGE;
	memcpy(&old, ep->rx[0], sizeof(old));
	if (ep->net->params->verb == ICBENCH_VERB_FETCH_ADD)
		new = old + operand;
	else
		new = old == operand ? flight->swap : old;
	memcpy(ep->rx[0], &new, sizeof(new));
	return old;
}

/* A request finds the memory of a side, which is not told. */
static void land_request(struct icb_ep *ep, struct net_flight *flight)
{
	const struct net_faults *sender = faults(other(ep));
	u64 copies = sender->copies ? : 1;

	ep->arrived++;
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
	const struct net_faults *sender = faults(from);

	if (sender->empty && flight->number >= sender->empty &&
	    flight->number <= sender->empty + sender->empties)
		return 0;
	return from->net->params->size - (flight->number == sender->cut);
}

/* An answer lands in pieces; returns whether this was the last one. */
static bool land_answer(struct icb_ep *ep, struct net_flight *flight)
{
	struct icb_ep *from = other(ep);
	u32 len = brought(from, flight), half = len / 2;
	const u8 *answer = ep->net->verb->atomic ? (u8 *)&flight->old :
						   from->tx[flight->slot];
	u8 *rx = ep->rx[flight->slot];

	if (flight->stage++ == 1) {
		memcpy(rx + half, answer + half, len - half);
		return false;
	}
	memcpy(rx, answer, half);
	if (damaged(from, flight) < len)
		rx[damaged(from, flight)] ^= DAMAGE;
	ep->arrived++;
	complete_own(ep, flight,
		     ep->arrived == faults(ep)->recv ? -ECONNRESET : 0);
	return true;
}

/* To the memory of the other side, and back; returns whether it is over. */
static bool reach(struct icb_ep *ep, struct net_flight *flight)
{
	if (flight->stage)
		return flight->number == faults(other(ep))->drop ||
		       land_answer(ep, flight);
	if (flight->number == faults(ep)->drop)
		return true;
	if (flight->number == faults(ep)->send) {
		complete_own(ep, flight, -ECONNRESET);
		return true;
	}
	land_request(other(ep), flight);
	flight->stage++;
	return false;
}

static void move(struct icb_ep *from)
{
	struct net_flight *flight = ring_head(&from->flights);
	const struct net_config *config = &from->net->config;

	if (from->waits_own ? reach(from, flight) : carry(from, flight)) {
		from->on_way[flight->slot]--;
		ring_pop(&from->flights);
		return;
	}
	flight->due = task_now() + task_random(config->jitter + 1);
	/* the way back */
	if (from->waits_own && flight->stage == 1)
		flight->due += config->delay;
}

/* A completion of a send becomes visible. */
static void complete(struct icb_ep *ep)
{
	if (!ring_push(&ep->scq, ring_head(&ep->acks)))
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
	}
	task_unlock();
}

/* The module's recv_done(), in the context that calls back. */
static void interrupt(struct icb_ep *ep)
{
	int err;

	if (READ_ONCE(ep->run->phase) == ICB_PHASE_OVER) {
		ring_pop(&ep->rcq);
		return;
	}
	err = take(ep);
	ep->calls[NET_ARRIVED]++;
	write_down(ep->net, NET_ARRIVED, ep->side, task_now(), err);
	task_unlock();
	task_step(cost[NET_ARRIVED]);
	ep->run->ops->arrived(ep->run, err);
	task_lock();
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

static void open_ep(struct net *net, unsigned int side, struct icb_run *run)
{
	const struct icb_params *params = net->params;
	struct icb_ep *ep = &net->ep[side];
	unsigned int i;

	ep->net = net;
	ep->run = run;
	ep->side = side;
	ep->waits_own = net->verb->passive && !side;
	/* no byte more than there is: what reaches beyond is seen */
	for (i = 0; i < icb_run_slots(params); i++) {
		ep->tx[i] = calloc(1, params->size);
		ep->rx[i] = calloc(1, params->size);
		ep->sent[i] = calloc(1, params->size);
	}
	ep->rq_depth = 2 * net->config.batch;
	if (ep->rq_depth < MIN_RECVS)
		ep->rq_depth = MIN_RECVS;
	ep->receives = ep->rq_depth;
	ep->sq_depth = 2 * params->signal_every + SPARE_SENDS;
	ring_open(&ep->flights, sizeof(struct net_flight), ep->sq_depth);
	ring_open(&ep->acks, sizeof(struct net_done), ep->sq_depth);
	ring_open(&ep->scq, sizeof(struct net_done), ep->sq_depth + 2);
	ring_open(&ep->rcq, sizeof(struct net_done),
		  2 + (ep->waits_own ? ep->sq_depth : ep->rq_depth));
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
	if (!net->config.batch)
		net->config.batch = 1;
	net->params = params;
	net->verb = icb_verb_of(params);
	net->callbacks = BIT(params->completion) & ICB_COMPLETIONS_CALLBACK;
	for (i = 0; i < NET_SIDES; i++) {
		open_ep(net, i, &run[i]);
		run[i].ep = &net->ep[i];
	}
	current = net;
}

/**
 * net_start() - make the tasks of a network
 * @net: of this
 */
void net_start(struct net *net)
{
	task_start("network", wire, net, true);
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
	task_unlock();
}

/**
 * net_free() - undo net_open()
 * @net: of this
 */
void net_free(struct net *net)
{
	unsigned int i, j;

	for (i = 0; i < NET_SIDES; i++) {
		struct icb_ep *ep = &net->ep[i];

		for (j = 0; j < NET_SLOTS; j++) {
			free(ep->tx[j]);
			free(ep->rx[j]);
			free(ep->sent[j]);
		}
		free(ep->flights.entry);
		free(ep->acks.entry);
		free(ep->scq.entry);
		free(ep->rcq.entry);
	}
	free(net->log);
	current = NULL;
}
