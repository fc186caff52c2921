// SPDX-License-Identifier: GPL-2.0
/* Prints a comparison as a table of at most COLUMNS columns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "base/text.h"
#include "comparison.h"
#include "formats.h"

#define COLUMNS		100
/* Most notes that are printed. */
#define NOTES_MAX	20

/* Print prose at an indentation, in lines of at most COLUMNS columns. */
static void print_prose(FILE *f, const char *first, const char *prose)
{
	size_t column = fprintf(f, "%s", first), indent = column, len;
	bool begun = false;

	while (*prose) {
		len = strcspn(prose, " ");
		if (begun && column + 1 + len > COLUMNS) {
			fprintf(f, "\n%*s", (int)indent, "");
			column = indent;
			begun = false;
		}
		column += fprintf(f, "%s%.*s", begun ? " " : "",
				  (int)(len < COLUMNS - indent ? len :
					COLUMNS - indent), prose);
		begun = true;
		prose += len;
		prose += strspn(prose, " ");
	}
	fputc('\n', f);
}

/* True if both sides have one kernel release. Only then is the build, a long text, printed. */
static bool same_kernel(const struct group *group)
{
	char *base = document_text(group->side[SIDE_BASE].doc->environment,
				   "kernel");
	char *new = document_text(group->side[SIDE_NEW].doc->environment,
				  "kernel");
	bool same = base && new && !strcmp(base, new);

	free(base);
	free(new);
	return same;
}

static void print_side(FILE *f, const char *first, const struct side *side,
		       bool builds)
{
	const struct document *doc = side->doc;
	char *kernel = document_text(doc->environment, "kernel");
	char *build = builds ? document_text(doc->environment, "build") : NULL;
	char *version = document_text(doc->environment, "icbench");
	char *text;

	text = alloc_text("kernel %s%s%s, icbench %s: %s%s",
			  kernel ? kernel : "unknown", build ? ", build " : "",
			  build ? build : "", version ? version : "unknown",
			  doc->path, side->count > 1 ? " ..." : "");
	text_one_line(text);
	print_prose(f, first, text);
	free(text);
	free(version);
	free(build);
	free(kernel);
}

/* The first group with documents on both sides. */
static const struct group *first_group(const struct comparison *comparison)
{
	return comparison->pairs.pair[0].group;
}

static void print_head(FILE *f, const struct comparison *comparison)
{
	const struct group *group = first_group(comparison);
	const bool builds = same_kernel(group);
	unsigned int i;

	print_side(f, "base: ", &group->side[SIDE_BASE], builds);
	print_side(f, "new:  ", &group->side[SIDE_NEW], builds);
	fprintf(f, "documents: %u and %u", group->side[SIDE_BASE].count,
		group->side[SIDE_NEW].count);
	if (comparison->groups.is_suite)
		fprintf(f, " of each of %u experiments", comparison->groups.count);
	fprintf(f, "; threshold %g %%; %s\n", comparison->threshold,
		comparison->icount ? "exact: the clocks count instructions" :
		"95 % confidence intervals");
	for (i = 0; i < comparison->notes.count && i < NOTES_MAX; i++)
		print_prose(f, "forced: ", comparison->notes.text[i]);
	if (i < comparison->notes.count)
		fprintf(f, "forced: %u differences more\n",
			comparison->notes.count - i);
}

/* Print a number with the decimals that fit. */
static void print_number(FILE *f, double value, const char *sign, int width)
{
	char text[400];
	int decimals;

	for (decimals = 3; decimals >= 0; decimals--) {
		snprintf(text, sizeof(text), *sign ? "%+.*f" : "%.*f", decimals,
			 value);
		if (strlen(text) <= (size_t)width)
			break;
	}
	if (decimals < 0)
		snprintf(text, sizeof(text), *sign ? "%+.3e" : "%.4e", value);
	fprintf(f, " %*s", width, text);
}

