/* SPDX-License-Identifier: GPL-2.0 */
#ifndef JOB_JSON_H
#define JOB_JSON_H

#include "nl/job.h"

struct json_object;

struct json_object *job_json(const struct nl_job *job);

#endif /* JOB_JSON_H */
