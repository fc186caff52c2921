/* SPDX-License-Identifier: GPL-2.0 */
/* Lines of a recipe or suite that set parameters. */
#ifndef KEYS_H
#define KEYS_H

struct config;
struct keyfile;

int keys_add(struct keyfile *file, struct config *config, const char *others,
	     const char *key, const char *value);

#endif /* KEYS_H */
