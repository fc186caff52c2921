// SPDX-License-Identifier: GPL-2.0
#include "cells.h"
#include "column.h"
#include "layout.h"
#include "plan/load.h"
#include "plan/number.h"
#include "plan/repeat.h"
#include "plan/result.h"
#include "scalar.h"
#include "scale.h"
#include "stats/confidence.h"
#include "stats/interval.h"
#include "table.h"

/* Widths of columns, if their titles are not longer. */
#define COUNT_WIDTH	8
#define TIME_WIDTH	9
#define REACH_WIDTH	8
#define CALL_WIDTH	16

/* Most columns of the keys of a row: the distribution has to fit beside them. */
#define LEAD_MAX	46

static void write_size(const struct cell *cell, const struct scale *scale,
		       const struct row *row, char *buf, size_t size)
{
	(void)cell;
	(void)scale;
	number_print(buf, size, ICB_PARAM_SIZE, row->point->job.params.size);
}

static void write_count(const struct cell *cell, const struct scale *scale,
			const struct row *row, char *buf, size_t size)
{
	(void)cell;
	(void)scale;
	snprintf(buf, size, "%llu", (unsigned long long)
		 (row->metric ? row->metric->stats.count : row->point->job.done));
}

static void write_call(const struct cell *cell, const struct scale *scale,
		       const struct row *row, char *buf, size_t size)
{
	(void)cell;
	(void)scale;
	snprintf(buf, size, "%s", row->metric->name);
}

static void write_key(const struct cell *cell, const struct scale *scale,
		      const struct row *row, char *buf, size_t size)
{
	const struct icb_params *params = &row->point->job.params;

	(void)scale;
	if (icb_params_has(params, cell->param->attr))
		plan_value(cell->param, params, buf, size);
	else
		snprintf(buf, size, "-");
}

static void write_load(const struct cell *cell, const struct scale *scale,
		       const struct row *row, char *buf, size_t size)
{
	(void)cell;
	(void)scale;
	load_name(row->result->plan, row->point - row->result->point, buf,
		  size);
}

static void write_time(const struct cell *cell, const struct scale *scale,
		       const struct row *row, char *buf, size_t size)
{
	if (confidence_supports(row->metric, cell->percentile))
		scale_write(buf, size,
			    row->metric->stats.percentile[cell->percentile] /
			    scale->ns);
	else
		snprintf(buf, size, LAYOUT_DASH);
}

/* The median is printed whatever the number of samples, which the row has, too. */
static void write_median(const struct cell *cell, const struct scale *scale,
			 const struct row *row, char *buf, size_t size)
{
	(void)cell;
	scale_write(buf, size, row->metric->stats.percentile[STATS_50] /
		    scale->ns);
}

static void write_max(const struct cell *cell, const struct scale *scale,
		      const struct row *row, char *buf, size_t size)
{
	(void)cell;
	scale_write(buf, size, row->metric->stats.max / scale->ns);
}

static double farther(double value, double low, double high)
{
	return value - low > high - value ? value - low : high - value;
}

/* Interval of a rate, or of a mean, from the batches of one run. */
static bool rate_reach(const struct point *point, const struct metric *metric,
		       double *reach)
{
	struct interval interval;

	if (interval_of(&interval, &point->metrics, metric->name) !=
	    INTERVAL_KNOWN)
		return false;
	*reach = farther(interval.value, interval.low, interval.high);
	return true;
}

static bool median_reach(const struct metric *metric, double *reach)
{
	struct confidence confidence;

	if (!confidence_find(&confidence, metric, ICB_BATCH_P50) ||
	    confidence.state != ICB_BOUNDS_KNOWN)
		return false;
	*reach = farther(confidence.value, confidence.low, confidence.high);
	return true;
}

/**
 * cells_reach() - compute the interval of a median or of a rate
 * @point: the point
 * @metric: a distribution, or a rate, of the point
 * @reach: set to the distance to the farther end of the 95 % confidence interval, in the
 *	unit of the metric. Of a repeated point it follows from the differences between
 *	its runs.
 *
 * Return: false if there is no interval.
 */