static void print_percents(FILE *f, const struct difference *d)
{
	char text[100];

	if (!d->relative) {
		fprintf(f, " %8s %16s", "-", "-");
		return;
	}
	if (fabs(d->percent.value) < 10000)
		fprintf(f, " %+8.2f", d->percent.value);
	else
		fprintf(f, " %+8.1e", d->percent.value);
	if (fabs(d->percent.low) < 10000 && fabs(d->percent.high) < 10000)
		snprintf(text, sizeof(text), "%+.2f %+.2f", d->percent.low,
			 d->percent.high);
	else
		snprintf(text, sizeof(text), "%+.0e %+.0e", d->percent.low,
			 d->percent.high);
	fprintf(f, " %16s", text);
}

static void print_row(FILE *f, const struct row *row)
{
	static const char *const words[VERDICTS] = {
		[VERDICT_NO_DIFFERENCE] = "-",
		[VERDICT_FASTER] = "faster",
		[VERDICT_SLOWER] = "slower",
		[VERDICT_CHANGED] = "changed",
	};
	const struct difference *d = &row->difference;
	const bool is_bandwidth = !strcmp(row->unit, "B/s");
	const double scale = is_bandwidth ? 1e6 : 1;

	fprintf(f, " %-20.20s %-5.5s", row->name,
		is_bandwidth ? "MB/s" : row->unit);
	print_number(f, d->base / scale, "", 11);
	print_number(f, d->new / scale, "", 11);
	print_number(f, d->range.value / scale, "+", 10);
	print_percents(f, d);
	fprintf(f, " %s\n", d->regression ? "REGRESSION" : words[d->verdict]);
}

static bool is_comparable(const struct row *row)
{
	return row->difference.verdict != VERDICT_NOT_COMPARABLE;
}

/* Print the figures that are not comparable, by their reasons. */
static void print_rest(FILE *f, const struct row *row, unsigned int count)
{
	unsigned int i, j;
	char *list, *more;

	for (i = 0; i < count; i++) {
		const char *why_not = row[i].difference.why_not;

		if (is_comparable(&row[i]))
			continue;
		for (j = 0; j < i; j++)
			if (!is_comparable(&row[j]) &&
			    !strcmp(row[j].difference.why_not, why_not))
				break;
		if (j < i)
			continue;
		list = alloc_text("%s:", why_not);
		for (j = i; j < count; j++) {
			if (is_comparable(&row[j]) ||
			    strcmp(row[j].difference.why_not, why_not))
				continue;
			more = alloc_text("%s %s", list, row[j].name);
			free(list);
			list = more;
		}
		print_prose(f, " not comparable: ", list);
		free(list);
	}
}

static void print_point(FILE *f, const struct row *row, unsigned int count)
{
	char *name = formats_point_name(row);
	unsigned int i;
	bool begun = false;

	fputc('\n', f);
	print_prose(f, "", name);
	free(name);
	for (i = 0; i < count; i++) {
		if (!is_comparable(&row[i]))
			continue;
		if (!begun)
			fprintf(f, " %-20s %-5s %11s %11s %10s %8s %16s %s\n",
				"metric", "unit", "base", "new", "difference",
				"%", "interval, %", "verdict");
		begun = true;
		print_row(f, &row[i]);
	}
	print_rest(f, row, count);
}

/**
 * comparison_text() - print a comparison as text
 * @f: output stream
 * @comparison: comparison with one row or more
 */
void comparison_text(FILE *f, const struct comparison *comparison)
{
	unsigned int i, j;

	print_head(f, comparison);
	for (i = 0; i < comparison->rows; i = j) {
		for (j = i; j < comparison->rows; j++)
			if (comparison->row[j].pair != comparison->row[i].pair)
				break;
		print_point(f, &comparison->row[i], j - i);
	}
	fprintf(f,
		"\n%u faster, %u slower, %u with no difference shown, %u not comparable; regressions: %u\n",
		comparison->verdicts[VERDICT_FASTER],
		comparison->verdicts[VERDICT_SLOWER],
		comparison->verdicts[VERDICT_NO_DIFFERENCE],
		comparison->verdicts[VERDICT_NOT_COMPARABLE],
		comparison->regressions);
}
