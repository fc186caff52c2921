// SPDX-License-Identifier: GPL-2.0
#include "model/segments.h"
#include "model/stripe.h"
#include "places.h"
#include "verbs/pool.h"
#include "verbs/types.h"
#include "verbs/verbs.h"

/* Describe a buffer for inline data, which the CPU reads: by virtual addresses. */
static unsigned int fill_inline(struct vb_sge *sge, const struct icb_pool *pool,
				unsigned int buffer)
{
	u8 *buf = icb_pool_addr(pool, buffer);
	u32 i;

	for (i = 0; i < pool->layout.count; i++) {
		u64 begin = icb_segments_begin(&pool->layout, i);

		sge[i].addr = (uintptr_t)(buf + begin);
		sge[i].length = icb_segments_end(&pool->layout, i) - begin;
	}
	return pool->layout.count;
}

/* Describe a whole buffer, or the piece of it that this device takes. */
static unsigned int fill_place(const struct icb_ep *ep,
			       const struct icb_rail *rail,
			       const struct icb_pool *pool, unsigned int buffer,
			       bool cut, struct vb_sge *sge)
{
	u32 lkey = vb_pd_lkey(rail->pd), begin, end;

	if (!cut)
		return icb_pool_sges(pool, buffer, lkey, sge);
	icb_stripe_cut(ep->plan.size, ep->plan.rails, rail - ep->rail, &begin, &end);
	return icb_pool_cut(pool, buffer, begin, end, lkey, sge);
}

/* Describe the room for the GRH, in front of a receive buffer. Nothing reads the GRH. */
static void fill_front(const struct icb_ep *ep, struct vb_sge *sge)
{
	sge->addr = ep->ud.grh_dma;
	sge->length = VB_GRH_LEN;
	sge->lkey = vb_pd_lkey(ep->rail->pd);
}

/**
 * icb_ep_make_places() - describe buffers for the work requests of a device
 * @ep: the endpoint
 * @rail: the device
 * @pool: the buffers
 * @is_inline: true if the CPU reads the buffers, and not the device
 * @cut: true if this device takes a piece of each message
 * @front: true to put the room for a datagram's GRH, 1 SGE, in front of each buffer
 * @places: receives the descriptions; to be freed also after a failure
 * @sges: receives the SGEs of @places; to be freed also after a failure
 *
 * May sleep.
 *
 * Return: 0; -ENOMEM.
 */
int icb_ep_make_places(const struct icb_ep *ep, const struct icb_rail *rail,
		       const struct icb_pool *pool, bool is_inline, bool cut,
		       bool front, struct icb_place **places,
		       struct vb_sge **sges)
{
	unsigned int most = front + max_t(unsigned int, icb_pool_most_sges(pool),
					  pool->layout.count);
	struct icb_place *place;
	struct vb_sge *sge;
	unsigned int i;

	*places = vb_alloc(pool->count, sizeof(**places));
	*sges = vb_alloc(pool->count, most * sizeof(**sges));
	if (!*places || !*sges)
		return -ENOMEM;
	for (i = 0; i < pool->count; i++) {
		place = &(*places)[i];
		place->sge = *sges + (size_t)i * most;
		sge = place->sge + front;
		if (front)
			fill_front(ep, place->sge);
		place->num_sge = front +
			(is_inline ? fill_inline(sge, pool, i) :
				     fill_place(ep, rail, pool, i, cut, sge));
		cond_resched();
	}
	return 0;
}

/**
 * icb_ep_use_regions() - make descriptions of buffers refer to regions
 * @pool: the buffers, all of them registered
 * @places: descriptions of the buffers
 * @front: true if there is an SGE in front of each buffer
 *
 * In a region, each segment of a buffer takes one SGE. May sleep.
 */
void icb_ep_use_regions(const struct icb_pool *pool, struct icb_place *places,
			bool front)
{
	unsigned int mask = BIT(pool->shift) - 1, i;
	const struct vb_mr *mr;
	struct vb_sge *sge;
	u64 addr, begin;
	u32 part;

	for (i = 0; i < pool->count; i++) {
		mr = pool->chunk[i >> pool->shift].mr;
		addr = vb_mr_addr(mr) + (i & mask) * (u64)pool->stride;
		sge = places[i].sge + front;
		for (part = 0; part < pool->layout.count; part++) {
			begin = icb_segments_begin(&pool->layout, part);
			sge[part].addr = addr + begin;
			sge[part].length = icb_segments_end(&pool->layout,
							    part) - begin;
			sge[part].lkey = vb_mr_lkey(mr);
		}
		places[i].num_sge = front + pool->layout.count;
		cond_resched();
	}
}
