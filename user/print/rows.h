/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of the compact format. */
#ifndef PRINT_ROWS_H
#define PRINT_ROWS_H

#include <stdio.h>

#include "model/engine.h"

struct point;
struct result;

bool rows_are_calls(const struct point *point);
void print_rows(FILE *f, const struct result *result, const struct point *point);
void print_rows_rest(FILE *f, const struct result *result,
		     const struct point *last);
void print_rows_calls(FILE *f, const struct result *result,
		      const struct point *point);

#endif /* PRINT_ROWS_H */
