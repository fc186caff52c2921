// SPDX-License-Identifier: GPL-2.0
/* Tables of a report: as HTML, and below it as CSV, to be copied. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "html.h"
#include "model/engine.h"
#include "table.h"

/* Length from which on a text may have several lines, bytes. */
#define WRAP	40

/**
 * table_begin() - begin a table
 * @table: table to fill; table_free() it
 * @fmt: format of the caption as for printf()
 */
void table_begin(struct table *table, const char *fmt, ...)
{
	va_list args;

	memset(table, 0, sizeof(*table));
	va_start(args, fmt);
	if (vasprintf(&table->caption, fmt, args) < 0)
		table->caption = NULL;
	va_end(args);
}

/**
 * table_column() - add a column, before the first cell
 * @table: the table
 * @name: heading, with the unit
 * @number: true if the column has numbers
 */
void table_column(struct table *table, const char *name, bool number)
{
	struct table_column *column;

	table->column = alloc_grow(table->column, table->columns,
				   sizeof(*table->column));
	column = &table->column[table->columns++];
	column->name = alloc_text("%s", name);
	column->number = number;
}

/**
 * table_is_full() - check for room, before the cells of a row are added
 * @table: the table
 *
 * Return: true if the row must not be added; the table then counts it.
 */
bool table_is_full(struct table *table)
{
	if (table->cells < (size_t)table->columns * TABLE_ROWS)
		return false;
	table->dropped++;
	return true;
}

static void add(struct table *table, char *text)
{
	table->cell = alloc_grow(table->cell, table->cells,
				 sizeof(*table->cell));
	table->cell[table->cells++] = text;
}

/**
 * table_text() - add a cell with a text
 * @table: the table
 * @text: the text; NULL for no value
 */
void table_text(struct table *table, const char *text)
{
	add(table, text ? alloc_text("%s", text) : NULL);
}

/**
 * table_number() - add a cell with a number
 * @table: the table
 * @value: the number
 */
void table_number(struct table *table, double value)
{
	add(table, html_number(value));
}

/**
 * table_absent() - add a cell without a value
 * @table: the table
 */
void table_absent(struct table *table)
{
	add(table, NULL);
}

static void print_cells(FILE *f, const struct table *table)
{
	const char *text;
	size_t i;

	for (i = 0; i < table->cells; i++) {
		text = table->cell[i];
		if (!(i % table->columns))
			fputs("<tr>", f);
		fputs(table->column[i % table->columns].number ? "<td class=n>" :
		      text && strlen(text) > WRAP ? "<td class=w>" : "<td>", f);
		html_text(f, text ? text : "\u2014");
		if (!((i + 1) % table->columns))
			fputs("\n", f);
	}
}

/* RFC 4180: a quote within a quoted field is doubled. */
static void print_field(FILE *f, const char *text)
{
	char *quoted, *to;

	if (!text)
		return;
	if (!strpbrk(text, ",\"\r\n")) {
		html_text(f, text);
		return;
	}
	quoted = alloc_zero(strlen(text) + 2, 2);
	to = quoted;
	*to++ = '"';
	for (; *text; text++) {
		if (*text == '"')
			*to++ = '"';
		*to++ = *text;
	}
	*to = '"';
	html_text(f, quoted);
	free(quoted);
}

static void print_csv(FILE *f, const struct table *table)
{
	unsigned int i;
	size_t cell;

	fputs("<details class=csv><summary>CSV</summary><pre>", f);
	for (i = 0; i < table->columns; i++) {
		print_field(f, table->column[i].name);
		fputc(i + 1 < table->columns ? ',' : '\n', f);
	}
	for (cell = 0; cell < table->cells; cell++) {
		print_field(f, table->cell[cell]);
		fputc((cell + 1) % table->columns ? ',' : '\n', f);
	}
	fputs("</pre></details>\n", f);
}

/**
 * table_print() - print a table as HTML, and as CSV
 * @f: output stream
 * @table: the table
 */
void table_print(FILE *f, const struct table *table)
{
	unsigned int i;

	fputs("<div class=table tabindex=0><table><caption>", f);
	html_text(f, table->caption);
	fputs("</caption>\n<thead><tr>", f);
	for (i = 0; i < table->columns; i++) {
		fputs(table->column[i].number ? "<th class=n scope=col>" :
		      "<th scope=col>", f);
		html_text(f, table->column[i].name);
	}
	fputs("\n<tbody>\n", f);
	print_cells(f, table);
	fputs("</table></div>\n", f);
	if (table->dropped)
		fprintf(f, "<p class=note>%zu more rows are not shown.</p>\n",
			table->dropped);
	print_csv(f, table);
}

/**
 * table_free() - free a table
 * @table: the table
 */
void table_free(struct table *table)
{
	unsigned int i;
	size_t cell;

	for (i = 0; i < table->columns; i++)
		free(table->column[i].name);
	for (cell = 0; cell < table->cells; cell++)
		free(table->cell[cell]);
	free(table->column);
	free(table->cell);
	free(table->caption);
	memset(table, 0, sizeof(*table));
}
