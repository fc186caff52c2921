// SPDX-License-Identifier: GPL-2.0
/* Prints a comparison as JUnit XML: a test case for each figure of each point. */
#include <stdlib.h>
#include <string.h>

#include "base/markup.h"
#include "comparison.h"
#include "formats.h"

/* Length of a character that XML does not allow though it is UTF-8: U+FFFE, U+FFFF. */
static size_t forbidden(const char *s)
{
	return !strncmp(s, "\xef\xbf\xbe", 3) || !strncmp(s, "\xef\xbf\xbf", 3) ?
		3 : 0;
}

/* Print a text that has no control characters as the value of an attribute. */
static void print_value(FILE *f, const char *name, const char *text)
{
	size_t len;

	fprintf(f, " %s=\"", name);
	while (*text) {
		len = forbidden(text);
		if (len) {
			fputc('?', f);
			text += len;
			continue;
		}
		if (!markup_escape(f, *text))
			fputc(*text, f);
		text++;
	}
	fputc('"', f);
}

static void print_case(FILE *f, const struct row *row)
{
	char *point = formats_point_name(row);
	char *summary = formats_summary(row);

	fputs("    <testcase", f);
	print_value(f, "classname", point);
	print_value(f, "name", row->name);
	fputc('>', f);
	if (row->difference.why_not) {
		fputs("<skipped", f);
		print_value(f, "message", row->difference.why_not);
		fputs("/>", f);
	} else if (row->difference.regression) {
		fputs("<failure type=\"regression\"", f);
		print_value(f, "message", summary);
		fputs("/>", f);
	}
	fputs("</testcase>\n", f);
	free(summary);
	free(point);
}

/**
 * comparison_junit() - print a comparison as JUnit XML
 * @f: output stream
 * @comparison: the comparison
 */
void comparison_junit(FILE *f, const struct comparison *comparison)
{
	unsigned int i;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
	      "  <testsuite name=\"icbenchctl compare\"", f);
	fprintf(f, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\">\n",
		comparison->rows, comparison->regressions,
		comparison->verdicts[VERDICT_NOT_COMPARABLE]);
	for (i = 0; i < comparison->rows; i++)
		print_case(f, &comparison->row[i]);
	fputs("  </testsuite>\n</testsuites>\n", f);
}
