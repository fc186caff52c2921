// SPDX-License-Identifier: GPL-2.0
/* Parameters of several workers, and their combined results. */
#include <math.h>

#include "model/rules.h"
#include "base/alloc.h"
#include "plan/bound.h"
#include "plan/workers.h"
#include "stats/merge.h"
#include "unit.h"

#define PARTS	5

static u64 next;

static u64 draw(void)
{
	next = next * 6364136223846793005ULL + 1442695040888963407ULL;
	return next >> 33;
}

static struct icb_hist *new_hist(void)
{
	struct icb_hist *hist = alloc_zero(1, sizeof(*hist));

	icb_hist_reset(hist);
	return hist;
}

/* Values of all magnitudes, some for each part. */
static u64 draw_value(unsigned int kind)
{
	switch (kind) {
	case 0:
		return draw() % 100;
	case 1:
		return (1ULL << 42) + draw() % 5;
	case 2:
		return draw() << draw() % 11;
	default:
		return draw() % 3 ? draw() : ICB_HIST_LIMIT - draw() % 2;
	}
}

/* The merged distribution of parts equals the distribution of the whole. */
static void test_hist(void **state)
{
	struct icb_hist *all = new_hist(), *part[PARTS];
	struct stats whole, merged;
	unsigned int kind, i, n;
	u64 value;

	(void)state;
	for (i = 0; i < PARTS; i++)
		part[i] = new_hist();
	for (kind = 0; kind < 4; kind++) {
		icb_hist_reset(all);
		for (i = 0; i < PARTS; i++)
			icb_hist_reset(part[i]);
		for (n = 0; n < 2000; n++) {
			/* each part has a value, and the first part has the first one */
			i = n < PARTS ? n : draw() % PARTS * (draw() % 2);
			value = draw_value(kind);
			icb_hist_add(all, value);
			icb_hist_add(part[i], value);
		}
		for (i = 1; i < PARTS; i++)
			merge_hist(part[0], part[i]);
		assert_int_equal(part[0]->count, all->count);
		assert_int_equal(part[0]->min, all->min);
		assert_int_equal(part[0]->max, all->max);
		assert_int_equal(part[0]->origin, all->origin);
		assert_true(part[0]->sum == all->sum);
		assert_true(part[0]->square == all->square);
		assert_memory_equal(part[0]->bucket, all->bucket,
				    sizeof(all->bucket));
		assert_int_equal(stats_of(&whole, all, 2), 0);
		assert_int_equal(stats_of(&merged, part[0], 2), 0);
		assert_memory_equal(&whole, &merged, sizeof(whole));
	}
	for (i = 0; i < PARTS; i++)
		free(part[i]);
	free(all);
}

static struct metric *add(struct metrics *metrics, const char *name, u32 unit,
			  u32 kind)
{
	struct metric *metric;

	metrics->metric = alloc_grow(metrics->metric, metrics->count,
				     sizeof(*metrics->metric));
	metric = &metrics->metric[metrics->count++];
	memset(metric, 0, sizeof(*metric));
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->unit = unit;
	metric->kind = kind;
	metric->divisor = 1;
	return metric;
}

static void add_scalar(struct metrics *metrics, const char *name, u64 value)
{
	struct metric *metric = add(metrics, name, ICBENCH_UNIT_PER_SECOND,
				    ICBENCH_METRIC_KIND_SCALAR);

	metric->value = value;
	metric->divisor = 1000;
}

static void add_disturbance(struct metrics *metrics, u64 value)
{
	add(metrics, "involuntary_switches", ICBENCH_UNIT_COUNT,
	    ICBENCH_METRIC_KIND_DISTURBANCE)->value = value;
}

static struct metric *add_dist(struct metrics *metrics, const char *name,
			       u64 value, unsigned int count)
{
	struct metric *metric = add(metrics, name, ICBENCH_UNIT_NS,
				    ICBENCH_METRIC_KIND_DISTRIBUTION);

	metric->divisor = 2;
	metric->hist = new_hist();
	while (count--)
		icb_hist_add(metric->hist, value + count);
	assert_int_equal(stats_of(&metric->stats, metric->hist, 2), 0);
	return metric;
}

static void set_worker(struct worker *worker, u64 began, u64 ended, u64 done)
{
	worker->job.has = BIT_ULL(ICBENCH_A_JOB_BEGAN) |
			  BIT_ULL(ICBENCH_A_JOB_ENDED) |
			  BIT_ULL(ICBENCH_A_JOB_TOTAL);
	worker->job.state = ICBENCH_JOB_STATE_FINISHED;
	worker->job.outcome = ICBENCH_OUTCOME_COMPLETE;
	worker->job.began = began;
	worker->job.ended = ended;
	worker->job.elapsed = ended - began;
	worker->job.done = done;
	worker->job.total = done;
}

