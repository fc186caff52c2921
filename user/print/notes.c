// SPDX-License-Identifier: GPL-2.0
/*
 * The lines of the compact format above and below its tables. A line is printed only if it
 * says something about this result.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "cells.h"
#include "head.h"
#include "layout.h"
#include "model/verbs_table.h"
#include "notes.h"
#include "plan/result.h"
#include "rows.h"
#include "scalar.h"
#include "scale.h"
#include "stats/confidence.h"

/* Size of a line before it is wrapped, bytes: the names of all devices fit. */
#define LINE	4096

/* Append to a text in a buffer of LINE bytes. */
static void __attribute__((format(printf, 2, 3)))
append(char *text, const char *fmt, ...)
{
	size_t len = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + len, LINE - len, fmt, args);
	va_end(args);
}

static const char *separator(const char *text)
{
	return *text ? ", " : "";
}

/* Append a parameter that all points have in common. */
static void append_param(char *text, const struct result *result,
			 const struct point *point, unsigned int attr,
			 const char *label)
{
	const struct icb_params *params = &point->job.params;
	const struct icb_param *param = icb_param_by_attr(attr);
	char value[ICB_NAMES];

	if (result->plan->varying & BIT_ULL(attr) ||
	    !icb_params_has(params, attr))
		return;
	plan_value(param, params, value, sizeof(value));
	append(text, "%s%s%s", separator(text), label, value);
}

static void append_device(char *text, const struct result *result,
			  const struct point *point)
{
	const struct nl_dev *dev = result_device(result, point);

	if (!dev || point->job.params.devices > 1) {
		append_param(text, result, point, ICBENCH_A_PARAMS_DEVICE,
			     "devices ");
		return;
	}
	append(text, "%s%s port %u", separator(text), dev->name, dev->port);
	if (*dev->driver)
		append(text, " (%s)", dev->driver);
	if (NL_HAS(dev, ICBENCH_A_DEV_SPEED))
		append(text, " %g Gb/s", dev->speed / 1000.0);
}

static void append_peer(char *text, const struct result *result,
			const struct point *point)
{
	const struct nl_job *job = &point->job;

	if (result->plan->varying & BIT_ULL(ICBENCH_A_PARAMS_PEER))
		return;
	if (icb_params_has(&job->params, ICBENCH_A_PARAMS_PEER))
		append(text, ", peer %s", *job->target ? job->target :
		       job->params.peer);
	else
		append(text, ", peer this host");
}

static void append_cpus(char *text, const struct result *result,
			const struct point *point)
{
	append_param(text, result, point, ICBENCH_A_PARAMS_CPU, "CPU ");
	append_param(text, result, point, ICBENCH_A_PARAMS_PEER_CPU,
		     "peer CPU ");
}

static void append_method(char *text, const struct result *result,
			  const struct point *point)
{
	const struct metric *metric = metrics_main(&point->metrics);

	append_param(text, result, point, ICBENCH_A_PARAMS_VERB, "");
	append_param(text, result, point, ICBENCH_A_PARAMS_TRANSPORT, "");
	append_param(text, result, point, ICBENCH_A_PARAMS_COMPLETION, "");
	append_param(text, result, point, ICBENCH_A_PARAMS_WINDOW, "window ");
	if (point->job.params.direction != ICBENCH_DIRECTION_UNI)
		append(text, "%sboth directions", separator(text));
	if (point->workers || (point->runs && point->run->workers))
		append_param(text, result, point, ICBENCH_A_PARAMS_WORKERS,
			     "workers ");
	if (plan_repeats(result->plan))
		append(text, "%s%u runs of each point", separator(text),
		       result->plan->repeat);
	if (metric && !strcmp(metric->name, "latency"))
		append(text, "%slatency %s", separator(text),
		       head_latency(result, point));
}

/**
 * print_note_head() - print what was measured, and where
 * @f: output stream
 * @result: the result so far
 * @point: first point of the result
 */
