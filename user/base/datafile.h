/* SPDX-License-Identifier: GPL-2.0 */
#ifndef DATAFILE_H
#define DATAFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/engine.h"

/**
 * struct datafile_kind - a kind of named file that is installed with the program
 * @noun: word for a file of this kind, in messages
 * @what: word for what such a file describes, in messages
 * @suffix: suffix of the file names
 * @dir: name of the directories that hold such files
 * @env: environment variable with a directory that precedes these directories
 */
struct datafile_kind {
	const char *noun;
	const char *what;
	const char *suffix;
	const char *dir;
	const char *env;
};

extern const struct datafile_kind datafile_recipe;
extern const struct datafile_kind datafile_suite;

char **datafile_names(const struct datafile_kind *kind);
void datafile_names_free(char **names);
char *datafile_list(const struct datafile_kind *kind);
bool datafile_is_name(const char *name, size_t len);
char *datafile_find(const struct datafile_kind *kind, const char *name,
		    struct icb_reason *why);
char *datafile_name(const struct datafile_kind *kind, const char *path);
char *datafile_read(const struct datafile_kind *kind, const char *path,
		    size_t *size, struct icb_reason *why);

#endif /* DATAFILE_H */
