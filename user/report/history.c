// SPDX-License-Identifier: GPL-2.0
/*
 * The section of a report about series of results: those of the same benchmark with the
 * same parameters, in the order of their start.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "history.h"
#include "inputs.h"
#include "page.h"
#include "points.h"
#include "scale.h"
#include "table.h"

/* A spread by this factor or more makes the axis logarithmic. */
#define LOG_SPREAD	20
/* Longest text of a tic, bytes. */
#define TIC_MAX		20

/**
 * struct track - a figure of a point over a series of results
 * @index: index of the point in the first result
 * @metric: name of the metric, owned by the first result
 */
struct track {
	size_t index;
	const char *metric;
};

/**
 * struct history - a series of results
 * @points: points of each result, allocated
 * @count: number of results
 * @track: figures that are followed
 * @tracks: number of figures
 * @more: true if there are further figures
 */
struct history {
	struct points *points;
	unsigned int count;
	struct track track[PLOT_COLOURS];
	unsigned int tracks;
	bool more;
};

static bool same(struct json_object *a, struct json_object *b, const char *key)
{
	a = json_object_object_get(a, key);
	b = json_object_object_get(b, key);
	return a == b || (a && b && json_object_equal(a, b));
}

static struct json_object *load_of(struct json_object *point)
{
	struct json_object *load = json_object_object_get(point, "load");

	return json_object_is_type(load, json_type_object) ? load : NULL;
}

static bool same_point(struct json_object *a, struct json_object *b)
{
	return same(a, b, "section") && same(a, b, "parameters") &&
	       !load_of(a) == !load_of(b) &&
	       (!load_of(a) || same(load_of(a), load_of(b), "parameters"));
}

/* Two results are of one series if they have the same clock and begin with the same point. */
static bool same_series(const struct document *a, const struct document *b)
{
	return a->icount == b->icount && same(a->root, b->root, "benchmark") &&
	       json_object_array_length(a->points) ==
	       json_object_array_length(b->points) &&
	       same_point(json_object_array_get_idx(a->points, 0),
			  json_object_array_get_idx(b->points, 0));
}

static void add_track(struct history *history, size_t index, const char *metric)
{
	if (history->tracks == PLOT_COLOURS) {
		history->more = true;
		return;
	}
	history->track[history->tracks++] = (struct track){ index, metric };
}

/* The figures that are followed: latency, or bandwidth, or the calls that were timed. */
static void choose_tracks(struct history *history)
{
	static const char *const first[] = { "latency", "bandwidth" };
	const struct points *points = history->points;
	struct json_object *metrics;
	unsigned int i;
	size_t at;

	for (i = 0; i < 2; i++) {
		for (at = 0; at < points->count; at++)
			if (points_metric(points, at, first[i]))
				add_track(history, at, first[i]);
		if (history->tracks)
			return;
	}
	for (at = 0; at < points->count; at++) {
		metrics = json_object_object_get(points_get(points, at), "metrics");
		json_object_object_foreach(metrics, name, metric)
			if (json_object_object_get(metric, "histogram"))
				add_track(history, at, name);
	}
}

/* Find the figure of a track in a result. */
static bool find(const struct history *history, unsigned int result,
		 const struct track *track, struct estimate *estimate)
{
	const struct points *points = &history->points[result];

	return track->index < points->count &&
	       same_point(points_get(points, track->index),
			  points_get(history->points, track->index)) &&
	       points_typical(points, track->index, track->metric, estimate);
}

static char *track_label(const struct history *history, const struct track *track)
{
	char *point = points_label(history->points, track->index, NULL), *label;

	label = alloc_text("%s%s%s", track->metric, *point ? ": " : "", point);
	free(point);
	return label;
}

static char *release_of(const struct document *doc)
{
	char *release = document_text(doc->environment, "release");

	if (!release)
		release = document_text(doc->environment, "kernel");
	if (!release)
		return alloc_text("?");
	release[strcspn(release, " ")] = '\0';
	return release;
}

/* Name the release at the first result of each release. */
static void add_tics(struct plot *plot, const struct history *history)
{
	char *last = alloc_text("%s", ""), *release;
	unsigned int i;

	for (i = 0; i < history->count; i++) {
		release = release_of(history->points[i].doc);
		if (strlen(release) > TIC_MAX)
			release[TIC_MAX] = '\0';
		plot_tic(&plot->x, i + 1, strcmp(release, last) ? release : "");
		free(last);
		last = release;
	}
	free(last);
	plot->x.rotate = true;
}