static double value_of(const struct metrics *metrics, const char *name)
{
	const struct metric *metric = metrics_find(metrics, name);

	assert_non_null(metric);
	return (double)metric->value / metric->divisor;
}

/* Two workers, of which the second is three times as fast. */
static void begin(struct point *point, struct icb_params *params)
{
	u32 i;

	memset(point, 0, sizeof(*point));
	icb_params_init(params);
	params->workers = 2;
	workers_begin(point, 2);
	for (i = 0; i < 2; i++)
		point->worker[i].job.params = *params;
	set_worker(&point->worker[0], 1000, 5000, 100);
	set_worker(&point->worker[1], 2000, 4000, 300);
}

static void test_sum(void **state)
{
	struct icb_params params;
	struct point point;
	u32 i;

	(void)state;
	begin(&point, &params);
	for (i = 0; i < 2; i++) {
		add_dist(&point.worker[i].metrics, "latency", 10 + 1000 * i,
			 100 + 200 * i);
		add_scalar(&point.worker[i].metrics, "message_rate",
			   1000000 + 2000000 * i);
		/* 100 bytes at 1,000/s, and 500 bytes at 3,000/s */
		add_scalar(&point.worker[i].metrics, "bandwidth",
			   100000000 + 1400000000 * i);
		add_scalar(&point.worker[i].metrics, "size_mean",
			   100000 + 400000 * i);
		/* both report 2 busy CPUs: 2e6 ns per message at 1,000/s */
		add_scalar(&point.worker[i].metrics, "cpu_per_message",
			   2000000000ULL / (1 + 2 * i));
		add_scalar(&point.worker[i].metrics, "cpu_per_message_both",
			   2000000000ULL / (1 + 2 * i));
		/* these use different CPUs */
		add_scalar(&point.worker[i].metrics, "cpu_per_message_run",
			   1000000);
		add_scalar(&point.worker[i].metrics, "cpu_background",
			   100 + 200 * i);
		/* 50 of 100, and 300 of 300 */
		add_scalar(&point.worker[i].metrics, "wakeups_per_message",
			   500 + 500 * i);
		add_scalar(&point.worker[i].metrics, "bytes", 1000 + i);
		add_scalar(&point.worker[i].metrics, "elapsed", 1000);
		add_scalar(&point.worker[i].metrics, "bandwidth_min", 5);
		add_disturbance(&point.worker[i].metrics, 3 + i);
	}
	add_dist(&point.worker[1].metrics, "poll", 7, 2);
	workers_end(&point, &params);
	assert_int_equal(point.job.outcome, ICBENCH_OUTCOME_COMPLETE);
	assert_int_equal(point.job.done, 400);
	assert_int_equal(point.job.total, 400);
	assert_string_equal(point.metrics.metric[0].name, "latency");
	assert_int_equal(point.metrics.metric[0].stats.count, 400);
	assert_true(point.metrics.metric[0].stats.min == 5);
	assert_true(point.metrics.metric[0].stats.max == (1010 + 299) / 2.0);
	assert_int_equal(metrics_find(&point.metrics, "poll")->stats.count, 2);
	assert_true(value_of(&point.metrics, "message_rate") == 4000);
	assert_true(value_of(&point.metrics, "involuntary_switches") == 7);
	/* the mean over all messages, not over the two means */
	assert_true(value_of(&point.metrics, "size_mean") == 400);
	assert_true(value_of(&point.metrics, "bytes") == 2.001);
	/* two workers do not double the busy CPUs: 2e9 ns/s for 4,000/s */
	assert_true(value_of(&point.metrics, "cpu_per_message") == 500000);
	assert_true(value_of(&point.metrics, "cpu_per_message_both") == 500000);
	assert_null(metrics_find(&point.metrics, "cpu_per_message_one"));
	assert_null(metrics_find(&point.metrics, "cpu_per_message_run"));
	assert_true(value_of(&point.metrics, "cpu_background") == 0.2);
	assert_true(value_of(&point.metrics, "wakeups_per_message") == 0.875);
	/* for these metrics, there is no total */
	assert_null(metrics_find(&point.metrics, "elapsed"));
	assert_null(metrics_find(&point.metrics, "bandwidth_min"));
	assert_true(value_of(&point.metrics, "worker_min") == 100000);
	assert_true(value_of(&point.metrics, "worker_max") == 1500000);
	/* (1 + 15)^2 / (2 * (1 + 225)) */
	assert_true(fabs(value_of(&point.metrics, "fairness") - 256.0 / 452) < 1e-6);
	assert_true(value_of(&point.metrics, "overlap") == 50);
	point_clear(&point);
	assert_null(point.worker);
}