bool cells_reach(const struct point *point, const struct metric *metric,
		 double *reach)
{
	struct range range;

	if (point->runs > 1) {
		if (!repeat_range(&range, point, metric->name,
				  metric->hist ? repeat_p50 : repeat_mean))
			return false;
		*reach = farther(range.value, range.low, range.high);
		return true;
	}
	return metric->hist ? median_reach(metric, reach) :
			      rate_reach(point, metric, reach);
}

static void write_reach(const struct cell *cell, const struct scale *scale,
			const struct row *row, char *buf, size_t size)
{
	double reach;

	(void)cell;
	buf[0] = '\0';
	if (cells_reach(row->point, row->metric, &reach))
		scale_write_reach(buf, size,
				  row->metric->stats.percentile[STATS_50] /
				  scale->ns, reach / scale->ns);
}

static void write_mean(const struct cell *cell, const struct scale *scale,
		       const struct row *row, char *buf, size_t size)
{
	(void)cell;
	scale_write(buf, size, row->metric->stats.mean / scale->ns);
}

static bool mean_reach(const struct point *point, const struct metric *metric,
		       double *reach)
{
	struct range range;

	if (point->runs <= 1)
		return rate_reach(point, metric, reach);
	if (!repeat_range(&range, point, metric->name, repeat_mean))
		return false;
	*reach = farther(range.value, range.low, range.high);
	return true;
}

static void write_mean_reach(const struct cell *cell, const struct scale *scale,
			     const struct row *row, char *buf, size_t size)
{
	double reach;

	(void)cell;
	buf[0] = '\0';
	if (mean_reach(row->point, row->metric, &reach))
		scale_write_reach(buf, size, row->metric->stats.mean / scale->ns,
				  reach / scale->ns);
}

static double value_of(const struct metric *metric)
{
	double factor;

	scalar_unit(metric, &factor);
	if (metric->hist)
		return metric->stats.percentile[STATS_50] / factor;
	return (double)metric->value / metric->divisor / factor;
}

static void write_rate(const struct cell *cell, const struct scale *scale,
		       const struct row *row, char *buf, size_t size)
{
	const struct metric *metric = table_rate(&row->point->metrics,
						 cell->name);

	(void)scale;
	if (!metric || (metric->hist && !metric->stats.count))
		snprintf(buf, size, LAYOUT_DASH);
	else if (scalar_is_tally(metric))
		snprintf(buf, size, "%llu", (unsigned long long)metric->value);
	else
		scale_write(buf, size, value_of(metric));
}

static void write_rate_reach(const struct cell *cell, const struct scale *scale,
			     const struct row *row, char *buf, size_t size)
{
	const struct metric *metric = table_rate(&row->point->metrics,
						 cell->name);
	double reach, factor;

	(void)scale;
	buf[0] = '\0';
	if (!metric || !cells_reach(row->point, metric, &reach))
		return;
	scalar_unit(metric, &factor);
	scale_write_reach(buf, size, value_of(metric), reach / factor);
}

static void write_gbits(const struct cell *cell, const struct scale *scale,
			const struct row *row, char *buf, size_t size)
{
	const struct metric *metric = metrics_find(&row->point->metrics,
						   cell->name);

	(void)scale;
	if (metric)
		scale_write(buf, size, (double)metric->value / metric->divisor *
			    8 / 1e9);
	else
		snprintf(buf, size, LAYOUT_DASH);
}

static void write_load_rate(const struct cell *cell, const struct scale *scale,
			    const struct row *row, char *buf, size_t size)
{
	const struct metric *metric = metrics_find(&row->point->load_metrics,
						   cell->name);

	(void)scale;
	if (metric)
		scale_write(buf, size, value_of(metric));
	else
		snprintf(buf, size, "-");
}

static void write_overhead(const struct cell *cell, const struct scale *scale,
			   const struct row *row, char *buf, size_t size)
{
	const double value = row->point->overhead.value / scale->ns;

	(void)cell;
	snprintf(buf, size, "-");
	if (!row->point->has_overhead)
		return;
	buf[0] = '+';
	scale_write(buf + (value >= 0), size - 1, value);
}

