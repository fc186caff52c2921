/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KEYFILE_H
#define KEYFILE_H

#include <stddef.h>

#include "model/engine.h"

/**
 * struct keyfile - a file of lines "KEY = VALUE", and where in it we are
 * @path: what it is called in a refusal
 * @noun: what it is to be
 * @key: takes a key and its value.
 *	Return: 0, or a negative error number of keyfile_refuse().
 * @section: takes the name between "[" and "]" that a line consists of, as
 *	@key; NULL where there is no such line
 * @data: for both
 * @prose: what a line that is indented goes on with, allocated, for @key to
 *	set; NULL for nothing
 * @line: of the file, from 1
 * @why: the reason of a refusal
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
