// SPDX-License-Identifier: GPL-2.0
#include <poll.h>
#include <stdlib.h>

#include "base/address.h"
#include "base/alloc.h"
#include "base/args.h"
#include "base/interrupt.h"
#include "base/message.h"
#include "base/status.h"
#include "commands.h"
#include "job_text.h"
#include "model/derived.h"
#include "nl/events.h"
#include "nl/listen.h"
#include "nl/module.h"
#include "plan/number.h"
#include "watch.h"

/*
 * Timeout for the next event of the runs that end with the listener, ms: an event arrives
 * soon or not at all.
 */
#define REST_MS	1000

static const char *const options[] = {
	"--bind", "--port", "--cm-port", "--token-file", "--max-memory",
	"--max-qps", "--help", NULL
};

/* Numeric options and their ranges. */
static const struct icb_param port_param = {
	.name = "port", .type = ICB_PARAM_COUNT, .min = 1, .max = 65535,
};

static const struct icb_param memory_param = {
	.name = "max-memory", .type = ICB_PARAM_SIZE, .min = 4096,
	.max = U64_MAX,
};

static const struct icb_param qps_param = {
	.name = "max-qps", .type = ICB_PARAM_COUNT, .min = 1,
	.max = ICBENCH_MAX_QPS,
};

/**
 * struct server - a listener and its running jobs
 * @nl: netlink connection, whose end also removes the listener
 * @id: number of the listener
 * @ask: parameters of the listener
 * @address: buffer for @ask.bind
 * @running: numbers of the running jobs, allocated
 * @count: number of running jobs
 */
struct server {
	struct nl *nl;
	u32 id;
	struct nl_listen_ask ask;
	char address[ICBENCH_MAX_NAME + 1];
	u32 *running;
	unsigned int count;
};

static void help(void)
{
	puts("usage: icbenchctl serve [--bind ADDR] [--port N] [--token-file FILE]\n"
	     "                        [--max-memory SIZE] [--max-qps N]\n"
	     "\n"
	     "Be the responder of other hosts' runs, until Ctrl-C. Print a line for each run\n"
	     "and for each refused peer.\n"
	     "\n"
	     "  --bind ADDR         listen at this address only\n"
	     "  -p, --port N        connection manager port, by default 18515\n"
	     "  --token-file FILE   serve only peers with this secret, 8 to 64 bytes\n"
	     "  --max-memory SIZE   buffers for all peers together, by default 256M\n"
	     "  --max-qps N         data QPs for all peers together, by default 64");
}

static int take_number(struct args *args, const struct icb_param *param,
		       u64 *number)
{
	const char *value = args_value(args);
	struct icb_reason why;

	if (!value)
		return STATUS_USAGE;
	if (number_parse(param, value, number, &why) ||
	    number_check(param, *number, &why))
		return message_usage("%s", why.text);
	return 0;
}

static int take_bind(struct server *server, struct args *args)
{
	const char *value = args_value(args);
	struct icb_reason why;

	if (!value)
		return STATUS_USAGE;
	if (address_resolve("bind", value, server->address,
			    sizeof(server->address), &why))
		return message_usage("%s", why.text);
	server->ask.bind = server->address;
	return 0;
}

static int take_token(struct server *server, struct args *args)
{
	const char *value = args_value(args);
	struct icb_reason why;

	if (!value)
		return STATUS_USAGE;
	if (token_read(&server->ask.token, value, &why))
		return message_usage("%s", why.text);
	return 0;
}

static int take_option(struct server *server, struct args *args)
{
	u64 number = 0;
	int status;

	if (args_is(args, "--bind", NULL))
		return take_bind(server, args);
	if (args_is(args, "--token-file", NULL))
		return take_token(server, args);
	if (args_is(args, "--max-memory", NULL))
		return take_number(args, &memory_param,
				   &server->ask.max_memory);
	if (args_is(args, "--max-qps", NULL)) {
		status = take_number(args, &qps_param, &number);
		server->ask.max_qps = number;
		return status;
	}
	if (args_is(args, "--port", "-p") || args_is(args, "--cm-port", NULL)) {
		status = take_number(args, &port_param, &number);
		server->ask.cm_port = number;
		return status;
	}
	return args_unknown(args, "serve", options);
}

static bool take_running(struct server *server, u32 id)
{
	unsigned int i;

	for (i = 0; i < server->count; i++)
		if (server->running[i] == id) {
			server->running[i] = server->running[--server->count];
			return true;
		}
	return false;
}

