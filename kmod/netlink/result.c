// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>

#include "genl.h"
#include "refusal.h"
#include "reply.h"
#include "run/job.h"

static int put_dist(struct sk_buff *skb, const struct icb_hist *hist)
{
	if (nla_put_u64_64bit(skb, ICBENCH_A_METRIC_COUNT, hist->count,
			      ICBENCH_A_METRIC_PAD) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_METRIC_LEAST, hist->min,
			      ICBENCH_A_METRIC_PAD) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_METRIC_GREATEST, hist->max,
			      ICBENCH_A_METRIC_PAD) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_METRIC_ORIGIN, hist->origin,
			      ICBENCH_A_METRIC_PAD) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_METRIC_SUM_LOW, (u64)hist->sum,
			      ICBENCH_A_METRIC_PAD) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_METRIC_SUM_HIGH,
			      (u64)(hist->sum >> 64), ICBENCH_A_METRIC_PAD) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_METRIC_SQUARE_LOW,
			      (u64)hist->square, ICBENCH_A_METRIC_PAD) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_METRIC_SQUARE_HIGH,
			      (u64)(hist->square >> 64), ICBENCH_A_METRIC_PAD))
		return -EMSGSIZE;
	return 0;
}

/* Puts the count of each cause whose bit is set in @which. */
static int put_causes(struct sk_buff *skb, const u64 *count, u32 which)
{
	static const int attr[ICB_CAUSES] = {
		[ICB_CAUSE_TICK] = ICBENCH_A_TAIL_TICK,
		[ICB_CAUSE_TIMER] = ICBENCH_A_TAIL_TIMER,
		[ICB_CAUSE_INTERRUPT] = ICBENCH_A_TAIL_INTERRUPT,
		[ICB_CAUSE_IPI] = ICBENCH_A_TAIL_IPI,
		[ICB_CAUSE_SOFTIRQ] = ICBENCH_A_TAIL_SOFTIRQ,
		[ICB_CAUSE_PREEMPTION] = ICBENCH_A_TAIL_PREEMPTION,
		[ICB_CAUSE_MIGRATION] = ICBENCH_A_TAIL_MIGRATION,
		[ICB_CAUSE_STEAL] = ICBENCH_A_TAIL_STEAL,
		[ICB_CAUSE_RUNQUEUE] = ICBENCH_A_TAIL_RUNQUEUE,
		[ICB_CAUSE_NMI] = ICBENCH_A_TAIL_NMI,
		[ICB_CAUSE_PEER] = ICBENCH_A_TAIL_PEER,
	};
	unsigned int i;

	for (i = 0; i < ICB_CAUSES; i++)
		if (which & BIT(i) &&
		    nla_put_u64_64bit(skb, attr[i], count[i],
				      ICBENCH_A_TAIL_PAD))
			return -EMSGSIZE;
	return 0;
}

static int put_counts(struct sk_buff *skb, int attr, const u64 *count, u32 which)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || put_causes(skb, count, which))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/*
 * Above a percentile, also puts in how many samples each cause was present, since a cause
 * may be present in a sample without explaining it.
 */
static int put_share(struct sk_buff *skb, const struct icb_share *share,
		     u32 percentile, u32 known, u32 timed)
{
	if (put_causes(skb, share->by, known) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_TAIL_UNEXPLAINED,
			      share->unexplained, ICBENCH_A_TAIL_PAD))
		return -EMSGSIZE;
	if (!percentile)
		return 0;
	return put_counts(skb, ICBENCH_A_TAIL_PRESENT, share->had, known) ? :
	       put_counts(skb, ICBENCH_A_TAIL_BY_LENGTH, share->expected,
			  known & ~timed);
}

/* Percentiles of the reported tails, in hundredths of a per cent; 0 for all samples. */
static const u32 tail_percentiles[] = { 0, 9900, 9990 };

#define TAIL_WHOLE	10000

static int put_tail(struct sk_buff *skb, const struct icb_metric *metric,
		    u32 known, u32 percentile)
{
	struct icb_share share;
	struct nlattr *nest;

	icb_tail_share(metric->tail, metric->hist, percentile, TAIL_WHOLE,
		       &share);
	if (!share.samples)
		return 0;
	nest = nla_nest_start(skb, ICBENCH_A_METRIC_TAIL);
	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, ICBENCH_A_TAIL_PERCENTILE, percentile) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_TAIL_SAMPLES, share.samples,
			      ICBENCH_A_TAIL_PAD) ||
	    put_share(skb, &share, percentile, known,
		      icb_tail_timed(metric->tail))) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

