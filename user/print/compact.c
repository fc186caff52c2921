// SPDX-License-Identifier: GPL-2.0
/*
 * Format "compact": what was measured, a row for each point, and a line for each thing
 * that a reader should know about these figures. Lines have at most LAYOUT_WIDTH columns.
 */
#include <unistd.h>

#include "bars.h"
#include "calls.h"
#include "interval.h"
#include "knee.h"
#include "layout.h"
#include "notes.h"
#include "plan/knee.h"
#include "plan/result.h"
#include "plan/trace.h"
#include "print.h"
#include "quantities.h"
#include "rows.h"
#include "table.h"

static void print_point(FILE *f, const struct result *result,
			const struct point *point)
{
	if (point == result->point)
		print_note_head(f, result, point);
	else if (point == table_first(result, point))
		print_rows_rest(f, result, point - 1);
	print_rows(f, result, point);
	fflush(f);
}

static void print_basis(FILE *f, const struct result *result)
{
	char baseline[96];

	if (!plan_subtracts(result->plan))
		return;
	result_baseline(result, baseline, sizeof(baseline));
	layout_line(f, "Overhead", "mean less the mean of %s%s", baseline,
		    plan_repeats(result->plan) ? "" :
		    "; no interval, because each point was run once");
}

/* Print which open loops were cut, and which were not steady. */
static void print_steadiness(FILE *f, const struct result *result)
{
	char name[160], text[4096] = "";
	const struct startup *startup;
	unsigned int i, cut = 0;
	size_t len = 0;

	for (i = 0; i < result->count; i++) {
		startup = &result->point[i].startup;
		if (!startup->known)
			continue;
		cut += startup->steady && startup->cut;
		if (startup->steady || len >= sizeof(text))
			continue;
		result_point_name(result, i, name, sizeof(name));
		len += snprintf(text + len, sizeof(text) - len, "%s%s",
				len ? ", " : "", name);
	}
	if (cut)
		layout_line(f, "Start-up", "cut off %u of %u points", cut,
			    result->count);
	if (len)
		layout_line(f, "Not steady",
			    "latency changed until the end: %s", text);
}

/* Print what the full format prints for this result, wrapped. */
static void relay_knees(FILE *f, const struct result *result)
{
	char *text = NULL;
	struct knee knee;
	unsigned int i;
	size_t size;
	FILE *lines;

	lines = open_memstream(&text, &size);
	if (!lines)
		return;
	for (i = 0; i < result->count; i++)
		if (knee_find(&knee, result, i))
			print_knee(lines, result, &knee);
	for (i = 0; i < result->count; i++)
		print_unmeasured(lines, &result->point[i]);
	print_few_windows(lines, result);
	fclose(lines);
	layout_relay(f, text);
}

/* Print the details of each point, or only of the worst one of several. */
static void print_points(FILE *f, const struct result *result, bool details)
{
	const bool is_single = result->plan->count == 1;
	const struct point *point;
	char name[160];
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		point = &result->point[i];
		result_point_name(result, i, name, sizeof(name));
		if (is_single && metrics_main(&point->metrics) &&
		    !rows_are_calls(point) && isatty(fileno(f)))
			print_histogram(f, metrics_main(&point->metrics));
		print_stages(f, point, name);
		if (details || is_single)
			print_note_point(f, point, name);
	}
	if (!details && !is_single)
		print_note_worst(f, result);
}

static void print_trace(FILE *f, const struct trace *trace)
{
	if (!trace)
		return;
	if (trace->state == TRACE_ON)
		layout_line(f, "Trace", "none, no sample was above the threshold");
	if (trace->state == TRACE_KEPT)
		layout_line(f, "Trace", "%s%s%s", trace->name,
			    *trace->fs.missing ? ", without events of " : "",
			    trace->fs.missing);
}

static void print_end(FILE *f, const struct result *result, bool details)
{
	char partial[NL_TEXT_MAX + 16];

	if (result->count) {
		print_rows_rest(f, result, &result->point[result->count - 1]);
		putc('\n', f);
	}
	print_basis(f, result);
	print_points(f, result, details);
	print_quantities(f, result);
	print_steadiness(f, result);
	relay_knees(f, result);
	if (result->count)
		print_note_end(f, result);
	print_trace(f, result->trace);
	if (*result->reason) {
		snprintf(partial, sizeof(partial), "PARTIAL: %s",
			 result->reason);
		layout_wrap(f, 1, partial);
	}
	fflush(f);
}

const struct text_format text_compact = {
	.name = "compact",
	.point = print_point,
	.end = print_end,
};
