// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/status.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "model/engine.h"

static const struct command {
	const char *name;
	int (*fn)(char **argv);
	const char *help;
} commands[] = {
	{ "run", cmd_run, "run a benchmark" },
	{ "suite", cmd_suite, "run the experiments of a paper" },
	{ "compare", cmd_compare, "compare results, and find regressions" },
	{ "list", cmd_list, "list the benchmarks and the suites" },
	{ "show", cmd_show, "show what a benchmark measures, and its keys" },
	{ "devices", cmd_devices, "list the RDMA devices" },
	{ "serve", cmd_serve, "be the responder of other hosts' runs" },
	{ "jobs", cmd_jobs, "list the runs in progress" },
	{ "stop", cmd_stop, "stop a run" },
	{ "monitor", cmd_monitor, "print the events of runs" },
};

/* Refuse arguments to --help and --version, which take none. */
static int refuse_more(char **argv)
{
	if (!argv[2])
		return 0;
	return message_usage("%s: unexpected \"%.60s\"; see icbenchctl --help",
			     argv[1], argv[2]);
}

static int show_help(char **argv)
{
	unsigned int i;

	if (refuse_more(argv))
		return STATUS_USAGE;
	puts("usage: icbenchctl COMMAND ...\n"
	     "\n"
	     "Measure what an RDMA interconnect costs, from inside the kernel.\n");
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].help);
	puts("\n"
	     "icbenchctl COMMAND --help describes a command; icbenchctl --version prints the version.");
	return STATUS_DONE;
}

static int show_version(char **argv)
{
	if (refuse_more(argv))
		return STATUS_USAGE;
	puts("icbenchctl " ICBENCH_VERSION);
	return STATUS_DONE;
}

static const struct command aliases[] = {
	{ "--help", show_help, NULL },
	{ "-h", show_help, NULL },
	{ "help", show_help, NULL },
	{ "--version", show_version, NULL },
	{ "-V", show_version, NULL },
};

static int refuse(char **argv)
{
	const char *names[ARRAY_SIZE(commands) + 1] = { NULL }, *closest;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		names[i] = commands[i].name;
	closest = text_closest(argv[1], names);
	if (closest)
		return message_usage("unknown command \"%.60s\"; did you mean %s?",
				     argv[1], closest);
	return message_usage("unknown command \"%.60s\"; see icbenchctl --help",
			     argv[1]);
}

static int dispatch(char **argv)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, argv[1]))
			return commands[i].fn(argv);
	for (i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(aliases[i].name, argv[1]))
			return aliases[i].fn(argv);
	return refuse(argv);
}

/*
 * If a standard descriptor is closed at start, a file or socket that is opened later
 * would get its number. So open /dev/null, for reading only: writing to it still fails.
 */
static void open_standard(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* A result that could not be written is a failure. */
static int close_stdout(int status)
{
	bool failed = ferror(stdout);

	errno = 0;
	failed |= fflush(stdout) != 0;
	if (!failed)
		return status;
	message("cannot write to standard output%s%s", errno ? ": " : "",
		errno ? strerror(errno) : "");
	return status ? status : STATUS_FAILED;
}

int main(int argc, char **argv)
{
	open_standard();
	/* a closed pipe, or the limit on file sizes, is then an ordinary write error */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2)
		return message_usage("no command; see icbenchctl --help");
	return close_stdout(dispatch(argv));
}
