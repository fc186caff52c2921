// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <unistd.h>

#include "address.h"
#include "alloc.h"
#include "args.h"
#include "commands.h"
#include "interrupt.h"
#include "message.h"
#include "number.h"
#include "output.h"
#include "print.h"
#include "runner.h"
#include "status.h"
#include "text.h"
#include "token.h"
#include "verbs_table.h"

#define ALL_SIZES	"2..8M"

/* Letters that people know from perftest; @value where they take none. */
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

/**
 * struct options - what the command line says
 * @bench: the benchmark
 * @config: its keys
 * @json: where the result goes in JSON
 * @csv: where it goes in CSV
 * @json_name: the same, before it is looked at
 * @csv_name: the same
 * @all: whether the sizes are "all" there are, as far as the device can
 * @verbose: whether to show what a sweep leaves out
 * @help: whether to help, and to do nothing else
 */
struct options {
	const char *bench;
	struct config config;
	struct output json;
	struct output csv;
	const char *json_name;
	const char *csv_name;
	bool all;
	bool verbose;
	bool help;
};

static const char *param_values(const struct icb_param *param, char *buf,
				size_t size)
{
	static const char *const kinds[] = {
		[ICB_PARAM_COUNT] = "N",
		[ICB_PARAM_SIZE] = "SIZE",
		[ICB_PARAM_TIME] = "TIME",
		[ICB_PARAM_STRING] = "NAME",
	};
	size_t len = 0;
	unsigned int i;

	if (param->type != ICB_PARAM_WORD)
		return kinds[param->type];
	for (i = 0; param->words[i] && len < size; i++)
		len += snprintf(buf + len, size - len, "%s%s", i ? "|" : "",
				param->words[i]);
	return buf;
}

static const char *param_letter(const struct icb_param *param)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(letters); i++)
		if (!letters[i].value && !strcmp(letters[i].key, param->name))
			return letters[i].name;
	return NULL;
}

static void help(void)
{
	const struct icb_param *param;
	char values[96], left[160];
	const char *letter;
	unsigned int i;

	puts("usage: icbenchctl run BENCH|RECIPE.icb [PEER] [--KEY VALUE ...]\n"
	     "                      [--json FILE|-] [--csv FILE|-]\n"
	     "\n"
	     "Run a benchmark: on this host, or with PEER, where icbenchctl serve runs.\n"
	     "\n"
	     "Keys (those with a * take lists A,B,C and ranges LOW..HIGH, which double,\n"
	     "and LOW..HIGH+STEP; several lists make every combination):\n");
	for (i = 0; i < icb_param_count; i++) {
		param = &icb_param_table[i];
		if (param->type == ICB_PARAM_BYTES)
			continue;
		letter = param_letter(param);
		snprintf(left, sizeof(left), "%s%s--%s %s",
			 letter ? letter : "", letter ? ", " : "    ",
			 param->name, param_values(param, values,
						   sizeof(values)));
		printf("  %-38s%s %s%s\n", left,
		       param->flags & ICB_PARAM_SWEEP ? "*" : " ",
		       strlen(left) > 38 ?
				"\n                                          " :
				"", param->help);
	}
	puts("  -e                                      completion block\n"
	     "  -a                                      all sizes, " ALL_SIZES
	     ", as far as the device can\n"
	     "\n"
	     "  --token-file FILE                       secret that the peer asks for, 8 to 64 bytes\n"
	     "  --json FILE                             write the result in JSON; - for standard output\n"
	     "  --csv FILE                              write the result in CSV; - for standard output\n"
	     "  -v, --verbose                           also the cost of each call, for a sweep\n"
	     "\n"
	     "Sizes take K, M, G; times ns, us, ms, s, and are seconds without.");
}

static const char *const own_options[] = {
	"--token-file", "--json", "--csv", "--verbose", "--help",
};

