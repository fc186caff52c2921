/* SPDX-License-Identifier: GPL-2.0 */
/* Descriptions of a job, for the commands that list or watch jobs. */
#ifndef JOB_TEXT_H
#define JOB_TEXT_H

#include "nl/jobs.h"

const char *job_text_role(const struct nl_job *job);
void job_text_run(const struct nl_job *job, char *buf, size_t size);
void job_text_done(const struct nl_job *job, char *buf, size_t size);

#endif /* JOB_TEXT_H */