/* Verb for what a responder has done with the messages that it counts. */
static const char *done_verb(const struct icb_params *params)
{
	if (icb_params_one_way(params))
		return "taken";
	return params->trigger == ICBENCH_TRIGGER_ECHO ? "answered" : "sent";
}

/* Print one line at the end of a run; a refused run has had its line already. */
static void print_job(struct server *server, const struct nl_job *job)
{
	char what[160];
	bool known;

	if (job->role != ICBENCH_ROLE_RESPONDER ||
	    job->listener != server->id)
		return;
	known = take_running(server, job->id);
	if (job->state != ICBENCH_JOB_STATE_FINISHED) {
		if (!known && job->state != ICBENCH_JOB_STATE_WARMUP &&
		    job->state != ICBENCH_JOB_STATE_MEASURING)
			return;
		server->running = alloc_grow(server->running, server->count,
					     sizeof(*server->running));
		server->running[server->count++] = job->id;
		return;
	}
	if (!known)
		return;
	job_text_run(job, what, sizeof(what));
	printf("job %u %s: %s", job->id, nl_job_state(job), what);
	/* a responder that only offers memory sees no messages */
	if (!icb_params_passive(&job->params))
		printf("; %llu messages %s", (unsigned long long)job->done,
		       done_verb(&job->params));
	printf("%s%s\n", *job->reason ? "; " : "", job->reason);
}

static void print_event(void *data, const struct nl_event *event)
{
	struct server *server = data;

	switch (event->type) {
	case NL_EVENT_JOB:
		print_job(server, &event->job);
		break;
	case NL_EVENT_REFUSAL:
		if (event->refusal.id == server->id)
			printf("%s%s: %s\n",
			       *event->refusal.peer ? "refused " : "listener",
			       event->refusal.peer, event->refusal.reason);
		break;
	default:
		puts("some events were lost");
	}
}

/* The listener is gone if the module was unloaded or its device was removed. */
static int look_up(const struct server *server, struct nl_listen *listen)
{
	struct icb_reason why;

	if (!nl_listen_get(server->nl, server->id, listen, &why))
		return STATUS_DONE;
	message("the listener has ended: %s", why.text);
	return STATUS_FAILED;
}

static int check_alive(void *data)
{
	struct nl_listen listen;

	return look_up(data, &listen);
}

/* Wait for the events of the runs that have no line yet: they end with the listener. */
static int wait_for_running(struct server *server, const struct watch *watch)
{
	struct pollfd fd = {
		.fd = nl_events_fd(server->nl), .events = POLLIN,
	};
	int status;

	do {
		status = watch_pending(server->nl, watch);
	} while (!status && server->count && poll(&fd, 1, REST_MS) > 0);
	return status;
}

/* Return: an exit status, or a negative error number with a reason. */
static int listen_and_watch(struct server *server, struct icb_reason *why)
{
	const struct watch watch = {
		.event = print_event,
		.idle = check_alive,
		.data = server,
	};
	struct nl_listen listen;
	int err, signals, status;

	/* before the listener is created, so that no event is missed */
	err = nl_events_open(server->nl, why);
	if (!err)
		err = nl_listen_new(server->nl, &server->ask, &server->id,
				    why);
	/* the module has its copy of the token, and this process runs for long */
	explicit_bzero(&server->ask.token, sizeof(server->ask.token));
	if (err)
		return err;
	/* the listener may be gone as soon as it is created */
	status = look_up(server, &listen);
	if (status)
		return status;
	signals = interrupt_open();
	printf("listening on %s port %u\n",
	       server->ask.bind ? listen.bind : "all addresses",
	       listen.cm_port);
	fflush(stdout);
	status = watch_events(server->nl, signals, &watch);
	/* the runs that this cuts short get their line, too */
	if (!status && !nl_listen_del(server->nl, server->id, NULL))
		status = wait_for_running(server, &watch);
	return status;
}

static int serve(struct server *server)
{
	struct icb_reason why;
	int err;

	server->nl = module_open();
	if (!server->nl)
		return STATUS_SETUP;
	err = listen_and_watch(server, &why);
	nl_end(server->nl);
	free(server->running);
	return err < 0 ? module_refused(err, &why) : err;
}

int cmd_serve(char **argv)
{
	struct server server = { 0 };
	struct args args;
	int status;

	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		if (args_help(&args))
			return args_show_help(&args, help);
		status = take_option(&server, &args);
		if (status)
			return status;
	}
	return serve(&server);
}
