/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "model/engine.h"

/**
 * struct output - destination of a result; initialized to OUTPUT_NONE
 * @name: file name as the user has given it; NULL for no output
 * @is_stdout: true for standard output
 * @target: resolved path of the regular file to write, allocated; NULL for another
 *	destination
 * @temporary: path of the temporary file beside @target while that is written, allocated
 * @fd: descriptor of a destination that is written to directly; -1 for none
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
int output_write(struct output *output,
		 void (*print)(FILE *f, const void *result), const void *result);
void output_free(struct output *output);

#endif /* OUTPUT_H */