static void write_overhead_reach(const struct cell *cell,
				 const struct scale *scale,
				 const struct row *row, char *buf, size_t size)
{
	const struct range *range = &row->point->overhead;

	(void)cell;
	buf[0] = '\0';
	if (row->point->bounded)
		scale_write_reach(buf, size, range->value / scale->ns,
				  farther(range->value, range->low,
					  range->high) / scale->ns);
}

static struct cell *add(struct cells *cells, const char *title, int width)
{
	struct cell *cell = &cells->cell[cells->count];

	if (cells->count < CELLS_MAX - 1)
		cells->count++;
	memset(cell, 0, sizeof(*cell));
	snprintf(cell->title, sizeof(cell->title), "%s", title);
	cell->width = layout_width(cell->title);
	if (cell->width < width)
		cell->width = width;
	return cell;
}

static struct cell *add_time(struct cells *cells, const char *name, int width)
{
	char title[48];

	snprintf(title, sizeof(title), "%s[%s]", name, cells->scale->unit);
	return add(cells, title, width);
}

/* Width of the column of sizes: that of the longest one in the plan. */
static int size_width(const struct result *result)
{
	char text[24];
	int width = 5, len;
	unsigned int i;

	for (i = 0; i < result->plan->count; i++) {
		number_print(text, sizeof(text), ICB_PARAM_SIZE,
			     result->plan->point[i].params.size);
		len = strlen(text);
		if (len > width)
			width = len;
	}
	return width;
}

static void add_keys(struct cells *cells, const struct result *result,
		     u64 varying)
{
	const struct icb_param *param;
	struct cell *cell;
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		param = &icb_param_table[i];
		if (!column_is_key(varying, param))
			continue;
		cell = add(cells, param->name, column_key_width(result, param));
		cell->write = write_key;
		cell->param = param;
		cell->is_left = true;
	}
	if (!result->plan->loaded)
		return;
	cell = add(cells, "load", column_load_width(result));
	cell->write = write_load;
	cell->is_left = true;
}

static int total_width(const struct cells *cells)
{
	unsigned int i;
	int width = 0;

	for (i = 0; i < cells->count; i++)
		width += 1 + cells->cell[i].width;
	return width;
}

/* Add the columns that identify a row; remove those of the keys if they are too wide. */
static void add_lead(struct cells *cells, const struct result *result,
		     const struct point *first)
{
	const unsigned int fixed = cells->count;

	add_keys(cells, result, table_keys(result, first));
	cells->is_named = total_width(cells) > LEAD_MAX;
	if (cells->is_named)
		cells->count = fixed;
	cells->lead = cells->count;
}

static void add_reach(struct cells *cells,
		      void (*write)(const struct cell *cell,
				    const struct scale *scale,
				    const struct row *row, char *buf, size_t size),
		      const char *name)
{
	struct cell *cell = add(cells, "±95%", REACH_WIDTH);

	cell->write = write;
	cell->name = name;
	cell->is_reach = true;
}

static void add_percentiles(struct cells *cells)
{
	struct cell *cell;

	add_time(cells, "p50", TIME_WIDTH)->write = write_median;
	add_reach(cells, write_reach, NULL);
	cell = add_time(cells, "p99", TIME_WIDTH);
	cell->write = write_time;
	cell->percentile = STATS_99;
	cell = add_time(cells, "p99.9", TIME_WIDTH);
	cell->write = write_time;
	cell->percentile = STATS_999;
}

/*
 * Add the columns of a distribution. If its samples alternate, its mean is right, and its
 * percentiles are not.
 */
static void add_times(struct cells *cells, bool alternates)
{
	const unsigned int begin = cells->count;
	unsigned int i;

	if (alternates) {
		add_time(cells, "mean", TIME_WIDTH)->write = write_mean;
		add_reach(cells, write_mean_reach, NULL);
	} else {
		add_percentiles(cells);
	}
	add_time(cells, "max", TIME_WIDTH)->write = write_max;
	for (i = begin; i < cells->count; i++)
		cells->cell[i].is_time = true;
}

