// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "status.h"
#include "text.h"

static char line[1024];

static void print(const char *fmt, va_list args)
{
	/* what is left out is not left out in silence */
	if (vsnprintf(line, sizeof(line), fmt, args) >= (int)sizeof(line))
		memcpy(line + sizeof(line) - 4, "...", 4);
	text_one_line(line);
	fprintf(stderr, "icbenchctl: %s\n", line);
}

/**
 * message() - tell the user one thing, on stderr
 * @fmt: the words, without a newline
 *
 * What the words quote may come from a file or a peer: control characters in
 * them are shown as "?", so that it stays one line.
 */
void message(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print(fmt, args);
	va_end(args);
}

/**
 * message_usage() - tell the user what makes no sense, on stderr
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
 * message_last() - what the user was told last
 *
 * Return: the words; empty for nothing. They stay until the next message.
 */
const char *message_last(void)
{
	return line;
}
