/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_STACK_H
#define REPORT_STACK_H

#include <stddef.h>

#include "model/engine.h"

struct json_object;

/**
 * struct stack - a function in a tree of calls
 * @name: name of the function, allocated
 * @own: instructions of the function itself
 * @total: instructions of the function and of all functions that it calls
 * @callee: array of the functions that it calls, allocated
 * @callees: number of these functions
 */
struct stack {
	char *name;
	double own;
	double total;
	struct stack *callee;
	unsigned int callees;
};

struct stack *stack_read(const char *path, size_t most, struct icb_reason *why);
struct stack *stack_of(struct json_object *stacks);
void stack_free(struct stack *root);

#endif /* REPORT_STACK_H */
