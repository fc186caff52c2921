// SPDX-License-Identifier: GPL-2.0
/* Texts and numbers of a report, as HTML. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/markup.h"
#include "base/text.h"
#include "html.h"

/**
 * html_text() - print a text as HTML
 * @f: output stream
 * @text: the text, from any source
 *
 * Characters that have a meaning in HTML are escaped, also within a quoted attribute.
 * Control characters become blanks, and bytes that are not UTF-8 become "?".
 */
void html_text(FILE *f, const char *text)
{
	size_t len;

	for (; *text; text += len) {
		len = text_utf8(text);
		if (!len) {
			len = 1;
			fputc('?', f);
			continue;
		}
		if (markup_escape(f, *text))
			continue;
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			fputc(' ', f);
		else
			fwrite(text, 1, len, f);
	}
}

/**
 * html_number() - format a number for a table
 * @value: the number, finite
 *
 * Return: the number with up to three decimals, or with six significant digits if it is
 * very small or very large; for the caller to free().
 */
char *html_number(double value)
{
	double size = fabs(value);
	char *text, *end;

	if ((size && size < 0.01) || size >= 1e15)
		return alloc_text("%.6g", value);
	text = alloc_text("%.3f", value);
	end = text + strlen(text);
	while (end[-1] == '0')
		*--end = '\0';
	if (end[-1] == '.')
		end[-1] = '\0';
	return text;
}
