// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/alloc.h"
#include "base/args.h"
#include "base/datafile.h"
#include "base/message.h"
#include "base/status.h"
#include "base/token.h"
#include "foreign.h"
#include "options.h"
#include "plan/load.h"
#include "plan/number.h"
#include "plan/repeat.h"
#include "print/print.h"

#define ALL_SIZES	"2..8M"

/* Option letters of perftest, and their keys; @value of a letter that takes no value. */
static const struct letter {
	const char *name;
	const char *key;
	const char *value;
} letters[] = {
	{ .name = "-d", .key = "device" },
	{ .name = "-i", .key = "port" },
	{ .name = "-x", .key = "gid-index" },
	{ .name = "-s", .key = "size" },
	{ .name = "-n", .key = "iterations" },
	{ .name = "-D", .key = "duration" },
	{ .name = "-t", .key = "window" },
	{ .name = "-q", .key = "qps" },
	{ .name = "-m", .key = "mtu" },
	{ .name = "-b", .key = "direction", .value = "bi" },
	{ .name = "-e", .key = "completion", .value = "block" },
	{ .name = "-c", .key = "transport" },
	{ .name = "-I", .key = "inline" },
	{ .name = "-p", .key = "cm-port" },
	{ .name = "-a", .key = "size", .value = ALL_SIZES },
};

static const char *param_letter(const struct icb_param *param)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(letters); i++)
		if (!letters[i].value && !strcmp(letters[i].key, param->name))
			return letters[i].name;
	return NULL;
}

/**
 * options_param() - find the key that an option of icbenchctl run sets
 * @option: "--size" or "-s"
 *
 * Return: the key; NULL if the option sets none, or sets it to a fixed value.
 */
const struct icb_param *options_param(const char *option)
{
	unsigned int i;

	if (option[0] == '-' && option[1] == '-')
		return icb_param_by_name(option + 2);
	for (i = 0; i < ARRAY_SIZE(letters); i++)
		if (!letters[i].value && !strcmp(letters[i].name, option))
			return icb_param_by_name(letters[i].key);
	return NULL;
}

/* Columns of a line of help, of its option, and before a text on a line of its own. */
#define HELP_WIDTH	100
#define HELP_OPTION	52
#define HELP_TEXT	12

/* Print the values of a key, wrapped at HELP_WIDTH. Return: the column after them. */
static int print_words(const struct icb_param *param, int column)
{
	int indent = column, len;
	unsigned int i;

	for (i = 0; param->words[i]; i++) {
		/* the bars before and after the word */
		len = strlen(param->words[i]) + 2;
		if (i && column + len > HELP_WIDTH) {
			printf("|\n%*s", indent, "");
			column = indent;
		} else if (i) {
			column += printf("|");
		}
		column += printf("%s", param->words[i]);
	}
	return column;
}

/* Print the text of an option that ends at @column, on the same line if there is room. */
static void print_text(int column, const char *mark, const char *text)
{
	int indent = HELP_OPTION + 2;

	if (indent + 2 + strlen(text) > HELP_WIDTH)
		indent = HELP_TEXT;
	if (column > indent) {
		putchar('\n');
		column = 0;
	}
	printf("%*s%s %s\n", indent - column, "", mark, text);
}

static void print_key(const struct icb_param *param)
{
	static const char *const kinds[] = {
		[ICB_PARAM_COUNT] = "N",
		[ICB_PARAM_SIZE] = "SIZE",
		[ICB_PARAM_SHARE] = "N",
		[ICB_PARAM_PERCENTILE] = "N",
		[ICB_PARAM_TIME] = "TIME",
		[ICB_PARAM_STRING] = "NAME",
		[ICB_PARAM_PLACE] = "any|device|node:N",
	};
	const char *letter = param_letter(param);
	int column;

	column = printf("  %s%s--%s ", letter ? letter : "", letter ? ", " : "    ",
			param->name);
	if (param->type == ICB_PARAM_WORD)
		column = print_words(param, column);
	else
		column += printf("%s", kinds[param->type]);
	print_text(column, param->flags & ICB_PARAM_SWEEP ? "*" : " ",
		   param->help);
}