void print_note_head(FILE *f, const struct result *result,
		     const struct point *point)
{
	struct environment env;
	char text[LINE] = "";

	snprintf(text, sizeof(text), "%s: %s", result->recipe->name,
		 result->recipe->title);
	layout_wrap(f, 0, text);
	text[0] = '\0';
	environment_read(&env, NULL);
	if (env.release)
		append(text, "Linux %s", env.release);
	environment_free(&env);
	append_device(text, result, point);
	append_peer(text, result, point);
	append_cpus(text, result, point);
	layout_wrap(f, 0, text);
	text[0] = '\0';
	append_method(text, result, point);
	layout_wrap(f, 0, text);
}

static void append_share(char *text, const char *name, u64 count, u64 samples)
{
	if (count)
		append(text, ", %s %.1f %%", name, 100.0 * count / samples);
}

/* True if a tail above a percentile has samples. */
static bool is_tail(const struct tail *tail)
{
	return tail->percentile && tail->samples;
}

/* Append the causes of the samples above each percentile. */
static void append_tails(char *text, const struct metric *metric)
{
	const struct tail *tail;
	char name[16];
	unsigned int i, j;

	for (i = 0; i < metric->tails; i++) {
		tail = &metric->tail[i];
		if (!is_tail(tail))
			continue;
		tail_name(tail, name, sizeof(name));
		append(text, "%sabove p%s (%llu sample%s)", *text ? "; " : "",
		       name, (unsigned long long)tail->samples,
		       tail->samples == 1 ? "" : "s");
		for (j = 0; j < TAIL_CAUSES; j++) {
			if (!tail_names(tail, j))
				continue;
			append_share(text, tail_causes[j].name, tail->by[j],
				     tail->samples);
			if (tail->by_length.by[j] * 1000 >= tail->samples)
				append(text, " (%.1f %% by chance)",
				       100.0 * tail->by_length.by[j] /
				       tail->samples);
		}
		append_share(text, "unexplained", tail->unexplained,
			     tail->samples);
	}
}

static void print_tail(FILE *f, const struct point *point, const char *name)
{
	const struct metric *metric = metrics_main(&point->metrics);
	char text[LINE] = "";

	if (metric)
		append_tails(text, metric);
	if (*text)
		layout_line(f, "Tail", "%s%s%s", name, *name ? ": " : "", text);
}

/* True for the time of a call, which print_cost() prints. */
static bool is_cost(const struct point *point, const struct metric *metric)
{
	static const char *const names[] = {
		"post", "poll", "poll_empty", "lateness", "latency",
	};
	unsigned int i;

	if (!metric->hist || !metric->stats.count ||
	    metric == metrics_main(&point->metrics))
		return false;
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(metric->name, names[i]))
			return true;
	return false;
}

static void append_scalar(char *text, const struct point *point,
			  const char *name, const char *before,
			  const char *after)
{
	const struct metric *metric = metrics_find(&point->metrics, name);
	char value[32];
	double factor;

	if (!metric || metric->hist || !metric->value)
		return;
	scalar_unit(metric, &factor);
	scale_write(value, sizeof(value),
		    (double)metric->value / metric->divisor / factor);
	append(text, "%s%s%s%s", separator(text), before, value, after);
}

static void print_cost(FILE *f, const struct point *point, const char *name)
{
	const struct metric *metric;
	char text[LINE] = "", value[32];
	unsigned int i;

	for (i = 0; i < point->metrics.count; i++) {
		metric = &point->metrics.metric[i];
		if (!is_cost(point, metric))
			continue;
		scale_write(value, sizeof(value), metric->stats.mean / 1000);
		append(text, "%s%s %s us", separator(text), metric->name,
		       value);
	}
	append_scalar(text, point, "cpu_per_message", "CPU ",
		      " us per message");
	append_scalar(text, point, "wakeups_per_message", "",
		      " wake-ups per message");
	if (*text)
		layout_line(f, "Cost", "%s%s%s (means)", name,
			    *name ? ": " : "", text);
}

/* Print the range of the workers' rates. */
static void print_workers(FILE *f, const struct point *point, const char *name)
{
	const struct metric *metric, *least = NULL, *most = NULL;
	char low[32], high[32];
	double factor;
	u32 i;

	for (i = 0; i < point->workers; i++) {
		metric = cells_rate(&point->worker[i].metrics);
		if (!metric)
			continue;
		if (!least || metric->value < least->value)
			least = metric;
		if (!most || metric->value > most->value)
			most = metric;
	}
	if (!least || strcmp(least->name, most->name))
		return;
	scalar_unit(least, &factor);
	scale_write(low, sizeof(low),
		    (double)least->value / least->divisor / factor);
	scale_write(high, sizeof(high),
		    (double)most->value / most->divisor / factor);
	layout_line(f, "Workers", "%s%s%u, %s of one from %s to %s %s", name,
		    *name ? ": " : "", point->workers, least->name, low, high,
		    scalar_unit(least, &factor));
}