static void rate_title(const struct metric *metric, const char *name,
		       char *title, size_t size)
{
	static const char *const shorts[][2] = {
		{ "bandwidth_min", "min" },
		{ "bandwidth_p1", "p1" },
		{ "bandwidth_median", "p50" },
		{ "cpu_per_message", "CPU" },
		{ "wakeups_per_message", "wake-ups" },
	};
	const char *unit = "";
	double factor;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shorts); i++)
		if (!strcmp(name, shorts[i][0]))
			name = shorts[i][1];
	if (metric && metric->unit != ICBENCH_UNIT_COUNT)
		unit = scalar_unit(metric, &factor);
	snprintf(title, size, *unit ? "%s[%s]" : "%s", name, unit);
}

static void add_rate(struct cells *cells, const struct metric *metric,
		     const char *name)
{
	char title[64];
	struct cell *cell;

	rate_title(metric, name, title, sizeof(title));
	cell = add(cells, title, COUNT_WIDTH);
	cell->write = write_rate;
	cell->name = name;
}

/**
 * cells_rate() - find the rate that a run without a distribution is about
 * @metrics: metrics of the run
 *
 * Return: bandwidth; without bytes message_rate; NULL if there is neither.
 */
const struct metric *cells_rate(const struct metrics *metrics)
{
	const struct metric *metric = metrics_find(metrics, "bandwidth");

	return metric && metric->value ? metric :
					 metrics_find(metrics, "message_rate");
}

/* Add the main rate with its interval, and the bandwidth also in Gb/s. */
static void add_main_rate(struct cells *cells, const struct metric *rate)
{
	const bool bytes = rate->unit == ICBENCH_UNIT_BYTES_PER_SECOND;
	struct cell *cell;

	cell = add(cells, bytes ? "MB/s" : "msg/s", TIME_WIDTH);
	cell->write = write_rate;
	cell->name = rate->name;
	add_reach(cells, write_rate_reach, rate->name);
	if (!bytes)
		return;
	cell = add(cells, "Gb/s", COUNT_WIDTH);
	cell->write = write_gbits;
	cell->name = rate->name;
	cell = add(cells, "msg/s", COUNT_WIDTH);
	cell->write = write_rate;
	cell->name = "message_rate";
}

static void add_rates(struct cells *cells, const struct point *first)
{
	const struct metrics *metrics = &first->metrics;
	const struct metric *main = cells_rate(metrics), *metric;
	unsigned int i;

	if (main)
		add_main_rate(cells, main);
	for (i = 0; i < metrics->count; i++) {
		metric = &metrics->metric[i];
		if (metric == main || !table_has_column(first, metric) ||
		    !strcmp(metric->name, "message_rate") ||
		    !strcmp(metric->name, "bandwidth"))
			continue;
		add_rate(cells, metric, metric->name);
	}
}

/* True if a point of the table of @first is compared with a baseline. */
static bool subtracts(const struct result *result, const struct point *first)
{
	const struct plan *plan = result->plan;
	unsigned int at = first - result->point, i;

	for (i = at; i < plan->count; i++)
		if (plan->point[i].section == plan->point[at].section &&
		    plan->point[i].baseline >= 0)
			return true;
	return false;
}

static void add_overhead(struct cells *cells, const struct result *result,
			 const struct point *first)
{
	if (!subtracts(result, first))
		return;
	add_time(cells, "overhead", TIME_WIDTH)->write = write_overhead;
	if (plan_repeats(result->plan))
		add_reach(cells, write_overhead_reach, NULL);
}

static void add_load_rate(struct cells *cells, const struct result *result)
{
	struct cell *cell;

	if (!result->plan->loaded)
		return;
	cell = add(cells, "load[MB/s]", COUNT_WIDTH);
	cell->write = write_load_rate;
	cell->name = "bandwidth";
}

/* Add the columns that the recipe asks for; those that the first point lacks come last. */
static void add_asked(struct cells *cells, const struct result *result,
		      const struct point *first)
{
	const struct recipe *recipe = result->recipe;
	const struct metric *metric;
	unsigned int i, pass;

	cells->late = cells->count;
	if (!metrics_main(&first->metrics))
		return;
	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < recipe->columns; i++) {
			metric = metrics_find(&first->metrics,
					      recipe->column[i]);
			if (!metric == !pass)
				continue;
			add_rate(cells, metric, recipe->column[i]);
			cells->late += !pass;
		}
}

/**
 * cells_drop() - remove the late columns that no point of a table has
 * @cells: the columns
 * @first: the first point of the table
 * @last: the last point of the table
 */
