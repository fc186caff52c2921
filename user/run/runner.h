/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RUNNER_H
#define RUNNER_H

#include "plan/result.h"
#include "progress.h"

/**
 * struct runner - what runs need
 * @nl: connection to the module, with nl_events_open()
 * @devs: the devices that there are
 * @signals: what interrupt_open() gave
 * @progress: where the user sees how far it is
 * @interrupted: whether the user has asked to stop
 * @since: when, ns
 * @groups: how many groups of jobs there were
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
