/* SPDX-License-Identifier: GPL-2.0 */
/* Descriptions of message buffers for work requests. */
#ifndef ICB_EP_PLACES_H
#define ICB_EP_PLACES_H

#include "verbs/verbs.h"

struct icb_ep;
struct icb_place;
struct icb_pool;
struct icb_rail;

int icb_ep_make_places(const struct icb_ep *ep, const struct icb_rail *rail,
		       const struct icb_pool *pool, bool is_inline, bool cut,
		       bool front, struct icb_place **places,
		       struct vb_sge **sges);
void icb_ep_use_regions(const struct icb_pool *pool, struct icb_place *places,
			bool front);

#endif /* ICB_EP_PLACES_H */
