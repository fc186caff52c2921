/* SPDX-License-Identifier: GPL-2.0 */
/* Several regions that a side tells of, good ones and bad ones. */
#ifndef REGIONS_H
#define REGIONS_H

#include "session.h"

/**
 * struct regions - what is told of those of a run with several buffers
 * @name: in words
 * @buffers: of the run
 * @count: regions
 * @len: of each, bytes
 * @words: how it is refused; NULL if it is accepted
 */
struct regions {
	const char *name;
	u32 buffers;
	u32 count;
	u32 len[5];
	const char *words;
};

/* Up to one without a name. */
extern const struct regions regions_tried[];

void regions_write(const struct regions *regions, struct session *session,
		   struct icb_wire_ready *msg);

#endif /* REGIONS_H */
