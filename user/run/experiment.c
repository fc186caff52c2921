// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a benchmark: resolves and checks its parameters, does its runs and collects their
 * results. Everything that can be refused is refused before the first run.
 */
#include <stdlib.h>

#include "base/address.h"
#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/message.h"
#include "base/status.h"
#include "experiment.h"
#include "limits.h"
#include "nl/module.h"
#include "nl/nl.h"
#include "plan/knee.h"
#include "plan/load.h"
#include "plan/number.h"
#include "plan/repeat.h"
#include "plan/seed.h"
#include "print/print.h"

/* Replace the host names of a value, a comma-separated list, by their addresses. */
static int resolve_value(struct value *value, struct icb_reason *why)
{
	char address[ICBENCH_MAX_NAME + 1];
	char *all = NULL, *more, *name, *rest = value->text;
	int err = 0;

	while (!err && (name = strsep(&rest, ","))) {
		err = address_resolve("peer", name, address, sizeof(address),
				      why);
		if (err)
			break;
		more = alloc_text("%s%s%s", all ? : "", all ? "," : "",
				  address);
		free(all);
		all = more;
	}
	if (err) {
		free(all);
		return err;
	}
	free(value->text);
	value->len = strlen(all);
	value->text = all;
	return 0;
}

/* The kernel accepts addresses only: host names are resolved here. */
static int resolve_values(struct sweep *sweep, struct icb_reason *why)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < sweep->count && !err; i++)
		err = resolve_value(&sweep->value[i], why);
	return err;
}

static int resolve_config(struct config *config, struct icb_reason *why)
{
	struct sweep *sweep = config_find(config,
				icb_param_by_attr(ICBENCH_A_PARAMS_PEER));

	return sweep ? resolve_values(sweep, why) : 0;
}

static int resolve_peers(struct recipe *recipe, struct icb_reason *why)
{
	const struct icb_param *peer = icb_param_by_attr(ICBENCH_A_PARAMS_PEER);
	struct sections *sections = &recipe->sections;
	unsigned int i;
	int err;

	err = resolve_config(&recipe->config, why);
	if (!err)
		err = resolve_config(&recipe->load, why);
	for (i = 0; !err && i < sections->count; i++)
		err = resolve_config(&sections->section[i].config, why);
	if (!err && recipe->baseline.param == peer)
		err = resolve_values(&recipe->baseline, why);
	return err;
}

/**
 * experiment_plan() - make the list of runs of a benchmark
 * @experiment: experiment with a loaded recipe; experiment_free() it in any case
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int experiment_plan(struct experiment *experiment, struct icb_reason *why)
{
	const struct recipe *recipe = &experiment->recipe;
	int err = resolve_peers(&experiment->recipe, why);

	if (!err)
		err = recipe_plan(recipe, &experiment->plan, why);
	if (!err)
		err = trace_plan(&experiment->trace, &experiment->plan, why);
	if (!err && recipe->isolate != ISOLATE_NO)
		err = isolation_check(&experiment->plan, why);
	return err;
}

/**
 * experiment_fit() - find the keys whose values the devices may limit
 * @given: keys that the user has set; their values are used as given, or refused
 *
 * Return: the set for &experiment.fit.
 */
u64 experiment_fit(const struct config *given)
{
	static const u32 attrs[] = {
		ICBENCH_A_PARAMS_SIZE, ICBENCH_A_PARAMS_MTU,
		ICBENCH_A_PARAMS_SGES, ICBENCH_A_PARAMS_MAX_SGES,
	};
	u64 fit = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attrs); i++)
		if (!config_find(given, icb_param_by_attr(attrs[i])))
			fit |= BIT_ULL(attrs[i]);
	return fit;
}

/**
 * experiment_given() - find the keys that are not set by the recipe alone
 * @given: keys that the user or a suite has set
 *
 * Return: the set for &experiment.given.
 */
