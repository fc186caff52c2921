// SPDX-License-Identifier: GPL-2.0
/* Prints a comparison as KTAP, version 1: a test for each figure of each point. */
#include <stdlib.h>

#include "comparison.h"
#include "formats.h"

/* Print the text of a test line, in which "#" begins a directive. */
static void print_plain(FILE *f, const char *text)
{
	for (; *text; text++)
		fputc(*text == '#' ? '_' : *text, f);
}

static void print_test(FILE *f, const struct row *row, unsigned int number)
{
	const struct difference *d = &row->difference;
	char *name = formats_test_name(row);
	char *summary = formats_summary(row);

	if (!d->why_not)
		fprintf(f, "# %s\n", summary);
	fprintf(f, "%s %u ", d->regression ? "not ok" : "ok", number);
	print_plain(f, name);
	if (d->why_not) {
		fprintf(f, " # SKIP ");
		print_plain(f, d->why_not);
	}
	fputc('\n', f);
	free(summary);
	free(name);
}

/**
 * comparison_ktap() - print a comparison as KTAP
 * @f: output stream
 * @comparison: the comparison
 */
void comparison_ktap(FILE *f, const struct comparison *comparison)
{
	unsigned int i;

	fprintf(f, "KTAP version 1\n1..%u\n", comparison->rows);
	for (i = 0; i < comparison->notes.count; i++)
		fprintf(f, "# forced: %s\n", comparison->notes.text[i]);
	for (i = 0; i < comparison->rows; i++)
		print_test(f, &comparison->row[i], i + 1);
}
