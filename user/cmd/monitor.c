// SPDX-License-Identifier: GPL-2.0
#include "base/args.h"
#include "base/interrupt.h"
#include "base/status.h"
#include "commands.h"
#include "job_text.h"
#include "nl/events.h"
#include "nl/module.h"
#include "watch.h"

static const char *const options[] = { "--help", NULL };

static void help(void)
{
	puts("usage: icbenchctl monitor\n"
	     "\n"
	     "Print a line for each event of a run of this host, and for each refused peer,\n"
	     "until Ctrl-C.");
}

static void print_job(const struct nl_job *job)
{
	char what[160], part[64];

	job_text_run(job, what, sizeof(what));
	job_text_done(job, part, sizeof(part));
	printf("job %u %s %s: %s done%s%s%s%s\n", job->id, job_text_role(job),
	       nl_job_state(job), part, *what ? "; " : "", what,
	       *job->reason ? "; " : "", job->reason);
}

static void print_event(void *data, const struct nl_event *event)
{
	(void)data;
	switch (event->type) {
	case NL_EVENT_JOB:
		print_job(&event->job);
		break;
	case NL_EVENT_REFUSAL:
		printf("listener %u%s%s: %s\n", event->refusal.id,
		       *event->refusal.peer ? " refused " : "",
		       event->refusal.peer, event->refusal.reason);
		break;
	default:
		puts("some events were lost");
	}
}

static int monitor(void)
{
	static const struct watch watch = { .event = print_event };
	struct icb_reason why;
	int err, status;
	struct nl *nl;

	nl = module_open();
	if (!nl)
		return STATUS_SETUP;
	err = nl_events_open(nl, &why);
	if (err)
		status = module_refused(err, &why);
	else
		status = watch_events(nl, interrupt_open(), &watch);
	nl_end(nl);
	return status;
}

int cmd_monitor(char **argv)
{
	struct args args;

	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		if (args_help(&args))
			return args_show_help(&args, help);
		return args_unknown(&args, "monitor", options);
	}
	return monitor();
}
