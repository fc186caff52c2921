// SPDX-License-Identifier: GPL-2.0
/* Prints the calls and stages that a run has timed beside its operations. */
#include "calls.h"
#include "column.h"
#include "model/verbs_table.h"
#include "plan/result.h"
#include "table.h"

static bool is_call(const struct metrics *metrics, const struct metric *metric)
{
	return metric->hist && metric != metrics_main(metrics);
}

/* Width of the column of calls, in all tables. */
static int call_width(const struct result *result)
{
	const struct metrics *metrics;
	size_t width = WIDTH;
	unsigned int i, j;

	for (i = 0; i < result->count; i++) {
		metrics = &result->point[i].metrics;
		for (j = 0; j < metrics->count; j++)
			if (is_call(metrics, &metrics->metric[j]) &&
			    strlen(metrics->metric[j].name) > width)
				width = strlen(metrics->metric[j].name);
	}
	return width;
}

static void print_call(FILE *f, const struct result *result,
		       const struct point *point, const struct metric *metric)
{
	fprintf(f, " %-*s %-11llu", call_width(result), metric->name,
		(unsigned long long)metric->stats.count);
	if (result->plan->count > 1)
		fprintf(f, " %-10u", point->job.params.size);
	print_keys(f, result, table_keys(result, point), point);
	print_times(f, metric);
	putc('\n', f);
}

static void print_calls_head(FILE *f, const struct result *result,
			     const struct point *point)
{
	print_table_section(f, result, point);
	fprintf(f, " %-*s #calls     %s", call_width(result), "cost of",
		result->plan->count > 1 ? " #bytes    " : "");
	print_keys(f, result, table_keys(result, point), NULL);
	print_times_head(f);
	putc('\n', f);
}

/**
 * print_calls() - print tables of all distributions other than the main one
 * @f: output stream
 * @result: the result
 */
void print_calls(FILE *f, const struct result *result)
{
	const struct point *table = NULL;
	unsigned int i, j;

	for (i = 0; i < result->count; i++) {
		const struct point *point = &result->point[i];

		for (j = 0; j < point->metrics.count; j++) {
			const struct metric *metric = &point->metrics.metric[j];

			if (!is_call(&point->metrics, metric))
				continue;
			if (table != table_first(result, point)) {
				table = table_first(result, point);
				print_calls_head(f, result, table);
			}
			print_call(f, result, point, metric);
		}
	}
}

/**
 * print_unmeasured() - print the calls that were not measured, as they need a second CPU
 * @f: output stream
 * @point: the point
 */
void print_unmeasured(FILE *f, const struct point *point)
{
	const struct icb_verb *verb = icb_verb_of(&point->job.params);
	bool begun = false;
	unsigned int i;

	for (i = 0; i < verb->calls; i++) {
		if (!verb->call[i].cross ||
		    metrics_find(&point->metrics, verb->call[i].name))
			continue;
		if (begun)
			fprintf(f, ", %s", verb->call[i].name);
		else
			fprintf(f, " %-15s: %s", "Not measured",
				verb->call[i].name);
		begun = true;
	}
	if (begun && point->job.params.cpu == point->job.params.peer_cpu)
		fprintf(f, ": these calls need a second CPU, and both cpu and peer-cpu are %u",
			point->job.params.cpu);
	if (begun)
		putc('\n', f);
}
