/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ARGS_H
#define ARGS_H

#include <stdbool.h>

/**
 * struct args - parser of a command line
 * @argv: words that are left, ending in NULL
 * @name: current option, without an inline value: "--size", "-s"; NULL at a word
 * @word: current word that is no option; NULL at an option
 * @inline_value: text behind the "=" of a long option, or behind a letter; NULL for none
 * @rest: letters that are left of several behind one "-"
 * @plain: true behind "--", where every argument is a word
 * @buf: storage of @name
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
