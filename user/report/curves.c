// SPDX-License-Identifier: GPL-2.0
/* Plots of a result: distributions, and metrics against a parameter of a sweep. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "curves.h"
#include "model/params.h"
#include "page.h"
#include "points.h"
#include "scale.h"

/* A spread by this factor or more makes an axis logarithmic. */
#define LOG_SPREAD	20

/**
 * struct series - curves that are found while the points of a result are read
 * @label: label of each curve, allocated
 * @count: number of curves, up to PLOT_COLOURS
 * @others: true if there are further curves
 */
struct series {
	char *label[PLOT_COLOURS];
	unsigned int count;
	bool others;
};

/* Return: index of the curve with this label; -1 if there are too many. */
static int find_series(struct series *series, const char *label)
{
	unsigned int i;

	for (i = 0; i < series->count; i++)
		if (!strcmp(series->label[i], label))
			return i;
	if (series->count == PLOT_COLOURS) {
		series->others = true;
		return -1;
	}
	series->label[series->count++] = alloc_text("%s", label);
	return i;
}

static void free_series(struct series *series)
{
	while (series->count)
		free(series->label[--series->count]);
}

static const char *trigger(const struct points *points, size_t index)
{
	struct json_object *value;

	value = json_object_object_get(points_get(points, index), "parameters");
	value = json_object_object_get(value, "trigger");
	return json_object_is_type(value, json_type_string) ?
		json_object_get_string(value) : "";
}

static struct json_object *array_of(struct json_object *metric, const char *key)
{
	struct json_object *array = NULL;

	if (json_object_is_type(metric, json_type_object))
		array = json_object_object_get(metric, key);
	return json_object_is_type(array, json_type_array) &&
	       json_object_array_length(array) ? array : NULL;
}

/* The metrics whose distribution is drawn: the latency, or the calls that are timed. */
static bool is_drawn(const struct points *points, size_t index, const char *name,
		     bool latency)
{
	return latency ? !strcmp(name, "latency") :
			 !strcmp(trigger(points, index), "return");
}

static bool number_at(struct json_object *row, unsigned int index, double *number)
{
	struct json_object *value;

	if (!json_object_is_type(row, json_type_array) ||
	    index >= json_object_array_length(row))
		return false;
	value = json_object_array_get_idx(row, index);
	if (!json_object_is_type(value, json_type_int) &&
	    !json_object_is_type(value, json_type_double))
		return false;
	*number = json_object_get_double(value);
	return isfinite(*number);
}

/* Share of samples, as the number of nines, that the number of samples supports. */
static double supported_nines(struct json_object *metric)
{
	struct json_object *names = array_of(metric, "unsupported"), *name;
	double least = 1e9, percent;
	size_t i;

	for (i = 0; names && i < json_object_array_length(names); i++) {
		name = json_object_array_get_idx(names, i);
		percent = atof(json_object_get_string(name) ? : "");
		if (percent > 0 && percent < 100)
			least = fmin(least, -log10(1 - percent / 100));
	}
	return least;
}

/*
 * Draw the share of samples below each value, on an axis of nines: 1 is 90 %, 2 is 99 %.
 * The part that too few samples support is dashed.
 */
static void add_distribution(struct plot *plot, struct json_object *metric,
			     unsigned int colour, const char *label,
			     double factor)
{
	struct json_object *rows = array_of(metric, "histogram"), *row;
	double low, high, samples, count = 0, below = 0, before, nines = 0;
	const double supported = supported_nines(metric);
	struct plot_curve *curve;
	bool dashed = false;
	size_t i;

	for (i = 0; i < json_object_array_length(rows); i++)
		if (number_at(json_object_array_get_idx(rows, i), 2, &samples) &&
		    samples > 0)
			count += samples;
	curve = plot_curve(plot, PLOT_LINES, colour, label);
	for (i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		if (!number_at(row, 0, &low) || !number_at(row, 1, &high) ||
		    !number_at(row, 2, &samples) || samples <= 0)
			continue;
		before = nines;
		below += samples;
		/* the last sample is the one in COUNT that is not below */
		nines = -log10(fmax(count - below, 1) / count);
		plot_point(plot, curve, low / factor, before, before, before);
		plot_point(plot, curve, high / factor, nines, nines, nines);
		if (dashed || nines < supported)
			continue;
		dashed = true;
		curve = plot_curve(plot, PLOT_LINES, colour, NULL);
		curve->dashed = true;
		plot_point(plot, curve, high / factor, nines, nines, nines);
	}
}