u64 experiment_given(const struct config *given)
{
	u64 attrs = 0;
	unsigned int i;

	for (i = 0; i < given->count; i++)
		attrs |= BIT_ULL(given->sweep[i].param->attr);
	return attrs;
}

/*
 * Remove the values above @most, which is the limit of @dev, from the end of a sweep. The
 * first value stays in any case.
 * Return: 1 if values were removed, else 0.
 */
static int cut_config(const struct config *config,
		      const struct icb_param *param, u64 most,
		      const struct nl_dev *dev)
{
	struct sweep *sweep = config_find(config, param);
	unsigned int count;
	char text[24], limit[24];

	if (!sweep)
		return 0;
	count = sweep->count;
	while (count > 1 && sweep->value[count - 1].number > most)
		count--;
	if (count == sweep->count)
		return 0;
	number_print(text, sizeof(text), param->type,
		     sweep->value[count - 1].number);
	number_print(limit, sizeof(limit), param->type, most);
	message_remark("%s: measured up to %s, because %s supports at most %s",
		       param->name, text, dev->name, limit);
	while (sweep->count > count)
		free(sweep->value[--sweep->count].text);
	return 1;
}

static int cut(struct experiment *experiment, u32 attr, u64 most,
	       const struct nl_dev *dev)
{
	const struct icb_param *param = icb_param_by_attr(attr);
	const struct sections *sections = &experiment->recipe.sections;
	int changed;
	unsigned int i;

	if (!(experiment->fit & BIT_ULL(attr)))
		return 0;
	changed = cut_config(&experiment->recipe.config, param, most, dev);
	for (i = 0; i < sections->count; i++)
		changed |= cut_config(&sections->section[i].config, param, most,
				      dev);
	return changed;
}

/**
 * experiment_cut() - remove the values that the devices do not support
 * @experiment: experiment with a plan, which is made again if values are removed
 * @devs: devices of this host
 *
 * The limits are known only once the devices are. A message reports the last value that
 * is left of each shortened sweep. A second call removes and reports nothing.
 *
 * Return: 0; STATUS_SETUP if a requested device is missing, or STATUS_USAGE. The error
 * has been reported to the user.
 */
int experiment_cut(struct experiment *experiment, const struct nl_devs *devs)
{
	struct plan *plan = &experiment->plan;
	const struct nl_dev *dev;
	struct icb_reason why;
	int status, changed;
	u64 most;

	status = limits_check_devices(devs, plan);
	if (status)
		return status;
	most = limits_largest_size(devs, plan, &dev);
	changed = cut(experiment, ICBENCH_A_PARAMS_SIZE, most, dev);
	most = limits_largest_mtu(devs, plan, &dev);
	changed |= cut(experiment, ICBENCH_A_PARAMS_MTU, most, dev);
	most = limits_most_sges(devs, plan, &dev);
	changed |= cut(experiment, ICBENCH_A_PARAMS_SGES, most, dev);
	changed |= cut(experiment, ICBENCH_A_PARAMS_MAX_SGES, most, dev);
	if (!changed)
		return 0;
	plan_free(plan);
	return recipe_plan(&experiment->recipe, plan, &why) ?
		message_usage("%s", why.text) : 0;
}

/* Report a refusal. In a sweep, the message names the refused point. */
static int refuse_point(const struct recipe *recipe, const struct plan *plan,
			unsigned int index, int err,
			const struct icb_reason *why)
{
	char name[120];

	section_point(&recipe->sections, plan, index, name, sizeof(name));
	message("%s%s%s%s", name, *name ? ": " : "", why->text,
		module_hint(err));
	return module_status(err);
}

static int try_load(struct runner *runner, const struct icb_params *load,
		    struct icb_reason *why)
{
	struct icb_reason inner;
	int err = runner_try(runner, load, &inner);

	return err ? icb_refuse(why, err, "load: %s", inner.text) : 0;
}

