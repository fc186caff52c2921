// SPDX-License-Identifier: GPL-2.0
/* The sections of a report about instruction profiles and call stacks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "functions.h"
#include "icicle.h"
#include "inputs.h"
#include "model/engine.h"
#include "page.h"
#include "profiles.h"
#include "stack.h"
#include "table.h"

/* Most bars of a plot. */
#define BARS_MAX	25

static void add_text(struct table *table, struct json_object *object,
		     const char *key)
{
	char *text = json_object_is_type(object, json_type_object) ?
		document_text(object, key) : NULL;

	table_text(table, text);
	free(text);
}

/* What was measured, and on which kernel. */
static char *title_of(struct json_object *root)
{
	static const char *const keys[] = { "verb", "size", "completion" };
	struct json_object *parameters = json_object_object_get(root, "parameters");
	char *title, *text;
	unsigned int i;
	size_t len;
	FILE *f = open_memstream(&title, &len);

	text = document_text(root, "benchmark");
	fputs(text ? : "?", f);
	free(text);
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		text = json_object_is_type(parameters, json_type_object) ?
			document_text(parameters, keys[i]) : NULL;
		if (text)
			fprintf(f, " %s=%s", keys[i], text);
		free(text);
	}
	text = document_text(root, "kernel");
	fprintf(f, "; kernel %s", text ? : "?");
	free(text);
	fclose(f);
	return title;
}

static void add_shares(struct page *page, struct json_object *root,
		       const char *key, const char *heading)
{
	struct json_object *rows = json_object_object_get(root, key), *row;
	struct table table;
	double number, sum = 1;
	size_t i;

	document_number(root, "sum", &sum);
	table_begin(&table, "Instructions of one operation by %s", heading);
	table_column(&table, heading, false);
	if (!strcmp(key, "functions"))
		table_column(&table, "module", false);
	table_column(&table, "instructions", true);
	table_column(&table, "share, %", true);
	for (i = 0; json_object_is_type(rows, json_type_array) &&
	     i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		if (!document_number(row, "instructions", &number) ||
		    table_is_full(&table))
			continue;
		add_text(&table, row, "name");
		if (!strcmp(key, "functions"))
			add_text(&table, row, "module");
		table_number(&table, number);
		table_number(&table, round(1e4 * number / sum) / 100);
	}
	if (!strcmp(key, "functions"))
		page_details(page, "All functions", &table);
	else
		page_table(page, &table);
}

static void add_plot(struct page *page, struct json_object *root)
{
	struct json_object *rows = json_object_object_get(root, "functions"), *row;
	struct plot plot;
	double number;
	char *name;
	size_t i;

	plot_begin(&plot, "Functions with the most instructions");
	plot.x.zero = true;
	plot_axis(&plot.x, "instructions of one operation", NULL);
	for (i = 0; i < json_object_array_length(rows) && i < BARS_MAX; i++) {
		row = json_object_array_get_idx(rows, i);
		document_number(row, "instructions", &number);
		plot_box(&plot, 0, number, -(double)i, 0);
		name = document_text(row, "name");
		plot_tic(&plot.y, -(double)i, name);
		free(name);
	}
	plot.height = 90 + 18 * i;
	page_plot(page, &plot);
}

static void add_profile(struct page *page, const struct input *input)
{
	char *title = title_of(input->root);
	struct stack *stack;
	double sum = 0;

	page_heading(page, 3, "%s: %s", input->path, title);
	free(title);
	document_number(input->root, "sum", &sum);
	page_paragraph(page, "One operation has %.1f instructions.", sum);
	add_plot(page, input->root);
	add_shares(page, input->root, "modules", "module");
	add_shares(page, input->root, "rooms", "purpose");
	add_shares(page, input->root, "functions", "function");
	stack = stack_of(json_object_object_get(input->root, "stacks"));
	if (stack)
		icicle_add(page, stack, 0);
	stack_free(stack);
}

