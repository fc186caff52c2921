// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of at most LAYOUT_WIDTH columns. A row is printed as soon as its point is
 * complete. Columns that do not fit are printed in further tables, after the last row.
 */
#include "cells.h"
#include "layout.h"
#include "plan/result.h"
#include "rows.h"
#include "table.h"

/**
 * rows_are_calls() - check whether a point has a row for each of its distributions
 * @point: the point
 *
 * Return: true for a run that times single calls.
 */
bool rows_are_calls(const struct point *point)
{
	return point->job.params.trigger == ICBENCH_TRIGGER_RETURN;
}

/*
 * Find the columns from @begin to @count that fit in a line.
 * Return: the first that does not.
 */
static unsigned int fitting(const struct cells *cells, unsigned int begin,
			    unsigned int count)
{
	unsigned int i;
	int width = 0;

	for (i = 0; i < cells->lead; i++)
		width += 1 + cells->cell[i].width;
	for (i = begin; i < count; i++) {
		width += 1 + cells->cell[i].width;
		if (width > LAYOUT_WIDTH && i > begin)
			break;
	}
	/* an interval stays beside its value */
	if (i < count && cells->cell[i].is_reach && i > begin + 1)
		i--;
	return i;
}

static void print_cell(FILE *f, const struct cell *cell, const char *text)
{
	if (cell->is_left)
		layout_left(f, text, cell->width);
	else
		layout_right(f, text, cell->width);
}

/* Index of the column that follows @i in a line with the columns from @begin on. */
static unsigned int next_cell(const struct cells *cells, unsigned int i,
			      unsigned int begin)
{
	return i + 1 == cells->lead ? begin : i + 1;
}

/*
 * Print columns @begin to @end of a row, after those that identify it; their titles if
 * @row is NULL. The line has no blanks at its end.
 */
static void print_line(FILE *f, const struct cells *cells, unsigned int begin,
		       unsigned int end, const struct row *row)
{
	char *line = NULL, text[ICB_NAMES];
	unsigned int i;
	size_t size;
	FILE *cut;

	cut = open_memstream(&line, &size);
	if (!cut)
		return;
	for (i = 0; i < end; i = next_cell(cells, i, begin)) {
		if (row)
			cells_write(cells, i, row, text, sizeof(text));
		print_cell(cut, &cells->cell[i],
			   row ? text : cells->cell[i].title);
	}
	fclose(cut);
	layout_cut(f, line);
}

static void print_name(FILE *f, const struct cells *cells,
		       const struct result *result, const struct point *point)
{
	char name[ICB_NAMES];

	if (!cells->is_named)
		return;
	result_point_name(result, point - result->point, name, sizeof(name));
	layout_wrap(f, 1, name);
}

static void print_row(FILE *f, const struct cells *cells, unsigned int begin,
		      unsigned int end, const struct result *result,
		      const struct point *point)
{
	const struct row row = {
		.result = result,
		.point = point,
		.metric = metrics_main(&point->metrics),
	};

	print_name(f, cells, result, point);
	print_line(f, cells, begin, end, &row);
}

static void print_calls(FILE *f, const struct cells *cells,
			const struct result *result, const struct point *point)
{
	const unsigned int end = fitting(cells, cells->lead, cells->late);
	struct row row = { .result = result, .point = point };
	unsigned int i;

	print_name(f, cells, result, point);
	for (i = 0; i < point->metrics.count; i++) {
		row.metric = &point->metrics.metric[i];
		if (row.metric->hist)
			print_line(f, cells, cells->lead, end, &row);
	}
}

/**
 * print_rows_calls() - print a table of all distributions of a point
 * @f: output stream
 * @result: the result
 * @point: the point
 */
void print_rows_calls(FILE *f, const struct result *result,
		      const struct point *point)
{
	struct cells cells;

	cells_make_calls(&cells, result, point);
	print_line(f, &cells, cells.lead,
		   fitting(&cells, cells.lead, cells.late), NULL);
	print_calls(f, &cells, result, point);
}

/**
 * print_rows() - print the rows of a point
 * @f: output stream
 * @result: the result so far
 * @point: the point; the titles are printed before the first point of a table
 */
void print_rows(FILE *f, const struct result *result, const struct point *point)
{
	const struct point *first = table_first(result, point);
	struct cells cells;
	unsigned int end;

	if (rows_are_calls(first))
		cells_make_calls(&cells, result, first);
	else
		cells_make(&cells, result, first);
	end = fitting(&cells, cells.lead, cells.late);
	if (point == first) {
		print_table_section(f, result, first);
		print_line(f, &cells, cells.lead, end, NULL);
	}
	if (rows_are_calls(first))
		print_calls(f, &cells, result, point);
	else
		print_row(f, &cells, cells.lead, end, result, point);
}

/**
 * print_rows_rest() - print the columns of a table that did not fit in its rows
 * @f: output stream
 * @result: the result so far
 * @last: the last point of the table
 */
void print_rows_rest(FILE *f, const struct result *result,
		     const struct point *last)
{
	const struct point *first = table_first(result, last), *point;
	unsigned int begin, end;
	struct cells cells;

	if (rows_are_calls(first))
		return;
	cells_make(&cells, result, first);
	begin = fitting(&cells, cells.lead, cells.late);
	cells_drop(&cells, first, last);
	for (; begin < cells.count; begin = end) {
		end = fitting(&cells, begin, cells.count);
		print_line(f, &cells, begin, end, NULL);
		for (point = first; point <= last; point++)
			print_row(f, &cells, begin, end, result, point);
	}
}
