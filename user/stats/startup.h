/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STARTUP_H
#define STARTUP_H

#include "metric.h"

/**
 * struct startup - the start-up of an open loop
 * @known: true if there are enough batches to find a start-up
 * @steady: true if the run is in a steady state after the start-up
 * @cut: samples of the start-up; of a repeated run, samples that were cut off
 */
struct startup {
	bool known;
	bool steady;
	u64 cut;
};

void startup_find(struct startup *startup, const struct metric *metric);

#endif /* STARTUP_H */
