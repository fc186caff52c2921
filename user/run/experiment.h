/* SPDX-License-Identifier: GPL-2.0 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include <stdio.h>

#include "plan/result.h"
#include "plan/trace.h"
#include "runner.h"

struct text_format;

/**
 * struct experiment - a benchmark, its runs, and how their results are shown
 * @recipe: the benchmark, with the keys that the user or a suite has set
 * @plan: runs of the benchmark
 * @fit: BIT_ULL(attribute) of each of size, mtu, sges and max-sges whose values above the
 *	limit of a device are removed
 * @given: BIT_ULL(attribute) of each key that the user or a suite has set
 * @text: stream to which each point is printed as soon as it is complete; NULL for none
 * @format: format of @text
 * @has_other_output: true if the result is also written to another output
 * @shown: number of points that are compared with their baseline, and printed
 * @trace: kernel trace of the runs that have a threshold; empty for none
 */
struct experiment {
	struct recipe recipe;
	struct plan plan;
	u64 fit;
	u64 given;
	FILE *text;
	const struct text_format *format;
	bool has_other_output;
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
