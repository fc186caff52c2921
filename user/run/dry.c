// SPDX-License-Identifier: GPL-2.0
/* Prints the runs of a benchmark without running them, and without the module. */
#include <stdio.h>

#include "dry.h"
#include "experiment.h"
#include "plan/load.h"
#include "plan/section.h"

/* Columns of a line. */
#define COLUMNS	100

/**
 * struct line - words that are printed in lines of at most COLUMNS columns
 * @indent: columns before the first word of a line
 * @column: column after the last word
 */
struct line {
	int indent;
	int column;
};

static void print_word(struct line *line, const char *word)
{
	int len = strlen(word);

	if (line->column > line->indent && line->column + 1 + len > COLUMNS) {
		printf("\n%*s", line->indent, "");
		line->column = line->indent;
	}
	line->column += printf(" %s", word);
}

/* Print the keys that are set, except those that differ between the runs. */
static void print_keys(struct line *line, const struct icb_params *params,
		       u64 varying, const char *prefix)
{
	const struct icb_param *param;
	char value[ICB_NAMES], word[ICB_NAMES + 64];
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		param = &icb_param_table[i];
		if (!icb_params_given(params, param->attr) ||
		    varying & BIT_ULL(param->attr) ||
		    param->type == ICB_PARAM_BYTES)
			continue;
		plan_value(param, params, value, sizeof(value));
		snprintf(word, sizeof(word), "%s%s=%s", prefix, param->name, value);
		print_word(line, word);
	}
}

static void print_point(const struct experiment *experiment, unsigned int index)
{
	const struct plan *plan = &experiment->plan;
	char name[240], load[96];

	section_point(&experiment->recipe.sections, plan, index, name,
		      sizeof(name));
	load_name(plan, index, load, sizeof(load));
	printf(" %5u  %s%s%s%s\n", index, name, *name && plan->loaded ? " " : "",
	       plan->loaded ? "load:" : "", plan->loaded ? load : "");
}

static bool has_sections(const struct plan *plan)
{
	return plan->count && plan->point[0].section;
}

/**
 * dry_run() - print the runs of a benchmark on standard output
 * @experiment: experiment with a plan
 */
void dry_run(const struct experiment *experiment)
{
	const struct plan *plan = &experiment->plan;
	const struct recipe *recipe = &experiment->recipe;
	struct line line = { .indent = 1 };
	unsigned int i;

	printf("%s: %s\n", recipe->name, recipe->title);
	printf("%u point%s, %u run%s%s\n", plan->count,
	       plan->count == 1 ? "" : "s", plan_runs(plan),
	       plan_runs(plan) == 1 ? "" : "s",
	       plan_repeats(plan) ? ", in turns (A B B A)" : "");
	if (!has_sections(plan)) {
		print_keys(&line, &plan->point[0].params, plan->varying, "");
		printf("%s\n", line.column ? "" : " all keys have their defaults");
	}
	for (i = 0; i < plan->count; i++)
		if (plan->count > 1)
			print_point(experiment, i);
	if (recipe->refine)
		puts("Points may be added where the metric falls, and points far beyond may be\n"
		     "left out.");
	puts("When the runs begin, the module checks them, and sizes, MTUs and SGEs of the recipe\n"
	     "that the device does not support are left out.");
}
