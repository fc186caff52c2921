/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRINT_HEAD_H
#define PRINT_HEAD_H

#include <stdio.h>

#define RULE	"-------------------------------------------------------------" \
		"-------------------------------------------------------------\n"

struct point;
struct result;

const char *head_latency(const struct result *result,
			 const struct point *point);
void print_head(FILE *f, const struct result *result,
		const struct point *point);

#endif /* PRINT_HEAD_H */
