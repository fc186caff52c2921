// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "message.h"
#include "text.h"

/**
 * args_begin() - begin a walk
 * @args: the walk
 * @argv: its words, ending in NULL; kept
 */
void args_begin(struct args *args, char **argv)
{
	memset(args, 0, sizeof(*args));
	args->argv = argv;
}

static bool next_letter(struct args *args)
{
	snprintf(args->buf, sizeof(args->buf), "-%c", *args->rest++);
	args->name = args->buf;
	args->inline_value = *args->rest ? args->rest : NULL;
	return true;
}

/**
 * args_next() - go on to the next option or word
 * @args: the walk; then either @args->name or @args->word is set
 *
 * Return: false at the end.
 */
bool args_next(struct args *args)
{
	const char *arg, *equals;

	args->name = NULL;
	args->word = NULL;
	args->inline_value = NULL;
	if (args->rest && *args->rest)
		return next_letter(args);
	args->rest = NULL;
	arg = *args->argv;
	if (!arg)
		return false;
	args->argv++;
	if (args->plain || arg[0] != '-' || !arg[1]) {
		args->word = arg;
		return true;
	}
	if (arg[1] != '-') {
		args->rest = arg + 1;
		return next_letter(args);
	}
	if (!arg[2]) {
		args->plain = true;
		return args_next(args);
	}
	equals = strchr(arg, '=');
	if (equals) {
		args->inline_value = equals + 1;
		snprintf(args->buf, sizeof(args->buf), "%.*s",
			 (int)(equals - arg), arg);
	} else {
		snprintf(args->buf, sizeof(args->buf), "%s", arg);
	}
	args->name = args->buf;
	return true;
}

/**
 * args_is() - whether the walk is at a certain option
 * @args: the walk
 * @name: the option, with its "--"
 * @letter: its short form, with its "-"; NULL for none
 *
 * Return: true if so.
 */
bool args_is(const struct args *args, const char *name, const char *letter)
{
	return args->name && (!strcmp(args->name, name) ||
			      (letter && !strcmp(args->name, letter)));
}

/**
 * args_value() - take the value of the option that the walk is at
 * @args: the walk
 *
 * Return: the value, part of the command line; NULL if there is none, which
 * the user has been told.
 */
const char *args_value(struct args *args)
{
	const char *value = args->inline_value;

	if (value) {
		args->rest = NULL;
		return value;
	}
	if (!*args->argv) {
		message("%s: needs a value", args->name);
		return NULL;
	}
	return *args->argv++;
}

/**
 * args_no_value() - refuse a value where an option takes none
 * @args: the walk
 *
 * Return: 0, or STATUS_USAGE, which the user has been told.
 */
int args_no_value(const struct args *args)
{
	/* a letter may have other letters behind it */
	if (args->inline_value && args->name[1] == '-')
		return message_usage("%s: takes no value", args->name);
	return 0;
}

/**
 * args_help() - whether the walk is at a request for help
 * @args: the walk
 *
 * Return: true if so.
 */
bool args_help(const struct args *args)
{
	return args_is(args, "--help", "-h");
}

/**
 * args_show_help() - do what a request for help asks for, and nothing else
 * @args: the walk, at that
 * @help: prints the help
 *
 * Return: 0, or STATUS_USAGE where it has a value, which the user has been told.
 */
int args_show_help(const struct args *args, void (*help)(void))
{
	int status = args_no_value(args);

	if (!status)
		help();
	return status;
}

/**
 * args_unknown() - refuse what the walk is at
 * @args: the walk
 * @command: the command that does not know it
 * @options: the options that it has, with their "--", ending in NULL
 *
 * Return: STATUS_USAGE.
 */
int args_unknown(const struct args *args, const char *command,
		 const char *const *options)
{
	const char *closest;

	if (args->word)
		return message_usage("%s: unexpected \"%s\"; see icbenchctl %s --help",
				     command, args->word, command);
	closest = text_closest(args->name, options);
	if (closest && args->name[1] == '-')
		return message_usage("%s: unknown option %s; did you mean %s?",
				     command, args->name, closest);
	return message_usage("%s: unknown option %s; see icbenchctl %s --help",
			     command, args->name, command);
}