/* "--" and the name of each key, and the other options, ending in NULL */
static int unknown_option(const struct args *args)
{
	const char **names;
	unsigned int i, n = 0;
	int status;

	names = alloc_zero(icb_param_count + ARRAY_SIZE(own_options) + 1,
			   sizeof(*names));
	for (i = 0; i < ARRAY_SIZE(own_options); i++)
		names[n++] = own_options[i];
	for (i = 0; i < icb_param_count; i++)
		names[n++] = alloc_text("--%s", icb_param_table[i].name);
	status = args_unknown(args, "run", names);
	while (n > ARRAY_SIZE(own_options))
		free((char *)names[--n]);
	free(names);
	return status;
}

static int set(struct options *options, const struct icb_param *param,
	       const char *value)
{
	struct icb_reason why;

	if (param->attr == ICBENCH_A_PARAMS_SIZE)
		options->all = false;
	if (param->attr == ICBENCH_A_PARAMS_PEER &&
	    config_find(&options->config, param))
		return message_usage("peer: given twice; accepted: one, or a list A,B");
	if (config_set(&options->config, param, value, &why))
		return message_usage("%s", why.text);
	return 0;
}

/* Whether a word is the value of a switch, and not what comes after it. */
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
	int status;

	for (i = 0; i < ARRAY_SIZE(letters); i++)
		if (!strcmp(letters[i].name, args->name))
			break;
	if (i == ARRAY_SIZE(letters))
		return unknown_option(args);
	param = icb_param_by_name(letters[i].key);
	if (!param)
		return message_usage("%s: %s is not supported by this version",
				     letters[i].name, letters[i].key);
	status = take_param(options, args, param, letters[i].value);
	if (!strcmp(args->name, "-a"))
		options->all = true;
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
	config_set_secret(&options->config,
			  icb_param_by_attr(ICBENCH_A_PARAMS_TOKEN),
			  token.data, token.len);
	return 0;
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
		return args_unknown(args, "run", NULL);
	return set(options, peer, args->word);
}

static int take_option(struct options *options, struct args *args)
{
	const struct icb_param *param;

	if (args->word)
		return take_word(options, args);
	if (args_is(args, "--json", NULL))
		return take_file(&options->json_name, args);
	if (args_is(args, "--csv", NULL))
		return take_file(&options->csv_name, args);
	if (args_is(args, "--token-file", NULL))
		return take_token(options, args);
	if (args_is(args, "--verbose", "-v")) {
		options->verbose = true;
		return args_no_value(args);
	}
	if (args_help(args)) {
		options->help = true;
		return args_no_value(args);
	}
	if (args->name[1] != '-')
		return take_letter(options, args);
	param = icb_param_by_name(args->name + 2);
	if (!param)
		return unknown_option(args);
	return take_param(options, args, param, NULL);
}

static int parse(struct options *options, char **argv)
{
	struct args args;
	int status;

	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		status = take_option(options, &args);
		if (status || options->help)
			return status;
	}
	if (!options->bench)
		return message_usage("run: which benchmark? icbenchctl list shows them");
	return 0;
}

static int check_output(struct output *output, const char *name)
{
	struct icb_reason why;

	if (name && output_check(output, name, &why))
		return message_usage("%s", why.text);
	return 0;
}

static int check_outputs(struct options *options)
{
	int status;

	if (options->json_name && options->csv_name &&
	    !strcmp(options->json_name, options->csv_name))
		return message_usage("--json and --csv: both to %s; accepted: two files",
				     options->json_name);
	status = check_output(&options->json, options->json_name);
	if (!status)
		status = check_output(&options->csv, options->csv_name);
	if (!status && options->json.is_stdout && options->csv.is_stdout)
		status = message_usage("--json and --csv: both to standard output; accepted: one");
	return status;
}

