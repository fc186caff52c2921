// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>

#include "genl.h"
#include "host/clock.h"
#include "job.h"
#include "model/rules.h"
#include "refusal.h"
#include "reply.h"
#include "run/floor.h"
#include "run/group.h"
#include "run/initiator.h"
#include "run/job.h"
#include "verbs/promise.h"

static int read_param(struct icb_params *params, const struct nlattr *attr,
		      struct icb_reason *why)
{
	const struct icb_param *param = icb_param_by_attr(nla_type(attr));
	int len = nla_len(attr);

	switch (param->type) {
	case ICB_PARAM_STRING:
		/* the policy does not check for the NUL of a parameter that is a list */
		if (strnlen(nla_data(attr), len) == len)
			return icb_refuse(why, -EINVAL,
					  "%s: accepted: %llu to %llu bytes, ending in NUL",
					  param->name, param->min, param->max);
		return icb_params_set_bytes(params, param, nla_data(attr),
					    strnlen(nla_data(attr), len), why);
	case ICB_PARAM_BYTES:
		return icb_params_set_bytes(params, param, nla_data(attr),
					    nla_len(attr), why);
	default:
		return icb_params_set_number(params, param,
					     param->bytes == sizeof(u64) ?
						     nla_get_u64(attr) :
						     nla_get_u32(attr),
					     why);
	}
}

static int read_params(struct genl_info *info, struct icb_params *params)
{
	const struct nlattr *nest = info->attrs[ICBENCH_A_JOB_PARAMS];
	struct icb_reason why = {};
	const struct nlattr *attr;
	int err, rem;

	icb_params_init(params);
	if (nest) {
		nla_for_each_nested(attr, nest, rem) {
			const struct icb_param *param =
				icb_param_by_attr(nla_type(attr));

			if (!param) /* padding */
				continue;
			if (icb_params_given(params, param->attr) &&
			    !(param->flags & ICB_PARAM_LIST))
				return icb_nl_refuse_words(info->extack, attr, -EINVAL,
							   "%s: given twice; accepted: once",
							   param->name);
			err = read_param(params, attr, &why);
			if (err)
				return icb_nl_refuse(info->extack, attr, &why,
						     err);
		}
	}
	err = icb_params_check(params, &why);
	if (!err)
		err = icb_bench_check(params, &why);
	if (!err)
		err = icb_initiator_check(params, &why);
	return err ? icb_nl_refuse(info->extack, NULL, &why, err) : 0;
}

/*
 * Puts the job of a run with several workers into its group, without which it is refused.
 */
static int join_group(struct genl_info *info, struct icb_job *job)
{
	const struct nlattr *attr = info->attrs[ICBENCH_A_JOB_GROUP];
	struct icb_reason why = {};
	int err;

	if (!attr && job->side.params.workers <= 1)
		return 0;
	if (!attr)
		return icb_nl_refuse_words(info->extack, NULL, -EINVAL,
					   "workers: %u jobs form a group; accepted: 1, or group, with one number for all of these jobs",
					   job->side.params.workers);
	if (icb_verb_of(&job->side.params)->local)
		return icb_nl_refuse_words(info->extack, attr, -EOPNOTSUPP,
					   "group: not with verb floor, which measures the machine itself");
	err = icb_group_join(job, info->snd_portid, nla_get_u32(attr), &why);
	return err ? icb_nl_refuse(info->extack, attr, &why, err) : 0;
}

static struct icb_job *make_job(struct genl_info *info,
				const struct icb_params *params, int *err)
{
	struct icb_promise promise = {};
	struct icb_reason why = {};
	struct icb_job *job = NULL;

	*err = icb_job_check_memory(params, &promise, &why);
	if (!*err)
		job = icb_job_new(params, ICBENCH_ROLE_INITIATOR,
				  icb_verb_of(params)->local ? icb_floor :
							       icb_initiate);
	icb_promise_end(&promise);
	if (*err)
		icb_nl_refuse(info->extack, NULL, &why, *err);
	else if (!job)
		*err = icb_nl_refuse_words(info->extack, NULL, -ENOMEM,
					   "no memory for a job");
	return job;
}

int icbench_nl_job_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_params *params;
	struct icb_reason why = {};
	struct icb_job *job = NULL;
	struct sk_buff *msg;
	void *hdr;
	int err;

	params = kmalloc(sizeof(*params), GFP_KERNEL);
	if (!params)
		return icb_nl_refuse_words(info->extack, NULL, -ENOMEM,
					   "no memory for parameters");
	err = read_params(info, params);
	if (!err)
		job = make_job(info, params, &err);
	kfree_sensitive(params);
	if (err)
		return err;
	err = join_group(info, job);
	if (err)
		goto put;
	err = -ENOMEM;
	msg = icb_nl_reply(info, &hdr);
	if (!msg)
		goto put;
	err = icb_job_publish(job, info->snd_portid,
			      info->attrs[ICBENCH_A_JOB_DETACH], &why);
	if (err) {
		nlmsg_free(msg);
		icb_nl_refuse(info->extack, NULL, &why, err);
		goto put;
	}
	err = icb_nl_send_id(msg, hdr, info, ICBENCH_A_JOB_ID, job->id);
	if (err)
		icb_job_delete(job, NULL, NULL);
