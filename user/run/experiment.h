/* SPDX-License-Identifier: GPL-2.0 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include <stdio.h>

#include "plan/result.h"
#include "plan/trace.h"
#include "runner.h"

/**
 * struct experiment - a benchmark with all of its values
 * @recipe: the benchmark, over whose keys others may have prevailed
 * @plan: its runs
 * @fit: BIT_ULL(attribute) of size, mtu and max-sges, where their values go
 *	as far as the device can, and what lies above is left out
 * @given: BIT_ULL(attribute) of each key that the user or a suite gives
 * @text: where each result is shown as soon as it is there; NULL for nowhere
 * @aside: the results go elsewhere, too
 * @shown: how many results are there already
 * @trace: of the runs that have a threshold; empty for none
 */
struct experiment {
	struct recipe recipe;
	struct plan plan;
	u64 fit;
	u64 given;
	FILE *text;
	bool aside;
	unsigned int shown;
	struct trace trace;
};

u64 experiment_fit(const struct config *given);
u64 experiment_given(const struct config *given);
int experiment_plan(struct experiment *experiment, struct icb_reason *why);
int experiment_cut(struct experiment *experiment, const struct nl_devs *devs);
int experiment_run(struct experiment *experiment, struct runner *runner,
		   struct result *result);
void experiment_free(struct experiment *experiment);

#endif /* EXPERIMENT_H */
