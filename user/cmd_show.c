// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "args.h"
#include "commands.h"
#include "knee.h"
#include "message.h"
#include "number.h"
#include "plan.h"
#include "recipe.h"
#include "status.h"

#define COLUMNS	78

static const char *const options[] = { "--keys", "--help", NULL };

static void help(void)
{
	puts("usage: icbenchctl show BENCH|RECIPE.icb\n"
	     "       icbenchctl show --keys\n"
	     "\n"
	     "Show what a benchmark measures, the value that each key has in it, and what\n"
	     "may be given instead.\n"
	     "\n"
	     "  --keys    every key, for programs: its name, its type, \"sweep\" or \"-\", and\n"
	     "            its words or its range, separated by tabs");
}

/* Prose in lines that fit a terminal. */
static void print_prose(const char *prose)
{
	size_t column = 0, len;

	while (*prose) {
		len = strcspn(prose, " ");
		if (column && column + 1 + len > COLUMNS) {
			putchar('\n');
			column = 0;
		}
		if (column)
			putchar(' ');
		column += !!column + len;
		fwrite(prose, 1, len, stdout);
		prose += len;
		prose += strspn(prose, " ");
	}
	putchar('\n');
}

static const char *const type_names[] = {
	[ICB_PARAM_WORD] = "word",
	[ICB_PARAM_COUNT] = "number",
	[ICB_PARAM_SIZE] = "size",
	[ICB_PARAM_TIME] = "time",
	[ICB_PARAM_STRING] = "name",
	[ICB_PARAM_BYTES] = "file",
};

static void print_accepted(const struct icb_param *param, char separator)
{
	char low[24], high[24];
	unsigned int i;

	switch (param->type) {
	case ICB_PARAM_WORD:
		for (i = 0; param->words[i]; i++) {
			if (i)
				putchar(separator);
			fputs(param->words[i], stdout);
		}
		break;
	case ICB_PARAM_STRING:
		fputs("name", stdout);
		break;
	case ICB_PARAM_BYTES:
		fputs("--token-file FILE", stdout);
		break;
	default:
		number_print(low, sizeof(low), param->type, param->min);
		number_print(high, sizeof(high), param->type, param->max);
		printf("%s%s%s", low, separator == ' ' ? ".." : " to ", high);
	}
}

/* A line for each key, for completion and other programs. */
static void print_keys(void)
{
	const struct icb_param *param;
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		param = &icb_param_table[i];
		printf("%s\t%s\t%s\t", param->name, type_names[param->type],
		       param->flags & ICB_PARAM_SWEEP ? "sweep" : "-");
		print_accepted(param, ' ');
		putchar('\n');
	}
}

static void print_values(const struct sweep *sweep)
{
	char *values = plan_values(sweep);

	fputs(values, stdout);
	free(values);
}

/* What a key has in this recipe: a value, a default, or what depends. */
static void print_key(const struct recipe *recipe,
		      const struct icb_param *param,
		      const struct icb_params *defaults)
{
	const struct sweep *sweep = config_find(&recipe->config, param);
	char value[ICBENCH_MAX_NAME + 1] = "-";

	printf("  %-13s ", param->name);
	if (sweep) {
		print_values(sweep);
	} else {
		if (icb_params_has(defaults, param->attr))
			plan_value(param, defaults, value, sizeof(value));
		printf("%s", value);
	}
	printf("\n                  %s\n                  accepted: ",
	       param->help);
	print_accepted(param, '|');
	puts(param->flags & ICB_PARAM_SWEEP ? "; can be swept" : "");
}

static void print_recipe(const struct recipe *recipe, const struct plan *plan)
{
	const struct icb_params *defaults = &plan->point[0].params;
	unsigned int i;

	printf("%s: %s\n\n", recipe->name, recipe->title);
	if (recipe->about) {
		print_prose(recipe->about);
		putchar('\n');
	}
	if (recipe->baseline.param) {
		printf("Others are compared with %s=",
		       recipe->baseline.param->name);
		print_values(&recipe->baseline);
		puts("; what they cost more is their overhead.\n");
	}
	if (recipe->knee)
		printf("Its knee is where %s falls below %u %% of its peak, by %s.\n\n",
		       recipe->knee_metric, KNEE_PERCENT, recipe->knee->name);
	printf("Runs: %u. Keys, with the value that each has unless given\n"
	       "(-: chosen by the kernel):\n\n", plan->count);
	for (i = 0; i < icb_param_count; i++)
		print_key(recipe, &icb_param_table[i], defaults);
}

static int show(const char *bench)
{
	struct recipe recipe;
	struct plan plan = { 0 };
	struct icb_reason why;
	int status = 0;

	if (recipe_load(&recipe, bench, &why) ||
	    plan_make(&plan, &recipe.config,
		      recipe.baseline.param ? &recipe.baseline : NULL, &why))
		status = message_usage("%s", why.text);
	else
		print_recipe(&recipe, &plan);
	plan_free(&plan);
	recipe_free(&recipe);
	return status;
}

int cmd_show(char **argv)
{
	const char *bench = NULL;
	bool keys = false;
	struct args args;

	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		if (args_help(&args)) {
			help();
			return STATUS_DONE;
		}
		if (args_is(&args, "--keys", NULL)) {
			if (args_no_value(&args))
				return STATUS_USAGE;
			keys = true;
			continue;
		}
		if (!args.word || bench)
			return args_unknown(&args, "show", options);
		bench = args.word;
	}
	if (keys && bench)
		return message_usage("show: --keys shows those of all; accepted: no benchmark");
	if (keys) {
		print_keys();
		return STATUS_DONE;
	}
	if (!bench)
		return message_usage("show: which benchmark? icbenchctl list shows them");
	return show(bench);
}
