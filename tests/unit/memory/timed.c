// SPDX-License-Identifier: GPL-2.0
/* Calls that are timed one by one, and the order in which they come. */
#include "host/clock.h"
#include "net.h"
#include "io/endpoint.h"

/* What a call may take in addition. */
#define JITTER	200

/* Prepare the next operation. */
int net_prepare(struct icb_ep *ep)
{
	u64 number = net_enter(ep, NET_PREPARE);

	if (!ep->net->verb->calls || ep->side)
		net_wrong(ep->net, "side %u times calls", ep->side);
	if (ep->ready || ep->timed)
		net_wrong(ep->net, "side %u begins an operation in another",
			  ep->side);
	ep->ready = true;
	ep->signal[0] = true;
	ep->linked[0] = false;
	if (number == net_faults(ep)->prepare)
		return net_leave(ep, NET_PREPARE, -EIO);
	return net_leave(ep, NET_PREPARE, 0);
}

/* The call that is due; the last one ends the operation. */
static void call_done(struct icb_ep *ep)
{
	if (++ep->timed < ep->net->verb->calls)
		return;
	ep->timed = 0;
	ep->ready = false;
	ep->operations++;
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
	const struct icb_verb *verb = ep->net->verb;
	u64 number;
	int err;

	/* it is a call of its own, too */
	if (call == ICB_CALL_POST_SEND) {
		err = icb_ep_commit(ep, 1);
		if (err)
			return err;
	}
	number = net_enter(ep, NET_TIMED);
	if (!ep->ready || ep->timed >= verb->calls ||
	    verb->call[ep->timed].call != call)
		net_wrong(ep->net, "call %u is not the next one", call);
	if (number == net_faults(ep)->timed)
		err = -ENODEV;
	else
		err = do_call(ep, call);
	net_leave(ep, NET_TIMED, err < 0 ? err : (int)call);
	task_step(task_random(JITTER));
	return err;
}

/* Make the next call of an operation. */
int net_timed(struct icb_ep *ep, u32 call, u64 *before, u64 *after)
{
	int found;

	*before = icb_clock_read();
	found = timed(ep, call);
	*after = icb_clock_read();
	return found;
}
