// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel trace that ends at the first sample above the threshold, in a file.
 *
 * The file is written as root, maybe to a directory where other users write too. So a
 * file is created with O_EXCL, and an existing file is replaced only if it is a trace of
 * icbench's that belongs to this user; a symbolic link in its place is not followed. The
 * trace shows the programs of all users, so only its owner can read it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/status.h"
#include "base/text.h"
#include "result.h"
#include "trace.h"

/* First words of icbench's traces; a file that begins with them may be replaced. */
#define MARK	"# icbench trace: "

/**
 * trace_name() - set the file of a trace
 * @trace: the trace, empty
 * @name: a file's name or "no", as the user gave it; NULL if not given
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL with a reason.
 */
int trace_name(struct trace *trace, const char *name, struct icb_reason *why)
{
	if (!name) {
		trace->name = TRACE_FILE;
		return 0;
	}
	if (!strcmp(name, "no"))
		return 0;
	if (!*name || !strcmp(name, "-"))
		return icb_refuse(why, -EINVAL,
				  "trace: \"%s\" is not a file; accepted: the name of a file, no",
				  name);
	trace->name = name;
	trace->asked = true;
	return 0;
}

/**
 * trace_plan() - find out whether any run is to be traced
 * @trace: trace after trace_name()
 * @plan: the runs
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL with a reason if the user asks for a trace and no run has a
 * threshold.
 */
int trace_plan(struct trace *trace, const struct plan *plan,
	       struct icb_reason *why)
{
	unsigned int i;

	if (!trace->name)
		return 0;
	for (i = 0; i < plan->count && !trace->wanted; i++)
		trace->wanted = icb_params_has(&plan->point[i].params,
					       ICBENCH_A_PARAMS_THRESHOLD);
	if (trace->asked && !trace->wanted)
		return icb_refuse(why, -EINVAL,
				  "trace: needs threshold, because the trace ends at the first sample above it");
	return 0;
}

static bool has_mark(int fd)
{
	char buf[sizeof(MARK) - 1];

	return read(fd, buf, sizeof(buf)) == sizeof(buf) &&
	       !memcmp(buf, MARK, sizeof(buf));
}

/* Open a trace of icbench's and this user's to read and write; -1 if there is none. */
static int open_ours(const char *name)
{
	int fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() && has_mark(fd))
		return fd;
	close(fd);
	return -1;
}

/* Create a file; a descriptor, or a negative error number with a reason. */
static int create(const char *name, struct icb_reason *why)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		      0600);

	if (fd >= 0)
		return fd;
	if (errno == EEXIST)
		return icb_refuse(why, -EEXIST,
				  "trace: %.120s exists, and is not a trace of this user; accepted: --trace with another file",
				  name);
	return icb_refuse(why, -errno, "trace: cannot write %.120s: %s", name,
			  strerror(errno));
}

/**
 * trace_check_file() - check whether a trace can be written to a file
 * @name: name of the file
 * @why: receives the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int trace_check_file(const char *name, struct icb_reason *why)
{
	int fd;

	/* opened to write, too: replace() writes to it if it cannot be unlinked */
	fd = open_ours(name);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	/* only creating the file shows for certain that it can be created */
	fd = create(name, why);
	if (fd < 0)
		return fd;
	close(fd);
	unlink(name);
	return 0;
}

static int give_up(struct trace *trace, int status, const char *why)
{
	message("%s%s", why, trace->asked ? "" : "; the run is not traced");
	tracefs_end(&trace->fs);
	return trace->asked ? status : STATUS_DONE;
}

/**
 * trace_begin() - prepare the kernel's tracing, if a trace is wanted
 * @trace: trace after trace_plan(); trace_end() it in any case
 * @owner: netlink port of the process that runs the jobs
 *
 * Return: STATUS_DONE, also if tracing is impossible and the user has not asked for it;
 * else another exit status. The reason has been printed.
 */
