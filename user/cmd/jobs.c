// SPDX-License-Identifier: GPL-2.0
#include <json-c/json.h>

#include "base/args.h"
#include "base/json_add.h"
#include "base/status.h"
#include "commands.h"
#include "job_text.h"
#include "nl/jobs.h"
#include "nl/module.h"

static const char *const options[] = { "--json", "--help", NULL };

static void help(void)
{
	puts("usage: icbenchctl jobs [--json]\n"
	     "\n"
	     "List the runs of this host: its own, and those of other hosts that it serves.");
}

static void print_text(const struct nl_jobs *jobs)
{
	const struct nl_job *job;
	char what[160], part[64];
	unsigned int i;

	printf("%-6s %-10s %-11s %-24s %s\n", "ID", "ROLE", "STATE", "DONE",
	       "RUN");
	for (i = 0; i < jobs->count; i++) {
		job = &jobs->job[i];
		job_text_run(job, what, sizeof(what));
		job_text_done(job, part, sizeof(part));
		printf("%-6u %-10s %-11s %-24s %s\n", job->id,
		       job_text_role(job), nl_job_state(job), part, what);
	}
}

static void print_json(const struct nl_jobs *jobs)
{
	struct json_object *list = json_object_new_array(), *object;
	const struct nl_job *job;
	unsigned int i;

	for (i = 0; i < jobs->count; i++) {
		job = &jobs->job[i];
		object = json_object_new_object();
		json_add_count(object, "id", job->id);
		json_add_string(object, "role", job_text_role(job));
		json_add_string(object, "state", nl_job_state(job));
		json_add_string(object, "target", job->target);
		json_add_string(object, "reason", job->reason);
		json_add_count(object, "done", job->done);
		if (NL_HAS(job, ICBENCH_A_JOB_TOTAL))
			json_add_count(object, "total", job->total);
		if (NL_HAS(job, ICBENCH_A_JOB_ELAPSED))
			json_add_count(object, "elapsed", job->elapsed);
		json_object_array_add(list, object);
	}
	json_print(stdout, list);
}

static int print(struct nl *nl, bool json)
{
	struct nl_jobs jobs = { 0 };
	struct icb_reason why;
	int err, status = STATUS_DONE;

	err = nl_job_list(nl, &jobs, &why);
	if (err)
		status = module_refused(err, &why);
	else if (json)
		print_json(&jobs);
	else
		print_text(&jobs);
	nl_jobs_free(&jobs);
	return status;
}

int cmd_jobs(char **argv)
{
	bool json = false;
	struct args args;
	struct nl *nl;
	int status;

	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		if (args_help(&args))
			return args_show_help(&args, help);
		if (!args_is(&args, "--json", NULL))
			return args_unknown(&args, "jobs", options);
		if (args_no_value(&args))
			return STATUS_USAGE;
		json = true;
	}
	nl = module_open();
	if (!nl)
		return STATUS_SETUP;
	status = print(nl, json);
	nl_end(nl);
	return status;
}
