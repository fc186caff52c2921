// SPDX-License-Identifier: GPL-2.0
/* The metrics of a job of the fake kernel (fake_kernel.c). */
#include <stdlib.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "fake_kernel.h"
#include "model/hist.h"
#include "model/rules.h"
#include "model/verbs_table.h"

static void put_moments(struct nl_msg *msg, const struct icb_hist *hist)
{
	u64 count = hist->count;

	if (fake_is("badcount"))
		count++;
	nla_put_u64(msg, ICBENCH_A_METRIC_COUNT, count);
	nla_put_u64(msg, ICBENCH_A_METRIC_LEAST,
		    fake_is("badmoments") ? hist->max + 1 : hist->min);
	nla_put_u64(msg, ICBENCH_A_METRIC_GREATEST, hist->max);
	nla_put_u64(msg, ICBENCH_A_METRIC_ORIGIN, hist->origin);
	nla_put_u64(msg, ICBENCH_A_METRIC_SUM_LOW, hist->sum);
	nla_put_u64(msg, ICBENCH_A_METRIC_SUM_HIGH, hist->sum >> 64);
	nla_put_u64(msg, ICBENCH_A_METRIC_SQUARE_LOW, hist->square);
	nla_put_u64(msg, ICBENCH_A_METRIC_SQUARE_HIGH, hist->square >> 64);
}

static struct nl_msg *begin_metric(struct nlmsghdr *to, const char *name,
				   u32 kind, u32 unit)
{
	struct nl_msg *msg = fake_answer(to, ICBENCH_CMD_RESULT_GET, 0);

	nla_put_u32(msg, ICBENCH_A_METRIC_JOB, job.id);
	nla_put_string(msg, ICBENCH_A_METRIC_NAME, name);
	nla_put_u32(msg, ICBENCH_A_METRIC_KIND, kind);
	nla_put_u32(msg, ICBENCH_A_METRIC_UNIT, unit);
	return msg;
}

static void put_bucket(struct nl_msg *msg, const struct icb_hist *hist,
		       unsigned int i)
{
	struct nlattr *nest = nla_nest_start(msg, ICBENCH_A_METRIC_BUCKETS);

	nla_put_u64(msg, ICBENCH_A_BUCKET_LOW,
		    icb_hist_low(i) + fake_is("badbucket"));
	nla_put_u64(msg, ICBENCH_A_BUCKET_HIGH, icb_hist_high(i));
	nla_put_u64(msg, ICBENCH_A_BUCKET_COUNT, hist->bucket[i]);
	nla_nest_end(msg, nest);
}

static void put_counts(struct nl_msg *msg, int attr, u64 tick, u64 ipi)
{
	struct nlattr *nest = nla_nest_start(msg, attr);

	nla_put_u64(msg, ICBENCH_A_TAIL_TICK, tick);
	nla_put_u64(msg, ICBENCH_A_TAIL_IPI, ipi);
	nla_nest_end(msg, nest);
}

/* A tenth of the samples is above the percentile, half of them because of a tick. */
static void put_tail(struct nl_msg *msg, u32 percentile, u64 samples)
{
	struct nlattr *nest = nla_nest_start(msg, ICBENCH_A_METRIC_TAIL);

	nla_put_u32(msg, ICBENCH_A_TAIL_PERCENTILE, percentile);
	if (!fake_is("halftail"))
		nla_put_u64(msg, ICBENCH_A_TAIL_SAMPLES, samples);
	nla_put_u64(msg, ICBENCH_A_TAIL_TICK,
		    fake_is("badtail") ? samples + 1 : samples / 2);
	nla_put_u64(msg, ICBENCH_A_TAIL_SOFTIRQ, samples / 4);
	nla_put_u64(msg, ICBENCH_A_TAIL_STEAL, 0);
	nla_put_u64(msg, ICBENCH_A_TAIL_UNEXPLAINED, samples - samples / 2);
	if (percentile) {
		/* less than a tenth */
		nla_put_u64(msg, ICBENCH_A_TAIL_NMI, samples / 11);
		put_counts(msg, ICBENCH_A_TAIL_PRESENT,
			   fake_is("oddtail") ? samples + 1 : samples / 2, samples / 4);
		put_counts(msg, ICBENCH_A_TAIL_BY_LENGTH, samples / 50,
			   fake_is("strangetail") ? samples + 1 : samples / 4);
	}
	nla_nest_end(msg, nest);
}

