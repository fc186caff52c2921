/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ARGS_H
#define ARGS_H

#include <stdbool.h>

/**
 * struct args - a walk through a command line
 * @argv: what is left of it, ending in NULL
 * @name: the option that was met last, as the user wrote it: "--size", "-s";
 *	NULL for a word that is no option
 * @word: that word
 * @inline_value: what stood behind "=" or, of a short option, behind the letter
 * @rest: of letters behind one "-"
 * @plain: behind "--", where nothing is an option any more
 * @buf: where @name is kept
 */
struct args {
	char **argv;
	const char *name;
	const char *word;
	const char *inline_value;
	const char *rest;
	bool plain;
	char buf[64];
};

void args_begin(struct args *args, char **argv);
bool args_next(struct args *args);
bool args_is(const struct args *args, const char *name, const char *letter);
const char *args_value(struct args *args);
bool args_help(const struct args *args);
int args_show_help(const struct args *args, void (*help)(void));
int args_unknown(const struct args *args, const char *command,
		 const char *const *options);
int args_no_value(const struct args *args);

#endif /* ARGS_H */
