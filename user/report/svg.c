// SPDX-License-Identifier: GPL-2.0
/*
 * Prints an SVG of gnuplot as a part of a page: its colours become those of the page, its
 * identifiers become unique, and elements that draw nothing are left out.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "svg.h"

/* Return: length of a group without content at the beginning of a text; 0 if there is none. */
static size_t empty_group(const char *s)
{
	const char *p;

	if (strncmp(s, "<g ", 3))
		return 0;
	p = strchr(s, '>');
	if (!p)
		return 0;
	p++;
	p += strspn(p, " \t\n");
	return strncmp(p, "</g>", 4) ? 0 : p + 4 - s;
}

/* Return: length of the definition of a mark that no plot has; 0 if there is none. */
static size_t unused_mark(const char *s)
{
	static const char use[] = "<use xlink:href='#gpPt";
	const char *end = strstr(s, "/>");
	size_t len;

	if (!strncmp(s, "<path id='gpPt", 14) || !strncmp(s, "<rect id='gpPt", 14))
		return end ? end + 2 - s : 0;
	if (!end || strncmp(s, use, strlen(use)))
		return 0;
	/* the mark that is drawn is derived from the fifth one */
	len = strspn(s + strlen(use), "0123456789");
	if (strncmp(s + strlen(use) + len, "' id=", 5) || s[strlen(use)] == '5')
		return 0;
	return end + 2 - s;
}

/* Return: length of an element that is left out; 0 if the text begins with none. */
static size_t left_out(const char *s)
{
	static const struct {
		const char *first;
		const char *last;
	} elements[] = {
		{ "<title>", "</title>" },
		{ "<desc>", "</desc>" },
		{ "<filter ", "</filter>" },
		{ "<script", "</script>" },
	};
	const char *end;
	size_t i;

	for (i = 0; i < sizeof(elements) / sizeof(*elements); i++) {
		if (strncmp(s, elements[i].first, strlen(elements[i].first)))
			continue;
		end = strstr(s, elements[i].last);
		if (!end)
			return strlen(s);
		return end + strlen(elements[i].last) - s;
	}
	return empty_group(s) ? : unused_mark(s);
}

/* Print a colour "rgb(1, 0, N)" of a script. Return: its length, 0 for another text. */
static size_t print_colour(FILE *f, const char *s)
{
	unsigned long part[3];
	const char *p = s + 4;
	unsigned int i;
	char *end;

	if (strncmp(s, "rgb(", 4))
		return 0;
	for (i = 0; i < 3; i++) {
		part[i] = strtoul(p, &end, 10);
		if (end == p || *end != (i < 2 ? ',' : ')'))
			return 0;
		p = end + 1;
	}
	if (part[0] == 1 && !part[1] && part[2] == 0xfa)
		fputs("var(--grid)", f);
	else if (part[0] == 1 && !part[1] && part[2] == 0xfb)
		fputs("var(--axis)", f);
	else if (part[0] == 1 && !part[1])
		fprintf(f, "var(--c%lu)", part[2]);
	else
		fputs("currentColor", f);
	return p - s;
}

/* Print the identifier of a mark or of the drawing. Return: its length, or 0. */
static size_t print_name(FILE *f, const char *s, unsigned int number)
{
	size_t len = 0;

	if (!strncmp(s, "gpPt", 4) || !strncmp(s, "gpDot", 5))
		while (isalnum((unsigned char)s[len]))
			len++;
	else if (!strncmp(s, "gnuplot_", 8))
		while (isalnum((unsigned char)s[len]) || s[len] == '_')
			len++;
	if (len)
		fprintf(f, "p%u-%.*s", number, (int)len, s);
	return len;
}

/* Print the value of an attribute, which begins with a quote. Return: its length. */
static size_t print_value(FILE *f, const char *s, unsigned int number)
{
	const char quote = *s;
	size_t i = 1, len;

	fputc(quote, f);
	while (s[i] && s[i] != quote) {
		len = print_colour(f, s + i);
		if (!len)
			len = print_name(f, s + i, number);
		if (!len && (!strncmp(s + i, "black", 5) || !strncmp(s + i, "gray", 4))) {
			fputs("currentColor", f);
			len = s[i] == 'b' ? 5 : 4;
		}
		if (!len) {
			fputc(s[i], f);
			len = 1;
		}
		i += len;
	}
	if (s[i])
		fputc(quote, f);
	return s[i] ? i + 1 : i;
}

/* Print a tag with its attributes. Return: its length. */
static size_t print_tag(FILE *f, const char *s, unsigned int number)
{
	size_t i = 0;

	while (s[i] && s[i] != '>') {
		if (s[i] == '"' || s[i] == '\'') {
			i += print_value(f, s + i, number);
			continue;
		}
		fputc(s[i] == '\n' ? ' ' : s[i], f);
		i++;
	}
	if (s[i])
		fputc('>', f);
	return s[i] ? i + 1 : i;
}

/**
 * svg_print() - print an SVG of gnuplot as a part of a page
 * @f: output stream
 * @svg: the SVG, from its tag "svg" to its end
 * @number: number of the SVG in the page
 * @title: title, for readers who do not see the drawing
 */
void svg_print(FILE *f, const char *svg, unsigned int number, const char *title)
{
	const char *s = svg + strlen("<svg");
	size_t len;

	fputs("<svg role=img aria-label=\"", f);
	html_text(f, title);
	fputc('"', f);
	s += print_tag(f, s, number);
	while (*s) {
		len = left_out(s);
		if (len) {
			s += len;
		} else if (*s == '<') {
			s += print_tag(f, s, number);
		} else if (isspace((unsigned char)*s)) {
			/* a single line break between elements */
			len = strspn(s, " \t\n");
			fputs(s[len] == '<' && memchr(s, '\n', len) ? "\n" : " ", f);
			s += len;
		} else {
			fputc(*s++, f);
		}
	}
	fputc('\n', f);
}
