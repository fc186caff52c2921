// SPDX-License-Identifier: GPL-2.0
/* Reads the result of a finished job: the job and its metrics. */
#include <stdlib.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "decode.h"
#include "job.h"
#include "metric_decode.h"
#include "request.h"
#include "result.h"
#include "stats/metric.h"

/* A finished job and the names of its metrics. */
struct finished {
	struct nl_job *job;
	unsigned int count;
	char name[64][64];
};

/* Remove the distributions without samples: a result lacks what was not measured. */
static void drop_empty(struct metrics *metrics)
{
	unsigned int from, to = 0;

	for (from = 0; from < metrics->count; from++) {
		struct metric *metric = &metrics->metric[from];

		if (metric->hist && !metric->stats.count &&
		    !metric->hist->count)
			free(metric->hist);
		else
			metrics->metric[to++] = *metric;
	}
	metrics->count = to;
}

static int take_finished(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nlattr *attrs, *attr;
	struct finished *finished = to;
	int err, len, left;

	err = job_decode(finished->job, msg, why);
	attrs = decode_message(msg, &len);
	if (err || !attrs)
		return err;
	nla_for_each_attr(attr, attrs, len, left) {
		if (nla_type(attr) != ICBENCH_A_JOB_METRICS)
			continue;
		if (finished->count == ARRAY_SIZE(finished->name))
			return decode_refuse(why, "has too many metrics");
		decode_string(finished->name[finished->count++],
			      sizeof(finished->name[0]), attr);
	}
	return 0;
}

/* Request a metric. A reply holds only a part of a long histogram, or of many samples. */
static int ask_metric(struct nl *nl, u32 job, const char *name, u64 from,
		      u64 sample, struct metrics *metrics, struct icb_reason *why)
{
	struct nl_msg *msg = request_new(nl, ICBENCH_CMD_RESULT_GET, NLM_F_ACK);
	bool torn;

	if (!msg || nla_put_u32(msg, ICBENCH_A_METRIC_JOB, job) ||
	    nla_put_string(msg, ICBENCH_A_METRIC_NAME, name) ||
	    nla_put_u64(msg, ICBENCH_A_METRIC_FROM, from) ||
	    (sample != U64_MAX &&
	     nla_put_u64(msg, ICBENCH_A_METRIC_SAMPLE_FROM, sample)))
		return request_no_memory(msg, why);
	return request_send(nl, msg, metric_decode, metrics, &torn, why);
}

static u64 next_bucket_start(const struct icb_hist *hist)
{
	unsigned int i = ICB_HIST_BUCKETS;

	while (i && !hist->bucket[i - 1])
		i--;
	return i ? icb_hist_high(i - 1) + 1 : 0;
}

static int read_samples(struct nl *nl, u32 job, const char *name,
			struct metrics *metrics, struct icb_reason *why)
{
	struct metric *metric = metrics_find(metrics, name);
	u64 before;
	int err;

	while (metric->samples < metric->kept) {
		before = metric->samples;
		err = ask_metric(nl, job, name, U64_MAX, before, metrics, why);
		if (err)
			return err;
		metric = metrics_find(metrics, name);
		if (metric->samples == before)
			return decode_refuse(why, "lacks samples of %s", name);
	}
	return 0;
}

static int read_metric(struct nl *nl, u32 job, const char *name,
		       struct metrics *metrics, struct icb_reason *why)
{
	struct metric *metric;
	u64 from = 0, next;
	int err;

	for (;;) {
		err = ask_metric(nl, job, name, from, U64_MAX, metrics, why);
		if (err)
			return err;
		metric = metrics_find(metrics, name);
		if (!metric)
			return decode_refuse(why, "describes another metric");
		if (!metric->hist ||
		    metric->hist->count == metric->stats.count)
			return read_samples(nl, job, name, metrics, why);
		next = next_bucket_start(metric->hist);
		if (next == from)
			return 0;
		from = next;
	}
}

/**
 * nl_result() - read the result of a finished job
 * @nl: the connection
 * @id: number of the job
 * @job: set to the job, with its effective parameters; @job->id is 0 after an error that
 *	left no job there
 * @metrics: empty metrics to fill; metrics_free() them in any case
 * @why: the reason of a refusal
 *
 * A dump is not used: the kernel begins no dump while the module is being unloaded.
 * Unloading ends runs, and their results are wanted.
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_result(struct nl *nl, u32 id, struct nl_job *job,
	      struct metrics *metrics, struct icb_reason *why)
{
	struct finished finished = { .job = job };
	unsigned int i;
	int err;

	job->id = 0;
	err = request_about(nl, ICBENCH_CMD_JOB_GET, ICBENCH_A_JOB_ID, id,
			    take_finished, &finished, why);
	if (!err && job->id != id)
		err = decode_refuse(why, "describes no job, or another one");
	if (err)
		job->id = 0;
	for (i = 0; !err && i < finished.count; i++)
		err = read_metric(nl, id, finished.name[i], metrics, why);
	if (err)
		return err;
	drop_empty(metrics);
	for (i = 0; !err && i < metrics->count; i++)
		err = metric_finish(&metrics->metric[i], why);
	return err;
}
