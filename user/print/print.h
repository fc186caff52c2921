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

#include "model/engine.h"

struct result;
struct point;

/**
 * struct text_format - a text format of results
 * @name: value of option --format
 * @point: print a point whose runs have ended; called for each point in the order of the
 *	plan
 * @end: print what follows the points. @details: true to print the details of each point
 *	of a sweep, too
 */
struct text_format {
	const char *name;
	void (*point)(FILE *f, const struct result *result,
		      const struct point *point);
	void (*end)(FILE *f, const struct result *result, bool details);
};

extern const struct text_format text_compact;
extern const struct text_format text_full;
extern const struct text_format text_perftest;

const struct text_format *print_format(const char *name,
				       struct icb_reason *why);
void print_json(FILE *f, const struct result *result);
void print_csv(FILE *f, const struct result *result);

#endif /* PRINT_H */
