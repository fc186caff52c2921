// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "markup.h"

/**
 * markup_escape() - print a character that has a meaning in XML and HTML
 * @f: output
 * @c: character
 *
 * The escaped character has no meaning in text, nor in a quoted attribute.
 *
 * Return: false if @c has no such meaning; nothing is printed then.
 */
bool markup_escape(FILE *f, char c)
{
	const char *name = NULL;

	switch (c) {
	case '&':
		name = "&amp;";
		break;
	case '<':
		name = "&lt;";
		break;
	case '>':
		name = "&gt;";
		break;
	case '"':
		name = "&quot;";
		break;
	case '\'':
		name = "&#39;";
		break;
	}
	if (!name)
		return false;
	fputs(name, f);
	return true;
}
