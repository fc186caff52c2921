/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRINT_INTERVAL_H
#define PRINT_INTERVAL_H

#include <stdio.h>

#include "stats/metric.h"

struct point;
struct result;

bool interval_windows(const struct metrics *metrics,
		      const struct metric *metric, u64 *windows);
bool interval_edges(const struct point *point, u64 *windows, u64 *needed);
void print_intervals(FILE *f, const struct point *point);
void print_few_windows(FILE *f, const struct result *result);
void print_startups(FILE *f, const struct result *result);

#endif /* PRINT_INTERVAL_H */