/* Functions whose number of instructions differs between two profiles. */
static void add_difference(struct page *page, const struct input *base,
			   const struct input *new)
{
	char *titles[2] = { title_of(base->root), title_of(new->root) };
	struct functions functions;
	const struct function *row;
	double sums[2] = { 0, 0 }, difference;
	struct table table;
	struct plot plot;
	unsigned int i;

	functions_match(&functions, base->root, new->root);
	document_number(base->root, "sum", &sums[0]);
	document_number(new->root, "sum", &sums[1]);
	page_heading(page, 3, "%s minus %s", new->path, base->path);
	page_paragraph(page,
		       "Base: %s. New: %s. One operation has %.1f instructions instead of %.1f (%+.2f %%).",
		       titles[0], titles[1], sums[1], sums[0],
		       100 * (sums[1] - sums[0]) / sums[0]);
	plot_begin(&plot, "Difference by function");
	plot.x.zero = true;
	plot_axis(&plot.x, "difference, instructions of one operation", NULL);
	table_begin(&table, "Difference by function");
	table_column(&table, "function", false);
	table_column(&table, "module", false);
	table_column(&table, "difference", true);
	table_column(&table, "base", true);
	table_column(&table, "new", true);
	for (i = 0; i < functions.count; i++) {
		row = &functions.function[i];
		difference = row->instructions[1] - row->instructions[0];
		if (i < BARS_MAX) {
			plot_box(&plot, 0, difference, -(double)i,
				 difference > 0 ? 1 : 2);
			plot_tic(&plot.y, -(double)i, row->name);
		}
		if (table_is_full(&table))
			continue;
		table_text(&table, row->name);
		table_text(&table, row->module);
		table_number(&table, difference);
		table_number(&table, row->instructions[0]);
		table_number(&table, row->instructions[1]);
	}
	plot_key(&plot, 1, "more instructions");
	plot_key(&plot, 2, "fewer instructions");
	plot.height = 90 + 18 * (i < BARS_MAX ? i : BARS_MAX);
	page_plot(page, &plot);
	page_details(page, "All functions", &table);
	functions_free(&functions);
	free(titles[0]);
	free(titles[1]);
}

/* True if two profiles are of the same operation. */
static bool same_operation(const struct input *one, const struct input *other)
{
	static const char *const keys[] = { "benchmark", "parameters" };
	struct json_object *a, *b;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		a = json_object_object_get(one->root, keys[i]);
		b = json_object_object_get(other->root, keys[i]);
		if (!a || !b || !json_object_equal(a, b))
			return false;
	}
	return true;
}

/* Compare each profile with the one of the same operation that was given before it. */
static void add_differences(struct page *page, const struct inputs *inputs)
{
	const struct input *input, *base;
	bool any = false;
	unsigned int i;

	for (i = 0; i < inputs->count; i++) {
		input = &inputs->input[i];
		if (input->kind != INPUT_PROFILE)
			continue;
		for (base = input - 1; base >= inputs->input; base--)
			if (base->kind == INPUT_PROFILE && same_operation(base, input))
				break;
		if (base < inputs->input)
			continue;
		if (!any)
			page_heading(page, 2, "Differences between profiles");
		any = true;
		add_difference(page, base, input);
	}
}

/**
 * profiles_sections() - add a section for each profile, each pair of profiles of the same
 *	operation, and each file of call stacks
 * @page: the page
 * @inputs: the files
 */
void profiles_sections(struct page *page, const struct inputs *inputs)
{
	const struct input *input;
	bool any = false;
	unsigned int i;

	add_differences(page, inputs);
	for (i = 0; i < inputs->count; i++) {
		input = &inputs->input[i];
		if (input->kind != INPUT_PROFILE && input->kind != INPUT_STACKS)
			continue;
		if (!any)
			page_heading(page, 2, "Profiles");
		any = true;
		if (input->kind == INPUT_PROFILE) {
			add_profile(page, input);
			continue;
		}
		page_heading(page, 3, "Call stacks: %s", input->path);
		icicle_add(page, input->stack, 0);
	}
}