static int put_tails(struct sk_buff *skb, const struct icb_job *job,
		     const struct icb_metric *metric)
{
	const u32 known = icb_disturb_known(&job->side.run.disturb);
	unsigned int i;
	int err = 0;

	for (i = 0; metric->tail && i < ARRAY_SIZE(tail_percentiles) && !err;
	     i++)
		err = put_tail(skb, metric, known, tail_percentiles[i]);
	return err;
}

static int put_batches(struct sk_buff *skb, const struct icb_metric *metric)
{
	static const int attr[ICB_BATCH_PERCENTILES] = {
		[ICB_BATCH_P50] = ICBENCH_A_METRIC_BATCH_P50,
		[ICB_BATCH_P99] = ICBENCH_A_METRIC_BATCH_P99,
		[ICB_BATCH_SOUGHT] = ICBENCH_A_METRIC_BATCH_SOUGHT,
	};
	const struct icb_batches *batches = metric->batches;
	unsigned int p, i;

	if (batches && batches->percent &&
	    nla_put_u32(skb, ICBENCH_A_METRIC_NARROW, batches->narrow))
		return -EMSGSIZE;
	if (!batches || !batches->count)
		return 0;
	if (nla_put_u64_64bit(skb, ICBENCH_A_METRIC_BATCH_SIZE, batches->size,
			      ICBENCH_A_METRIC_PAD))
		return -EMSGSIZE;
	if (batches->percentile[ICB_BATCH_SOUGHT] &&
	    nla_put_u32(skb, ICBENCH_A_METRIC_BATCH_PERCENTILE,
			batches->percentile[ICB_BATCH_SOUGHT]))
		return -EMSGSIZE;
	for (p = 0; p < ICB_BATCH_PERCENTILES; p++)
		for (i = 0; i < batches->count && batches->percentile[p]; i++)
			if (nla_put_u64_64bit(skb, attr[p],
					      batches->value[p][i],
					      ICBENCH_A_METRIC_PAD))
				return -EMSGSIZE;
	return 0;
}

static int put_means(struct sk_buff *skb, const struct icb_means *means)
{
	unsigned int i;

	for (i = 0; means && i < means->count; i++)
		if (nla_put_u64_64bit(skb, ICBENCH_A_METRIC_MEAN_OVER,
				      means->over[i], ICBENCH_A_METRIC_PAD) ||
		    nla_put_u64_64bit(skb, ICBENCH_A_METRIC_MEAN_UNDER,
				      means->under[i], ICBENCH_A_METRIC_PAD))
			return -EMSGSIZE;
	return 0;
}

static int put_metric(struct sk_buff *skb, const struct icb_job *job,
		      const struct icb_metric *metric)
{
	if (nla_put_u32(skb, ICBENCH_A_METRIC_JOB, job->id) ||
	    nla_put_string(skb, ICBENCH_A_METRIC_NAME, metric->name) ||
	    nla_put_u32(skb, ICBENCH_A_METRIC_UNIT, metric->unit) ||
	    nla_put_u32(skb, ICBENCH_A_METRIC_KIND, metric->kind) ||
	    nla_put_u32(skb, ICBENCH_A_METRIC_DIVISOR, metric->divisor))
		return -EMSGSIZE;
	if (metric->kind != ICBENCH_METRIC_KIND_DISTRIBUTION)
		return nla_put_u64_64bit(skb, ICBENCH_A_METRIC_VALUE,
					 metric->value, ICBENCH_A_METRIC_PAD);
	if (icb_hist_kept(metric->hist) &&
	    nla_put_u64_64bit(skb, ICBENCH_A_METRIC_KEPT,
			      icb_hist_kept(metric->hist),
			      ICBENCH_A_METRIC_PAD))
		return -EMSGSIZE;
	return put_dist(skb, metric->hist) ? : put_tails(skb, job, metric);
}

static int put_bucket(struct sk_buff *skb, const struct icb_hist *hist,
		      unsigned int i)
{
	struct nlattr *nest;

	nest = nla_nest_start(skb, ICBENCH_A_METRIC_BUCKETS);
	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u64_64bit(skb, ICBENCH_A_BUCKET_LOW, icb_hist_low(i),
			      ICBENCH_A_BUCKET_PAD) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_BUCKET_HIGH, icb_hist_high(i),
			      ICBENCH_A_BUCKET_PAD) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_BUCKET_COUNT, hist->bucket[i],
			      ICBENCH_A_BUCKET_PAD)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/* Returns the next bucket to put, 0 if there is none, -EMSGSIZE if none fits. */