/* The kernel knows no names of hosts. */
static int resolve_peers(struct config *config)
{
	struct sweep *sweep =
		config_find(config, icb_param_by_attr(ICBENCH_A_PARAMS_PEER));
	char address[ICBENCH_MAX_NAME + 1];
	struct icb_reason why;
	struct value *value;
	unsigned int i;

	for (i = 0; sweep && i < sweep->count; i++) {
		value = &sweep->value[i];
		if (address_resolve("peer", value->text, address,
				    sizeof(address), &why))
			return message_usage("%s", why.text);
		free(value->text);
		value->len = strlen(address);
		value->text = alloc_copy(address, value->len);
	}
	return 0;
}

static int make_plan(struct plan *plan, const struct recipe *recipe)
{
	struct icb_reason why;

	if (plan_make(plan, &recipe->config,
		      recipe->baseline.param ? &recipe->baseline : NULL, &why))
		return message_usage("%s", why.text);
	return 0;
}

static bool is_active(const struct nl_dev *dev)
{
	return !strcmp(dev->state, "ACTIVE") && dev->gids;
}

/* The device of a run, as far as one can tell before it. */
static const struct nl_dev *likely_device(const struct nl_devs *devs,
					  const struct icb_params *params)
{
	const struct nl_dev *dev;
	unsigned int i;

	for (i = 0; i < devs->count; i++) {
		dev = &devs->dev[i];
		if (icb_params_has(params, ICBENCH_A_PARAMS_DEVICE) ?
				!strcmp(dev->name, params->device) :
				is_active(dev))
			return dev;
	}
	return NULL;
}

/* The largest message of a device; 0 where it does not say. */
static u64 largest_message(const struct nl_dev *dev,
			   const struct icb_params *params)
{
	u64 size = dev->max_msg_size;

	if (icb_verb_of(params)->remote && dev->max_mr_size &&
	    (!size || dev->max_mr_size < size))
		size = dev->max_mr_size;
	return size;
}

/* "All sizes" end where the device's do. */
static int limit_sizes(struct plan *plan, struct recipe *recipe,
		       const struct nl_devs *devs)
{
	struct sweep *sizes =
		config_find(&recipe->config,
			    icb_param_by_attr(ICBENCH_A_PARAMS_SIZE));
	const struct nl_dev *dev, *least_dev = NULL;
	u64 least = U64_MAX, size;
	char text[24];
	unsigned int i;

	for (i = 0; i < plan->count; i++) {
		dev = likely_device(devs, &plan->point[i].params);
		size = dev ? largest_message(dev, &plan->point[i].params) : 0;
		if (size && size < least) {
			least = size;
			least_dev = dev;
		}
	}
	for (i = sizes->count; i > 1 && sizes->value[i - 1].number > least;)
		i--;
	if (i == sizes->count)
		return 0;
	number_print(text, sizeof(text), ICB_PARAM_SIZE,
		     sizes->value[i - 1].number);
	message("-a: sizes up to %s, as %s takes no larger ones", text,
		least_dev->name);
	sizes->count = i;
	plan_free(plan);
	return make_plan(plan, recipe);
}

static int refuse_device(const struct nl_devs *devs,
			 const struct icb_params *params)
{
	char names[128] = "";
	size_t len = 0;
	unsigned int i;

	if (!devs->count) {
		message("no RDMA device; make one: rdma link add rxe0 type rxe netdev IFACE");
		return STATUS_SETUP;
	}
	for (i = 0; i < devs->count && len < sizeof(names); i++)
		if (!i || strcmp(devs->dev[i - 1].name, devs->dev[i].name))
			len += snprintf(names + len, sizeof(names) - len,
					"%s%s", len ? ", " : "",
					devs->dev[i].name);
	message("device: no RDMA device \"%s\"; there is: %s", params->device,
		names);
	return STATUS_SETUP;
}

static int check_devices(const struct nl_devs *devs, const struct plan *plan)
{
	const struct icb_params *params;
	unsigned int i;

	if (!devs->count)
		return refuse_device(devs, NULL);
	for (i = 0; i < plan->count; i++) {
		params = &plan->point[i].params;
		if (icb_params_has(params, ICBENCH_A_PARAMS_DEVICE) &&
		    !likely_device(devs, params))
			return refuse_device(devs, params);
	}
	return 0;
}

