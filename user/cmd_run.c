// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "address.h"
#include "alloc.h"
#include "commands.h"
#include "interrupt.h"
#include "limits.h"
#include "message.h"
#include "module.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "runner.h"
#include "status.h"

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

/* The kernel knows no names of hosts. */
static int resolve_values(struct sweep *sweep)
{
	char address[ICBENCH_MAX_NAME + 1];
	struct icb_reason why;
	struct value *value;
	unsigned int i;

	for (i = 0; i < sweep->count; i++) {
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

static int resolve_peers(struct recipe *recipe)
{
	const struct icb_param *peer = icb_param_by_attr(ICBENCH_A_PARAMS_PEER);
	struct sweep *sweep = config_find(&recipe->config, peer);
	int status = 0;

	if (sweep)
		status = resolve_values(sweep);
	if (!status && recipe->baseline.param == peer)
		status = resolve_values(&recipe->baseline);
	return status;
}

static int make_plan(struct plan *plan, const struct recipe *recipe)
{
	struct icb_reason why;

	if (plan_make(plan, &recipe->config,
		      recipe->baseline.param ? &recipe->baseline : NULL, &why))
		return message_usage("%s", why.text);
	return 0;
}

/* Cut rising values where they are too many; whether there were such. */
static bool cut_values(struct sweep *sweep, u64 most)
{
	unsigned int count = sweep->count;

	while (count > 1 && sweep->value[count - 1].number > most)
		count--;
	if (count == sweep->count)
		return false;
	sweep->count = count;
	return true;
}

/* "All sizes" end where the devices' do. */
static int limit_sizes(struct plan *plan, struct recipe *recipe,
		       const struct nl_devs *devs)
{
	struct sweep *sizes =
		config_find(&recipe->config,
			    icb_param_by_attr(ICBENCH_A_PARAMS_SIZE));
	const struct nl_dev *dev;
	char text[24];

	if (!cut_values(sizes, limits_largest_size(devs, plan, &dev)))
		return 0;
	number_print(text, sizeof(text), ICB_PARAM_SIZE,
		     sizes->value[sizes->count - 1].number);
	message("-a: sizes up to %s, as %s takes no larger ones", text,
		dev->name);
	plan_free(plan);
	return make_plan(plan, recipe);
}

static struct sweep *find_max_sges(const struct config *config)
{
	return config_find(config,
			   icb_param_by_attr(ICBENCH_A_PARAMS_MAX_SGES));
}

/* And so do the SGEs that a recipe goes through, and nobody asked for. */
static int limit_sges(struct plan *plan, struct recipe *recipe,
		      const struct nl_devs *devs)
{
	struct sweep *sges = find_max_sges(&recipe->config);
	const struct nl_dev *dev;
	u32 most;

	if (!sges)
		return 0;
	most = limits_most_sges(devs, plan, &dev);
	if (!cut_values(sges, most))
		return 0;
	message("max-sges: up to %llu, as %s takes no more than %u",
		(unsigned long long)sges->value[sges->count - 1].number,
		dev->name, most);
	plan_free(plan);
	return make_plan(plan, recipe);
}

/* A refusal in a sweep says which of its points. */
static int refuse_point(const struct plan *plan,
			const struct icb_params *params, int err,
			const struct icb_reason *why)
{
	char name[120];

	plan_name(plan, params, name, sizeof(name));
	message("%s%s%s", name, *name ? ": " : "", why->text);
	return module_status(err);
}

/* Better to hear of the last point now than when all others have run. */
static int try_points(struct runner *runner, const struct plan *plan)
{
	const struct icb_params *params;
	struct nl *nl = runner->nl;
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
		if (interrupt_take(runner->signals)) {
			message("stopped by %s before the first run",
				interrupt_name());
			return STATUS_FAILED;
		}
	}
	return 0;
}

static void tell_reason(struct result *result, const struct point *point,
			const struct runner *runner)
{
	const struct nl_job *job = &point->job;
	char by[136], of[32] = "";

	if (job->outcome == ICBENCH_OUTCOME_FAILED) {
		snprintf(result->reason, sizeof(result->reason), "%s",
			 *job->reason ? job->reason : strerror(job->err));
		return;
	}
	if (!runner->interrupted && *job->reason)
		snprintf(by, sizeof(by), ", %.120s,", job->reason);
	else
		snprintf(by, sizeof(by), " by %s", runner->interrupted ?
			 interrupt_name() : "request");
	if (NL_HAS(job, ICBENCH_A_JOB_TOTAL))
		snprintf(of, sizeof(of), " of %llu",
			 (unsigned long long)job->total);
	snprintf(result->reason, sizeof(result->reason),
		 "stopped%s after %llu%s operations", by,
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
	if (!metrics_any(&point->metrics)) {
		metrics_free(&point->metrics);
		return;
	}
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

	runner->signals = interrupt_open();
	err = nl_dev_list(runner->nl, devs, &why);
	if (err)
		return module_refused(err, &why);
	status = limits_check_devices(devs, plan);
	if (!status && options->all)
		status = limit_sizes(plan, recipe, devs);
	if (!status && !options->sges)
		status = limit_sges(plan, recipe, devs);
	if (!status)
		status = limits_check_messages(devs, plan);
	if (!status)
		status = try_points(runner, plan);
	if (status)
		return status;
	err = nl_events_open(runner->nl, &why);
	if (err)
		return module_refused(err, &why);
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
	int status;

	runner.nl = module_open();
	if (!runner.nl)
		return STATUS_SETUP;
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
		options->sges = find_max_sges(&options->config);
		config_override(&recipe.config, &options->config);
		status = resolve_peers(&recipe);
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

	status = options_parse(&options, argv);
	if (!status && options.help)
		options_help();
	else if (!status)
		status = prepare_and_run(&options, argv);
	options_free(&options);
	return status;
}