/**
 * options_help() - print the help of icbenchctl run on standard output
 */
void options_help(void)
{
	static const char *const lines[][2] = {
		{ "-e", "completion block" },
		{ "-b", "direction bi" },
		{ "-a", "size " ALL_SIZES ", up to the limit of the device" },
		{ "    --load.KEY VALUE",
		  "run a load with these keys beside each run" },
		{ "    --isolate no|warn|require",
		  "check that the CPUs of the runs are isolated" },
		{ "    --budget-latency TIME",
		  "recommend the mode of least CPU time within this latency" },
		{ "    --budget-cpu TIME",
		  "recommend the fastest mode within this CPU time per message" },
		{ "    --repeat N",
		  "run each point N times, in turns: differences get intervals" },
		{ "    --token-file FILE",
		  "secret that the peer requires, 8 to 64 bytes" },
		{ "    --trace FILE|no",
		  "file for the kernel's trace of a sample above the threshold" },
		{ "    --format compact|full|perftest",
		  "text: a row per point, all figures, or perftest's columns" },
		{ "    --json FILE",
		  "write the result in JSON; - for standard output" },
		{ "    --csv FILE",
		  "write the result in CSV; - for standard output" },
		{ "-v, --verbose", "print the details of each point of a sweep, too" },
		{ "    --quiet", "no progress, no remarks; with --json or --csv, no text" },
		{ "    --dry-run", "print the runs without running them" },
	};
	unsigned int i;

	puts("usage: icbenchctl run BENCH|RECIPE.icb [PEER] [--KEY VALUE ...]\n"
	     "                      [--format compact|full|perftest] [--json FILE|-] [--csv FILE|-]\n"
	     "                      [--quiet] [--dry-run]\n"
	     "\n"
	     "Run a benchmark on this host, or with PEER, a host that runs icbenchctl serve.\n"
	     "\n"
	     "Keys (keys with a * accept lists A,B,C and ranges LOW..HIGH, which double,\n"
	     "and LOW..HIGH+STEP; several lists make every combination):\n");
	for (i = 0; i < icb_param_count; i++)
		if (icb_param_table[i].type != ICB_PARAM_BYTES)
			print_key(&icb_param_table[i]);
	for (i = 0; i < ARRAY_SIZE(lines); i++)
		print_text(printf("  %s", lines[i][0]), " ", lines[i][1]);
	puts("\n"
	     "Sizes take K, M, G for 2^10, 2^20, 2^30; numbers take K, M, G for 10^3, 10^6, 10^9. Both\n"
	     "can be written as 1e6. Times take ns, us, ms, s, as 0.5s. A time without a unit is in\n"
	     "seconds; a threshold or a budget must have a unit.");
}

static const char *const run_options[] = {
	"--isolate", "--budget-latency", "--budget-cpu", "--repeat", "--token-file", "--help",
	"--trace", "--format", "--json", "--csv", "--verbose", "--quiet", "--dry-run", NULL,
};

static const char *const suite_options[] = {
	"--isolate", "--repeat", "--token-file", "--help", "--output", "--list",
	"--dry-run", "--quiet", NULL,
};

/**
 * options_is_suite() - check whether a command line is that of icbenchctl suite
 * @options: the command line
 *
 * Return: true for icbenchctl suite; false for icbenchctl run.
 */
bool options_is_suite(const struct options *options)
{
	return !strcmp(options->command, "suite");
}

/* Refuse an unknown option, and suggest the closest option or key. */
static int unknown_option(const struct options *options,
			  const struct args *args)
{
	const char *const *own = options_is_suite(options) ? suite_options :
							     run_options;
	const char *answer = foreign_answer(args->name);
	unsigned int i, n = 0, borrowed;
	const char **names;
	int status;

	if (answer)
		return message_usage("%s: no option %s; %s", options->command,
				     args->name, answer);
	while (own[n])
		n++;
	names = alloc_zero(icb_param_count + n + 1, sizeof(*names));
	memcpy(names, own, n * sizeof(*names));
	borrowed = n;
	for (i = 0; i < icb_param_count; i++)
		names[n++] = alloc_text("--%s", icb_param_table[i].name);
	status = args_unknown(args, options->command, names);
	while (n > borrowed)
		free((char *)names[--n]);
	free(names);
	return status;
}