static int put_buckets(struct sk_buff *skb, const struct icb_metric *metric,
		       unsigned int first)
{
	unsigned int i;

	if (metric->kind != ICBENCH_METRIC_KIND_DISTRIBUTION)
		return 0;
	for (i = first; i < ICB_HIST_BUCKETS; i++)
		if (metric->hist->bucket[i] && put_bucket(skb, metric->hist, i))
			return i > first ? i : -EMSGSIZE;
	return 0;
}

/* Maximum number of samples in one reply. */
#define SAMPLES		4096

/**
 * struct place - position in a metric that is put into several messages
 * @bucket: next bucket; ICB_HIST_BUCKETS after the last
 * @sample: next sample; U64_MAX if no samples are requested
 */
struct place {
	unsigned int bucket;
	u64 sample;
};

static u64 samples_of(const struct icb_metric *metric, u64 first)
{
	u64 kept = 0;

	if (metric->kind == ICBENCH_METRIC_KIND_DISTRIBUTION)
		kept = icb_hist_kept(metric->hist);
	return first < kept ? kept - first : 0;
}

/* Puts as many samples as there is room for, and returns their number. */
static u64 put_samples(struct sk_buff *skb, const struct icb_metric *metric,
		       u64 first)
{
	u64 count = min_t(u64, samples_of(metric, first), SAMPLES), i;

	for (i = 0; i < count; i++)
		if (nla_put_u64_64bit(skb, ICBENCH_A_METRIC_SAMPLE,
				      metric->hist->samples[first + i],
				      ICBENCH_A_METRIC_PAD))
			break;
	return i;
}

/* Returns 1 if more is to be put, 0 if not, -EMSGSIZE if nothing fits. */
static int put_part(struct sk_buff *skb, const struct icb_job *job,
		    const struct icb_metric *metric, struct place *place)
{
	unsigned int bucket = place->bucket;
	int next = put_metric(skb, job, metric);
	u64 count;

	/* only in the first message of a metric, since these lists are not split */
	if (!next && !bucket)
		next = put_batches(skb, metric) ? :
		       put_means(skb, metric->means);
	if (!next)
		next = put_buckets(skb, metric, bucket);
	if (next < 0)
		return next;
	place->bucket = next ? : ICB_HIST_BUCKETS;
	if (next)
		return 1;
	count = put_samples(skb, metric, place->sample);
	if (!count && samples_of(metric, place->sample) &&
	    bucket == ICB_HIST_BUCKETS)
		return -EMSGSIZE;
	if (place->sample != U64_MAX)
		place->sample += count;
	return samples_of(metric, place->sample) > 0;
}

/* Returns the room for a whole metric, bytes; of the samples, only those of one reply. */
static size_t room_for(const struct icb_metric *metric, u64 sample)
{
	const size_t bucket = nla_total_size(3 * nla_total_size_64bit(sizeof(u64)));
	/* also the nests present and by-length, with the same attributes */
	const size_t tail = 3 * nla_total_size((ICBENCH_A_TAIL_MAX + 1) *
					       nla_total_size_64bit(sizeof(u64)));
	size_t room = GENLMSG_DEFAULT_SIZE;
	unsigned int i;

	if (metric->batches)
		room += (3 + ICB_BATCH_PERCENTILES * ICB_BATCHES) *
			nla_total_size_64bit(sizeof(u64));
	if (metric->means)
		room += 2 * ICB_MEANS * nla_total_size_64bit(sizeof(u64));
	if (metric->tail)
		room += ARRAY_SIZE(tail_percentiles) * tail;
	if (metric->kind == ICBENCH_METRIC_KIND_DISTRIBUTION)
		for (i = 0; i < ICB_HIST_BUCKETS; i++)
			room += metric->hist->bucket[i] ? bucket : 0;
	return room + min_t(u64, samples_of(metric, sample), SAMPLES) *
		      nla_total_size_64bit(sizeof(u64));
}

/* Returns the first bucket that has no values below the given one. */
static unsigned int first_bucket(const struct nlattr *from)
{
	u64 value = from ? nla_get_u64(from) : 0;
	unsigned int i;

	if (value > ICB_HIST_LIMIT)
		return ICB_HIST_BUCKETS;
	i = icb_hist_index(value);
	return icb_hist_low(i) < value ? i + 1 : i;
}

static struct icb_job *find_finished(u32 id, const struct nlattr *attr,
				     struct netlink_ext_ack *extack, int *err)
{
	struct icb_job *job = icb_job_get(id);