static void put_tails(struct nl_msg *msg, u64 count)
{
	unsigned int i;

	put_tail(msg, 0, fake_is("longtail") ? count + 1 : count);
	put_tail(msg, 9900, count / 10);
	for (i = 0; fake_is("manytails") && i < 9; i++)
		put_tail(msg, 9990, count / 10);
}

/* Ten batches, whose medians are 9900 and 10100, alternating. */
static void put_batches(struct nl_msg *msg, u64 count)
{
	unsigned int i;

	if (!fake_is("nobatchsize"))
		nla_put_u64(msg, ICBENCH_A_METRIC_BATCH_SIZE,
			    fake_is("bigbatch") ? count : count / 10);
	for (i = 0; i < 10; i++) {
		nla_put_u64(msg, ICBENCH_A_METRIC_BATCH_P50,
			    10750 + (fake_is("depends") ? (int)i * 100 - 450 :
				     i % 2 ? 100 : -100));
		if (i || !fake_is("oddbatch"))
			nla_put_u64(msg, ICBENCH_A_METRIC_BATCH_P99,
				    fake_is("badbatch") ? U64_MAX : 11500);
	}
	if (fake_is("badpercentile") || fake_is("nosought"))
		nla_put_u32(msg, ICBENCH_A_METRIC_BATCH_PERCENTILE,
			    fake_is("nosought") ? 9000 : 10000);
	else if (job.params.until_percentile)
		nla_put_u32(msg, ICBENCH_A_METRIC_BATCH_PERCENTILE,
			    icb_percentile_parts(job.params.until_percentile));
	for (i = 0; i < 10 && (job.params.until_percentile ||
			       fake_is("badpercentile")); i++)
		nla_put_u64(msg, ICBENCH_A_METRIC_BATCH_SOUGHT, 11250);
	for (i = 0; i < 70 && fake_is("manybatches"); i++)
		nla_put_u64(msg, ICBENCH_A_METRIC_BATCH_P50, 10000);
	if (job.params.until)
		nla_put_u32(msg, ICBENCH_A_METRIC_NARROW,
			    job.params.until > 1);
}

/* Ten batches of 100 samples, whose means are 10650 and 10850, alternating. */
static void put_means(struct nl_msg *msg)
{
	unsigned int i, count = fake_is("manymeans") ? 40 : 10;

	for (i = 0; i < count; i++) {
		nla_put_u64(msg, ICBENCH_A_METRIC_MEAN_OVER,
			    !i && fake_is("stall") ? 100 * 50000 :
			    100 * (10750 + (i % 2 ? 100 : -100)));
		if (i || !fake_is("oddmean"))
			nla_put_u64(msg, ICBENCH_A_METRIC_MEAN_UNDER,
				    fake_is("badmean") ? 0 : 100);
	}
}

/* Few buckets per message, so that a metric needs several messages. */
static void send_dist(int fd, struct nlmsghdr *to, const char *name,
		      const struct icb_hist *hist, u32 divisor, u64 from,
		      u64 sample)
{
	struct nl_msg *msg = begin_metric(to, name,
					  ICBENCH_METRIC_KIND_DISTRIBUTION,
					  ICBENCH_UNIT_NS);
	unsigned int i, n = 0;

	nla_put_u32(msg, ICBENCH_A_METRIC_DIVISOR,
		    fake_is("baddivisor") ? 0 : divisor);
	if (!fake_is("nomoments"))
		put_moments(msg, hist);
	if (icb_hist_kept(hist))
		nla_put_u64(msg, ICBENCH_A_METRIC_KEPT,
			    fake_is("manysamples") ? U64_MAX : icb_hist_kept(hist));
	if (hist->count >= 10 && !from && !strcmp(name, "latency"))
		put_batches(msg, hist->count);
	if (hist->count >= 10 && !from && !strcmp(name, "latency"))
		put_means(msg);
	if (job.params.attribute && hist->count >= 10 &&
	    !strcmp(name, "latency"))
		put_tails(msg, hist->count);
	for (i = 0; i < ICB_HIST_BUCKETS && n < 5; i++) {
		if (!hist->bucket[i] || icb_hist_low(i) < from)
			continue;
		put_bucket(msg, hist, i);
		n++;
	}
	for (i = 0; i < 3 && sample < icb_hist_kept(hist) && !fake_is("nosamples");
	     i++)
		nla_put_u64(msg, ICBENCH_A_METRIC_SAMPLE,
			    hist->samples[sample++]);
	fake_send(fd, msg);
}