static int set_load(struct options *options, const struct icb_param *param,
		    const char *value)
{
	struct icb_reason why;

	if (config_set(&options->load, param, value, &why))
		return message_usage(LOAD_PREFIX "%s", why.text);
	return 0;
}

static int refuse_both_sizes(void)
{
	return message_usage("size: set by -a and by --size; accepted: one of them");
}

static int set(struct options *options, const struct icb_param *param,
	       const char *value)
{
	struct icb_reason why;

	if (options->loads)
		return set_load(options, param, value);
	if (param->attr == ICBENCH_A_PARAMS_SIZE && options->all)
		return refuse_both_sizes();
	if (config_add(&options->config, param, value, &why))
		return message_usage("%s", why.text);
	return 0;
}

/* True if @word is a value of the switch @param, and not the next argument. */
static bool is_switch_value(const struct icb_param *param, const char *word)
{
	struct sweep sweep;

	if (!word || sweep_parse(&sweep, param, word, NULL))
		return false;
	sweep_free(&sweep);
	return true;
}

static int take_param(struct options *options, struct args *args,
		      const struct icb_param *param, const char *fixed)
{
	const char *value = fixed;

	if (param->type == ICB_PARAM_BYTES)
		return message_usage("%s: not on the command line; accepted: --token-file FILE",
				     param->name);
	if (!value && config_is_switch(param) && !args->inline_value &&
	    !is_switch_value(param, *args->argv))
		value = "yes";
	if (!value)
		value = args_value(args);
	return value ? set(options, param, value) : STATUS_USAGE;
}

static int take_letter(struct options *options, struct args *args)
{
	const struct icb_param *param;
	unsigned int i;
	bool is_all;
	int status;

	for (i = 0; i < ARRAY_SIZE(letters); i++)
		if (!strcmp(letters[i].name, args->name))
			break;
	if (i == ARRAY_SIZE(letters))
		return unknown_option(options, args);
	param = icb_param_by_name(letters[i].key);
	options->loads = false;
	if (!param)
		return message_usage("%s: %s is not supported by this version",
				     letters[i].name, letters[i].key);
	is_all = !strcmp(args->name, "-a");
	if (is_all && options->all)
		return 0;
	if (is_all && config_find(&options->config, param))
		return refuse_both_sizes();
	status = take_param(options, args, param, letters[i].value);
	options->all |= is_all;
	return status;
}

static int take_token(struct options *options, struct args *args)
{
	const char *value = args_value(args);
	struct icb_reason why;
	struct token token;

	if (!value)
		return STATUS_USAGE;
	if (token_read(&token, value, &why))
		return message_usage("%s", why.text);
	options->token_name = value;
	config_set_secret(&options->config,
			  icb_param_by_attr(ICBENCH_A_PARAMS_TOKEN),
			  token.data, token.len);
	explicit_bzero(&token, sizeof(token));
	return 0;
}

static int take_isolate(struct options *options, struct args *args)
{
	const char *value = args_value(args);
	struct icb_reason why;

	if (!value)
		return STATUS_USAGE;
	if (isolate_parse(&options->isolate, value, &why))
		return message_usage("%s", why.text);
	options->isolates = true;
	return 0;
}

static int take_budget(struct options *options, struct args *args)
{
	const char *key = args->name + 2, *value = args_value(args);
	struct icb_reason why;

	if (!value)
		return STATUS_USAGE;
	if (recipe_budget(&options->budget, key, value, &why))
		return message_usage("%s", why.text);
	return 0;
}

static int take_repeat(struct options *options, struct args *args)
{
	const char *value = args_value(args);
	struct icb_reason why;

	if (!value)
		return STATUS_USAGE;
	if (number_parse_repeat(&options->repeat, value, &why))
		return message_usage("%s", why.text);
	return 0;
}

