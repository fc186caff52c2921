// SPDX-License-Identifier: GPL-2.0
/* The sections of a report about results: plots, tables and environment of each. */
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "base/text.h"
#include "curves.h"
#include "inputs.h"
#include "model/engine.h"
#include "modes.h"
#include "page.h"
#include "points.h"
#include "published.h"
#include "results.h"
#include "stages.h"
#include "table.h"

/* Most files whose list is open. */
#define OPEN_MAX	12

/* Figures of a distribution, and their headings. */
static const struct {
	enum statistic statistic;
	const char *name;
} figures[] = {
	{ STATISTIC_MIN, "min" },
	{ STATISTIC_MEAN, "mean" },
	{ STATISTIC_P50, "p50" },
	{ STATISTIC_P90, "p90" },
	{ STATISTIC_P99, "p99" },
	{ STATISTIC_P999, "p99.9" },
	{ STATISTIC_P9999, "p99.99" },
};

/* Scalars of the first table, their headings and the divisors of their values. */
static const struct {
	const char *metric;
	const char *name;
	double factor;
} scalars[] = {
	{ "bandwidth", "bandwidth, MB/s", 1e6 },
	{ "message_rate", "messages, 1/s", 1 },
	{ "accepted", "accepted, %", 1 },
	{ "cpu_per_message", "CPU time of a message, ns", 1 },
};

static const char *const kinds[] = {
	[INPUT_RESULT] = "result",
	[INPUT_COMPARISON] = "comparison",
	[INPUT_PROFILE] = "profile",
	[INPUT_STACKS] = "call stacks",
};

static void add_member(struct table *table, struct json_object *object,
		       const char *key)
{
	char *text = object ? document_text(object, key) : NULL;

	table_text(table, text);
	free(text);
}

/**
 * results_overview() - add a table of all files
 * @page: the page
 * @inputs: the files
 */
void results_overview(struct page *page, const struct inputs *inputs)
{
	const struct input *input;
	struct json_object *root;
	struct table table;
	unsigned int i;

	table_begin(&table, "Files of this report");
	table_column(&table, "file", false);
	table_column(&table, "kind", false);
	table_column(&table, "benchmark", false);
	table_column(&table, "kernel", false);
	table_column(&table, "started", false);
	table_column(&table, "points", true);
	for (i = 0; i < inputs->count && !table_is_full(&table); i++) {
		input = &inputs->input[i];
		root = input->kind == INPUT_RESULT ? input->doc.root : input->root;
		table_text(&table, input->path);
		table_text(&table, input->kind == INPUT_RESULT && input->doc.partial ?
			   "partial result" : kinds[input->kind]);
		add_member(&table, root, "benchmark");
		add_member(&table, input->kind == INPUT_RESULT ?
			   input->doc.environment : root, "kernel");
		add_member(&table, root, "started");
		if (input->kind == INPUT_RESULT)
			table_number(&table, json_object_array_length(input->doc.points));
		else
			table_absent(&table);
	}
	if (inputs->count > OPEN_MAX)
		page_details(page, "Files of this report", &table);
	else if (inputs->count > 1)
		page_table(page, &table);
	else
		table_free(&table);
}

static void add_parameters(struct table *table, const struct points *points,
			   size_t index)
{
	unsigned int i;
	char *text;

	if (points->sections)
		add_member(table, points_get(points, index), "section");
	for (i = 0; i < points->keys; i++) {
		text = points_value(points, index, points->key[i]);
		table_text(table, text);
		free(text);
	}
}

static void add_columns(struct table *table, const struct points *points)
{
	double number;
	unsigned int i;

	if (points->sections)
		table_column(table, "section", false);
	for (i = 0; i < points->keys; i++)
		table_column(table, points->key[i],
			     points_number(points, 0, points->key[i], &number));
}

static void add_figure(struct table *table, const struct points *points,
		       size_t index, const char *metric,
		       enum statistic statistic, double factor)
{
	struct estimate estimate;

	if (points_figure(points, index, metric, statistic, &estimate))
		table_number(table, estimate.value / factor);
	else
		table_absent(table);
}

/* Find the figures of the latency that any point has. */
static void find_columns(const struct points *points, bool *has)
{
	struct estimate estimate;
	unsigned int i;
	size_t at;

	for (i = 0; i < ARRAY_SIZE(figures); i++) {
		has[i] = false;
		for (at = 0; !has[i] && at < points->count; at++)
			has[i] = points_figure(points, at, "latency",
					       figures[i].statistic, &estimate);
	}
}

