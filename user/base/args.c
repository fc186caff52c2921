// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "message.h"
#include "text.h"

/**
 * args_begin() - begin to parse a command line
 * @args: parser to initialize
 * @argv: words to parse, ending in NULL; @args refers to them
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
 * args_next() - advance to the next option or word
 * @args: the parser; afterwards either @args->name or @args->word is set
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
 * args_is() - check whether the parser is at a certain option
 * @args: the parser
 * @name: the option, with its "--"
 * @letter: short form of the option, with its "-"; NULL for none
 *
 * Return: true if so.
 */
bool args_is(const struct args *args, const char *name, const char *letter)
{
	return args->name && (!strcmp(args->name, name) ||
			      (letter && !strcmp(args->name, letter)));
}

/**
 * args_value() - take the value of the option that the parser is at
 * @args: the parser
 *
 * Return: the value, part of the command line; NULL if there is none, after the error has
 * been reported to the user.
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
 * args_no_value() - refuse a value of an option that takes none
 * @args: the parser, at the option
 *
 * Return: 0, or STATUS_USAGE after the error has been reported to the user.
 */
int args_no_value(const struct args *args)
{
	/* behind a letter, inline_value may be further letters */
	if (args->inline_value && args->name[1] == '-')
		return message_usage("%s: takes no value", args->name);
	return 0;
}

/**
 * args_help() - check whether the parser is at a request for help
 * @args: the parser
 *
 * Return: true if so.
 */
bool args_help(const struct args *args)
{
	return args_is(args, "--help", "-h");
}

/**
 * args_show_help() - print the help, unless the option that requests it has a value
 * @args: the parser, at the option
 * @help: prints the help
 *
 * Return: 0, or STATUS_USAGE after a value has been reported to the user as an error.
 */
int args_show_help(const struct args *args, void (*help)(void))
{
	int status = args_no_value(args);

	if (!status)
		help();
	return status;
}

/**
 * args_unknown() - refuse the option or word that the parser is at
 * @args: the parser
 * @command: command that does not accept it
 * @options: options of the command, with their "--", ending in NULL
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
