// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "status.h"
#include "text.h"

static char line[1024];
static bool is_quiet;

static void print(const char *fmt, va_list args)
{
	/* mark a message that was cut */
	if (vsnprintf(line, sizeof(line), fmt, args) >= (int)sizeof(line))
		memcpy(line + sizeof(line) - 4, "...", 4);
	text_one_line(line);
	fprintf(stderr, "icbenchctl: %s\n", line);
}

/**
 * message() - print a message to the user on stderr
 * @fmt: format as for printf(), without a newline
 *
 * A message may quote a file or a peer. Control characters become "?", so that the
 * message stays on one line.
 */
void message(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print(fmt, args);
	va_end(args);
}

/**
 * message_remark() - print a remark, which is not an error, on stderr
 * @fmt: as for message()
 *
 * Nothing is printed after message_quiet().
 */
void message_remark(const char *fmt, ...)
{
	va_list args;

	if (is_quiet)
		return;
	va_start(args, fmt);
	print(fmt, args);
	va_end(args);
}

/**
 * message_quiet() - print no remarks from now on
 */
void message_quiet(void)
{
	is_quiet = true;
}

/**
 * message_is_quiet() - check whether message_quiet() was called
 *
 * Return: true if neither remarks nor progress are printed.
 */
bool message_is_quiet(void)
{
	return is_quiet;
}

/**
 * message_usage() - print a message about wrong usage on stderr
 * @fmt: as for message()
 *
 * Return: STATUS_USAGE.
 */
int message_usage(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print(fmt, args);
	va_end(args);
	return STATUS_USAGE;
}

/**
 * message_last() - get the last message
 *
 * Return: the text, empty if there was none; valid until the next message.
 */
const char *message_last(void)
{
	return line;
}