static int take_format(struct options *options, struct args *args)
{
	const char *value = args_value(args);
	struct icb_reason why;

	if (!value)
		return STATUS_USAGE;
	options->format = print_format(value, &why);
	return options->format ? 0 : message_usage("%s", why.text);
}

static int take_file(const char **name, struct args *args)
{
	*name = args_value(args);
	return *name ? 0 : STATUS_USAGE;
}

static int take_word(struct options *options, struct args *args)
{
	const struct icb_param *peer =
		icb_param_by_attr(ICBENCH_A_PARAMS_PEER);

	if (!options->bench) {
		options->bench = args->word;
		return 0;
	}
	if (config_find(&options->config, peer))
		return args_unknown(args, options->command, NULL);
	options->loads = false;
	return set(options, peer, args->word);
}

static int take_switch(bool *on, const struct args *args)
{
	*on = true;
	return args_no_value(args);
}

static int take_key(struct options *options, struct args *args)
{
	const struct icb_param *param;

	if (args->name[1] != '-')
		return take_letter(options, args);
	param = icb_param_by_name(args->name + 2);
	options->loads = !param && !options_is_suite(options);
	if (options->loads)
		param = load_param(args->name + 2);
	if (!param)
		return unknown_option(options, args);
	return take_param(options, args, param, NULL);
}

static int take_run_option(struct options *options, struct args *args)
{
	if (args_is(args, "--json", NULL))
		return take_file(&options->json_name, args);
	if (args_is(args, "--csv", NULL))
		return take_file(&options->csv_name, args);
	if (args_is(args, "--format", NULL))
		return take_format(options, args);
	if (args_is(args, "--trace", NULL))
		return take_file(&options->trace_name, args);
	if (args_is(args, "--budget-latency", NULL) ||
	    args_is(args, "--budget-cpu", NULL))
		return take_budget(options, args);
	if (args_is(args, "--verbose", "-v"))
		return take_switch(&options->verbose, args);
	if (args_is(args, "--dry-run", NULL))
		return take_switch(&options->dry, args);
	return take_key(options, args);
}

static int take_suite_option(struct options *options, struct args *args)
{
	if (args_is(args, "--output", "-o"))
		return take_file(&options->dir, args);
	if (args_is(args, "--list", NULL) || args_is(args, "--dry-run", NULL))
		return take_switch(&options->list, args);
	return take_key(options, args);
}

static int take_option(struct options *options, struct args *args)
{
	if (args->word)
		return take_word(options, args);
	if (args_is(args, "--isolate", NULL))
		return take_isolate(options, args);
	if (args_is(args, "--repeat", NULL))
		return take_repeat(options, args);
	if (args_is(args, "--token-file", NULL))
		return take_token(options, args);
	if (args_is(args, "--quiet", NULL))
		return take_switch(&options->quiet, args);
	if (args_help(args))
		return take_switch(&options->help, args);
	return options_is_suite(options) ? take_suite_option(options, args) :
					   take_run_option(options, args);
}

static int refuse_nothing(const struct options *options)
{
	char *known;
	int status;

	if (!options_is_suite(options))
		return message_usage("run: no benchmark; see icbenchctl list");
	known = datafile_list(&datafile_suite);
	status = message_usage("suite: no suite given; accepted: %s", known);
	free(known);
	return status;
}

/**
 * options_parse() - parse the command line of icbenchctl run or suite
 * @options: options to fill; empty but for the command, and for the two outputs, which
 *	are OUTPUT_NONE
 * @argv: the whole command line; @options refers to it
 *
 * Return: 0, or STATUS_USAGE after the error has been reported to the user; in either
 * case options_free() them.
 */
int options_parse(struct options *options, char **argv)
{
	struct args args;
	int status;

	options->format = print_format(NULL, NULL);
	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		status = take_option(options, &args);
		if (status || options->help)
			return status;
	}
	if (options->quiet)
		message_quiet();
	if (!options->bench)
		return refuse_nothing(options);
	return 0;
}

/**
 * options_free() - free the options of a command line
 * @options: the options
 */
void options_free(struct options *options)
{
	output_free(&options->json);
	output_free(&options->csv);
	config_free(&options->config);
	config_free(&options->load);
}