/* Let the module check all points first, so that a bad last point is refused at once. */
static int check_points(struct runner *runner, const struct recipe *recipe,
			const struct plan *plan)
{
	const struct icb_params *params;
	struct icb_reason why;
	unsigned int i;
	int err;

	for (i = 0; plan->count > 1 && i < plan->count; i++) {
		params = &plan->point[i].params;
		err = runner_try(runner, params, &why);
		if (!err && plan->point[i].beside)
			err = try_load(runner, &plan->point[i].load, &why);
		if (err)
			return refuse_point(recipe, plan, i, err, &why);
		if (runner_interrupted(runner)) {
			message("stopped by %s before the first run",
				interrupt_name());
			return STATUS_FAILED;
		}
	}
	return 0;
}

static void set_reason(struct result *result, const struct point *point,
		       const struct runner *runner)
{
	const struct nl_job *job = &point->job;
	char by[176], of[32] = "";

	if (job->outcome == ICBENCH_OUTCOME_FAILED) {
		snprintf(result->reason, sizeof(result->reason), "%s",
			 *job->reason ? job->reason : strerror(job->err));
		return;
	}
	if (!runner->interrupted && *job->reason)
		snprintf(by, sizeof(by), ", %.172s,", job->reason);
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

static bool has_all_runs(const struct plan *plan, const struct point *point)
{
	return !plan_repeats(plan) || point->runs == plan->repeat;
}

/*
 * Print the points that have all of their runs; with @end also the points that were cut
 * short. The order is that of the plan, in which a baseline precedes the points that are
 * compared with it.
 */
static void show_points(struct experiment *experiment, struct result *result,
			bool end)
{
	struct point *point;

	while (experiment->shown < result->count) {
		point = &result->point[experiment->shown];
		if (!end && !has_all_runs(result->plan, point))
			return;
		repeat_compare(result, experiment->shown++);
		if (experiment->text)
			experiment->format->point(experiment->text, result,
						  point);
	}
}

/* Add a run to the result if it measured anything; else free it. */
static void add_run(struct result *result, unsigned int index,
		    struct point *run)
{
	if (!metrics_any(&run->metrics) || index > result->count) {
		point_clear(run);
		return;
	}
	if (!plan_repeats(result->plan)) {
		*result_add(result) = *run;
		return;
	}
	if (index == result->count)
		result_add(result);
	repeat_add(&result->point[index], run);
}

/*
 * Report that a run ended before its intervals were as narrow as key "until" asks. The
 * run is complete: this is no failure.
 */
static void report_wide_intervals(const struct point *point, const char *name)
{
	const struct metric *metric = metrics_main(&point->metrics);
	char which[24] = "p50 and p99";

	if (!metric || !metric->sought || metric->narrow)
		return;
	if (metric->batch_percentile)
		snprintf(which, sizeof(which), "p%g",
			 metric->batch_percentile * 100.0 / ICB_BOUNDS_WHOLE);
	message_remark("%s%suntil: %llu samples did not bring %s to within %u %%",
		       name, *name ? ": " : "",
		       (unsigned long long)metric->stats.count, which,
		       point->job.params.until);
}

static int refuse_rest(struct result *result, unsigned int index, int err,
		       const struct icb_reason *why)
{
	int status = refuse_point(result->recipe, result->plan, index, err, why);

	/* nothing was measured: there is no result to write */
	if (!result->count)
		return status;
	snprintf(result->reason, sizeof(result->reason), "%s", why->text);
	return STATUS_FAILED;
}

/* Write what identifies a run: its section and varying keys, its load and its number. */
static void name_run(const struct result *result, unsigned int index,
		     unsigned int run, char *buf, size_t size)
{
	const struct plan *plan = result->plan;
	char load[96];
	size_t len;

	len = section_point(&result->recipe->sections, plan, index, buf, size);
	if (plan->loaded && len < size) {
		load_name(plan, index, load, sizeof(load));
		len += snprintf(buf + len, size - len, "%sload:%s",
				len ? " " : "", load);
	}
	if (plan_repeats(plan) && len < size)
		snprintf(buf + len, size - len, "%srun %u of %u",
			 len ? ", " : "", run + 1, plan->repeat);
}

/*
 * Evaluate the repeated run: it shows whether the latency is steady now. @cut is the
 * start-up of the first run. A remaining start-up of the repeated run is not cut off.
 */
static int record_startup(struct point *point, u64 cut)
{
	startup_find(&point->startup, metrics_main(&point->metrics));
	point->startup.cut = cut;
	return 0;
}

/*
 * If an open loop began with a start-up phase, repeat the run with a warm-up that is
 * longer by the operations of that phase. A warm-up that the user or a suite has set is
 * kept.
 */
static int cut_startup(const struct experiment *experiment,
		       struct runner *runner, const struct icb_params *params,
		       struct point *point, struct icb_reason *why)
{
	struct icb_params longer = *params;
	u64 cut;

	if (!experiment->recipe.startup || point->workers ||
	    params->trigger != ICBENCH_TRIGGER_CLOCK ||
	    experiment->given & BIT_ULL(ICBENCH_A_PARAMS_WARMUP) ||
	    point->job.outcome != ICBENCH_OUTCOME_COMPLETE)
		return 0;
	startup_find(&point->startup, metrics_main(&point->metrics));
	cut = point->startup.cut;
	if (!cut || icb_params_set_number(&longer,
					  icb_param_by_attr(ICBENCH_A_PARAMS_WARMUP),
					  params->warmup + cut, why))
		return 0;
	point_clear(point);
	memset(point, 0, sizeof(*point));
	return runner_run(runner, &longer, NULL, point, why) ? :
	       record_startup(point, cut);
}

static int run_point(struct experiment *experiment, struct runner *runner,
		     struct result *result, unsigned int turn)
{
	const unsigned int index = plan_turn(result->plan, turn);
	const struct plan_point *planned = &result->plan->point[index];
	const unsigned int repeat = turn / result->plan->count;
	struct icb_params params = planned->params, load = planned->load;
	struct point point = { 0 };
	struct icb_reason why;
	char name[120];
	int err;

	seed_repeat(&params, planned->beside ? &load : NULL, repeat);
	name_run(result, index, repeat, name, sizeof(name));
	snprintf(runner->progress.name, sizeof(runner->progress.name), "%s",
		 name);
	trace_start(&experiment->trace);
	err = runner_run(runner, &params, planned->beside ? &load : NULL,
			 &point, &why);
	if (!err && !planned->beside)
		err = cut_startup(experiment, runner, &params, &point, &why);
	if (err) {
		point_clear(&point);
		return refuse_rest(result, index, err, &why);
	}
	if (point.job.outcome != ICBENCH_OUTCOME_COMPLETE)
		set_reason(result, &point, runner);
	else if (point.load.id && point.load.outcome != ICBENCH_OUTCOME_STOPPED)
		snprintf(result->reason, sizeof(result->reason),
			 "load: %.200s", *point.load.reason ?
			 point.load.reason : "the load ended before the run");
	if (point.job.outcome == ICBENCH_OUTCOME_COMPLETE)
		report_wide_intervals(&point, name);
	add_run(result, index, &point);
	show_points(experiment, result, false);
	if (!*result->reason)
		return STATUS_DONE;
	trace_keep(&experiment->trace, result, name);
	message("%s%s%s", name, *name ? ": " : "", result->reason);
	return STATUS_FAILED;
}

/* Check the isolation of the CPUs, before any job is created in the module. */
static int check_isolation(const struct experiment *experiment, struct result *result)
{
	const enum isolate isolate = experiment->recipe.isolate;
	unsigned int i;

	if (isolate == ISOLATE_NO)
		return 0;
	isolation_look(&result->isolation, &experiment->plan);
	for (i = 0; i < result->isolation.count; i++)
		message("isolate: %s", result->isolation.finding[i]);
	return isolate == ISOLATE_REQUIRE && result->isolation.blocking ?
		STATUS_SETUP : 0;
}

/* True if the text output has failed (on a closed pipe, say) and is the only output. */
static bool output_failed(const struct experiment *experiment)
{
	return experiment->text && ferror(experiment->text) &&
	       !experiment->has_other_output;
}

/* A recipe's own sweep is refined. A sweep that the user or a suite has set is not. */
static bool refines(const struct experiment *experiment)
{
	const struct recipe *recipe = &experiment->recipe;

	return recipe->refine && recipe->knee &&
	       !(experiment->given & BIT_ULL(recipe->knee->attr));
}

/* Do the runs from number @i on. */
static int run_points(struct experiment *experiment, struct runner *runner,
		      struct result *result, unsigned int i)
{
	int status = 0;

	while (!status && i < plan_runs(result->plan)) {
		/* later passes repeat only the points that the first pass has kept */
		if (i < result->plan->count && refines(experiment) &&
		    knee_is_beyond(result, i)) {
			plan_drop(&experiment->plan, i);
			continue;
		}
		if (runner_interrupted(runner)) {
			snprintf(result->reason, sizeof(result->reason),
				 "stopped by %s after %u of %u %s",
				 interrupt_name(), i, plan_runs(result->plan),
				 plan_repeats(result->plan) ? "runs" : "points");
			message("%s", result->reason);
			status = STATUS_FAILED;
			break;
		}
		status = run_point(experiment, runner, result, i++);
		runner->progress.done++;
		if (output_failed(experiment))
			status = STATUS_FAILED;
	}
	show_points(experiment, result, true);
	return status;
}

/*
 * Add runs between the points of the recipe, to locate the knee of its metric more
 * precisely. A plan that repeats its points is not refined.
 */
static int refine(struct experiment *experiment, struct runner *runner,
		  struct result *result)
{
	const struct recipe *recipe = &experiment->recipe;
	const unsigned int count = result->count;
	struct plan *plan = &experiment->plan;
	unsigned int first, runs;
	int status = 0;

	if (!refines(experiment) || plan_repeats(plan))
		return 0;
	for (first = 0; first < count; first++)
		for (runs = 0; runs < recipe->refine && !status; runs++) {
			if (!knee_refine(plan, result, first))
				break;
			status = run_points(experiment, runner, result,
					    plan->count - 1);
		}
	return status;
}

/**
 * experiment_run() - do the runs of an experiment, one after the other
 * @experiment: experiment with a plan
 * @runner: runner from runner_begin()
 * @result: empty result to fill; result_free() it
 *
 * Return: STATUS_DONE; STATUS_FAILED, with a reason in @result if a run was started;
 * STATUS_USAGE or STATUS_SETUP if the experiment was refused before anything was
 * measured, so that there is no result. The error has been reported to the user.
 */
int experiment_run(struct experiment *experiment, struct runner *runner,
		   struct result *result)
{
	struct plan *plan = &experiment->plan;
	int status;

	result->recipe = &experiment->recipe;
	result->plan = plan;
	result->devs = &runner->devs;
	result->trace = &experiment->trace;
	result->started = time(NULL);
	status = check_isolation(experiment, result);
	if (!status)
		status = experiment_cut(experiment, &runner->devs);
	if (!status)
		status = limits_check_messages(&runner->devs, plan);
	if (!status)
		status = check_points(runner, result->recipe, plan);
	if (!status)
		status = trace_begin(&experiment->trace, nl_port(runner->nl));
	if (status)
		return status;
	/*
	 * for repeated points, show the time until all runs are done; a suite sets its
	 * own total
	 */
	if (!runner->progress.total && plan_repeats(plan))
		runner->progress.total = plan_runs(plan);
	status = run_points(experiment, runner, result, 0);
	return status ? status : refine(experiment, runner, result);
}

/**
 * experiment_free() - free an experiment and end its trace
 * @experiment: the experiment
 */
void experiment_free(struct experiment *experiment)
{
	/* ending a trace takes a moment: the result has been written before */
	trace_end(&experiment->trace);
	plan_free(&experiment->plan);
	recipe_free(&experiment->recipe);
}
