// SPDX-License-Identifier: GPL-2.0
/* Prints a result as JSON, in the schema icbench/1. */
#include <json-c/json.h>

#include "base/environment.h"
#include "base/json_add.h"
#include "interval.h"
#include "json_params.h"
#include "plan/derive.h"
#include "plan/knee.h"
#include "plan/repeat.h"
#include "plan/result.h"
#include "plan/trace.h"
#include "plan/workers.h"
#include "print.h"
#include "stats/confidence.h"
#include "stats/interval.h"

#define SCHEMA	"icbench/1"

/* json-c serializer that prints an array on one line: a histogram row, or the samples. */
static int print_row(struct json_object *row, struct printbuf *buf, int level,
		     int flags)
{
	size_t i, count = json_object_array_length(row);

	(void)level;
	(void)flags;
	for (i = 0; i < count; i++)
		sprintbuf(buf, "%s%s", i ? ", " : "[",
			  json_object_to_json_string_ext(json_object_array_get_idx(row, i),
							 JSON_C_TO_STRING_PLAIN));
	return sprintbuf(buf, "]");
}

static void add_histogram(struct json_object *object,
			  const struct metric *metric)
{
	struct json_object *rows = json_add_array(object, "histogram"), *row;
	unsigned int i;

	for (i = 0; i < ICB_HIST_BUCKETS; i++) {
		if (!metric->hist->bucket[i])
			continue;
		row = json_object_new_array_ext(3);
		json_object_array_add(row, json_new_number((double)icb_hist_low(i) /
						      metric->divisor));
		json_object_array_add(row, json_new_number((double)icb_hist_high(i) /
						      metric->divisor));
		json_object_array_add(row, json_object_new_uint64(metric->hist->bucket[i]));
		json_object_set_serializer(row, print_row, NULL, NULL);
		json_object_array_add(rows, row);
	}
}

/* Add the samples in the order in which they were taken. */
static void add_samples(struct json_object *object,
			const struct metric *metric)
{
	struct json_object *samples;
	u64 i;

	if (!metric->samples)
		return;
	samples = json_add_array(object, "samples");
	json_object_set_serializer(samples, print_row, NULL, NULL);
	for (i = 0; i < metric->samples; i++)
		json_object_array_add(samples, json_new_number((double)metric->sample[i] /
							metric->divisor));
}

static void add_counts(struct json_object *object, const char *name,
		       const struct tail_counts *counts)
{
	struct json_object *inner;
	unsigned int i;

	if (!counts->has)
		return;
	inner = json_add_object(object, name);
	for (i = 0; i < TAIL_CAUSES; i++)
		if (counts->has & BIT_ULL(tail_causes[i].attr))
			json_add_count(inner, tail_causes[i].name, counts->by[i]);
}

static void add_tail(struct json_object *object, const struct tail *tail)
{
	struct json_object *inner;
	char name[16];
	unsigned int i;

	tail_name(tail, name, sizeof(name));
	inner = json_add_object(object, name);
	json_add_count(inner, "samples", tail->samples);
	for (i = 0; i < TAIL_CAUSES; i++)
		if (tail_knows(tail, i))
			json_add_count(inner, tail_causes[i].name, tail->by[i]);
	json_add_count(inner, "unexplained", tail->unexplained);
	add_counts(inner, "present", &tail->present);
	add_counts(inner, "by_length", &tail->by_length);
}

static void add_tails(struct json_object *object, const struct metric *metric)
{
	struct json_object *tails;
	unsigned int i;

	if (!metric->tails)
		return;
	tails = json_add_object(object, "tail");
	for (i = 0; i < metric->tails; i++)
		add_tail(tails, &metric->tail[i]);
}

/* Append a percentile to the array @reason of @object. The array is made when needed. */
static void add_name(struct json_object *object, const char *reason,
		     const char *name)
{
	struct json_object *names;

	if (!json_object_object_get_ex(object, reason, &names))
		names = json_add_array(object, reason);
	json_object_array_add(names, json_object_new_string(name));
}