/* A refusal in a sweep says which of its points. */
static int refuse_point(const struct plan *plan,
			const struct icb_params *params, int err,
			const struct icb_reason *why)
{
	char name[120];

	plan_name(plan, params, name, sizeof(name));
	message("%s%s%s", name, *name ? ": " : "", why->text);
	return nl_status(err);
}

/* Better to hear of the last point now than when all others have run. */
static int try_points(struct nl *nl, const struct plan *plan)
{
	const struct icb_params *params;
	struct icb_reason why;
	unsigned int i;
	u32 id;
	int err;

	for (i = 0; plan->count > 1 && i < plan->count; i++) {
		params = &plan->point[i].params;
		err = nl_job_new(nl, params, &id, &why);
		if (!err)
			err = nl_job_del(nl, id, &why);
		if (err)
			return refuse_point(plan, params, err, &why);
	}
	return 0;
}

static void tell_reason(struct result *result, const struct point *point,
			const struct runner *runner)
{
	const struct nl_job *job = &point->job;
	char by[NL_TEXT_MAX], of[32] = "";

	if (job->outcome == ICBENCH_OUTCOME_FAILED) {
		snprintf(result->reason, sizeof(result->reason), "%s",
			 *job->reason ? job->reason : strerror(job->err));
		return;
	}
	snprintf(by, sizeof(by), "%s", runner->interrupted ?
		 interrupt_name() : *job->reason ? job->reason : "request");
	if (NL_HAS(job, ICBENCH_A_JOB_TOTAL))
		snprintf(of, sizeof(of), " of %llu",
			 (unsigned long long)job->total);
	snprintf(result->reason, sizeof(result->reason),
		 "stopped by %.120s after %llu%s operations", by,
		 (unsigned long long)job->done, of);
}

static bool is_text(const struct options *options)
{
	return !options->json.is_stdout && !options->csv.is_stdout;
}

/* Take the point into the result, if it has got anywhere. */
static void keep_point(struct result *result, struct point *point,
		       const struct options *options)
{
	if (!point->metrics.count)
		return;
	*result_add(result) = *point;
	result_compare(result, result->count - 1);
	if (is_text(options))
		print_text_point(stdout, result,
				 &result->point[result->count - 1]);
}

static int refuse_rest(struct result *result, const struct icb_params *params,
		       int err, const struct icb_reason *why)
{
	int status = refuse_point(result->plan, params, err, why);

	snprintf(result->reason, sizeof(result->reason), "%s", why->text);
	/* with something measured, it is a run that was cut short */
	return result->count ? STATUS_FAILED : status;
}

static int run_point(struct runner *runner, struct result *result,
		     unsigned int index, const struct options *options)
{
	const struct icb_params *params = &result->plan->point[index].params;
	struct point point = { 0 };
	struct icb_reason why;
	char name[120];
	int err;

	plan_name(result->plan, params, name, sizeof(name));
	snprintf(runner->progress.name, sizeof(runner->progress.name), "%s",
		 name);
	err = runner_run(runner, params, &point, &why);
	if (err) {
		metrics_free(&point.metrics);
		return refuse_rest(result, params, err, &why);
	}
	if (point.job.outcome != ICBENCH_OUTCOME_COMPLETE)
		tell_reason(result, &point, runner);
	keep_point(result, &point, options);
	if (!*result->reason)
		return STATUS_DONE;
	message("%s%s%s", name, *name ? ": " : "", result->reason);
	return STATUS_FAILED;
}

/* Nobody reads any more: what for? */
static bool is_in_vain(const struct options *options)
{
	return ferror(stdout) && !options->json_name && !options->csv_name;
}

