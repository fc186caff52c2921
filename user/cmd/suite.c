// SPDX-License-Identifier: GPL-2.0
/*
 * icbenchctl suite: run the experiments of a suite, each with a result file of its own.
 * Errors in the files and on the command line are refused before the first run. After
 * that, the other experiments are still run if one of them fails.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/message.h"
#include "base/now.h"
#include "base/status.h"
#include "commands.h"
#include "plan/saved.h"
#include "plan/suite.h"
#include "print/print.h"
#include "run/experiment.h"
#include "run/options.h"

#define REASON_LEN	120

/**
 * enum state - outcome of an experiment
 * @STATE_NONE: not run, because the suite ended before
 * @STATE_SAVED: not run, because a complete result was saved before
 * @STATE_DONE: run, with a complete result
 * @STATE_PARTIAL: run, with an incomplete result
 * @STATE_FAILED: run, without a result
 */
enum state {
	STATE_NONE,
	STATE_SAVED,
	STATE_DONE,
	STATE_PARTIAL,
	STATE_FAILED,
};

static const char *const state_words[] = {
	[STATE_NONE] = "not run",
	[STATE_SAVED] = "saved",
	[STATE_DONE] = "done",
	[STATE_PARTIAL] = "PARTIAL",
	[STATE_FAILED] = "FAILED",
};

/**
 * struct task - an experiment of a suite and its outcome
 * @experiment: the experiment
 * @argv: equivalent icbenchctl run command, ending in NULL; allocated
 * @args: number of entries in @argv
 * @path: path of the result file, allocated
 * @state: outcome of the experiment
 * @seconds: duration of the experiment, s
 * @reason: reason why the result is partial or missing
 */
struct task {
	struct experiment experiment;
	char **argv;
	unsigned int args;
	char *path;
	enum state state;
	double seconds;
	char reason[NL_TEXT_MAX];
};

/**
 * struct session - state of icbenchctl suite
 * @options: the command line
 * @suite: the suite
 * @task: one for each experiment of @suite, allocated
 * @runs: number of runs in the experiments prepared so far
 * @dir: directory of the results, allocated
 * @runner: connection and devices of the runs
 */
struct session {
	struct options options;
	struct suite suite;
	struct task *task;
	unsigned int runs;
	char *dir;
	struct runner runner;
};

static void help(void)
{
	puts("usage: icbenchctl suite NAME|FILE.suite [PEER] [-o DIR] [--KEY VALUE ...]\n"
	     "       icbenchctl suite NAME|FILE.suite --list [--KEY VALUE ...]\n"
	     "\n"
	     "Run the experiments of a suite, such as those of a paper, and write the result of\n"
	     "each in JSON to a file of its own. An experiment whose result is complete is not\n"
	     "run again: the same command resumes an interrupted suite.\n"
	     "\n"
	     "  -o, --output DIR     directory of the files; created if missing\n"
	     "                       (icbench-NAME)\n"
	     "      --list           print the command of each experiment, and run none;\n"
	     "                       --dry-run is the same\n"
	     "      --quiet          print no progress and no remarks\n"
	     "      --repeat N       run each point of each experiment N times, in turns\n"
	     "      --token-file F   secret that the peer requires, 8 to 64 bytes\n"
	     "\n"
	     "Keys, and their letters, are the same as for icbenchctl run. They override the\n"
	     "keys of the suite in every experiment. icbenchctl list shows the suites.");
}

static void add_arg(struct task *task, char *arg)
{
	task->argv = alloc_grow(task->argv, task->args, sizeof(*task->argv));
	task->argv[task->args++] = arg;
}

/* Add a key and its values. A list of names that is not swept has an option per name. */
static void add_values(struct task *task, const struct sweep *sweep)
{
	char *values = plan_values(sweep), *rest = values, *value = values;
	bool several = sweep->count == 1 && sweep->param->flags & ICB_PARAM_LIST;

	do {
		value = several ? strsep(&rest, ",") : values;
		add_arg(task, alloc_text("--%s", sweep->param->name));
		add_arg(task, alloc_text("%s", value));
	} while (several && rest);
	free(values);
}

/* Canonical command of an experiment, by which its saved result is recognized. */
static void make_command(struct task *task, const struct suite_item *item,
			 const struct config *config,
			 const struct options *options)
{
	const char *token = options->token_name;
	const struct icb_param *param;
	unsigned int i;

	add_arg(task, alloc_text("icbenchctl"));
	add_arg(task, alloc_text("run"));
	add_arg(task, alloc_text("%s", item->recipe));
	for (i = 0; i < config->count; i++) {
		param = config->sweep[i].param;
		if (param->type == ICB_PARAM_BYTES)
			continue;
		add_values(task, &config->sweep[i]);
	}
	if (options->isolates) {
		add_arg(task, alloc_text("--isolate"));
		add_arg(task, alloc_text("%s", isolate_words[options->isolate]));
	}
	if (item->repeat) {
		add_arg(task, alloc_text("--repeat"));
		add_arg(task, alloc_text("%u", item->repeat));
	}
	if (token) {
		add_arg(task, alloc_text("--token-file"));
		add_arg(task, alloc_text("%s", token));
	}
	add_arg(task, NULL);
}

