/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Printers of a result as text, JSON or CSV. They depend on the units and kinds of
 * metrics, not on the benchmark. A write error stays in the stream: the caller checks
 * ferror().
 */
#ifndef PRINT_H
#define PRINT_H

#include <stdbool.h>
#include <stdio.h>

struct result;
struct point;

void print_text_point(FILE *f, const struct result *result,
		      const struct point *point);
void print_text_end(FILE *f, const struct result *result, bool details);
void print_json(FILE *f, const struct result *result);
void print_csv(FILE *f, const struct result *result);

#endif /* PRINT_H */
