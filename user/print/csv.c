// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a result as CSV, for a data frame: one row for each metric of each point, with
 * every parameter in a column of its own, and one row for each derived quantity. Times
 * are in ns; fields are quoted as in RFC 4180. All results have the same columns, and each
 * row names its result, so that the rows of several files can be put together.
 */
#include <string.h>

#include "base/environment.h"
#include "plan/derive.h"
#include "plan/load.h"
#include "plan/result.h"
#include "print.h"

/**
 * struct csv - a result that is being printed
 * @f: output stream
 * @result: the result
 * @env: the machine of the result
 * @started: start of the runs, UTC, as in JSON
 */
struct csv {
	FILE *f;
	const struct result *result;
	struct environment env;
	char started[32];
};

static void print_field(FILE *f, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		fputs(s, f);
		return;
	}
	putc('"', f);
	for (; *s; s++) {
		if (*s == '"')
			putc('"', f);
		putc(*s, f);
	}
	putc('"', f);
}

static void print_number(FILE *f, double value)
{
	fprintf(f, ",%.15g", value);
}

static void print_head(FILE *f)
{
	unsigned int i;

	fputs("section,kernel,release,version,time,benchmark,point,partial", f);
	for (i = 0; i < icb_param_count; i++)
		if (icb_param_table[i].type != ICB_PARAM_BYTES)
			fprintf(f, ",%s", icb_param_table[i].name);
	fputs(",load,metric,unit,value,count,min,mean,stddev,max", f);
	for (i = 0; i < STATS_PERCENTILES; i++)
		fprintf(f, ",p%s", stats_percentile_name[i]);
	fputs("\n", f);
}

static void print_param(FILE *f, const struct icb_param *param,
			const struct icb_params *params)
{
	char text[24];

	putc(',', f);
	if (!icb_params_has(params, param->attr))
		return;
	if (param->type == ICB_PARAM_STRING)
		print_field(f, icb_params_string(params, param));
	else if (param->type == ICB_PARAM_PLACE)
		print_field(f, icb_param_place(icb_params_number(params, param),
					       text, sizeof(text)));
	else if (param->type == ICB_PARAM_WORD)
		print_field(f, icb_params_word(params, param->attr));
	else
		fputs(icb_param_plain(param->type,
				      icb_params_number(params, param), text,
				      sizeof(text)), f);
}

static void print_text(const struct csv *csv, const char *text)
{
	print_field(csv->f, text ? : "");
	putc(',', csv->f);
}

/* Print the columns that identify the result. @section is empty if there is none. */
static void begin_any_row(const struct csv *csv, const char *section)
{
	print_text(csv, section);
	print_text(csv, csv->env.kernel);
	print_text(csv, csv->env.release);
	print_text(csv, ICBENCH_VERSION);
	print_text(csv, csv->started);
	print_text(csv, csv->result->recipe->name);
}

static const char *section_name(const struct result *result, unsigned int index)
{
	unsigned int section = result->plan->point[index].section;

	return section ? result->recipe->sections.section[section - 1].name : "";
}

/* Begin a row: the columns that identify the point, then the metric's name and unit. */
static void begin_row(const struct csv *csv, unsigned int index,
		      const char *metric, const char *unit)
{
	const struct result *result = csv->result;
	const struct icb_params *params = &result->point[index].job.params;
	unsigned int i;
	char load[96];

	load_name(result->plan, index, load, sizeof(load));
	begin_any_row(csv, section_name(result, index));
	fprintf(csv->f, "%u,%s", index, *result->reason ? "yes" : "no");
	for (i = 0; i < icb_param_count; i++)
		if (icb_param_table[i].type != ICB_PARAM_BYTES)
			print_param(csv->f, &icb_param_table[i], params);
	putc(',', csv->f);
	print_text(csv, load);
	print_text(csv, metric);
	fputs(unit, csv->f);
}

static void print_distribution(FILE *f, const struct stats *stats)
{
	unsigned int i;

	fprintf(f, ",,%llu", (unsigned long long)stats->count);
	print_number(f, stats->min);
	print_number(f, stats->mean);
	print_number(f, stats->stddev);
	print_number(f, stats->max);
	for (i = 0; i < STATS_PERCENTILES; i++)
		print_number(f, stats->percentile[i]);
	fputs("\n", f);
}

/* Print a scalar. Of the columns of a distribution, only the median may have a value. */
static void print_scalar(FILE *f, double value, const double *median)
{
	unsigned int i;

	print_number(f, value);
	fputs(",,,,,", f);
	for (i = 0; i < STATS_PERCENTILES; i++) {
		if (i == STATS_50 && median)
			print_number(f, *median);
		else
			putc(',', f);
	}
	fputs("\n", f);
}

static void print_metric(const struct csv *csv, unsigned int index,
			 const char *of, const struct metric *metric)
{
	char name[ICBENCH_MAX_NAME + 40];

	snprintf(name, sizeof(name), "%s%s", of, metric->name);
	begin_row(csv, index, name, metric_unit(metric));
	if (metric->hist)
		print_distribution(csv->f, &metric->stats);
	else
		print_scalar(csv->f, (double)metric->value / metric->divisor, NULL);
}

