/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_INPUTS_H
#define REPORT_INPUTS_H

#include "compare/document.h"

struct stack;

/* Kinds of files that a report shows. */
enum input_kind {
	INPUT_RESULT,
	INPUT_COMPARISON,
	INPUT_PROFILE,
	INPUT_STACKS,
};

/**
 * struct input - a file of a report
 * @kind: its kind
 * @path: its path, allocated
 * @doc: the result, with INPUT_RESULT
 * @root: the document, with INPUT_COMPARISON and INPUT_PROFILE
 * @stack: root of the call stacks, with INPUT_STACKS
 */
struct input {
	enum input_kind kind;
	char *path;
	struct document doc;
	struct json_object *root;
	struct stack *stack;
};

/**
 * struct inputs - all files of a report
 * @input: array of files, allocated; results are in order of their start
 * @count: number of files
 * @bytes: size of all files
 */
struct inputs {
	struct input *input;
	unsigned int count;
	unsigned long long bytes;
};

int inputs_read(struct inputs *inputs, char *const *paths,
		struct icb_reason *why);
void inputs_free(struct inputs *inputs);

#endif /* REPORT_INPUTS_H */
