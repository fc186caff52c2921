// SPDX-License-Identifier: GPL-2.0
#include "job_text.h"
#include "plan/plan.h"

/**
 * job_text_role() - name the role of this host in a job
 * @job: the job
 *
 * Return: "initiator" or "responder".
 */
const char *job_text_role(const struct nl_job *job)
{
	return job->role == ICBENCH_ROLE_RESPONDER ? "responder" : "initiator";
}

/**
 * job_text_run() - describe what a job runs and with which peer
 * @job: the job
 * @buf: destination: "send rc 64 poll, peer 10.0.0.2:18515"
 * @size: size of @buf, bytes
 */
void job_text_run(const struct nl_job *job, char *buf, size_t size)
{
	static const unsigned int attrs[] = {
		ICBENCH_A_PARAMS_VERB, ICBENCH_A_PARAMS_TRANSPORT,
		ICBENCH_A_PARAMS_SIZE, ICBENCH_A_PARAMS_COMPLETION,
	};
	char value[ICB_NAMES];
	size_t len = 0;
	unsigned int i;

	buf[0] = '\0';
	for (i = 0; i < ARRAY_SIZE(attrs) && len < size; i++) {
		if (!icb_params_has(&job->params, attrs[i]))
			continue;
		plan_value(icb_param_by_attr(attrs[i]), &job->params, value,
			   sizeof(value));
		len += snprintf(buf + len, size - len, "%s%s", len ? " " : "",
				value);
	}
	if (*job->target && len < size)
		snprintf(buf + len, size - len, "%speer %s", len ? ", " : "",
			 job->target);
}

/**
 * job_text_done() - describe the progress of a job
 * @job: the job
 * @buf: destination: "500 of 10000"
 * @size: size of @buf, bytes
 */
void job_text_done(const struct nl_job *job, char *buf, size_t size)
{
	size_t len;

	len = snprintf(buf, size, "%llu", (unsigned long long)job->done);
	if (NL_HAS(job, ICBENCH_A_JOB_TOTAL) && len < size)
		snprintf(buf + len, size - len, " of %llu",
			 (unsigned long long)job->total);
}