/* The largest number of workers: CPU time of the host is not summed over workers. */
static void test_cpu(void **state)
{
	struct icb_params params;
	struct point point;
	u32 n, i;

	(void)state;
	for (n = 1; n <= 64; n++) {
		memset(&point, 0, sizeof(point));
		icb_params_init(&params);
		params.workers = n;
		workers_begin(&point, n);
		for (i = 0; i < n; i++) {
			point.worker[i].job.params = params;
			set_worker(&point.worker[i], 1000, 5000, 10);
			/* 1.5 busy CPUs, 1,000 messages/s each */
			add_scalar(&point.worker[i].metrics, "message_rate",
				   1000000);
			add_scalar(&point.worker[i].metrics, "cpu_per_message",
				   1500000000);
			add_scalar(&point.worker[i].metrics,
				   "wakeups_per_message", 1000);
		}
		workers_end(&point, &params);
		assert_true(fabs(value_of(&point.metrics, "cpu_per_message") *
				 value_of(&point.metrics, "message_rate") /
				 1e9 - 1.5) < 1e-6);
		assert_true(value_of(&point.metrics, "wakeups_per_message") == 1);
		point_clear(&point);
	}
}

/* A worker that is slower than the others is visible beside the percentiles of all. */
static void test_tails(void **state)
{
	struct icb_params params;
	struct point point;
	unsigned int i;

	(void)state;
	begin(&point, &params);
	for (i = 0; i < 2; i++) {
		struct metric *metric =
			add_dist(&point.worker[i].metrics, "latency", 10, 5);

		metric->stats.count = 5;
		metric->stats.percentile[STATS_99] = i ? 123.5 : 4000.25;
	}
	workers_end(&point, &params);
	assert_true(value_of(&point.metrics, "worker_p99_min") == 123.5);
	assert_true(value_of(&point.metrics, "worker_p99_max") == 4000.25);
	point_clear(&point);
	/* streams have no distribution */
	begin(&point, &params);
	for (i = 0; i < 2; i++) {
		add_scalar(&point.worker[i].metrics, "bandwidth", 1000);
		add_dist(&point.worker[i].metrics, "interval", 10, 5);
	}
	workers_end(&point, &params);
	assert_null(metrics_find(&point.metrics, "worker_p99_min"));
	point_clear(&point);
}

/* A worker without a rate: the total is left out, because it would be too small. */
static void test_lacking(void **state)
{
	struct icb_params params;
	struct point point;

	(void)state;
	begin(&point, &params);
	add_dist(&point.worker[0].metrics, "latency", 10, 5);
	add_scalar(&point.worker[0].metrics, "message_rate", 1000);
	add_scalar(&point.worker[0].metrics, "bandwidth", 1000);
	add_scalar(&point.worker[0].metrics, "size_mean", 1000);
	add_scalar(&point.worker[0].metrics, "cpu_per_message", 1000);
	add_scalar(&point.worker[0].metrics, "wakeups_per_message", 1000);
	add_dist(&point.worker[1].metrics, "latency", 10, 5)->divisor = 2;
	point.worker[1].job.elapsed = 0;
	point.worker[1].job.has &= ~BIT_ULL(ICBENCH_A_JOB_ENDED);
	point.worker[1].job.outcome = ICBENCH_OUTCOME_FAILED;
	snprintf(point.worker[1].job.reason, NL_TEXT_MAX, "it broke");
	point.worker[0].job.outcome = ICBENCH_OUTCOME_STOPPED;
	snprintf(point.worker[0].job.reason, NL_TEXT_MAX, "because of it");
	workers_end(&point, &params);
	assert_int_equal(point.job.outcome, ICBENCH_OUTCOME_FAILED);
	assert_string_equal(point.job.reason, "worker 2: it broke");
	/* a distribution, and the range of its p99 */
	assert_int_equal(point.metrics.count, 3);
	assert_int_equal(point.metrics.metric[0].stats.count, 10);
	point_clear(&point);
	/* no worker has a result */
	begin(&point, &params);
	point.worker[1].job.outcome = ICBENCH_OUTCOME_STOPPED;
	point.worker[0].job.outcome = ICBENCH_OUTCOME_STOPPED;
	snprintf(point.worker[0].job.reason, NL_TEXT_MAX, "worker 2 of 2 was stopped");
	workers_end(&point, &params);
	assert_int_equal(point.job.outcome, ICBENCH_OUTCOME_STOPPED);
	assert_string_equal(point.job.reason, "worker 2 of 2 was stopped");
	assert_int_equal(point.metrics.count, 0);
	point_clear(&point);
}

