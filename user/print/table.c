// SPDX-License-Identifier: GPL-2.0
/* Prints tables with a row for each point. */
#include "column.h"
#include "interval.h"
#include "model/verbs_table.h"
#include "plan/result.h"
#include "scalar.h"
#include "table.h"

/* Width of a column of intervals. */
#define RANGE	20

static unsigned int section_of(const struct result *result,
			       const struct point *point)
{
	return result->plan->point[point - result->point].section;
}

/**
 * table_first() - find the first point in the table of a point
 * @result: the result
 * @point: a point of the result
 *
 * Return: the first point of the table, which determines the columns.
 */
const struct point *table_first(const struct result *result,
				const struct point *point)
{
	while (point > result->point &&
	       section_of(result, point - 1) == section_of(result, point))
		point--;
	return point;
}

/**
 * table_keys() - find the keys that differ between the rows of a table
 * @result: the result
 * @point: a point of the table
 *
 * Return: BIT_ULL(attribute) of each such key.
 */
u64 table_keys(const struct result *result, const struct point *point)
{
	return section_of(result, point) ?
		result->plan->point[point - result->point].varying :
		result->plan->varying;
}

/**
 * table_has_column() - check whether a metric of a run without distribution has a column
 * @first: first point of the table
 * @metric: the metric
 *
 * Wake-ups have none in a mode in which no thread sleeps.
 *
 * Return: true if it has.
 */
bool table_has_column(const struct point *first,
		      const struct metric *metric)
{
	const u32 awake = ICB_COMPLETIONS_BUSY | ICB_COMPLETIONS_CALLBACK;

	if (metric->hist || metric->kind != ICBENCH_METRIC_KIND_SCALAR ||
	    scalar_is_operand(metric) || scalar_is_cpu_time(metric) || scalar_is_warmup(metric))
		return false;
	return !scalar_is_wakeups(metric) ||
	       !(BIT(first->job.params.completion) & awake);
}

/**
 * table_rate() - find the rate of a row
 * @metrics: metrics of the run
 * @name: name of the rate
 *
 * Return: the rate; NULL if the run lacks it or has too few windows for it.
 */
const struct metric *table_rate(const struct metrics *metrics, const char *name)
{
	const struct metric *metric = metrics_find(metrics, name);

	return metric && interval_windows(metrics, metric, NULL) ? metric : NULL;
}

/*
 * Print the rates of a run that measures no distribution, in the columns of the table's
 * first point; or the titles of these columns if @metrics is NULL.
 */
static void print_rates(FILE *f, const struct point *first,
			const struct metrics *metrics)
{
	const struct metrics *columns = &first->metrics;
	const struct metric *metric;
	char title[96];
	unsigned int i;
	int width;

	for (i = 0; i < columns->count; i++) {
		metric = &columns->metric[i];
		if (!table_has_column(first, metric))
			continue;
		width = scalar_title(metric, title, sizeof(title));
		if (metrics)
			print_scalar(f, table_rate(metrics, metric->name),
				     width);
		else
			fprintf(f, " %*s", width, title);
	}
}

/*
 * Print the metrics that the recipe adds to a row; or their titles if @metrics is NULL.
 */
static void print_columns(FILE *f, const struct result *result,
			  const struct point *first,
			  const struct metrics *metrics)
{
	const struct recipe *recipe = result->recipe;
	const struct metric *metric;
	char title[96];
	unsigned int i;
	int width;

	for (i = 0; i < recipe->columns; i++) {
		metric = metrics_find(&first->metrics, recipe->column[i]);
		/* the unit is known only if the first point has the metric */
		if (metric)
			width = scalar_title(metric, title, sizeof(title));
		else
			width = snprintf(title, sizeof(title), "%s",
					 recipe->column[i]);
		if (metrics)
			print_scalar(f, metrics_find(metrics, recipe->column[i]),
				     width);
		else
			fprintf(f, " %*s", width, title);
	}
}

/* Print the bandwidth of the load; or the title of its column if @point is NULL. */
static void print_load_rate(FILE *f, const struct result *result,
			    const struct point *point)
{
	const struct metric *metric;

	if (!result->plan->loaded)
		return;
	if (!point) {
		fprintf(f, " %*s", WIDTH, "load[MB/s]");
		return;
	}
	metric = metrics_find(&point->load_metrics, "bandwidth");
	print_scalar(f, metric, WIDTH);
}

/**
 * print_table_section() - print the name of a table's section
 * @f: output stream
 * @result: the result
 * @point: a point of the table; nothing is printed if it has no section
 */
void print_table_section(FILE *f, const struct result *result,
			 const struct point *point)
{
	unsigned int section = section_of(result, point);

	if (section)
		fprintf(f, " [%s]\n",
			result->recipe->sections.section[section - 1].name);
}

/**
 * print_table_head() - print the titles of a table
 * @f: output stream
 * @result: the result so far
 * @point: the first point of the table
 */
void print_table_head(FILE *f, const struct result *result,
		      const struct point *point)
{
	print_table_section(f, result, point);
	fputs(" #bytes     #iterations", f);
	print_keys(f, result, table_keys(result, point), NULL);
	if (metrics_main(&point->metrics)) {
		print_times_head(f);
		print_columns(f, result, point, NULL);
	} else {
		print_rates(f, point, NULL);
	}
	print_load_rate(f, result, NULL);
	if (plan_subtracts(result->plan))
		fprintf(f, " %*s", WIDTH, "overhead[us]");
	if (plan_subtracts(result->plan) && plan_repeats(result->plan))
		fprintf(f, " %*s", RANGE, "95% certain[us]");
	putc('\n', f);
}

static void print_overhead(FILE *f, const struct point *point)
{
	const struct range *overhead = &point->overhead;
	char range[64];

	fprintf(f, " %+*.3f", WIDTH, overhead->value / 1000);
	if (!point->bounded)
		return;
	snprintf(range, sizeof(range), "%+.3f..%+.3f", overhead->low / 1000,
		 overhead->high / 1000);
	fprintf(f, " %*s%s", RANGE, range, range_has_zero(overhead) ?
		" not distinguishable" : "");
}

/**
 * print_table_row() - print the row of a point
 * @f: output stream
 * @result: the result so far
 * @point: the point
 */
void print_table_row(FILE *f, const struct result *result,
		     const struct point *point)
{
	const struct metric *metric = metrics_main(&point->metrics);

	fprintf(f, " %-10u %-11llu", point->job.params.size,
		(unsigned long long)(metric ? metric->stats.count :
					      point->job.done));
	print_keys(f, result, table_keys(result, point), point);
	if (metric) {
		print_times(f, metric);
		print_columns(f, result, table_first(result, point),
			      &point->metrics);
	} else {
		print_rates(f, table_first(result, point), &point->metrics);
	}
	print_load_rate(f, result, point);
	if (point->has_overhead)
		print_overhead(f, point);
	putc('\n', f);
}
