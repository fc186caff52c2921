// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/alloc.h"
#include "base/args.h"
#include "base/message.h"
#include "base/status.h"
#include "commands.h"
#include "plan/derive.h"
#include "plan/knee.h"
#include "plan/load.h"
#include "plan/number.h"
#include "plan/plan.h"
#include "plan/recipe.h"

#define COLUMNS	78

static const char *const options[] = { "--keys", "--help", NULL };

static void help(void)
{
	puts("usage: icbenchctl show BENCH|RECIPE.icb\n"
	     "       icbenchctl show --keys\n"
	     "\n"
	     "Show what a benchmark measures, the default of each key, and the accepted\n"
	     "values.\n"
	     "\n"
	     "  --keys    every key, for programs: its name, its type, \"sweep\" or \"-\", and\n"
	     "            its words or its range, separated by tabs");
}

/* Print prose in lines that fit a terminal. */
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
	[ICB_PARAM_SHARE] = "share",
	[ICB_PARAM_PERCENTILE] = "share",
	[ICB_PARAM_TIME] = "time",
	[ICB_PARAM_STRING] = "name",
	[ICB_PARAM_BYTES] = "file",
	[ICB_PARAM_PLACE] = "place",
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
	case ICB_PARAM_PLACE:
		printf("any%cdevice%cnode:N", separator, separator);
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

/* Print a line for each key, for shell completion and other programs. */
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