static int prepare(struct session *session, unsigned int index)
{
	const struct options *options = &session->options;
	struct suite_item *item = &session->suite.item[index];
	struct task *task = &session->task[index];
	struct recipe *recipe = &task->experiment.recipe;
	struct config over = { 0 };
	struct icb_reason why;
	int err;

	config_copy(&over, &options->config);
	config_override(&item->config, &over);
	if (options->repeat)
		item->repeat = options->repeat;
	make_command(task, item, &item->config, options);
	task->path = alloc_text("%s/%s.json", session->dir, item->name);
	task->experiment.fit = experiment_fit(&options->config);
	if (options->all)
		task->experiment.fit |= BIT_ULL(ICBENCH_A_PARAMS_SIZE);
	task->experiment.given = experiment_given(&item->config);
	err = recipe_load(recipe, item->recipe, &why);
	if (!err && options->isolates)
		recipe->isolate = options->isolate;
	if (!err && item->repeat)
		recipe->repeat = item->repeat;
	if (!err)
		err = recipe_override(recipe, &item->config, &why);
	if (!err)
		err = experiment_plan(&task->experiment, &why);
	session->runs += plan_runs(&task->experiment.plan);
	if (!err && session->runs > SUITE_MAX)
		err = icb_refuse(&why, -ERANGE,
				 "the experiments up to this one make more than %u runs; accepted: fewer values",
				 SUITE_MAX);
	if (err)
		return message_usage("%s:%u: [%s]: %s", session->suite.path,
				     item->line, item->name, why.text);
	return 0;
}

static int make_directory(const struct session *session)
{
	struct stat st;

	if (!mkdir(session->dir, 0777))
		return 0;
	if (errno == EEXIST && !stat(session->dir, &st) &&
	    S_ISDIR(st.st_mode))
		return 0;
	return message_usage("cannot create the directory %s: %s", session->dir,
			     strerror(errno));
}

/* A saved result is complete if it has all runs that the present devices can do. */
static int check_saved(struct session *session, struct task *task)
{
	struct experiment *experiment = &task->experiment;
	struct icb_reason why;
	int status;

	status = experiment_cut(experiment, &session->runner.devs);
	if (status)
		return status;
	if (saved_is_complete(task->path, task->argv, &experiment->plan, &why)) {
		task->state = STATE_SAVED;
		message_remark("%s exists: skipped", task->path);
	} else {
		message_remark("%s is %s: the experiment is run again", task->path,
			       why.text);
	}
	return 0;
}

/* Find the saved experiments, and count the runs of the others. */
static int find_saved(struct session *session)
{
	struct progress *progress = &session->runner.progress;
	struct task *task;
	unsigned int i;
	int status = 0;

	for (i = 0; !status && i < session->suite.count; i++) {
		task = &session->task[i];
		if (saved_exists(task->path))
			status = check_saved(session, task);
		if (task->state != STATE_SAVED)
			progress->total += plan_runs(&task->experiment.plan);
	}
	return status;
}

static void print_left(const struct progress *progress, char *buf, size_t size)
{
	double left = progress_left(progress, 0);

	buf[0] = '\0';
	if (left >= 0)
		snprintf(buf, size, ", about %.0f s left", left);
}

/* Print a line for the experiment, unless the progress line shows it. */
static void announce(struct session *session, unsigned int index)
{
	struct progress *progress = &session->runner.progress;
	struct task *task = &session->task[index];
	const unsigned int runs = plan_runs(&task->experiment.plan);
	char left[40];

	snprintf(progress->of, sizeof(progress->of), "%u of %u %s", index + 1,
		 session->suite.count, session->suite.item[index].name);
	print_left(progress, left, sizeof(left));
	if (!progress->on)
		message_remark("%s: %u run%s%s", progress->of, runs,
			       runs == 1 ? "" : "s", left);
}

static void note_failure(struct task *task, enum state state,
			 const char *reason)
{
	task->state = state;
	snprintf(task->reason, sizeof(task->reason), "%.*s", REASON_LEN,
		 reason);
}

static void write_json(FILE *f, const void *result)
{
	print_json(f, result);
}

static int run_and_write(struct session *session, struct task *task,
			 struct output *output, struct result *result)
{
	int status;

	status = experiment_run(&task->experiment, &session->runner, result);
	if (status && !*result->reason) {
		note_failure(task, STATE_FAILED, message_last());
		return status;
	}
	if (output_write(output, write_json, result)) {
		note_failure(task, STATE_FAILED, message_last());
		return STATUS_FAILED;
	}
	if (status)
		note_failure(task, STATE_PARTIAL, result->reason);
	else
		task->state = STATE_DONE;
	return status;
}

