// SPDX-License-Identifier: GPL-2.0
/* Calls that are timed one at a time, and checks of their order. */
#include "host/clock.h"
#include "net.h"
#include "io/endpoint.h"

/* Largest random addition to the time of a call, ticks. */
#define JITTER	200

/**
 * net_prepare() - prepare the next operation of a verb that times calls
 * @ep: the endpoint
 *
 * The prepare() of struct icb_side_ops.
 *
 * Return: 0; a negative error number.
 */
int net_prepare(struct icb_ep *ep)
{
	const struct icb_operation signalled = { .signal = true };
	u64 number = net_enter(ep, NET_PREPARE);

	if (!ep->own.net->verb->calls || ep->own.side)
		net_wrong(ep->own.net, "side %u times calls", ep->own.side);
	if (ep->own.prepared || ep->own.calls_done)
		net_wrong(ep->own.net, "side %u prepares an operation before the last one ended",
			  ep->own.side);
	ep->own.prepared = true;
	ep->own.signal[0] = true;
	ep->own.linked[0] = false;
	icb_ep_ready(ep, 0, &signalled);
	if (number == net_faults(ep)->prepare)
		return net_leave(ep, NET_PREPARE, -EIO);
	return net_leave(ep, NET_PREPARE, 0);
}

/* Count a timed call. The last call ends the operation. */
static void call_done(struct icb_ep *ep)
{
	if (++ep->own.calls_done < ep->own.net->verb->calls)
		return;
	ep->own.calls_done = 0;
	ep->own.prepared = false;
	ep->own.operations++;
}

static int do_call(struct icb_ep *ep, u32 call)
{
	struct icb_taken taken = {};
	int n;

	switch (call) {
	case ICB_CALL_POLL_EMPTY:
		n = net_take(ep, 1, &taken) ? -EIO : 0;
		break;
	case ICB_CALL_POLL:
		n = net_take(ep, 1, &taken);
		if (!n)
			return 0;
		break;
	default:
		n = 0;
		break;
	}
	if (n >= 0)
		call_done(ep);
	return n;
}

static int timed(struct icb_ep *ep, u32 call)
{
	const struct icb_verb *verb = ep->own.net->verb;
	u64 number;
	int err;

	/* icb_ep_commit() is also an entry of the log */
	if (call == ICB_CALL_POST_SEND) {
		err = icb_ep_commit(ep, 1);
		if (err)
			return err;
	}
	number = net_enter(ep, NET_TIMED);
	if (!ep->own.prepared || ep->own.calls_done >= verb->calls ||
	    verb->call[ep->own.calls_done].call != call)
		net_wrong(ep->own.net, "call %u is not the next one", call);
	if (number == net_faults(ep)->timed)
		err = -ENODEV;
	else
		err = do_call(ep, call);
	net_leave(ep, NET_TIMED, err < 0 ? err : (int)call);
	task_step(task_random(JITTER));
	return err;
}

/**
 * net_timed() - make the next timed call of an operation
 * @ep: the endpoint
 * @call: enum icb_call_id
 * @before: set to the clock before the call
 * @after: set to the clock after the call
 *
 * The call() of struct icb_side_ops.
 *
 * Return: 0; for ICB_CALL_POLL, the number of completions found; a negative error number.
 */
int net_timed(struct icb_ep *ep, u32 call, u64 *before, u64 *after)
{
	int found;

	*before = icb_clock_read();
	found = timed(ep, call);
	*after = icb_clock_read();
	return found;
}
