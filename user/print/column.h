/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRINT_COLUMN_H
#define PRINT_COLUMN_H

#include <stdio.h>

#include "model/params.h"

/* Width of a column of times. */
#define WIDTH	13

struct metric;
struct point;
struct result;

bool column_is_key(u64 varying, const struct icb_param *param);
int column_key_width(const struct result *result, const struct icb_param *param);
int column_load_width(const struct result *result);
void print_keys(FILE *f, const struct result *result, u64 varying,
		const struct point *point);
void print_times_head(FILE *f);
void print_times(FILE *f, const struct metric *metric);

#endif /* PRINT_COLUMN_H */
