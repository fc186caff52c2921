/* SPDX-License-Identifier: GPL-2.0 */
/* The columns of a table of the compact format. */
#ifndef PRINT_CELLS_H
#define PRINT_CELLS_H

#include "model/params.h"
#include "stats/stats.h"

#define CELLS_MAX	96

struct metric;
struct metrics;
struct point;
struct result;
struct scale;

/**
 * struct row - one row of a table
 * @result: the result so far
 * @point: the point
 * @metric: the distribution of the row; NULL in a table of rates
 */
struct row {
	const struct result *result;
	const struct point *point;
	const struct metric *metric;
};

/**
 * struct cell - one column of a table
 * @write: writes the text of the column for a row
 * @title: title of the column
 * @width: width of the column
 * @is_left: true if the text is at the left of the column
 * @is_time: true if the row needs a distribution that has samples
 * @is_reach: true if the column belongs to the one before it
 * @param: key, of a column of keys
 * @name: metric, of a column of rates
 * @percentile: enum stats_percentile, of a column of percentiles
 */
struct cell {
	void (*write)(const struct cell *cell, const struct scale *scale,
		      const struct row *row, char *buf, size_t size);
	char title[64];
	int width;
	bool is_left;
	bool is_time;
	bool is_reach;
	const struct icb_param *param;
	const char *name;
	unsigned int percentile;
};

/**
 * struct cells - the columns of a table
 * @cell: the columns
 * @count: number of columns
 * @lead: number of leading columns, which identify a row
 * @late: number of columns before those that the first point lacks: they are printed after
 *	the last row, if another point has them
 * @is_named: true if the keys are too wide for columns: a line before each row has them
 * @scale: unit of the times
 */
struct cells {
	struct cell cell[CELLS_MAX];
	unsigned int count;
	unsigned int lead;
	unsigned int late;
	bool is_named;
	const struct scale *scale;
};

void cells_make(struct cells *cells, const struct result *result,
		const struct point *first);
void cells_make_calls(struct cells *cells, const struct result *result,
		      const struct point *first);
void cells_drop(struct cells *cells, const struct point *first,
		const struct point *last);
void cells_write(const struct cells *cells, unsigned int index,
		 const struct row *row, char *buf, size_t size);
bool cells_reach(const struct point *point, const struct metric *metric,
		 double *reach);
bool cells_alternate(const struct point *point);
const struct metric *cells_rate(const struct metrics *metrics);

#endif /* PRINT_CELLS_H */