static void send_scalar(int fd, struct nlmsghdr *to, const char *name, u32 kind,
			u32 unit, u64 value)
{
	struct nl_msg *msg = begin_metric(to, name, kind, unit);

	nla_put_u64(msg, ICBENCH_A_METRIC_VALUE, value);
	fake_send(fd, msg);
}

/* Scalars for 200000 messages per second; an unknown name is no scalar. */
static bool send_rate(int fd, struct nlmsghdr *to, const char *name)
{
	static const struct {
		const char *name;
		u32 percent;
	} rows[] = {
		{ "bandwidth", 100 },
		{ "bandwidth_min", 50 },
		{ "bandwidth_p1", 60 },
		{ "bandwidth_median", 90 },
	};
	bool both = job.params.direction == ICBENCH_DIRECTION_BI;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(name, rows[i].name))
			continue;
		send_scalar(fd, to, name, ICBENCH_METRIC_KIND_SCALAR,
			    ICBENCH_UNIT_BYTES_PER_SECOND,
			    2000ULL * rows[i].percent * job.params.size *
			    (1 + both));
		return true;
	}
	return false;
}

/* For large sends of a stream, each byte takes 1/16 ns more. */
static u64 message_rate(void)
{
	bool large = job.params.trigger == ICBENCH_TRIGGER_COMPLETION &&
		     job.params.verb == ICBENCH_VERB_SEND &&
		     job.params.size > 4096;

	return 1000000000 / (5000 + (large ? job.params.size / 16 : 0));
}

static u64 value_of(const char *name, u64 i)
{
	static const u64 base[] = {
		[ICBENCH_COMPLETION_POLL] = 10000,
		[ICBENCH_COMPLETION_MEMORY] = 9000,
		[ICBENCH_COMPLETION_SOFTIRQ] = 14001,
		[ICBENCH_COMPLETION_WORKQUEUE] = 20000,
		[ICBENCH_COMPLETION_BLOCK] = 50000,
		[ICBENCH_COMPLETION_ADAPTIVE] = 30000,
		[ICBENCH_COMPLETION_TIMER] = 60000,
	};

	if (!strcmp(name, "post"))
		return 300 + i % 3;
	if (job.params.overhead && !strcmp(name, "poll"))
		return 100;
	if (job.params.overhead && !strcmp(name, "overhead"))
		return 400 + i % 3;
	if (fake_is("step"))
		return base[job.params.completion] + i % 2 * 5000;
	return base[job.params.completion] + i % 7 * 250;
}

/* Streams, calls and crossing messages are not divided by two. */
static u32 divisor_of(const char *name)
{
	if (strcmp(name, "latency") ||
	    job.params.direction == ICBENCH_DIRECTION_BI)
		return 1;
	return icb_verb_of(&job.params)->divisor;
}

/**
 * fake_send_metric() - answer a request for a metric of the current job
 * @fd: this program's end of the socket
 * @to: the request
 * @name: name of the metric
 * @from: lowest value of the first bucket to send
 * @sample: index of the first sample to send; U64_MAX for none
 */
void fake_send_metric(int fd, struct nlmsghdr *to, const char *name, u64 from,
		      u64 sample)
{
	static u64 samples[64];
	struct icb_hist *hist;
	u64 i;

	if (!strcmp(name, "message_rate")) {
		send_scalar(fd, to, name, ICBENCH_METRIC_KIND_SCALAR,
			    ICBENCH_UNIT_PER_SECOND, message_rate());
		return;
	}
	if (!strcmp(name, "interrupts")) {
		send_scalar(fd, to, name, ICBENCH_METRIC_KIND_DISTURBANCE,
			    ICBENCH_UNIT_COUNT, 12);
		return;
	}
	if (send_rate(fd, to, name))
		return;
	hist = malloc(sizeof(*hist));
	icb_hist_reset(hist);
	icb_hist_keep(hist, samples, min_t(u64, job.params.samples,
					   sizeof(samples) / sizeof(*samples)));
	for (i = 0; i < job.done && i < 1000000; i++)
		icb_hist_add(hist, value_of(name, i));
	send_dist(fd, to, name, hist, divisor_of(name), from, sample);
	free(hist);
}
