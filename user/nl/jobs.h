/* SPDX-License-Identifier: GPL-2.0 */
/* The requests that make, start, stop and list jobs. */
#ifndef NL_JOBS_H
#define NL_JOBS_H

#include "job.h"
#include "nl.h"

struct nl_jobs {
	struct nl_job *job;
	unsigned int count;
};

int nl_job_new(struct nl *nl, const struct icb_params *params, u32 group,
	       u32 *id, struct icb_reason *why);
int nl_job_start(struct nl *nl, u32 id, struct icb_reason *why);
int nl_job_stop(struct nl *nl, u32 id, struct icb_reason *why);
int nl_job_del(struct nl *nl, u32 id, struct icb_reason *why);
int nl_job_get(struct nl *nl, u32 id, struct nl_job *job,
	       struct icb_reason *why);
int nl_job_list(struct nl *nl, struct nl_jobs *jobs, struct icb_reason *why);
void nl_jobs_free(struct nl_jobs *jobs);
const char *nl_job_state(const struct nl_job *job);

#endif /* NL_JOBS_H */
