// SPDX-License-Identifier: GPL-2.0
/* Prints the quantities derived from the runs, in the compact format. */
#include <stdlib.h>

#include "layout.h"
#include "plan/derive.h"
#include "plan/result.h"
#include "quantities.h"
#include "scale.h"

/* Widths of columns; a longer name of a point has a line of its own. */
#define NAME_MAX	40
#define VALUE_WIDTH	11
#define REACH_WIDTH	8

static bool is_time(const struct quantity *quantity)
{
	return quantity->unit && !strcmp(quantity->unit, "ns");
}

static const char *unit_of(const struct quantity *quantity)
{
	if (is_time(quantity))
		return "us";
	return strcmp(quantity->unit, "count") ? quantity->unit : "";
}

static double factor_of(const struct quantity *quantity)
{
	return is_time(quantity) ? 1000 : 1;
}

static void write_value(char *buf, size_t size, const struct quantity *quantity,
			const struct derived *derived)
{
	if (!derived->known)
		snprintf(buf, size, LAYOUT_DASH);
	else if (!strcmp(quantity->unit, "count"))
		snprintf(buf, size, "%.0f", derived->value);
	else
		scale_write(buf, size, derived->value / factor_of(quantity));
}

static void write_reach(char *buf, size_t size, const struct quantity *quantity,
			const struct derived *derived)
{
	const double factor = factor_of(quantity);
	const struct range *range = &derived->range;
	double low = range->value - range->low;
	double high = range->high - range->value;

	buf[0] = '\0';
	if (derived->known && derived->bounded)
		scale_write_reach(buf, size, derived->value / factor,
				  (low > high ? low : high) / factor);
}

/* True if the quantity has a column; one of all that have a unit, if there is no verdict. */
static bool is_column(const struct derivation *derivation,
		      const struct quantity *quantity)
{
	return quantity->unit && (quantity->column || !derivation->judge);
}

/* Write the name of a point, without its section if all rows have the same. */
static void write_name(const struct result *result, unsigned int index,
		       char *buf, size_t size)
{
	struct derived derived[DERIVE_MAX];
	const struct plan_point *point = result->plan->point;
	const char *end;
	unsigned int i;

	result_point_name(result, index, buf, size);
	for (i = 0; i < result->count; i++)
		if (point[i].section != point[index].section &&
		    derive_each(result, i, derived))
			return;
	end = point[index].section ? strstr(buf, "] ") : NULL;
	if (end)
		memmove(buf, end + 2, strlen(end + 2) + 1);
}

/* Width of the names of all points that have a row. */
static int name_width(const struct result *result)
{
	struct derived derived[DERIVE_MAX];
	char name[160];
	unsigned int i;
	int width = 4;

	for (i = 0; i < result->count; i++) {
		if (!derive_each(result, i, derived))
			continue;
		write_name(result, i, name, sizeof(name));
		if (layout_width(name) > width)
			width = layout_width(name);
	}
	return width < NAME_MAX ? width : NAME_MAX;
}

static void print_titles(FILE *f, const struct derivation *derivation, int width)
{
	const struct quantity *quantity;
	char title[64];
	unsigned int i;

	layout_left(f, "", width);
	for (i = 0; i < derivation->eachs; i++) {
		quantity = &derivation->each[i];
		if (!is_column(derivation, quantity))
			continue;
		snprintf(title, sizeof(title), "%s[%s]", quantity->name,
			 unit_of(quantity));
		layout_right(f, title, VALUE_WIDTH);
		layout_right(f, "±95%", REACH_WIDTH);
	}
	putc('\n', f);
}

/* Print the columns of a row. Return: the number of columns of a line that they take. */
static int print_columns(FILE *f, const struct derivation *derivation,
			 const struct derived *derived)
{
	int column = 0;
	unsigned int i;
	char text[32];

	for (i = 0; i < derivation->eachs; i++) {
		if (!is_column(derivation, &derivation->each[i]))
			continue;
		write_value(text, sizeof(text), &derivation->each[i],
			    &derived[i]);
		layout_right(f, text, VALUE_WIDTH);
		write_reach(text, sizeof(text), &derivation->each[i],
			    &derived[i]);
		layout_right(f, text, REACH_WIDTH);
		column += VALUE_WIDTH + REACH_WIDTH + 2;
	}
	return column;
}