static int run_task(struct session *session, struct task *task)
{
	struct progress *progress = &session->runner.progress;
	unsigned int due = progress->done + plan_runs(&task->experiment.plan);
	struct output output = OUTPUT_NONE;
	struct result result = { .argv = task->argv };
	u64 began = now_ns();
	struct icb_reason why;
	int status;

	if (output_check_regular(&output, task->path, &why)) {
		message("%s", why.text);
		note_failure(task, STATE_FAILED, why.text);
		status = STATUS_FAILED;
	} else {
		status = run_and_write(session, task, &output, &result);
	}
	progress->done = due;
	task->seconds = (now_ns() - began) / 1e9;
	output_free(&output);
	result_free(&result);
	return status;
}

static int run_tasks(struct session *session)
{
	int status, worst = 0;
	bool ran = false;
	unsigned int i;

	for (i = 0; i < session->suite.count; i++) {
		if (session->task[i].state == STATE_SAVED)
			continue;
		if (runner_interrupted(&session->runner)) {
			message("stopped by %s; the same command resumes the suite",
				interrupt_name());
			return STATUS_FAILED;
		}
		announce(session, i);
		status = run_task(session, &session->task[i]);
		/* without the module or the device, no other experiment can run */
		if (status == STATUS_SETUP)
			return ran ? STATUS_FAILED : STATUS_SETUP;
		if (status)
			worst = STATUS_FAILED;
		ran = true;
	}
	return worst;
}

static void print_task(const struct suite_item *item, const struct task *task)
{
	printf(" %-20s %-8s", item->name, state_words[task->state]);
	if (task->seconds > 0)
		printf(" %7.1f s", task->seconds);
	else
		printf(" %9s", "");
	printf("  %s\n", *task->reason ? task->reason :
	       task->state == STATE_NONE ? "" : task->path);
}

static int finish(struct session *session, int status)
{
	unsigned int i, states[ARRAY_SIZE(state_words)] = { 0 };

	printf("%s: %s\n", session->suite.name, session->suite.title);
	for (i = 0; i < session->suite.count; i++) {
		print_task(&session->suite.item[i], &session->task[i]);
		states[session->task[i].state]++;
	}
	printf("%u of %u in %s",
	       states[STATE_DONE] + states[STATE_SAVED], session->suite.count,
	       session->dir);
	for (i = STATE_SAVED; i < ARRAY_SIZE(states); i++)
		if (states[i] && i != STATE_DONE)
			printf(", %u %s", states[i], state_words[i]);
	putchar('\n');
	return status;
}

static void list(const struct session *session)
{
	const struct task *task;
	unsigned int i, j;

	for (i = 0; i < session->suite.count; i++) {
		task = &session->task[i];
		printf("%-20s", session->suite.item[i].name);
		for (j = 0; task->argv[j]; j++)
			printf(" %s", task->argv[j]);
		putchar('\n');
	}
}

static int run(struct session *session)
{
	int status;

	status = runner_begin(&session->runner);
	if (!status)
		status = make_directory(session);
	if (!status)
		status = find_saved(session);
	if (status)
		return status;
	status = run_tasks(session);
	/* no experiment was run; the reason has been printed */
	return status == STATUS_SETUP ? status : finish(session, status);
}

static int prepare_and_run(struct session *session)
{
	const struct options *options = &session->options;
	struct icb_reason why;
	unsigned int i;
	int status = 0;

	if (suite_load(&session->suite, options->bench, &why))
		return message_usage("%s", why.text);
	session->dir = options->dir ? alloc_text("%s", options->dir) :
		alloc_text("icbench-%s", session->suite.name);
	session->task = alloc_zero(session->suite.count,
				   sizeof(*session->task));
	for (i = 0; !status && i < session->suite.count; i++)
		status = prepare(session, i);
	if (status)
		return status;
	if (!options->list)
		return run(session);
	list(session);
	return STATUS_DONE;
}

static void free_task(struct task *task)
{
	unsigned int i;

	experiment_free(&task->experiment);
	for (i = 0; i < task->args; i++)
		free(task->argv[i]);
	free(task->argv);
	free(task->path);
}

int cmd_suite(char **argv)
{
	struct session session = {
		.options = {
			.command = "suite",
			.json = OUTPUT_NONE,
			.csv = OUTPUT_NONE,
		},
	};
	unsigned int i;
	int status;

	status = options_parse(&session.options, argv);
	if (!status && session.options.help)
		help();
	else if (!status)
		status = prepare_and_run(&session);
	runner_end(&session.runner);
	for (i = 0; session.task && i < session.suite.count; i++)
		free_task(&session.task[i]);
	free(session.task);
	free(session.dir);
	suite_free(&session.suite);
	options_free(&session.options);
	return status;
}
