// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's calls of an endpoint. Each call takes virtual time, is logged, and is checked
 * against the contract of kmod/io/endpoint.h, before the function of the module is called.
 */
#define NET_CONTRACT

#include "engine/run.h"
#include "host/clock.h"
#include "queue.h"
#include "window.h"

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
	if (!ep->own.side || !icb_params_passive(ep->own.net->params))
		return true;
	return call == NET_TX || call == NET_RX ||
	       (call == NET_POLL_ANY && READ_ONCE(ep->own.run->consumer.stop));
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
	enter_call(ep->own.net, call);
	task_lock();
	if (!may_call(ep, call))
		net_wrong(ep->own.net, "side %u only offers memory, but makes call %u",
			  ep->own.side, call);
	return ++ep->own.calls[call];
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
	log_call(ep->own.net, call, ep->own.side, task_now(), result);
	task_unlock();
	/* other tasks may see the effect of the call before the caller continues */
	task_step(RETURN_COST);
	return result;
}

/**
 * net_clock() - let a network log the clock readings
 * @net: the network; NULL for none
 */
void net_clock(struct net *net)
{
	current = net;
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

static u8 *tx_buffer(struct icb_ep *ep, unsigned int buffer)
{
	struct net *net = ep->own.net;

	net_enter(ep, NET_TX);
	if (buffer >= ep->tx.count) {
		net_wrong(net, "side %u sends from buffer %u", ep->own.side, buffer);
		buffer = 0;
	}
	if (ep->own.in_flight[buffer] && !net->verb->passive && !net->config.lenient)
		net_wrong(net, "side %u writes a message to a buffer that is in flight",
			  ep->own.side);
	net_leave(ep, NET_TX, buffer);
	return icb_ep_buffer(ep, ICB_POOL_TX, buffer);
}

static u8 *rx_buffer(struct icb_ep *ep, unsigned int buffer)
{
	struct net *net = ep->own.net;

	net_enter(ep, NET_RX);
	if (buffer >= ep->rx.count) {
		net_wrong(net, "side %u reads buffer %u", ep->own.side, buffer);
		buffer = 0;
	}
	if (net->verb->passive && ep->own.in_flight[buffer] && !net->stream &&
	    !net->config.lenient)
		net_wrong(net, "side %u reads a buffer whose answer is in flight",
			  ep->own.side);
	net_leave(ep, NET_RX, buffer);
	return icb_ep_buffer(ep, ICB_POOL_RX, buffer);
}

u8 *net_ep_buffer(struct icb_ep *ep, enum icb_pool_kind kind, unsigned int buffer)
{
	return kind == ICB_POOL_TX ? tx_buffer(ep, buffer) :
				     rx_buffer(ep, buffer);
}

static unsigned int own_buffers(const struct icb_ep *ep)
{
	return ep->own.net->verb->passive ? ep->rx.count : ep->tx.count;
}

static bool set_buffer(struct icb_ep *ep, unsigned int op, unsigned int buffer)
{
	bool wrong = op >= ep->own.ops || buffer >= own_buffers(ep) ||
		     ep->own.net->verb->atomic;

	net_enter(ep, NET_SET_BUFFER);
	if (wrong)
		net_wrong(ep->own.net, "side %u sets buffer %u in slot %u",
			  ep->own.side, buffer, op);
	else
		ep->own.op_buffer[op] = buffer;
	net_leave(ep, NET_SET_BUFFER, buffer);
	return wrong;
}

static bool set_len(struct icb_ep *ep, unsigned int op, unsigned int buffer, u32 len)
{
	struct net *net = ep->own.net;
	bool wrong = op >= ep->own.ops || buffer >= own_buffers(ep) || !net->sized ||
		     !len || len > net->tx.extent || len > net->rx.extent;

	net_enter(ep, NET_SET_BUFFER);
	if (wrong)
		net_wrong(net, "side %u sets %u bytes of buffer %u in slot %u",
			  ep->own.side, len, buffer, op);
	else
		ep->own.op_buffer[op] = buffer;
	net_leave(ep, NET_SET_BUFFER, buffer);
	return wrong;
}

static bool set_operands(struct icb_ep *ep, unsigned int op, u64 compare_add, u64 swap)
{
	bool wrong = !ep->own.net->verb->atomic || op >= ep->own.ops;

	net_enter(ep, NET_SET_OPERANDS);
	if (wrong) {
		net_wrong(ep->own.net, "side %u sets operands in slot %u",
			  ep->own.side, op);
	} else {
		ep->own.compare_add[op] = compare_add;
		ep->own.swap[op] = swap;
	}
	net_leave(ep, NET_SET_OPERANDS, 0);
	return wrong;
}

static bool set_number(struct icb_ep *ep, unsigned int op)
{
	bool wrong = op >= ep->own.ops || !ep->own.net->lossy;

	if (wrong)
		net_wrong(ep->own.net, "side %u sets a number in slot %u", ep->own.side, op);
	return wrong;
}

/*
 * With policy channels, a side sends on one QP and receives on the other: the engine does
 * not select QPs.
 */
static bool may_select(const struct icb_ep *ep, u32 qp)
{
	return qp < ep->own.net->params->qps && !ep->plan.channels;
}

/*
 * Value of the fields of a completion that the engine must not read. No QP and no message
 * has this value.
 */
#define UNDEFINED	0x5a5a5a5a

struct icb_cpl net_ep_cpl(const struct icb_ep *ep, unsigned int i)
{
	bool numbered = ep->own.receiving && ep->own.net->lossy;
	struct icb_cpl cpl = icb_ep_cpl(ep, i);

	if (!numbered) {
		cpl.foreign = true;
		cpl.number = UNDEFINED;
	}
	if (!may_select(ep, cpl.qp))
		cpl.qp = UNDEFINED;
	return cpl;
}

static bool send_on(struct icb_ep *ep, u32 qp)
{
	bool wrong = !may_select(ep, qp);

	if (wrong)
		net_wrong(ep->own.net, "side %u sends on QP %u", ep->own.side, qp);
	return wrong;
}

void net_ep_recv_on(struct icb_ep *ep, u32 qp)
{
	if (!may_select(ep, qp))
		net_wrong(ep->own.net, "side %u receives on QP %u", ep->own.side, qp);
	else
		icb_ep_recv_on(ep, qp);
}

/* Append the operation in a slot to the list that is posted next. */
static void link_op(struct icb_ep *ep, unsigned int op, bool signal)
{
	ep->own.signal[op] = signal;
	ep->own.linked[op] = false;
	if (op)
		ep->own.linked[op - 1] = true;
}

static bool set_ready(struct icb_ep *ep, unsigned int op, bool signal)
{
	bool wrong = op >= ep->own.ops;

	net_enter(ep, NET_PREP);
	if (wrong)
		net_wrong(ep->own.net, "side %u prepares slot %u", ep->own.side, op);
	else
		link_op(ep, op, signal);
	net_leave(ep, NET_PREP, 0);
	return wrong;
}

/* Prepare an operation that is posted alone, and whose completion icb_ep_reap() takes. */
static bool set_single(struct icb_ep *ep, const struct icb_operation *op)
{
	if (op->batched)
		net_wrong(ep->own.net, "side %u posts a reaped operation in a batch",
			  ep->own.side);
	link_op(ep, 0, op->signal);
	return op->batched;
}

static bool set_notify(struct icb_ep *ep, unsigned int op)
{
	bool wrong = !ep->own.net->report_every || op >= ep->own.ops ||
		     ep->own.linked[op];

	net_enter(ep, NET_PREP);
	if (wrong)
		net_wrong(ep->own.net, "side %u sets a notification in slot %u",
			  ep->own.side, op);
	net_leave(ep, NET_PREP, 0);
	return wrong;
}

void net_ep_prep(struct icb_ep *ep, unsigned int slot,
		 const struct icb_operation *op)
{
	bool wrong = false;

	if (op->set & ICB_OPERATION_QP)
		wrong |= send_on(ep, op->qp);
	if (op->set & ICB_OPERATION_LEN)
		wrong |= set_len(ep, slot, op->buffer, op->len);
	else if (op->set & ICB_OPERATION_BUFFER)
		wrong |= set_buffer(ep, slot, op->buffer);
	if (op->set & ICB_OPERATION_NUMBER)
		wrong |= set_number(ep, slot);
	if (op->set & ICB_OPERATION_OPERANDS)
		wrong |= set_operands(ep, slot, op->compare_add, op->swap);
	if (op->set & ICB_OPERATION_SIGNAL)
		wrong |= op->reaped ? set_single(ep, op) : set_ready(ep, slot, op->signal);
	if (op->set & ICB_OPERATION_NOTIFY)
		wrong |= set_notify(ep, slot);
	if (!wrong)
		icb_ep_prep(ep, slot, op);
}

static void count_unsignalled(struct icb_ep *ep, bool signal)
{
	ep->own.unsignalled = signal ? 0 : ep->own.unsignalled + 1;
	if (ep->own.unsignalled > ep->own.most_unsignalled)
		ep->own.most_unsignalled = ep->own.unsignalled;
}

int net_ep_commit(struct icb_ep *ep, unsigned int slots)
{
	bool echo = ep->own.net->params->trigger == ICBENCH_TRIGGER_ECHO;
	enum net_call call = echo ? NET_POST : NET_POST_LIST;
	unsigned int op, count = 1;

	net_enter(ep, call);
	while (ep->own.linked[count - 1])
		count++;
	if (count != slots)
		net_wrong(ep->own.net, "side %u posts %u slots, but has prepared %u",
			  ep->own.side, slots, count);
	if (ep->own.net->stream)
		window_post(ep, count);
	for (op = 0; op < count; op++)
		count_unsignalled(ep, ep->own.signal[op]);
	return net_leave(ep, call, icb_ep_commit(ep, slots));
}

static int poll_next(struct icb_ep *ep)
{
	u64 number = net_enter(ep, NET_POLL);
	struct net *net = ep->own.net;
	int n;

	if (net->callbacks || net->stream ||
	    !(ep->own.receiving || ep->plan.waits_own))
		net_wrong(net, "side %u polls a CQ", ep->own.side);
	if (number == net_faults(ep)->poll)
		return net_leave(ep, NET_POLL, -EIO);
	n = icb_ep_poll(ep, 1, NULL);
	if (n > 0 && !net->lossy && !ep->plan.striped &&
	    ep->own.polled != &ep->rx_at->rx_cqe)
		net_wrong(net, "side %u takes a message of another QP than %u", ep->own.side,
			  ep->rx_at->index);
	ep->own.taken += n > 0;
	return net_leave(ep, NET_POLL, n);
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
	unsigned int before = taken->arrived;
	int n = icb_ep_poll(ep, limit, taken);

	ep->own.taken += taken->arrived - before;
	return n;
}

static int poll_any(struct icb_ep *ep, unsigned int limit,
		    struct icb_taken *taken)
{
	u64 number = net_enter(ep, NET_POLL_ANY);
	struct net *net = ep->own.net;

	if (!limit || limit > ICB_EP_TAKE)
		net_wrong(net, "side %u takes up to %u", ep->own.side, limit);
	if (net->callbacks || !net->stream)
		net_wrong(net, "side %u polls a CQ", ep->own.side);
	window_take(ep);
	if (number == net_faults(ep)->poll)
		return net_leave(ep, NET_POLL_ANY, -EIO);
	return net_leave(ep, NET_POLL_ANY, net_take(ep, limit, taken));
}

int net_ep_poll(struct icb_ep *ep, unsigned int limit, struct icb_taken *taken)
{
	return taken ? poll_any(ep, limit, taken) : poll_next(ep);
}

int net_ep_refill(struct icb_ep *ep)
{
	u64 number = net_enter(ep, NET_REFILL);

	if (!ep->own.receiving)
		net_wrong(ep->own.net,
			  "side %u refills receives, but no message consumes any",
			  ep->own.side);
	if (number == net_faults(ep)->refill)
		return net_leave(ep, NET_REFILL, -ENOMEM);
	if (++ep->own.refills > ep->own.taken)
		net_wrong(ep->own.net, "side %u refills more receives than it has taken",
			  ep->own.side);
	return net_leave(ep, NET_REFILL, icb_ep_refill(ep));
}

int net_ep_reap(struct icb_ep *ep, bool always)
{
	enum net_call call = always ? NET_REAP_ALWAYS : NET_REAP;

	net_enter(ep, call);
	if ((always || ep->post.signals) && ep->plan.waits_own)
		net_wrong(ep->own.net, "side %u reaps a CQ that gets no completions",
			  ep->own.side);
	return net_leave(ep, call, icb_ep_reap(ep, always));
}

int net_ep_reject(struct icb_ep *ep, enum icb_wrong wrong, u32 len, u32 due)
{
	if (wrong == ICB_WRONG_LENGTH && len == due)
		net_wrong(ep->own.net, "side %u rejects the length %u, but %u is expected",
			  ep->own.side, len, due);
	return icb_ep_reject(ep, wrong, len, due);
}

int net_ep_reply(struct icb_ep *ep)
{
	net_enter(ep, NET_REPLY);
	if (ep->own.receives - ep->own.arrived < ep->own.net->params->window)
		net_wrong(ep->own.net, "side %u has no receives for the next window",
			  ep->own.side);
	return net_leave(ep, NET_REPLY, icb_ep_reply(ep));
}

/*
 * The functions of a run that completion functions call, through a log.
 */

static struct icb_ep *ep_of(struct icb_consumer *consumer)
{
	return icb_run_of(consumer)->ep;
}

static void log_callback(struct icb_ep *ep, enum net_call call, bool taken, int err)
{
	task_lock();
	ep->own.calls[call]++;
	ep->own.taken += taken;
	log_call(ep->own.net, call, ep->own.side, task_now(), err);
	task_unlock();
	task_step(cost[call]);
}

static void arrived(struct icb_consumer *consumer, int err)
{
	struct icb_ep *ep = ep_of(consumer);

	log_callback(ep, NET_ARRIVED, !err, err);
	ep->own.consumer->arrived(consumer, err);
}

static void completed(struct icb_consumer *consumer, int err)
{
	struct icb_ep *ep = ep_of(consumer);

	log_callback(ep, NET_COMPLETED, false, err);
	ep->own.consumer->completed(consumer, err);
}

static void heard(struct icb_consumer *consumer, int err)
{
	struct icb_ep *ep = ep_of(consumer);

	log_callback(ep, NET_ARRIVED, false, err);
	ep->own.consumer->heard(consumer, err);
}

static void due(struct icb_consumer *consumer)
{
	ep_of(consumer)->own.consumer->due(consumer);
}

/* Callbacks for a run that needs all of them. */
static const struct icb_consumer_ops logged = {
	.arrived = arrived,
	.completed = completed,
	.heard = heard,
	.due = due,
};

/* Callbacks for a run that does not wait for its own work. */
static const struct icb_consumer_ops logged_arrivals = {
	.arrived = arrived,
	.heard = heard,
	.due = due,
};

/* Let a run be called through the log. */
static void log_consumer(struct icb_ep *ep)
{
	struct icb_consumer *consumer = ep->consumer;

	if (!consumer->ops || consumer->ops == &logged ||
	    consumer->ops == &logged_arrivals)
		return;
	ep->own.consumer = consumer->ops;
	consumer->ops = consumer->ops->completed ? &logged : &logged_arrivals;
}

/* Call the completion function of the oldest completion of a CQ, as the core does. */
static void call_back(struct icb_ep *ep, struct vb_cq *cq)
{
	struct vb_wc wc;

	vb_poll(cq, 1, &wc);
	log_consumer(ep);
	ep->own.in_callback = true;
	task_unlock();
	vb_wc_cqe(&wc)->done(cq, &wc);
	task_lock();
	ep->own.in_callback = false;
	window_take(ep);
}

/* Return a CQ of a side that has completions; NULL if there is none. */
static struct vb_cq *pending(const struct icb_ep *ep)
{
	unsigned int i;

	for (i = 0; i < ep->plan.pairs; i++)
		if (ep->cqs[i].rcq->entries.count)
			return ep->cqs[i].rcq;
	return NULL;
}

/**
 * net_callbacks() - call the completion functions of a side
 * @arg: endpoint of the side
 *
 * A task; ends with the network.
 */
void net_callbacks(void *arg)
{
	struct icb_ep *ep = arg;
	struct vb_cq *cq;

	task_lock();
	while (!ep->own.net->closing) {
		cq = pending(ep);
		if (cq)
			call_back(ep, cq);
		else
			task_wait(&ep->own.in_callback, TASK_FOREVER);
	}
	task_unlock();
}