static void print_row(FILE *f, const struct result *result, unsigned int index,
		      const struct derived *derived, int width)
{
	const struct derivation *derivation = result->recipe->derivation;
	char *line = NULL, text[256];
	int column = 1 + width + 2;
	size_t size;
	FILE *row;

	write_name(result, index, text, sizeof(text));
	if (layout_width(text) > width) {
		layout_wrap(f, 1, text);
		text[0] = '\0';
	}
	row = open_memstream(&line, &size);
	if (!row)
		return;
	layout_left(row, text, width);
	column += print_columns(row, derivation, derived);
	fclose(row);
	text[0] = '\0';
	if (derivation->judge)
		derivation->judge(result, index, text, sizeof(text));
	if (!*text) {
		layout_cut(f, line);
		return;
	}
	fprintf(f, "%s  ", line);
	free(line);
	layout_rest(f, column, text);
}

/* Print the known quantities of a point that have no column, in one line. */
static void print_parts(FILE *f, const struct result *result,
			unsigned int index, const struct derived *derived)
{
	const struct derivation *derivation = result->recipe->derivation;
	char text[512], value[32], name[160];
	size_t len = 0;
	unsigned int i;

	text[0] = '\0';
	for (i = 0; i < derivation->eachs && len < sizeof(text); i++) {
		if (!derived[i].known || !derivation->each[i].unit ||
		    is_column(derivation, &derivation->each[i]))
			continue;
		write_value(value, sizeof(value), &derivation->each[i],
			    &derived[i]);
		len += snprintf(text + len, sizeof(text) - len, "%s%s %s %s",
				len ? ", " : "", derivation->each[i].name,
				value, unit_of(&derivation->each[i]));
	}
	if (!*text)
		return;
	write_name(result, index, name, sizeof(name));
	layout_line(f, "Parts", "%s: %s", name, text);
}

static void print_each(FILE *f, const struct result *result)
{
	const struct derivation *derivation = result->recipe->derivation;
	const int width = name_width(result);
	struct derived derived[DERIVE_MAX];
	bool begun = false;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		if (!derive_each(result, i, derived))
			continue;
		if (!begun)
			print_titles(f, derivation, width);
		begun = true;
		print_row(f, result, i, derived, width);
	}
	for (i = 0; begun && i < result->count; i++)
		if (derive_each(result, i, derived))
			print_parts(f, result, i, derived);
}

static void print_value(FILE *f, const struct quantity *quantity,
			const struct derived *derived)
{
	char value[32], reach[32];

	write_value(value, sizeof(value), quantity, derived);
	write_reach(reach, sizeof(reach), quantity, derived);
	layout_line(f, quantity->name, "%s%s%s %s: %s", value,
		    *reach ? " " : "", reach, unit_of(quantity), quantity->what);
}

/**
 * print_quantities() - print the quantities derived from the runs
 * @f: output stream
 * @result: the result
 */
void print_quantities(FILE *f, const struct result *result)
{
	const struct derivation *derivation = result->recipe->derivation;
	struct derived derived[DERIVE_MAX];
	char text[256] = "";
	unsigned int i, known;

	if (!derivation)
		return;
	known = derive_values(result, derived);
	for (i = 0; !known && i < result->count; i++)
		known = derive_each(result, i, derived);
	if (!known)
		return;
	layout_line(f, derivation->title, "%s", derivation->basis);
	if (derivation->eachs)
		print_each(f, result);
	derive_values(result, derived);
	for (i = 0; i < derivation->quantities; i++)
		if (derived[i].known)
			print_value(f, &derivation->quantity[i], &derived[i]);
	if (derivation->conclude)
		derivation->conclude(result, text, sizeof(text));
	if (*text)
		layout_line(f, "Recommended", "%s", text);
}
