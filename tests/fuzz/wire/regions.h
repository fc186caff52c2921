/* SPDX-License-Identifier: GPL-2.0 */
/* Offers of several regions, correct and wrong ones. */
#ifndef REGIONS_H
#define REGIONS_H

#include "session.h"

/**
 * struct regions - offer of a run with several buffers
 * @name: name of the offer
 * @buffers: number of buffers of the run
 * @count: number of regions
 * @len: length of each region, bytes
 * @words: text of the refusal; NULL if the offer is accepted
 */
struct regions {
	const char *name;
	u32 buffers;
	u32 count;
	u32 len[5];
	const char *words;
};

/* Ends with an entry without a name. */
extern const struct regions regions_tried[];

void regions_write(const struct regions *regions, struct session *session,
		   struct icb_wire_ready *msg);

#endif /* REGIONS_H */