void cells_drop(struct cells *cells, const struct point *first,
		const struct point *last)
{
	unsigned int i, count = cells->late;
	const struct metric *metric;
	const struct point *point;

	for (i = cells->late; i < cells->count; i++) {
		metric = NULL;
		for (point = first; !metric && point <= last; point++)
			metric = metrics_find(&point->metrics,
					      cells->cell[i].name);
		if (!metric)
			continue;
		rate_title(metric, cells->cell[i].name, cells->cell[i].title,
			   sizeof(cells->cell[i].title));
		cells->cell[i].width = max_t(int, cells->cell[i].width,
					     layout_width(cells->cell[i].title));
		cells->cell[count++] = cells->cell[i];
	}
	cells->count = count;
}

/**
 * cells_alternate() - check whether the samples of a point are too short and too long in turn
 * @point: the point
 *
 * Return: true if so: the mean of the distribution is right, its percentiles are not.
 */
bool cells_alternate(const struct point *point)
{
	const struct metric *metric;

	/* the runs of a repeated point know it, their sum does not */
	metric = metrics_main(point->runs ? &point->run[0].metrics :
					    &point->metrics);
	return metric && metric->alternates;
}

static void begin(struct cells *cells, const struct metric *metric)
{
	memset(cells, 0, sizeof(*cells));
	cells->scale = metric ?
		scale_times(metric->stats.percentile[STATS_50],
			    metric->stats.max) : scale_times(1000, 1000);
}

/**
 * cells_make() - determine the columns of a table with a row for each point
 * @cells: the columns to fill
 * @result: the result so far
 * @first: the first point of the table, which determines columns and units
 */
void cells_make(struct cells *cells, const struct result *result,
		const struct point *first)
{
	const struct metric *metric = metrics_main(&first->metrics);

	begin(cells, metric);
	add(cells, "size", size_width(result))->write = write_size;
	add(cells, "n", COUNT_WIDTH)->write = write_count;
	add_lead(cells, result, first);
	if (metric)
		add_times(cells, cells_alternate(first));
	else
		add_rates(cells, first);
	add_overhead(cells, result, first);
	add_load_rate(cells, result);
	add_asked(cells, result, first);
}

/* The greatest median and the greatest value of all distributions of a point. */
static const struct scale *calls_scale(const struct point *point)
{
	const struct metric *metric;
	double typical = 0, most = 0;
	unsigned int i;

	for (i = 0; i < point->metrics.count; i++) {
		metric = &point->metrics.metric[i];
		if (!metric->hist)
			continue;
		if (metric->stats.percentile[STATS_50] > typical)
			typical = metric->stats.percentile[STATS_50];
		if (metric->stats.max > most)
			most = metric->stats.max;
	}
	return scale_times(typical, most);
}

/**
 * cells_make_calls() - determine the columns of a table with a row for each distribution
 * @cells: the columns to fill
 * @result: the result so far
 * @first: the first point of the table
 */
void cells_make_calls(struct cells *cells, const struct result *result,
		      const struct point *first)
{
	struct cell *cell;

	begin(cells, NULL);
	cells->scale = calls_scale(first);
	cell = add(cells, "call", CALL_WIDTH);
	cell->write = write_call;
	cell->is_left = true;
	if (table_keys(result, first) & BIT_ULL(ICBENCH_A_PARAMS_SIZE))
		add(cells, "size", size_width(result))->write = write_size;
	add(cells, "n", COUNT_WIDTH)->write = write_count;
	add_lead(cells, result, first);
	add_times(cells, false);
	cells->late = cells->count;
}

/**
 * cells_write() - write the text of a column for a row
 * @cells: the columns
 * @index: index of the column
 * @row: the row
 * @buf: buffer for the text
 * @size: size of @buf, bytes
 */
void cells_write(const struct cells *cells, unsigned int index,
		 const struct row *row, char *buf, size_t size)
{
	const struct cell *cell = &cells->cell[index];

	if (cell->is_time && (!row->metric || !row->metric->stats.count))
		snprintf(buf, size, "%s", cell->is_reach ? "" : LAYOUT_DASH);
	else
		cell->write(cell, cells->scale, row, buf, size);
}