/* A part of a curve with a distribution that is to be drawn. */
struct chosen {
	struct json_object *metric;
	char *label;
};

/* Choose at most PLOT_COLOURS distributions, evenly over all. Return: number of all. */
static size_t choose(const struct points *points, struct chosen *chosen,
		     unsigned int *count)
{
	const bool latency = points_has(points, "latency");
	size_t all = 0, pass, i, seen = 0, step = 1;
	struct json_object *metrics;
	char *label;

	*count = 0;
	for (pass = 0; pass < 2; pass++) {
		step = (all + PLOT_COLOURS - 1) / PLOT_COLOURS;
		for (i = 0; i < points->count; i++) {
			metrics = json_object_object_get(points_get(points, i),
							 "metrics");
			json_object_object_foreach(metrics, name, metric) {
				if (!is_drawn(points, i, name, latency) ||
				    !array_of(metric, "histogram"))
					continue;
				if (!pass) {
					all++;
					continue;
				}
				if (seen++ % step)
					continue;
				label = points_label(points, i, NULL);
				chosen[*count].metric = metric;
				chosen[*count].label = latency && *label ?
					alloc_text("%s", label) :
					alloc_text("%s%s%s", name,
						   *label ? ": " : "", label);
				free(label);
				++*count;
			}
		}
	}
	return all;
}

static void add_nines(struct plot_axis *axis)
{
	static const char *const texts[] = {
		"0 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %",
		"99.9999 %", "99.99999 %",
	};
	unsigned int i;

	plot_tic(axis, -log10(0.5), "50 %");
	for (i = 0; i < ARRAY_SIZE(texts) && i <= axis->high + 0.01; i++)
		plot_tic(axis, i, texts[i]);
}

/**
 * curves_distribution() - add a plot of the distributions of a result
 * @page: the page
 * @points: the points of the result
 */
void curves_distribution(struct page *page, const struct points *points)
{
	struct chosen chosen[PLOT_COLOURS];
	double number, least = INFINITY, most = 0;
	unsigned int count, i;
	struct scale scale;
	struct plot plot;
	size_t all;

	all = choose(points, chosen, &count);
	for (i = 0; i < count; i++) {
		if (document_number(chosen[i].metric, "max", &number))
			most = fmax(most, number);
		if (document_number(chosen[i].metric, "min", &number))
			least = fmin(least, number);
	}
	scale = scale_of("ns", sqrt(fmax(least, 1) * fmax(most, 1)),
			 points->doc->icount);
	plot_begin(&plot, "Distribution");
	plot.x.log = least > 0 && most > 4 * least;
	plot_axis(&plot.x, points_has(points, "latency") ? "latency" : "time of a call",
		  scale.unit);
	plot_axis(&plot.y, "share of samples below", NULL);
	plot.y.zero = true;
	for (i = 0; i < count; i++) {
		add_distribution(&plot, chosen[i].metric, i, chosen[i].label,
				 scale.factor);
		free(chosen[i].label);
	}
	add_nines(&plot.y);
	plot_note(&plot, "%sDashed: too few samples for this percentile.%s",
		  all > count ? "A selection of the points. " : "",
		  points->doc->icount ? " The clock counts instructions." : "");
	page_plot(page, &plot);
}

static int by_x(const void *a, const void *b)
{
	const struct plot_point *one = a, *other = b;

	return one->x < other->x ? -1 : one->x > other->x;
}

/* Sort the points of each curve, and add a tic for each value if there are few. */
static void finish_curves(struct plot *plot, const char *key)
{
	double values[14];
	unsigned int count = 0, i, j, k;
	struct plot_curve *curve;
	char *text;

	for (i = 0; i < plot->curves; i++) {
		curve = &plot->curve[i];
		if (curve->points)
			qsort(curve->point, curve->points, sizeof(*curve->point),
			      by_x);
		for (j = 0; j < curve->points; j++) {
			for (k = 0; k < count; k++)
				if (values[k] == curve->point[j].x)
					break;
			if (k < count)
				continue;
			if (count == ARRAY_SIZE(values))
				return;
			values[count++] = curve->point[j].x;
		}
	}
	if (!plot->x.log && count > 4)
		return;
	for (i = 0; i < count; i++) {
		text = points_key_text(key, values[i]);
		plot_tic(&plot->x, values[i], text);
		free(text);
	}
	plot->x.rotate = count > 8;
}

