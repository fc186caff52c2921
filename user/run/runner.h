/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RUNNER_H
#define RUNNER_H

#include "plan/result.h"
#include "progress.h"

/**
 * struct runner - resources that all runs share
 * @nl: connection to the module, with nl_events_open()
 * @devs: devices of this host
 * @signals: file descriptor from interrupt_open()
 * @progress: progress line on the terminal
 * @interrupted: true if a signal has asked to stop
 * @since: time of the first signal during a run, ns
 * @groups: number of job groups that were made
 */
struct runner {
	struct nl *nl;
	struct nl_devs devs;
	int signals;
	struct progress progress;
	bool interrupted;
	u64 since;
	u32 groups;
};

int runner_begin(struct runner *runner);
void runner_end(struct runner *runner);
bool runner_interrupted(struct runner *runner);
int runner_try(struct runner *runner, const struct icb_params *params,
	       struct icb_reason *why);
int runner_run(struct runner *runner, const struct icb_params *params,
	       const struct icb_params *load, struct point *point,
	       struct icb_reason *why);

#endif /* RUNNER_H */
