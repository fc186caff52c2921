/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A result in text, JSON or CSV. The printers know units and shapes of
 * metrics, and no benchmarks. Errors of writing stay in the stream, for the
 * caller to ask with ferror().
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