int trace_begin(struct trace *trace, u32 owner)
{
	struct icb_reason why, outer;

	if (!trace->wanted)
		return STATUS_DONE;
	if (trace_check_file(trace->name, &why))
		return give_up(trace, STATUS_USAGE, why.text);
	if (tracefs_begin(&trace->fs, owner, &why)) {
		icb_refuse(&outer, 0, "trace: %s", why.text);
		return give_up(trace, STATUS_SETUP, outer.text);
	}
	trace->state = TRACE_ON;
	return STATUS_DONE;
}

/**
 * trace_start() - start tracing before a run
 * @trace: the trace; nothing happens if it is not TRACE_ON
 */
void trace_start(struct trace *trace)
{
	struct icb_reason why;

	if (trace->state != TRACE_ON || !tracefs_start(&trace->fs, &why))
		return;
	message("trace: %s; the run is not traced", why.text);
	trace->state = TRACE_NONE;
}

/* Write a comment as one line, whatever characters it has; frees @words. */
static void put_words(FILE *f, const char *mark, char *words)
{
	text_one_line(words);
	fprintf(f, "%s%s\n", mark, words);
	free(words);
}

static char *command_of(const struct result *result)
{
	char *all = NULL, *more, **arg;

	for (arg = result->argv; *arg; arg++) {
		more = alloc_text("%s%s%s", all ? : "", all ? " " : "", *arg);
		free(all);
		all = more;
	}
	return all ? : alloc_text("icbenchctl");
}

static int write_all(const struct trace *trace, FILE *f,
		     const struct result *result, const char *point)
{
	int err;

	put_words(f, MARK, command_of(result));
	put_words(f, "# ", alloc_text("%s%s%s", point, *point ? ": " : "",
				      result->reason));
	if (*trace->fs.missing)
		put_words(f, "# without events of ",
			  alloc_text("%s", trace->fs.missing));
	err = tracefs_copy(&trace->fs, f);
	if (!err && fflush(f))
		err = -errno;
	return err;
}

/*
 * Create the file, or replace a trace of icbench's. The old trace is unlinked, or
 * truncated if it cannot be unlinked, as when the file is a mount point.
 *
 * Return: a descriptor, or a negative error number with a reason.
 */
static int replace(const char *name, struct icb_reason *why)
{
	int fd = open_ours(name);

	if (fd < 0)
		return create(name, why);
	if (unlink(name) && !fchmod(fd, 0600) && !ftruncate(fd, 0) &&
	    !lseek(fd, 0, SEEK_SET))
		return fd;
	close(fd);
	return create(name, why);
}

static int write_file(const struct trace *trace, const struct result *result,
		      const char *point, struct icb_reason *why)
{
	int fd, err;
	FILE *f;

	fd = replace(trace->name, why);
	if (fd < 0)
		return fd;
	f = fdopen(fd, "w");
	if (!f) {
		err = -errno;
		close(fd);
	} else {
		err = write_all(trace, f, result, point);
		if (fclose(f) && !err)
			err = -errno;
	}
	if (!err)
		return 0;
	/* an incomplete trace would be taken for a complete one */
	if (unlink(trace->name) && truncate(trace->name, 0))
		return icb_refuse(why, err,
				  "trace: cannot write %.120s: %s; the file is incomplete",
				  trace->name, strerror(-err));
	return icb_refuse(why, err, "trace: cannot write %.120s: %s",
			  trace->name, strerror(-err));
}

/**
 * trace_keep() - write the trace of a run if a sample has cut the run short
 * @trace: the trace; nothing happens if it is not TRACE_ON
 * @result: the result, with the reason why the run was cut short
 * @point: name of the run among several runs; empty for a single run
 */
void trace_keep(struct trace *trace, const struct result *result,
		const char *point)
{
	struct icb_reason why;

	if (trace->state != TRACE_ON || !tracefs_stopped(&trace->fs))
		return;
	trace->state = TRACE_KEPT;
	if (!write_file(trace, result, point, &why))
		return;
	message("%s", why.text);
	trace->state = TRACE_LOST;
}

/**
 * trace_end() - restore the kernel's tracing
 * @trace: trace that was passed to trace_begin(); its state stays readable
 */
void trace_end(struct trace *trace)
{
	tracefs_end(&trace->fs);
}