/* Numbers above all limits, and measurement times that do not overlap. */
static void test_limits(void **state)
{
	struct icb_params params;
	struct point point;
	u32 i;

	(void)state;
	begin(&point, &params);
	set_worker(&point.worker[0], 1000, 2000, U64_MAX);
	set_worker(&point.worker[1], 3000, 4000, U64_MAX);
	for (i = 0; i < 2; i++) {
		add_scalar(&point.worker[i].metrics, "bandwidth", U64_MAX);
		add_dist(&point.worker[i].metrics, "post", 1, 1)->hist->count =
			U64_MAX;
		add_dist(&point.worker[i].metrics, "poll", 1, 1 + i)->divisor =
			1 + i;
		add_scalar(&point.worker[i].metrics, "offered_rate", 1);
	}
	workers_end(&point, &params);
	assert_null(metrics_find(&point.metrics, "bandwidth"));
	assert_null(metrics_find(&point.metrics, "post"));
	assert_null(metrics_find(&point.metrics, "poll"));
	assert_true(value_of(&point.metrics, "overlap") == 0);
	assert_true(value_of(&point.metrics, "fairness") == 1);
	point_clear(&point);
}

static void give(struct icb_params *params, const char *name, const char *value)
{
	const struct icb_param *param = icb_param_by_name(name);

	assert_int_equal(param->type == ICB_PARAM_STRING ?
			 icb_params_set_bytes(params, param, value,
					      strlen(value), NULL) :
			 param->words ?
			 icb_params_set_word(params, param, value, NULL) :
			 icb_params_set_number(params, param, atoi(value), NULL),
			 0);
}

static void bound(struct icb_params *params, const char *workers)
{
	icb_params_init(params);
	give(params, "trigger", "completion");
	give(params, "workers", workers);
	give(params, "policy", "bind");
	give(params, "device", "a");
	give(params, "device", "b:2");
	give(params, "peer", "::1");
	give(params, "peer", "::2");
}

/* Each worker has one of the devices, and the corresponding peer. */
static void test_bound(void **state)
{
	static const char *const device[] = { "a", "b:2", "a" };
	static const char *const peer[] = { "::1", "::2", "::1" };
	struct icb_params params, mine;
	struct icb_reason why;
	u32 i;

	(void)state;
	bound(&params, "3");
	assert_true(workers_bound(&params));
	assert_int_equal(workers_check(&params, &why), 0);
	assert_string_equal(params.device, "a,b:2");
	assert_int_equal(params.devices, 2);
	assert_int_equal(params.policy, ICBENCH_POLICY_BIND);
	assert_int_equal(params.window, 100);
	assert_int_equal(params.qps, 1);
	for (i = 0; i < 3; i++) {
		workers_params(&params, i, &mine);
		assert_string_equal(mine.device, device[i]);
		assert_string_equal(mine.peer, peer[i]);
		assert_int_equal(mine.devices, 1);
		assert_int_equal(mine.policy, ICBENCH_POLICY_SINGLE);
		assert_false(icb_params_given(&mine, ICBENCH_A_PARAMS_POLICY));
		assert_int_equal(icb_params_check(&mine, &why), 0);
	}
	bound(&params, "2");
	give(&params, "device", "c");
	assert_int_equal(workers_check(&params, &why), -EINVAL);
	assert_string_equal(why.text,
			    "workers: 2 is less than the number of devices; accepted: 1, or 3 and more");
	params.workers = 3;
	assert_int_equal(workers_check(&params, &why), -EINVAL);
	assert_string_equal(why.text,
			    "peer: 2 addresses for 3 devices; accepted: one, or one for each device");
	/* a combination that is refused for one worker is refused for all */
	bound(&params, "2");
	params.transport = ICBENCH_TRANSPORT_UC;
	params.reply = 1;
	assert_int_equal(workers_check(&params, &why), -EOPNOTSUPP);
	/* other policies share the devices */
	icb_params_init(&params);
	give(&params, "workers", "2");
	give(&params, "policy", "stripe");
	give(&params, "device", "a");
	give(&params, "device", "b");
	assert_false(workers_bound(&params));
	workers_params(&params, 1, &mine);
	assert_memory_equal(&mine, &params, sizeof(mine));
	/* each worker has its own schedule */
	params.trigger = ICBENCH_TRIGGER_CLOCK;
	workers_params(&params, 0, &mine);
	assert_int_equal(mine.seed, params.seed);
	workers_params(&params, 1, &mine);
	assert_int_equal(mine.seed, params.seed + 1);
	assert_true(icb_params_given(&mine, ICBENCH_A_PARAMS_SEED));
	/* and its own sizes */
	params.trigger = ICBENCH_TRIGGER_COMPLETION;
	workers_params(&params, 1, &mine);
	assert_int_equal(mine.seed, params.seed);
	params.size_dist = ICBENCH_SIZE_DIST_UNIFORM;
	workers_params(&params, 1, &mine);
	assert_int_equal(mine.seed, params.seed + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hist),
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_tails),
		cmocka_unit_test(test_lacking),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
