// SPDX-License-Identifier: GPL-2.0
#include "model/params.h"
#include "model/wire.h"
#include "target.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

/* Check that the offered regions hold all buffers, and that no region is left over. */
static int check_offer(const struct icb_ep *ep,
		       const struct icb_wire_ready *ready, u32 *per,
		       struct icb_reason *why)
{
	u32 count = le32_to_cpu(ready->count), i, len;
	u32 stride = le32_to_cpu(ready->stride);
	u32 due = ep->plan.accesses_remote && ep->plan.size, places = ep->plan.tx_places;

	*per = 1;
	len = le32_to_cpu(ready->region[0].len);
	if (due && stride >= ep->plan.size && len >= ep->plan.size)
		*per = min_t(u32, (len - ep->plan.size) / stride + 1, places);
	if (due)
		due = DIV_ROUND_UP(places, *per);
	/* there may be many buffers, but the message has only this many regions */
	if (count != due || due > ICB_WIRE_REGIONS)
		return icb_refuse(why, -EPROTO,
				  "the peer offers %u regions instead of %u",
				  count, due);
	for (i = count; i < ICB_WIRE_REGIONS; i++)
		if (memchr_inv(&ready->region[i], 0, sizeof(ready->region[i])))
			goto malformed;
	if (count ? stride < ep->plan.size : stride)
		goto malformed;
	for (i = 0; i < count; i++) {
		u32 held = min_t(u32, places - i * *per, *per);
		u64 least = (held - 1) * (u64)stride + ep->plan.size;

		len = le32_to_cpu(ready->region[i].len);
		if (len < least)
			return icb_refuse(why, -EPROTO,
					  "the peer offers a region of %u bytes instead of %llu",
					  len, (unsigned long long)least);
	}
	return 0;

malformed:
	return icb_refuse(why, -EPROTO, "the peer sent a malformed message");
}

/**
 * icb_ep_target() - set the remote addresses and keys of this side's operations
 * @ep: endpoint, connected
 * @rail: index of the device
 * @ready: message of the peer; checked here
 * @why: the reason of a refusal
 *
 * Return: 0; -EPROTO.
 */
int icb_ep_target(struct icb_ep *ep, unsigned int rail,
		  const struct icb_wire_ready *ready, struct icb_reason *why)
{
	struct icb_rail *to = &ep->rail[rail];
	u64 stride = le32_to_cpu(ready->stride);
	const struct icb_wire_region *region;
	struct icb_place *place;
	u32 per, i;
	int err;

	err = check_offer(ep, ready, &per, why);
	if (err || !ready->count)
		return err;
	for (i = 0; i < ep->plan.tx_places; i++) {
		place = &to->tx_place[i];
		region = &ready->region[i / per];
		place->remote = le64_to_cpu(region->addr) + i % per * stride +
				to->begin;
		place->rkey = le32_to_cpu(region->rkey);
	}
	for (i = 0; i < ep->plan.ops; i++)
		vb_wr_set_remote_of(&to->op[i], to->tx_place->remote,
				    to->tx_place->rkey);
	return 0;
}