/* Print a key: its value in this recipe, its default, or that it differs by section. */
static void print_key(const struct recipe *recipe,
		      const struct icb_param *param,
		      const struct icb_params *defaults, u64 varying)
{
	const struct sweep *sweep = config_find(&recipe->config, param);
	char value[ICB_NAMES] = "-";

	printf("  %-13s ", param->name);
	if (sweep) {
		print_values(sweep);
	} else if (recipe->sections.count && (varying & BIT_ULL(param->attr))) {
		fputs("differs by section", stdout);
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

/* Print the keys of the load that is also run beside each run. */
static void print_load(const struct recipe *recipe)
{
	unsigned int i;

	for (i = 0; i < recipe->load.count; i++) {
		printf("%s" LOAD_PREFIX "%s=",
		       i ? ", " : "Each run is repeated beside a load: ",
		       recipe->load.sweep[i].param->name);
		print_values(&recipe->load.sweep[i]);
	}
	if (i)
		puts(".\n");
}

static void print_sections(const struct recipe *recipe)
{
	const struct section *section;
	unsigned int i, j;

	if (!recipe->sections.count)
		return;
	puts("Sections, with their own keys, which override keys that are given:\n");
	for (i = 0; i < recipe->sections.count; i++) {
		section = &recipe->sections.section[i];
		printf("  [%s]", section->name);
		for (j = 0; j < section->config.count; j++) {
			printf(" %s=", section->config.sweep[j].param->name);
			print_values(&section->config.sweep[j]);
		}
		putchar('\n');
	}
	putchar('\n');
}

static void print_quantities(const struct quantity *quantity,
			     unsigned int count, int width)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		printf("  %-*s %-6s %s\n", width, quantity[i].name,
		       quantity[i].unit ? : "no,yes", quantity[i].what);
	putchar('\n');
}

static void print_derivation(const struct derivation *derivation)
{
	if (!derivation)
		return;
	if (derivation->eachs) {
		printf("Calculated for each run (%s):\n\n", derivation->title);
		print_quantities(derivation->each, derivation->eachs, 14);
	}
	printf("Calculated from all runs (%s):\n\n", derivation->title);
	print_quantities(derivation->quantity, derivation->quantities,
			 derivation->eachs ? 14 : 5);
}

/* True if the recipe uses several devices and leaves their names to the user. */
static bool lacks_devices(const struct config *config)
{
	const struct sweep *policy = config_find(config,
				icb_param_by_attr(ICBENCH_A_PARAMS_POLICY));
	unsigned int i;

	if (config_find(config, icb_param_by_attr(ICBENCH_A_PARAMS_DEVICE)))
		return false;
	for (i = 0; policy && i < policy->count; i++)
		if (policy->value[i].number != ICBENCH_POLICY_SINGLE)
			return true;
	return false;
}

/* Print a paragraph with a label in front of it. */
static void print_paragraph(const char *before, const char *prose)
{
	char *text;

	if (!prose)
		return;
	text = alloc_text("%s%s", before, prose);
	print_prose(text);
	free(text);
	putchar('\n');
}

/* Print the published figures as a table. */
static void print_figures(const struct recipe *recipe)
{
	const struct published *figure;
	char *measured;
	unsigned int i;

	for (i = 0; i < recipe->figures; i++) {
		figure = &recipe->figure[i];
		measured = alloc_text("%s %s", figure->metric, figure->conditions);
		printf("  %-30s %10s  %s; %s\n", measured, figure->text,
		       figure->system, figure->source);
		free(measured);
	}
	if (i)
		putchar('\n');
}

static void print_recipe(const struct recipe *recipe, const struct plan *plan)
{
	const struct icb_params *defaults = &plan->point[0].params;
	unsigned int i;

	printf("%s: %s\n\n", recipe->name, recipe->title);
	print_paragraph("", recipe->about);
	print_paragraph("How to read it: ", recipe->reading);
	print_paragraph("Published: ", recipe->published);
	print_figures(recipe);
	if (recipe->baseline.param) {
		printf("All runs are compared with %s=",
		       recipe->baseline.param->name);
		print_values(&recipe->baseline);
		puts("; the increase is their overhead.\n");
	}
	if (recipe->knee)
		printf("The knee is where %s falls below %u %% of its peak, as %s increases.\n\n",
		       recipe->knee_metric, KNEE_PERCENT, recipe->knee->name);
	print_sections(recipe);
	print_derivation(recipe->derivation);
	print_load(recipe);
	if (recipe->isolate != ISOLATE_NO)
		printf("The isolation of its CPUs is checked: isolate=%s.\n\n",
		       isolate_words[recipe->isolate]);
	if (lacks_devices(&recipe->config))
		puts("Needs several devices, -d A -d B; shown for two.\n");
	if (plan_repeats(plan))
		printf("Each point is run %u times, in turn with the others.\n\n",
		       plan->repeat);
	printf("Runs: %u. Keys, with their default values\n"
	       "(-: chosen by the kernel):\n\n", plan_runs(plan));
	for (i = 0; i < icb_param_count; i++)
		print_key(recipe, &icb_param_table[i], defaults,
			  plan->varying);
}

/* Plan the runs of a recipe; if it needs devices, for two of them. */
static int make_plan(struct plan *plan, const struct recipe *recipe,
		     struct icb_reason *why)
{
	const struct icb_param *device =
		icb_param_by_attr(ICBENCH_A_PARAMS_DEVICE);
	bool lacks = lacks_devices(&recipe->config);
	struct recipe copy = *recipe;
	int err;

	memset(&copy.config, 0, sizeof(copy.config));
	config_copy(&copy.config, &recipe->config);
	err = lacks ? config_add(&copy.config, device, "A", why) ? :
		      config_add(&copy.config, device, "B", why) : 0;
	if (!err)
		err = recipe_plan(&copy, plan, why);
	if (!err && lacks)
		icb_params_clear(&plan->point[0].params, device);
	config_free(&copy.config);
	return err;
}

static int show(const char *bench)
{
	struct recipe recipe;
	struct plan plan = { 0 };
	struct icb_reason why;
	int status = 0;

	if (recipe_load(&recipe, bench, &why) ||
	    make_plan(&plan, &recipe, &why))
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
		if (args_help(&args))
			return args_show_help(&args, help);
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
		return message_usage("show: --keys covers all benchmarks; accepted: no benchmark");
	if (keys) {
		print_keys();
		return STATUS_DONE;
	}
	if (!bench)
		return message_usage("show: no benchmark; see icbenchctl list");
	return show(bench);
}
