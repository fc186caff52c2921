// SPDX-License-Identifier: GPL-2.0
/* The sections of a report about comparisons of icbenchctl compare. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "base/text.h"
#include "inputs.h"
#include "page.h"
#include "table.h"
#include "verdicts.h"

/* Most bars of the plot. */
#define BARS_MAX	30
/* Number of points before and after a point that may be of the same run. */
#define NEAR		64
#define SUFFIX		".json"
/* Longest name beside a bar, bytes. */
#define NAME_MAX_LEN	32

/**
 * struct change - a figure whose difference is shown as a bar
 * @name: file, section and name of the figure, allocated
 * @percent: difference in percent
 * @low: lower end of its interval; @percent if there is none
 * @high: upper end of its interval
 * @verdict: the verdict, owned by the document
 */
struct change {
	char *name;
	double percent;
	double low;
	double high;
	const char *verdict;
};

static struct json_object *object_of(struct json_object *object, const char *key)
{
	struct json_object *value = json_object_object_get(object, key);

	return json_object_is_type(value, json_type_object) ? value : NULL;
}

/* True if two points are of the same benchmark, and of the same file if files are named. */
static bool same_run(struct json_object *a, struct json_object *b)
{
	static const char *const keys[] = { "benchmark", "file" };
	struct json_object *values[2];
	unsigned int i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		values[0] = json_object_object_get(a, keys[i]);
		values[1] = json_object_object_get(b, keys[i]);
		if (values[0] != values[1] &&
		    (!values[0] || !values[1] ||
		     !json_object_equal(values[0], values[1])))
			return false;
	}
	return true;
}

/* True if a parameter differs from that of another point near this one, of the same run. */
static bool varies(struct json_object *points, size_t index, const char *key,
		   struct json_object *value)
{
	struct json_object *point = json_object_array_get_idx(points, index);
	struct json_object *other, *found;
	size_t first = index > NEAR ? index - NEAR : 0, i;

	for (i = first; i < index + NEAR && i < json_object_array_length(points); i++) {
		other = json_object_array_get_idx(points, i);
		if (!same_run(point, other))
			continue;
		found = object_of(other, "parameters");
		found = found ? json_object_object_get(found, key) : NULL;
		if (!found || !json_object_equal(found, value))
			return true;
	}
	return false;
}

/* Name a point by its file or its benchmark, its section, and what varies in its run. */
static char *point_name(struct json_object *points, size_t index)
{
	struct json_object *point = json_object_array_get_idx(points, index);
	struct json_object *parameters = object_of(point, "parameters");
	char *name, *text;
	size_t len;
	FILE *f = open_memstream(&name, &len);

	text = document_text(point, "file");
	len = text ? strlen(text) : 0;
	if (len > strlen(SUFFIX) && !strcmp(text + len - strlen(SUFFIX), SUFFIX))
		text[len - strlen(SUFFIX)] = '\0';
	if (!text)
		text = document_text(point, "benchmark");
	fputs(text ? : "?", f);
	free(text);
	text = document_text(point, "section");
	if (text)
		fprintf(f, " %s", text);
	free(text);
	if (parameters) {
		json_object_object_foreach(parameters, key, value) {
			if (!value || !varies(points, index, key, value))
				continue;
			text = document_text(parameters, key);
			fprintf(f, " %s=%s", key, text ? : "");
			free(text);
		}
	}
	fclose(f);
	text_one_line(name);
	return name;
}

static void add_number(struct table *table, struct json_object *object,
		       const char *key)
{
	double number;

	if (document_number(object, key, &number))
		table_number(table, number);
	else
		table_absent(table);
}

static void add_text(struct table *table, struct json_object *object,
		     const char *key)
{
	char *text = document_text(object, key);

	table_text(table, text);
	free(text);
}

static void add_row(struct table *table, const char *point, const char *name,
		    struct json_object *metric)
{
	struct json_object *regression;
	char *text;

	table_text(table, point);
	text = alloc_text("%s", name);
	text_one_line(text);
	table_text(table, text);
	free(text);
	add_text(table, metric, "unit");
	add_number(table, metric, "base");
	add_number(table, metric, "new");
	add_number(table, metric, "percent");
	add_number(table, metric, "percent_low");
	add_number(table, metric, "percent_high");
	regression = json_object_object_get(metric, "regression");
	if (json_object_is_type(regression, json_type_boolean) &&
	    json_object_get_boolean(regression))
		table_text(table, "REGRESSION");
	else
		add_text(table, metric, "verdict");
	add_text(table, metric, "reason");
}

static int by_size(const void *a, const void *b)
{
	const struct change *one = a, *other = b;
	double sizes[2] = { fabs(one->percent), fabs(other->percent) };

	return sizes[0] > sizes[1] ? -1 : sizes[0] < sizes[1];
}