static void add_interval(struct json_object *object,
			 const struct confidence *confidence)
{
	struct json_object *inner;
	char name[16];

	snprintf(name, sizeof(name), "%g", confidence->percent);
	if (confidence->step)
		add_name(object, "steps", name);
	if (confidence->state != ICB_BOUNDS_KNOWN) {
		add_name(object, confidence->state == ICB_BOUNDS_DEPENDENT ?
			    "dependent" : "beyond", name);
		return;
	}
	inner = json_add_object(object, name);
	json_add_number(inner, "low", confidence->low);
	json_add_number(inner, "high", confidence->high);
	if (!confidence->step)
		return;
	inner = json_add_object(inner, "step");
	json_add_number(inner, "low", confidence->step_low);
	json_add_number(inner, "high", confidence->step_high);
}

/* Add what the intervals of percentiles follow from. */
static void add_origin(struct json_object *object, const struct metric *metric)
{
	if (metric->span) {
		json_add_count(object, "workers", metric->span);
		return;
	}
	json_add_count(object, "batches", metric->batches);
	json_add_count(object, "batch_size", metric->batch_size);
}

/* Add object "confidence", unless the samples allow no statement on any percentile. */
static void add_confidence(struct json_object *object,
			   const struct metric *metric)
{
	struct confidence confidence;
	struct json_object *inner = NULL;
	unsigned int p;

	for (p = 0; p < ICB_BATCH_PERCENTILES; p++) {
		if (!confidence_find(&confidence, metric, p))
			continue;
		if (!inner) {
			inner = json_add_object(object, "confidence");
			add_origin(inner, metric);
		}
		add_interval(inner, &confidence);
	}
	if (metric->sought)
		json_object_object_add(object, "until_reached",
				       json_object_new_boolean(metric->narrow));
}

static void add_range(struct json_object *object,
		      const struct range *range)
{
	json_add_number(object, "low", range->low);
	json_add_number(object, "high", range->high);
}

static bool add_figure(struct json_object *object, const char *key,
		       const struct point *point, const struct metric *metric,
		       repeat_figure figure)
{
	struct json_object *inner;
	struct sample sample;
	struct range range;

	repeat_sample(&sample, point, metric->name, figure);
	if (!range_of_mean(&range, &sample))
		return false;
	inner = json_add_object(object, key);
	add_range(inner, &range);
	json_add_count(inner, "runs", sample.count);
	return true;
}

/*
 * Add the intervals that follow from the differences between the runs of a point: of the
 * mean or the scalar value; and of a distribution's median and 99th percentile.
 */
static void add_run_intervals(struct json_object *object, const struct point *point,
			      const struct metric *metric)
{
	struct json_object *inner;

	if (!add_figure(object, "interval", point, metric, repeat_mean) ||
	    !metric->hist)
		return;
	inner = json_add_object(object, "confidence");
	add_figure(inner, "50", point, metric, repeat_p50);
	add_figure(inner, "99", point, metric, repeat_p99);
}

/*
 * List the percentiles that have enough samples above them; and those that have too few,
 * with the number of samples that they need, if there are any.
 */
static void add_supported(struct json_object *object,
			  const struct metric *metric)
{
	struct json_object *names, *few = NULL, *needed = NULL;
	unsigned int i;

	if (!metric->stats.count)
		return;
	names = json_add_array(object, "supported");
	for (i = 0; i < STATS_PERCENTILES; i++) {
		if (confidence_supports(metric, i)) {
			json_object_array_add(names,
					      json_new_string(stats_percentile_name[i]));
			continue;
		}
		if (!few) {
			few = json_add_array(object, "unsupported");
			needed = json_add_object(object, "needed");
		}
		json_object_array_add(few,
				      json_new_string(stats_percentile_name[i]));
		json_add_count(needed, stats_percentile_name[i],
			       confidence_needs(i));
	}
}

/* A run of a repeated point (@is_run) has no histogram: the point's histogram has it. */
static void add_distribution(struct json_object *object,
			     const struct metric *metric, bool is_run)
{
	const struct stats *stats = &metric->stats;
	struct json_object *percentiles;
	unsigned int i;

	json_add_count(object, "count", stats->count);
	json_add_number(object, "min", stats->min);
	json_add_number(object, "mean", stats->mean);
	json_add_number(object, "stddev", stats->stddev);
	json_add_number(object, "max", stats->max);
	percentiles = json_add_object(object, "percentiles");
	for (i = 0; i < STATS_PERCENTILES; i++)
		json_add_number(percentiles, stats_percentile_name[i],
				stats->percentile[i]);
	add_supported(object, metric);
	add_confidence(object, metric);
	add_tails(object, metric);
	if (!is_run)
		add_histogram(object, metric);
	add_samples(object, metric);
}