put:
	icb_job_put(job);
	return err;
}

static struct icb_job *find_job(struct genl_info *info, int *err)
{
	struct nlattr *attr = info->attrs[ICBENCH_A_JOB_ID];
	struct icb_job *job;

	if (!attr) {
		*err = icb_nl_refuse_words(info->extack, NULL, -EINVAL,
					   "id: missing; accepted: a number that job-new returned");
		return NULL;
	}
	job = icb_job_get(nla_get_u32(attr));
	if (!job)
		*err = icb_nl_refuse_words(info->extack, attr, -ENOENT,
					   "id: no job %u", nla_get_u32(attr));
	return job;
}

int icbench_nl_job_start_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_reason why = {};
	struct icb_job *job;
	int err;

	job = find_job(info, &err);
	if (!job)
		return err;
	/* a responder is started by its listener, right after it is published */
	if (job->role == ICBENCH_ROLE_RESPONDER)
		err = icb_refuse(&why, -EALREADY, "id: job %u is the responder of a peer's run",
				 job->id);
	else
		err = icb_job_start(job, &why);
	icb_job_put(job);
	return err ? icb_nl_refuse(info->extack, NULL, &why, err) : 0;
}

int icbench_nl_job_stop_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_job *job;
	int err;

	job = find_job(info, &err);
	if (!job)
		return err;
	icb_job_stop(job);
	icb_job_put(job);
	return 0;
}

int icbench_nl_job_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_reason why = {};
	struct icb_answer *answer;
	struct icb_job *job;
	int err;

	job = find_job(info, &err);
	if (!job)
		return err;
	err = icb_nl_answer_later(skb, info, &answer);
	if (!err)
		err = icb_job_delete(job, answer, &why);
	icb_job_put(job);
	return icb_nl_answered(info, answer, err, &why);
}

static int put_names(struct sk_buff *skb, const struct icb_params *params,
		     const struct icb_param *param)
{
	u32 count = icb_params_names(params, param), i;
	char name[ICBENCH_MAX_NAME + 1];
	int err = 0;

	for (i = 0; i < count && !err; i++)
		err = nla_put_string(skb, param->attr,
				     icb_params_name(params, param, i, name));
	return err;
}

static int put_params(struct sk_buff *skb, const struct icb_params *params)
{
	const struct icb_param *param;
	struct nlattr *nest;
	unsigned int i;
	int err = 0;

	nest = nla_nest_start(skb, ICBENCH_A_JOB_PARAMS);
	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < icb_param_count && !err; i++) {
		param = &icb_param_table[i];
		if (param->type == ICB_PARAM_BYTES ||
		    !icb_params_has(params, param->attr))
			continue;
		if (param->type == ICB_PARAM_STRING)
			err = put_names(skb, params, param);
		else if (param->bytes == sizeof(u64))
			err = nla_put_u64_64bit(skb, param->attr,
						icb_params_number(params,
								  param),
						ICBENCH_A_PARAMS_PAD);
		else
			err = nla_put_u32(skb, param->attr,
					  icb_params_number(params, param));
	}
	nla_nest_end(skb, nest);
	return err;
}

static int put_clock(struct sk_buff *skb, const struct icb_job *job)
{
	struct nlattr *nest;
	int err;

	nest = nla_nest_start(skb, ICBENCH_A_JOB_CLOCK);
	if (!nest)
		return -EMSGSIZE;
	err = nla_put_string(skb, ICBENCH_A_CLOCK_SOURCE, icb_clock.name) ||
	      nla_put_u32(skb, ICBENCH_A_CLOCK_INVARIANT,
			  icb_clock.invariant) ||
	      nla_put_u32(skb, ICBENCH_A_CLOCK_KHZ, icb_clock.khz) ||
	      nla_put_u32(skb, ICBENCH_A_CLOCK_READ_PS, icb_clock.read_ps) ||
	      nla_put_u32(skb, ICBENCH_A_CLOCK_STEP_PS, icb_clock.step_ps) ||
	      (job->side.clock_checked &&
	       nla_put_s32(skb, ICBENCH_A_CLOCK_ERROR_PPM,
			   job->side.clock_error));
	nla_nest_end(skb, nest);
	return err ? -EMSGSIZE : 0;
}