/* "worker1.bandwidth" is of the first worker. @run is a prefix: empty, or "run1.". */
static void print_workers(const struct csv *csv, unsigned int index,
			  const struct point *point, const char *run)
{
	const struct metrics *metrics;
	unsigned int i, j;
	char of[40];

	for (i = 0; i < point->workers; i++) {
		metrics = &point->worker[i].metrics;
		snprintf(of, sizeof(of), "%sworker%u.", run, i + 1);
		for (j = 0; j < metrics->count; j++)
			print_metric(csv, index, of, &metrics->metric[j]);
	}
}

/* "run1.latency" is of the first run. */
static void print_runs(const struct csv *csv, unsigned int index)
{
	const struct point *point = &csv->result->point[index], *run;
	unsigned int i, j;
	char of[24], load[40];

	for (i = 0; i < point->runs; i++) {
		run = &point->run[i];
		snprintf(of, sizeof(of), "run%u.", i + 1);
		snprintf(load, sizeof(load), "%s" LOAD_PREFIX, of);
		for (j = 0; j < run->metrics.count; j++)
			print_metric(csv, index, of,
				     &run->metrics.metric[j]);
		for (j = 0; j < run->load_metrics.count; j++)
			print_metric(csv, index, load,
				     &run->load_metrics.metric[j]);
		print_workers(csv, index, run, of);
	}
}

static void print_end(const struct csv *csv, unsigned int index,
		      const char *name, const char *unit, double value,
		      const double *median)
{
	begin_row(csv, index, name, unit);
	print_scalar(csv->f, value, median);
}

static void print_overhead(const struct csv *csv, unsigned int index)
{
	const struct point *point = &csv->result->point[index];
	const char *unit;

	if (!point->has_overhead)
		return;
	unit = metric_unit(metrics_main(&point->metrics));
	print_end(csv, index, "overhead", unit, point->overhead.value,
		  &point->overhead_p50.value);
	if (!point->bounded)
		return;
	print_end(csv, index, "overhead.low", unit, point->overhead.low,
		  &point->overhead_p50.low);
	print_end(csv, index, "overhead.high", unit,
		  point->overhead.high, &point->overhead_p50.high);
}

/* Begin a row about the whole result, which has no point and no parameters. */
static void begin_result_row(const struct csv *csv, const char *name,
			     const char *unit)
{
	unsigned int i;

	begin_any_row(csv, "");
	fprintf(csv->f, ",%s", *csv->result->reason ? "yes" : "no");
	for (i = 0; i < icb_param_count; i++)
		if (icb_param_table[i].type != ICB_PARAM_BYTES)
			putc(',', csv->f);
	fprintf(csv->f, ",,%s,%s", name, unit);
}

/* Print a quantity derived from a point, or from all points if @index is negative. */
static void print_one(const struct csv *csv, int index,
		      const struct quantity *quantity, const char *suffix,
		      double value)
{
	const char *unit = quantity->unit ? : "";
	char name[64];

	snprintf(name, sizeof(name), "%s.%s%s",
		 csv->result->recipe->derivation->name, quantity->name, suffix);
	if (index < 0)
		begin_result_row(csv, name, unit);
	else
		begin_row(csv, (unsigned int)index, name, unit);
	print_scalar(csv->f, value, NULL);
}

/* Print the known quantities. A boolean quantity is 1 or 0. */
static void print_quantities(const struct csv *csv, int index,
			     const struct quantity *quantity,
			     const struct derived *derived, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!derived[i].known)
			continue;
		print_one(csv, index, &quantity[i], "",
			  derived[i].value);
		if (!derived[i].bounded)
			continue;
		print_one(csv, index, &quantity[i], ".low",
			  derived[i].range.low);
		print_one(csv, index, &quantity[i], ".high",
			  derived[i].range.high);
	}
}

static void print_derived_each(const struct csv *csv, unsigned int index)
{
	const struct derivation *derivation = csv->result->recipe->derivation;
	struct derived derived[DERIVE_MAX];

	if (derive_each(csv->result, index, derived))
		print_quantities(csv, (int)index, derivation->each,
				 derived, derivation->eachs);
}

static void print_derived(const struct csv *csv)
{
	const struct derivation *derivation = csv->result->recipe->derivation;
	struct derived derived[DERIVE_MAX];

	if (derive_values(csv->result, derived))
		print_quantities(csv, -1, derivation->quantity, derived,
				 derivation->quantities);
}

/**
 * print_csv() - print a result in CSV
 * @f: output stream
 * @result: the result
 */
void print_csv(FILE *f, const struct result *result)
{
	struct csv csv = { .f = f, .result = result };
	const struct metrics *metrics;
	unsigned int i, j;

	environment_read(&csv.env, NULL);
	result_started(result, csv.started, sizeof(csv.started));
	print_head(f);
	for (i = 0; i < result->count; i++) {
		metrics = &result->point[i].metrics;
		for (j = 0; j < metrics->count; j++)
			print_metric(&csv, i, "", &metrics->metric[j]);
		metrics = &result->point[i].load_metrics;
		for (j = 0; j < metrics->count; j++)
			print_metric(&csv, i, LOAD_PREFIX, &metrics->metric[j]);
		print_overhead(&csv, i);
		print_workers(&csv, i, &result->point[i], "");
		print_runs(&csv, i);
		print_derived_each(&csv, i);
	}
	print_derived(&csv);
	environment_free(&csv.env);
}