/* Add the interval of a distribution's mean, or of a scalar's value. */
static void add_trust(struct json_object *object, const struct metrics *metrics,
		      const struct metric *metric)
{
	enum interval_state state;
	struct interval interval;
	struct json_object *inner;

	if (!interval_windows(metrics, metric, NULL)) {
		json_object_object_add(object, "supported",
				       json_object_new_boolean(false));
		json_add_count(object, "needed", confidence_needs(STATS_99));
	}
	state = interval_of(&interval, metrics, metric->name);
	if (state == INTERVAL_DEPENDENT)
		json_object_object_add(object, "independent",
				       json_object_new_boolean(false));
	if (state == INTERVAL_FEW_DECIDE)
		json_object_object_add(object, "few_decide",
				       json_object_new_boolean(true));
	if (state != INTERVAL_KNOWN)
		return;
	inner = json_add_object(object, "interval");
	json_add_number(inner, "low", interval.low);
	json_add_number(inner, "high", interval.high);
	json_add_count(inner, "batches", interval.batches);
}

static void add_metric(struct json_object *object, const struct metric *metric,
		       bool is_run)
{
	json_add_string(object, "unit", metric_unit(metric));
	if (metric->hist)
		add_distribution(object, metric, is_run);
	else
		json_add_number(object, "value",
				(double)metric->value / metric->divisor);
}

/* @repeated is the point if it has several runs, to add the intervals between them. */
static void add_all_metrics(struct json_object *object,
			    const struct metrics *metrics,
			    const struct point *repeated, bool is_run)
{
	const struct metric *metric;
	struct json_object *inner;
	unsigned int i;

	for (i = 0; i < metrics->count; i++) {
		metric = &metrics->metric[i];
		if (metric->kind == ICBENCH_METRIC_KIND_DISTURBANCE)
			continue;
		inner = json_add_object(object, metric->name);
		add_metric(inner, metric, is_run);
		add_trust(inner, metrics, metric);
		if (repeated)
			add_run_intervals(inner, repeated, metric);
	}
}

static void add_metrics(struct json_object *object,
			const struct metrics *metrics)
{
	add_all_metrics(object, metrics, NULL, false);
}

/* Mark the rates of a run that is too short for them. */
static void add_edges(struct json_object *metrics, const struct point *point)
{
	static const char *const rates[] = { "bandwidth", "message_rate" };
	struct json_object *inner;
	u64 windows, needed;
	unsigned int i;

	if (!point->job.done || !interval_edges(point, &windows, &needed))
		return;
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		if (!json_object_object_get_ex(metrics, rates[i], &inner))
			continue;
		json_object_object_add(inner, "supported",
				       json_object_new_boolean(false));
		json_add_count(inner, "needed", needed);
	}
}

static void add_distinguishable(struct json_object *object,
				const struct range *range)
{
	json_object_object_add(object, "distinguishable",
			       json_object_new_boolean(!range_has_zero(range)));
}

static void add_overhead(struct json_object *object,
			 const struct result *result, const struct point *point)
{
	const struct metric *metric = metrics_main(&point->metrics);
	struct json_object *inner;
	char baseline[96];

	if (!point->has_overhead)
		return;
	result_baseline(result, baseline, sizeof(baseline));
	inner = json_add_object(object, "overhead");
	json_add_string(inner, "unit", metric_unit(metric));
	json_add_number(inner, "value", point->overhead.value);
	json_add_number(inner, "p50", point->overhead_p50.value);
	json_add_string(inner, "baseline", baseline);
	if (!point->bounded)
		return;
	add_range(inner, &point->overhead);
	json_add_number(inner, "p50_low", point->overhead_p50.low);
	json_add_number(inner, "p50_high", point->overhead_p50.high);
	add_distinguishable(inner, &point->overhead);
}

