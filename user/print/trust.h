/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRINT_TRUST_H
#define PRINT_TRUST_H

#include <stdio.h>

struct metric;
struct point;
struct result;

void print_least_supported(FILE *f, const struct result *result);
void print_between(FILE *f, const struct point *point);
void print_trust(FILE *f, const struct metric *metric);

#endif /* PRINT_TRUST_H */
