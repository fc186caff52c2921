// SPDX-License-Identifier: GPL-2.0
#include <json-c/json.h>

#include "base/json_add.h"
#include "job_json.h"
#include "job_text.h"
#include "nl/jobs.h"
#include "print/json_params.h"

/**
 * job_json() - describe a job in JSON
 * @job: the job
 *
 * Return: a new object, owned by the caller.
 */
struct json_object *job_json(const struct nl_job *job)
{
	struct json_object *object = json_object_new_object();

	json_add_count(object, "id", job->id);
	json_add_string(object, "role", job_text_role(job));
	json_add_string(object, "state", nl_job_state(job));
	json_add_string(object, "target", job->target);
	json_add_string(object, "reason", job->reason);
	json_add_count(object, "done", job->done);
	if (NL_HAS(job, ICBENCH_A_JOB_TOTAL))
		json_add_count(object, "total", job->total);
	if (NL_HAS(job, ICBENCH_A_JOB_ELAPSED))
		json_add_count(object, "elapsed", job->elapsed);
	json_add_params(json_add_object(object, "parameters"), &job->params);
	return object;
}