static void add_disturbance(struct json_object *object,
			    const struct metrics *metrics,
			    const struct nl_clock *clock)
{
	unsigned int i;

	for (i = 0; i < metrics->count; i++)
		if (metrics->metric[i].kind == ICBENCH_METRIC_KIND_DISTURBANCE)
			json_add_count(object, metrics->metric[i].name,
				       metrics->metric[i].value);
	if (NL_HAS(clock, ICBENCH_A_CLOCK_ERROR_PPM))
		json_add_number(object, "clock_error_ppm", clock->error_ppm);
}

/* Add the load that ran beside the point. Its metrics cover the load's whole duration. */
static void add_load(struct json_object *object, const struct point *point,
		     bool is_run)
{
	struct json_object *load;

	if (!point->load.id)
		return;
	load = json_add_object(object, "load");
	json_add_params(json_add_object(load, "parameters"), &point->load.params);
	add_all_metrics(json_add_object(load, "metrics"), &point->load_metrics,
			NULL, is_run);
}

/* Add the parameters that differ between the workers of the point. */
static void add_worker_params(struct json_object *object,
			      const struct point *point,
			   const struct icb_params *params)
{
	const struct icb_param *param;
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		param = &icb_param_table[i];
		if (icb_params_has(params, param->attr) &&
		    workers_differ(point, param))
			json_add_param(object, param, params);
	}
}

/* Times are relative to the moment at which the first worker began to measure. */
static void add_worker(struct json_object *workers, const struct point *point,
		       const struct worker *worker)
{
	struct json_object *object = json_object_new_object();
	const struct nl_job *job = &worker->job;

	json_object_array_add(workers, object);
	json_add_string(object, "outcome", nl_job_state(job));
	json_add_string(object, "reason", job->reason);
	if (NL_HAS(&point->job, ICBENCH_A_JOB_BEGAN) &&
	    NL_HAS(job, ICBENCH_A_JOB_ENDED)) {
		json_add_count(object, "began_ns",
			       job->began - point->job.began);
		json_add_count(object, "ended_ns",
			       job->ended - point->job.began);
	}
	add_worker_params(json_add_object(object, "parameters"), point,
			  &job->params);
	add_metrics(json_add_object(object, "metrics"), &worker->metrics);
	add_disturbance(json_add_object(object, "disturbance"),
			&worker->metrics, &job->clock);
}

static void add_workers(struct json_object *object, const struct point *point)
{
	struct json_object *workers;
	u32 i;

	if (!point->workers)
		return;
	workers = json_add_array(object, "workers");
	for (i = 0; i < point->workers; i++)
		add_worker(workers, point, &point->worker[i]);
}

/* Add the parameters that differ between the runs of the point. */
static void add_run_params(struct json_object *object,
			   const struct point *point, const struct point *run)
{
	const struct icb_param *param;
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		param = &icb_param_table[i];
		if (icb_params_has(&run->job.params, param->attr) &&
		    repeat_differ(point, param))
			json_add_param(object, param, &run->job.params);
	}
}

static void add_run(struct json_object *runs, const struct result *result,
		    const struct point *point, u32 index)
{
	struct json_object *object = json_object_new_object();
	const struct point *run = &point->run[index];

	json_object_array_add(runs, object);
	json_add_count(object, "position",
		       plan_position(result->plan, point - result->point,
				     index));
	json_add_string(object, "outcome", nl_job_state(&run->job));
	json_add_string(object, "reason", run->job.reason);
	add_run_params(json_add_object(object, "parameters"), point, run);
	add_all_metrics(json_add_object(object, "metrics"), &run->metrics,
			NULL, true);
	add_disturbance(json_add_object(object, "disturbance"), &run->metrics,
			&run->job.clock);
	add_workers(object, run);
	add_load(object, run, true);
}

static void add_runs(struct json_object *object, const struct result *result,
		     const struct point *point)
{
	struct json_object *runs;
	u32 i;

	if (!point->runs)
		return;
	json_add_count(object, "repeat", point->runs);
	runs = json_add_array(object, "runs");
	for (i = 0; i < point->runs; i++)
		add_run(runs, result, point, i);
}