/* Spread of the positive values of a key or of a metric over all points. */
static void find_range(const struct points *points, const char *key,
		       const char *metric, double range[2])
{
	struct estimate estimate;
	double value;
	size_t i;

	range[0] = INFINITY;
	range[1] = -INFINITY;
	for (i = 0; i < points->count; i++) {
		if (metric && points_typical(points, i, metric, &estimate))
			value = estimate.value;
		else if (metric || !points_number(points, i, key, &value))
			continue;
		range[0] = fmin(range[0], value);
		range[1] = fmax(range[1], value);
	}
}

static const char *unit_of(const struct points *points, const char *metric)
{
	struct json_object *object;
	size_t i;

	for (i = 0; i < points->count; i++) {
		object = points_metric(points, i, metric);
		object = object ? json_object_object_get(object, "unit") : NULL;
		if (object)
			return json_object_get_string(object);
	}
	return "";
}

static bool is_log(const double range[2])
{
	return range[0] > 0 && range[1] >= LOG_SPREAD * range[0];
}

/* Add a curve for each series: the typical figure, or a percentile in dashes. */
static void add_curves(struct plot *plot, const struct points *points,
		       const char *key, const char *metric, bool percentile,
		       struct series *series, double factor)
{
	struct plot_curve *curve;
	struct estimate e;
	char *label, *text;
	unsigned int base = plot->curves, made = 0, k;
	double x;
	size_t i;
	int at;

	for (i = 0; i < points->count; i++) {
		if (!points_number(points, i, key, &x))
			continue;
		if (!(percentile ? points_figure(points, i, metric, STATISTIC_P99, &e) :
				   points_typical(points, i, metric, &e)))
			continue;
		label = points_label(points, i, key);
		at = find_series(series, label);
		free(label);
		if (at < 0)
			continue;
		for (; made <= (unsigned int)at; made++) {
			k = made;
			text = alloc_text("%s%s%s", percentile ? "p99" : metric,
					  *series->label[k] ? ": " : "",
					  series->label[k]);
			curve = plot_curve(plot, PLOT_MARKED_LINES, k, text);
			curve->dashed = percentile;
			free(text);
		}
		curve = &plot->curve[base + at];
		plot_point(plot, curve, x, e.value / factor,
			   e.why_not ? e.value / factor : e.low / factor,
			   e.why_not ? e.value / factor : e.high / factor);
	}
}

/* Add a line at each knee along the key: the last value before the metric falls. */
static void add_knees(struct plot *plot, const struct points *points,
		      const char *key)
{
	struct json_object *knees = array_of(points->doc->root, "knees"), *knee;
	char *name, *metric, *value, *text;
	double at;
	size_t i;

	for (i = 0; knees && i < json_object_array_length(knees) && i < 4; i++) {
		knee = json_object_array_get_idx(knees, i);
		if (!json_object_is_type(knee, json_type_object) ||
		    (!document_number(knee, "at", &at) &&
		     !document_number(knee, "holds", &at)))
			continue;
		name = document_text(knee, "key");
		metric = document_text(knee, "metric");
		if (name && metric && !strcmp(name, key)) {
			value = points_key_text(key, round(at));
			text = alloc_text("knee %s", value);
			plot_line(plot, at, text);
			free(text);
			free(value);
		}
		free(name);
		free(metric);
	}
}

