// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/datafile.h"
#include "base/message.h"
#include "base/status.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "model/engine.h"

/* Maximum number of commands that are compared with a misspelled command. */
#define COMMANDS_MAX	32

/* Refuse arguments to --help and --version, which take none. */
static int refuse_more(char **argv)
{
	if (!argv[2])
		return 0;
	return message_usage("%s: unexpected \"%.60s\"; see icbenchctl --help",
			     argv[1], argv[2]);
}

static const struct command *find_command(const char *name)
{
	const struct command *command;

	for (command = commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

static int refuse_command(const char *name);

/* "icbenchctl help COMMAND" is "icbenchctl COMMAND --help". */
static int help_of(char **argv)
{
	const struct command *command = find_command(argv[2]);
	char help[] = "--help";

	if (!command)
		return refuse_command(argv[2]);
	if (argv[3])
		return message_usage("help %s: unexpected \"%.60s\"; see icbenchctl --help",
				     argv[2], argv[3]);
	argv[1] = argv[2];
	argv[2] = help;
	return command->fn(argv);
}

static int show_help(char **argv)
{
	const struct command *command;

	if (!strcmp(argv[1], "help") && argv[2])
		return help_of(argv);
	if (refuse_more(argv))
		return STATUS_USAGE;
	puts("usage: icbenchctl COMMAND ...\n"
	     "\n"
	     "Measure what an RDMA interconnect costs, from inside the kernel.\n");
	for (command = commands; command->name; command++)
		printf("  %-10s %s\n", command->name, command->help);
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

/* True if a recipe or a suite has this name, which was given in place of a command. */
static bool is_datafile(const struct datafile_kind *kind, const char *name)
{
	struct icb_reason why;
	char *path = datafile_find(kind, name, &why);

	free(path);
	return path && !strpbrk(name, "./");
}

static int refuse_datafile(const char *name, const char *what,
			   const char *command)
{
	return message_usage("unknown command \"%.60s\", a %s; accepted: icbenchctl %s %.60s",
			     name, what, command, name);
}

static int refuse_command(const char *name)
{
	const char *names[COMMANDS_MAX + 1] = { NULL }, *closest;
	unsigned int i;

	if (is_datafile(&datafile_recipe, name))
		return refuse_datafile(name, "benchmark", "run");
	if (is_datafile(&datafile_suite, name))
		return refuse_datafile(name, "suite", "suite");
	for (i = 0; i < COMMANDS_MAX && commands[i].name; i++)
		names[i] = commands[i].name;
	closest = text_closest(name, names);
	if (closest)
		return message_usage("unknown command \"%.60s\"; did you mean %s?",
				     name, closest);
	return message_usage("unknown command \"%.60s\"; see icbenchctl --help",
			     name);
}

static int dispatch(char **argv)
{
	const struct command *command = find_command(argv[1]);
	unsigned int i;

	if (command)
		return command->fn(argv);
	for (i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(aliases[i].name, argv[1]))
			return aliases[i].fn(argv);
	return refuse_command(argv[1]);
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

/* True if standard output is a pipe without a reader. */
static bool is_closed_pipe(void)
{
	struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&fd, 1, 0) == 1 && fd.revents & POLLERR;
}

/*
 * A result that could not be written is a failure. If the reader of a pipe has exited, such
 * as head(1), the program is ended by SIGPIPE without a message, as other programs are.
 */
static int close_stdout(int status)
{
	bool failed = ferror(stdout);

	errno = 0;
	failed |= fflush(stdout) != 0;
	if (!failed)
		return status;
	if (errno == EPIPE || (!errno && is_closed_pipe())) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
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
