// SPDX-License-Identifier: GPL-2.0
#include "base/message.h"
#include "base/status.h"
#include "commands.h"
#include "print/print.h"
#include "run/dry.h"
#include "run/experiment.h"
#include "run/options.h"

static int check_output(struct output *output, const char *name)
{
	struct icb_reason why;

	if (name && output_check(output, name, &why))
		return message_usage("%s", why.text);
	return 0;
}

static int check_outputs(struct options *options)
{
	const char *json, *csv;
	int status;

	status = check_output(&options->json, options->json_name);
	if (!status)
		status = check_output(&options->csv, options->csv_name);
	if (!status && options->json.is_stdout && options->csv.is_stdout)
		status = message_usage("--json and --csv: both to standard output; accepted: one");
	json = options->json.target;
	csv = options->csv.target;
	if (!status && json && csv && !strcmp(json, csv))
		status = message_usage("--json and --csv: both to %s; accepted: two files",
				       json);
	return status;
}

/* With --quiet, a result in JSON or CSV is not printed as text, too. */
static bool is_text(const struct options *options)
{
	if (options->quiet && (options->json_name || options->csv_name))
		return false;
	return !options->json.is_stdout && !options->csv.is_stdout;
}

static bool is_same(const struct output *output, const struct output *other)
{
	return output->target && other->target &&
	       !strcmp(output->target, other->target);
}

/* Refuse one file for the trace and a result; trace_begin() reports other errors. */
static int check_trace(const struct options *options, const struct trace *trace)
{
	struct output output = OUTPUT_NONE;
	struct icb_reason why;
	int status = 0;

	if (trace->wanted && !output_check(&output, trace->name, &why) &&
	    (is_same(&output, &options->json) ||
	     is_same(&output, &options->csv)))
		status = message_usage("--trace and the result: both to %s; accepted: two files",
				       output.target);
	output_free(&output);
	return status;
}

static void write_json(FILE *f, const void *result)
{
	print_json(f, result);
}

static void write_csv(FILE *f, const void *result)
{
	print_csv(f, result);
}

/* Write to all outputs, even if one of them fails. */
static int write_result(struct options *options, const struct result *result,
			int status)
{
	int json, csv;

	if (is_text(options) && result->count)
		options->format->end(stdout, result, options->verbose);
	json = output_write(&options->json, write_json, result);
	csv = output_write(&options->csv, write_csv, result);
	if (status)
		return status;
	return json ? json : csv;
}

static int run(struct options *options, struct experiment *experiment,
	       struct runner *runner, struct result *result)
{
	int status;

	if (is_text(options))
		experiment->text = stdout;
	experiment->format = options->format;
	experiment->has_other_output = options->json_name || options->csv_name;
	if (options->all)
		experiment->fit |= BIT_ULL(ICBENCH_A_PARAMS_SIZE);
	status = experiment_run(experiment, runner, result);
	/* refused before the first run: there is no result */
	if (status && !*result->reason)
		return status;
	return write_result(options, result, status);
}

static int connect_and_run(struct options *options,
			   struct experiment *experiment, char **argv)
{
	struct result result = { .argv = argv };
	struct runner runner = { 0 };
	int status;

	status = runner_begin(&runner);
	if (!status)
		status = run(options, experiment, &runner, &result);
	runner_end(&runner);
	result_free(&result);
	return status;
}

static int prepare_and_run(struct options *options, char **argv)
{
	struct experiment experiment = { 0 };
	struct recipe *recipe = &experiment.recipe;
	struct icb_reason why;
	int err, status;

	err = recipe_load(recipe, options->bench, &why);
	experiment.fit = experiment_fit(&options->config);
	experiment.given = experiment_given(&options->config);
	if (!err) {
		config_override(&recipe->load, &options->load);
		if (options->isolates)
			recipe->isolate = options->isolate;
		if (options->budget.latency)
			recipe->budget.latency = options->budget.latency;
		if (options->budget.cpu)
			recipe->budget.cpu = options->budget.cpu;
		if (options->repeat)
			recipe->repeat = options->repeat;
		err = recipe_override(recipe, &options->config, &why);
	}
	if (!err)
		err = trace_name(&experiment.trace, options->trace_name, &why);
	if (!err)
		err = experiment_plan(&experiment, &why);
	status = err ? message_usage("%s", why.text) : check_outputs(options);
	if (!status)
		status = check_trace(options, &experiment.trace);
	if (!status && options->dry)
		dry_run(&experiment);
	else if (!status)
		status = connect_and_run(options, &experiment, argv);
	experiment_free(&experiment);
	return status;
}

int cmd_run(char **argv)
{
	struct options options = { .json = OUTPUT_NONE, .csv = OUTPUT_NONE,
		.command = "run" };
	int status;

	status = options_parse(&options, argv);
	if (!status && options.help)
		options_help();
	else if (!status)
		status = prepare_and_run(&options, argv);
	options_free(&options);
	return status;
}
