/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRINT_TABLE_H
#define PRINT_TABLE_H

#include <stdio.h>

#include "model/engine.h"

struct metric;
struct metrics;
struct point;
struct result;

const struct point *table_first(const struct result *result,
				const struct point *point);
u64 table_keys(const struct result *result, const struct point *point);
bool table_has_column(const struct point *first, const struct metric *metric);
const struct metric *table_rate(const struct metrics *metrics, const char *name);
void print_table_section(FILE *f, const struct result *result,
			 const struct point *point);
void print_table_head(FILE *f, const struct result *result,
		      const struct point *point);
void print_table_row(FILE *f, const struct result *result,
		     const struct point *point);

#endif /* PRINT_TABLE_H */