/* Collect the figures with a difference: their number, and an array to free. */
static struct change *find_changes(struct json_object *points,
				   unsigned int *count)
{
	struct change *change = NULL, *last;
	struct json_object *point, *verdict;
	char *name;
	size_t i;

	*count = 0;
	for (i = 0; i < json_object_array_length(points); i++) {
		point = json_object_array_get_idx(points, i);
		name = point_name(points, i);
		json_object_object_foreach(object_of(point, "metrics"), figure, metric) {
			change = alloc_grow(change, *count, sizeof(*change));
			last = &change[*count];
			if (!document_number(metric, "percent", &last->percent) ||
			    !document_number(metric, "percent_low", &last->low) ||
			    !document_number(metric, "percent_high", &last->high) ||
			    (last->low <= 0 && last->high >= 0))
				continue;
			verdict = json_object_object_get(metric, "verdict");
			last->verdict = json_object_get_string(verdict);
			last->name = alloc_text("%s %s", name, figure);
			++*count;
		}
		free(name);
	}
	if (*count)
		qsort(change, *count, sizeof(*change), by_size);
	return change;
}

/* Name a bar: the values of parameters without their keys, and the end if that is long. */
static char *short_name(const char *name)
{
	char *text = alloc_zero(strlen(name) + 1, 1), *to = text, *word = text;
	char *last;

	for (; *name; name++) {
		*to++ = *name;
		if (*name == ' ')
			word = to;
		else if (*name == '=')
			to = word;
	}
	*to = '\0';
	if (strlen(text) <= NAME_MAX_LEN)
		return text;
	word = text + strlen(text) - NAME_MAX_LEN;
	while (!text_utf8(word))
		word++;
	last = alloc_text("\u2026%s", word);
	free(text);
	return last;
}

static void add_plot(struct page *page, struct json_object *points)
{
	struct change *change;
	struct plot plot;
	unsigned int count, i, colour;
	char *name;

	change = find_changes(points, &count);
	plot_begin(&plot, "Figures that differ");
	plot.x.zero = true;
	plot_axis(&plot.x, "difference", "%");
	for (i = 0; i < count && i < BARS_MAX; i++) {
		colour = !strcmp(change[i].verdict, "slower") ? 1 :
			 !strcmp(change[i].verdict, "faster") ? 2 : 7;
		plot_box(&plot, 0, change[i].percent, -(double)i, colour);
		name = short_name(change[i].name);
		plot_tic(&plot.y, -(double)i, name);
		free(name);
	}
	plot_key(&plot, 1, "slower");
	plot_key(&plot, 2, "faster");
	plot_key(&plot, 7, "changed, neither direction is better");
	plot.height = 90 + 18 * i;
	if (count > i)
		plot_note(&plot, "The %u greatest of %u differences.", i, count);
	page_plot(page, &plot);
	for (i = 0; i < count; i++)
		free(change[i].name);
	free(change);
}

static void add_summary(struct page *page, struct json_object *root)
{
	static const char *const names[] = {
		"regressions", "slower", "faster", "changed",
		"no_difference_shown", "not_comparable",
	};
	struct json_object *summary = object_of(root, "summary");
	struct table table;
	double number;
	unsigned int i;
	char *name;

	if (!summary)
		return;
	table_begin(&table, "Summary: number of figures");
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		name = alloc_text("%s", names[i]);
		for (char *p = name; *p; p++)
			if (*p == '_')
				*p = ' ';
		table_column(&table, name, true);
		free(name);
	}
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (document_number(summary, names[i], &number))
			table_number(&table, number);
		else
			table_absent(&table);
	page_table(page, &table);
}

static char *kernel_of(struct json_object *points, const char *side)
{
	struct json_object *object;

	object = object_of(json_object_array_get_idx(points, 0), side);
	return object ? document_text(object, "kernel") : NULL;
}

static void add_comparison(struct page *page, const struct input *input)
{
	struct json_object *points = json_object_object_get(input->root, "points");
	struct json_object *point;
	char *base = kernel_of(points, "base"), *new = kernel_of(points, "new");
	char *name;
	struct table table;
	size_t i;

	page_heading(page, 3, "%s", input->path);
	page_paragraph(page, "Base: kernel %s. New: kernel %s.", base ? : "?",
		       new ? : "?");
	free(base);
	free(new);
	add_summary(page, input->root);
	add_plot(page, points);
	table_begin(&table, "All figures; difference and its interval in percent of the base");
	table_column(&table, "point", false);
	table_column(&table, "figure", false);
	table_column(&table, "unit", false);
	table_column(&table, "base", true);
	table_column(&table, "new", true);
	table_column(&table, "difference, %", true);
	table_column(&table, "from, %", true);
	table_column(&table, "to, %", true);
	table_column(&table, "verdict", false);
	table_column(&table, "reason", false);
	for (i = 0; i < json_object_array_length(points); i++) {
		name = point_name(points, i);
		point = json_object_array_get_idx(points, i);
		json_object_object_foreach(object_of(point, "metrics"), figure, metric)
			if (!table_is_full(&table))
				add_row(&table, name, figure, metric);
		free(name);
	}
	page_table(page, &table);
}

/**
 * verdicts_sections() - add a section for each comparison
 * @page: the page
 * @inputs: the files
 */
void verdicts_sections(struct page *page, const struct inputs *inputs)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < inputs->count; i++) {
		if (inputs->input[i].kind != INPUT_COMPARISON)
			continue;
		if (!any)
			page_heading(page, 2, "Comparisons");
		any = true;
		add_comparison(page, &inputs->input[i]);
	}
}
