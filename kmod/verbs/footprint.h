/* SPDX-License-Identifier: GPL-2.0 */
/* Estimate of the memory that one side of a run takes. */
#ifndef ICB_EP_FOOTPRINT_H
#define ICB_EP_FOOTPRINT_H

#include <linux/types.h>

struct icb_params;
struct icb_segments;

void icb_ep_layouts(const struct icb_params *params, struct icb_segments *tx,
		    struct icb_segments *rx);
u64 icb_ep_queues_footprint(const struct icb_params *params);
u64 icb_ep_footprint(const struct icb_params *params, bool responder);

#endif /* ICB_EP_FOOTPRINT_H */
