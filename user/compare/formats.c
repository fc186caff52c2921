// SPDX-License-Identifier: GPL-2.0
/* Names and texts that several formats of a comparison share. */
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "base/text.h"
#include "comparison.h"
#include "formats.h"

/**
 * formats_point_name() - the name of a figure's point
 * @row: the figure
 *
 * Return: benchmark, file of a suite, section and parameters that vary, in one line, for
 * the caller to free().
 */
char *formats_point_name(const struct row *row)
{
	const struct pair *pair = row->pair;
	const struct document *doc = pair->group->side[SIDE_BASE].doc;
	char *benchmark = document_text(doc->root, "benchmark"), *name;
	const char *file = pair->group->name;

	name = alloc_text("%s%s%s%s%s", file ? file : "", file ? ": " : "",
			  benchmark, *pair->title ? " " : "", pair->title);
	text_one_line(name);
	free(benchmark);
	return name;
}

/**
 * formats_test_name() - the name of a figure as a test
 * @row: the figure
 *
 * Return: the name of the point and of the figure, for the caller to free().
 */
char *formats_test_name(const struct row *row)
{
	char *point = formats_point_name(row), *name;

	name = alloc_text("%s %s", point, row->name);
	free(point);
	return name;
}

/**
 * formats_summary() - a figure's comparison in one line
 * @row: the figure
 *
 * Return: the line, without a newline, for the caller to free().
 */
char *formats_summary(const struct row *row)
{
	const struct difference *d = &row->difference;
	char *text, *percent = NULL, *unit = alloc_text("%s", row->unit);

	text_one_line(unit);
	if (d->why_not) {
		text = alloc_text("%s: %s", verdict_words[d->verdict],
				  d->why_not);
		free(unit);
		return text;
	}
	if (d->relative)
		percent = alloc_text(", %+.2f %% (%+.2f to %+.2f)",
				     d->percent.value, d->percent.low,
				     d->percent.high);
	text = alloc_text("%s: %.10g to %.10g %.8s%s", verdict_words[d->verdict],
			  d->base, d->new, unit, percent ? percent : "");
	free(percent);
	free(unit);
	return text;
}