/**
 * print_note_point() - print the tail, the cost and the workers of a point
 * @f: output stream
 * @point: the point
 * @name: name of the point, which is printed first; may be empty
 */
void print_note_point(FILE *f, const struct point *point, const char *name)
{
	print_tail(f, point, name);
	if (!rows_are_calls(point))
		print_cost(f, point, name);
	print_workers(f, point, name);
}

/**
 * print_note_worst() - print the tail of the point that has the longest one
 * @f: output stream
 * @result: the result of several points
 */
void print_note_worst(FILE *f, const struct result *result)
{
	const struct metric *metric;
	double ratio, most = 0;
	unsigned int i, worst = 0;
	char name[160];

	for (i = 0; i < result->count; i++) {
		metric = metrics_main(&result->point[i].metrics);
		if (!metric || !metric->tails || !metric->stats.count)
			continue;
		ratio = metric->stats.percentile[STATS_99] /
			(metric->stats.percentile[STATS_50] + 1);
		if (ratio <= most)
			continue;
		most = ratio;
		worst = i;
	}
	if (!most)
		return;
	result_point_name(result, worst, name, sizeof(name));
	print_tail(f, &result->point[worst], name);
}

/**
 * struct needs - samples of the points, and those that the percentiles need
 * @least: fewest samples of a distribution in the tables
 * @needs: samples for all percentiles that some distribution does not support; 0 if all
 *	are supported
 */
struct needs {
	u64 least;
	u64 needs;
};

static void look_at(struct needs *needs, const struct metric *metric)
{
	if (!metric->hist || !metric->stats.count)
		return;
	if (!needs->least || metric->stats.count < needs->least)
		needs->least = metric->stats.count;
}

static void find_needs(struct needs *needs, const struct result *result)
{
	const struct point *point;
	unsigned int i, j;

	memset(needs, 0, sizeof(*needs));
	for (i = 0; i < result->count; i++) {
		point = &result->point[i];
		if (!metrics_main(&point->metrics) || cells_alternate(point))
			continue;
		for (j = 0; j < point->metrics.count; j++)
			if (!j || rows_are_calls(point))
				look_at(needs, &point->metrics.metric[j]);
	}
	if (needs->least && needs->least < confidence_needs(STATS_999))
		needs->needs = confidence_needs(STATS_999);
}

static void print_needs(FILE *f, const struct needs *needs)
{
	const u64 p99 = confidence_needs(STATS_99);
	char first[48] = "";

	if (!needs->needs)
		return;
	if (needs->least < p99)
		snprintf(first, sizeof(first), "p99 needs %llu samples, ",
			 (unsigned long long)p99);
	layout_line(f, LAYOUT_DASH,
		    "%sp99.9 needs %llu%s; there are %llu", first,
		    (unsigned long long)needs->needs,
		    *first ? "" : " samples", (unsigned long long)needs->least);
}

/* Print why medians have no interval, if the samples are the reason. */
static void print_dependence(FILE *f, const struct result *result)
{
	const struct metric *metric;
	struct confidence confidence;
	bool alternates = false, depends = false;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		metric = metrics_main(&result->point[i].metrics);
		alternates |= cells_alternate(&result->point[i]);
		if (!metric || result->point[i].runs > 1)
			continue;
		depends |= confidence_find(&confidence, metric, ICB_BATCH_P50) &&
			   confidence.state == ICB_BOUNDS_DEPENDENT;
	}
	if (alternates)
		layout_line(f, "Mean",
			    "no percentiles: samples are too short and too long in turn, and only their mean is right");
	if (depends)
		layout_line(f, "No interval",
			    "parts of a run depend on the parts before them");
}

