// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "layout.h"

/* Columns of a label, and before the text of a labelled line: " Not supported  : ". */
#define LABEL	15
#define INDENT	(LABEL + 3)

/**
 * layout_width() - get the number of columns that a text takes
 * @text: UTF-8 without control, wide and combining characters
 *
 * Return: the number of characters.
 */
int layout_width(const char *text)
{
	int width = 0;
	size_t len;

	for (; *text; text += len, width++) {
		len = text_utf8(text);
		if (!len)
			len = 1;
	}
	return width;
}

/**
 * layout_right() - print a text at the right of a cell, after a blank
 * @f: output stream
 * @text: the text
 * @width: width of the cell, columns; a longer text makes the line longer
 */
void layout_right(FILE *f, const char *text, int width)
{
	width -= layout_width(text);
	fprintf(f, " %*s%s", width > 0 ? width : 0, "", text);
}

/**
 * layout_left() - print a text at the left of a cell, after a blank
 * @f: output stream
 * @text: the text
 * @width: width of the cell, columns; a longer text makes the line longer
 */
void layout_left(FILE *f, const char *text, int width)
{
	width -= layout_width(text);
	fprintf(f, " %s%*s", text, width > 0 ? width : 0, "");
}

/* Length in bytes of the leading part of a word that takes at most @room columns. */
static size_t fitting(const char *word, size_t len, int room)
{
	size_t used = 0, next;

	for (; used < len && room; used += next, room--) {
		next = text_utf8(word + used);
		if (!next)
			next = 1;
	}
	return used;
}

/* Columns of the first @len bytes of a text. */
static int part_width(const char *text, size_t len)
{
	int width = 0;
	size_t used, next;

	for (used = 0; used < len; used += next, width++) {
		next = text_utf8(text + used);
		if (!next)
			next = 1;
	}
	return width;
}

/* Length in bytes of the first word; a percent sign stays beside its number. */
static size_t word_length(const char *text)
{
	size_t len = strcspn(text, " ");

	while (len && text[len] == ' ' && text[len + 1] == '%')
		len += 1 + strcspn(text + len + 1, " ");
	return len;
}

/* Print a text from column @column on, and continue in lines with this indent. */
static void wrap(FILE *f, int column, int indent, const char *text)
{
	bool begins = true;
	size_t len, part;
	int width;

	for (;;) {
		text += strspn(text, " ");
		len = word_length(text);
		if (!len)
			break;
		width = part_width(text, len);
		if (!begins && column + 1 + width > LAYOUT_WIDTH) {
			fprintf(f, "\n%*s", indent, "");
			column = indent;
			begins = true;
		}
		if (!begins) {
			putc(' ', f);
			column++;
		}
		part = fitting(text, len, LAYOUT_WIDTH - column);
		column += part_width(text, part);
		fprintf(f, "%.*s", (int)part, text);
		text += part;
		/* a word that is longer than a line continues in the next line */
		begins = part < len;
		if (begins) {
			fprintf(f, "\n%*s", indent, "");
			column = indent;
		}
	}
	putc('\n', f);
}

/**
 * layout_wrap() - print a text in lines of at most LAYOUT_WIDTH columns
 * @f: output stream
 * @indent: columns before the text, and two less than before the lines after the first
 * @text: the text, one line
 */
void layout_wrap(FILE *f, int indent, const char *text)
{
	fprintf(f, "%*s", indent, "");
	wrap(f, indent, indent + 2, text);
}

/**
 * layout_rest() - print the rest of a line, wrapped
 * @f: output stream
 * @column: column at which the text begins, also in the lines after the first
 * @text: the text, one line
 */
void layout_rest(FILE *f, int column, const char *text)
{
	wrap(f, column, column, text);
}

/**
 * layout_line() - print a labelled line, wrapped
 * @f: output stream
 * @label: the label, LABEL columns at most
 * @fmt: format of the text
 */
void layout_line(FILE *f, const char *label, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vasprintf(&text, fmt, args);
	va_end(args);
	if (len < 0)
		abort();
	layout_left(f, label, LABEL);
	fputs(": ", f);
	wrap(f, INDENT, INDENT, text);
	free(text);
}

/**
 * layout_cut() - print a line without the blanks at its end
 * @f: output stream
 * @line: the line; freed
 */
void layout_cut(FILE *f, char *line)
{
	size_t len = strlen(line);

	while (len && line[len - 1] == ' ')
		len--;
	fprintf(f, "%.*s\n", (int)len, line);
	free(line);
}

/**
 * layout_relay() - print the lines of another format, wrapped
 * @f: output stream
 * @lines: lines that begin with a blank, and may have a label; freed
 */
void layout_relay(FILE *f, char *lines)
{
	char *rest = lines, *line, *colon;

	while ((line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		colon = strstr(line, ": ");
		if (colon && colon - line == INDENT - 2) {
			fprintf(f, "%.*s", INDENT, line);
			wrap(f, INDENT, INDENT, line + INDENT);
		} else {
			layout_wrap(f, 1, line);
		}
	}
	free(lines);
}
