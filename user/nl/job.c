// SPDX-License-Identifier: GPL-2.0
/* Decodes a job from a reply or an event. */
#include <netlink/attr.h>

#include "decode.h"
#include "job.h"

static const struct field clock_fields[] = {
	{ FIELD(struct nl_clock, source, CLOCK_SOURCE),
	  TEXT(struct nl_clock, source), .needed = true },
	{ FIELD(struct nl_clock, invariant, CLOCK_INVARIANT), U32 },
	{ FIELD(struct nl_clock, khz, CLOCK_KHZ), U32 },
	{ FIELD(struct nl_clock, read_ps, CLOCK_READ_PS), U32 },
	{ FIELD(struct nl_clock, error_ppm, CLOCK_ERROR_PPM), S32 },
	{ FIELD(struct nl_clock, step_ps, CLOCK_STEP_PS), U32 },
	{ .name = NULL }
};

static const struct field job_fields[] = {
	{ FIELD(struct nl_job, id, JOB_ID), U32, .needed = true },
	{ FIELD(struct nl_job, role, JOB_ROLE), U32 },
	{ FIELD(struct nl_job, state, JOB_STATE), U32, .needed = true },
	{ FIELD(struct nl_job, outcome, JOB_OUTCOME), U32 },
	{ FIELD(struct nl_job, err, JOB_ERRNO), U32 },
	{ FIELD(struct nl_job, reason, JOB_REASON),
	  TEXT(struct nl_job, reason) },
	{ FIELD(struct nl_job, done, JOB_DONE), U64 },
	{ FIELD(struct nl_job, total, JOB_TOTAL), U64 },
	{ FIELD(struct nl_job, elapsed, JOB_ELAPSED), U64 },
	{ FIELD(struct nl_job, target, JOB_TARGET),
	  TEXT(struct nl_job, target) },
	{ FIELD(struct nl_job, listener, JOB_LISTENER), U32 },
	{ FIELD(struct nl_job, threads, JOB_THREADS), U32 },
	{ FIELD(struct nl_job, group, JOB_GROUP), U32 },
	{ FIELD(struct nl_job, began, JOB_BEGAN), U64 },
	{ FIELD(struct nl_job, ended, JOB_ENDED), U64 },
	{ .name = NULL }
};

static int decode_param(struct icb_params *params, struct nlattr *attr,
			struct icb_reason *why)
{
	const struct icb_param *param = icb_param_by_attr(nla_type(attr));
	struct icb_reason inner;
	u64 number = 0;
	int err;

	/* ignore a parameter of a later module version, and the padding */
	if (!param || param->type == ICB_PARAM_BYTES)
		return 0;
	if (param->type == ICB_PARAM_STRING) {
		const char *text = nla_data(attr);
		size_t len = strnlen(text, nla_len(attr));

		err = len ? icb_params_set_bytes(params, param, text, len,
						 &inner) : 0;
	} else if (nla_len(attr) == param->bytes) {
		if (param->bytes == sizeof(u64))
			number = nla_get_u64(attr);
		else
			number = nla_get_u32(attr);
		err = icb_params_set_number(params, param, number, &inner);
	} else {
		return decode_refuse(why, "has a bad \"%s\"", param->name);
	}
	return err ? decode_refuse(why, "has %.80s", inner.text) : 0;
}

/**
 * job_decode() - decode a job
 * @job: set to the job
 * @msg: a reply or an event
 * @why: the reason of a refusal
 *
 * Return: 0; -EPROTO with a reason.
 */
int job_decode(struct nl_job *job, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nlattr *attrs, *attr, *inner;
	int len, left, inner_left, err;

	memset(job, 0, sizeof(*job));
	attrs = decode_message(msg, &len);
	if (!attrs)
		return decode_refuse(why, "is too short");
	err = decode(job, job_fields, attrs, len, why);
	nla_for_each_attr(attr, attrs, len, left) {
		if (err)
			return err;
		if (nla_type(attr) == ICBENCH_A_JOB_CLOCK)
			err = decode(&job->clock, clock_fields, nla_data(attr),
				     nla_len(attr), why);
		if (nla_type(attr) != ICBENCH_A_JOB_PARAMS)
			continue;
		nla_for_each_nested(inner, attr, inner_left)
			if (!err)
				err = decode_param(&job->params, inner, why);
	}
	return err;
}