/* A table with a row for each point: its parameters and its main figures. */
static void add_main_table(struct page *page, const struct points *points)
{
	bool has[ARRAY_SIZE(figures)], scalar[ARRAY_SIZE(scalars)];
	struct table table;
	char *name;
	unsigned int i;
	size_t at;

	find_columns(points, has);
	if (!points_has(points, "latency") && !points_has(points, "bandwidth"))
		return;
	table_begin(&table, "Points and their main figures%s",
		    points->doc->icount ? "; 1 ns is one instruction" : "");
	add_columns(&table, points);
	for (i = 0; i < ARRAY_SIZE(figures); i++) {
		if (!has[i])
			continue;
		name = alloc_text("latency %s, ns", figures[i].name);
		table_column(&table, name, true);
		free(name);
	}
	for (i = 0; i < ARRAY_SIZE(scalars); i++) {
		scalar[i] = points_has(points, scalars[i].metric);
		if (scalar[i])
			table_column(&table, scalars[i].name, true);
	}
	for (at = 0; at < points->count; at++) {
		if (table_is_full(&table))
			continue;
		add_parameters(&table, points, at);
		for (i = 0; i < ARRAY_SIZE(figures); i++)
			if (has[i])
				add_figure(&table, points, at, "latency",
					   figures[i].statistic, 1);
		for (i = 0; i < ARRAY_SIZE(scalars); i++)
			if (scalar[i])
				add_figure(&table, points, at, scalars[i].metric,
					   STATISTIC_VALUE, scalars[i].factor);
	}
	page_table(page, &table);
}

static void add_metric(struct table *table, const struct points *points,
		       size_t at, const char *name, struct json_object *metric)
{
	struct estimate estimate;
	double number;
	unsigned int i;
	bool has;

	add_parameters(table, points, at);
	table_text(table, name);
	add_member(table, metric, "unit");
	if (document_number(metric, "count", &number))
		table_number(table, number);
	else
		table_absent(table);
	add_figure(table, points, at, name, STATISTIC_VALUE, 1);
	for (i = 0; i < ARRAY_SIZE(figures); i++)
		add_figure(table, points, at, name, figures[i].statistic, 1);
	if (document_number(metric, "max", &number))
		table_number(table, number);
	else
		table_absent(table);
	has = (points_figure(points, at, name, STATISTIC_MEAN, &estimate) ||
	       points_figure(points, at, name, STATISTIC_VALUE, &estimate)) &&
	      !estimate.why_not;
	for (i = 0; i < 2; i++) {
		if (has)
			table_number(table, i ? estimate.high : estimate.low);
		else
			table_absent(table);
	}
}

/* A table with a row for each metric of each point. */
static void add_all_metrics(struct page *page, const struct points *points)
{
	const bool open = !points_has(points, "latency") &&
			  !points_has(points, "bandwidth");
	struct json_object *metrics;
	struct table table;
	unsigned int i;
	size_t at;

	table_begin(&table, "All metrics%s", points->doc->icount ?
		    "; 1 ns is one instruction" : "");
	add_columns(&table, points);
	table_column(&table, "metric", false);
	table_column(&table, "unit", false);
	table_column(&table, "samples", true);
	table_column(&table, "value", true);
	for (i = 0; i < ARRAY_SIZE(figures); i++)
		table_column(&table, figures[i].name, true);
	table_column(&table, "max", true);
	table_column(&table, "interval from", true);
	table_column(&table, "to", true);
	for (at = 0; at < points->count; at++) {
		metrics = json_object_object_get(points_get(points, at), "metrics");
		json_object_object_foreach(metrics, name, metric)
			if (!table_is_full(&table))
				add_metric(&table, points, at, name, metric);
	}
	if (open)
		page_table(page, &table);
	else
		page_details(page, "All metrics", &table);
}

/* Add the members of an object of derived figures, such as "loggp". */
static void add_quantities(struct table *table, const char *label,
			   struct json_object *object)
{
	double number;

