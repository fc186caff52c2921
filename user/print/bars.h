/* SPDX-License-Identifier: GPL-2.0 */
/* Pictures of distributions and of stages, of block characters. */
#ifndef PRINT_BARS_H
#define PRINT_BARS_H

#include <stdio.h>

struct metric;
struct point;

void print_histogram(FILE *f, const struct metric *metric);
void print_stages(FILE *f, const struct point *point, const char *name);

#endif /* PRINT_BARS_H */
