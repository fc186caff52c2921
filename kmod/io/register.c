// SPDX-License-Identifier: GPL-2.0
/* Registration of a run's buffers, and the first posting of its receives. */
#include "host/abort.h"
#include "host/cause.h"
#include "model/verbs_table.h"
#include "model/wire.h"
#include "places.h"
#include "receives.h"
#include "register.h"
#include "requests.h"
#include "verbs/provider.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

/* Register the buffers that are sent, or that read and atomic responses land in. */
static int register_own(struct icb_ep *ep, u32 verb, unsigned long until,
			struct icb_reason *why)
{
	bool passive = icb_verb_table[verb].passive;
	struct icb_pool *pool = passive ? &ep->rx : &ep->tx;
	int access = passive ? VB_ACCESS_LOCAL_WRITE : 0, err;
	unsigned int i;

	/* in iWARP a read response is a write of the peer into this buffer */
	if (ep->plan.sink)
		access |= VB_ACCESS_REMOTE_WRITE;
	err = icb_ep_register_pool(ep, pool, access, until, why);
	if (err)
		return err;
	icb_ep_use_regions(pool, ep->post.place, false);
	for (i = 0; i < icb_ep_ops_of(ep); i++)
		vb_wr_set_num_sge(&ep->post.op[i], ep->post.place->num_sge);
	return 0;
}

/*
 * Register the receive buffers, then post the receives. Receives can be posted this late
 * because the peer does not send before it is notified of what is registered.
 */
static int register_recvs(struct icb_ep *ep, unsigned long until,
			  struct icb_reason *why)
{
	int err;

	err = icb_ep_register_pool(ep, &ep->rx, VB_ACCESS_LOCAL_WRITE, until, why);
	if (!err)
		err = icb_ep_wait_regs(ep, until);
	if (err)
		return err;
	icb_ep_use_regions(&ep->rx, ep->rail->rx_place, ep->plan.datagrams);
	err = icb_ep_post_recvs(ep->qp);
	return err ? icb_refuse(why, err, "posting receives failed: %s (%d)",
				icb_cause_of_device(err), err) : 0;
}

/**
 * icb_ep_register() - register the memory that a run needs registered
 * @ep: endpoint, connected
 * @rail: index of the device
 * @verb: verb of the run
 * @ready: message that announces the registered memory to the peer; zeroed
 * @timeout: limit for all registrations of this call, ns
 * @why: the reason of a failure
 *
 * Registers what the peer accesses with the rights that the verb needs, and no others.
 * Registers the side's own buffers where these have to be regions, too. May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_register(struct icb_ep *ep, unsigned int rail, u32 verb,
		    struct icb_wire_ready *ready, u64 timeout,
		    struct icb_reason *why)
{
	unsigned long until = vb_deadline(timeout);
	int err = 0;

	if (ep->plan.offers_memory)
		err = icb_ep_offer(ep, &ep->rail[rail], verb, ready, until, why);
	if (!err && ep->plan.posts && (ep->plan.sink || ep->plan.regions))
		err = register_own(ep, verb, until, why);
	if (!err && ep->plan.receives && ep->plan.regions)
		err = register_recvs(ep, until, why);
	if (!err)
		err = icb_ep_wait_regs(ep, until);
	if (!err || why->text[0] || icb_abort_check(ep->abort, why))
		return err;
	return icb_refuse(why, err, "registering memory failed: %s (%d)",
			  icb_cause_of_device(err), err);
}
