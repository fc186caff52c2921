// SPDX-License-Identifier: GPL-2.0
#include <json-c/json.h>

#include "base/args.h"
#include "base/interrupt.h"
#include "base/json_add.h"
#include "base/status.h"
#include "commands.h"
#include "job_json.h"
#include "job_text.h"
#include "nl/events.h"
#include "nl/module.h"
#include "watch.h"

static const char *const options[] = { "--json", "--help", NULL };

static void help(void)
{
	puts("usage: icbenchctl monitor [--json]\n"
	     "\n"
	     "Print a line for each event of a run of this host, and for each refused peer,\n"
	     "until Ctrl-C.\n"
	     "\n"
	     "  --json    a JSON object in each line, with all parameters");
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

static struct json_object *refusal_json(const struct nl_event *event)
{
	struct json_object *object = json_object_new_object();

	json_add_count(object, "listener", event->refusal.id);
	json_add_string(object, "peer", event->refusal.peer);
	json_add_string(object, "reason", event->refusal.reason);
	return object;
}

/* Print an event as an object in one line. Its member "event" is the type of the event. */
static void print_event_json(void *data, const struct nl_event *event)
{
	struct json_object *object;
	const char *name;

	(void)data;
	switch (event->type) {
	case NL_EVENT_JOB:
		object = job_json(&event->job);
		name = "job";
		break;
	case NL_EVENT_REFUSAL:
		object = refusal_json(event);
		name = "refusal";
		break;
	default:
		object = json_object_new_object();
		name = "lost";
	}
	json_add_string(object, "event", name);
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

static int monitor(bool json)
{
	const struct watch watch = {
		.event = json ? print_event_json : print_event,
	};
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
	bool json = false;
	struct args args;

	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		if (args_help(&args))
			return args_show_help(&args, help);
		if (!args_is(&args, "--json", NULL))
			return args_unknown(&args, "monitor", options);
		if (args_no_value(&args))
			return STATUS_USAGE;
		json = true;
	}
	return monitor(json);
}