static int run_points(struct runner *runner, struct result *result,
		      const struct options *options)
{
	unsigned int i;
	int status = 0;

	for (i = 0; !status && i < result->plan->count; i++) {
		if (runner->interrupted || interrupt_take(runner->signals)) {
			snprintf(result->reason, sizeof(result->reason),
				 "stopped by %s after %u of %u points",
				 interrupt_name(), i, result->plan->count);
			message("%s", result->reason);
			return STATUS_FAILED;
		}
		status = run_point(runner, result, i, options);
		if (is_in_vain(options))
			return STATUS_FAILED;
	}
	return status;
}

static int write_file(struct output *output, const struct result *result,
		      void (*print)(FILE *f, const struct result *result))
{
	struct icb_reason why;
	FILE *f;

	if (!output->name)
		return 0;
	f = output_begin(output, &why);
	if (f) {
		print(f, result);
		if (!output_end(output, f, &why))
			return 0;
	}
	message("%s", why.text);
	return STATUS_FAILED;
}

/* A result that cannot be written here may be written there. */
static int write_result(struct options *options, const struct result *result,
			int status)
{
	int json, csv;

	if (is_text(options) && result->count)
		print_text_end(stdout, result, options->verbose);
	json = write_file(&options->json, result, print_json);
	csv = write_file(&options->csv, result, print_csv);
	if (status)
		return status;
	return json ? json : csv;
}

/* With the module: everything that can be refused is refused before a run. */
static int run(struct options *options, struct recipe *recipe,
	       struct result *result, struct plan *plan, struct nl_devs *devs,
	       struct runner *runner)
{
	struct icb_reason why;
	int err, status;

	err = nl_dev_list(runner->nl, devs, &why);
	if (err) {
		message("%s", why.text);
		return nl_status(err);
	}
	status = check_devices(devs, plan);
	if (!status && options->all)
		status = limit_sizes(plan, recipe, devs);
	if (!status)
		status = try_points(runner->nl, plan);
	if (status)
		return status;
	err = nl_events_open(runner->nl, &why);
	if (err) {
		message("%s", why.text);
		return nl_status(err);
	}
	runner->signals = interrupt_open();
	progress_begin(&runner->progress);
	status = run_points(runner, result, options);
	/* refused before anything was done: there is no result */
	if (status == STATUS_USAGE || status == STATUS_SETUP)
		return status;
	return write_result(options, result, status);
}

static int connect_and_run(struct options *options, struct recipe *recipe,
			   struct plan *plan, char **argv)
{
	struct nl_devs devs = { 0 };
	struct result result = {
		.recipe = recipe,
		.plan = plan,
		.devs = &devs,
		.argv = argv,
		.started = time(NULL),
	};
	struct runner runner = { 0 };
	struct icb_reason why;
	int status;

	runner.nl = nl_begin(&why);
	if (!runner.nl) {
		message("%s", why.text);
		return STATUS_SETUP;
	}
	status = run(options, recipe, &result, plan, &devs, &runner);
	nl_end(runner.nl);
	result_free(&result);
	nl_devs_free(&devs);
	return status;
}

static int prepare_and_run(struct options *options, char **argv)
{
	struct recipe recipe;
	struct plan plan = { 0 };
	struct icb_reason why;
	int status;

	if (recipe_load(&recipe, options->bench, &why)) {
		status = message_usage("%s", why.text);
	} else {
		config_override(&recipe.config, &options->config);
		status = resolve_peers(&recipe.config);
		if (!status)
			status = make_plan(&plan, &recipe);
		if (!status)
			status = check_outputs(options);
		if (!status)
			status = connect_and_run(options, &recipe, &plan, argv);
	}
	plan_free(&plan);
	recipe_free(&recipe);
	return status;
}

int cmd_run(char **argv)
{
	struct options options = { .json = OUTPUT_NONE, .csv = OUTPUT_NONE };
	int status;

	status = parse(&options, argv);
	if (!status && options.help)
		help();
	else if (!status)
		status = prepare_and_run(&options, argv);
	output_free(&options.json);
	output_free(&options.csv);
	config_free(&options.config);
	return status;
}