	if (!job) {
		*err = icb_nl_refuse_words(extack, attr, -ENOENT,
					   "job: no job %u", id);
		return NULL;
	}
	/* pairs with the job lock in icb_job_enter(): the result is complete */
	if (smp_load_acquire(&job->state) != ICBENCH_JOB_STATE_FINISHED) {
		*err = icb_nl_refuse_words(extack, attr, -EBUSY,
					   "job: job %u has not finished; accepted: a finished one",
					   id);
		icb_job_put(job);
		return NULL;
	}
	return job;
}

/* Returns the position that a request asks to begin at. */
static struct place first_place(struct nlattr **attrs)
{
	struct place place = {
		.bucket = first_bucket(attrs[ICBENCH_A_METRIC_FROM]),
		.sample = U64_MAX,
	};

	if (attrs[ICBENCH_A_METRIC_SAMPLE_FROM])
		place.sample = nla_get_u64(attrs[ICBENCH_A_METRIC_SAMPLE_FROM]);
	return place;
}

/* Keeps in cb->args: the next metric, its next bucket, and its samples already put. */
static int dump_result(struct sk_buff *skb, struct netlink_callback *cb,
		       const struct icb_job *job, const struct nlattr *name,
		       const struct place *first)
{
	const struct icb_metric *metric;
	struct place place;
	void *hdr;
	int next;

	for (; cb->args[0] < job->result.count; cb->args[0]++) {
		metric = &job->result.metric[cb->args[0]];
		if (name && nla_strcmp(name, metric->name))
			continue;
		do {
			hdr = icb_nl_dump_begin(skb, cb,
						ICBENCH_CMD_RESULT_GET);
			if (!hdr)
				return skb->len;
			place = *first;
			place.bucket = max_t(unsigned int, place.bucket,
					     cb->args[1]);
			if (place.sample != U64_MAX)
				place.sample += cb->args[2];
			next = put_part(skb, job, metric, &place);
			if (!icb_nl_dump_end(skb, hdr, min(next, 0)))
				return skb->len;
			cb->args[1] = next ? place.bucket : 0;
			cb->args[2] = next ? place.sample - first->sample : 0;
		} while (next);
	}
	return skb->len;
}

int icbench_nl_result_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb)
{
	struct nlattr **attrs;
	struct place first;
	struct icb_job *job;
	int err;

	attrs = icb_nl_parse(cb->nlh, cb->extack);
	if (IS_ERR(attrs))
		return PTR_ERR(attrs);
	if (!attrs[ICBENCH_A_METRIC_JOB]) {
		err = icb_nl_refuse_words(cb->extack, NULL, -EINVAL,
					  "job: missing; accepted: the number of a finished job");
		goto free;
	}
	job = find_finished(nla_get_u32(attrs[ICBENCH_A_METRIC_JOB]),
			    attrs[ICBENCH_A_METRIC_JOB], cb->extack, &err);
	if (!job)
		goto free;
	first = first_place(attrs);
	err = dump_result(skb, cb, job, attrs[ICBENCH_A_METRIC_NAME], &first);
	icb_job_put(job);
free:
	kfree(attrs);
	return err;
}

int icbench_nl_result_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *id = info->attrs[ICBENCH_A_METRIC_JOB];
	struct nlattr *name = info->attrs[ICBENCH_A_METRIC_NAME];
	struct place place = first_place(info->attrs);
	const struct icb_metric *metric = NULL;
	struct icb_job *job;
	struct sk_buff *msg;
	unsigned int i;
	void *hdr;
	int err;

	if (!id)
		return icb_nl_refuse_words(info->extack, NULL, -EINVAL,
					   "job: missing; accepted: the number of a finished job");
	job = find_finished(nla_get_u32(id), id, info->extack, &err);
	if (!job)
		return err;
	for (i = 0; name && i < job->result.count && !metric; i++)
		if (!nla_strcmp(name, job->result.metric[i].name))
			metric = &job->result.metric[i];
	if (!metric) {
		err = icb_nl_refuse_words(info->extack, name, name ? -ENOENT : -EINVAL,
					  "name: not a metric of job %u; accepted: one that job-get names",
					  job->id);
		goto put;
	}
	msg = icb_nl_reply_room(info, room_for(metric, place.sample),
				&hdr);
	if (!msg) {
		err = -ENOMEM;
		goto put;
	}
	/* the rest is requested by another from and sample-from */
	err = min(put_part(msg, job, metric, &place), 0);
	err = icb_nl_send(msg, hdr, info, err);
put:
	icb_job_put(job);
	return err;
}
