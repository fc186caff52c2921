/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_FUNCTIONS_H
#define REPORT_FUNCTIONS_H

struct json_object;

/**
 * struct function - a function in two profiles
 * @name: name without the suffixes of a compiler, allocated
 * @module: module, allocated
 * @instructions: instructions of one operation in each profile
 */
struct function {
	char *name;
	char *module;
	double instructions[2];
};

/**
 * struct functions - the functions of two profiles
 * @function: array of functions, the greatest difference first; allocated
 * @count: number of functions
 */
struct functions {
	struct function *function;
	unsigned int count;
};

void functions_match(struct functions *functions, struct json_object *base,
		     struct json_object *new);
void functions_free(struct functions *functions);

#endif /* REPORT_FUNCTIONS_H */