static void append_isolation(char *text, const struct result *result)
{
	struct isolation isolation = { 0 };
	bool *taken = alloc_zero(ICBENCH_MAX_CPU + 1, sizeof(*taken));
	const struct icb_params *params;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		params = &result->point[i].job.params;
		if (icb_params_has(params, ICBENCH_A_PARAMS_CPU))
			taken[min_t(u32, params->cpu, ICBENCH_MAX_CPU)] = true;
		if (icb_params_has(params, ICBENCH_A_PARAMS_PEER_CPU) &&
		    !icb_params_has(params, ICBENCH_A_PARAMS_PEER))
			taken[min_t(u32, params->peer_cpu, ICBENCH_MAX_CPU)] = true;
	}
	for (i = 0; i <= ICBENCH_MAX_CPU; i++)
		if (taken[i])
			isolation_look_cpu(&isolation, i);
	for (i = 0; i < isolation.count; i++)
		if (isolation.brief[i])
			append(text, "%s%s", separator(text),
			       isolation.brief[i]);
	isolation_free(&isolation);
	free(taken);
}

static bool is_variant(const struct nl_clock *clock)
{
	return NL_HAS(clock, ICBENCH_A_CLOCK_INVARIANT) && !clock->invariant;
}

static void append_machine(char *text, const struct environment *env,
			   const struct nl_clock *clock)
{
	if (env->hypervisor && !strcmp(env->hypervisor, "QEMU TCG"))
		append(text, "figures of an emulator (QEMU TCG), not of hardware");
	else if (env->hypervisor)
		append(text, "a virtual machine (%s)", env->hypervisor);
	if (is_variant(clock))
		append(text, "%sthe clock (%s) is not invariant",
		       separator(text), clock->source);
}

/*
 * Print what disturbs the figures of this machine. If the clock counts instructions, the
 * other causes do not matter.
 * Return: false if the CPUs of the runs are one of the causes.
 */
static bool print_warning(FILE *f, const struct result *result)
{
	char text[LINE] = "", cpus[LINE] = "";
	struct environment env;

	environment_read(&env, NULL);
	if (env.icount) {
		append(text, "the clock counts instructions: 1 us is 1000 of them");
	} else {
		append_machine(text, &env, &result->point[0].job.clock);
		append_isolation(cpus, result);
	}
	environment_free(&env);
	if (*cpus)
		append(text, "%s%s", separator(text), cpus);
	if (*text)
		layout_line(f, "Warning", "%s", text);
	return !*cpus;
}

static bool has_unexplained(const struct result *result)
{
	const struct metric *metric;
	unsigned int i, j;

	for (i = 0; i < result->count; i++) {
		metric = metrics_main(&result->point[i].metrics);
		for (j = 0; metric && j < metric->tails; j++)
			if (is_tail(&metric->tail[j]) &&
			    metric->tail[j].unexplained * 2 >
			    metric->tail[j].samples)
				return true;
	}
	return false;
}

static const char *also(const char *text)
{
	return *text ? "; " : "";
}

static void print_next(FILE *f, const struct result *result,
		       const struct needs *needs, bool isolated)
{
	const struct icb_params *params = &result->point[0].job.params;
	char text[LINE] = "";

	if (needs->needs && !icb_params_has(params, ICBENCH_A_PARAMS_DURATION))
		append(text, "-n %llu for p99.9",
		       (unsigned long long)needs->needs);
	else if (needs->needs)
		append(text, "a longer -D for p99.9");
	if (!isolated)
		append(text, "%sicbenchctl doctor for CPUs", also(text));
	if (has_unexplained(result) &&
	    !icb_params_given(params, ICBENCH_A_PARAMS_THRESHOLD))
		append(text, "%s--threshold TIME to trace a long sample",
		       also(text));
	if (!plan_repeats(result->plan) && plan_subtracts(result->plan))
		append(text, "%s--repeat 3 for intervals", also(text));
	append(text, "%s--format full for all figures", also(text));
	layout_line(f, "Next", "%s", text);
}

/**
 * print_note_end() - print the samples that are missing, warnings, and what to try next
 * @f: output stream
 * @result: the result, which has points
 */
void print_note_end(FILE *f, const struct result *result)
{
	struct needs needs;
	bool isolated;

	find_needs(&needs, result);
	print_needs(f, &needs);
	print_dependence(f, result);
	isolated = print_warning(f, result);
	print_next(f, result, &needs, isolated);
}