	if (!json_object_is_type(object, json_type_object))
		return;
	json_object_object_foreach(object, name, quantity) {
		if (table_is_full(table))
			continue;
		table_text(table, *label ? label : "all");
		table_text(table, name);
		if (json_object_is_type(quantity, json_type_boolean)) {
			table_text(table, json_object_get_boolean(quantity) ?
				   "yes" : "no");
			table_absent(table);
			table_absent(table);
			table_absent(table);
			continue;
		}
		if (document_number(quantity, "value", &number))
			table_number(table, number);
		else
			table_absent(table);
		add_member(table, json_object_is_type(quantity, json_type_object) ?
			   quantity : NULL, "unit");
		if (document_number(quantity, "low", &number))
			table_number(table, number);
		else
			table_absent(table);
		if (document_number(quantity, "high", &number))
			table_number(table, number);
		else
			table_absent(table);
	}
}

static void add_derived_of(struct table *table, const char *label,
			   struct json_object *owner)
{
	struct json_object *derived = json_object_object_get(owner, "derived");

	if (!json_object_is_type(derived, json_type_object))
		return;
	json_object_object_foreach(derived, name, quantities) {
		(void)name;
		add_quantities(table, label, quantities);
	}
}

static void add_derived(struct page *page, const struct points *points)
{
	struct table table;
	char *label;
	size_t at;

	table_begin(&table, "Derived figures");
	table_column(&table, "point", false);
	table_column(&table, "figure", false);
	table_column(&table, "value", true);
	table_column(&table, "unit", false);
	table_column(&table, "interval from", true);
	table_column(&table, "to", true);
	add_derived_of(&table, "", points->doc->root);
	for (at = 0; at < points->count; at++) {
		label = points_label(points, at, NULL);
		add_derived_of(&table, label, points_get(points, at));
		free(label);
	}
	page_table(page, &table);
}

static char *command_of(struct json_object *root)
{
	struct json_object *words = json_object_object_get(root, "command");
	const char *word;
	char *text;
	size_t len, i;
	FILE *f = open_memstream(&text, &len);

	for (i = 0; json_object_is_type(words, json_type_array) &&
	     i < json_object_array_length(words); i++) {
		word = json_object_get_string(json_object_array_get_idx(words, i));
		fprintf(f, "%s%s", i ? " " : "", word ? : "");
	}
	fclose(f);
	text_one_line(text);
	return text;
}

static void add_environment(struct page *page, const struct document *doc)
{
	struct table table;
	char *text;

	table_begin(&table, "Environment");
	table_column(&table, "item", false);
	table_column(&table, "value", false);
	json_object_object_foreach(doc->environment, name, value) {
		(void)value;
		text = document_text(doc->environment, name);
		if (text && !table_is_full(&table)) {
			table_text(&table, name);
			table_text(&table, text);
		}
		free(text);
	}
	page_details(page, "Environment", &table);
}

static void add_head(struct page *page, const struct document *doc)
{
	char *started = document_text(doc->root, "started");
	char *reason = document_text(doc->root, "reason");
	char *kernel = document_text(doc->environment, "kernel");
	char *device = document_text(doc->environment, "device");
	char *command = command_of(doc->root);

	page_paragraph(page, "%s%s%s%s%s%s%s", command,
		       kernel ? "; kernel " : "", kernel ? : "",
		       device ? ", device " : "", device ? : "",
		       started ? "; started " : "", started ? : "");
	if (doc->partial)
		page_paragraph(page, "This result is partial%s%s.",
			       reason ? ": " : "", reason ? : "");
	free(started);
	free(reason);
	free(kernel);
	free(device);
	free(command);
}

static void add_result(struct page *page, const struct input *input)
{
	char *name = document_text(input->doc.root, "benchmark");
	struct points points;

	page_heading(page, 3, "%s: %s", name, input->path);
	points_of(&points, &input->doc);
	add_head(page, &input->doc);
	modes_plot(page, &points);
	curves_sweep(page, &points);
	curves_distribution(page, &points);
	stages_plot(page, &points);
	add_main_table(page, &points);
	published_table(page, &points, name);
	add_derived(page, &points);
	add_all_metrics(page, &points);
	add_environment(page, &input->doc);
	free(name);
}

/**
 * results_sections() - add a section for each result
 * @page: the page
 * @inputs: the files
 */
void results_sections(struct page *page, const struct inputs *inputs)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < inputs->count; i++) {
		if (inputs->input[i].kind != INPUT_RESULT)
			continue;
		if (!any)
			page_heading(page, 2, "Results");
		any = true;
		add_result(page, &inputs->input[i]);
	}
}