static void add_quantities(struct json_object *object, const char *name,
			   const struct quantity *quantity,
			   const struct derived *derived, unsigned int count)
{
	struct json_object *outer, *inner;
	unsigned int i;

	outer = json_add_object(json_add_object(object, "derived"), name);
	for (i = 0; i < count; i++) {
		if (!derived[i].known)
			continue;
		if (!quantity[i].unit) {
			json_object_object_add(outer, quantity[i].name,
					       json_object_new_boolean(derived[i].value != 0));
			continue;
		}
		inner = json_add_object(outer, quantity[i].name);
		json_add_string(inner, "unit", quantity[i].unit);
		json_add_number(inner, "value", derived[i].value);
		if (!derived[i].bounded)
			continue;
		add_range(inner, &derived[i].range);
		add_distinguishable(inner, &derived[i].range);
	}
}

static void add_derived_each(struct json_object *object,
			     const struct result *result, unsigned int index)
{
	const struct derivation *derivation = result->recipe->derivation;
	struct derived derived[DERIVE_MAX];

	if (derive_each(result, index, derived))
		add_quantities(object, derivation->name, derivation->each,
			       derived, derivation->eachs);
}

/* Add the number of samples cut off an open loop, and whether the rest is steady. */
static void add_startup(struct json_object *object,
			const struct startup *startup)
{
	struct json_object *inner;

	if (!startup->known)
		return;
	inner = json_add_object(object, "startup");
	json_add_count(inner, "cut", startup->cut);
	json_object_object_add(inner, "steady",
			       json_object_new_boolean(startup->steady));
}

static void add_point(struct json_object *points, const struct result *result,
		      const struct point *point)
{
	struct json_object *object = json_object_new_object(), *metrics;
	unsigned int section;

	json_object_array_add(points, object);
	section = result->plan->point[point - result->point].section;
	if (section)
		json_add_string(object, "section",
				result->recipe->sections.section[section - 1].name);
	json_add_params(json_add_object(object, "parameters"), &point->job.params);
	metrics = json_add_object(object, "metrics");
	add_all_metrics(metrics, &point->metrics, point->runs ? point : NULL,
			false);
	add_edges(metrics, point);
	add_overhead(metrics, result, point);
	add_disturbance(json_add_object(object, "disturbance"),
			&point->metrics, &point->job.clock);
	add_startup(object, &point->startup);
	add_workers(object, point);
	add_load(object, point, false);
	add_runs(object, result, point);
	add_derived_each(object, result, point - result->point);
}

static void add_device(struct json_object *object, const struct nl_dev *dev)
{
	char link[128];

	if (!dev)
		return;
	json_add_string(object, "device", dev->name);
	json_add_string(object, "driver", dev->driver);
	result_link(dev, link, sizeof(link));
	json_add_string(object, "link", link);
	if (NL_HAS(dev, ICBENCH_A_DEV_MTU))
		json_add_count(object, "mtu", dev->mtu);
}

static void add_clock(struct json_object *object, const struct nl_clock *clock)
{
	json_add_string(object, "clocksource", clock->source);
	if (NL_HAS(clock, ICBENCH_A_CLOCK_READ_PS))
		json_add_number(object, "clock_read_ns", clock->read_ps / 1000.0);
	if (NL_HAS(clock, ICBENCH_A_CLOCK_STEP_PS))
		json_add_number(object, "clock_step_ns", clock->step_ps / 1000.0);
	if (NL_HAS(clock, ICBENCH_A_CLOCK_INVARIANT))
		json_object_object_add(object, "clock_invariant",
				       json_object_new_boolean(clock->invariant));
}

/* An empty list means that the check found nothing. Without a check there is no list. */
static void add_isolation(struct json_object *object,
			  const struct result *result)
{
	struct json_object *findings;
	unsigned int i;

	if (result->recipe->isolate == ISOLATE_NO)
		return;
	json_add_string(object, "isolate",
			isolate_words[result->recipe->isolate]);
	findings = json_add_array(object, "isolation");
	for (i = 0; i < result->isolation.count; i++)
		json_object_array_add(findings,
				      json_new_string(result->isolation.finding[i]));
}

