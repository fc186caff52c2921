// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "base/alloc.h"
#include "decode.h"
#include "jobs.h"
#include "request.h"

static int put_names(struct nl_msg *msg, const struct icb_param *param,
		     const struct icb_params *params)
{
	u32 count = icb_params_names(params, param), i;
	char name[ICBENCH_MAX_NAME + 1];
	int err = 0;

	for (i = 0; i < count && !err; i++)
		err = nla_put_string(msg, param->attr,
				     icb_params_name(params, param, i, name));
	return err;
}

static int put_param(struct nl_msg *msg, const struct icb_param *param,
		     const struct icb_params *params)
{
	switch (param->type) {
	case ICB_PARAM_STRING:
		return put_names(msg, param, params);
	case ICB_PARAM_BYTES:
		return nla_put(msg, param->attr, params->token_len,
			       params->token);
	default:
		if (param->bytes == sizeof(u64))
			return nla_put_u64(msg, param->attr,
					   icb_params_number(params, param));
		return nla_put_u32(msg, param->attr,
				   icb_params_number(params, param));
	}
}

/* Send only the parameters that were given: the module has its version's defaults. */
static int put_params(struct nl_msg *msg, const struct icb_params *params)
{
	struct nlattr *nest;
	unsigned int i;

	nest = nla_nest_start(msg, ICBENCH_A_JOB_PARAMS | NLA_F_NESTED);
	if (!nest)
		return -ENOMEM;
	for (i = 0; i < icb_param_count; i++)
		if (icb_params_given(params, icb_param_table[i].attr) &&
		    put_param(msg, &icb_param_table[i], params))
			return -ENOMEM;
	/* keep the nest even if it is empty */
	nla_nest_end_keep_empty(msg, nest);
	return 0;
}

/**
 * nl_job_new() - make a job
 * @nl: the connection, which owns the job
 * @params: parameters of the job; only those that were given are sent
 * @group: number of the group that the job belongs to; 0 for none
 * @id: set to the number of the job
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_new(struct nl *nl, const struct icb_params *params, u32 group,
	       u32 *id, struct icb_reason *why)
{
	struct nl_msg *msg = request_new(nl, ICBENCH_CMD_JOB_NEW, NLM_F_ACK);

	if (!msg || put_params(msg, params) ||
	    (group && nla_put_u32(msg, ICBENCH_A_JOB_GROUP, group)))
		return request_no_memory(msg, why);
	return request_make(nl, msg, ICBENCH_A_JOB_ID, id, why);
}

/**
 * nl_job_start() - start a job
 * @nl: the connection
 * @id: the job
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_start(struct nl *nl, u32 id, struct icb_reason *why)
{
	return request_about(nl, ICBENCH_CMD_JOB_START, ICBENCH_A_JOB_ID, id, NULL,
			     NULL, why);
}

/**
 * nl_job_stop() - stop a job before its end
 * @nl: the connection
 * @id: the job; it finishes soon after
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_stop(struct nl *nl, u32 id, struct icb_reason *why)
{
	return request_about(nl, ICBENCH_CMD_JOB_STOP, ICBENCH_A_JOB_ID, id, NULL,
			     NULL, why);
}

/**
 * nl_job_del() - delete a job
 * @nl: the connection
 * @id: the job
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_del(struct nl *nl, u32 id, struct icb_reason *why)
{
	return request_about(nl, ICBENCH_CMD_JOB_DEL, ICBENCH_A_JOB_ID, id, NULL,
			     NULL, why);
}

static int take_job(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	return job_decode(to, msg, why);
}

/**
 * nl_job_get() - query a job
 * @nl: the connection
 * @id: number of the job
 * @job: set to the job
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_get(struct nl *nl, u32 id, struct nl_job *job,
	       struct icb_reason *why)
{
	int err;

	job->id = 0;
	err = request_about(nl, ICBENCH_CMD_JOB_GET, ICBENCH_A_JOB_ID, id, take_job,
			    job, why);
	if (!err && job->id != id)
		err = decode_refuse(why, "describes no job, or another one");
	return err;
}

static int add_job(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nl_jobs *jobs = to;

	jobs->job = alloc_grow(jobs->job, jobs->count, sizeof(*jobs->job));
	return job_decode(&jobs->job[jobs->count++], msg, why);
}

/**
 * nl_jobs_free() - free a list of jobs
 * @jobs: the list; empty afterwards
 */
void nl_jobs_free(struct nl_jobs *jobs)
{
	free(jobs->job);
	jobs->job = NULL;
	jobs->count = 0;
}

static void reset_jobs(void *jobs)
{
	nl_jobs_free(jobs);
}

/**
 * nl_job_list() - list the jobs of this host
 * @nl: the connection
 * @jobs: empty list to fill; nl_jobs_free() it in any case
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_list(struct nl *nl, struct nl_jobs *jobs, struct icb_reason *why)
{
	return request_dump(nl, ICBENCH_CMD_JOB_GET, add_job, reset_jobs, jobs, why);
}

/**
 * nl_job_state() - get the state of a job, or the outcome of a finished job
 * @job: the job
 *
 * Return: the name of the state or the outcome.
 */
const char *nl_job_state(const struct nl_job *job)
{
	static const char *const states[] = {
		[ICBENCH_JOB_STATE_NEW] = "new",
		[ICBENCH_JOB_STATE_CONNECTING] = "connecting",
		[ICBENCH_JOB_STATE_WARMUP] = "warmup",
		[ICBENCH_JOB_STATE_MEASURING] = "measuring",
		[ICBENCH_JOB_STATE_DRAINING] = "draining",
		[ICBENCH_JOB_STATE_FINISHED] = "finished",
	};
	static const char *const outcomes[] = {
		[ICBENCH_OUTCOME_NONE] = "finished",
		[ICBENCH_OUTCOME_COMPLETE] = "complete",
		[ICBENCH_OUTCOME_STOPPED] = "stopped",
		[ICBENCH_OUTCOME_FAILED] = "failed",
	};

	if (job->state == ICBENCH_JOB_STATE_FINISHED &&
	    job->outcome < ARRAY_SIZE(outcomes))
		return outcomes[job->outcome];
	return job->state < ARRAY_SIZE(states) ? states[job->state] : "unknown";
}
