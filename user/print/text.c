// SPDX-License-Identifier: GPL-2.0
/*
 * Format "full": a block that describes what was measured, a row for each point, and all
 * details.
 */
#include "calls.h"
#include "derived.h"
#include "details.h"
#include "head.h"
#include "interval.h"
#include "knee.h"
#include "plan/knee.h"
#include "plan/result.h"
#include "plan/trace.h"
#include "print.h"
#include "table.h"
#include "trust.h"

/*
 * The block is printed before the first point of the result, and the titles before the
 * first point of a table.
 */
static void print_point(FILE *f, const struct result *result,
			const struct point *point)
{
	if (point == result->point)
		print_head(f, result, point);
	if (point == table_first(result, point))
		print_table_head(f, result, point);
	print_table_row(f, result, point);
	fflush(f);
}

/*
 * True for runs that time single calls, and whose main result is therefore print_calls().
 */
static bool times_calls(const struct result *result)
{
	return result->count && result->point[0].job.params.trigger ==
				ICBENCH_TRIGGER_RETURN;
}

/* True for runs that time the stages of an operation, which print_calls() prints. */
static bool has_stages(const struct result *result)
{
	return result->count && result->point[0].job.params.stages;
}

static void print_trace(FILE *f, const struct trace *trace)
{
	if (!trace)
		return;
	if (trace->state == TRACE_ON)
		fputs(" Trace          : none, no sample was above the threshold\n", f);
	if (trace->state == TRACE_KEPT)
		fprintf(f, " Trace          : %s%s%s\n", trace->name,
			*trace->fs.missing ? ", without events of " : "",
			trace->fs.missing);
}

/* Print how the overhead is computed, and whether it has an interval. */
static void print_basis(FILE *f, const struct result *result)
{
	char baseline[96];

	result_baseline(result, baseline, sizeof(baseline));
	fprintf(f, " overhead: t_avg minus t_avg of %s%s\n", baseline,
		plan_repeats(result->plan) ?
		", from the mean of each run; not distinguishable: 0 is in the interval" :
		"; no interval, because each point was run once (--repeat 3)");
}

static void print_end(FILE *f, const struct result *result, bool details)
{
	struct knee knee;
	unsigned int i;

	if (result->count) {
		fputs(RULE, f);
		if (plan_subtracts(result->plan))
			print_basis(f, result);
	}
	print_startups(f, result);
	for (i = 0; i < result->count; i++)
		if (knee_find(&knee, result, i))
			print_knee(f, result, &knee);
	print_derived(f, result);
	details = details || result->plan->count == 1;
	if (details || times_calls(result) || has_stages(result))
		print_calls(f, result);
	for (i = 0; i < result->count; i++)
		print_unmeasured(f, &result->point[i]);
	if (details)
		print_details(f, result);
	else
		print_least_supported(f, result);
	print_few_windows(f, result);
	print_trace(f, result->trace);
	if (*result->reason)
		fprintf(f, " PARTIAL: %s\n", result->reason);
	fflush(f);
}

const struct text_format text_full = {
	.name = "full",
	.point = print_point,
	.end = print_end,
};
