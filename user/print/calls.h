/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRINT_CALLS_H
#define PRINT_CALLS_H

#include <stdio.h>

struct point;
struct result;

void print_calls(FILE *f, const struct result *result);
void print_unmeasured(FILE *f, const struct point *point);

#endif /* PRINT_CALLS_H */
