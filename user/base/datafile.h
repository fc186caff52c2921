/* SPDX-License-Identifier: GPL-2.0 */
#ifndef DATAFILE_H
#define DATAFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/engine.h"

/**
 * struct datafile_kind - a kind of named file that comes with the program
 * @noun: what one is
 * @what: what its name names
 * @suffix: what the name of a file ends in
 * @dir: the name of the directories that hold them
 * @env: the environment's word for a directory that comes before those
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
