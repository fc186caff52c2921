// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of recipe and suite files. A file may come from anywhere, so each line is
 * checked before it is used.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/datafile.h"
#include "base/text.h"
#include "keyfile.h"
#include "model/params.h"

#define LINE_LEN_MAX	1000
/* Maximum length of a section's name; the rest of 255 is left for file name suffixes. */
#define NAME_LEN_MAX	64

/**
 * keyfile_refuse() - refuse the current line
 * @file: the file
 * @err: negative error number
 * @fmt: format of the reason, to which FILE:LINE is prepended
 *
 * Return: @err.
 */
int keyfile_refuse(const struct keyfile *file, int err, const char *fmt, ...)
{
	char text[sizeof(file->why->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return icb_refuse(file->why, err, "%.100s:%u: %s", file->path,
			  file->line, text);
}

/**
 * keyfile_prose() - set a key whose value is prose, which indented lines continue
 * @file: the file
 * @prose: destination, allocated; NULL before the key is set
 * @value: first line of the prose
 *
 * Return: 0; -EINVAL with a reason if the key was set before.
 */
int keyfile_prose(struct keyfile *file, char **prose, const char *value)
{
	if (*prose)
		return keyfile_refuse(file, -EINVAL,
				      "set twice; accepted: once");
	*prose = alloc_copy(value, strlen(value));
	file->prose = prose;
	return 0;
}

/**
 * keyfile_check_name() - check the name of a section
 * @file: the file
 * @name: text between "[" and "]"
 *
 * Return: 0; -EINVAL with a reason.
 */
int keyfile_check_name(const struct keyfile *file, const char *name)
{
	size_t len = strlen(name);

	if (datafile_is_name(name, len) && len <= NAME_LEN_MAX)
		return 0;
	return keyfile_refuse(file, -EINVAL,
			      "\"%.32s\" is not a name; accepted: lower-case letters, digits and \"-\", which is not first, %u at most",
			      name, NAME_LEN_MAX);
}

static int continue_prose(struct keyfile *file, const char *text)
{
	size_t len = strcspn(text, "= ");
	char *longer, *key;
	bool known;

	key = alloc_copy(text, len);
	known = icb_param_by_name(key) && text[len + strspn(text + len, " ")] == '=';
	free(key);
	if (known)
		return keyfile_refuse(file, -EINVAL,
				      "\"%.32s\" is indented; accepted: a key at the beginning of its line",
				      text);
	if (!file->prose)
		return keyfile_refuse(file, -EINVAL,
				      "an indented line continues a text such as title or about, and no text is before it");
	longer = alloc_text("%s %s", *file->prose, text);
	free(*file->prose);
	*file->prose = longer;
	return 0;
}

static int check_line(struct keyfile *file, const char *line, size_t len)
{
	if (memchr(line, '\0', len))
		return keyfile_refuse(file, -EINVAL,
				      "has a NUL byte: not a %s", file->noun);
	if (file->line == 1 && !strncmp(line, "\xef\xbb\xbf", 3))
		return keyfile_refuse(file, -EINVAL,
				      "begins with a byte order mark; accepted: plain UTF-8");
	if (len && line[len - 1] == '\r')
		return keyfile_refuse(file, -EINVAL,
				      "ends in CR LF; accepted: LF (dos2unix converts it)");
	if (len > LINE_LEN_MAX)
		return keyfile_refuse(file, -EINVAL,
				      "has %zu bytes; accepted: %u and fewer in a line",
				      len, LINE_LEN_MAX);
	return 0;
}

static int take_section(struct keyfile *file, char *text)
{
	size_t len = strlen(text);

	if (text[len - 1] != ']')
		return keyfile_refuse(file, -EINVAL,
				      "\"%.32s\"; accepted: [NAME]", text);
	text[len - 1] = '\0';
	file->prose = NULL;
	return file->section(file, text_trim(text + 1));
}

static int parse_line(struct keyfile *file, char *line, size_t len)
{
	bool indented = line[0] == ' ' || line[0] == '\t';
	char *equals, *text, *p;
	int err;

	err = check_line(file, line, len);
	if (err)
		return err;
	for (p = line; *p; p++)
		if (*p == '\t')
			*p = ' ';
	if (!text_is_clean(line))
		return keyfile_refuse(file, -EINVAL,
				      "has bytes that are not text: not a %s",
				      file->noun);
	text = text_trim(line);
	if (!*text || *text == '#')
		return 0;
	if (indented)
		return continue_prose(file, text);
	if (*text == '[' && file->section)
		return take_section(file, text);
	equals = strchr(text, '=');
	if (!equals || equals == text)
		return keyfile_refuse(file, -EINVAL,
				      "\"%.32s\"; accepted: KEY = VALUE, or # and a comment",
				      text);
	*equals = '\0';
	file->prose = NULL;
	return file->key(file, text_trim(text), text_trim(equals + 1));
}

/**
 * keyfile_parse() - parse the lines of a file and call its functions for them
 * @file: the file; its path, noun, functions and why are set
 * @data: content of the file, followed by a NUL; modified
 * @len: length of @data without the NUL, bytes
 *
 * Return: 0, or a negative error number with a reason, beginning FILE:LINE.
 */
int keyfile_parse(struct keyfile *file, char *data, size_t len)
{
	char *end = data + len, *eol;
	int err;

	while (data < end) {
		file->line++;
		eol = memchr(data, '\n', end - data);
		if (!eol)
			eol = end;
		*eol = '\0';
		err = parse_line(file, data, eol - data);
		if (err)
			return err;
		data = eol + 1;
	}
	return 0;
}