static int put_metrics(struct sk_buff *skb, const struct icb_job *job)
{
	unsigned int i;

	/* pairs with the job lock in icb_job_enter(): the result is complete */
	if (smp_load_acquire(&job->state) != ICBENCH_JOB_STATE_FINISHED)
		return 0;
	for (i = 0; i < job->result.count; i++)
		if (nla_put_string(skb, ICBENCH_A_JOB_METRICS,
				   job->result.metric[i].name))
			return -EMSGSIZE;
	return 0;
}

/* Start and end of the measured part, by the clock that all jobs share. */
static int put_times(struct sk_buff *skb, const struct icb_run *run)
{
	u64 began = READ_ONCE(run->began), ended = READ_ONCE(run->ended);

	if (!began)
		return 0;
	return nla_put_u64_64bit(skb, ICBENCH_A_JOB_BEGAN, icb_clock_ns(began),
				 ICBENCH_A_JOB_PAD) ||
	       nla_put_u64_64bit(skb, ICBENCH_A_JOB_ENDED, icb_clock_ns(ended),
				 ICBENCH_A_JOB_PAD) ? -EMSGSIZE : 0;
}

/**
 * icb_nl_put_job() - put the parameters and the state of a job into a message
 * @skb: the message
 * @job: the job
 *
 * Return: 0; -EMSGSIZE.
 */
int icb_nl_put_job(struct sk_buff *skb, struct icb_job *job)
{
	const struct icb_run *run = &job->side.run;
	const struct icb_params *params = &job->side.params;
	u32 state = icb_job_state(job);
	char target[ICB_JOB_TARGET];
	struct icb_reason why;

	icb_job_copy_texts(job, target, &why);
	if (nla_put_u32(skb, ICBENCH_A_JOB_ID, job->id) ||
	    put_params(skb, params) ||
	    (job->detach && nla_put_flag(skb, ICBENCH_A_JOB_DETACH)) ||
	    nla_put_u32(skb, ICBENCH_A_JOB_ROLE, job->role) ||
	    nla_put_u32(skb, ICBENCH_A_JOB_STATE, state) ||
	    nla_put_u32(skb, ICBENCH_A_JOB_OUTCOME, job->outcome) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_JOB_DONE, READ_ONCE(run->done),
			      ICBENCH_A_JOB_PAD) ||
	    nla_put_u32(skb, ICBENCH_A_JOB_THREADS, job->threads) ||
	    put_clock(skb, job))
		return -EMSGSIZE;
	/* a responder measures no time */
	if (job->role == ICBENCH_ROLE_INITIATOR &&
	    nla_put_u64_64bit(skb, ICBENCH_A_JOB_ELAPSED, icb_job_elapsed(job),
			      ICBENCH_A_JOB_PAD))
		return -EMSGSIZE;
	if (icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS) &&
	    job->role == ICBENCH_ROLE_INITIATOR &&
	    nla_put_u64_64bit(skb, ICBENCH_A_JOB_TOTAL, params->iterations,
			      ICBENCH_A_JOB_PAD))
		return -EMSGSIZE;
	if (job->served_by &&
	    nla_put_u32(skb, ICBENCH_A_JOB_LISTENER, job->served_by))
		return -EMSGSIZE;
	if (target[0] && nla_put_string(skb, ICBENCH_A_JOB_TARGET, target))
		return -EMSGSIZE;
	if (job->err && nla_put_u32(skb, ICBENCH_A_JOB_ERRNO, -job->err))
		return -EMSGSIZE;
	if (why.text[0] && nla_put_string(skb, ICBENCH_A_JOB_REASON, why.text))
		return -EMSGSIZE;
	if (job->group &&
	    nla_put_u32(skb, ICBENCH_A_JOB_GROUP, icb_group_number(job)))
		return -EMSGSIZE;
	if (job->role == ICBENCH_ROLE_INITIATOR && put_times(skb, run))
		return -EMSGSIZE;
	return put_metrics(skb, job);
}

int icbench_nl_job_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_job *job;
	struct sk_buff *msg;
	void *hdr;
	int err;

	job = find_job(info, &err);
	if (!job)
		return err;
	msg = icb_nl_reply(info, &hdr);
	err = msg ? icb_nl_send(msg, hdr, info, icb_nl_put_job(msg, job)) :
		    -ENOMEM;
	icb_job_put(job);
	return err;
}

int icbench_nl_job_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct icb_job *job;
	bool more = true;
	void *hdr;
	int err;

	err = icb_nl_parse_none(cb->nlh, cb->extack);
	if (err)
		return err;
	while (more && (job = icb_job_next(cb->args[0]))) {
		hdr = icb_nl_dump_begin(skb, cb, ICBENCH_CMD_JOB_GET);
		more = hdr &&
		       icb_nl_dump_end(skb, hdr, icb_nl_put_job(skb, job));
		if (more)
			cb->args[0] = job->id;
		icb_job_put(job);
	}
	return skb->len;
}
