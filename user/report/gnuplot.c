// SPDX-License-Identifier: GPL-2.0
/*
 * Runs gnuplot as a child process, which draws all plots of a report. gnuplot reads neither
 * the user's settings nor any file other than the script.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "gnuplot.h"

/* Longest time for all plots, s. */
#define TIME_MAX	120
/* Most output for all plots, bytes. */
#define OUTPUT_MAX	(256u << 20)

/**
 * struct child - gnuplot as a child process
 * @pid: its process ID
 * @script: its standard input
 * @errors: its standard error
 * @output: end of the pipe from its standard output
 */
struct child {
	pid_t pid;
	FILE *script;
	FILE *errors;
	int output;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* Return: 0, or an error number. */
static int spawn(struct child *child, int output)
{
	char name[] = "gnuplot", settings[] = "-d", input[] = "-";
	char *const argv[] = { name, settings, input, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t signals;
	int err;

	/* a closed pipe ends gnuplot */
	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &signals);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fileno(child->script),
					 STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(child->errors),
					 STDERR_FILENO);
	setenv("LC_ALL", "C.UTF-8", 1);
	err = posix_spawnp(&child->pid, name, &actions, &attributes, argv,
			   environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return err;
}

static int refuse(struct icb_reason *why, int err)
{
	return icb_refuse(why, -err, "cannot run gnuplot: %s", strerror(err));
}

static int start(struct child *child, char *const *script, unsigned int count,
		 struct icb_reason *why)
{
	unsigned int i;
	int pipes[2], err;

	child->script = tmpfile();
	child->errors = tmpfile();
	if (!child->script || !child->errors)
		return refuse(why, errno);
	fputs("set encoding utf8\n", child->script);
	for (i = 0; i < count; i++)
		fputs(script[i], child->script);
	if (fflush(child->script) || fseek(child->script, 0, SEEK_SET) ||
	    pipe2(pipes, O_CLOEXEC))
		return refuse(why, errno);
	err = spawn(child, pipes[1]);
	close(pipes[1]);
	child->output = pipes[0];
	return err ? refuse(why, err) : 0;
}

/* Read all output. Return: the text for the caller to free(), or NULL with a reason. */
static char *read_output(struct child *child, struct icb_reason *why)
{
	struct pollfd fd = { .fd = child->output, .events = POLLIN };
	const double end = now() + TIME_MAX;
	size_t len = 0, room = 65536;
	char *text = alloc_zero(room + 1, 1);
	ssize_t got = -1;
	double left;

	for (;;) {
		left = end - now();
		if (left <= 0 || poll(&fd, 1, left * 1000) <= 0) {
			icb_refuse(why, -ETIMEDOUT,
				   "gnuplot did not end within %u s", TIME_MAX);
			break;
		}
		got = read(child->output, text + len, room - len);
		if (got <= 0)
			break;
		len += got;
		if (len < room)
			continue;
		if (room > OUTPUT_MAX) {
			icb_refuse(why, -EFBIG, "gnuplot wrote more than %u bytes",
				   OUTPUT_MAX);
			got = -1;
			break;
		}
		room *= 2;
		text = realloc(text, room + 1);
		if (!text)
			abort();
	}
	if (!got) {
		text[len] = '\0';
		return text;
	}
	free(text);
	return NULL;
}

/* Wait for the end of gnuplot. Return: 0, or a negative error number with a reason. */
static int finish(struct child *child, struct icb_reason *why)
{
	char line[160] = "", *text = line;
	int status = 0;

	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	rewind(child->errors);
	/* gnuplot shows the command first, and then a line with the error */
	while (strncmp(text, "line ", 5) && fgets(line, sizeof(line), child->errors))
		text = text_trim(line);
	text[strcspn(text, "\n")] = '\0';
	text_one_line(text);
	return icb_refuse(why, -EINVAL, "gnuplot failed: %s",
			  *text ? text : "no reason given");
}

/* Divide the output into documents. Return: their number. */
static unsigned int split(const char *text, char **svg, unsigned int count)
{
	static const char last[] = "</svg>";
	unsigned int i;
	const char *end;

	for (i = 0; i < count; i++) {
		text = strstr(text, "<svg");
		end = text ? strstr(text, last) : NULL;
		if (!end)
			break;
		end += strlen(last);
		svg[i] = alloc_copy(text, end - text);
		text = end;
	}
	return i;
}

static int draw(struct child *child, char **svg, unsigned int count,
		struct icb_reason *why)
{
	char *text = read_output(child, why);
	struct icb_reason ignored;
	unsigned int done = 0;
	int err;

	if (!text) {
		kill(child->pid, SIGKILL);
		finish(child, &ignored);
		return -EINVAL;
	}
	err = finish(child, why);
	if (!err)
		done = split(text, svg, count);
	free(text);
	if (!err && done < count)
		err = icb_refuse(why, -EINVAL,
				 "gnuplot drew %u of %u plots; accepted: a gnuplot with the terminal svg",
				 done, count);
	return err;
}

/**
 * gnuplot_draw() - draw plots
 * @script: script of each plot
 * @svg: takes the SVG of each plot, as gnuplot wrote it, for the caller to free()
 * @count: number of plots
 * @why: the reason of a refusal
 *
 * Return: 0; -ENOENT if there is no gnuplot, or another negative error number, with a
 * reason.
 */
int gnuplot_draw(char *const *script, char **svg, unsigned int count,
		 struct icb_reason *why)
{
	struct child child = { .output = -1 };
	int err;

	err = start(&child, script, count, why);
	if (!err)
		err = draw(&child, svg, count, why);
	if (child.output >= 0)
		close(child.output);
	if (child.script)
		fclose(child.script);
	if (child.errors)
		fclose(child.errors);
	return err;
}
