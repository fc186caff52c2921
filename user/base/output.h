/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "model/engine.h"

struct result;

/**
 * struct output - where a result is to go; begins as OUTPUT_NONE
 * @name: as the user wrote it; NULL for nowhere
 * @is_stdout: to standard output
 * @target: the regular file that it will be, allocated; NULL where it is
 *	written to directly
 * @temporary: beside @target, while it is written, allocated
 * @fd: what is written to directly; -1 for none
 */
struct output {
	const char *name;
	bool is_stdout;
	char *target;
	char *temporary;
	int fd;
};

#define OUTPUT_NONE	{ .fd = -1 }

int output_check(struct output *output, const char *name,
		 struct icb_reason *why);
int output_check_regular(struct output *output, const char *name,
			 struct icb_reason *why);
int output_write(struct output *output, const struct result *result,
		 void (*print)(FILE *f, const struct result *result));
void output_free(struct output *output);

#endif /* OUTPUT_H */