static void add_plot(struct page *page, const struct history *history,
		     const char *benchmark)
{
	const bool icount = history->points->doc->icount;
	double least = INFINITY, most = 0;
	struct plot_curve *curve;
	struct json_object *metric;
	struct estimate e;
	struct scale scale;
	struct plot plot;
	unsigned int i, j;
	char *label;

	for (i = 0; i < history->tracks; i++)
		for (j = 0; j < history->count; j++)
			if (find(history, j, &history->track[i], &e)) {
				least = fmin(least, e.value);
				most = fmax(most, e.value);
			}
	metric = points_metric(history->points, history->track[0].index,
			       history->track[0].metric);
	scale = scale_of(json_object_get_string(json_object_object_get(metric, "unit")),
			 least > 0 ? sqrt(least * most) : most, icount);
	plot_begin(&plot, "History of %s", benchmark);
	plot.y.log = least > 0 && most >= LOG_SPREAD * least;
	plot_axis(&plot.y, points_has(history->points, "latency") ||
		  points_has(history->points, "bandwidth") ?
		  history->track[0].metric : "median time of a call", scale.unit);
	for (i = 0; i < history->tracks; i++) {
		label = track_label(history, &history->track[i]);
		curve = plot_curve(&plot, PLOT_MARKED_LINES, i, label);
		free(label);
		for (j = 0; j < history->count; j++)
			if (find(history, j, &history->track[i], &e))
				plot_point(&plot, curve, j + 1, e.value / scale.factor,
					   (e.why_not ? e.value : e.low) / scale.factor,
					   (e.why_not ? e.value : e.high) / scale.factor);
	}
	add_tics(&plot, history);
	plot_note(&plot,
		  "%u results in the order of their start; a release is named at its first result.%s",
		  history->count, history->more ? " Other figures are not shown." : "");
	page_plot(page, &plot);
}

static void add_row(struct table *table, const struct history *history,
		    unsigned int result, const struct track *track)
{
	const struct document *doc = history->points[result].doc;
	struct estimate first, e;
	char *text;

	if (!find(history, result, track, &e) || table_is_full(table))
		return;
	text = document_text(doc->root, "started");
	table_text(table, text);
	free(text);
	text = release_of(doc);
	table_text(table, text);
	free(text);
	text = track_label(history, track);
	table_text(table, text);
	free(text);
	text = document_text(points_metric(history->points, track->index,
					   track->metric), "unit");
	table_text(table, text);
	free(text);
	table_number(table, e.value);
	if (result && find(history, 0, track, &first) && first.value)
		table_number(table, round(1e5 * (e.value - first.value) /
					  first.value) / 1e3);
	else
		table_absent(table);
	table_text(table, doc->path);
}

static void add_history(struct page *page, struct history *history)
{
	char *benchmark = document_text(history->points->doc->root, "benchmark");
	const char *name;
	struct table table;
	unsigned int i, j;

	name = strrchr(history->points->doc->path, '/');
	name = name ? name + 1 : history->points->doc->path;
	page_heading(page, 3, "%.*s: %u results of %s", (int)strcspn(name, "."),
		     name, history->count, benchmark);
	add_plot(page, history, benchmark);
	table_begin(&table, "History of %s: medians, and values of rates", benchmark);
	table_column(&table, "started", false);
	table_column(&table, "kernel", false);
	table_column(&table, "figure", false);
	table_column(&table, "unit", false);
	table_column(&table, "value", true);
	table_column(&table, "difference to the first, %", true);
	table_column(&table, "file", false);
	for (i = 0; i < history->tracks; i++)
		for (j = 0; j < history->count; j++)
			add_row(&table, history, j, &history->track[i]);
	page_table(page, &table);
	free(benchmark);
}

/* Collect the results of a series; each is marked as taken. */
static void collect(struct history *history, const struct inputs *inputs,
		    unsigned int first, bool *taken)
{
	const struct document *doc = &inputs->input[first].doc;
	unsigned int i;

	memset(history, 0, sizeof(*history));
	for (i = first; i < inputs->count; i++) {
		if (inputs->input[i].kind != INPUT_RESULT || taken[i] ||
		    !same_series(doc, &inputs->input[i].doc))
			continue;
		taken[i] = true;
		history->points = alloc_grow(history->points, history->count,
					     sizeof(*history->points));
		points_of(&history->points[history->count++],
			  &inputs->input[i].doc);
	}
}

/**
 * history_sections() - add a section for each series of two or more results
 * @page: the page
 * @inputs: the files
 */
void history_sections(struct page *page, const struct inputs *inputs)
{
	bool *taken = alloc_zero(inputs->count, sizeof(*taken)), any = false;
	struct history history;
	unsigned int i;

	for (i = 0; i < inputs->count; i++) {
		if (inputs->input[i].kind != INPUT_RESULT || taken[i])
			continue;
		collect(&history, inputs, i, taken);
		if (history.count > 1)
			choose_tracks(&history);
		if (history.tracks) {
			if (!any)
				page_heading(page, 2, "History");
			any = true;
			add_history(page, &history);
		}
		free(history.points);
	}
	free(taken);
}
