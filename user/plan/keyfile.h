/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KEYFILE_H
#define KEYFILE_H

#include <stddef.h>

#include "model/engine.h"

/**
 * struct keyfile - a file of lines "KEY = VALUE", and the position in the file
 * @path: name of the file in a refusal
 * @noun: kind of the file: "recipe", "suite"
 * @key: function that takes a key and its value.
 *	Return: 0, or a negative error number of keyfile_refuse().
 * @section: function that takes the name of a line "[NAME]", and returns as @key does;
 *	NULL if the file has no such lines
 * @data: private data of @key and @section
 * @prose: text that an indented line continues, allocated; set by @key, NULL for none
 * @line: number of the current line, from 1
 * @why: receives the reason of a refusal
 */
struct keyfile {
	const char *path;
	const char *noun;
	int (*key)(struct keyfile *file, const char *key, const char *value);
	int (*section)(struct keyfile *file, const char *name);
	void *data;
	char **prose;
	unsigned int line;
	struct icb_reason *why;
};

int keyfile_parse(struct keyfile *file, char *data, size_t len);
int keyfile_check_name(const struct keyfile *file, const char *name);
int keyfile_prose(struct keyfile *file, char **prose, const char *value);
int __printf(3, 4) keyfile_refuse(const struct keyfile *file, int err,
				  const char *fmt, ...);

#endif /* KEYFILE_H */
