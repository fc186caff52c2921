/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STARTUP_H
#define STARTUP_H

#include "metric.h"

/**
 * struct startup - how an open loop has started up
 * @known: there are batches enough to see it
 * @steady: what follows after it does not change any more
 * @cut: samples that belong to it; cut off, where a run was repeated
 */
struct startup {
	bool known;
	bool steady;
	u64 cut;
};

void startup_find(struct startup *startup, const struct metric *metric);

#endif /* STARTUP_H */
