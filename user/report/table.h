/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

/* Most rows of a table: a page has to stay readable whatever the size of a result. */
#define TABLE_ROWS	400

/**
 * struct table_column - a column of a table
 * @name: heading, with the unit; allocated
 * @number: true if the cells are aligned to the right
 */
struct table_column {
	char *name;
	bool number;
};

/**
 * struct table - a table of a report
 * @caption: caption, allocated
 * @column: array of columns, allocated
 * @columns: number of columns
 * @cell: array of all cells, row by row; each is allocated, or NULL if there is no value
 * @cells: number of cells
 * @dropped: number of rows beyond TABLE_ROWS
 */
struct table {
	char *caption;
	struct table_column *column;
	unsigned int columns;
	char **cell;
	size_t cells;
	size_t dropped;
};

void __printf(2, 3) table_begin(struct table *table, const char *fmt, ...);
void table_column(struct table *table, const char *name, bool number);
bool table_is_full(struct table *table);
void table_text(struct table *table, const char *text);
void table_number(struct table *table, double value);
void table_absent(struct table *table);
void table_print(FILE *f, const struct table *table);
void table_free(struct table *table);

#endif /* REPORT_TABLE_H */
