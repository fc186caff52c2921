// SPDX-License-Identifier: GPL-2.0
/*
 * A benchmark from its keys to its results: everything that can be refused is
 * refused before the first run.
 */
#include <stdlib.h>

#include "address.h"
#include "alloc.h"
#include "experiment.h"
#include "interrupt.h"
#include "limits.h"
#include "message.h"
#include "module.h"
#include "number.h"
#include "print.h"
#include "status.h"

/* The kernel knows no names of hosts. */
static int resolve_values(struct sweep *sweep, struct icb_reason *why)
{
	char address[ICBENCH_MAX_NAME + 1];
	struct value *value;
	unsigned int i;
	int err;

	for (i = 0; i < sweep->count; i++) {
		value = &sweep->value[i];
		err = address_resolve("peer", value->text, address,
				      sizeof(address), why);
		if (err)
			return err;
		free(value->text);
		value->len = strlen(address);
		value->text = alloc_copy(address, value->len);
	}
	return 0;
}

static int resolve_peers(struct recipe *recipe, struct icb_reason *why)
{
	const struct icb_param *peer = icb_param_by_attr(ICBENCH_A_PARAMS_PEER);
	struct sweep *sweep = config_find(&recipe->config, peer);
	int err = 0;

	if (sweep)
		err = resolve_values(sweep, why);
	if (!err && recipe->baseline.param == peer)
		err = resolve_values(&recipe->baseline, why);
	return err;
}

static int make_plan(struct experiment *experiment, struct icb_reason *why)
{
	const struct recipe *recipe = &experiment->recipe;

	return plan_make(&experiment->plan, &recipe->config,
			 recipe->baseline.param ? &recipe->baseline : NULL,
			 why);
}

/**
 * experiment_plan() - find out which runs there are
 * @experiment: its recipe is loaded; experiment_free() it in any case
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int experiment_plan(struct experiment *experiment, struct icb_reason *why)
{
	int err = resolve_peers(&experiment->recipe, why);

	return err ? err : make_plan(experiment, why);
}

/* What lies above the most that the device takes is left out. */
static int cut(struct experiment *experiment, u32 attr, u64 most,
	       const struct nl_dev *dev)
{
	const struct icb_param *param = icb_param_by_attr(attr);
	struct sweep *sweep = config_find(&experiment->recipe.config, param);
	unsigned int count;
	char text[24], limit[24];

	if (!(experiment->fit & BIT_ULL(attr)) || !sweep)
		return 0;
	count = sweep->count;
	while (count > 1 && sweep->value[count - 1].number > most)
		count--;
	if (count == sweep->count)
		return 0;
	number_print(text, sizeof(text), param->type,
		     sweep->value[count - 1].number);
	number_print(limit, sizeof(limit), param->type, most);
	message("%s: up to %s, as %s takes no more than %s", param->name, text,
		dev->name, limit);
	while (sweep->count > count)
		free(sweep->value[--sweep->count].text);
	return 1;
}

/* "As far as the device can" is known when there are devices to ask. */
static int fit(struct experiment *experiment, const struct nl_devs *devs)
{
	struct plan *plan = &experiment->plan;
	const struct nl_dev *dev;
	struct icb_reason why;
	int changed;
	u64 most;

	most = limits_largest_size(devs, plan, &dev);
	changed = cut(experiment, ICBENCH_A_PARAMS_SIZE, most, dev);
	most = limits_largest_mtu(devs, plan, &dev);
	changed |= cut(experiment, ICBENCH_A_PARAMS_MTU, most, dev);
	most = limits_most_sges(devs, plan, &dev);
	changed |= cut(experiment, ICBENCH_A_PARAMS_MAX_SGES, most, dev);
	if (!changed)
		return 0;
	plan_free(plan);
	return make_plan(experiment, &why) ? message_usage("%s", why.text) : 0;
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
		if (runner_interrupted(runner)) {
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

/* Take the point into the result, if it has got anywhere. */
static void keep_point(struct result *result, struct point *point, FILE *text)
{
	if (!metrics_any(&point->metrics)) {
		metrics_free(&point->metrics);
		return;
	}
	*result_add(result) = *point;
	result_compare(result, result->count - 1);
	if (text)
		print_text_point(text, result,
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
		     unsigned int index, FILE *text)
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
	keep_point(result, &point, text);
	if (!*result->reason)
		return STATUS_DONE;
	message("%s%s%s", name, *name ? ": " : "", result->reason);
	return STATUS_FAILED;
}

/* Nobody reads any more: what for? */
static bool is_in_vain(const struct experiment *experiment)
{
	return experiment->text && ferror(experiment->text) &&
	       !experiment->aside;
}

static int run_points(struct experiment *experiment, struct runner *runner,
		      struct result *result)
{
	unsigned int i;
	int status = 0;

	for (i = 0; !status && i < result->plan->count; i++) {
		if (runner_interrupted(runner)) {
			snprintf(result->reason, sizeof(result->reason),
				 "stopped by %s after %u of %u points",
				 interrupt_name(), i, result->plan->count);
			message("%s", result->reason);
			return STATUS_FAILED;
		}
		status = run_point(runner, result, i, experiment->text);
		runner->progress.done++;
		if (is_in_vain(experiment))
			return STATUS_FAILED;
	}
	return status;
}

/**
 * experiment_run() - do the runs, one after the other
 * @experiment: with a plan
 * @runner: with what, from runner_begin()
 * @result: where to, empty; result_free() it
 *
 * Return: STATUS_DONE; STATUS_FAILED, with a reason in @result if it got as far
 * as a run; STATUS_USAGE or STATUS_SETUP if it was refused before anything was
 * measured, so that there is no result. The user has been told.
 */
int experiment_run(struct experiment *experiment, struct runner *runner,
		   struct result *result)
{
	struct plan *plan = &experiment->plan;
	int status;

	result->recipe = &experiment->recipe;
	result->plan = plan;
	result->devs = &runner->devs;
	result->started = time(NULL);
	status = limits_check_devices(&runner->devs, plan);
	if (!status)
		status = fit(experiment, &runner->devs);
	if (!status)
		status = limits_check_messages(&runner->devs, plan);
	if (!status)
		status = try_points(runner, plan);
	return status ? status : run_points(experiment, runner, result);
}

/**
 * experiment_free() - free an experiment
 * @experiment: which
 */
void experiment_free(struct experiment *experiment)
{
	plan_free(&experiment->plan);
	recipe_free(&experiment->recipe);
}
