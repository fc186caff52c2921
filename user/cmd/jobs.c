// SPDX-License-Identifier: GPL-2.0
#include <json-c/json.h>

#include "base/args.h"
#include "base/json_add.h"
#include "base/status.h"
#include "commands.h"
#include "job_json.h"
#include "job_text.h"
#include "nl/jobs.h"
#include "nl/module.h"

static const char *const options[] = { "--json", "--help", NULL };

static void help(void)
{
	puts("usage: icbenchctl jobs [--json]\n"
	     "\n"
	     "List the runs of this host: its own, and those of other hosts that it serves.\n"
	     "\n"
	     "  --json    in JSON, with all parameters");
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
	struct json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < jobs->count; i++)
		json_object_array_add(list, job_json(&jobs->job[i]));
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