/* Add the curve of the M/D/1 model, which the result has beside each point. */
static void add_model(struct plot *plot, const struct points *points,
		      const char *key, double factor)
{
	struct json_object *model;
	struct plot_curve *curve;
	double x, y;
	size_t i;

	curve = plot_curve(plot, PLOT_MARKED_LINES, PLOT_COLOURS - 1,
			   "mean latency of the M/D/1 model");
	curve->dashed = true;
	for (i = 0; i < points->count; i++) {
		model = json_object_object_get(points_get(points, i), "derived");
		model = json_object_is_type(model, json_type_object) ?
			json_object_object_get(model, "md1") : NULL;
		model = json_object_is_type(model, json_type_object) ?
			json_object_object_get(model, "model") : NULL;
		if (points_number(points, i, key, &x) &&
		    document_number(model, "value", &y))
			plot_point(plot, curve, x, y / factor, y / factor,
				   y / factor);
	}
}

static void add_sweep(struct page *page, const struct points *points,
		      const char *key, const char *metric)
{
	struct series series = { .count = 0 };
	double x[2], y[2];
	struct scale scale;
	struct plot plot;

	find_range(points, key, NULL, x);
	find_range(points, NULL, metric, y);
	if (!(y[0] <= y[1]))
		return;
	scale = scale_of(unit_of(points, metric), is_log(y) ?
			 sqrt(y[0] * y[1]) : y[1], points->doc->icount);
	plot_begin(&plot, "%s against %s", metric, key);
	plot.x.log = is_log(x);
	plot.y.log = is_log(y);
	plot.y.zero = !plot.y.log;
	plot_axis(&plot.x, key, NULL);
	plot_axis(&plot.y, metric, scale.unit);
	add_curves(&plot, points, key, metric, false, &series, scale.factor);
	if (!strcmp(metric, "latency")) {
		add_curves(&plot, points, key, metric, true, &series, scale.factor);
		add_model(&plot, points, key, scale.factor);
	}
	add_knees(&plot, points, key);
	finish_curves(&plot, key);
	plot_note(&plot, "%s%s", strcmp(metric, "latency") ?
		  "" : "Medians with 95 % intervals, and 99th percentiles (dashed). ",
		  series.others ? "Other series are not shown." : "");
	page_plot(page, &plot);
	free_series(&series);
}

/* Add a plot of the medians of all timed calls. */
static void add_calls(struct page *page, const struct points *points,
		      const char *key)
{
	struct json_object *metrics;
	struct series none = { .count = 0 };
	double x[2], y[2], most = 0, least = INFINITY;
	unsigned int calls = 0;
	struct scale scale;
	struct plot plot;
	size_t first;

	find_range(points, key, NULL, x);
	metrics = json_object_object_get(points_get(points, 0), "metrics");
	json_object_object_foreach(metrics, each, ignored) {
		(void)ignored;
		find_range(points, NULL, each, y);
		if (y[0] <= y[1]) {
			most = fmax(most, y[1]);
			least = fmin(least, y[0]);
		}
	}
	scale = scale_of("ns", least > 0 ? sqrt(most * least) : most,
			 points->doc->icount);
	plot_begin(&plot, "time of the calls against %s", key);
	plot.x.log = is_log(x);
	plot.y.log = least > 0 && most >= LOG_SPREAD * least;
	plot.y.zero = !plot.y.log;
	plot_axis(&plot.x, key, NULL);
	plot_axis(&plot.y, "median time of a call", scale.unit);
	json_object_object_foreach(metrics, name, metric) {
		if (!array_of(metric, "histogram") || calls == PLOT_COLOURS)
			continue;
		first = plot.curves;
		add_curves(&plot, points, key, name, false, &none, scale.factor);
		for (; first < plot.curves; first++)
			plot.curve[first].colour = calls;
		free_series(&none);
		calls++;
	}
	finish_curves(&plot, key);
	page_plot(page, &plot);
}

/**
 * curves_sweep() - add plots of the metrics of a sweep
 * @page: the page
 * @points: the points of the result
 */
void curves_sweep(struct page *page, const struct points *points)
{
	const char *key = points_axis(points);
	const bool latency = points_has(points, "latency");

	if (!key)
		return;
	if (!strcmp(trigger(points, 0), "return")) {
		add_calls(page, points, key);
		return;
	}
	if (latency)
		add_sweep(page, points, key, "latency");
	if (points_has(points, "bandwidth") && (!latency || !strcmp(key, "size")))
		add_sweep(page, points, key, "bandwidth");
	if (points_has(points, "accepted"))
		add_sweep(page, points, key, "accepted");
}