static void add_environment(struct json_object *object,
			    const struct result *result)
{
	const struct point *point = result->count ? result->point : NULL;
	const struct nl_dev *dev = NULL;
	struct environment env;

	if (point)
		dev = result_device(result, point);
	environment_read(&env, dev ? dev->name : NULL);
	json_add_string(object, "hostname", env.hostname);
	json_add_string(object, "kernel", env.kernel);
	json_add_string(object, "release", env.release);
	json_add_string(object, "build", env.build);
	json_add_string(object, "machine", env.machine);
	json_add_string(object, "cpu", env.cpu);
	if (env.cpus)
		json_add_count(object, "cpus", env.cpus);
	json_add_string(object, "hypervisor", env.hypervisor);
	add_device(object, dev);
	json_add_string(object, "firmware", env.firmware);
	if (point)
		add_clock(object, &point->job.clock);
	json_object_object_add(object, "icount",
			       json_object_new_boolean(env.icount));
	json_add_string(object, "governor", env.governor);
	json_add_string(object, "mitigations", env.mitigations);
	json_add_string(object, "irq_affinity", env.irq_affinity);
	add_isolation(object, result);
	json_add_string(object, "icbench", ICBENCH_VERSION);
	environment_free(&env);
}

static void add_knee(struct json_object *knees, const struct result *result,
		     const struct knee *knee)
{
	const struct icb_param *param = result->recipe->knee;
	struct json_object *object = json_object_new_object(), *points;
	unsigned int i;

	json_object_array_add(knees, object);
	json_add_string(object, "metric", knee->metric->name);
	json_add_string(object, "key", param->name);
	json_add_count(object, "percent", KNEE_PERCENT);
	json_add_string(object, "unit", metric_unit(knee->metric));
	json_add_number(object, "peak", knee->peak);
	json_add_count(object, "peak_points", knee->peaks);
	json_add_numeric(object, "holds", param, knee->holds);
	if (knee->found) {
		json_add_numeric(object, "falls", param, knee->falls);
		json_add_number(object, "at", param->type == ICB_PARAM_SHARE ?
				knee->at / 10 : knee->at);
	}
	points = json_add_array(object, "points");
	for (i = knee->first; i < result->count; i++)
		if (plan_differs_only_in(result->plan, knee->first, i, param))
			json_object_array_add(points, json_object_new_int(i));
}

static void add_knees(struct json_object *root, const struct result *result)
{
	struct json_object *knees = NULL;
	struct knee knee;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		if (!knee_find(&knee, result, i))
			continue;
		if (!knees)
			knees = json_add_array(root, "knees");
		add_knee(knees, result, &knee);
	}
}

/* Add the quantities derived from all runs, unless none of them is known. */
static void add_derived(struct json_object *root, const struct result *result)
{
	const struct derivation *derivation = result->recipe->derivation;
	struct derived derived[DERIVE_MAX];

	if (derive_values(result, derived))
		add_quantities(root, derivation->name, derivation->quantity,
			       derived, derivation->quantities);
}

static void add_trace(struct json_object *root, const struct trace *trace)
{
	if (trace && trace->state == TRACE_KEPT)
		json_add_string(root, "trace", trace->name);
}

/**
 * print_json() - print a result in JSON
 * @f: output stream
 * @result: the result
 */
void print_json(FILE *f, const struct result *result)
{
	struct json_object *root = json_object_new_object(), *command, *points;
	char started[32];
	unsigned int i;
	char **arg;

	json_add_string(root, "schema", SCHEMA);
	json_add_string(root, "benchmark", result->recipe->name);
	result_started(result, started, sizeof(started));
	json_add_string(root, "started", started);
	command = json_add_array(root, "command");
	for (arg = result->argv; *arg; arg++)
		json_object_array_add(command, json_new_string(*arg));
	json_object_object_add(root, "partial",
			       json_object_new_boolean(*result->reason));
	json_add_string(root, "reason", result->reason);
	add_trace(root, result->trace);
	add_environment(json_add_object(root, "environment"), result);
	points = json_add_array(root, "points");
	for (i = 0; i < result->count; i++)
		add_point(points, result, &result->point[i]);
	add_knees(root, result);
	add_derived(root, result);
	json_print(f, root);
}
